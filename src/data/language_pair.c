/* Tokenizers, subwords and vocabularies of both sides, and their files. They are learned in learn_pair.c. */
#include "language_pair.h"

#include "fileio.h"
#include "mem.h"

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
        pair->tokenizer[side] = (struct tokenizer){
            .kind = config->text.tokenizer,
            .form = config->text.normalize,
            .lowercase = config->text.lowercase,
            .bpe = bpe ? &pair->bpe[pair->joint_bpe ? SOURCE : side] : NULL,
            .vocab = &pair->vocab[side],
        };
    }
    strmap_init(&pair->tags);
    pair->tokenizer[SOURCE].whole = &pair->tags;
    for (int i = 0; config_train(config, i); i++) {
        const char *tag = config_train(config, i)->tag;
        if (tag)
            strmap_intern(&pair->tags, tag, strlen(tag));
    }
}

int language_pair_set_tag(struct language_pair *pair, const struct config *config, struct err *err)
{
    const char *tag = config->decoding.tag;
    if (tag && vocab_id(pair->tokenizer[SOURCE].vocab, tag, strlen(tag)) == VOCAB_UNKNOWN)
        return err_set(err, "config key 'decoding.tag' is '%s', which is no tag of the training text", tag);
    pair->tokenizer[SOURCE].tag = tag;
    return 0;
}

void language_pair_release(struct language_pair *pair)
{
    for (int side = 0; side < SIDES; side++) {
        bpe_release(&pair->bpe[side]);
        vocab_release(&pair->vocab[side]);
    }
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

bool language_pair_same(const struct language_pair *a, const struct language_pair *b)
{
    bool same = true;
    for (int side = 0; same && side < SIDES; side++) {
        const struct tokenizer *x = &a->tokenizer[side], *y = &b->tokenizer[side];
        same = x->kind == y->kind && x->form == y->form && x->lowercase == y->lowercase &&
               same_bpe(x->bpe, y->bpe) && same_vocab(x->vocab, y->vocab);
    }
    return same;
}

/* "dir/source.bpe", or "dir/joint.bpe" */
static char *part_path(const char *dir, int side, bool joint, const char *ending)
{
    static const char *const names[SIDES] = {"source", "target"};
    char *name = xasprintf("%s.%s", joint ? "joint" : names[side], ending);
    char *path = path_join(dir, name);
    xfree(name);
    return path;
}

static int take_allowed(void *context, const struct strbuf *line, int64_t number, struct err *err)
{
    (void)number;
    (void)err;
    strmap_intern(context, line->text, line->length);
    return 0;
}

static int save_allowed(const struct bpe *bpe, const char *path, struct err *err)
{
    struct strbuf text;
    strbuf_init(&text);
    for (size_t i = 0; i < bpe->allowed.count; i++)
        strbuf_addf(&text, "%s\n", strmap_text(&bpe->allowed, (int)i));
    const int status = file_replace(path, text.text, text.length, err);
    strbuf_release(&text);
    return status;
}

int language_pair_load(struct language_pair *pair, const struct config *config, const char *dir,
                       struct err *err)
{
    language_pair_init(pair, config);
    int status = 0;
    for (int side = 0; side < SIDES && !status; side++) {
        if (pair->tokenizer[side].bpe == &pair->bpe[side]) {
            char *path = part_path(dir, side, pair->joint_bpe, "bpe");
            char *allowed = part_path(dir, side, pair->joint_bpe, "subwords");
            status = bpe_load(&pair->bpe[side], path, err);
            if (!status && config->text.vocabulary_threshold > 0)
                status = file_each_own_line(allowed, take_allowed, &pair->bpe[side].allowed, err);
            xfree(path);
            xfree(allowed);
        }
        if (!status) {
            char *path = part_path(dir, side, false, "vocab");
            vocab_release(&pair->vocab[side]);
            status = vocab_load(&pair->vocab[side], path, err);
            xfree(path);
        }
    }
    if (!status && pair->joint_vocab && !begins_with(&pair->vocab[SOURCE], &pair->vocab[TARGET]))
        status =
            err_set(err, "cannot use '%s': source.vocab does not begin with the words of target.vocab", dir);
    if (status)
        language_pair_release(pair);
    return status;
}

int language_pair_save(const struct language_pair *pair, const char *dir, struct err *err)
{
    int status = 0;
    for (int side = 0; side < SIDES && !status; side++) {
        if (pair->tokenizer[side].bpe == &pair->bpe[side]) {
            char *path = part_path(dir, side, pair->joint_bpe, "bpe");
            char *allowed = part_path(dir, side, pair->joint_bpe, "subwords");
            status = bpe_save(&pair->bpe[side], path, err);
            if (!status && pair->bpe[side].allowed.count)
                status = save_allowed(&pair->bpe[side], allowed, err);
            xfree(path);
            xfree(allowed);
        }
        if (!status) {
            char *path = part_path(dir, side, false, "vocab");
            status = vocab_save(&pair->vocab[side], path, err);
            xfree(path);
        }
    }
    return status;
}

void language_pair_files(const char *names[LANGUAGE_PAIR_MOST_FILES + 1], const char *dir)
{
    static const char *const all[LANGUAGE_PAIR_MOST_FILES] = {
        "joint.bpe",       "source.bpe",      "target.bpe",   "joint.subwords",
        "source.subwords", "target.subwords", "source.vocab", "target.vocab"};
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
