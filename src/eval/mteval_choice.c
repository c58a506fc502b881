/* Chooses a tokenizer of BLEU by counting letters of each script. The tokenizers are in mteval.c. */
#include "mteval_choice.h"

#include "utf8.h"

/* Japanese has a kana for every letter or two of Han; Chinese quotes one now and then. */
#define LEAST_HAN_PER_KANA 20

/* Letters of a text by script. */
struct script_counts {
    long spaced, unspaced; /* of scripts with and without blanks between words */
    long han, kana;        /* among the latter */
};

static void count_letters(struct script_counts *counts, const char *text, size_t bytes)
{
    for (size_t at = 0; at < bytes;) {
        int32_t code;
        at += utf8_decode(text + at, bytes - at, &code);
        const enum utf8_script script = utf8_script_of(code);
        if (script == UTF8_SPACED)
            counts->spaced += utf8_category(code) == 'L';
        else
            counts->unspaced += utf8_unspaced(code);
        counts->han += script == UTF8_HAN;
        counts->kana += script == UTF8_HIRAGANA || script == UTF8_KATAKANA;
    }
}

static enum mteval_kind choose(const struct script_counts *counts)
{
    if (!counts->unspaced || counts->unspaced < counts->spaced)
        return MTEVAL_13A;
    const bool chinese =
        4 * counts->han > counts->unspaced && counts->han > LEAST_HAN_PER_KANA * counts->kana;
    return chinese ? MTEVAL_ZH : MTEVAL_CHAR;
}

enum mteval_kind mteval_choose_for(char *const *text, const size_t *bytes, size_t count)
{
    struct script_counts counts = {0};
    for (size_t i = 0; i < count; i++)
        count_letters(&counts, text[i], bytes[i]);
    return choose(&counts);
}

const char *mteval_choice_reason(enum mteval_kind choice)
{
    return choice == MTEVAL_ZH ? "Chinese" : "in a script without blanks between words";
}
