/* detect: the profiles by which the languages of a set of models are recognised. */
#ifndef NMT_DETECT_H
#define NMT_DETECT_H

#include "model_set.h"

/* Sums the profiles that the models have of a language; a warning says if they have none. */
void detect_find_profile(struct served_language *language, const struct model_set *set);

#endif
