/* config_auto: the values of keys that are auto, by the size of the training text.
 *
 * Keys whose default is auto (config_keys.c) stay so unless the user gives them a value. What they become is
 * one table, in config_auto.c. config_auto_choose fills in the values, config_auto_settle makes them final.
 * Before, and in configs that train nothing, they are those for text of TYPICAL_PAIRS. */
#ifndef NMT_CONFIG_AUTO_H
#define NMT_CONFIG_AUTO_H

#include "config.h"

#define TYPICAL_PAIRS 30000

/* What the values depend on. */
struct text_facts {
    double pairs;          /* of all training corpora, each times its weight: those of an epoch */
    double shared_letters; /* part of the letters of the target text that are the source's, too: 0 to 1 */
};

/* Is the key auto, and its value not settled? */
bool config_is_auto(const struct config *config, const char *path);
/* Gives each key that is auto its value for such a text; the keys stay auto. */
void config_auto_choose(struct config *config, const struct text_facts *facts);
/* What training.max_epochs becomes, where it is auto and no other limit is given. */
int config_auto_epochs(double pairs);
/* Sets model.decoder.units, as far as auto, and model.embedding, model.encoder.units and
 * model.attention.units, as far as auto, to half of it. */
void config_auto_set_width(struct config *config, int decoder_units);
/* Sets training.precision, if it is auto. */
void config_auto_set_precision(struct config *config, enum training_precision precision);
/* Fits dropout, as far as auto, to the units of the decoder and to a training of at most so many epochs
 * (INFINITY: training.max_epochs alone is a limit): fewer than suit so many pairs mean less of it.
 * The epochs of a training that begins with a model are not all that this model has had, and do not count. */
void config_auto_set_dropout(struct config *config, double pairs, double epochs);
/* Sets training.warmup, if it is auto, for a training that is expected to make so many updates. */
void config_auto_set_warmup(struct config *config, double pairs, double updates);
/* Settles the keys that are auto with the values that another config has: of all keys, or of those alone that
 * decide the network's tensors, or how text is split. */
enum config_auto_keys { AUTO_ALL, AUTO_NETWORK, AUTO_TEXT };
void config_auto_take(struct config *config, const struct config *from, enum config_auto_keys keys);
/* Ends auto: all values are settled. Appends what has been chosen to `chosen`, a line for each key, such as
 * "text.merges 4000\n"; NULL: nobody asks. */
void config_auto_settle(struct config *config, struct strbuf *chosen);
/* Prints the table, as Markdown or as plain text. */
void config_auto_print(struct strbuf *out, bool markdown);

#endif
