/* Recognises the language of a text by the profiles of the models' training texts. */
#include "detect.h"

#include "log.h"
#include "mem.h"

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
        log_warn("the language '%s' will not be recognised: its models have no file of its n-grams",
                 language->code);
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
    struct language_fit *fits = xcalloc(set->language_count, sizeof *fits);
    double *confidences = xcalloc(set->language_count, sizeof *confidences);
    size_t count = 0;
    for (size_t i = 0; i < set->language_count; i++) {
        const struct served_language *language = &set->languages[i];
        if (!language->profile.ngrams.count)
            continue;
        fits[count] = language_profile_fit(&language->profile, text, bytes);
        guesses[count++].code = language->code;
    }
    if (count && !fits[0].letters)
        count = 0;
    language_confidences(confidences, fits, count);
    for (size_t i = 0; i < count; i++)
        guesses[i].confidence = confidences[i];
    qsort(guesses, count, sizeof *guesses, by_confidence);
    xfree(confidences);
    xfree(fits);
    return count;
}
