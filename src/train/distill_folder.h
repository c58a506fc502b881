/* distill_folder: the folder of a distillation in the model directory. */
#ifndef NMT_DISTILL_FOLDER_H
#define NMT_DISTILL_FOLDER_H

#include "distill.h"

/* With what the distillation was begun. */
#define DISTILL_CONFIG "config.json"
#define DISTILL_TEACHER "teacher.json"

/* Its path, which the caller frees. */
char *distill_folder_of(const char *model_dir);
/* Removes all but the student. *bytes (may be NULL) becomes what it took of the disk. */
int distill_remove(const char *model_dir, double *bytes, struct err *err);
/* -1 if it holds what no distillation has put there: it is not taken, and so not removed in the end. */
int distill_folder_check(const char *dir, struct err *err);

#endif
