/* Tokenizers, subwords and vocabularies of both sides, and their files. They are learned in learn_pair.c. */
#include "language_pair.h"

#include "fileio.h"
#include "mem.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool has_bpe(const struct config *config)
{
    return config->text.subword == SUBWORD_BPE && config->text.tokenizer != TOKENIZE_CHAR;
}

double language_pair_dropout(const struct config *config, int side)
{
    return !has_bpe(config) ? 0
           : side == SOURCE ? config->text.bpe_dropout.source
                            : config->text.bpe_dropout.target;
}

void language_pair_init(struct language_pair *pair, const struct config *config)
{
    const bool bpe = has_bpe(config);
    memset(pair, 0, sizeof *pair);
    pair->joint_bpe = config->text.joint;
    pair->joint_vocab = config->model.tie == TIE_ALL;
    for (int side = 0; side < SIDES; side++) {
        bpe_init(&pair->bpe[side]);
        vocab_init(&pair->vocab[side]);
        language_profile_init(&pair->profile[side]);
        if (config->text.protect)
            vocab_add_placeholders(&pair->vocab[side]);
        pair->tokenizer[side] = (struct tokenizer){
            .kind = config->text.tokenizer,
            .form = config->text.normalize,
            .lowercase = config->text.lowercase,
            .reversed = side == TARGET && config->text.reverse_target,
            .protect = {.kinds = config->text.protect,
                        .whole_words = config->text.tokenizer == TOKENIZE_WHITESPACE},
            .bpe = bpe ? &pair->bpe[pair->joint_bpe ? SOURCE : side] : NULL,
            .vocab = &pair->vocab[side],
        };
    }
    pair->casing[SOURCE] = casing_of_language(config->data.source_language);
    pair->casing[TARGET] = casing_of_language(config->data.target_language);
    splitter_init(&pair->splitter);
    truecaser_init(&pair->truecaser);
    seen_words_init(&pair->seen);
    pair->tokenizer[SOURCE].protect.seen = &pair->seen;
    usual_forms_init(&pair->forms);
    pair->tokenizer[TARGET].forms = &pair->forms;
    strmap_init(&pair->tags);
    pair->tokenizer[SOURCE].whole = &pair->tags;
    for (int i = 0; config_train(config, i); i++) {
        const char *tag = config_train(config, i)->tag;
        if (tag)
            strmap_intern(&pair->tags, tag, strlen(tag));
    }
}

/* May it be a word of the text? "<fr>" is read as three, unless text is tokenized already. */
static bool is_ordinary(const struct language_pair *pair, const char *word)
{
    struct tokenizer plain = pair->tokenizer[SOURCE];
    struct strbuf words;
    plain.tag = NULL;
    plain.protect.kinds = 0;
    strbuf_init(&words);
    tokenizer_words(&words, &plain, word, strlen(word));
    const bool is = !strcmp(words.text, word);
    strbuf_release(&words);
    return is;
}

int language_pair_check_tag(const struct language_pair *pair, const char *tag, struct err *err)
{
    if (!tag)
        return 0;
    /* A tag that these corpora do not have may be one of training.init_from. */
    const bool unnamed =
        pair->tags.count && strmap_find(&pair->tags, tag, strlen(tag)) < 0 && is_ordinary(pair, tag);
    return unnamed || vocab_id(pair->tokenizer[SOURCE].vocab, tag, strlen(tag)) == VOCAB_UNKNOWN
               ? err_set(err, "config key 'decoding.tag' is '%s', which is no tag of the training text", tag)
               : 0;
}

const char *language_pair_missing_tag(const struct config *config, const struct vocab *vocab)
{
    const struct config_pairs *corpus;
    for (int i = 0; (corpus = config_train(config, i)); i++)
        if (corpus->tag && vocab_id(vocab, corpus->tag, strlen(corpus->tag)) == VOCAB_UNKNOWN)
            return corpus->tag;
    return NULL;
}

int language_pair_check_inherited_tags(const struct config *config, const struct vocab *vocab,
                                       struct err *err)
{
    const char *missing = language_pair_missing_tag(config, vocab);
    return missing ? err_set(err,
                             "cannot begin with '%s': it has no tag '%s' (with 'text.merges', words are "
                             "learned anew)",
                             config->training.init_from, missing)
                   : 0;
}

int language_pair_set_tag(struct language_pair *pair, const struct config *config, struct err *err)
{
    if (language_pair_check_tag(pair, config->decoding.tag, err))
        return -1;
    pair->tokenizer[SOURCE].tag = config->decoding.tag;
    return 0;
}

void language_pair_release(struct language_pair *pair)
{
    for (int side = 0; side < SIDES; side++) {
        bpe_release(&pair->bpe[side]);
        vocab_release(&pair->vocab[side]);
        language_profile_release(&pair->profile[side]);
    }
    splitter_release(&pair->splitter);
    truecaser_release(&pair->truecaser);
    seen_words_release(&pair->seen);
    usual_forms_release(&pair->forms);
    strmap_release(&pair->tags);
}

