/* seen_words: the words of the source that a training saw, so that a translation can tell others: names, loan
 * words, scripts and signs that the network knows nothing of and that stay as they are.
 *
 * Words are compared in lower case and normal form. Whether an unseen word is copied depends on its shape: of
 * the training's rare words of each shape, do most stand in the translation as they are? So it is with what a
 * hyphen connects: is it copied as one string? If too many words of a text would be wrong copies, compounds
 * of seen words (compound.h) are translated; so are words in another script than the Latin one, if the source
 * is written in it and hardly any of them stands in a translation. Words with characters that the training
 * did not see are always copied. Rare words that were copied each time do not count as seen: the training has
 * placeholders for them, too (protect.h). */
#ifndef NMT_SEEN_WORDS_H
#define NMT_SEEN_WORDS_H

#include "choices.h"
#include "model_files.h"
#include "span.h"
#include "strbuf.h"
#include "strmap.h"
#include "word_counts.h"

#include <stdbool.h>
#include <stdint.h>

#define WORD_SHAPES(ROW)                                                                                     \
    ROW(SHAPE_LOWER, lower)     /* no capitals: "window" */                                                  \
    ROW(SHAPE_FIRST, first)     /* one in front, where a sentence begins: "The" */                           \
    ROW(SHAPE_CAPITAL, capital) /* one in front, elsewhere: "Paris" */                                       \
    ROW(SHAPE_UPPER, upper)     /* capitals alone: "NATO" */                                                 \
    ROW(SHAPE_MIXED, mixed)     /* others: "iPhone" */                                                       \
    ROW(SHAPE_DIGITS, digits)   /* with digits: "mp3" */                                                     \
    ROW(SHAPE_NUMBER, number)   /* digits alone: "17" */                                                     \
    ROW(SHAPE_HYPHEN, hyphen)   /* two that a hyphen connects, not both names: "apt-get" */
enum word_shape { WORD_SHAPES(CHOICE_CONSTANT) SHAPES };

/* What is not copied, whatever its shape. */
#define COPY_EXCEPTIONS(ROW)                                                                                 \
    ROW(BUT_COMPOUNDS, compounds)     /* of seen words (compound.h) */                                       \
    ROW(BUT_NONLATIN, nonlatin)       /* words with letters that are not Latin */                            \
    ROW(BUT_QUANTITIES, quantities)   /* PATTERN_QUANTITY: units have names of their own */                  \
    ROW(BUT_PERCENTAGES, percentages) /* "%5", which elsewhere is a variable */                              \
    ROW(BUT_URLS, urls)               /* PATTERN_URL: they may lead to pages in the other language */        \
    ROW(BUT_MENTIONS, mentions)       /* PATTERN_MENTION: "#" may begin a song, and tags are words */        \
    ROW(BUT_DATES, dates)             /* PATTERN_DATE, and times: "8:15" is "8 h 15" in French */            \
    ROW(BUT_VERSIONS, versions)       /* PATTERN_VERSION */                                                  \
    ROW(BUT_NUMBERS, numbers)         /* PATTERN_NUMBER: digits may be others */
enum copy_exception { COPY_EXCEPTIONS(CHOICE_CONSTANT) EXCEPTIONS };
#define EXCEPTION_SET(exception) (1u << (exception))

#define SMALL_PALOCHKA 0x4cf /* a letter of Caucasian languages; most texts have its capital, U+04C0, only */

#define SHAPE_SET(shape) (1u << (shape))
/* What is copied where a training text has too few rare words to tell. */
#define SHAPES_USUALLY_COPIED                                                                                \
    (SHAPE_SET(SHAPE_CAPITAL) | SHAPE_SET(SHAPE_UPPER) | SHAPE_SET(SHAPE_MIXED) | SHAPE_SET(SHAPE_NUMBER))

/* Without words, nothing is unseen. */
struct seen_words {
    struct strmap words;      /* in lower case; signs and single characters are among them */
    struct strmap characters; /* of the words, and those that are listed as words */
    struct strmap bare;       /* what words with joiners are without them … */
    struct strmap joined;     /* … and these words, by the same number */
    unsigned copied;          /* a set of shapes */
    unsigned but;             /* a set of exceptions */
};

