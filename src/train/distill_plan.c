/* Divides the time among the steps, and estimates the disk that they need. */
#include "distill_plan.h"

#include "config_auto.h"
#include "mem.h"
#include "seq2seq.h"

#include <math.h>

/* ---- time ---- */

#define STUDENTS_SHARE 0.5
/* Before a translation was timed: the part of a teacher's time that its translations take. */
#define TRANSLATION_SHARE 0.25
/* What a translation of the text may take at least, as a part of a teacher's time. */
#define TRANSLATION_LEAST 0.5

/* Sums over steps of a kind, done and not; a translation counts by its work. */
struct tally {
    double seconds; /* of the steps that are done */
    double done, pending;
    double limited, over; /* of those that are done, how many had a limit, and seconds beyond it */
};

static struct tally tally_of(const struct distill_steps *steps, const struct distill_state *state,
                             enum distill_step_kind kind)
{
    struct tally tally = {0, 0, 0, 0, 0};
    for (int i = 0; i < steps->count; i++) {
        const struct distill_step *step = &steps->items[i];
        const struct distill_step_done *done = distill_state_find(state, step->name);
        const double weight = step->kind == STEP_TRANSLATION ? step->work : 1;
        if (step->kind != kind)
            continue;
        tally.done += done ? weight : 0;
        tally.pending += done ? 0 : weight;
        tally.seconds += done ? done->seconds : 0;
        if (done && done->minutes > 0) {
            tally.limited++;
            tally.over += fmax(0, done->seconds - 60 * done->minutes);
        }
    }
    return tally;
}

static double spent_seconds(const struct distill_state *state)
{
    double seconds = 0;
    for (size_t i = 0; i < state->count; i++)
        seconds += state->done[i].seconds;
    return seconds;
}

/* What a training is expected to take beyond its limit, by those that had one. */
static double expected_over(double over, double limited)
{
    return limited > 0 ? over / limited : 0;
}

static double teacher_seconds(const struct tally *teachers, const struct tally *translations, double left)
{
    if (translations->done > 0)
        left -= translations->pending * translations->seconds / translations->done;
    const double shares =
        teachers->pending + (translations->done > 0 ? 0 : TRANSLATION_SHARE * translations->pending);
    return left / shares - expected_over(teachers->over, teachers->limited);
}

double distill_plan_minutes(const struct distill_steps *steps, const struct distill_state *state, int index)
{
    const double whole = 60 * state->options.minutes, left = whole - spent_seconds(state);
    const struct tally teachers = tally_of(steps, state, STEP_TEACHER),
                       students = tally_of(steps, state, STEP_STUDENT),
                       translations = tally_of(steps, state, STEP_TRANSLATION);
    const double over = expected_over(teachers.over + students.over, teachers.limited + students.limited);
    const double seconds = steps->items[index].kind == STEP_STUDENT
                               ? left / students.pending - over
                               : teacher_seconds(&teachers, &translations, left - STUDENTS_SHARE * whole);
    return fmax(seconds, DISTILL_LEAST_SHARE * whole) / 60;
}

double distill_plan_student(const struct distill_options *options)
{
    return STUDENTS_SHARE * options->minutes / options->students;
}

double distill_plan_translation(const struct distill_steps *steps, const struct distill_state *state,
                                int index)
{
    const struct tally teachers = tally_of(steps, state, STEP_TEACHER),
                       translations = tally_of(steps, state, STEP_TRANSLATION);
    const double whole = 60 * state->options.minutes, work = steps->items[index].work,
                 teacher = teachers.seconds / fmax(teachers.done, 1),
                 left = (1 - STUDENTS_SHARE) * whole - spent_seconds(state) - teachers.pending * teacher;
    if (whole <= 0)
        return 0;
    return fmax(left * work / fmax(translations.pending, work), TRANSLATION_LEAST * teacher * fmin(work, 1));
}

#define NONE_MORE 1e9 /* of more lines than a text has */

int64_t distill_plan_every(double lines, double rate, double seconds)
{
    if (lines <= rate * seconds || lines <= 0)
        return 1;
    return seconds > 0 ? (int64_t)fmin(ceil(lines / (rate * seconds)), NONE_MORE) : (int64_t)NONE_MORE;
}

