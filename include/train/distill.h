/* distill: all of `nmt distill`: trains on translations of the text by other models, too.
 *
 * Teachers are trained on the training text: forward ones, others that translate the source, too, but from
 * right to left, and backward ones. Their translations of it become further training text: pairs (x, y') of
 * those that translate the source x, and (x', y) of backward teachers, which translate the target y (data
 * diversification: Nguyen et al. 2020, arXiv:1911.01986; sequence-level knowledge distillation: Kim and Rush
 * 2016, arXiv:1606.07947). An ordinary training on all of it makes the student, the model in the model
 * directory.
 *
 * With several forward teachers and no backward ones, the ensemble of the forward ones translates in their
 * place. Text in one language is translated, too: that in the source language by the forward teachers
 * together, and that in the target language back (Sennrich et al. 2016, arXiv:1511.06709), which gives tagged
 * pairs (Caswell et al. 2019, arXiv:1906.06442). Teachers search, or with decoding.sample draw one
 * translation each (Edunov et al. 2018, arXiv:1808.09381).
 *
 * All this is a list of steps. What is done, and how far a translation is, stands in the file `state` of the
 * folder `distill` in the model directory, beside the teachers, their translations and the synthetic pairs:
 * after whatever end of the process, the steps go on where they were. */
#ifndef NMT_DISTILL_H
#define NMT_DISTILL_H

#include "model_dir.h"
#include "pair_reader.h"
#include "trainer.h"

#define DISTILL_NOT_GIVEN (-1)
#define DISTILL_MOST_MODELS 16 /* of a kind: an ensemble has no more */
#define DISTILL_MOST_STUDENTS 16

enum teacher_kind { TEACHER_FORWARD, TEACHER_RIGHT_TO_LEFT, TEACHER_BACKWARD, TEACHER_KINDS };

/* DISTILL_NOT_GIVEN: as begun, else the default. */
struct distill_options {
    /* By default one of each, but none from right to left where the teachers' config has text.reverse_target,
     * training.init_from or model.attention.scope local_m, which fit one order of words. */
    int teachers[TEACHER_KINDS];
    int students;   /* with other seeds, of which the best by validation becomes the model; by default one */
    double minutes; /* limit of the whole; 0, the default: none */
};

/* Callbacks during a distillation; none may be NULL. */
struct distill_watch {
    void (*catches_signals)(void); /* from here on a signal sets *signal_number, and the step stops … */
    void (*lets_signals)(void);    /* … and from here on it may end the program */
    void (*validated)(const struct config *config); /* of the student, as in struct trainer_watch */
    const volatile sig_atomic_t *signal_number;
};

enum distill_progress { DISTILL_NONE, DISTILL_BEGUN, DISTILL_FINISHED };

/* How far the distillation in a model directory is. -1 if its state cannot be read. */
int distill_progress(const char *model_dir, struct err *err);

/* The path of the config with which the distillation in a model directory was begun, which the caller frees;
 * NULL if there is none. */
char *distill_begun_config(const char *model_dir);

/* Text in one language, in the order of SOURCE and TARGET, as a corpus that has the same file on both
 * sides; its tag is that of the student's corpus. False if the config has none. */
bool distill_monolingual(struct config_pairs *corpus, const struct config *config, enum side side);

/* The student's config, and the teachers', which differs from it in `model` at most. */
struct distill_configs {
    const struct config *student, *teacher;
};

/* Makes all steps that are not done, until *signal_number is not 0. -1 and err on failure. TRAIN_NEW and
 * TRAIN_RESTART begin with the first; TRAIN_RESUME refuses configs, options or text with which the steps
 * that are done would be others. */
int distill_run(const struct distill_configs *configs, const struct distill_options *options,
                enum train_start start, const char *version, const struct distill_watch *watch,
                struct err *err);

/* Removes all but the student of a distillation that is finished. The student's config then names the text
 * that was distilled, and nothing of what is removed, which its log notes. *bytes becomes what that took of
 * the disk. */
int distill_clear_up(const char *model_dir, double *bytes, struct err *err);
/* Has the directory a student of which that is done? */
bool distill_is_cleared_up(const char *model_dir);

#endif
