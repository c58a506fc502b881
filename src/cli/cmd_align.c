/* nmt align: what a model looks at while it reads given translations word by word. */
#include "alignment.h"
#include "cmd_shared.h"
#include "commands.h"
#include "html.h"
#include "json.h"
#include "log.h"
#include "mem.h"
#include "pair_block.h"
#include "parseopt.h"
#include "scoring.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct settings {
    const char *model, *form, *html, *svg, *reference;
    struct pair_files files;
    int threads;
    bool words;
};

/* ---- forms of output, a row of the table each ---- */

static void print_pharaoh(const struct alignment *alignment, size_t number)
{
    struct links links = {0};
    (void)number;
    alignment_links(&links, alignment);
    for (size_t i = 0; i < links.count; i++)
        printf("%s%d-%d", i ? " " : "", links.items[i].source, links.items[i].target);
    putchar('\n');
    links_release(&links);
}

static void set_tokens(struct json *object, const char *key, const struct text_file *tokens)
{
    json_set_strings(object, key, (const char *const *)tokens->lines, (int)tokens->count);
}

static void print_json(const struct alignment *alignment, size_t number)
{
    const size_t columns = alignment->tokens[SOURCE].count, rows = alignment->tokens[TARGET].count;
    double *weights = xmalloc(rows * columns, sizeof *weights);
    struct json *object = json_new_object();
    struct strbuf text;
    (void)number;
    strbuf_init(&text);
    for (size_t i = 0; i < rows * columns; i++)
        weights[i] = round(1e6 * (double)alignment->weights[i]) / 1e6;
    set_tokens(object, "source", &alignment->tokens[SOURCE]);
    set_tokens(object, "target", &alignment->tokens[TARGET]);
    json_set_rows(object, "weights", weights, (int)rows, (int)columns);
    json_print(object, false, &text);
    puts(text.text);
    strbuf_release(&text);
    json_free(object);
    free(weights);
}

static void print_tsv(const struct alignment *alignment, size_t number)
{
    const struct heatmap map = alignment_map(alignment);
    for (int i = 0; i < map.row_count; i++)
        for (int j = 0; j < map.column_count; j++)
            printf("%zu\t%d\t%d\t%s\t%s\t%.6f\n", number, i, j, map.rows[i], map.columns[j],
                   (double)map.weights[i * map.column_count + j]);
}

static void print_map(const struct alignment *alignment, size_t number)
{
    const struct heatmap map = alignment_map(alignment);
    struct strbuf text;
    strbuf_init(&text);
    if (number > 1)
        putchar('\n');
    heatmap_text(&text, &map);
    fputs(text.text, stdout);
    strbuf_release(&text);
}

static void print_nothing(const struct alignment *alignment, size_t number)
{
    (void)alignment;
    (void)number;
}

typedef void print_function(const struct alignment *alignment, size_t number);

static const struct form {
    const char *name;
    print_function *print;
} forms[] = {{"pharaoh", print_pharaoh},
             {"json", print_json},
             {"tsv", print_tsv},
             {"map", print_map},
             {"none", print_nothing}};

#define FORM_COUNT (sizeof forms / sizeof forms[0])
#define FORM_NAMES "pharaoh|json|tsv|map|none"

static const struct form *form_of(const char *name)
{
    for (size_t i = 0; i < FORM_COUNT; i++)
        if (!strcmp(forms[i].name, name))
            return &forms[i];
    fprintf(stderr, "nmt: option '--form' is '%s', must be one of " FORM_NAMES "\n", name);
    return NULL;
}

/* ---- the command ---- */

/* What goes on from pair to pair. */
struct aligning {
    const struct settings *settings;
    const struct loaded_model *loaded;
    const struct form *form;
    struct strbuf page, picture;
    struct text_file reference;
    struct aer aer;
    size_t pairs;
};

static int compare(struct aligning *a, const struct alignment *alignment, struct err *err)
{
    struct links found = {0}, right = {0};
    if (a->pairs > a->reference.count)
        return 0; /* the end says how many lines it should have */
    int status = links_parse(&right, a->reference.lines[a->pairs - 1], err);
    if (status) {
        status = err_set(err, "cannot read '%s': line %zu: %s", a->settings->reference, a->pairs, err->text);
    } else {
        alignment_links(&found, alignment);
        aer_add(&a->aer, &found, &right);
    }
    links_release(&found);
    links_release(&right);
    return status;
}

static void draw(struct aligning *a, const struct alignment *alignment)
{
    if (a->settings->svg && a->pairs == 1) {
        const struct heatmap map = alignment_map(alignment);
        heatmap_svg(&a->picture, &map);
    }
    if (a->settings->html && a->pairs <= ALIGNMENT_MOST_DRAWN)
        alignment_draw(&a->page, alignment, (long)a->pairs, NULL);
}

