/* prepare: from a config's training corpora to ids on the disk. */
#ifndef NMT_PREPARE_H
#define NMT_PREPARE_H

#include "corpus_file.h"
#include "language_pair.h"

#define PREPARE_FOLDER "prepared"

/* Opens the training text as ids: made now, in a folder of the model directory, or by an earlier run, if no
 * file and no setting has changed since. With `learn`, subwords and vocabularies of the pair come from the
 * text as well. Memory does not grow with the text. */
int prepare_training(struct corpus_file *file, struct language_pair *pair, const struct config *config,
                     bool learn, struct err *err);
/* Can it be made again? The text is still what the file was made from. */
bool prepare_can_repeat(const struct corpus_file *file, const struct config *config);
/* Removes what was prepared in a model directory. */
void prepare_remove(const char *model_dir);
/* Says what was read, and what was left out. */
void prepare_report(const struct corpus_totals *totals, const struct config *config);

#endif
