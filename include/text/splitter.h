/* splitter: finds the sentences of a line, and divides a sentence that is too long for a model.
 *
 * The rules are those of Unicode sentence boundaries (UAX #29), with what they leave open: abbreviations,
 * initials, numbers with a point, quotes. Which words are abbreviations, and which words begin sentences, is
 * learned from text without labels, after Kiss and Strunk 2006, Computational Linguistics 32(4): a word is an
 * abbreviation if it is tied to the point behind it more than chance explains (a likelihood ratio, weighted
 * by length, inner points and occurrences without a point), and the word after an abbreviation begins a
 * sentence if it is one that does so and else has no capital, or is never within one.
 *
 * What is learned is a file of a model, "source.sentences": lines of a key and a value, of which the keys of
 * words are repeated. Without it, the rules alone are used. */
#ifndef NMT_SPLITTER_H
#define NMT_SPLITTER_H

#include "model_files.h"
#include "span.h"
#include "strmap.h"
#include "tokenizer.h"

#include <stdbool.h>
#include <stdint.h>

/* Do sentences go on behind quotes with a "?", in scripts without capitals? */
enum speech { SPEECH_NEVER, SPEECH_ALWAYS, SPEECH_UNLESS_STARTER };

struct splitter {
    bool learned;                /* from a training text; else all that follows is empty */
    int64_t lines, single_lines; /* that were looked at, and those of a single sentence */
    int64_t longest;             /* the longest line in the model's tokens, without the end mark */
    int64_t speech;              /* an enum speech */
    int64_t quotations; /* 1, 2, 3: likewise behind all such sentences, or other ones in quotes, or both */
    int64_t ordinals;   /* 1: a number with a point is an ordinal, as in German */
    int64_t lowercase;  /* 1: sentences begin with small letters */
    struct strmap abbreviations; /* in lower case, without the point at the end */
    struct strmap titles;        /* such, of scripts without capitals, behind which no sentence ends */
    struct strmap ordinary;      /* short words that could be abbreviations and are none */
    struct strmap starters;      /* words that begin sentences and else have no capital, in lower case */
};

void splitter_init(struct splitter *splitter);
void splitter_release(struct splitter *splitter);
/* Learns from lines of valid UTF-8 (all but `longest`); text of which most lines are one sentence teaches
 * most. The splitter must be as after splitter_init. */
void splitter_learn(struct splitter *splitter, const char *const *lines, const size_t *bytes, size_t count);
/* Loads a model's file into one that is as after splitter_init, and on failure is so again. */
int splitter_load(struct splitter *splitter, const struct model_files *files, const char *name,
                  struct err *err);
/* Appends the text of the file. */
void splitter_print(struct strbuf *text, const struct splitter *splitter);
/* Were most lines that it learned from a single sentence? */
bool splitter_is_single(const struct splitter *splitter);

/* Appends the sentences of valid UTF-8 text, with no white space around them; none for blank text. Quotes and
 * brackets that close behind a stop belong to its sentence. Takes time in proportion to the text's length. */
void sentences_find(struct spans *sentences, const struct splitter *splitter, const char *text, size_t bytes);

/* The most tokens that a sentence may have, and what divides longer ones. */
struct sentence_limit {
    const struct splitter *splitter;
    const struct tokenizer *tokenizer;
    size_t most;
    bool (*ends)(void *context, size_t count); /* asked before each piece, with the number of those before:
                                                * true leaves out the rest; NULL: nothing does */
    void *context;
};

/* Appends the parts of a piece of valid UTF-8 text that have at most as many tokens: divides where a sentence
 * ends, else where a clause does or at a blank that is in neither the first nor the last eighth, else between
 * characters, each time as near the middle as it can, and of a piece of many kilobytes near the middle only;
 * but not within strings that the tokenizer protects, if there is another place. A single character is
 * divided only if its marks are very many. */
void sentence_divide(struct spans *parts, const struct sentence_limit *limit, const char *text,
                     struct span piece);
/* The same of a piece of tokens separated by blanks: at the ends of words, where there is one. */
void tokens_divide(struct spans *parts, const char *tokens, struct span piece, size_t most);

/* How a text is split into sentences. */
struct sentence_rules {
    const struct splitter *splitter;    /* NULL: all of the text is one */
    unsigned kinds;                     /* of strings that are never divided (patterns.h) */
    const struct sentence_limit *limit; /* longer ones are divided; NULL: none are */
};

/* Appends the sentences of valid UTF-8 text, none for blank text. Text without letters is never divided for
 * its length. Where the limit ends it, the parts before are there. */
void sentences_split(struct spans *sentences, const struct sentence_rules *rules, const char *text,
                     size_t bytes);
/* Joins sentences of a text where a string of these kinds (patterns.h) goes from one to the next. */
void sentences_join_strings(struct spans *sentences, unsigned kinds, const char *text, size_t bytes);

#endif
