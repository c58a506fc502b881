/* pack: writes a model as one packed file (model_files.h), and a packed file as a directory.
 *
 * The metadata of a packed file, in this order; all but the first two only if they have a value:
 *
 *   nmt_format, nmt_packed           versions
 *   name, author, license            given by the user
 *   update, averaged_checkpoints     which update the weights are of, or the mean of how many checkpoints
 *   config.json                      the keys that translation needs; no path
 *   *.bpe, *.vocab and others        the files of the language pair (language_pair.h)
 *   log.jsonl                        the validation of these weights
 *   checksum, header_checksum        (safetensors.h)
 *
 * Behind the parameters come the tensors of the model's shortlist, if it has one. */
#ifndef NMT_PACK_H
#define NMT_PACK_H

#include "model_dir.h"

struct pack_options {
    enum precision precision;
    const char *name, *author, *license; /* NULL: those of the model, if any */
};

/* Writes the model to the user's output, which may be a device or a pipe. */
int pack_write(const struct loaded_model *loaded, const struct pack_options *options, const char *output,
               struct err *err);
/* Sets the size of that file in bytes. */
int pack_size(size_t *bytes, const struct loaded_model *loaded, const struct pack_options *options,
              struct err *err);
/* Makes a directory of a packed model, with weights as float32. None of its files may exist yet, but for
 * texts that are the same; if writing fails, all of its texts are removed, those as well. */
int pack_unpack(const struct loaded_model *loaded, const char *dir, struct err *err);

#endif
