/* Finds the parts of lines and reads them as tokens. Where sentences end, and where they may be divided, is
 * known to text (splitter.h); batches of parts are made in inputs.c. */
#include "line_parts.h"

#include "judge.h"
#include "mem.h"
#include "parts_text.h"
#include "unseen.h"

#include <string.h>

/* ---- reading ---- */

/* Appends tokens, with one blank between them. */
static void add_tokens(struct strbuf *subwords, const char *tokens, size_t bytes)
{
    size_t at = 0, length;
    for (const char *token; (token = next_word(tokens, bytes, &at, &length));) {
        if (subwords->length)
            strbuf_addch(subwords, ' ');
        strbuf_add(subwords, token, length);
    }
}

/* Appends the subwords and the ids of valid text. */
static void read_text(const struct splitting *s, struct strbuf *subwords, struct ids *ids,
                      const struct tokenizer *tokenizer, const char *text, size_t bytes,
                      const struct protection *protection)
{
    if (s->translator->options.tokens)
        add_tokens(subwords, text, bytes);
    else if (s->scored || !utf8_blank(text, bytes)) /* for a tokenizer, a no-break space and a tag are text */
        tokenizer_split_around(subwords, tokenizer, text, bytes, protection);
    tokenizer_ids(ids, tokenizer, subwords->text, subwords->length);
}

/* Does a word of a text begin with this apostrophe, which then closes a quotation at its end? */
static bool opens(const struct strbuf *text, size_t end, int32_t apostrophe)
{
    int32_t code, before = ' ';
    for (size_t at = 0, used; at < end; at += used, before = code) {
        used = utf8_decode(text->text + at, end - at, &code);
        if (code == apostrophe && utf8_class_of(before) != UTF8_LETTER)
            return true;
    }
    return false;
}

/* Is the last character of a prefix a sign of a script with blanks, which may touch what comes next? */
static bool ends_with_sign(const struct splitting *s)
{
    const struct protection *strings = &s->protection[TARGET];
    const struct strbuf *text = &s->target;
    int32_t last;
    const size_t used = text->length ? utf8_decode_before(text->text, text->length, &last) : 0;
    return used && utf8_class_of(last) == UTF8_SYMBOL && !utf8_unspaced(last) &&
           !(seen_words_is_apostrophe(last) && opens(text, text->length - used, last)) &&
           !(strings->count && strings->items[strings->count - 1].span.end == text->length);
}

/* Are the tokens, of which only the end is another one, more frequent? */
static bool is_likelier(const struct ids *ids, const struct ids *than)
{
    const size_t last = ids->count - 1;
    if (ids->count != than->count)
        return ids->count < than->count && ids->items[last] != VOCAB_UNKNOWN;
    return !memcmp(ids->items, than->items, last * sizeof *ids->items) && ids->items[last] != VOCAB_UNKNOWN &&
           (than->items[last] == VOCAB_UNKNOWN || ids->items[last] < than->items[last]);
}

/* Behind its last sign a prefix goes on without a blank, if the training text (with model.tie all, that of
 * both languages) does so more often: "l'" and "(", but not "fin.". */
static void add_joiner_if_likelier(struct splitting *s, struct input *input,
                                   const struct tokenizer *tokenizer)
{
    struct strbuf words, subwords;
    struct ids ids = {.count = 0};
    strbuf_init(&words);
    strbuf_init(&subwords);
    tokenizer_words_around(&words, tokenizer, s->target.text, s->target.length, &s->protection[TARGET]);
    strbuf_adds(&words, TOKENIZE_JOINER);
    tokenizer_subwords(&subwords, tokenizer, words.text, words.length, NULL);
    tokenizer_ids(&ids, tokenizer, subwords.text, subwords.length);
    if (is_likelier(&ids, &input->target_ids)) {
        strbuf_reset(&input->target);
        strbuf_add(&input->target, subwords.text, subwords.length);
        ids_release(&input->target_ids);
        input->target_ids = ids;
    } else
        ids_release(&ids);
    strbuf_release(&words);
    strbuf_release(&subwords);
}

