/* file_uses: the files that a command reads and writes, so that it does not overwrite its own inputs. */
#ifndef NMT_FILE_USES_H
#define NMT_FILE_USES_H

#include "models.h"
#include "pair_reader.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

struct file_use {
    char *path; /* "-": standard input or output */
    char *as;   /* the option or key that names it; NULL: standard output by default */
    bool output, exists;
    struct stat info; /* if it exists */
};

struct file_uses {
    struct file_use *items;
    size_t count, capacity;
};

/* Add a file; `path` NULL: none. */
void file_uses_input(struct file_uses *uses, const char *path, const char *as);
void file_uses_output(struct file_uses *uses, const char *path, const char *as);
/* Add a command's standard output, source and target files, a corpus of a config ("data.test") or its train,
 * valid and test sets, the files of a model or of several, or those that a training writes. */
void file_uses_standard_output(struct file_uses *uses);
void file_uses_pair(struct file_uses *uses, const struct pair_files *files);
void file_uses_corpus(struct file_uses *uses, const struct config_pairs *pairs, const char *key);
void file_uses_corpora(struct file_uses *uses, const struct config *config);
void file_uses_model(struct file_uses *uses, const struct model_files *files);
void file_uses_models(struct file_uses *uses, const struct models *models);
void file_uses_trained_model(struct file_uses *uses, const char *model_dir);
/* EXIT_WRONG_USE, with a message on standard error, if an output is also an input, two outputs are the same
 * regular file, or two inputs the same pipe; else EXIT_DONE. Releases the list. */
int file_uses_check(struct file_uses *uses);

#endif
