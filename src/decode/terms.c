/* Prepares a glossary's terms for a language pair, and makes phrases of their translations. Where a text has
 * terms is up to find_terms.c, how a search puts them in to constraints.c. */
#include "terms.h"

#include "fileio.h"
#include "log.h"
#include "mem.h"
#include "plural.h"

#include <string.h>

/* Appends text as its tokenizer leaves it, and the ids of its tokens. */
static void normalize(struct strbuf *out, struct ids *ids, const struct tokenizer *tokenizer,
                      const char *text, size_t bytes)
{
    struct tokenizer plain = *tokenizer;
    struct strbuf subwords;
    plain.tag = NULL;
    plain.protect.kinds = 0;
    strbuf_init(&subwords);
    tokenizer_split(&subwords, &plain, text, bytes);
    tokenizer_ids(ids, &plain, subwords.text, subwords.length);
    tokenizer_text(out, &plain, subwords.text, subwords.length);
    strbuf_release(&subwords);
}

static void add_source(struct terms *terms, size_t index)
{
    const char *source = terms->glossary->entries[index].source;
    size_t bytes = strlen(source);
    const bool begun = source[bytes - 1] == '*';
    struct strmap *map = begun ? &terms->begun : &terms->whole;
    struct strbuf text;
    struct ids ids = {.count = 0};
    strbuf_init(&text);
    normalize(&text, &ids, &terms->pair->tokenizer[SOURCE], source, bytes - begun);
    const size_t known = map->count, units = terms_units(text.text, text.length);
    if ((size_t)strmap_intern(map, text.text, text.length) == known)
        terms->entry_of[begun][known] = index;
    terms->most_units = units > terms->most_units ? units : terms->most_units;
    ids_release(&ids);
    strbuf_release(&text);
}

static bool has_unknown(const struct ids *ids)
{
    for (size_t i = 0; i < ids->count; i++)
        if (ids->items[i] == VOCAB_UNKNOWN)
            return true;
    return false;
}

static void add_target(struct terms *terms, size_t index)
{
    const struct tokenizer *tokenizer = &terms->pair->tokenizer[TARGET];
    const char *target = terms->glossary->entries[index].target;
    struct term_entry *entry = &terms->entries[index];
    struct strbuf text, capital, ignored;
    strbuf_init(&text);
    strbuf_init(&capital);
    strbuf_init(&ignored);
    normalize(&text, &entry->ids, tokenizer, target, strlen(target));
    utf8_capitalize(&capital, text.text, text.length);
    normalize(&ignored, &entry->capital_ids, tokenizer, capital.text, capital.length);
    if (has_unknown(&entry->capital_ids))
        entry->capital_ids.count = 0;
    if (has_unknown(&entry->ids)) {
        entry->ids.count = 0;
        terms->first_unknown = terms->unknown++ ? terms->first_unknown : index;
    }
    entry->target = strbuf_detach(&text);
    strbuf_release(&capital);
    strbuf_release(&ignored);
}

static void set_goes_on(struct terms *terms)
{
    const struct tokenizer *tokenizer = &terms->pair->tokenizer[TARGET];
    if (!tokenizer->bpe)
        return;
    terms->goes_on = xcalloc((size_t)vocab_size(tokenizer->vocab), sizeof *terms->goes_on);
    for (int id = 0; id < vocab_size(tokenizer->vocab); id++)
        terms->goes_on[id] =
            bpe_goes_on(vocab_word(tokenizer->vocab, id), strmap_length(&tokenizer->vocab->words, id));
}

void terms_init(struct terms *terms, const struct glossary *glossary, const struct language_pair *pair)
{
    memset(terms, 0, sizeof *terms);
    terms->glossary = glossary;
    terms->pair = pair;
    terms->count = glossary->count;
    strmap_init(&terms->whole);
    strmap_init(&terms->begun);
    for (int i = 0; i < 2; i++)
        terms->entry_of[i] = xcalloc(glossary->count, sizeof *terms->entry_of[i]);
    terms->entries = xcalloc(glossary->count, sizeof *terms->entries);
    set_goes_on(terms);
    for (size_t i = 0; i < glossary->count; i++) {
        add_source(terms, i);
        add_target(terms, i);
    }
}

void terms_release(struct terms *terms)
{
    for (size_t i = 0; i < terms->count; i++) {
        xfree(terms->entries[i].target);
        ids_release(&terms->entries[i].ids);
        ids_release(&terms->entries[i].capital_ids);
    }
    for (int i = 0; i < 2; i++)
        xfree(terms->entry_of[i]);
    xfree(terms->entries);
    xfree(terms->goes_on);
    strmap_release(&terms->whole);
    strmap_release(&terms->begun);
    memset(terms, 0, sizeof *terms);
}

void terms_warn(const struct terms *terms)
{
    if (terms->unknown)
        log_warn("'%s': %zu term%s cannot be written by the model, such as '%s'",
                 file_shown_name(terms->glossary->path), terms->unknown, plural((double)terms->unknown),
                 terms->glossary->entries[terms->first_unknown].target);
}

void terms_constrain(struct constraints *constraints, const struct terms *terms,
                     const struct term_match *matches, size_t count, struct arena *arena)
{
    struct phrase *phrases = ARENA_NEW(arena, count, struct phrase);
    struct sentence *forms = ARENA_NEW(arena, 2 * count, struct sentence);
    size_t used = 0;
    for (size_t i = 0; i < count; i++) {
        const struct term_entry *entry = &terms->entries[matches[i].entry];
        struct sentence *form = &forms[2 * i];
        if (!entry->ids.count)
            continue;
        form[0] = (struct sentence){entry->ids.items, entry->ids.count};
        form[1] = (struct sentence){entry->capital_ids.items, entry->capital_ids.count};
        phrases[used++] =
            (struct phrase){form, matches[i].capital && form[1].length ? 2 : 1, matches[i].part};
    }
    constraints_init(constraints, phrases, used, terms->goes_on, arena);
}
