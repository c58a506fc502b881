/* nmt tokenize, nmt detokenize: converts text to a model's tokens, and back. */
#include "commands.h"
#include "file_uses.h"
#include "fileio.h"
#include "lines.h"
#include "log.h"
#include "mem.h"
#include "model_dir.h"
#include "output.h"
#include "parseopt.h"
#include "plural.h"
#include "shared_options.h"

#include <stdlib.h>
#include <string.h>

struct settings {
    const char *model, *input;
    int side; /* SOURCE or TARGET */
    bool words;
};

typedef void line_function(struct strbuf *out, const struct tokenizer *tokenizer, const char *text,
                           size_t bytes);

/* Opens the chosen model, without its weights. */
static int open_model(struct model_files *files, const char *given, struct err *err)
{
    char *path = model_dir_choose(given, err);
    if (!path)
        return -1;
    const int status = model_dir_open(files, path, false, err);
    xfree(path);
    return status ? model_dir_name_variable(given, err) : 0;
}

static int load_words(struct language_pair *pair, struct config *config, const struct model_files *files,
                      const char *given, struct err *err)
{
    if (model_dir_config(config, files, err) || language_pair_load(pair, config, files, err))
        return model_dir_name_variable(given, err);
    log_info("model: %s", files->path);
    return 0;
}

static int convert_lines(struct reader *reader, line_function *function, const struct tokenizer *tokenizer,
                         struct err *err)
{
    struct strbuf line, valid, out;
    strbuf_init(&line);
    strbuf_init(&valid);
    strbuf_init(&out);
    long repaired = 0;
    int status;
    while ((status = reader_line(reader, &line, err)) > 0) {
        if (encoding_check(&line, reader->path, reader->line, err)) {
            status = -1;
            break;
        }
        strbuf_reset(&valid);
        strbuf_reset(&out);
        repaired += utf8_repair(&valid, line.text, line.length) > 0;
        function(&out, tokenizer, valid.text, valid.length);
        strbuf_addch(&out, '\n');
        output_add(out.text, out.length);
        if (reader_has_line(reader) ? output_check(err) : output_flush(err)) {
            status = -1;
            break;
        }
    }
    if (repaired)
        log_warn("%ld line%s not valid UTF-8; U+FFFD put in", repaired, plural((double)repaired));
    strbuf_release(&line);
    strbuf_release(&valid);
    strbuf_release(&out);
    return status;
}

static int convert_input(const struct settings *s, const struct model_files *files, line_function *function,
                         struct err *err)
{
    struct config config;
    struct language_pair pair;
    struct reader reader;
    config_init(&config);
    int status = load_words(&pair, &config, files, s->model, err);
    if (!status) {
        status = reader_open(&reader, s->input, err);
        if (!status) {
            reader.cuts = true;
            status = convert_lines(&reader, function, &pair.tokenizer[s->side], err);
            reader_warn_cut(&reader);
            reader_close(&reader);
        }
        language_pair_release(&pair);
    }
    config_release(&config);
    return status;
}

static int check_files(const struct settings *s, const struct model_files *files)
{
    struct file_uses uses = {.count = 0};
    file_uses_input(&uses, s->input, "--input");
    file_uses_model(&uses, files);
    file_uses_standard_output(&uses);
    return file_uses_check(&uses);
}

static int command(int argc, char **argv, line_function *function, line_function *words,
                   const struct command_help *help)
{
    struct settings s = {.input = "-"};
    const struct option_spec options[] = {
        MODEL_OPTION(&s.model),
        INPUT_OPTION(&s.input),
        {"side", 0, OPTION_CHOICE, &s.side, "source|target", "whose text it is (default: source)", 0, 0},
        {"words", 'w', OPTION_FLAG, &s.words, NULL, "words only, without subwords", 0, 0},
        {NULL, 0, OPTION_FLAG, NULL, NULL, NULL, 0, 0},
    };
    PARSE_OR_RETURN(argc, argv, options, help);
    struct err err;
    struct model_files files;
    if (open_model(&files, s.model, &err))
        return fail(&err);
    int status = check_files(&s, &files);
    if (status == EXIT_DONE && convert_input(&s, &files, s.words ? words : function, &err))
        status = fail(&err);
    model_files_close(&files);
    return status;
}

int cmd_tokenize(int argc, char **argv)
{
    const struct command_help help = {"nmt tokenize [--model MODEL] [--side source|target] < text",
                                      "Prints each line as the model sees it: words in subwords."};
    return command(argc, argv, tokenizer_split, tokenizer_words, &help);
}

int cmd_detokenize(int argc, char **argv)
{
    const struct command_help help = {"nmt detokenize [--model MODEL] [--side source|target] < tokens",
                                      "Turns what nmt tokenize printed back into text."};
    return command(argc, argv, tokenizer_text, tokenizer_join, &help);
}
