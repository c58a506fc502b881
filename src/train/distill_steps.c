/* Which steps there are, their names and files. What each does is in distill.c. */
#include "distill_steps.h"

#include "mem.h"
#include "paths.h"

#include <stdio.h>

const char *const distill_directions[DISTILL_DIRECTIONS] = {
    [DISTILL_FORWARD] = "forward",
    [DISTILL_RIGHT_TO_LEFT] = "right-to-left",
    [DISTILL_BACKWARD] = "backward",
};

enum distill_sets distill_sets_of(const struct distill_options *options)
{
    const int *teachers = options->teachers;
    return teachers[DISTILL_FORWARD] > 1 && !teachers[DISTILL_BACKWARD] ? SETS_ENSEMBLE : SETS_EACH;
}

/* Appends a step, of which name and title are still to be set. */
static struct distill_step *add(struct distill_steps *steps, enum distill_step_kind kind,
                                enum distill_direction direction, int number)
{
    struct distill_step *step = &steps->items[steps->count++];
    *step = (struct distill_step){.kind = kind, .direction = direction, .number = number};
    return step;
}

static void add_plain(struct distill_steps *steps, enum distill_step_kind kind, const char *name,
                      const char *title)
{
    struct distill_step *step = add(steps, kind, DISTILL_FORWARD, 0);
    snprintf(step->name, sizeof step->name, "%s", name);
    snprintf(step->title, sizeof step->title, "%s", title);
}

static void add_teachers(struct distill_steps *steps, enum distill_direction direction, int teachers,
                         bool translate)
{
    const char *name = distill_directions[direction];
    for (int i = 1; i <= teachers; i++) {
        struct distill_step *step = add(steps, STEP_TEACHER, direction, i);
        snprintf(step->name, sizeof step->name, "%s-%d", name, i);
        snprintf(step->title, sizeof step->title, "%s model %d", name, i);
        if (!translate)
            continue;
        step = add(steps, STEP_TRANSLATION, direction, i);
        step->models = 1;
        step->work = 1;
        snprintf(step->name, sizeof step->name, "translate-%s-%d", name, i);
        snprintf(step->title, sizeof step->title, "translations of %s model %d", name, i);
    }
}

static void add_ensemble(struct distill_steps *steps, int teachers)
{
    add_plain(steps, STEP_TRANSLATION, "translate-ensemble", "translations of all forward models together");
    steps->items[steps->count - 1].models = teachers;
    steps->items[steps->count - 1].work = teachers;
}

static void add_monolingual(struct distill_steps *steps, const struct distill_options *options,
                            const struct distill_text *text)
{
    if (text->lines[SOURCE]) {
        add_plain(steps, STEP_TRANSLATION, "translate-source", "translations of monolingual source text");
        struct distill_step *step = &steps->items[steps->count - 1];
        step->monolingual = true;
        step->models = options->teachers[DISTILL_FORWARD];
        step->work = step->models * (double)text->lines[SOURCE] / (double)text->pairs;
    }
    const int backward = options->teachers[DISTILL_BACKWARD];
    for (int i = 1; i <= backward && text->lines[TARGET]; i++) {
        struct distill_step *step = add(steps, STEP_TRANSLATION, DISTILL_BACKWARD, i);
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
        struct distill_step *step = add(steps, STEP_STUDENT, DISTILL_FORWARD, i);
        snprintf(step->name, sizeof step->name, "student-%d", i);
        snprintf(step->title, sizeof step->title, "student %d", i);
    }
    add_plain(steps, STEP_CHOICE, "choice", "the best student");
}

void distill_steps_list(struct distill_steps *steps, const struct distill_options *options,
                        enum distill_sets sets, const struct distill_text *text)
{
    const int *teachers = options->teachers;
    steps->count = 0;
    add_teachers(steps, DISTILL_FORWARD, teachers[DISTILL_FORWARD], sets & SETS_EACH);
    if (sets & SETS_ENSEMBLE && teachers[DISTILL_FORWARD] > 1)
        add_ensemble(steps, teachers[DISTILL_FORWARD]);
    add_teachers(steps, DISTILL_RIGHT_TO_LEFT, teachers[DISTILL_RIGHT_TO_LEFT], true);
    add_teachers(steps, DISTILL_BACKWARD, teachers[DISTILL_BACKWARD], true);
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
    return path_of(dir, step->kind == STEP_STUDENT ? "student" : distill_directions[step->direction],
                   step->number ? step->number : model + 1, "");
}

char *distill_step_output(const struct distill_step *step, const char *dir)
{
    if (!step->number)
        return path_join(dir, step->monolingual ? "source.txt" : "ensemble.txt");
    return path_of(dir, step->monolingual ? "target" : distill_directions[step->direction], step->number,
                   ".txt");
}
