/* Attention weights of sentence pairs, by subword or by word: as matrices, links and pictures. The weights
 * come from train/scoring.c or a translation; words are joined in decode, the drawing is done in report. */
#include "alignment.h"

#include "bpe.h"
#include "fileio.h"
#include "html.h"
#include "log.h"
#include "mem.h"
#include "model_dir.h"
#include "scoring.h"
#include "team.h"
#include "tokenizer.h"

#include <string.h>

void alignment_release(struct alignment *alignment)
{
    for (int side = 0; side < SIDES; side++) {
        lines_release(&alignment->tokens[side]);
        xfree(alignment->text[side]);
    }
    xfree(alignment->weights);
}

/* Made from subwords [SIDES] and their words [SIDES], which it takes over. */
static void make_alignment(struct alignment *alignment, const struct language_pair *pair,
                           const char *const *subwords, struct words *side, const real *weights, int heads)
{
    memset(alignment, 0, sizeof *alignment);
    for (int s = 0; s < SIDES; s++) {
        struct strbuf text;
        strbuf_init(&text);
        tokenizer_text(&text, &pair->tokenizer[s], subwords[s], strlen(subwords[s]));
        alignment->text[s] = strbuf_detach(&text);
    }
    const size_t cells = side[SOURCE].texts.count * side[TARGET].texts.count, maps = 1 + (size_t)heads,
                 subword_cells = (size_t)side[SOURCE].subwords * (size_t)side[TARGET].subwords;
    alignment->heads = heads;
    alignment->tagged = pair->tokenizer[SOURCE].tag != NULL;
    alignment->weights = xmalloc(maps * cells, sizeof *alignment->weights);
    for (size_t m = 0; m < maps; m++)
        words_attention(alignment->weights + m * cells, weights + m * subword_cells, &side[TARGET],
                        &side[SOURCE]);
    for (int s = 0; s < SIDES; s++) {
        alignment->tokens[s] = side[s].texts;
        side[s].texts = (struct lines){.count = 0};
        words_release(&side[s]);
    }
}

void alignment_init(struct alignment *alignment, const struct language_pair *pair,
                    const char *const *subwords, const real *weights, int heads, bool words)
{
    struct words side[SIDES];
    for (int s = 0; s < SIDES; s++)
        words_init(&side[s], subwords[s], words);
    make_alignment(alignment, pair, subwords, side, weights, heads);
}

bool alignment_of_translation(struct alignment *alignment, const struct language_pair *pair,
                              const struct translation *t, bool words)
{
    struct words side[SIDES];
    if (!t->alpha)
        return false;
    words_init(&side[SOURCE], t->source, words);
    words_of_translation(&side[TARGET], t, words);
    ASSERT(side[SOURCE].subwords == t->source_length && side[TARGET].subwords == t->length);
    make_alignment(alignment, pair, (const char *const[SIDES]){[SOURCE] = t->source, [TARGET] = t->subwords},
                   side, t->alpha, t->heads);
    return true;
}

/* ---- pictures ---- */

#define MOST_CELLS 100000 /* of a picture: some megabytes of a page */

enum { MARK_JOINER, MARK_BLANK, MARK_PIECE, MARK_END, MARK_KINDS };

static const struct token_mark marks[] = {[MARK_JOINER] = {TOKENIZE_JOINER, "no blank on this side"},
                                          [MARK_BLANK] = {TOKENIZE_BLANK, "a blank"},
                                          [MARK_PIECE] = {BPE_SEPARATOR, "the word goes on"},
                                          [MARK_END] = {WORD_END_MARK, "end of the sentence"},
                                          [MARK_KINDS] = {NULL, NULL}};
static const struct token_style style = {utf8_columns, marks};

struct heatmap alignment_map(const struct alignment *alignment)
{
    return (struct heatmap){alignment->tokens[TARGET].text,
                            alignment->tokens[SOURCE].text,
                            (int)alignment->tokens[TARGET].count,
                            (int)alignment->tokens[SOURCE].count,
                            alignment->heads,
                            alignment->weights,
                            alignment->text[SOURCE],
                            alignment->text[TARGET],
                            &style};
}

