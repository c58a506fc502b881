/* The state of a distillation and its file. What the steps are is up to distill_steps.c. */
#include "distill_state.h"

#include "checksum.h"
#include "fileio.h"
#include "json.h"
#include "mem.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define STATE_VERSION 3

const char *const teacher_kinds[TEACHER_KINDS] = {
    [TEACHER_FORWARD] = "forward",
    [TEACHER_RIGHT_TO_LEFT] = "right-to-left",
    [TEACHER_BACKWARD] = "backward",
};

void distill_state_init(struct distill_state *state, const char *dir)
{
    memset(state, 0, sizeof *state);
    state->path = path_join(dir, DISTILL_STATE);
}

void distill_state_release(struct distill_state *state)
{
    xfree(state->path);
    xfree(state->done);
    memset(state, 0, sizeof *state);
}

/* ---- reading ---- */

static int damaged(const struct distill_state *state, const char *key, struct err *err)
{
    return err_set(
        err, "cannot read '%s': '%s' is missing or of another kind (nmt distill --restart begins again)",
        state->path, key);
}

/* Reads a member that is a number of at least 0. */
static int take_number(double *number, const struct distill_state *state, const struct json *object,
                       const char *key, struct err *err)
{
    const struct json *value = json_member(object, key);
    if (!value || json_kind(value) != JSON_NUMBER || !(json_number(value) >= 0))
        return damaged(state, key, err);
    *number = json_number(value);
    return 0;
}

static int take_int(int *number, const struct distill_state *state, const struct json *object,
                    const char *key, struct err *err)
{
    double value = 0;
    if (take_number(&value, state, object, key, err))
        return -1;
    if (value > DISTILL_MOST_MODELS)
        return damaged(state, key, err);
    *number = (int)value;
    return 0;
}

static int take_step(struct distill_step_done *step, const struct distill_state *state,
                     const struct json *object, struct err *err)
{
    const struct json *name = json_member(object, "step");
    if (!name || json_kind(name) != JSON_STRING || strlen(json_string(name)) >= sizeof step->name)
        return damaged(state, "step", err);
    snprintf(step->name, sizeof step->name, "%s", json_string(name));
    return take_number(&step->seconds, state, object, "seconds", err) ||
                   take_number(&step->minutes, state, object, "minutes", err)
               ? -1
               : 0;
}

static int take_open(struct distill_state *state, const struct json *open, struct err *err)
{
    double lines = 0, bytes = 0;
    if (take_step(&state->open, state, open, err) || take_number(&lines, state, open, "lines", err) ||
        take_number(&bytes, state, open, "bytes", err))
        return -1;
    state->lines = (int64_t)lines;
    state->bytes = (int64_t)bytes;
    return 0;
}

static int take_checksum(struct distill_state *state, const struct json *object, struct err *err)
{
    const struct json *text = json_member(object, "text");
    return text && json_kind(text) == JSON_STRING &&
                   sscanf(json_string(text), "%16" SCNx64, &state->text) == 1
               ? 0
               : damaged(state, "text", err);
}

static struct distill_step_done *add_done(struct distill_state *state)
{
    GROW(state->done, state->count + 1, state->capacity);
    return &state->done[state->count++];
}

/* Before there were teachers from right to left, a state had no number of them. */
static bool is_given(const struct json *object, enum teacher_kind kind)
{
    return kind != TEACHER_RIGHT_TO_LEFT || json_member(object, teacher_kinds[kind]);
}

