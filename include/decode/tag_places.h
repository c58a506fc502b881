/* tag_places: where the tags of a sentence stand in its translation.
 *
 * As in Bergamot's translator, tags follow the attention: a pair is put around those words in a row whose
 * attention falls on its source words most: of all runs of words, the one with the largest sum of (attention
 * - 1/2), or if that is of signs or nothing, the word that looks most at them; with what is kept in it, or
 * around that alone where it is far. A single tag stands before the word that looks most at the word behind
 * it, or, if it touches the word before it, behind the one that looks most at that. Tags are nested as they
 * were. Without attention, words are taken to stand where they stood, in proportion. */
#ifndef NMT_TAG_PLACES_H
#define NMT_TAG_PLACES_H

#include "inline_tag.h"
#include "tokenizer.h"
#include "translate.h"

/* places [count]: in t->text, of the tags of `source`, which t is the translation of, with tokenizers
 * [SIDES]. Whole words, or the same part of a word that both have; a pair lies within the one around it, and
 * beside others in that, so that their texts are disjoint. A translation through a third language is placed
 * in two steps: the tags with the places of the first are those of the second. */
void tags_place(struct span *places, const struct inline_tag *tags, size_t count, const char *source,
                const struct translation *t, const struct tokenizer *tokenizers);

#endif