static bool begins_with(const struct vocab *vocab, const struct vocab *first)
{
    bool same = vocab_size(vocab) >= vocab_size(first);
    for (int id = 0; same && id < vocab_size(first); id++)
        same = !strcmp(vocab_word(vocab, id), vocab_word(first, id));
    return same;
}

static bool same_vocab(const struct vocab *a, const struct vocab *b)
{
    return vocab_size(a) == vocab_size(b) && begins_with(a, b);
}

static bool same_bpe(const struct bpe *a, const struct bpe *b)
{
    if (!a || !b || a->count != b->count || a->allowed.count != b->allowed.count)
        return a == b; /* neither has merges */
    bool same = true;
    for (size_t i = 0; same && i < a->count; i++)
        same = !strcmp(strmap_text(&a->symbols, a->merges[i].left),
                       strmap_text(&b->symbols, b->merges[i].left)) &&
               !strcmp(strmap_text(&a->symbols, a->merges[i].right),
                       strmap_text(&b->symbols, b->merges[i].right));
    for (size_t i = 0; same && i < a->allowed.count; i++)
        same = strmap_find(&b->allowed, strmap_text(&a->allowed, (int)i),
                           strmap_length(&a->allowed, (int)i)) >= 0;
    return same;
}

#define ANOTHER(key) "it has another '" key "'"

const char *language_pair_difference(const struct language_pair *a, const struct language_pair *b)
{
    const struct tokenizer *x = a->tokenizer, *y = b->tokenizer;
    if (x->kind != y->kind)
        return ANOTHER("text.tokenizer");
    if (x->form != y->form)
        return ANOTHER("text.normalize");
    if (x[TARGET].reversed != y[TARGET].reversed)
        return ANOTHER("text.reverse_target");
    if (x->lowercase != y->lowercase)
        return ANOTHER("text.lowercase");
    if (x->protect.kinds != y->protect.kinds)
        return ANOTHER("text.protect");
    bool same = !a->seen.words.count == !b->seen.words.count;
    for (int side = 0; same && side < SIDES; side++)
        same = same_bpe(x[side].bpe, y[side].bpe) && same_vocab(x[side].vocab, y[side].vocab);
    return same ? NULL : "it sees text in other words";
}

bool language_pair_same(const struct language_pair *a, const struct language_pair *b)
{
    return !language_pair_difference(a, b) && seen_words_same(&a->seen, &b->seen);
}

#define SENTENCES "source.sentences"
#define TRUECASE "source.truecase"
#define SEEN_WORDS "source.words"
#define USUAL_FORMS "target.forms"
#define NGRAMS "ngrams" /* of each side */

/* A side's file: "source.bpe", or "joint.bpe". */
struct part {
    char name[24];
};

static struct part part_of(int side, bool joint, const char *ending)
{
    static const char *const names[SIDES] = {"source", "target"};
    struct part part;
    snprintf(part.name, sizeof part.name, "%s.%s", joint ? "joint" : names[side], ending);
    return part;
}

static int take_allowed(void *context, const struct strbuf *line, int64_t number, struct err *err)
{
    (void)number;
    (void)err;
    strmap_intern(context, line->text, line->length);
    return 0;
}

static int load_side(struct language_pair *pair, int side, const struct config *config,
                     const struct model_files *files, struct err *err)
{
    if (pair->tokenizer[side].bpe == &pair->bpe[side]) {
        const struct part merges = part_of(side, pair->joint_bpe, "bpe");
        const struct part allowed = part_of(side, pair->joint_bpe, "subwords");
        if (bpe_load(&pair->bpe[side], files, merges.name, err))
            return -1;
        if (config->text.vocabulary_threshold > 0 &&
            model_files_each_line(files, allowed.name, take_allowed, &pair->bpe[side].allowed, err))
            return -1;
    }
    const struct part vocab = part_of(side, false, "vocab");
    vocab_release(&pair->vocab[side]);
    if (vocab_load(&pair->vocab[side], files, vocab.name, err))
        return -1;
    if (config->text.protect && !vocab_has_placeholders(&pair->vocab[side]))
        return err_set(err, "cannot use '%s': %s has no placeholders, which 'text.protect' needs",
                       files->path, vocab.name);
    const struct part ngrams = part_of(side, false, NGRAMS); /* models of version 0.3 have none */
    return model_files_has(files, ngrams.name)
               ? language_profile_load(&pair->profile[side], files, ngrams.name, err)
               : 0;
}

