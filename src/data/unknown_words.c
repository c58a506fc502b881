/* Tells what an inherited vocabulary cannot write. Tokens are counted in spooled_ids.c; which ones they are
 * is found here, in the counted words. */
#include "unknown_words.h"

#include "mem.h"
#include "word_counts.h"

#include <string.h>

#define LEAST_SHARE 0.001 /* of a side's tokens in a corpus */
#define MOST_NAMED 3

/* Counts the unknown ones of a word's subwords, as text. */
static void count_unknown(struct word_counts *unknown, const struct tokenizer *tokenizer, const char *word,
                          size_t bytes, int64_t times)
{
    size_t at = 0, length;
    struct strbuf subwords, shown;
    strbuf_init(&subwords);
    strbuf_init(&shown);
    tokenizer_subwords(&subwords, tokenizer, word, bytes, NULL);
    for (const char *piece; (piece = next_word(subwords.text, subwords.length, &at, &length));) {
        if (tokenizer_placeholder(tokenizer, piece, length) ||
            vocab_id(tokenizer->vocab, piece, length) != VOCAB_UNKNOWN)
            continue;
        strbuf_reset(&shown);
        tokenizer_text(&shown, tokenizer, piece, length); /* without marks of joins */
        word_counts_add(unknown, shown.text, shown.length, times);
    }
    strbuf_release(&subwords);
    strbuf_release(&shown);
}

/* Appends the most frequent ones. */
static void name_most_frequent(struct strbuf *out, const struct word_counts *unknown)
{
    size_t count;
    int *ranked = strmap_rank(&count, &unknown->words, unknown->counts);
    for (size_t i = 0; i < count && i < MOST_NAMED; i++)
        strbuf_addf(out, "%s'%s'", i ? ", " : ": most often ", strmap_text(&unknown->words, ranked[i]));
    xfree(ranked);
}

/* Appends the most frequent unknown tokens of a side in all corpora. */
static void name_unknown(struct strbuf *out, const struct word_table *table,
                         const struct tokenizer *tokenizer, int side)
{
    struct word_counts unknown;
    word_counts_init(&unknown);
    for (size_t i = 0; i < table->words.count; i++)
        if (table->counts[side][i])
            count_unknown(&unknown, tokenizer, strmap_text(&table->words, (int)i),
                          strmap_length(&table->words, (int)i), table->counts[side][i]);
    name_most_frequent(out, &unknown);
    word_counts_release(&unknown);
}

static void tell(const struct spooled_text *text, int corpus, int side, const char *names,
                 const struct config *config, unknown_taker *take, void *context)
{
    const struct pair_files files = pair_files_of(config_train(config, corpus));
    const struct token_counts *counts = &text->tokens[corpus][side];
    struct strbuf message;
    strbuf_init(&message);
    strbuf_addf(&message,
                "%.1f %% of the %s tokens of '%s' are unknown to the words of '%s'%s%s (with 'text.merges', "
                "words are learned anew)",
                100 * (double)counts->unknown / (double)counts->all, side == SOURCE ? "source" : "target",
                pair_files_path(&files, side), config->training.init_from,
                side == SOURCE ? "" : ", and lost in translations", names);
    take(context, corpus, message.text);
    strbuf_release(&message);
}

void unknown_words_tell(const struct spooled_text *text, const struct language_pair *pair,
                        const struct config *config, unknown_taker *take, void *context)
{
    for (int side = 0; side < SIDES; side++) {
        struct strbuf names;
        strbuf_init(&names);
        for (int c = 0; config_train(config, c); c++) {
            const struct token_counts *counts = &text->tokens[c][side];
            if ((double)counts->unknown <= LEAST_SHARE * (double)counts->all)
                continue;
            if (!names.length)
                name_unknown(&names, text->tables.side[side], &pair->tokenizer[side], side);
            tell(text, c, side, names.text, config, take, context);
        }
        strbuf_release(&names);
    }
}