double distill_plan_left(const struct distill_steps *steps, const struct distill_state *state)
{
    const struct tally teachers = tally_of(steps, state, STEP_TEACHER),
                       translations = tally_of(steps, state, STEP_TRANSLATION);
    if (teachers.done < 1 || translations.done < 1)
        return 0;
    return teachers.pending * teachers.seconds / teachers.done +
           translations.pending * translations.seconds / translations.done;
}

/* ---- disk ---- */

#define BYTES_PER_TOKEN 3.0 /* of text, at least, with enough merges; ids have four */
#define ENOUGH_MERGES 2000
#define OTHER_WORDS 2000 /* of a vocabulary, besides the merges: characters, placeholders, tags */
#define TRAINED_BLOCKS 4 /* of a checkpoint: weights, two moments, average */

/* Of text, at least: a character, unless merges make longer ones of them. */
static double bytes_per_token(const struct config *config)
{
    if (config->text.subword == SUBWORD_WORD)
        return BYTES_PER_TOKEN;
    const double merges = config->text.subword == SUBWORD_BPE ? config->text.merges : 0;
    return 1 + (BYTES_PER_TOKEN - 1) * fmin(1, merges / ENOUGH_MERGES);
}

static size_t vocabulary_of(const struct config *config, const struct distill_text *text)
{
    double words = text->bytes / bytes_per_token(config) + OTHER_WORDS;
    if (config->text.subword == SUBWORD_BPE)
        words = fmin(words, config->text.merges + OTHER_WORDS);
    if (config->text.vocabulary_size)
        words = fmin(words, config->text.vocabulary_size);
    return (size_t)words;
}

/* Of a network for so many pairs. */
static double weights_bytes(const struct config *config, const struct distill_text *text, double pairs)
{
    struct config chosen = *config; /* shares its texts */
    config_auto_choose(&chosen, &(struct text_facts){.pairs = pairs});
    struct seq2seq *model = xcalloc(1, sizeof *model);
    const size_t words = vocabulary_of(&chosen, text);
    seq2seq_init(model, &chosen, words, words);
    const double bytes = (double)(model->layout.total * sizeof(float));
    xfree(model);
    return bytes;
}

/* What a training leaves: the model, and the checkpoints that are kept. */
static double trained_bytes(double weights, int last, int best)
{
    return weights * (1 + TRAINED_BLOCKS * (last + (best > 1 ? best : 0)));
}

/* While it runs: two of the last ones at least, and a checkpoint and a model that are being written. */
static double training_bytes(double weights, int last, int best)
{
    return trained_bytes(weights, last > 2 ? last : 2, best) + weights * (1 + TRAINED_BLOCKS);
}

static bool has_tsv(const struct config *config)
{
    bool has = config->data.valid.tsv != NULL;
    for (int i = 0; config_train(config, i); i++)
        has |= config_train(config, i)->tsv != NULL;
    return has;
}

struct distill_disk distill_plan_disk(const struct distill_steps *steps, const struct config *student,
                                      const struct config *teacher, const struct distill_text *text)
{
    const struct config_training *training = &student->training;
    struct config chosen = *student; /* shares its texts */
    double teachers = 0, students = 0, sets = 0;
    for (int i = 0; i < steps->count; i++) {
        teachers += steps->items[i].kind == STEP_TEACHER;
        students += steps->items[i].kind == STEP_STUDENT;
        sets += steps->items[i].kind == STEP_TRANSLATION && !steps->items[i].monolingual;
    }
    const double pairs = (1 + fmax(sets, 1)) * text->weighted; /* of the student, about */
    const double own = text->bytes - text->monolingual;
    config_auto_choose(&chosen, &(struct text_facts){.pairs = text->weighted});
    const double weights = weights_bytes(student, text, pairs), taught = weights_bytes(teacher, text, pairs);
    /* Each set: its translations, about half of the text, and the pairs. Preparing a text takes as much as it
     * has itself, and its ids. */
    const double synthetic = 1.5 * (sets * own + text->monolingual),
                 read = (1 + sets) * own + text->monolingual,
                 ids = read * sizeof(int) / bytes_per_token(&chosen), swapped = has_tsv(student) ? own : 0;
    const double trained =
        fmax(training_bytes(taught, 1, 1), training_bytes(weights, training->keep_last, training->keep_best));
    const double stays = trained_bytes(weights, training->keep_last, training->keep_best) +
                         (training->keep_prepared ? ids : 0);
    return (struct distill_disk){
        taught * teachers + synthetic + read + ids + swapped + trained + (students - 1) * stays, stays};
}
