/* Builds the objects of the log. runlog.c writes them, history.c reads them. */
#include "events.h"

#include "checksum.h"
#include "fileio.h"
#include "machine.h"
#include "mat.h"
#include "mem.h"
#include "runlog.h"

#include <math.h>
#include <string.h>

static double round_to_milliseconds(double seconds)
{
    return round(1000 * seconds) / 1000;
}

/* ---- start ---- */

static void add_file(struct json *event, const char *name, uint64_t sum)
{
    char digits[CHECKSUM_DIGITS + 1];
    struct json *file = json_append_object(event, "files");
    checksum_print(digits, sum);
    json_set_string(file, "name", name);
    json_set_string(file, "checksum", digits);
}

/* Adds the checksums of the files that this training depends on, without those that can be read only once. */
static void add_files(struct json *event, const struct config *config, const struct corpus_file *text)
{
    const char *path;
    for (int i = 0; (path = config_train_file(config, i)); i++)
        if (text->stamps[i].bytes >= 0)
            add_file(event, path, text->stamps[i].checksum);
    const char *names[LANGUAGE_PAIR_MOST_FILES + 1];
    language_pair_files(names, config->model_dir);
    for (int i = 0; names[i]; i++) {
        uint64_t sum;
        struct err ignored;
        char *in_model = path_join(config->model_dir, names[i]);
        if (!checksum_file(&sum, in_model, &ignored))
            add_file(event, names[i], sum);
        xfree(in_model);
    }
}

struct json *event_start(const struct train_state *state, bool resumed, const char *version,
                         const struct workers *workers, const struct corpus_file *text)
{
    char processor[128];
    struct json *event = runlog_event("start");
    machine_processor(processor, sizeof processor);
    json_set_bool(event, "resumed", resumed);
    json_set_number(event, "update", (double)state->update);
    json_set_string(event, "version", version);
    json_set_number(event, "seed", (double)workers->config->seed);
    json_set_string(event, "processor", processor);
    json_set_string(event, "blas_kernel", mat_kernel_name());
    json_set_number(event, "ranks", workers->ranks.count);
    json_set_number(event, "threads", team_members(workers->team));
    json_set_number(event, "shards", workers->ranks.count * workers->count);
    json_set_number(event, "parameters", (double)workers->model->layout.total);
    json_set_number(event, "pairs", (double)text->end.totals.pairs);
    json_set_number(event, "pairs_weighted", text->end.facts.pairs);
    json_set_number(event, "pairs_too_long", (double)text->end.totals.too_long);
    add_files(event, workers->config, text);
    return event;
}

void event_add_choices(struct json *event, const char *chosen)
{
    struct json *choices = *chosen ? json_set_object(event, "chosen") : NULL;
    for (const char *at = chosen; *at; at += strcspn(at, "\n") + 1) {
        const size_t key = strcspn(at, " "), all = strcspn(at, "\n");
        char *path = xstrndup(at, key), *value = xstrndup(at + key + 1, all - key - 1);
        json_set_string(choices, path, value);
        xfree(value);
        xfree(path);
    }
}

/* ---- during training ---- */

struct json *event_update(const struct train_state *state, const struct update_result *result, double rate,
                          double seconds)
{
    const double tokens = (double)result->loss.target_tokens;
    struct json *event = runlog_event("update");
    json_set_number(event, "update", (double)state->update);
    json_set_number(event, "epoch", (double)train_state_epoch(state));
    json_set_number(event, "loss", result->loss.sums.loss / tokens);
    json_set_number(event, "perplexity", exp(result->loss.sums.nll / tokens));
    json_set_number(event, "learning_rate", rate);
    json_set_number(event, "gradient_norm", result->gradient_norm);
    json_set_number(event, "target_tokens", tokens);
    json_set_number(event, "target_tokens_per_second", round(tokens / seconds));
    json_set_number(event, "seconds", round_to_milliseconds(state->seconds));
    return event;
}

struct json *event_validation(const struct train_state *state, const struct validation *validation,
                              const struct valid_set *set)
{
    struct json *event = runlog_event("validation");
    json_set_number(event, "update", (double)state->update);
    json_set_number(event, "perplexity", validation->perplexity);
    json_set_number(event, "perplexity_per_character", validation->perplexity_per_character);
    json_set_number(event, "bleu", validation->bleu);
    json_set_number(event, "chrf", validation->chrf);
    json_set_number(event, "seconds", validation->seconds);
    for (int s = 0; s < validation->sample_count; s++) {
        const size_t line = validation->sample_lines[s];
        struct json *sample = json_append_object(event, "samples");
        json_set_number(sample, "line", (double)set->numbers[line]);
        json_set_string(sample, "source", set->raw[SOURCE].text[line]);
        json_set_string(sample, "translation", validation->samples[s]);
        json_set_string(sample, "reference", set->raw[TARGET].text[line]);
    }
    return event;
}

struct json *event_checkpoint(const struct train_state *state)
{
    struct json *event = runlog_event("checkpoint");
    json_set_number(event, "update", (double)state->update);
    json_set_number(event, "epoch", (double)train_state_epoch(state));
    return event;
}

struct json *event_rollback(const struct train_state *state, long failed)
{
    struct json *event = runlog_event("rollback");
    json_set_number(event, "from", (double)failed);
    json_set_number(event, "update", (double)state->update);
    json_set_number(event, "rate_factor", state->rate_factor);
    return event;
}

struct json *event_removed(void)
{
    return runlog_event("removed");
}

struct json *event_stop(const struct train_state *state, const char *reason)
{
    struct json *event = runlog_event("stop");
    json_set_string(event, "reason", reason);
    json_set_number(event, "update", (double)state->update);
    json_set_number(event, "seconds", round_to_milliseconds(state->seconds));
    json_set_number(event, "target_tokens", (double)state->target_tokens);
    return event;
}
