/* distill_plan: what a distillation takes of time and disk. */
#ifndef NMT_DISTILL_PLAN_H
#define NMT_DISTILL_PLAN_H

#include "config.h"
#include "distill_configs.h"
#include "distill_steps.h"

/* The limit, in minutes, of the training that is step `index`, if the whole has one: half of the whole is
 * the students', the rest the teachers' and their translations', by the time that earlier translations
 * took. What a step leaves over goes to those after it; what it took beyond its limit, for its preparation
 * and its last validation, is expected of the next ones, unless it had none or was interrupted. At least
 * DISTILL_LEAST_SHARE of the whole, even where there is no time left. */
#define DISTILL_LEAST_SHARE 0.01
double distill_plan_minutes(const struct distill_steps *steps, const struct distill_state *state, int index);
/* What is planned for each student, in minutes. */
double distill_plan_student(const struct distill_options *options);

/* The most seconds for the translation that is step `index`, after a teacher, if the whole is limited: its
 * share of what the students and the teachers to come leave, but at least half a teacher's time, times its
 * work if that is less than 1. 0: no limit. */
double distill_plan_translation(const struct distill_steps *steps, const struct distill_state *state,
                                int index);

/* One of how many lines to translate, of so many, in so many seconds at a rate of lines per second. */
int64_t distill_plan_every(double lines, double rate, double seconds);

/* Seconds that teachers and translations still need, by those that are done; 0: not known. */
double distill_plan_left(const struct distill_steps *steps, const struct distill_state *state);

/* Bytes. */
struct distill_disk {
    double need;  /* at most, at any time */
    double stays; /* the student's */
};

/* An estimate from the size of the text and of the networks. */
struct distill_disk distill_plan_disk(const struct distill_steps *steps, const struct config *student,
                                      const struct config *teacher, const struct distill_text *text);

#endif
