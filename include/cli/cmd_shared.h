/* cmd_shared: what several commands do alike. */
#ifndef NMT_CMD_SHARED_H
#define NMT_CMD_SHARED_H

#include "fileio.h"
#include "parseopt.h"
#include "ranks.h"
#include "translate.h"

/* One model or, given several directories, an ensemble; the caller closes them. */
struct models {
    struct loaded_model *loaded; /* [count] */
    int count;
};

/* `settings` override keys of `decoding` in the config of the first one. */
int open_models(struct models *models, const struct string_list *given, const struct string_list *settings,
                struct err *err);
void close_models(struct models *models);
/* On failure there is nothing to release. */
int open_translator(struct translator *translator, const struct loaded_model *members, int count,
                    const struct translate_options *options, struct err *err);
/* Says of how many lines the translation ends where the models' numbers are no longer finite. */
void warn_overflowed(const struct translator *translator, const struct ranks *ranks);
/* Says how many lines a reader has cut, if any. */
void warn_cut(const struct reader *reader);
/* Worker threads for an option where 0 means one per core. */
int thread_count(int option);

#endif
