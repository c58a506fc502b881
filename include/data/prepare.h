/* prepare: converts a config's training corpora to ids on the disk. */
#ifndef NMT_PREPARE_H
#define NMT_PREPARE_H

#include "corpus_file.h"
#include "language_pair.h"

#define PREPARE_FOLDER "prepared"

/* Where the pair's subwords and vocabularies come from. */
enum pair_origin {
    PAIR_LEARNED,   /* from the text, now or by an earlier run */
    PAIR_INHERITED, /* from the model of training.init_from; words of the text count as seen, too */
    PAIR_LOADED     /* the pair has them already */
};

/* Opens the training text as ids, from an earlier run if no file and no setting has changed since, else
 * made now in a directory of the model. Keys that are auto get their values for such a text before subwords
 * are learned (config_auto_choose; file->end.facts is what they depend on). Memory use does not depend on the
 * size of the text. Warns where inherited words cannot write the text that is made now. */
int prepare_training(struct corpus_file *file, struct language_pair *pair, struct config *config,
                     enum pair_origin origin, struct err *err);

/* Takes a message about training corpus `corpus`. */
typedef void unknown_taker(void *context, int corpus, const char *message);
/* Reads the training text as with PAIR_INHERITED, writing temporary files into `dir` only, and tells of each
 * corpus and side with more than a few tokens that are unknown to the inherited words. */
int prepare_find_unknown(const struct config *config, const char *dir, unknown_taker *take, void *context,
                         struct err *err);

/* Are the corpora unchanged, so that the file could be made again? */
bool prepare_can_repeat(const struct corpus_file *file, const struct config *config);
/* Removes the prepared text of a model directory. */
void prepare_remove(const char *model_dir);
/* Logs what was read, and what was left out. */
void prepare_report(const struct corpus_totals *totals, const struct config *config);

#endif