/* Names the source token with the most weight in a row, for screen readers. */
static void add_most_looked_at(struct strbuf *page, const struct heatmap *map, int row)
{
    const float *weights = map->weights + row * map->column_count;
    const int best = attention_strongest(weights, map->column_count);
    strbuf_adds(page, "<li><bdi>");
    html_text(page, map->rows[row]);
    strbuf_adds(page, "</bdi> ← <bdi>");
    html_text(page, map->columns[best]);
    strbuf_addf(page, "</bdi> %.2f</li>\n", (double)weights[best]);
}

static bool may_occur(int kind, const struct language_pair *pair, bool words)
{
    bool may = kind == MARK_END;
    for (int side = 0; side < SIDES; side++) {
        const struct tokenizer *tokenizer = &pair->tokenizer[side];
        may |= (kind == MARK_JOINER &&
                (tokenizer->kind == TOKENIZE_SCRIPT || tokenizer->kind == TOKENIZE_UNICODE)) ||
               (kind == MARK_BLANK &&
                (tokenizer->kind == TOKENIZE_SCRIPT || tokenizer->kind == TOKENIZE_CHAR)) ||
               (kind == MARK_PIECE && tokenizer->bpe && !words);
    }
    return may;
}

void alignment_pictures_begin(struct strbuf *page, const struct language_pair *pair, bool words)
{
    struct token_mark explained[MARK_KINDS + 1];
    int count = 0;
    for (int kind = 0; kind < MARK_KINDS; kind++)
        if (may_occur(kind, pair, words))
            explained[count++] = marks[kind];
    explained[count] = marks[MARK_KINDS];
    strbuf_adds(page,
                "<p>A row for each word that was written, a column for each word that was read; point at a "
                "cell for its weight.</p>\n");
    heatmap_legend(page, explained);
    strbuf_adds(page, "<div class=\"pictures\">\n");
}

void alignment_pictures_end(struct strbuf *page)
{
    strbuf_adds(page, "</div>\n");
}

static void add_map(struct strbuf *page, const struct heatmap *map)
{
    heatmap_html(page, map);
    strbuf_adds(page, "<details><summary>In words</summary><ul>\n");
    for (int i = 0; i < map->row_count; i++)
        add_most_looked_at(page, map, i);
    strbuf_adds(page, "</ul></details>\n");
}

static bool is_too_large(const struct heatmap *map)
{
    return (1 + (double)map->heads) * map->row_count * map->column_count > MOST_CELLS;
}

void alignment_draw(struct strbuf *page, const struct alignment *alignment, long number)
{
    const struct heatmap map = alignment_map(alignment);
    strbuf_addf(page, "<figure>\n<figcaption>%ld. <b><bdi>", number);
    html_text(page, alignment->text[SOURCE]);
    strbuf_adds(page, "</bdi></b><br><bdi>");
    html_text(page, alignment->text[TARGET]);
    strbuf_adds(page, "</bdi></figcaption>\n");
    if (is_too_large(&map))
        strbuf_addf(page, "<p>%d rows of %d: too many for a picture</p>\n", map.row_count, map.column_count);
    else
        add_map(page, &map);
    strbuf_adds(page, "</figure>\n");
}

int alignment_svg(struct strbuf *picture, const struct alignment *alignment, struct err *err)
{
    const struct heatmap map = alignment_map(alignment);
    if (is_too_large(&map))
        return err_set(err, "%d rows of %d: too many for a picture", map.row_count, map.column_count);
    heatmap_svg(picture, &map);
    return 0;
}

void alignment_warn_undrawn(const char *path, long pairs)
{
    if (pairs > ALIGNMENT_MOST_DRAWN)
        log_warn("'%s' shows the first %d of %ld pairs", path, ALIGNMENT_MOST_DRAWN, pairs);
}

void alignment_links(struct links *links, const struct alignment *alignment)
{
    attention_links(links, alignment->weights, (int)alignment->tokens[TARGET].count,
                    (int)alignment->tokens[SOURCE].count);
}

void alignment_untagged_links(struct links *links, const struct alignment *alignment)
{
    alignment_links(links, alignment);
    if (!alignment->tagged)
        return;
    bool *tags = xcalloc(alignment->tokens[SOURCE].count, sizeof *tags);
    tags[0] = true;
    links_drop_sources(links, tags, alignment->tokens[SOURCE].count);
    xfree(tags);
}

