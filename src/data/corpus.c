/* Sentence pairs in memory, as ids. Files of ids are in corpus_file.c, the order of training in batch.c. */
#include "corpus.h"

#include "log.h"
#include "mem.h"
#include "plural.h"
#include "utf8_check.h"

#include <string.h>

void corpus_init(struct corpus *corpus)
{
    memset(corpus, 0, sizeof *corpus);
}

void corpus_release(struct corpus *corpus)
{
    xfree(corpus->ids);
    xfree(corpus->begin);
    links_release(&corpus->links);
    xfree(corpus->links_begin);
    corpus_init(corpus);
}

void corpus_warn_unscored(const struct corpus *corpus, const char *path)
{
    if (corpus->too_long)
        log_warn("'%s': %lld pair%s with more than %d tokens not counted for the perplexity", path,
                 (long long)corpus->too_long, plural((double)corpus->too_long), SCORED_MOST_TOKENS);
}

void corpus_reset(struct corpus *corpus, size_t tokens)
{
    GROW(corpus->ids, tokens, corpus->ids_capacity);
    corpus->ids_count = corpus->pairs = corpus->links.count = 0;
    corpus->too_long = corpus->characters = 0;
}

/* Appends ids between two marks (-1: no mark); returns the end. */
static size_t append(struct corpus *corpus, int before, const int *ids, int count, int after)
{
    GROW(corpus->ids, corpus->ids_count + (size_t)count + 2, corpus->ids_capacity);
    if (before >= 0)
        corpus->ids[corpus->ids_count++] = before;
    if (count)
        memcpy(corpus->ids + corpus->ids_count, ids, (size_t)count * sizeof *ids);
    corpus->ids_count += (size_t)count;
    corpus->ids[corpus->ids_count++] = after;
    return corpus->ids_count;
}

bool corpus_add_ids(struct corpus *corpus, const int *source, int source_count, const int *target,
                    int target_count, int max_tokens)
{
    if (source_count > max_tokens || target_count > max_tokens) {
        corpus->too_long++;
        return false;
    }
    GROW(corpus->begin, 2 * corpus->pairs + 3, corpus->begin_capacity);
    GROW(corpus->links_begin, corpus->pairs + 2, corpus->links_begin_capacity);
    size_t *begin = corpus->begin + 2 * corpus->pairs;
    begin[0] = corpus->ids_count;
    begin[1] = append(corpus, -1, source, source_count, VOCAB_END);
    begin[2] = append(corpus, VOCAB_BEGIN, target, target_count, VOCAB_END);
    corpus->links_begin[corpus->pairs] = corpus->links_begin[corpus->pairs + 1] = corpus->links.count;
    corpus->pairs++;
    return true;
}

bool corpus_add_subwords(struct corpus *corpus, const struct tokenizer *tokenizers,
                         const char *const *subwords, int max_tokens)
{
    struct ids ids[SIDES] = {{NULL, 0, 0}, {NULL, 0, 0}};
    for (int side = 0; side < SIDES; side++)
        tokenizer_ids(&ids[side], &tokenizers[side], subwords[side], strlen(subwords[side]));
    const bool fits = corpus_add_ids(corpus, ids[SOURCE].items, (int)ids[SOURCE].count, ids[TARGET].items,
                                     (int)ids[TARGET].count, max_tokens);
    for (int side = 0; side < SIDES; side++)
        ids_release(&ids[side]);
    return fits;
}

bool corpus_add_text(struct corpus *corpus, const struct tokenizer *tokenizers, const char *const *text,
                     int max_tokens)
{
    struct strbuf subwords[SIDES];
    for (int side = 0; side < SIDES; side++)
        strbuf_init(&subwords[side]);
    tokenizer_split_pair(subwords, tokenizers, text,
                         (const size_t[SIDES]){strlen(text[SOURCE]), strlen(text[TARGET])});
    const bool fits = corpus_add_subwords(
        corpus, tokenizers, (const char *const[]){subwords[SOURCE].text, subwords[TARGET].text}, max_tokens);
    if (fits)
        corpus->characters += (int64_t)utf8_count(text[TARGET], strlen(text[TARGET])) + 1;
    for (int side = 0; side < SIDES; side++)
        strbuf_release(&subwords[side]);
    return fits;
}

void corpus_add_link(struct corpus *corpus, int source, int target)
{
    links_add(&corpus->links, source, target, true);
    corpus->links_begin[corpus->pairs] = corpus->links.count;
}

const struct link *corpus_links(const struct corpus *corpus, size_t i, size_t *count)
{
    if (!corpus->links.count) {
        *count = 0;
        return NULL;
    }
    *count = corpus->links_begin[i + 1] - corpus->links_begin[i];
    return corpus->links.items + corpus->links_begin[i];
}

const int *corpus_source(const struct corpus *corpus, size_t i, size_t *length)
{
    *length = corpus->begin[2 * i + 1] - corpus->begin[2 * i];
    return corpus->ids + corpus->begin[2 * i];
}

const int *corpus_target(const struct corpus *corpus, size_t i, size_t *length)
{
    *length = corpus->begin[2 * i + 2] - corpus->begin[2 * i + 1];
    return corpus->ids + corpus->begin[2 * i + 1];
}
