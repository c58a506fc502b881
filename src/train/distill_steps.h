/* distill_steps: the list of steps that a distillation makes, one after the other. */
#ifndef NMT_DISTILL_STEPS_H
#define NMT_DISTILL_STEPS_H

#include "distill_configs.h"
#include "distill_state.h"

enum distill_step_kind {
    STEP_TEACHER,
    STEP_TRANSLATION, /* by a teacher or by an ensemble */
    STEP_PAIRS,       /* synthetic pairs of all translations */
    STEP_STUDENT,
    STEP_CHOICE, /* of several students */
};

struct distill_step {
    enum distill_step_kind kind;
    enum teacher_kind teacher; /* of a teacher, or of the one that translates */
    bool monolingual;          /* of translations: of monolingual text, else of the training text */
    int number;                /* of teacher or student, from 1; 0: all forward teachers, the only student */
    int models;                /* that translate; else 0 */
    double work;               /* of translations: 1 is one model's of the training text */
    char name[STEP_NAME_BYTES], title[64]; /* in the state, and for the user */
};

#define DISTILL_MOST_STEPS (7 * DISTILL_MOST_MODELS + DISTILL_MOST_STUDENTS + 3)

struct distill_steps {
    struct distill_step items[DISTILL_MOST_STEPS];
    int count;
};

/* Lists the steps: a teacher's translations follow its training. Where there are several forward teachers and
 * no backward ones, the translations of their ensemble (Freitag et al. 2017, arXiv:1702.01802) take the place
 * of theirs and follow the last one. Of monolingual text, the forward teachers translate the source together,
 * and each backward one its part of the target. */
void distill_steps_list(struct distill_steps *steps, const struct distill_options *options,
                        const struct distill_text *text);

/* Paths in the folder of a distillation, which the caller frees: the model directory of a teacher or of one
 * of several students, or of a translation's teacher, `model` from 0 on; the file of translations. */
char *distill_step_model(const struct distill_step *step, const char *dir, int model);
char *distill_step_output(const struct distill_step *step, const char *dir);

#endif
