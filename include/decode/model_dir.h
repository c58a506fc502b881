/* model_dir: a trained model, and the choice of one. It is a directory or a packed file (model_files.h):
 *
 *   config.json         all keys, resolved; of a packed file, those that translation needs
 *   model.safetensors   the best weights so far
 *   and the files of its language pair (language_pair.h) */
#ifndef NMT_MODEL_DIR_H
#define NMT_MODEL_DIR_H

#include "config.h"
#include "language_pair.h"
#include "model_file.h"
#include "precision.h"
#include "seq2seq.h"
#include "shortlist.h"
#include "weights.h"

#define MODEL_CONFIG "config.json"

/* The folder of a distillation (distill.h) in the directory of its student, and how far it is. */
#define DISTILL_FOLDER "distill"
#define DISTILL_STATE "state"
#define DISTILL_GOES_ON "a distillation has begun there, with which nmt distill --resume goes on"

/* The model to use: `given`, else $NMT_MODEL unless it is empty, else the one trained last under ./models,
 * else the only one there. The caller frees the path. */
char *model_dir_choose(const char *given, struct err *err);
/* To an error with that model, adds that $NMT_MODEL names it, if it does; -1. */
int model_dir_name_variable(const char *given, struct err *err);
/* Opens a model's files as model_files_open does. In a directory, the files that every model has must exist,
 * the weights only if `weights`; the error says so where a distillation has yet to make them. */
int model_dir_open(struct model_files *files, const char *path, bool weights, struct err *err);
/* Loads its config over the defaults of config_init. That of a packed file must not name files. To be
 * released by the caller, also on failure. */
int model_dir_config(struct config *config, const struct model_files *files, struct err *err);
/* Makes the link `latest` beside the directory point to it; warns if that fails or the name is taken. */
void model_dir_mark_latest(const char *dir);

/* An open model. */
struct loaded_model {
    struct model_files files;
    struct config config;
    struct language_pair pair;
    struct seq2seq model;
    struct weights weights;
    struct shortlist shortlist; /* of the weights' file */
};

/* On failure there is nothing to close. */
int loaded_model_open(struct loaded_model *loaded, const char *path, struct err *err);
/* The same for the model chosen by model_dir_choose, which is reported on stderr. */
int loaded_model_choose(struct loaded_model *loaded, const char *given, struct err *err);
void loaded_model_close(struct loaded_model *loaded);
/* The precision of the weights in the file. */
enum precision loaded_model_precision(const struct loaded_model *loaded);

#endif
