/* model: models that are open, and who still uses them. */
#ifndef NMT_API_MODEL_H
#define NMT_API_MODEL_H

#include "translate_options.h"

struct nmt_model;

/* The same model for one more user, who lets go of it with nmt_close. */
struct nmt_model *model_share(struct nmt_model *model);
const struct ensemble *model_ensemble(const struct nmt_model *model);
/* Of the first member. */
const struct config *model_config(const struct nmt_model *model);
/* -1 if the options need what one of the members does not have. */
int model_check_options(const struct nmt_model *model, const struct translate_options *options,
                        struct err *err);

#endif
