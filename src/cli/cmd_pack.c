/* nmt pack: writes a model as one file. */
#include "commands.h"
#include "file_uses.h"
#include "fileio.h"
#include "log.h"
#include "names.h"
#include "network_check.h"
#include "pack.h"
#include "pair_options.h"
#include "parseopt.h"
#include "utf8_check.h"

#include <stdio.h>
#include <string.h>

struct settings {
    const char *model, *output, *license_file;
    struct pack_options about;
    bool shortlist;
    struct pair_files text; /* that it is learned from; all NULL: the training text */
    struct string_list settings;
};

/* ---- the user's words ---- */

/* Is it valid text of one line, or of several? */
static bool is_text(const char *text, bool lines)
{
    for (const char *c = text; *c; c++)
        if (utf8_control(c) && !(lines && strchr("\t\n\r\f", *c)))
            return false;
    return utf8_valid(text);
}

static const char *wrong_words(const struct pack_options *about)
{
    if (about->name && !is_text(about->name, false))
        return "option '--name' must be a line of text";
    if (about->author && !is_text(about->author, false))
        return "option '--author' must be a line of text";
    return about->license && !is_text(about->license, true) ? "option '--license' must be text" : NULL;
}

static int load_license(struct strbuf *text, const char *path, struct err *err)
{
    if (file_slurp(text, path, err))
        return -1;
    return strlen(text->text) == text->length && is_text(text->text, true)
               ? 0
               : err_set(err, "cannot read '%s': not a text in UTF-8", file_shown_name(path));
}

/* ---- the model ---- */

/* Sets keys that a packed file keeps and that change no number of the network. */
static int apply_settings(struct loaded_model *loaded, const struct string_list *settings, struct err *err)
{
    static const char *const settable[] = {"decoding.", "data.source_language=", "data.target_language="};
    struct config *config = &loaded->config;
    for (int i = 0; i < settings->count; i++) {
        bool allowed = false;
        for (size_t k = 0; k < sizeof settable / sizeof settable[0]; k++)
            allowed |= !strncmp(settings->items[i], settable[k], strlen(settable[k]));
        if (!allowed)
            return err_set(err,
                           "cannot set '%s': only keys of 'decoding', 'data.source_language' and "
                           "'data.target_language' can be set here",
                           settings->items[i]);
        if (config_set(config, settings->items[i], err))
            return -1;
    }
    return network_check(config, err) || language_pair_set_tag(&loaded->pair, config, err) ? -1 : 0;
}

#define OTHER_TEXT "give text with --source and --target, or --pairs"

/* Gives the model a new shortlist. */
static int learn_shortlist(struct loaded_model *loaded, const struct pair_files *text, struct err *err)
{
    struct shortlist learned;
    const bool named = !pair_files_wrong(text);
    if (!named && !config_train_file(&loaded->config, 0))
        return err_set(err,
                       "cannot learn a shortlist for '%s': a packed file names no training text: " OTHER_TEXT,
                       loaded->files.path);
    if (shortlist_learn(&learned, &loaded->pair, &loaded->config, named ? text : NULL, err))
        return named ? -1 : err_set(err, "%s: to learn a shortlist, " OTHER_TEXT, err->text);
    shortlist_release(&loaded->shortlist);
    loaded->shortlist = learned;
    log_info("shortlist: %.1f target words for a source word", shortlist_mean(&learned));
    return 0;
}

static int write_packed(const struct settings *s, struct loaded_model *loaded, struct err *err)
{
    struct pack_options about = s->about;
    struct strbuf license;
    size_t bytes = 0;
    strbuf_init(&license);
    int status = apply_settings(loaded, &s->settings, err);
    if (!status && s->shortlist)
        status = learn_shortlist(loaded, &s->text, err);
    if (!status && s->license_file)
        status = load_license(&license, s->license_file, err);
    if (s->license_file)
        about.license = license.text;
    if (!status)
        status = pack_size(&bytes, loaded, &about, err);
    if (!status)
        status = pack_write(loaded, &about, s->output, err);
    if (!status)
        log_info("packed: %s, %s, %.2f MiB", is_standard_output(s->output) ? "standard output" : s->output,
                 precision_kinds[about.precision].name, (double)bytes / 1048576);
    strbuf_release(&license);
    return status;
}