int language_pair_load(struct language_pair *pair, const struct config *config,
                       const struct model_files *files, struct err *err)
{
    language_pair_init(pair, config);
    int status = 0;
    for (int side = 0; side < SIDES && !status; side++)
        status = load_side(pair, side, config, files, err);
    if (!status && model_files_has(files, SENTENCES)) /* models before version 0.3 have none */
        status = splitter_load(&pair->splitter, files, SENTENCES, err);
    if (!status && model_files_has(files, TRUECASE))
        status = truecaser_load(&pair->truecaser, files, TRUECASE, err);
    if (pair->truecaser.learned) /* perhaps by a version that did not know the language's own */
        pair->casing[SOURCE] = pair->truecaser.casing;
    if (!status && model_files_has(files, SEEN_WORDS))
        status = seen_words_load(&pair->seen, files, SEEN_WORDS, err);
    if (!status && model_files_has(files, USUAL_FORMS))
        status = usual_forms_load(&pair->forms, files, USUAL_FORMS, err);
    if (!status && pair->joint_vocab && !begins_with(&pair->vocab[SOURCE], &pair->vocab[TARGET]))
        status = err_set(err, "cannot use '%s': source.vocab does not begin with the words of target.vocab",
                         files->path);
    if (status)
        language_pair_release(pair);
    return status;
}

static void print_allowed(struct strbuf *text, const struct bpe *bpe)
{
    for (size_t i = 0; i < bpe->allowed.count; i++)
        strbuf_addf(text, "%s\n", strmap_text(&bpe->allowed, (int)i));
}

static int take_side(const struct language_pair *pair, int side, text_taker *take, void *context,
                     struct strbuf *text, struct err *err)
{
    const struct bpe *bpe = &pair->bpe[side];
    if (pair->tokenizer[side].bpe == bpe) {
        strbuf_reset(text);
        bpe_print(text, bpe);
        if (take(context, part_of(side, pair->joint_bpe, "bpe").name, text, err))
            return -1;
    }
    if (pair->tokenizer[side].bpe == bpe && bpe->allowed.count) {
        strbuf_reset(text);
        print_allowed(text, bpe);
        if (take(context, part_of(side, pair->joint_bpe, "subwords").name, text, err))
            return -1;
    }
    strbuf_reset(text);
    vocab_print(text, &pair->vocab[side]);
    if (take(context, part_of(side, false, "vocab").name, text, err))
        return -1;
    strbuf_reset(text);
    language_profile_print(text, &pair->profile[side]);
    return text->length ? take(context, part_of(side, false, NGRAMS).name, text, err) : 0;
}

int language_pair_print(const struct language_pair *pair, text_taker *take, void *context, struct err *err)
{
    struct strbuf text;
    strbuf_init(&text);
    int status = 0;
    for (int side = 0; side < SIDES && !status; side++)
        status = take_side(pair, side, take, context, &text, err);
    strbuf_reset(&text);
    if (!status && pair->splitter.learned) {
        splitter_print(&text, &pair->splitter);
        status = take(context, SENTENCES, &text, err);
    }
    strbuf_reset(&text);
    if (!status && pair->truecaser.learned) {
        truecaser_print(&text, &pair->truecaser);
        status = take(context, TRUECASE, &text, err);
    }
    strbuf_reset(&text);
    if (!status && pair->seen.words.count) {
        seen_words_print(&text, &pair->seen);
        status = take(context, SEEN_WORDS, &text, err);
    }
    strbuf_reset(&text);
    if (!status && pair->forms.normal.count) {
        usual_forms_print(&text, &pair->forms);
        status = take(context, USUAL_FORMS, &text, err);
    }
    strbuf_release(&text);
    return status;
}

int language_pair_save(const struct language_pair *pair, const char *dir, struct err *err)
{
    return language_pair_print(pair, model_files_write, &dir, err);
}

void language_pair_files(const char *names[LANGUAGE_PAIR_MOST_FILES + 1], const char *dir)
{
    static const char *const all[LANGUAGE_PAIR_MOST_FILES] = {
        "joint.bpe",       "source.bpe",   "target.bpe",    "joint.subwords", "source.subwords",
        "target.subwords", "source.vocab", "target.vocab",  SENTENCES,        TRUECASE,
        SEEN_WORDS,        USUAL_FORMS,    "source.ngrams", "target.ngrams"};
    int count = 0;
    for (int i = 0; i < LANGUAGE_PAIR_MOST_FILES; i++) {
        char *path = path_join(dir, all[i]);
        if (file_exists(path))
            names[count++] = all[i];
        xfree(path);
    }
    names[count] = NULL;
}

void language_pair_remove(const char *dir)
{
    const char *names[LANGUAGE_PAIR_MOST_FILES + 1];
    language_pair_files(names, dir);
    for (int i = 0; names[i]; i++) {
        char *path = path_join(dir, names[i]);
        unlink(path);
        xfree(path);
    }
}
