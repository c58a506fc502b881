/* model_files: the files of a model by name: those of a directory, or those that one packed file holds.
 *
 * A packed file is a safetensors file. Its tensors are those of "model.safetensors", and each other file of
 * the model is a metadata string under its own name, such as "config.json". A path is taken for what it is,
 * whatever its name ends with. */
#ifndef NMT_MODEL_FILES_H
#define NMT_MODEL_FILES_H

#include "fileio.h"
#include "safetensors.h"

#define MODEL_WEIGHTS "model.safetensors"

/* Metadata that marks a packed file; its value is increased when older programs can no longer read it. */
#define PACKED_KEY "nmt_packed"
#define PACKED_FORMAT "1"

struct model_files {
    char *path; /* of the directory or the packed file */
    bool packed;
    struct safetensors weights; /* of a directory, empty before model_files_weights */
};

/* Reads a packed file and checks it. A directory is not looked into; it need not exist. */
int model_files_open(struct model_files *files, const char *path, struct err *err);
void model_files_close(struct model_files *files);
/* "DIR/name" or "FILE:name", for messages. The caller frees. */
char *model_files_name(const struct model_files *files, const char *name);
bool model_files_has(const struct model_files *files, const char *name);
/* As file_slurp and file_each_own_line; in a directory, the file must be a regular one. */
int model_files_slurp(struct strbuf *text, const struct model_files *files, const char *name,
                      struct err *err);
int model_files_each_line(const struct model_files *files, const char *name, line_taker *take, void *context,
                          struct err *err);
/* Receives the name and text of a file; a result other than 0 is an error, and ends the passing. */
typedef int text_taker(void *context, const char *name, const struct strbuf *text, struct err *err);
/* One that writes a file into a directory: `context` points to its path. */
text_taker model_files_write;
/* The weights, which are read at the first call; they belong to `files`. */
const struct safetensors *model_files_weights(struct model_files *files, struct err *err);

#endif
