/* Recognises the language of a text by the profiles of the models' training texts. */
#include "detect.h"

#include "log.h"
#include "mem.h"
#include "utf8.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

void detect_find_profile(struct served_language *language, const struct model_set *set)
{
    const struct language_profile **profiles = xcalloc(SIDES * set->count, sizeof *profiles);
    size_t count = 0;
    for (size_t i = 0; i < set->count; i++) {
        const struct served_model *model = &set->models[i];
        if (!strcasecmp(model->source, language->code))
            profiles[count++] = &model->loaded.pair.profile[SOURCE];
        if (!strcasecmp(model->target, language->code))
            profiles[count++] = &model->loaded.pair.profile[TARGET];
    }
    language_profile_init(&language->profile);
    language_profile_merge(&language->profile, profiles, count);
    xfree(profiles);
    if (!language->profile.ngrams.count)
        log_warn("languages cannot be recognised: the models of '%s' have no file of its n-grams",
                 language->code);
}

/* A text is not to be taken for the wrong language because the right one has no profile. */
static bool can_recognise(const struct model_set *set)
{
    for (size_t i = 0; i < set->language_count; i++)
        if (!set->languages[i].profile.ngrams.count)
            return false;
    return true;
}

static int by_confidence(const void *a, const void *b)
{
    const struct language_guess *x = a, *y = b;
    return x->confidence != y->confidence ? (x->confidence < y->confidence) - (x->confidence > y->confidence)
                                          : strcmp(x->code, y->code);
}

size_t model_set_detect(struct language_guess *guesses, const struct model_set *set, const char *text,
                        size_t bytes)
{
    const size_t count = set->language_count;
    if (!can_recognise(set) || !utf8_has_letter(text, bytes))
        return 0;
    struct language_fit *fits = xcalloc(count, sizeof *fits);
    double *confidences = xcalloc(count, sizeof *confidences);
    for (size_t i = 0; i < count; i++)
        fits[i] = language_profile_fit(&set->languages[i].profile, text, bytes);
    language_confidences(confidences, fits, count);
    for (size_t i = 0; i < count; i++)
        guesses[i] = (struct language_guess){set->languages[i].code, confidences[i]};
    qsort(guesses, count, sizeof *guesses, by_confidence);
    xfree(confidences);
    xfree(fits);
    return count;
}
