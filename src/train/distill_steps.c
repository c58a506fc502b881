/* Which steps there are, their names and files. What each does is in distill.c. */
#include "distill_steps.h"

#include "mem.h"
#include "paths.h"

#include <stdio.h>

/* Appends a step, of which name and title are still to be set. */
static struct distill_step *add(struct distill_steps *steps, enum distill_step_kind kind,
                                enum teacher_kind teacher, int number)
{
    struct distill_step *step = &steps->items[steps->count++];
    *step = (struct distill_step){.kind = kind, .teacher = teacher, .number = number};
    return step;
}

static struct distill_step *add_plain(struct distill_steps *steps, enum distill_step_kind kind,
                                      const char *name, const char *title)
{
    struct distill_step *step = add(steps, kind, TEACHER_FORWARD, 0);
    snprintf(step->name, sizeof step->name, "%s", name);
    snprintf(step->title, sizeof step->title, "%s", title);
    return step;
}

static void add_teachers(struct distill_steps *steps, enum teacher_kind kind, int teachers, bool translate)
{
    const char *name = teacher_kinds[kind];
    for (int i = 1; i <= teachers; i++) {
        struct distill_step *step = add(steps, STEP_TEACHER, kind, i);
        snprintf(step->name, sizeof step->name, "%s-%d", name, i);
        snprintf(step->title, sizeof step->title, "%s model %d", name, i);
        if (!translate)
            continue;
        step = add(steps, STEP_TRANSLATION, kind, i);
        step->models = 1;
        step->work = 1;
        snprintf(step->name, sizeof step->name, "translate-%s-%d", name, i);
        snprintf(step->title, sizeof step->title, "translations of %s model %d", name, i);
    }
}

static void add_ensemble(struct distill_steps *steps, int teachers)
{
    struct distill_step *step = add_plain(steps, STEP_TRANSLATION, "translate-ensemble",
                                          "translations of all forward models together");
    step->models = teachers;
    step->work = teachers;
}

static void add_monolingual(struct distill_steps *steps, const struct distill_options *options,
                            const struct distill_text *text)
{
    if (text->lines[SOURCE]) {
        struct distill_step *step =
            add_plain(steps, STEP_TRANSLATION, "translate-source", "translations of monolingual source text");
        step->monolingual = true;
        step->models = options->teachers[TEACHER_FORWARD];
        step->work = step->models * (double)text->lines[SOURCE] / (double)text->pairs;
    }
    const int backward = options->teachers[TEACHER_BACKWARD];
    for (int i = 1; i <= backward && text->lines[TARGET]; i++) {
        struct distill_step *step = add(steps, STEP_TRANSLATION, TEACHER_BACKWARD, i);
        step->monolingual = true;
        step->models = 1;
        step->work = (double)text->lines[TARGET] / (double)text->pairs / backward;
        snprintf(step->name, sizeof step->name, "translate-target-%d", i);
        snprintf(step->title, sizeof step->title, "monolingual target text by backward model %d", i);
    }
}

static void add_students(struct distill_steps *steps, int students)
{
    if (students == 1) {
        add_plain(steps, STEP_STUDENT, "student", "the student");
        return;
    }
    for (int i = 1; i <= students; i++) {
        struct distill_step *step = add(steps, STEP_STUDENT, TEACHER_FORWARD, i);
        snprintf(step->name, sizeof step->name, "student-%d", i);
        snprintf(step->title, sizeof step->title, "student %d", i);
    }
    add_plain(steps, STEP_CHOICE, "choice", "the best student");
}

void distill_steps_list(struct distill_steps *steps, const struct distill_options *options,
                        const struct distill_text *text)
{
    const int *teachers = options->teachers;
    const bool together = teachers[TEACHER_FORWARD] > 1 && !teachers[TEACHER_BACKWARD];
    steps->count = 0;
    add_teachers(steps, TEACHER_FORWARD, teachers[TEACHER_FORWARD], !together);
    if (together)
        add_ensemble(steps, teachers[TEACHER_FORWARD]);
    add_teachers(steps, TEACHER_RIGHT_TO_LEFT, teachers[TEACHER_RIGHT_TO_LEFT], true);
    add_teachers(steps, TEACHER_BACKWARD, teachers[TEACHER_BACKWARD], true);
    add_monolingual(steps, options, text);
    add_plain(steps, STEP_PAIRS, "pairs", "synthetic pairs");
    add_students(steps, options->students);
}

/* The path of "WHAT-NUMBER" and what follows. */
static char *path_of(const char *dir, const char *what, int number, const char *end)
{
    char *name = xasprintf("%s-%d%s", what, number, end), *path = path_join(dir, name);
    xfree(name);
    return path;
}

char *distill_step_model(const struct distill_step *step, const char *dir, int model)
{
    return path_of(dir, step->kind == STEP_STUDENT ? "student" : teacher_kinds[step->teacher],
                   step->number ? step->number : model + 1, "");
}

char *distill_step_output(const struct distill_step *step, const char *dir)
{
    if (!step->number)
        return path_join(dir, step->monolingual ? "source.txt" : "ensemble.txt");
    return path_of(dir, step->monolingual ? "target" : teacher_kinds[step->teacher], step->number, ".txt");
}
