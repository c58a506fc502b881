/* Follows phrases in a trie with fallbacks (Aho and Corasick 1975, Communications of the ACM 18(6)), where a
 * phrase begins only at the beginning of a word. The search is in banks.c. */
#include "constraints.h"

#include "err.h"

#include <string.h>

struct phrase_node {
    int id;                                          /* the token that leads here */
    size_t parent, depth, first_child, next_sibling; /* 0: none */
    size_t fallback;                  /* the longest beginning of a form that this one ends with */
    phrase_set through, beyond, ends; /* phrases with a form that reaches this node, goes on, or ends here */
};

/* ---- the trie ---- */

int constraints_token(const struct constraints *constraints, size_t node)
{
    return constraints->nodes[node].id;
}

static size_t child_of(const struct constraints *c, size_t node, int id)
{
    size_t child = c->nodes[node].first_child;
    while (child && c->nodes[child].id != id)
        child = c->nodes[child].next_sibling;
    return child;
}

static void add_form(struct constraints *c, const struct sentence *form, phrase_set phrase)
{
    size_t node = 0;
    for (size_t i = 0; i < form->length; i++) {
        size_t child = child_of(c, node, form->ids[i]);
        if (!child) {
            child = c->node_count++;
            c->nodes[child] = (struct phrase_node){.id = form->ids[i],
                                                   .parent = node,
                                                   .depth = i + 1,
                                                   .next_sibling = c->nodes[node].first_child};
            c->nodes[node].first_child = child;
        }
        c->nodes[node].beyond |= phrase;
        node = child;
        c->nodes[node].through |= phrase;
    }
    c->nodes[node].ends |= phrase;
}

/* The phrases that may begin behind a token. */
static phrase_set may_begin(const struct constraints *c, int previous)
{
    switch (c->touch ? c->touch[previous] : TOUCH_NONE) {
    case TOUCH_SAME:
        return 0;
    case TOUCH_WORD:
        return ~c->words;
    case TOUCH_NONE:
        break;
    }
    return ~(phrase_set)0;
}

/* Must another token come before the next phrase may begin? */
static bool touches(const struct constraints *c, int id)
{
    return c->touch && c->touch[id] != TOUCH_NONE;
}

/* The node of a missing phrase to which `id` leads from a node or its fallbacks; 0: none. */
static size_t follow(const struct constraints *c, size_t node, phrase_set missing, int previous, int id)
{
    for (;; node = c->nodes[node].fallback) {
        const size_t child = child_of(c, node, id);
        const phrase_set phrases = node ? missing : missing & may_begin(c, previous);
        if (child && c->nodes[child].through & phrases)
            return child;
        if (!node)
            return 0;
    }
}

/* The fallback of a node is made of those of shorter ones, so they are taken by their depth. */
static void set_fallbacks(struct constraints *c, size_t longest, struct arena *arena)
{
    size_t *begin = ARENA_ZERO(arena, longest + 2, size_t),
           *by_depth = ARENA_NEW(arena, c->node_count, size_t);
    for (size_t i = 1; i < c->node_count; i++)
        begin[c->nodes[i].depth + 1]++;
    for (size_t depth = 1; depth <= longest + 1; depth++)
        begin[depth] += begin[depth - 1];
    for (size_t i = 1; i < c->node_count; i++)
        by_depth[begin[c->nodes[i].depth]++] = i;
    for (size_t k = 0; k + 1 < c->node_count; k++) {
        struct phrase_node *node = &c->nodes[by_depth[k]];
        const struct phrase_node *parent = &c->nodes[node->parent];
        if (node->depth > 1)
            node->fallback = follow(c, parent->fallback, ~(phrase_set)0, parent->id, node->id);
    }
}

void constraints_init(struct constraints *constraints, const struct phrase *phrases, size_t count,
                      const enum token_touch *touch, struct arena *arena)
{
    size_t most = 1, longest = 0;
    ASSERT(count <= MOST_PHRASES);
    memset(constraints, 0, sizeof *constraints);
    constraints->count = count;
    constraints->touch = touch;
    for (size_t p = 0; p < count; p++)
        for (size_t f = 0; f < phrases[p].count; f++)
            most += phrases[p].forms[f].length;
    constraints->nodes = ARENA_ZERO(arena, most, struct phrase_node);
    constraints->node_count = 1;
    for (size_t p = 0; p < count; p++) {
        constraints->parts[p] = phrases[p].part;
        constraints->words |= (phrase_set)phrases[p].word << p;
        for (size_t f = 0; f < phrases[p].count; f++) {
            const struct sentence *form = &phrases[p].forms[f];
            const size_t needed = form->length + touches(constraints, form->ids[form->length - 1]);
            add_form(constraints, form, (phrase_set)1 << p);
            if (needed > constraints->lengths[p])
                constraints->lengths[p] = needed;
            longest = form->length > longest ? form->length : longest;
        }
    }
    set_fallbacks(constraints, longest, arena);
}

/* ---- a hypothesis ---- */

struct constraint_state constraints_start(const struct constraints *constraints)
{
    const size_t count = constraints->count;
    return (struct constraint_state){count < MOST_PHRASES ? ((phrase_set)1 << count) - 1 : ~(phrase_set)0, 0};
}

struct constraint_state constraints_next(const struct constraints *constraints, struct constraint_state state,
                                         int previous, int id)
{
    const struct phrase_node *nodes = constraints->nodes;
    phrase_set missing = state.missing;
    size_t node = follow(constraints, state.node, missing, previous, id);
    size_t end = node;
    while (end && !(nodes[end].ends & missing))
        end = nodes[end].fallback;
    if (end) {
        const phrase_set ended = nodes[end].ends & missing;
        missing &= ~(ended & (~ended + 1)); /* the first one of them */
    }
    while (node && !(nodes[node].beyond & missing))
        node = nodes[node].fallback;
    return (struct constraint_state){missing, node};
}

static bool is_in(const int *ids, size_t count, int id)
{
    size_t i = 0;
    while (i < count && ids[i] != id)
        i++;
    return i < count;
}

size_t constraints_wanted(int *ids, const struct constraints *constraints, struct constraint_state state,
                          int previous, phrase_set begin, bool straight)
{
    const struct phrase_node *nodes = constraints->nodes;
    size_t count = 0;
    for (size_t node = state.node;; node = nodes[node].fallback) {
        const phrase_set phrases =
            node ? state.missing : state.missing & begin & may_begin(constraints, previous);
        for (size_t child = nodes[node].first_child; child; child = nodes[child].next_sibling)
            if (nodes[child].through & phrases && !is_in(ids, count, nodes[child].id))
                ids[count++] = nodes[child].id;
        if (!node || straight)
            return count;
    }
}

size_t constraints_bank(const struct constraints *constraints, struct constraint_state state)
{
    size_t bank = constraints->count + (state.node != 0);
    for (phrase_set missing = state.missing; missing; missing &= missing - 1)
        bank--;
    return bank;
}

size_t constraints_tokens(const struct constraints *constraints, phrase_set missing)
{
    size_t tokens = 0;
    for (size_t p = 0; p < constraints->count; p++)
        if (missing & (phrase_set)1 << p)
            tokens += constraints->lengths[p];
    return tokens;
}
