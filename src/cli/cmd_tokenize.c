/* nmt tokenize, nmt detokenize: converts text to a model's tokens, and back. */
#include "commands.h"
#include "file_uses.h"
#include "fileio.h"
#include "log.h"
#include "mem.h"
#include "model_dir.h"
#include "output.h"
#include "parseopt.h"
#include "plural.h"

#include <stdlib.h>
#include <string.h>

struct settings {
    const char *model, *input;
    bool target, words;
};

typedef void line_function(struct strbuf *out, const struct tokenizer *tokenizer, const char *text,
                           size_t bytes);

static int convert_input(const struct settings *s, line_function *function, struct err *err)
{
    char *dir = model_dir_choose(s->model, err);
    if (!dir)
        return -1;
    struct config config;
    struct language_pair pair;
    struct reader reader;
    struct strbuf line, valid, out;
    config_init(&config);
    int status = model_dir_config(&config, dir, err);
    if (!status)
        status = language_pair_load(&pair, &config, dir, err);
    if (!status) {
        log_info("model: %s", dir);
        strbuf_init(&line);
        strbuf_init(&valid);
        strbuf_init(&out);
        status = reader_open(&reader, s->input, err);
        reader.cuts = true;
        long repaired = 0;
        while (!status && (status = reader_line(&reader, &line, err)) > 0) {
            strbuf_reset(&valid);
            strbuf_reset(&out);
            repaired += utf8_repair(&valid, line.text, line.length) > 0;
            function(&out, &pair.tokenizer[s->target ? TARGET : SOURCE], valid.text, valid.length);
            strbuf_addch(&out, '\n');
            output_add(out.text, out.length);
            status = reader_has_line(&reader) ? output_check(err) : output_flush(err);
        }
        if (repaired)
            log_warn("%ld line%s not valid UTF-8; U+FFFD put in", repaired, plural((double)repaired));
        reader_warn_cut(&reader);
        if (reader.path)
            reader_close(&reader);
        strbuf_release(&line);
        strbuf_release(&valid);
        strbuf_release(&out);
        language_pair_release(&pair);
    }
    config_release(&config);
    xfree(dir);
    return status;
}

static int command(int argc, char **argv, line_function *function, line_function *words,
                   const struct command_help *help)
{
    struct settings s = {.input = "-"};
    const struct option_spec options[] = {
        {"model", 'm', OPTION_STRING, &s.model, "DIR",
         "model directory (default: $NMT_MODEL, else the last one trained)", 0, 0},
        {"input", 'i', OPTION_STRING, &s.input, "FILE", "read FILE instead of standard input", 0, 0},
        {"target", 0, OPTION_FLAG, &s.target, NULL, "text of the target language (default: source)", 0, 0},
        {"words", 'w', OPTION_FLAG, &s.words, NULL, "words only, without subwords", 0, 0},
        {NULL, 0, OPTION_FLAG, NULL, NULL, NULL, 0, 0},
    };
    PARSE_OR_RETURN(argc, argv, options, help);
    struct file_uses uses = {.count = 0};
    file_uses_input(&uses, s.input, "--input");
    file_uses_standard_output(&uses);
    if (file_uses_check(&uses) != EXIT_DONE)
        return EXIT_WRONG_USE;
    struct err err;
    return convert_input(&s, s.words ? words : function, &err) ? fail(&err) : EXIT_DONE;
}

static void join_words(struct strbuf *out, const struct tokenizer *tokenizer, const char *text, size_t bytes)
{
    detokenize(out, text, bytes, tokenizer->kind);
}

int cmd_tokenize(int argc, char **argv)
{
    const struct command_help help = {"nmt tokenize [--model DIR] [--target] < text",
                                      "Prints each line as the model sees it: words in subwords."};
    return command(argc, argv, tokenizer_split, tokenizer_words, &help);
}

int cmd_detokenize(int argc, char **argv)
{
    const struct command_help help = {"nmt detokenize [--model DIR] [--target] < tokens",
                                      "Turns what nmt tokenize printed back into text."};
    return command(argc, argv, tokenizer_text, join_words, &help);
}
