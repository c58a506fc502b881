/* constraints: phrases that a translation must hold, and how far a hypothesis has come with them.
 *
 * A phrase is a sequence of tokens, as whole words, or one of several such forms. Each phrase takes an
 * occurrence of its own, but for one within another. */
#ifndef NMT_CONSTRAINTS_H
#define NMT_CONSTRAINTS_H

#include "arena.h"
#include "stepper.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MOST_PHRASES 64

/* Phrases by number. */
typedef uint64_t phrase_set;

/* Source positions. */
struct source_part {
    size_t begin, end;
};

struct phrase {
    const struct sentence *forms; /* [count], none empty */
    size_t count;
    bool word;               /* it begins with a letter or digit, which must not touch another */
    struct source_part part; /* what it translates; empty: unknown */
};

/* How a token touches the next one. */
enum token_touch {
    TOUCH_NONE,
    TOUCH_WORD, /* it ends with a letter or digit, and the next one follows without a blank */
    TOUCH_SAME  /* the next one is part of the same word */
};

/* The phrases of one sentence. */
struct constraints {
    struct phrase_node *nodes; /* a trie of all forms; 0 is its root */
    size_t node_count;
    size_t count;                 /* phrases; 0: the sentence is free */
    size_t lengths[MOST_PHRASES]; /* of each, the most tokens until another may begin */
    struct source_part parts[MOST_PHRASES];
    phrase_set words;              /* those that begin with a letter or digit */
    const enum token_touch *touch; /* [vocabulary] of the next token; NULL: never */
};

/* What a hypothesis lacks, and where it is in the trie. */
struct constraint_state {
    phrase_set missing;
    size_t node; /* the longest beginning of a missing phrase that the hypothesis ends with; 0: none */
};

/* At most MOST_PHRASES phrases, of which nothing is kept but `touch`. */
void constraints_init(struct constraints *constraints, const struct phrase *phrases, size_t count,
                      const enum token_touch *touch, struct arena *arena);
struct constraint_state constraints_start(const struct constraints *constraints);
/* After `previous` (VOCAB_BEGIN at the beginning) comes `id`. */
struct constraint_state constraints_next(const struct constraints *constraints, struct constraint_state state,
                                         int previous, int id);
/* Writes the tokens with which the hypothesis begins or continues a missing phrase: ids [node_count]; returns
 * their number. `begin`: the phrases that may begin. `straight`: a begun phrase is not left for another. */
size_t constraints_wanted(int *ids, const struct constraints *constraints, struct constraint_state state,
                          int previous, phrase_set begin, bool straight);
/* Number of phrases that are complete or begun. */
size_t constraints_bank(const struct constraints *constraints, struct constraint_state state);
/* The token of a node of the trie, but for the root. */
int constraints_token(const struct constraints *constraints, size_t node);
/* The most tokens that the missing phrases need. */
size_t constraints_tokens(const struct constraints *constraints, phrase_set missing);

#endif
