/* terms: the terms of a glossary in the text of a language pair: where a line has them, and whether its
 * translation does.
 *
 * A term is whole words; in scripts without blanks, any characters. The longest one counts, then the one that
 * is written the same; a term in lower case also stands for its other spellings, and in a line of capitals,
 * which was read in its usual case, a term that is no word of the training text for itself. A source term
 * that ends with '*' stands for all words that begin so. Of several entries for the same term, the first one
 * counts. */
#ifndef NMT_TERMS_H
#define NMT_TERMS_H

#include "constraints.h"
#include "glossary.h"
#include "language_pair.h"

/* A term by itself, touching what is before it, what is behind it, or both. */
#define TERM_FORMS 4

/* The translation of a term. */
struct term_entry {
    char *target;                    /* normalised */
    bool word;                       /* it begins with a letter or digit of a script with blanks */
    struct ids forms[2][TERM_FORMS]; /* tokens, as it is and with a capital; none where one is unknown, or the
                                      * tokenizer writes no such form */
};

struct terms {
    const struct glossary *glossary;
    const struct language_pair *pair;
    struct strmap whole,
        wildcard;               /* normalised source terms: all of them, and without '*' those that end so */
    struct strmap lower;        /* those of `whole`, in lower case */
    size_t *entry_of[2];        /* [2][of each map]: indices of entries */
    size_t *lower_entry_of;     /* likewise of `lower` */
    size_t count;               /* of entries */
    struct term_entry *entries; /* [count], in the order of the glossary */
    size_t most_units;          /* words, and what is between them, of the longest term */
    bool mixes;                 /* the target has no blanks: terms of scripts with blanks may touch it */
    enum token_touch *touch;    /* [target vocabulary], as in struct constraints */
    size_t unknown, first_unknown; /* entries with words that the model cannot write; the first one */
};

/* A term in a line. */
struct term_match {
    size_t entry;
    size_t begin, end;       /* bytes of the text */
    struct source_part part; /* its tokens */
    bool capital;            /* it has a capital where the entry has none: its translation may, too */
};

/* A term of a line, and whether its translation was used. The texts are the glossary's. */
struct term {
    const char *source, *target;
    bool used;
};

/* The glossary and the pair must outlive it, but for terms_release. */
void terms_init(struct terms *terms, const struct glossary *glossary, const struct language_pair *pair);
void terms_release(struct terms *terms);
/* Warns of terms that the model cannot write, if there are any. */
void terms_warn(const struct terms *terms);
/* How many words a text has, and signs and blanks between them. */
size_t terms_units(const char *text, size_t bytes);
/* The first MOST_PHRASES terms in subwords of the source: matches [MOST_PHRASES]; returns their number. What
 * placeholders stand for has no terms, nor has the first one if it is a tag. `recased`: the source was in
 * capitals. */
size_t terms_find(struct term_match *matches, const struct terms *terms, const struct strbuf *subwords,
                  bool tagged, bool recased);
/* Can the model write one of them at least? */
bool terms_are_known(const struct terms *terms, const struct term_match *matches, size_t count);
/* The phrases that a translation with these terms must hold, without terms that the model cannot write. */
void terms_constrain(struct constraints *constraints, const struct terms *terms,
                     const struct term_match *matches, size_t count, struct arena *arena);
/* Looks for the terms in a translation: found [count]. */
void terms_check(struct term *found, const struct terms *terms, const struct term_match *matches,
                 size_t count, const char *text);

#endif
