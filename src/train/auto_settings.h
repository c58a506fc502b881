/* auto_settings: settles the keys of a training that are auto (config_auto.h), on all ranks alike. */
#ifndef NMT_AUTO_SETTINGS_H
#define NMT_AUTO_SETTINGS_H

#include "trainer_setup.h"

/* Before the text is read: text.protect (config_settle_protect); if training.init_from is given, the network
 * of that model, which has to fit, and its subwords and vocabularies, if text.merges is auto and text is
 * split as there. */
int auto_settings_inherit(struct config *config, enum pair_origin *origin, struct err *err);
/* When the text is known: all that is left. Says what has been chosen, and keeps it for the log. */
int auto_settings_settle(struct trainer *t, struct err *err);

#endif