static void read_target(struct splitting *s, struct input *input)
{
    const struct tokenizer *tokenizer = &s->translator->ensemble->pair->tokenizer[TARGET];
    read_text(s, &input->target, &input->target_ids, tokenizer, s->target.text, s->target.length,
              &s->protection[TARGET]);
    const bool marks = tokenizer->kind == TOKENIZE_UNICODE || tokenizer->kind == TOKENIZE_SCRIPT;
    if (!s->scored && !s->translator->options.tokens && marks && !tokenizer->reversed && ends_with_sign(s))
        add_joiner_if_likelier(s, input, tokenizer);
}

/* Finds the strings of a part and the target that placeholders stand for. */
static void protect(struct splitting *s, const char *text, size_t bytes)
{
    const struct protect *kinds = &s->translator->source.protect;
    const struct strbuf *target = &s->target;
    if (s->scored) {
        protect_pair(s->protection, kinds, (const char *const[SIDES]){text, target->text},
                     (const size_t[SIDES]){bytes, target->length});
        return;
    }
    protect_source(&s->protection[SOURCE], kinds, text, bytes);
    protect_prefix(&s->protection[TARGET], &s->protection[SOURCE], text, kinds, target->text, target->length);
}

/* No end tag comes before its start tag, as the words of the translation are made. */
static void order_tags(struct input *input, const struct splitting *s, const char *text)
{
    int *first = input->first_placeholders, starts[PLACEHOLDERS];
    if (s->translator->options.tokens)
        return;
    protect_find_starts(starts, &s->protection[SOURCE], text);
    for (int i = 0; i < PLACEHOLDERS; i++)
        if (starts[i] && s->translator->ensemble->pair->tokenizer[TARGET].reversed)
            first[starts[i] - 1] = i + 1;
        else if (starts[i])
            first[i] = starts[i];
}

static bool is_small_letter(int32_t code)
{
    return utf8_case_of(code) == UTF8_LOWER;
}

/* A prefix in capitals, of a part that was read from capitals, is read as one in usual case; its protected
 * strings stay. True if it has small letters, and so stays as it is. */
static bool lower_prefix(struct splitting *s, const char *text, size_t bytes)
{
    const enum casing casing = s->translator->ensemble->pair->casing[TARGET];
    const struct protection *strings = &s->protection[TARGET];
    const struct strbuf *target = &s->target;
    struct strbuf lower;
    bool small = false;
    size_t at = 0;
    strbuf_init(&lower);
    protect(s, text, bytes);
    for (int i = 0; i <= strings->count; i++) {
        const struct span none = {target->length, target->length},
                          string = i < strings->count ? strings->items[i].span : none;
        small |= utf8_has(target->text + at, string.begin - at, is_small_letter);
        casing_lower(&lower, casing, target->text + at, string.begin - at);
        strbuf_add(&lower, target->text + string.begin, string.end - string.begin);
        at = string.end;
    }
    if (!small) {
        const bool begins_so = strings->count && !strings->items[0].span.begin;
        strbuf_reset(&s->target);
        if (begins_so ||
            s->translator->ensemble->pair->tokenizer[TARGET].reversed) /* then it ends the line */
            strbuf_add(&s->target, lower.text, lower.length);
        else
            casing_capitalize(&s->target, casing, lower.text, lower.length);
    }
    strbuf_release(&lower);
    return small;
}

/* Copies what is not translated. Blanks become spaces, but for tabs. */
static char *copy_text(const struct splitting *s, const char *text, size_t bytes)
{
    struct strbuf copy;
    strbuf_init(&copy);
    for (size_t at = 0, used; at < bytes; at += used) {
        int32_t code;
        used = utf8_decode(text + at, bytes - at, &code);
        if (code != '\t' && utf8_class_of(code) == UTF8_BLANK)
            strbuf_addch(&copy, ' ');
        else if (code == '\t' || !utf8_control(text + at))
            copied_text_add(&copy, &s->translator->zeros, text + at, used);
    }
    return strbuf_detach(&copy);
}