/* ---- many pairs ---- */

struct walk {
    const struct loaded_model *loaded;
    const struct alignment_options *options;
    size_t pairs; /* so far */
    int (*take)(void *context, const struct alignment *alignment, size_t number, struct err *err);
    void *context;
};

static int heads_of(const struct walk *walk)
{
    const int heads = walk->loaded->config.model.attention.heads;
    return walk->options->each_head && heads > 1 ? heads : 0;
}

static int align_block(void *context, const struct pair_block *block, struct err *err)
{
    struct walk *walk = context;
    const struct corpus *corpus = &block->corpus;
    const int heads = heads_of(walk);
    size_t *begin = xcalloc(corpus->pairs + 1, sizeof *begin);
    size_t source, target;
    int status = 0;
    for (size_t i = 0; i < corpus->pairs; i++) {
        corpus_source(corpus, i, &source);
        corpus_target(corpus, i, &target);
        begin[i + 1] = begin[i] + (1 + (size_t)heads) * (target - 1) * source;
    }
    real *weights = xmalloc(begin[corpus->pairs], sizeof *weights);
    corpus_attention(weights, begin, heads, &walk->loaded->model, weights_floats(&walk->loaded->weights),
                     corpus, team_threads(walk->options->threads));
    for (size_t i = 0; i < corpus->pairs && !status; i++) {
        struct alignment alignment;
        if (scores_check(weights + begin[i], begin[i + 1] - begin[i], walk->loaded->files.path,
                         block->first_line + (int64_t)i, err)) {
            status = -1;
            break;
        }
        const char *const subwords[SIDES] = {
            [SOURCE] = block->subwords[SOURCE].text[i], [TARGET] = block->subwords[TARGET].text[i]};
        alignment_init(&alignment, &walk->loaded->pair, subwords, weights + begin[i], heads,
                       walk->options->words);
        for (int side = 0; side < SIDES; side++)
            alignment.line[side] = block->text[side].text[i];
        status = walk->take(walk->context, &alignment, ++walk->pairs, err);
        alignment_release(&alignment);
    }
    xfree(weights);
    xfree(begin);
    return status;
}

int alignment_check(const struct loaded_model *loaded, bool words, struct err *err)
{
    const struct config *config = &loaded->config;
    if (!config_has_attention(config))
        return err_set(err, "'%s' has no attention to show", loaded->files.path);
    if (config->text.reverse_target)
        return err_set(err, "'%s' translates from right to left, without alignments", loaded->files.path);
    if (words && config->text.tokenizer == TOKENIZE_CHAR)
        return err_set(err, "'%s' aligns characters, not words", loaded->files.path);
    return 0;
}

int each_alignment(const struct pair_files *files, const struct loaded_model *loaded,
                   const struct alignment_options *options,
                   int (*take)(void *context, const struct alignment *alignment, size_t number,
                               struct err *err),
                   void *context, struct err *err)
{
    struct walk walk = {loaded, options, 0, take, context};
    return alignment_check(loaded, options->words, err)
               ? -1
               : each_pair_block(files, &loaded->pair, align_block, &walk, err);
}

int reference_links_load(struct reference_links *reference, const char *path, struct err *err)
{
    reference->path = file_shown_name(path);
    return lines_load(&reference->lines, path, err);
}

void reference_links_release(struct reference_links *reference)
{
    lines_release(&reference->lines);
}

int reference_links_compare(struct aer *aer, const struct reference_links *reference,
                            const struct alignment *alignment, size_t number, struct err *err)
{
    struct links found = {0}, links = {0};
    if (number > reference->lines.count)
        return 0;
    int status = links_parse(&links, reference->lines.text[number - 1], err);
    if (status) {
        status = err_set(err, "cannot read '%s': line %zu: %s", reference->path, number, err->text);
    } else if (links_check(&links, (int)alignment->tokens[SOURCE].count - 1 - alignment->tagged,
                           (int)alignment->tokens[TARGET].count - 1, err)) { /* end marks have none */
        status = err_set(err, "cannot use '%s': line %zu: %s", reference->path, number, err->text);
    } else {
        alignment_untagged_links(&found, alignment);
        aer_add(aer, &found, &links);
    }
    links_release(&found);
    links_release(&links);
    return status;
}
