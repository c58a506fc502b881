/* Reads reference word alignments of a corpus, and maps word links to subword links. links.c parses a
 * line. */
#include "guides.h"

#include "mem.h"
#include "plural.h"

int guide_reader_open(struct guide_reader *reader, const char *path, struct err *err)
{
    if (reader_open(&reader->reader, path, err))
        return -1;
    strbuf_init(&reader->line);
    return 0;
}

void guide_reader_close(struct guide_reader *reader)
{
    strbuf_release(&reader->line);
    reader_close(&reader->reader);
}

int guide_reader_next(struct guide_reader *reader, struct links *links, int64_t number, int source_words,
                      int target_words, int shift, struct err *err)
{
    const char *path = reader->reader.path;
    while (reader->reader.line < number) {
        const int status = reader_line(&reader->reader, &reader->line, err);
        if (status == 0)
            return err_set(err, "'%s' has only %lld line%s", path, (long long)reader->reader.line,
                           plural((double)reader->reader.line));
        if (status < 0)
            return -1;
    }
    links->count = 0;
    if (links_parse(links, reader->line.text, err))
        return err_set(err, "cannot read '%s': line %lld: %s", path, (long long)number, err->text);
    if (links_check(links, source_words, target_words, err))
        return err_set(err, "cannot use '%s': line %lld: %s", path, (long long)number, err->text);
    size_t kept = 0;
    for (size_t i = 0; i < links->count; i++) {
        struct link link = links->items[i];
        link.source += shift;
        if (link.sure)
            links->items[kept++] = link;
    }
    links->count = kept;
    return 0;
}

int guide_reader_end(struct guide_reader *reader, int64_t lines, struct err *err)
{
    int status;
    while ((status = reader_line(&reader->reader, &reader->line, err)) > 0)
        ;
    if (status == 0 && reader->reader.line > lines)
        status =
            err_set(err, "'%s' has %lld line%s, its corpus %lld", reader->reader.path,
                    (long long)reader->reader.line, plural((double)reader->reader.line), (long long)lines);
    return status;
}

static bool has_word(const int *words, int count, int word)
{
    bool has = false;
    for (int i = 0; i < count && !has; i++)
        has = words[i] == word;
    return has;
}

void guides_apply(struct corpus *corpus, const struct corpus_pair *pair, const int *source_word_of,
                  const int *target_word_of)
{
    int *linked = xmalloc((size_t)pair->link_count + 1, sizeof *linked); /* source words, of a target token */
    for (int t = 0; t < pair->target_count; t++) {
        int count = 0;
        for (int l = 0; l < pair->link_count; l++)
            if (pair->links[l].target == target_word_of[t])
                linked[count++] = pair->links[l].source;
        for (int j = 0; j < pair->source_count && count; j++)
            if (has_word(linked, count, source_word_of[j])) /* a repeated link counts once */
                corpus_add_link(corpus, j, t);
    }
    xfree(linked);
}
