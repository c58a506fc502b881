/* distill_configs: the configs of a distillation's trainings, made from the user's. */
#ifndef NMT_DISTILL_CONFIGS_H
#define NMT_DISTILL_CONFIGS_H

#include "config.h"
#include "distill.h"
#include "pair_reader.h"

/* Of pairs whose source is a back-translation (Caswell et al. 2019, arXiv:1906.06442). */
#define BACK_TAG "<back>"

/* The config of a teacher in the directory `teacher`: the user's with `seed + number`, for one from right to
 * left with text.reverse_target, and for a backward one with source and target swapped: of a corpus in a tsv,
 * a swapped copy is made in `dir`, unless it is there. The caller releases the config, also after a
 * failure. */
int distill_teacher_config(struct config *config, const struct config *user, enum teacher_kind kind,
                           int number, const char *dir, const char *teacher, struct err *err);
/* The config of a student in the directory `student`: the user's, with a seed for each student from 1 on, of
 * which the first has the user's; and with the synthetic corpora in `dir` beside the others, each with the
 * weight and the tag of the corpus that it is made from. Where text.merges is auto, it is that of the
 * training text without them, since translations bring no words, unless the student keeps the words of
 * training.init_from; `weighted`: the text's pairs, each times its weight. The caller releases the config,
 * also after a failure: -1 if that model cannot be read. */
int distill_student_config(struct config *config, const struct config *user, double weighted, int number,
                           const char *dir, const char *student, struct err *err);

/* What the trainings read. */
struct distill_text {
    int64_t pairs;        /* of all training corpora … */
    double weighted;      /* … times their weights */
    int64_t lines[SIDES]; /* of monolingual text */
    double bytes;         /* of both, line ends included … */
    double monolingual;   /* … and of monolingual text alone, with the translations that it will have */
    uint64_t checksum;    /* of all files, validation text and training.init_from included, in order */
};

/* Reads it once. -1 also if one of the files cannot be read several times, or is of no use. */
int distill_text_read(struct distill_text *text, const struct config *config, struct err *err);
/* 0 if the steps of a distillation that was begun with the config in the file `begun` are those of `config`:
 * all keys are the same but those without a part in what is trained, and the names of files. `what`: the
 * config's name in the message. */
int distill_check_config(const struct config *config, const char *begun, const char *what, struct err *err);

#endif
