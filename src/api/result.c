/* Makes results: all that the host sees lies in one arena. */
#include "result.h"

#include "arena.h"
#include "border.h"
#include "mem.h"
#include "word_alignment.h"

#include <string.h>

#define FIRST_BYTES ((size_t)32 << 10)

struct line {
    struct nmt_translation *translations;
    size_t count;
};

struct nmt_result {
    struct arena arena;
    size_t lines;
    struct line *line; /* [lines] */
};

struct nmt_result *result_new(size_t lines)
{
    struct nmt_result *result = xcalloc(1, sizeof *result);
    arena_init(&result->arena);
    arena_reserve(&result->arena, FIRST_BYTES);
    result->lines = lines;
    result->line = ARENA_ZERO(&result->arena, lines, struct line);
    return result;
}

static char *copy_text(struct arena *arena, const char *text)
{
    const size_t bytes = strlen(text) + 1;
    return memcpy(ARENA_NEW(arena, bytes, char), text, bytes);
}

static float *copy_numbers(struct arena *arena, const float *numbers, size_t count)
{
    float *copy = ARENA_NEW(arena, count, float);
    memcpy(copy, numbers, count * sizeof *copy);
    return copy;
}

/* ---- tokens and words ---- */

/* Copies words without the end mark, and their number. */
static const char *const *copy_words(size_t *count, struct arena *arena, const struct words *words)
{
    const struct lines *texts = &words->texts;
    size_t bytes = 0;
    *count = texts->count - 1;
    for (size_t i = 0; i < *count; i++)
        bytes += texts->bytes[i] + 1;
    const char **copies = ARENA_NEW(arena, *count, const char *);
    char *place = ARENA_NEW(arena, bytes, char);
    for (size_t i = 0; i < *count; place += texts->bytes[i++] + 1)
        copies[i] = memcpy(place, texts->text[i], texts->bytes[i] + 1);
    return copies;
}

static void set_texts(struct nmt_translation *to, struct arena *arena, const struct translation *from,
                      const struct words *target, const struct words *source)
{
    struct words tokens, source_tokens;
    words_of_translation(&tokens, from, false);
    words_init(&source_tokens, from->source ? from->source : "", false);
    to->text = copy_text(arena, from->text);
    to->tokens = copy_words(&to->token_count, arena, &tokens);
    to->source_tokens = copy_words(&to->source_token_count, arena, &source_tokens);
    to->words = copy_words(&to->word_count, arena, target);
    to->source_words = copy_words(&to->source_word_count, arena, source);
    words_release(&tokens);
    words_release(&source_tokens);
}

/* ---- translations ---- */

static void set_numbers(struct nmt_translation *to, struct arena *arena, const struct translation *from,
                        const struct words *target)
{
    static const float none = 0; /* of a blank line */
    to->score = from->score;
    to->log_probability = from->terms.log_probability;
    const float *log_probabilities = from->length ? from->token_log_probabilities : &none;
    to->token_log_probabilities = copy_numbers(arena, log_probabilities, to->token_count + 1);
    float *confidences = ARENA_NEW(arena, target->texts.count, float);
    words_confidence(confidences, target, log_probabilities);
    to->word_confidences = confidences;
    to->source_repaired = from->repaired;
    to->target_cut = from->end == END_LIMIT;
    to->source_divided = from->divided;
    to->parts = (size_t)from->parts;
}

static void set_alignment(struct nmt_translation *to, struct arena *arena, const struct translation *from,
                          const struct words *target, const struct words *source)
{
    struct links links = {.count = 0};
    const size_t rows = target->texts.count, columns = source->texts.count;
    float *of_words = xmalloc(rows * columns, sizeof *of_words);
    words_attention(of_words, from->alpha, target, source);
    attention_links(&links, of_words, (int)rows, (int)columns);
    struct nmt_link *copies = ARENA_NEW(arena, links.count, struct nmt_link);
    for (size_t i = 0; i < links.count; i++)
        copies[i] = (struct nmt_link){(size_t)links.items[i].source, (size_t)links.items[i].target};
    to->attention = copy_numbers(arena, from->alpha, (size_t)target->subwords * (size_t)source->subwords);
    to->links = copies;
    to->link_count = links.count;
    links_release(&links);
    xfree(of_words);
}

static void set_translation(struct nmt_translation *to, struct arena *arena, const struct translation *from,
                            bool alignment)
{
    struct words target, source;
    words_of_translation(&target, from, true);
    words_init(&source, from->source ? from->source : "", true);
    set_texts(to, arena, from, &target, &source);
    set_numbers(to, arena, from, &target);
    if (alignment && from->alpha)
        set_alignment(to, arena, from, &target, &source);
    words_release(&target);
    words_release(&source);
}

void result_set(struct nmt_result *result, size_t line, const struct translations *translations,
                bool alignment)
{
    struct line *to = &result->line[line];
    to->count = (size_t)translations->count;
    to->translations = ARENA_ZERO(&result->arena, to->count, struct nmt_translation);
    for (size_t k = 0; k < to->count; k++)
        set_translation(&to->translations[k], &result->arena, &translations->best[k], alignment);
}

/* ---- what the host asks ---- */

EXPORT void nmt_result_free(struct nmt_result *result)
{
    if (!result)
        return;
    arena_release(&result->arena);
    xfree(result);
}

EXPORT size_t nmt_result_lines(const struct nmt_result *result)
{
    return result ? result->lines : 0;
}

EXPORT size_t nmt_result_count(const struct nmt_result *result, size_t line)
{
    return line < nmt_result_lines(result) ? result->line[line].count : 0;
}

EXPORT const struct nmt_translation *nmt_result_translation(const struct nmt_result *result, size_t line,
                                                            size_t rank)
{
    return rank < nmt_result_count(result, line) ? &result->line[line].translations[rank] : NULL;
}

EXPORT const char *nmt_text(const struct nmt_result *result, size_t line)
{
    const struct nmt_translation *best = nmt_result_translation(result, line, 0);
    return best ? best->text : NULL;
}
