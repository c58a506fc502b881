/* nmt report: writes a page about one model, or a comparison of several; or their learning curves as a
 * table. */
#include "commands.h"
#include "file_uses.h"
#include "mem.h"
#include "models.h"
#include "output.h"
#include "parseopt.h"
#include "report.h"
#include "shared_options.h"

#include <stdio.h>

static int check_files(const struct report_settings *s, const char *csv, const struct models *models)
{
    struct file_uses uses = {.count = 0};
    if (s->source)
        file_uses_input(&uses, s->source, "--source");
    else
        file_uses_corpus(&uses, &models->loaded[0].config.data.test, "data.test");
    for (int i = 0; i < s->references.count; i++)
        file_uses_input(&uses, s->references.items[i], "--reference");
    file_uses_input(&uses, s->links, "--links");
    file_uses_models(&uses, models);
    file_uses_output(&uses, s->output, "--output");
    file_uses_output(&uses, csv, "--csv");
    return file_uses_check(&uses);
}

static int expect_directories(const struct models *models, struct err *err)
{
    for (int i = 0; i < models->count; i++)
        if (models->loaded[i].files.packed)
            return err_set(
                err,
                "cannot report on '%s': a packed file has no log of its training: give the model's "
                "directory",
                models->loaded[i].files.path);
    return 0;
}

/* For the links, the test set is read once more; the links themselves, for each model. */
static int expect_files(const struct models *models, const struct report_settings *s, struct err *err)
{
    const struct pair_files set = s->source ? (struct pair_files){s->source, s->references.items[0], NULL}
                                            : pair_files_of(&models->loaded[0].config.data.test),
                            links = {s->links, s->links, NULL};
    if (!s->links)
        return 0;
    if ((set.source || set.tsv) && pair_files_are_streams(&set))
        return err_set(err, "with --links, the test set is read twice, which a pipe or standard input does "
                            "not allow");
    if (models->count > 1 && pair_files_are_streams(&links))
        return err_set(err, "of several models, each reads --links, which a pipe or standard input does not "
                            "allow");
    return 0;
}

/* Writes the page and prints its path. */
static int write_page(const struct models *models, const struct report_settings *s, struct err *err)
{
    char *path = report_models(models, s, err);
    if (path && !(s->output && is_standard_output(path)))
        output_addf("%s\n", path);
    const int status = path ? 0 : -1;
    xfree(path);
    return status;
}

int cmd_report(int argc, char **argv)
{
    struct report_settings s = {.threads = 0};
    struct string_list given = {{NULL}, 0};
    const char *csv = NULL;
    const struct option_spec options[] = {
        MODEL_DIRS_OPTION(&given, "are compared"),
        {"output", 'o', OPTION_STRING, &s.output, "FILE",
         "the page to write (default: report.html in the model directory)", 0, 0},
        {"csv", 0, OPTION_STRING, &csv, "FILE",
         "instead of the page, write the learning curves as a table (columns: configs/output.md)", 0, 0},
        {"source", 's', OPTION_STRING, &s.source, "FILE",
         "text to translate (default: the test set of the first model's config)", 0, 0},
        {"reference", 'r', OPTION_LIST, &s.references, "FILE", "its reference translation; may be repeated",
         0, 0},
        {"links", 0, OPTION_STRING, &s.links, "FILE",
         "correct word links of the test set, as for nmt align --links; adds the alignment error rate", 0, 0},
        THREADS_OPTION(&s.threads),
        {NULL, 0, OPTION_FLAG, NULL, NULL, NULL, 0, 0},
    };
    const struct command_help help = {
        "nmt report [--model DIR]... [--output FILE] [options]",
        "Writes a page that opens in any browser: what was trained on what, learning curves, test scores, "
        "BLEU by sentence length, the best and the worst sentences, and the attention of the worst. For "
        "several models, it shows where they differ. nmt train writes the first part after each validation."};
    PARSE_OR_RETURN(argc, argv, options, &help);
    const char *wrong = NULL;
    if (!s.source != !s.references.count)
        wrong = "--source and --reference need each other";
    else if (given.count > REPORT_MOST_MODELS)
        wrong = "a report compares at most 8 models";
    else if (csv && (s.output || s.source || s.links))
        wrong = "--csv excludes --output, --source, --reference and --links";
    else if (given.count > 1 && !s.output && !csv)
        wrong = "a report of several models needs --output or --csv";
    if (wrong)
        return wrong_use(&help, wrong);
    struct err err;
    struct models models;
    const struct string_list no_settings = {{NULL}, 0};
    if (models_open(&models, &given, &no_settings, &err))
        return fail(&err);
    int status = expect_directories(&models, &err) || expect_files(&models, &s, &err)
                     ? fail(&err)
                     : check_files(&s, csv, &models);
    if (status == EXIT_DONE && (csv ? report_curves(&models, csv, &err) : write_page(&models, &s, &err)))
        status = fail(&err);
    models_close(&models);
    return status;
}