static int align_block(void *context, const struct pair_block *block, struct err *err)
{
    struct aligning *a = context;
    const struct loaded_model *loaded = a->loaded;
    const struct corpus *corpus = &block->corpus;
    size_t *begin = xcalloc(corpus->pairs + 1, sizeof *begin);
    int source, target, status = 0;
    for (size_t i = 0; i < corpus->pairs; i++) {
        corpus_source(corpus, i, &source);
        corpus_target(corpus, i, &target);
        begin[i + 1] = begin[i] + (size_t)(target - 1) * (size_t)source;
    }
    real *weights = xmalloc(begin[corpus->pairs], sizeof *weights);
    corpus_attention(weights, begin, &loaded->model, loaded->weights.values, corpus,
                     thread_count(a->settings->threads));
    for (size_t i = 0; i < corpus->pairs && !status; i++) {
        struct alignment alignment;
        const struct text_file *subwords = block->subwords;
        alignment_init(&alignment, subwords[SOURCE].lines[i], subwords[TARGET].lines[i], weights + begin[i],
                       a->settings->words);
        a->pairs++;
        a->form->print(&alignment, a->pairs);
        draw(a, &alignment);
        if (a->settings->reference)
            status = compare(a, &alignment, err);
        alignment_release(&alignment);
    }
    free(weights);
    free(begin);
    return status;
}

static int write_results(struct aligning *a, struct err *err)
{
    const struct settings *s = a->settings;
    if (s->reference && a->pairs != a->reference.count)
        return expect_lines(s->reference, a->reference.count, s->files.tsv ? s->files.tsv : s->files.target,
                            a->pairs, err);
    if (s->reference)
        printf("AER %.4f  precision %.4f  recall %.4f  (%zu pairs, %ld links)\n", aer_rate(&a->aer),
               aer_precision(&a->aer), aer_recall(&a->aer), a->pairs, a->aer.found);
    if (s->svg && file_replace(s->svg, a->picture.text, a->picture.length, err))
        return -1;
    if (!s->html)
        return 0;
    if (a->pairs > ALIGNMENT_MOST_DRAWN)
        log_warn("'%s' shows the first %d of %zu pairs", s->html, ALIGNMENT_MOST_DRAWN, a->pairs);
    html_end(&a->page);
    return file_replace(s->html, a->page.text, a->page.length, err);
}

static int run(const struct settings *s, const struct form *form, const struct loaded_model *loaded,
               struct err *err)
{
    struct aligning a = {.settings = s, .loaded = loaded, .form = form};
    if (loaded->config.model.attention.score == SCORE_NONE)
        return err_set(err, "'%s' has no attention to show", loaded->dir);
    if (s->reference && text_file_load(&a.reference, s->reference, err))
        return -1;
    strbuf_init(&a.page);
    strbuf_init(&a.picture);
    html_begin(&a.page, "What the translator looked at");
    int status = each_pair_block(&s->files, &loaded->pair, align_block, &a, err);
    if (!status)
        status = write_results(&a, err);
    text_file_release(&a.reference);
    strbuf_release(&a.page);
    strbuf_release(&a.picture);
    return status;
}

int cmd_align(int argc, char **argv)
{
    struct settings s = {.form = "pharaoh"};
    const struct option_spec options[] = {
        {"model", 'm', OPTION_STRING, &s.model, "DIR",
         "model directory (default: $NMT_MODEL, else the last one trained)", 0, 0},
        PAIR_OPTIONS(s.files),
        {"words", 'w', OPTION_FLAG, &s.words, NULL, "words as a whole, not their subwords", 0, 0},
        {"form", 'f', OPTION_STRING, &s.form, "FORM",
         FORM_NAMES
         ": links i-j of source and target token; all weights as a JSON object a line, or as lines of "
         "pair, target and source position, both tokens and weight; a picture for the terminal",
         0, 0},
        {"html", 0, OPTION_STRING, &s.html, "FILE", "pictures of all pairs as a page", 0, 0},
        {"svg", 0, OPTION_STRING, &s.svg, "FILE", "a picture of the first pair", 0, 0},
        {"reference", 'r', OPTION_STRING, &s.reference, "FILE",
         "right links (i-j sure, i?j possible): prints the alignment error rate at the end", 0, 0},
        {"threads", 't', OPTION_INT, &s.threads, "N", "worker threads (default: one per core)", 0, 1024},
        {NULL, 0, OPTION_FLAG, NULL, NULL, NULL, 0, 0},
    };
    const struct command_help help = {"nmt align [--model DIR] --source FILE --target FILE [options]",
                                      "Shows what the model looks at while it reads given translations: the "
                                      "attention of each word that it\n"
                                      "would have to say next."};
    PARSE_OR_RETURN(argc, argv, options, &help);
    if (!pair_files_given(&s.files, help.usage))
        return EXIT_WRONG_USE;
    const struct form *form = form_of(s.form);
    if (!form)
        return EXIT_WRONG_USE;
    struct err err;
    struct loaded_model loaded;
    if (open_model(&loaded, s.model, &err))
        return fail(&err);
    const int status = run(&s, form, &loaded, &err) ? fail(&err) : EXIT_DONE;
    loaded_model_close(&loaded);
    return status;
}