/* May the text of a part be its own translation: is none given or begun? */
static bool may_be_copied(const struct splitting *s, const char *text, size_t bytes)
{
    return s->translator->source.protect.kinds && !s->translator->options.tokens && !s->has_target &&
           !utf8_blank(text, bytes);
}

/* Has it a letter that is in none of the protected strings? */
static bool has_open_letter(const struct protection *protection, const char *text, size_t bytes)
{
    size_t at = 0;
    bool has = false;
    for (int i = 0; i < protection->count && !has; i++) {
        const struct span span = protection->items[i].span;
        has = utf8_has_letter(text + at, span.begin - at);
        at = span.end;
    }
    return has || utf8_has_letter(text + at, bytes - at);
}

static void copy_part(const struct splitting *s, struct input *input, const char *text, size_t bytes)
{
    const struct span span = utf8_trim(text, bytes);
    input->copied = copy_text(s, text + span.begin, span.end - span.begin);
}

/* The same where the copy is the text to the byte, but for blanks at its end, so that tags in it keep their
 * places; else false. */
static bool copy_same(const struct splitting *s, struct input *input, const char *text, size_t bytes)
{
    copy_part(s, input, text, bytes);
    const size_t copied = strlen(input->copied);
    if (copied == utf8_trim(text, bytes).end && !memcmp(input->copied, text, copied))
        return true;
    xfree(input->copied);
    input->copied = NULL;
    return false;
}

/* Has a part, beside its protected strings, a term of the glossary that the model can write? */
static bool has_terms(const struct splitting *s, const char *text, size_t bytes)
{
    const struct tokenizer *tokenizer = &s->translator->source;
    struct term_match matches[MOST_PHRASES];
    struct strbuf subwords;
    if (!s->translator->options.glossary)
        return false;
    strbuf_init(&subwords);
    tokenizer_split_around(&subwords, tokenizer, text, bytes, &s->protection[SOURCE]);
    const size_t count = terms_find(matches, &s->translator->terms, &subwords, tokenizer->tag != NULL, false);
    strbuf_release(&subwords);
    return terms_are_known(&s->translator->terms, matches, count);
}

/* Copies a part of signs, or of protected strings and signs, if it is its own translation; else false. What
 * was lowered to be read is copied as it is written, but for pieces of a sentence. */
static bool copy_untranslated(const struct splitting *s, struct input *input, const char *text, size_t bytes)
{
    const bool letters = utf8_has_letter(text, bytes), lowered = input->written != CASE_USUAL;
    if ((letters && ((lowered && input->divided) || s->translator->options.dictionary_words ||
                     has_open_letter(&s->protection[SOURCE], text, bytes))) ||
        has_terms(s, text, bytes))
        return false;
    if (letters && lowered)
        return copy_same(s, input, s->valid.text + s->written.begin, s->written.end - s->written.begin);
    if (letters)
        return copy_same(s, input, text, bytes);
    copy_part(s, input, text, bytes);
    return true;
}

