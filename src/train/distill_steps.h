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

#define DISTILL_MOST_STEPS (7 * DISTILL_MOST_MODELS + DISTILL_MOST_STUDENTS + 4)

struct distill_steps {
    struct distill_step items[DISTILL_MOST_STEPS];
    int count;
};

/* Which translations forward teachers make. */
enum distill_sets { SETS_EACH = 1, SETS_ENSEMBLE = 2, SETS_BOTH = SETS_EACH | SETS_ENSEMBLE };

/* Each forward teacher's; where there are several and no backward ones, those of their ensemble alone
 * (Freitag et al. 2017, arXiv:1702.01802). */
enum distill_sets distill_sets_of(const struct distill_options *options);

/* Lists the steps: a teacher's translations follow its training, those of the ensemble the last forward one.
 * Of monolingual text, the forward teachers translate the source together, and each backward one its part of
 * the target. */
void distill_steps_list(struct distill_steps *steps, const struct distill_options *options,
                        enum distill_sets sets, const struct distill_text *text);

/* Paths in the folder of a distillation, which the caller frees: the model directory of a teacher or of one
 * of several students, or of a translation's teacher, `model` from 0 on; the file of translations. */
char *distill_step_model(const struct distill_step *step, const char *dir, int model);
char *distill_step_output(const struct distill_step *step, const char *dir);

#endif
