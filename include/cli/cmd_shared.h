/* cmd_shared: what several commands do alike. */
#ifndef NMT_CMD_SHARED_H
#define NMT_CMD_SHARED_H

#include "translate.h"

/* Chooses the model directory (see model_dir.h), opens it and says on stderr which one it is. */
int open_model(struct loaded_model *loaded, const char *given, struct err *err);
/* Worker threads for an option where 0 means one per core. */
int thread_count(int option);

#endif
