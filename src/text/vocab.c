/* Assigns ids by falling frequency, and reads and writes the word list. */
#include "vocab.h"

#include "mem.h"
#include "strbuf.h"
#include "tokenize.h"
#include "utf8.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const char *const specials[VOCAB_SPECIALS] = {"<unk>", "<s>", "</s>"};

static void add(struct vocab *vocab, const char *word, size_t bytes, int64_t count)
{
    const size_t id = (size_t)strmap_intern(&vocab->words, word, bytes);
    GROW(vocab->counts, id + 1, vocab->capacity);
    vocab->counts[id] = count;
}

static void clear(struct vocab *vocab)
{
    memset(vocab, 0, sizeof *vocab);
    strmap_init(&vocab->words);
}

void vocab_init(struct vocab *vocab)
{
    clear(vocab);
    for (int i = 0; i < VOCAB_SPECIALS; i++)
        add(vocab, specials[i], strlen(specials[i]), 0);
}

void vocab_add_placeholders(struct vocab *vocab)
{
    ASSERT(vocab_size(vocab) == VOCAB_SPECIALS);
    for (int number = 1; number <= PLACEHOLDERS; number++) {
        struct strbuf word;
        strbuf_init(&word);
        placeholder_add(&word, number, NULL, 0);
        add(vocab, word.text, word.length, 0);
        strbuf_release(&word);
    }
}

bool vocab_has_placeholders(const struct vocab *vocab)
{
    bool has = vocab_size(vocab) > VOCAB_PLACEHOLDER(PLACEHOLDERS);
    for (int number = 1; has && number <= PLACEHOLDERS; number++) {
        const int id = VOCAB_PLACEHOLDER(number);
        has = placeholder_number(vocab_word(vocab, id), strmap_length(&vocab->words, id)) == number;
    }
    return has;
}

void vocab_release(struct vocab *vocab)
{
    strmap_release(&vocab->words);
    xfree(vocab->counts);
    clear(vocab);
}

void vocab_build(struct vocab *vocab, const struct strmap *words, const int64_t *counts, size_t most,
                 int64_t least)
{
    size_t count;
    int *ranked = strmap_rank(&count, words, counts);
    for (size_t i = 0; i < count && counts[ranked[i]] >= least && (most == 0 || i < most); i++) {
        const char *word = strmap_text(words, ranked[i]);
        const size_t bytes = strmap_length(words, ranked[i]);
        if (strmap_find(&vocab->words, word, bytes) < 0) /* the corpus may contain "</s>" */
            add(vocab, word, bytes, counts[ranked[i]]);
    }
    xfree(ranked);
}

/* Parses "word count"; false if malformed, or if the word is a duplicate. */
static bool add_entry(struct vocab *vocab, const struct strbuf *line)
{
    const char *blank = strrchr(line->text, ' ');
    if (!blank || blank == line->text || strlen(line->text) != line->length)
        return false;
    char *end;
    errno = 0;
    const long long count = strtoll(blank + 1, &end, 10);
    const size_t bytes = (size_t)(blank - line->text), id = vocab->words.count;
    if (end == blank + 1 || *end || errno || count < 0 || memchr(line->text, ' ', bytes) ||
        utf8_check(line->text, bytes) < bytes || strmap_find(&vocab->words, line->text, bytes) >= 0)
        return false;
    if (id < VOCAB_SPECIALS && (strlen(specials[id]) != bytes || memcmp(line->text, specials[id], bytes)))
        return false;
    add(vocab, line->text, bytes, count);
    return true;
}

/* Context of take_line. */
struct loading {
    struct vocab *vocab;
    const char *path;
};

static int take_line(void *context, const struct strbuf *line, int64_t number, struct err *err)
{
    const struct loading *loading = context;
    if (add_entry(loading->vocab, line))
        return 0;
    return err_set(err, "cannot read '%s': line %lld is not a new word and its count", loading->path,
                   (long long)number);
}

int vocab_load(struct vocab *vocab, const struct model_files *files, const char *name, struct err *err)
{
    char *path = model_files_name(files, name);
    clear(vocab);
    int status = model_files_each_line(files, name, take_line, &(struct loading){vocab, path}, err);
    if (status == 0 && vocab->words.count < VOCAB_SPECIALS)
        status = err_set(err, "cannot read '%s': the vocabulary is truncated", path);
    xfree(path);
    if (status)
        vocab_release(vocab);
    return status;
}

void vocab_print(struct strbuf *text, const struct vocab *vocab)
{
    for (int id = 0; id < vocab_size(vocab); id++)
        strbuf_addf(text, "%s %lld\n", vocab_word(vocab, id), (long long)vocab->counts[id]);
}

int vocab_size(const struct vocab *vocab)
{
    return (int)vocab->words.count;
}

int vocab_id(const struct vocab *vocab, const char *word, size_t bytes)
{
    const int id = strmap_find(&vocab->words, word, bytes);
    return id < VOCAB_SPECIALS ? VOCAB_UNKNOWN : id;
}

const char *vocab_word(const struct vocab *vocab, int id)
{
    return strmap_text(&vocab->words, id);
}
