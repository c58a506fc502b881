/* Prepares a glossary's terms for a language pair, and makes phrases of their translations. Where a text has
 * terms is up to find_terms.c, how a search puts them in to constraints.c. */
#include "terms.h"

#include "fileio.h"
#include "log.h"
#include "mem.h"
#include "plural.h"

#include <string.h>

#define MOST_NAMED 10     /* terms in a warning */
#define LEAST_UNSPACED 10 /* a tenth of the vocabulary of a language without blanks */

/* Appends text as its tokenizer leaves it. */
static void normalize(struct strbuf *out, const struct tokenizer *tokenizer, const char *text, size_t bytes)
{
    struct tokenizer plain = *tokenizer;
    struct strbuf subwords;
    plain.tag = NULL;
    plain.protect.kinds = 0;
    strbuf_init(&subwords);
    tokenizer_split(&subwords, &plain, text, bytes);
    tokenizer_text(out, &plain, subwords.text, subwords.length);
    strbuf_release(&subwords);
}

static void add_lower(struct terms *terms, size_t index, const struct strbuf *text)
{
    struct strbuf lower;
    strbuf_init(&lower);
    casing_lower(&lower, terms->pair->casing[SOURCE], text->text, text->length);
    const size_t known = terms->lower.count;
    if ((size_t)strmap_intern(&terms->lower, lower.text, lower.length) == known)
        terms->lower_entry_of[known] = index;
    strbuf_release(&lower);
}

static void add_source(struct terms *terms, size_t index)
{
    const struct glossary_entry *entry = &terms->glossary->entries[index];
    const bool wildcard = entry->wildcard;
    struct strmap *map = wildcard ? &terms->wildcard : &terms->whole;
    struct strbuf text;
    strbuf_init(&text);
    normalize(&text, &terms->pair->tokenizer[SOURCE], entry->source, entry->bytes);
    const size_t known = map->count, units = terms_units(text.text, text.length);
    if ((size_t)strmap_intern(map, text.text, text.length) == known)
        terms->entry_of[wildcard][known] = index;
    if (!wildcard)
        add_lower(terms, index, &text);
    terms->most_units = units > terms->most_units ? units : terms->most_units;
    strbuf_release(&text);
}

static bool has_unknown(const struct ids *ids)
{
    for (size_t i = 0; i < ids->count; i++)
        if (ids->items[i] == VOCAB_UNKNOWN)
            return true;
    return false;
}

/* Is the vocabulary's language written without blanks? A few words of another one may have come into any. */
static bool is_unspaced(const struct tokenizer *tokenizer)
{
    const int count = vocab_size(tokenizer->vocab);
    int unspaced = 0;
    for (int id = VOCAB_SPECIALS; id < count; id++)
        unspaced += word_begins_unspaced(vocab_word(tokenizer->vocab, id),
                                         strmap_length(&tokenizer->vocab->words, id));
    return unspaced > count / LEAST_UNSPACED;
}

/* Sets the tokens of the forms that normalised text has. `mixes`: in text without blanks, "Linux" is "Linux",
 * "￭Linux", "Linux￭" and "￭Linux￭". */
static void set_forms(struct ids *forms, const struct tokenizer *tokenizer, bool mixes,
                      const struct strbuf *text)
{
    struct tokenizer plain = *tokenizer;
    struct strbuf words, form, subwords;
    plain.tag = NULL;
    plain.protect.kinds = 0;
    strbuf_init(&words);
    strbuf_init(&form);
    strbuf_init(&subwords);
    tokenizer_words(&words, &plain, text->text, text->length);
    const bool left = mixes && !word_begins_unspaced(words.text, words.length),
               right = mixes && !word_ends_unspaced(words.text, words.length);
    for (int f = 0; f < TERM_FORMS; f++) {
        const bool before = f & 1, behind = f & 2;
        if ((before && !left) || (behind && !right))
            continue;
        strbuf_reset(&form);
        strbuf_reset(&subwords);
        strbuf_addf(&form, "%s%s%s", before ? TOKENIZE_JOINER : "", words.text,
                    behind ? TOKENIZE_JOINER : "");
        tokenizer_subwords(&subwords, &plain, form.text, form.length, NULL);
        tokenizer_ids(&forms[f], &plain, subwords.text, subwords.length);
        if (has_unknown(&forms[f]))
            forms[f].count = 0;
    }
    strbuf_release(&words);
    strbuf_release(&form);
    strbuf_release(&subwords);
}

static bool is_known(const struct ids *forms)
{
    bool known = false;
    for (int f = 0; f < TERM_FORMS; f++)
        known |= forms[f].count > 0;
    return known;
}

static void add_target(struct terms *terms, size_t index)
{
    const struct tokenizer *tokenizer = &terms->pair->tokenizer[TARGET];
    const char *target = terms->glossary->entries[index].target;
    struct term_entry *entry = &terms->entries[index];
    struct strbuf text, capital;
    int32_t first;
    strbuf_init(&text);
    strbuf_init(&capital);
    normalize(&text, tokenizer, target, strlen(target));
    casing_capitalize(&capital, terms->pair->casing[TARGET], text.text, text.length);
    set_forms(entry->forms[0], tokenizer, terms->mixes, &text);
    set_forms(entry->forms[1], tokenizer, terms->mixes, &capital);
    if (!is_known(entry->forms[0]))
        terms->first_unknown = terms->unknown++ ? terms->first_unknown : index;
    entry->word = text.length && utf8_decode(text.text, text.length, &first) && utf8_is_wordlike(first);
    entry->target = strbuf_detach(&text);
    strbuf_release(&capital);
}

