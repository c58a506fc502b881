/* Loads a test set; translates and scores it with a model. The metrics are in eval. */
#include "test_set.h"

#include "fileio.h"
#include "log.h"
#include "mem.h"
#include "model_dir.h"
#include "parseopt.h"
#include "prepacked.h"
#include "translate_on_ranks.h"
#include "utf8.h"

#include <math.h>
#include <string.h>

/* Loads the test split of a config. */
static int load_split(struct test_set *set, const struct config_pairs *split, struct err *err)
{
    struct pair_reader reader;
    int status;
    set->files = pair_files_of(split);
    if (pair_reader_open(&reader, &set->files, INVALID_STOP, err))
        return err_set(err,
                       "%s (the model's config names it; --source and --reference name another test set)",
                       err->text);
    while ((status = pair_reader_raw(&reader, err)) > 0) {
        if (pair_reader_check(&reader, err)) {
            status = -1;
            break;
        }
        lines_add(&set->source, reader.line[SOURCE].text, reader.line[SOURCE].length);
        lines_add(&set->references[0], reader.line[TARGET].text, reader.line[TARGET].length);
    }
    log_info("test set: %s", pair_reader_path(&reader, SOURCE));
    pair_reader_close(&reader);
    return status;
}

int test_set_load(struct test_set *set, const char *source, const struct string_list *references,
                  const struct config *config, struct err *err)
{
    int status = source ? lines_load(&set->source, source, err) : 0;
    set->files = (struct pair_files){source, references->items[0], NULL};
    set->names = references->items;
    set->named = references->count;
    for (int r = 0; r < references->count && !status; r++)
        status = lines_load(&set->references[r], references->items[r], err);
    set->reference_count = references->count;
    if (!status && !references->count) {
        set->reference_count = 1;
        if (!config || !config_has_test_set(config))
            return err_set(err, "no test set: give --source and --reference%s",
                           config ? " (the model's config names none)" : "");
        status = load_split(set, &config->data.test, err);
    }
    if (!status && (source || !references->count))
        status = test_set_expect(set, source ? source : "the test set", set->source.count, err);
    return status;
}

int test_set_expect(const struct test_set *set, const char *name, size_t lines, struct err *err)
{
    for (int r = 0; r < set->reference_count; r++)
        if (expect_lines(name, lines, set->named ? set->names[r] : "its reference", set->references[r].count,
                         err))
            return -1;
    return lines ? 0 : err_set(err, "cannot score '%s': no lines", name);
}

void test_set_release(struct test_set *set)
{
    lines_release(&set->source);
    for (int r = 0; r < LIST_MAX; r++)
        lines_release(&set->references[r]);
}

void test_set_references(const char **of_line, const struct test_set *set, size_t i)
{
    for (int r = 0; r < set->reference_count; r++)
        of_line[r] = set->references[r].text[i];
}

void test_set_score(struct metrics *metrics, const struct test_set *set, const struct lines *translation)
{
    const char *of_line[LIST_MAX];
    for (size_t i = 0; i < translation->count; i++) {
        test_set_references(of_line, set, i);
        metrics_add(metrics, translation->text[i], of_line);
    }
}

struct metrics *test_set_score_each(struct metrics *all, const struct test_set *set,
                                    const struct lines *translation)
{
    const struct metrics empty = *all;
    struct metrics *each = xmalloc(translation->count, sizeof *each);
    const char *of_line[LIST_MAX];
    for (size_t i = 0; i < translation->count; i++) {
        test_set_references(of_line, set, i);
        each[i] = empty;
        metrics_add(&each[i], translation->text[i], of_line);
        metrics_sum(all, &each[i]);
    }
    return each;
}

int test_set_perplexity(struct perplexity *perplexity, const struct test_set *set,
                        const struct loaded_model *loaded, int threads, const struct ranks *ranks,
                        struct err *err)
{
    struct corpus corpus;
    corpus_init(&corpus);
    for (size_t i = 0; i < set->source.count; i++) {
        const char *const text[SIDES] = {set->source.text[i], set->references[0].text[i]};
        if (!utf8_blank(text[SOURCE], strlen(text[SOURCE])) &&
            !utf8_blank(text[TARGET], strlen(text[TARGET])))
            corpus_add_text(&corpus, loaded->pair.tokenizer, text, SCORED_MOST_TOKENS);
    }
    corpus_warn_unscored(&corpus, pair_files_path(&set->files, SOURCE));
    const struct loss loss =
        corpus_loss(&loaded->model, weights_floats(&loaded->weights), &corpus, threads, ranks);
    *perplexity = perplexity_of(&loss, &corpus);
    corpus_release(&corpus);
    return !loss.target_tokens || isfinite(perplexity->per_token)
               ? 0
               : err_set(err, "cannot use '%s' for '%s': its numbers are not finite there",
                         loaded->files.path, pair_files_path(&set->files, SOURCE));
}

static void show(void *context, int lines)
{
    progress_count(context, lines, 0, "line");
}

void test_set_translate(struct translated *out, const struct test_set *set, const struct ensemble *ensemble,
                        const struct translate_options *options, const struct ranks *ranks)
{
    struct translator translator;
    struct progress progress;
    memset(out, 0, sizeof *out);
    prepacked_begin(options->threads);
    translator_init(&translator, ensemble, options);
    progress_begin(&progress, "translating", 0);
    const double began = clock_seconds();
    translate_on_ranks(&out->lines, &translator, &set->source, ranks,
                       &(struct translation_watch){.done = show, .context = &progress});
    double tokens = (double)translator.source_tokens;
    ranks_sum(ranks, &tokens, 1);
    out->seconds = clock_seconds() - began;
    out->source_tokens = (long)tokens;
    progress_end(&progress);
    translator_warn(&translator, ranks);
    translator_release(&translator);
}
