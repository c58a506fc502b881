/* Assembles the pages of a report and writes them. The sections are in report_training.c and
 * report_scores.c. */
#include "report.h"

#include "alignment.h"
#include "fileio.h"
#include "html.h"
#include "mem.h"
#include "report_sections.h"
#include "validate.h"

#include <string.h>

#define TITLE_BEGIN "nmt: "
#define TITLE "<title>" TITLE_BEGIN
#define HEAD_LINES 20 /* among which the title is */

static int look_for_title(void *context, const struct strbuf *line, int64_t number, struct err *err)
{
    bool *is = context;
    (void)err;
    *is = line->length >= strlen(TITLE) && !memcmp(line->text, TITLE, strlen(TITLE));
    return *is || number == HEAD_LINES;
}

int report_check_directory(const char *dir, struct err *err)
{
    struct err ignored;
    bool is = true;
    char *path = path_join(dir, REPORT_FILE);
    const bool is_file = !file_check_regular(path, &ignored);
    int status = 0;
    if (is_file && (file_each_own_line(path, look_for_title, &is, &ignored) < 0 || !is))
        status = err_set(err, "'%s' is not a report of nmt, and would be overwritten: move it away", path);
    xfree(path);
    return status;
}

/* Names each model by its folder; by its path if another folder has the same name. */
static void name_models(struct tested_model *tested, const struct models *models)
{
    char *folders[REPORT_MOST_MODELS];
    for (int i = 0; i < models->count; i++)
        folders[i] = path_absolute(models->loaded[i].files.path);
    for (int i = 0; i < models->count; i++) {
        bool again = false;
        for (int k = 0; k < models->count; k++)
            again |= k != i && !strcmp(path_base(folders[k]), path_base(folders[i]));
        tested[i].name = xstrdup(again ? models->loaded[i].files.path : path_base(folders[i]));
    }
    for (int i = 0; i < models->count; i++)
        xfree(folders[i]);
}

static void begin_page(struct strbuf *page, const struct tested_model *tested, int count)
{
    struct strbuf title;
    strbuf_init(&title);
    strbuf_adds(&title, TITLE_BEGIN);
    for (int i = 0; i < count; i++) {
        strbuf_adds(&title, i ? ", " : "");
        strbuf_adds(&title, tested[i].name);
    }
    html_begin(page, title.text);
    strbuf_release(&title);
}

/* Adds the sections of one model; `tested` is NULL without a test set. */
static void add_one(struct strbuf *page, const struct config *config, const struct history *history,
                    const struct tested_model *tested, const struct test_set *set, int threads)
{
    report_add_facts(page, config, history);
    if (tested)
        report_add_scores(page, tested, 1);
    report_add_curves(page, history);
    report_add_samples(page, history);
    if (tested) {
        report_add_lengths(page, tested, 1, set);
        report_add_sentences(page, tested, set, threads);
    }
    report_add_config(page, config);
}

int report_training(const struct config *config, struct err *err)
{
    struct history history;
    struct strbuf page;
    if (report_check_directory(config->model_dir, err) || history_load_path(&history, config->model_dir, err))
        return -1;
    char *path = path_join(config->model_dir, REPORT_FILE),
         *title = xasprintf(TITLE_BEGIN "%s in training", path_base(config->model_dir));
    strbuf_init(&page);
    html_begin(&page, title);
    add_one(&page, config, &history, NULL, NULL, 0);
    html_end(&page);
    const int status = file_replace(path, page.text, page.length, err);
    strbuf_release(&page);
    xfree(title);
    xfree(path);
    history_release(&history);
    return status;
}

/* The sections of a model that may have been moved since its training. */
static void add_opened(struct strbuf *page, const struct loaded_model *loaded, const struct history *history,
                       const struct tested_model *tested, const struct test_set *set, int threads)
{
    struct config config = loaded->config;
    config.model_dir = path_absolute(loaded->files.path);
    add_one(page, &config, history, tested, set, threads);
    xfree(config.model_dir);
}

static void add_several(struct strbuf *page, const struct tested_model *tested, int count,
                        const struct test_set *set)
{
    report_add_scores(page, tested, count);
    report_add_lengths(page, tested, count, set);
    report_add_validations(page, tested, count);
}

char *report_models(const struct models *models, const struct report_settings *settings, struct err *err)
{
    struct history histories[REPORT_MOST_MODELS];
    struct tested_model tested[REPORT_MOST_MODELS];
    struct test_set set = {.named = 0};
    const int count = models->count;
    ASSERT(count <= REPORT_MOST_MODELS);
    const bool has_test_set =
        count > 1 || settings->source || settings->links || config_has_test_set(&models->loaded[0].config);
    const struct metric_options scoring = scoring_of(&models->loaded[0].config);
    memset(histories, 0, sizeof histories);
    memset(tested, 0, sizeof tested);
    char *path =
        settings->output ? xstrdup(settings->output) : path_join(models->loaded[0].files.path, REPORT_FILE);
    int status = settings->output ? 0 : report_check_directory(models->loaded[0].files.path, err);
    if (!status)
        status = file_check_writable(path, err);
    if (!status && settings->links && count == 1) /* of several, some may have none */
        status = alignment_check(&models->loaded[0], true, err);
    if (!status && has_test_set)
        status = test_set_load(&set, settings->source, &settings->references, &models->loaded[0].config, err);
    name_models(tested, models);
    for (int i = 0; i < count && !status; i++) {
        status = history_load(&histories[i], &models->loaded[i].files, err);
        if (!status && has_test_set)
            status = tested_model_init(&tested[i], &models->loaded[i], &histories[i], &set, &scoring,
                                       settings, err);
    }
    if (!status) {
        struct strbuf page;
        strbuf_init(&page);
        begin_page(&page, tested, count);
        if (count == 1)
            add_opened(&page, &models->loaded[0], &histories[0], has_test_set ? &tested[0] : NULL, &set,
                       settings->threads);
        else
            add_several(&page, tested, count, &set);
        html_end(&page);
        status = (settings->output ? file_output : file_replace)(path, page.text, page.length, err);
        strbuf_release(&page);
    }
    for (int i = 0; i < count; i++) {
        tested_model_release(&tested[i]);
        history_release(&histories[i]);
    }
    test_set_release(&set);
    if (!status)
        return path;
    xfree(path);
    return NULL;
}