static enum token_touch touch_of(const struct tokenizer *tokenizer, const char *word, size_t bytes)
{
    const bool characters = tokenizer->kind == TOKENIZE_CHAR, joins = word_joins_right(word, bytes);
    int32_t last;
    if (tokenizer->bpe && bpe_is_continued(word, bytes))
        return TOUCH_SAME;
    if (tokenizer->kind == TOKENIZE_WHITESPACE || (!characters && !joins))
        return TOUCH_NONE;
    const size_t end = characters ? bytes : bytes - strlen(TOKENIZE_JOINER);
    if (!end) /* the rest of a word of another script than its neighbour's */
        return TOUCH_WORD;
    return utf8_decode_before(word, end, &last) && utf8_is_wordlike(last) ? TOUCH_WORD : TOUCH_NONE;
}

static void set_touch(struct terms *terms)
{
    const struct tokenizer *tokenizer = &terms->pair->tokenizer[TARGET];
    const int count = vocab_size(tokenizer->vocab);
    terms->touch = xcalloc((size_t)count, sizeof *terms->touch);
    for (int id = VOCAB_SPECIALS; id < count; id++)
        terms->touch[id] = touch_of(tokenizer, vocab_word(tokenizer->vocab, id),
                                    strmap_length(&tokenizer->vocab->words, id));
}

void terms_init(struct terms *terms, const struct glossary *glossary, const struct language_pair *pair)
{
    memset(terms, 0, sizeof *terms);
    terms->glossary = glossary;
    terms->pair = pair;
    terms->count = glossary->count;
    strmap_init(&terms->whole);
    strmap_init(&terms->wildcard);
    strmap_init(&terms->lower);
    for (int i = 0; i < 2; i++)
        terms->entry_of[i] = xcalloc(glossary->count, sizeof *terms->entry_of[i]);
    terms->lower_entry_of = xcalloc(glossary->count, sizeof *terms->lower_entry_of);
    terms->entries = xcalloc(glossary->count, sizeof *terms->entries);
    set_touch(terms);
    terms->mixes = pair->tokenizer[TARGET].kind == TOKENIZE_SCRIPT && is_unspaced(&pair->tokenizer[TARGET]);
    for (size_t i = 0; i < glossary->count; i++) {
        add_source(terms, i);
        add_target(terms, i);
    }
}

void terms_release(struct terms *terms)
{
    for (size_t i = 0; i < terms->count; i++) {
        xfree(terms->entries[i].target);
        for (int f = 0; f < 2 * TERM_FORMS; f++)
            ids_release(&terms->entries[i].forms[f / TERM_FORMS][f % TERM_FORMS]);
    }
    for (int i = 0; i < 2; i++)
        xfree(terms->entry_of[i]);
    xfree(terms->lower_entry_of);
    xfree(terms->entries);
    xfree(terms->touch);
    strmap_release(&terms->whole);
    strmap_release(&terms->wildcard);
    strmap_release(&terms->lower);
    memset(terms, 0, sizeof *terms);
}

void terms_warn(const struct terms *terms)
{
    struct strbuf named;
    size_t count = 0;
    if (!terms->unknown)
        return;
    strbuf_init(&named);
    for (size_t i = terms->first_unknown; i < terms->count && count < MOST_NAMED; i++)
        if (!is_known(terms->entries[i].forms[0]))
            strbuf_addf(&named, "%s'%s'", count++ ? ", " : "", terms->glossary->entries[i].target);
    if (terms->unknown > count)
        strbuf_addf(&named, " and %zu more", terms->unknown - count);
    log_warn("'%s': %zu term%s cannot be written by the model: %s", file_shown_name(terms->glossary->path),
             terms->unknown, plural((double)terms->unknown), named.text);
    strbuf_release(&named);
}

/* Adds the forms of an entry that are known; returns their number. */
static size_t add_forms(struct sentence *forms, const struct term_entry *entry, bool capital)
{
    size_t count = 0;
    for (int f = 0; f < (1 + capital) * TERM_FORMS; f++) {
        const struct ids *ids = &entry->forms[f / TERM_FORMS][f % TERM_FORMS];
        if (ids->count)
            forms[count++] = (struct sentence){ids->items, ids->count};
    }
    return count;
}

bool terms_are_known(const struct terms *terms, const struct term_match *matches, size_t count)
{
    bool known = false;
    for (size_t i = 0; i < count && !known; i++)
        known = is_known(terms->entries[matches[i].entry].forms[0]);
    return known;
}

void terms_constrain(struct constraints *constraints, const struct terms *terms,
                     const struct term_match *matches, size_t count, struct arena *arena)
{
    struct phrase *phrases = ARENA_NEW(arena, count, struct phrase);
    struct sentence *forms = ARENA_NEW(arena, 2 * TERM_FORMS * count, struct sentence);
    size_t used = 0;
    for (size_t i = 0; i < count; i++) {
        const struct term_entry *entry = &terms->entries[matches[i].entry];
        struct sentence *form = &forms[2 * TERM_FORMS * i];
        if (is_known(entry->forms[0]))
            phrases[used++] = (struct phrase){form, add_forms(form, entry, matches[i].capital), entry->word,
                                              matches[i].part};
    }
    constraints_init(constraints, phrases, used, terms->touch, arena);
}