static int take_state(struct distill_state *state, const struct json *object, struct err *err)
{
    double version = 0;
    const struct json *finished = json_member(object, "finished"), *done = json_member(object, "done"),
                      *open = json_member(object, "open");
    if (take_number(&version, state, object, "version", err))
        return -1;
    if (version != STATE_VERSION)
        return err_set(
            err, "cannot read '%s': it is of another version of nmt (nmt distill --restart begins again)",
            state->path);
    for (int i = 0; i < TEACHER_KINDS; i++)
        if (is_given(object, (enum teacher_kind)i) &&
            take_int(&state->options.teachers[i], state, object, teacher_kinds[i], err))
            return -1;
    if (take_int(&state->options.students, state, object, "students", err) ||
        take_number(&state->options.minutes, state, object, "minutes", err) ||
        take_int(&state->chosen, state, object, "chosen", err) || take_checksum(state, object, err))
        return -1;
    if (!finished || json_kind(finished) != JSON_BOOL)
        return damaged(state, "finished", err);
    state->finished = json_bool(finished);
    for (const struct json *step = done ? json_first(done) : NULL; step; step = json_next(step))
        if (json_kind(step) != JSON_OBJECT || take_step(add_done(state), state, step, err))
            return damaged(state, "done", err);
    return open ? take_open(state, open, err) : 0;
}

int distill_state_load(struct distill_state *state, const char *dir, struct err *err)
{
    struct strbuf text;
    struct json *root = NULL;
    distill_state_init(state, dir);
    strbuf_init(&text);
    int status = file_check_regular(state->path, err) || file_slurp(&text, state->path, err) ? -1 : 0;
    if (!status)
        root = json_parse(text.text, text.length, state->path, err);
    if (root && json_kind(root) == JSON_OBJECT)
        status = take_state(state, root, err);
    else if (!status)
        status = root ? damaged(state, "version", err) : -1;
    json_free(root);
    strbuf_release(&text);
    if (status)
        distill_state_release(state);
    return status;
}

/* ---- writing ---- */

static void add_step(struct json *object, const struct distill_step_done *step)
{
    json_set_string(object, "step", step->name);
    json_set_number(object, "seconds", step->seconds);
    json_set_number(object, "minutes", step->minutes);
}

static struct json *as_json(const struct distill_state *state)
{
    char digits[CHECKSUM_DIGITS + 1];
    struct json *root = json_new_object();
    checksum_print(digits, state->text);
    json_set_number(root, "version", STATE_VERSION);
    for (int i = 0; i < TEACHER_KINDS; i++)
        json_set_number(root, teacher_kinds[i], state->options.teachers[i]);
    json_set_number(root, "students", state->options.students);
    json_set_number(root, "minutes", state->options.minutes);
    json_set_string(root, "text", digits);
    json_set_number(root, "chosen", state->chosen);
    json_set_bool(root, "finished", state->finished);
    for (size_t i = 0; i < state->count; i++)
        add_step(json_append_object(root, "done"), &state->done[i]);
    if (*state->open.name) {
        struct json *open = json_set_object(root, "open");
        add_step(open, &state->open);
        json_set_number(open, "lines", (double)state->lines);
        json_set_number(open, "bytes", (double)state->bytes);
    }
    return root;
}

int distill_state_save(const struct distill_state *state, struct err *err)
{
    struct strbuf text;
    struct json *root = as_json(state);
    strbuf_init(&text);
    json_print(root, true, &text);
    const int status = file_replace(state->path, text.text, text.length, err);
    strbuf_release(&text);
    json_free(root);
    return status;
}

const struct distill_step_done *distill_state_find(const struct distill_state *state, const char *step)
{
    for (size_t i = 0; i < state->count; i++)
        if (!strcmp(state->done[i].name, step))
            return &state->done[i];
    return NULL;
}

bool distill_state_is_open(const struct distill_state *state, const char *step)
{
    return !strcmp(state->open.name, step);
}

int distill_state_begin(struct distill_state *state, const char *step, double minutes, struct err *err)
{
    if (!distill_state_is_open(state, step)) {
        memset(&state->open, 0, sizeof state->open);
        snprintf(state->open.name, sizeof state->open.name, "%s", step);
        state->lines = state->bytes = 0;
    }
    state->open.minutes = minutes;
    return distill_state_save(state, err);
}

int distill_state_end(struct distill_state *state, double seconds, struct err *err)
{
    struct distill_step_done *done = add_done(state);
    *done = state->open;
    done->seconds = seconds;
    memset(&state->open, 0, sizeof state->open);
    return distill_state_save(state, err);
}
