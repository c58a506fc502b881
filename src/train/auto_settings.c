/* What keys that are auto become in this training. The values are config_auto.c's and time_budget.c's. */
#include "auto_settings.h"

#include "config_auto.h"
#include "mat.h"
#include "model_dir.h"
#include "network_check.h"
#include "plural.h"
#include "time_budget.h"

#include <math.h>
#include <string.h>

#define LINE_COLUMNS 100

/* Loads the config of a model. It is to be released by the caller, also on failure. */
static int load_config(struct config *config, const char *model_dir, struct err *err)
{
    struct model_files files;
    config_init(config);
    if (model_dir_open(&files, model_dir, true, err))
        return -1;
    const int status = model_dir_config(config, &files, err);
    model_files_close(&files);
    return status;
}

/* Takes the network, and subwords and vocabularies if they suit the text. */
static void take_settings(struct config *config, enum pair_origin *origin, const struct config *begun)
{
    config_auto_take(config, begun, AUTO_NETWORK);
    if (config_is_auto(config, "text.merges") && config_same_text(config, begun)) {
        config_auto_take(config, begun, AUTO_TEXT);
        *origin = PAIR_INHERITED;
    }
}

int auto_settings_inherit(struct config *config, enum pair_origin *origin, struct err *err)
{
    struct config begun;
    config_settle_protect(config);
    if (!config->training.init_from)
        return 0;
    int status = load_config(&begun, config->training.init_from, err);
    if (!status) {
        take_settings(config, origin, &begun);
        status = config_check(config, err) || network_check(config, err) ? -1 : 0;
    }
    config_release(&begun);
    return status;
}

static struct epoch_text epoch_of(const struct trainer *t)
{
    return (struct epoch_text){
        .pairs = t->set.file.end.facts.pairs,
        .tokens = training_set_tokens(&t->set),
        .vocabulary = {(size_t)vocab_size(t->pair.tokenizer[SOURCE].vocab),
                       (size_t)vocab_size(t->pair.tokenizer[TARGET].vocab)},
        .valid_pairs = (double)t->valid.corpus.pairs,
        .valid_tokens = (double)t->valid.corpus.ids_count,
    };
}

/* Adapts dropout and warm-up to limits of epochs and updates. */
static void choose_by_limits(struct trainer *t)
{
    const struct epoch_text text = epoch_of(t);
    time_budget_fit(&t->own, &text, INFINITY);
}

/* Adapts the choice to the time that is given, and appends to `basis` what it goes by. */
static void choose_by_time(struct trainer *t, struct strbuf *basis)
{
    const struct epoch_text text = epoch_of(t);
    const int threads = team_threads(t->config->training.threads);
    mat_begin(threads);
    const double rate = time_budget_choose_products(&t->own, threads, t->ranks),
                 epochs = time_budget_choose(&t->own, &text, rate);
    const double minutes = t->config->training.max_minutes;
    strbuf_addf(basis, " and %.4g minute%s at %.0f billion operations per second, about %.*f epochs", minutes,
                plural(minutes), rate / 1e9, epochs < 10, epochs);
}

/* Says it in lines of settings with commas between them. */
static void report(const char *basis, const char *chosen)
{
    struct strbuf line;
    strbuf_init(&line);
    log_info("chosen for %s ('nmt help config': auto):", basis);
    for (const char *at = chosen; *at;) {
        const size_t bytes = strcspn(at, "\n");
        const bool last = !at[bytes + 1];
        if (line.length + bytes + 3 > LINE_COLUMNS) {
            log_info(" %s", line.text);
            strbuf_reset(&line);
        }
        strbuf_addf(&line, " %.*s%s", (int)bytes, at, last ? "" : ",");
        at += bytes + 1;
    }
    if (line.length)
        log_info(" %s", line.text);
    strbuf_release(&line);
}

int auto_settings_settle(struct trainer *t, struct err *err)
{
    const double pairs = t->set.file.end.facts.pairs;
    struct strbuf basis;
    if (!t->config->automatic)
        return 0;
    strbuf_init(&basis);
    strbuf_addf(&basis, "%.0f pair%s", pairs, plural(pairs));
    if (time_budget_matters(t->config))
        choose_by_time(t, &basis);
    else
        choose_by_limits(t);
    config_auto_settle(&t->own, &t->chosen);
    if (t->chosen.length)
        report(basis.text, t->chosen.text);
    strbuf_release(&basis);
    return config_check(t->config, err) || network_check(t->config, err) ? -1 : 0;
}