void seen_words_init(struct seen_words *seen);
void seen_words_release(struct seen_words *seen);
const char *seen_words_shape_name(enum word_shape shape);
const char *seen_words_exception_name(enum copy_exception exception);

/* Adds a word in lower case, or a sign. */
void seen_words_add(struct seen_words *seen, const char *word, size_t bytes);

/* The number of a character in order of first addition, which after seen_words_learn is that of falling
 * frequency for signs and apostrophes, letters included; -1 if it was not seen. */
int seen_words_character(const struct seen_words *seen, int32_t code);
bool seen_words_has(const struct seen_words *seen, int32_t code);

/* The exception that strings of a kind are where most translations write them otherwise; EXCEPTIONS if they
 * are always copied. */
enum copy_exception seen_words_exception(enum pattern_kind kind);
/* A set of kinds of strings without those that are an exception. */
unsigned seen_words_copied_kinds(const struct seen_words *seen, unsigned kinds);
/* May a word that the training did not see be copied, by its shape? `key`: in lower case. */
bool seen_words_may_copy(const struct seen_words *seen, enum word_shape shape, const char *key, size_t bytes);

/* Is it one of the signs that serve as an apostrophe? */
bool seen_words_is_apostrophe(int32_t code);
/* May it be a sign for which another stands, or none? */
bool seen_words_may_read(int32_t code);
/* The sign that stands for the one at a place of a valid text, which the training may not have seen: an
 * apostrophe that it has seen for another one of a word, a quote for another kind of quote, a palochka for
 * what is typed for it, a blank for another kind of blank, the other code of a letter or sign that has two, a
 * single digit of another script, 0 for an invisible sign or a vowel sign of Arabic or Hebrew; the sign
 * itself for all others, 0 at the end. */
int32_t seen_words_sign(const struct seen_words *seen, const char *text, size_t bytes, size_t at);
/* Appends a part of valid text with these signs. `blanks`: may blanks become spaces, which part words? */
void seen_words_read(struct strbuf *out, const struct seen_words *seen, const char *text, size_t bytes,
                     struct span part, bool blanks);
/* Appends valid text in NFC, of which words with capitals that the training did not see are in lower case, if
 * it saw their small letters, and others in the spelling that it saw (spelling.h). */
void seen_words_respell(struct strbuf *out, const struct seen_words *seen, const char *text, size_t bytes);

/* Sets `line` to what a source sentence text[0] shows: its words, strings that may be written otherwise in
 * other languages, and which of them its translation text[1] holds; both are valid UTF-8. Not what strings of
 * `kinds` (a set of PATTERNS) consist of that both hold: of most kinds, the network gets placeholders for
 * them. Identifiers count as words. */
void seen_words_observe(struct strbuf *line, const char *const *text, const size_t *bytes, unsigned kinds);
/* Adds such a line to counts, which hold at most about a million words. Where a sentence has several
 * translations, this is for the first one: in others, its words are no less rare … */
void seen_words_count(struct word_counts *counts, const struct strbuf *line);
/* … and only those count that such a translation does not hold: they are no copies. */
void seen_words_count_further(struct word_counts *counts, const struct strbuf *line);
/* Adds a line of a sentence or translation that a machine made: its words are seen, but for copies, and
 * how many words of a text are rare, and which of them are copied, it does not tell. */
void seen_words_count_synthetic(struct word_counts *counts, const struct strbuf *line);
/* Learns from the counts. `seen` must be as after seen_words_init. */
void seen_words_learn(struct seen_words *seen, const struct word_counts *counts);

/* Loads a model's file into one that is as after seen_words_init, and on failure is so again. */
int seen_words_load(struct seen_words *seen, const struct model_files *files, const char *name,
                    struct err *err);
/* Appends the text of the file: the shapes that are copied, or "-", behind them the exceptions, such as
 * "but-compounds", and a word in each further line. */
void seen_words_print(struct strbuf *text, const struct seen_words *seen);
bool seen_words_same(const struct seen_words *a, const struct seen_words *b);

#endif
