/* ensemble: networks with the same vocabularies that translate together, usually one: their prepacked
 * weights, and the language pair of the first.
 *
 * An open ensemble never changes, nor does what it points to: any number of translators, each in its own
 * thread, may use it at the same time. */
#ifndef NMT_ENSEMBLE_H
#define NMT_ENSEMBLE_H

#include "model_dir.h"
#include "stepper.h"

#define MOST_MEMBERS 16

struct ensemble {
    const struct language_pair *pair;   /* of the first member */
    struct step_weights *members;       /* [count], at most MOST_MEMBERS */
    struct quantised_params *quantised; /* [count]: what of them is int8 */
    int count;
    const struct shortlist **shortlists; /* [count]; NULL: every word may translate every sentence */
    struct arena arena;                  /* for the prepacked weights */
};

/* A single model, even one in training, as float32. All arguments must outlive the ensemble. */
void ensemble_init(struct ensemble *ensemble, const struct language_pair *pair, const struct seq2seq *model,
                   const real *params);
/* A single model in the precision of its config, decoding.precision, and with its shortlist, if it has one
 * and decoding.shortlist. It must outlive the ensemble. */
void ensemble_init_loaded(struct ensemble *ensemble, const struct loaded_model *loaded);
/* `loaded` [count]: models with the same vocabularies, which must outlive the ensemble. The first one's
 * config says what is used; of shortlists, all or none. On failure there is nothing to release. */
int ensemble_open(struct ensemble *ensemble, const struct loaded_model *loaded, int count, struct err *err);
/* Frees the weights that have been prepacked. `loaded`, in the order of ensemble_open, can only translate
 * from now on: weights.values must not be used. */
void ensemble_drop_weights(const struct ensemble *ensemble, struct loaded_model *loaded);
void ensemble_release(struct ensemble *ensemble);

#endif
