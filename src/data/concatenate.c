/* Draws pairs of a corpus, and adds each two as one. */
#include "concatenate.h"

#include "mem.h"

#include <string.h>

/* Ids without marks. */
struct id_span {
    const int *ids;
    int count;
};

static struct id_span side_of(const struct corpus *corpus, size_t pair, int side)
{
    size_t length;
    const int *ids =
        side == SOURCE ? corpus_source(corpus, pair, &length) : corpus_target(corpus, pair, &length);
    return side == SOURCE ? (struct id_span){ids, (int)length - 1}
                          : (struct id_span){ids + 1, (int)length - 2};
}

/* How two pairs become one. */
struct joining {
    const struct corpus *corpus;
    const struct language_pair *pair;
    int max_tokens;
    struct ids sides[SIDES];
};

/* The highest number of a placeholder; 0 if there is none. */
static int last_placeholder(const struct joining *joining, struct id_span span)
{
    int last = 0;
    if (!joining->pair->tokenizer[SOURCE].protect.kinds)
        return 0;
    for (int i = 0; i < span.count; i++) {
        const int number = span.ids[i] - VOCAB_PLACEHOLDER(0);
        if (number > last && number <= PLACEHOLDERS)
            last = number;
    }
    return last;
}

static bool is_tag(const struct joining *joining, int id)
{
    const char *word = vocab_word(joining->pair->tokenizer[SOURCE].vocab, id);
    return strmap_find(&joining->pair->tags, word, strlen(word)) >= 0;
}

/* Appends ids, whose placeholders get higher numbers. */
static void add_side(struct ids *out, struct id_span span, int placeholders, int higher)
{
    for (int i = 0; i < span.count; i++) {
        const int number = span.ids[i] - VOCAB_PLACEHOLDER(0);
        ids_add(out, span.ids[i] + (number > 0 && number <= placeholders ? higher : 0));
    }
}

static void copy_links(struct corpus *to, const struct corpus *from, size_t pair, int source, int target)
{
    size_t count;
    const struct link *links = corpus_links(from, pair, &count);
    for (size_t i = 0; i < count; i++)
        corpus_add_link(to, links[i].source + source, links[i].target + target);
}

static void add_alone(struct corpus *to, const struct joining *joining, size_t pair)
{
    const struct id_span source = side_of(joining->corpus, pair, SOURCE),
                         target = side_of(joining->corpus, pair, TARGET);
    corpus_add_ids(to, source.ids, source.count, target.ids, target.count,
                   source.count > target.count ? source.count : target.count);
    copy_links(to, joining->corpus, pair, 0, 0);
}

/* Adds two pairs as one; false if that cannot be. */
static bool add_joined(struct corpus *to, struct joining *joining, const size_t pairs[2])
{
    struct id_span source[2], target[2];
    int placeholders[2];
    for (int i = 0; i < 2; i++) {
        source[i] = side_of(joining->corpus, pairs[i], SOURCE);
        target[i] = side_of(joining->corpus, pairs[i], TARGET);
        placeholders[i] = last_placeholder(joining, source[i]);
        if (!source[i].count || !target[i].count)
            return false;
    }
    if (placeholders[0] + placeholders[1] > PLACEHOLDERS)
        return false;
    const bool tagged = is_tag(joining, source[0].ids[0]);
    if (tagged ? source[0].ids[0] != source[1].ids[0] : is_tag(joining, source[1].ids[0]))
        return false;
    const int tag = tagged; /* stands once, before both */
    source[1] = (struct id_span){source[1].ids + tag, source[1].count - tag};
    if (source[0].count + source[1].count > joining->max_tokens ||
        target[0].count + target[1].count > joining->max_tokens)
        return false;
    const bool reversed = joining->pair->tokenizer[TARGET].reversed;
    struct ids *const sides = joining->sides;
    sides[SOURCE].count = sides[TARGET].count = 0;
    for (int i = 0; i < 2; i++) {
        const int second = reversed ? !i : i;
        add_side(&sides[SOURCE], source[i], placeholders[i], i ? placeholders[0] : 0);
        add_side(&sides[TARGET], target[second], placeholders[second], second ? placeholders[0] : 0);
    }
    corpus_add_ids(to, sides[SOURCE].items, (int)sides[SOURCE].count, sides[TARGET].items,
                   (int)sides[TARGET].count, joining->max_tokens);
    copy_links(to, joining->corpus, pairs[0], 0, reversed ? target[1].count : 0);
    copy_links(to, joining->corpus, pairs[1], source[0].count - tag, reversed ? 0 : target[0].count);
    return true;
}

void concatenate(struct corpus *corpus, const struct language_pair *pair, double share, int max_tokens,
                 struct rng *rng)
{
    struct joining joining = {.corpus = corpus, .pair = pair, .max_tokens = max_tokens};
    struct corpus made;
    const size_t joined = (size_t)(share * (double)corpus->pairs / 2) * 2;
    int *order = xmalloc(corpus->pairs, sizeof *order);
    for (size_t i = 0; i < corpus->pairs; i++)
        order[i] = (int)i;
    rng_shuffle(rng, order, (int)corpus->pairs);
    corpus_init(&made);
    corpus_reset(&made, corpus->ids_count);
    for (size_t i = 0; i < corpus->pairs; i++) {
        if (i < joined && i % 2 == 0 &&
            add_joined(&made, &joining, (const size_t[]){(size_t)order[i], (size_t)order[i + 1]}))
            i++;
        else
            add_alone(&made, &joining, (size_t)order[i]);
    }
    made.too_long = corpus->too_long;
    made.characters = corpus->characters;
    for (int side = 0; side < SIDES; side++)
        ids_release(&joining.sides[side]);
    xfree(order);
    corpus_release(corpus);
    *corpus = made;
}