/* Reads the text of a part; with the line's first one, the target. */
static void read_part(struct splitting *s, struct input *input, const char *text, size_t bytes)
{
    const bool capitals = input->written == CASE_UPPER;
    if (capitals && s->has_target && input->part == s->first)
        input->small_prefix = lower_prefix(s, text, bytes);
    protect(s, text, bytes);
    if (may_be_copied(s, text, bytes) && copy_untranslated(s, input, text, bytes))
        return;
    order_tags(input, s, text);
    if (judges_are_open(s->translator->options.judges) && !capitals) /* given text is read as it is written */
        strbuf_add(&input->judged, text, bytes);
    unseen_replace(&s->protection[SOURCE], &s->replacements,
                   &(struct replacing){&s->translator->options, s->translator->ensemble->pair,
                                       &s->translator->user_words, &s->translator->zeros,
                                       s->valid.text + s->written.begin, s->written.end - s->written.begin,
                                       input->written == CASE_USUAL ? NULL : s->usual.text, capitals},
                   text, bytes);
    if (s->has_target && !s->scored && input->part == s->first)
        protect_replacements(&s->protection[TARGET], &s->protection[SOURCE],
                             s->translator->ensemble->pair->casing[TARGET], capitals, s->target.text,
                             s->target.length);
    read_text(s, &input->subwords, &input->ids, &s->translator->source, text, bytes, &s->protection[SOURCE]);
    if (s->has_target && input->part == s->first)
        read_target(s, input);
}

/* ---- parts ---- */

void input_release(struct input *input)
{
    strbuf_release(&input->subwords);
    strbuf_release(&input->judged);
    strbuf_release(&input->target);
    ids_release(&input->ids);
    ids_release(&input->target_ids);
    xfree(input->between);
    xfree(input->copied);
}

static struct input *new_input(struct splitting *s)
{
    struct inputs *inputs = s->inputs;
    GROW(inputs->items, inputs->count + 1, inputs->capacity);
    struct input *input = &inputs->items[inputs->count];
    memset(input, 0, sizeof *input);
    strbuf_init(&input->subwords);
    strbuf_init(&input->judged);
    strbuf_init(&input->target);
    input->line = s->line;
    input->part = (int)inputs->count++;
    input->repaired = s->repaired;
    return input;
}

/* Sets what comes between two parts of a text. */
static void set_between(struct input *input, const struct splitting *s, const struct strbuf *text,
                        size_t from, size_t to)
{
    input->between = copy_text(s, text->text + from, to - from);
    input->joined = s->translator->options.tokens
                        ? bpe_is_continued(text->text, from)
                        : from == to && parts_are_joined(text->text, text->length, to);
}

/* Adds a sentence of the line, in its usual case if that is known and wanted. `before`: the one before it, or
 * NULL. */
static struct input *add_sentence(struct splitting *s, struct span sentence, const struct span *before)
{
    const struct language_pair *pair = s->translator->ensemble->pair;
    const char *text = s->valid.text + sentence.begin;
    size_t bytes = sentence.end - sentence.begin;
    struct input *input = new_input(s);
    s->written = sentence;
    if (before)
        set_between(input, s, &s->valid, before->end, sentence.begin);
    if (s->recases)
        input->written = truecaser_case(&pair->truecaser, &pair->seen, text, bytes);
    if (input->written != CASE_USUAL) {
        strbuf_reset(&s->usual);
        const bool title = input->written == CASE_TITLE;
        truecaser_apply(&s->usual, &pair->truecaser, &pair->seen, title, text, bytes);
        text = s->usual.text;
        bytes = s->usual.length;
    }
    read_part(s, input, text, bytes);
    return input;
}

static void find_pieces(struct spans *pieces, const struct splitting *s, const struct strbuf *text,
                        struct span sentence)
{
    if (s->translator->options.tokens)
        tokens_divide(pieces, text->text, sentence, s->limit.most);
    else
        sentence_divide(pieces, &s->limit, text->text, sentence);
}

/* Divides the sentence that was added last, as it was read. */
static void divide(struct splitting *s, struct span sentence)
{
    struct spans pieces = {.count = 0};
    struct input whole = s->inputs->items[--s->inputs->count];
    const struct strbuf *text = whole.written == CASE_USUAL ? &s->valid : &s->usual;
    find_pieces(&pieces, s, text, text == &s->valid ? sentence : (struct span){0, text->length});
    for (size_t i = 0; i < pieces.count; i++) {
        const struct span piece = pieces.items[i];
        struct input *input = new_input(s);
        input->written = whole.written;
        input->divided = true;
        if (i) {
            set_between(input, s, text, pieces.items[i - 1].end, piece.begin);
        } else {
            input->between = whole.between;
            input->joined = whole.joined;
            whole.between = NULL;
        }
        read_part(s, input, text->text + piece.begin, piece.end - piece.begin);
        if (!i)
            input->small_prefix = whole.small_prefix; /* by now, the prefix is in its usual case */
    }
    spans_release(&pieces);
    input_release(&whole);
}

