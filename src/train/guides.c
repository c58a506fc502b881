#include "guides.h"

#include "bpe.h"
#include "mem.h"
#include "tokenize.h"

#include <stdlib.h>
#include <string.h>

void guides_release(struct guides *guides)
{
    links_release(&guides->links);
    free(guides->begin);
    memset(guides, 0, sizeof *guides);
}

void guides_skip(struct guides *guides)
{
    GROW(guides->begin, guides->pairs + 2, guides->room);
    guides->begin[guides->pairs++] = guides->links.count;
    guides->begin[guides->pairs] = guides->links.count;
}

/* ---- reading ---- */

int guide_reader_open(struct guide_reader *reader, const char *path, struct err *err)
{
    strbuf_init(&reader->line);
    return reader_open(&reader->reader, path, err);
}

void guide_reader_close(struct guide_reader *reader)
{
    strbuf_release(&reader->line);
    reader_close(&reader->reader);
}

int guide_reader_add(struct guides *guides, struct guide_reader *reader, int64_t number, int source_words,
                     int target_words, int shift, struct err *err)
{
    const char *path = reader->reader.path;
    while (reader->reader.line < number) {
        const int status = reader_line(&reader->reader, &reader->line, err);
        if (status == 0)
            return err_set(err, "'%s' has only %lld lines", path, (long long)reader->reader.line);
        if (status < 0)
            return -1;
    }
    const size_t before = guides->links.count;
    if (links_parse(&guides->links, reader->line.text, err))
        return err_set(err, "cannot read '%s': line %lld: %s", path, (long long)number, err->text);
    size_t kept = before;
    for (size_t i = before; i < guides->links.count; i++) {
        struct link link = guides->links.items[i];
        if (link.source >= source_words || link.target >= target_words)
            return err_set(err,
                           "cannot use '%s': line %lld: link %d-%d, but the sentences have %d and %d words",
                           path, (long long)number, link.source, link.target, source_words, target_words);
        link.source += shift;
        if (link.sure)
            guides->links.items[kept++] = link;
    }
    guides->links.count = kept;
    GROW(guides->begin, guides->pairs + 2, guides->room);
    guides->begin[guides->pairs++] = before;
    guides->begin[guides->pairs] = kept;
    return 0;
}

int guide_reader_end(struct guide_reader *reader, int64_t lines, struct err *err)
{
    int status;
    while ((status = reader_line(&reader->reader, &reader->line, err)) > 0)
        ;
    if (status == 0 && reader->reader.line > lines)
        status = err_set(err, "'%s' has %lld lines, its corpus %lld", reader->reader.path,
                         (long long)reader->reader.line, (long long)lines);
    return status;
}

/* ---- subwords ---- */

/* word_of [subwords]: the word that each is a part of; returns how many subwords there are. */
static int words_of(int **word_of, const struct strbuf *subwords)
{
    size_t at = 0, length, room = 0;
    int count = 0, word = 0;
    *word_of = NULL;
    for (const char *piece; (piece = next_word(subwords->text, subwords->length, &at, &length)); count++) {
        GROW(*word_of, (size_t)count + 1, room);
        (*word_of)[count] = word;
        word += !bpe_goes_on(piece, length);
    }
    return count;
}

void guides_apply(struct corpus *corpus, const struct guides *guides, size_t i, const struct strbuf *source,
                  const struct strbuf *target)
{
    int *source_words, *target_words;
    const int source_count = words_of(&source_words, source), target_count = words_of(&target_words, target);
    for (int t = 0; t < target_count; t++)
        for (int j = 0; j < source_count; j++)
            for (size_t l = guides->begin[i]; l < guides->begin[i + 1]; l++) {
                const struct link *link = &guides->links.items[l];
                if (link->source != source_words[j] || link->target != target_words[t])
                    continue;
                corpus_add_link(corpus, j, t);
                break; /* once, however often it is said */
            }
    free(source_words);
    free(target_words);
}
