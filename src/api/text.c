/* Single lines: tokens and text. */
#include "host_lines.h"
#include "log.h"
#include "mem.h"
#include "model.h"
#include "translator.h"
#include "utf8_check.h"

/* From text to tokens or back. */
typedef void convert_function(struct strbuf *out, const struct tokenizer *tokenizer, const char *text,
                              size_t bytes);

struct conversion {
    const struct nmt_translator *translator;
    enum nmt_side side;
    const char *line;
    convert_function *function;
    char *converted;
};

static enum nmt_error_code convert(void *context, struct err *err)
{
    struct conversion *conversion = context;
    const struct nmt_translator *translator = conversion->translator;
    if (!conversion->line)
        return wrong_use(err, "no line given");
    if (conversion->side != NMT_SOURCE && conversion->side != NMT_TARGET)
        return wrong_use(err, "side is %d, must be NMT_SOURCE or NMT_TARGET", (int)conversion->side);
    struct tokenizer tokenizer =
        model_ensemble(translator->model)->pair->tokenizer[conversion->side == NMT_SOURCE ? SOURCE : TARGET];
    if (conversion->side == NMT_SOURCE)
        tokenizer.tag = translator->options.translate.tag;
    struct strbuf line, valid, out;
    strbuf_init(&line);
    strbuf_init(&valid);
    strbuf_init(&out);
    const enum nmt_error_code wrong = host_line(&line, conversion->line, "the line", err);
    if (!wrong && utf8_repair(&valid, line.text, line.length))
        log_warn("not valid UTF-8; U+FFFD put in");
    if (!wrong)
        conversion->function(&out, &tokenizer, valid.text, valid.length);
    strbuf_release(&line);
    strbuf_release(&valid);
    if (wrong)
        strbuf_release(&out);
    else
        conversion->converted = strbuf_detach(&out);
    return wrong;
}

static char *converted(struct nmt_translator *translator, enum nmt_side side, const char *line,
                       convert_function *function)
{
    struct conversion conversion = {translator, side, line, function, NULL};
    return translator_call(translator, false, convert, &conversion) ? NULL : conversion.converted;
}

EXPORT char *nmt_tokenize(struct nmt_translator *translator, enum nmt_side side, const char *line)
{
    return converted(translator, side, line, tokenizer_split);
}

EXPORT char *nmt_detokenize(struct nmt_translator *translator, enum nmt_side side, const char *tokens)
{
    return converted(translator, side, tokens, tokenizer_text);
}

EXPORT void nmt_free(char *text)
{
    xfree(text);
}

EXPORT const char *nmt_version(void)
{
    return NMT_VERSION;
}