/* Adds a sentence, in pieces if it is too long; true if it is. */
static bool add_divided(struct splitting *s, struct span sentence, const struct span *before)
{
    const bool divided = add_sentence(s, sentence, before)->ids.count > s->now.limit && !s->scored;
    if (divided)
        divide(s, sentence);
    return divided;
}

/* A line of one sentence is read as it is, with the blanks around it. */
static void add_sentences(struct splitting *s)
{
    const struct sentence_rules rules = {s->now.sentences ? s->limit.splitter : NULL,
                                         s->translator->source.protect.kinds, .limit = NULL};
    struct spans sentences = {.count = 0};
    bool divided = false;
    sentences_split(&sentences, &rules, s->valid.text, s->valid.length);
    if (sentences.count < 2)
        divided = add_divided(s, (struct span){0, s->valid.length}, NULL);
    for (size_t i = 0; sentences.count > 1 && i < sentences.count; i++)
        divided |= add_divided(s, sentences.items[i], i ? &sentences.items[i - 1] : NULL);
    spans_release(&sentences);
    s->translator->divided_lines += divided;
}

/* ---- lines ---- */

/* Sets `valid` to the line; true if it was not UTF-8. */
static bool repair(struct strbuf *valid, const struct lines *lines, int i)
{
    strbuf_reset(valid);
    return utf8_repair(valid, lines->text[i], lines->bytes[i]) > 0;
}

void splitting_add_line(struct splitting *s, int line, const struct lines *lines, const struct lines *targets)
{
    s->line = line;
    s->first = (int)s->inputs->count;
    s->repaired = repair(&s->valid, lines, line);
    strbuf_reset(&s->target);
    if (targets)
        s->repaired |= repair(&s->target, targets, line);
    s->translator->repaired_lines += s->repaired;
    s->has_target = targets && (s->scored || !utf8_blank(s->target.text, s->target.length));
    s->now = s->has_target ? s->forced : s->free;
    add_sentences(s);
}

static struct line_splitting splitting_of(const struct splitting *s, bool target)
{
    const struct translate_options *options = &s->translator->options;
    const struct language_pair *pair = s->translator->ensemble->pair;
    const bool splits = options->split != SPLIT_OFF && !translate_options_unsplit(options, target);
    return (struct line_splitting){splits && !s->scored && translate_splitter(pair, options->split),
                                   splits ? s->limit.most : (size_t)options->max_tokens};
}

void splitting_init(struct splitting *s, struct translator *translator, struct inputs *inputs, bool scored)
{
    const struct translate_options *options = &translator->options;
    const struct language_pair *pair = translator->ensemble->pair;
    memset(s, 0, sizeof *s);
    s->translator = translator;
    s->inputs = inputs;
    s->limit = translate_sentence_limit(pair, options->max_tokens);
    s->limit.tokenizer = &translator->source;
    s->scored = scored;
    s->free = splitting_of(s, false);
    s->forced = splitting_of(s, true);
    s->recases = !scored && options->truecase && !options->tokens && pair->truecaser.learned;
    strbuf_init(&s->valid);
    strbuf_init(&s->usual);
    strbuf_init(&s->replacements);
    strbuf_init(&s->target);
}

void splitting_release(struct splitting *s)
{
    strbuf_release(&s->valid);
    strbuf_release(&s->usual);
    strbuf_release(&s->replacements);
    strbuf_release(&s->target);
}