static int check_files(const struct settings *s, const struct loaded_model *loaded)
{
    struct file_uses uses = {.count = 0};
    file_uses_model(&uses, &loaded->files);
    file_uses_input(&uses, s->license_file, "--license-file");
    file_uses_pair(&uses, &s->text);
    for (int i = 0; s->shortlist && pair_files_wrong(&s->text) && config_train_file(&loaded->config, i); i++)
        file_uses_input(&uses, config_train_file(&loaded->config, i), "training text");
    file_uses_output(&uses, s->output, "--output");
    return file_uses_check(&uses);
}

int cmd_pack(int argc, char **argv)
{
    struct settings s = {.model = NULL};
    int precision = -1; /* not given */
    const struct option_spec options[] = {
        {"model", 'm', OPTION_OPERAND, &s.model, "MODEL",
         "model directory, or a packed file to repack (default: $NMT_MODEL, else the last one trained)", 0,
         0},
        {"output", 'o', OPTION_STRING, &s.output, "FILE", "the packed file, such as en-fr.nmt", 0, 0},
        {"precision", 0, OPTION_CHOICE, &precision, &(PRECISION_LIST(NAMES_BAR))[1],
         "precision of the weights (default: as they are): float16 has half the size, int8 a quarter", 0, 0},
        {"shortlist", 0, OPTION_FLAG, &s.shortlist, NULL,
         "learn which target words may translate a source word, so that only these are compared: from the "
         "training text, or from:",
         0, 0},
        PAIR_OPTIONS(s.text),
        {"name", 0, OPTION_STRING, &s.about.name, "TEXT", "name of the model", 0, 0},
        {"author", 0, OPTION_STRING, &s.about.author, "TEXT", "its author", 0, 0},
        {"license", 0, OPTION_STRING, &s.about.license, "TEXT", "its license, such as CC-BY-4.0", 0, 0},
        {"license-file", 0, OPTION_STRING, &s.license_file, "FILE",
         "or a file with the full text of the license", 0, 0},
        {"set", 'S', OPTION_LIST, &s.settings, "KEY=VALUE",
         "override a key of 'decoding', data.source_language or data.target_language", 0, 0},
        {NULL, 0, OPTION_FLAG, NULL, NULL, NULL, 0, 0},
    };
    const struct command_help help = {"nmt pack [MODEL] --output FILE [options]",
                                      "Writes everything that translation needs of a model into one file, "
                                      "which other commands take as --model."};
    PARSE_OR_RETURN(argc, argv, options, &help);
    const char *wrong = wrong_words(&s.about);
    const bool text = s.text.source || s.text.target || s.text.tsv;
    if (!s.output)
        wrong = "option '--output' is missing";
    else if (text && !s.shortlist)
        wrong = "--source, --target and --pairs need --shortlist";
    else if (text && pair_files_wrong(&s.text))
        wrong = pair_files_wrong(&s.text);
    else if (s.about.license && s.license_file)
        wrong = "--license and --license-file exclude each other";
    if (wrong)
        return wrong_use(&help, wrong);
    struct err err;
    struct loaded_model loaded;
    if (loaded_model_choose(&loaded, s.model, &err))
        return fail(&err);
    s.about.precision = precision < 0 ? loaded_model_precision(&loaded) : (enum precision)precision;
    int status = check_files(&s, &loaded);
    if (status == EXIT_DONE && write_packed(&s, &loaded, &err))
        status = fail(&err);
    loaded_model_close(&loaded);
    return status;
}
