/* The options of a translator: the model's own, and the rest of the defaults. */
#include "translate_options.h"

#include "judge.h"

#include <string.h>

#define EXTRA_LENGTH 10
#define LEAST_LONGEST 20 /* tokens: words that the short lines of a small text lack are spelled in more */

void translate_options_init(struct translate_options *options, const struct config *config)
{
    memset(options, 0, sizeof *options);
    options->beam.beam = config->decoding.beam;
    options->beam.n_best = 1;
    options->beam.length_penalty = config->decoding.length_penalty;
    options->beam.wu = config->decoding.normalization == NORMALIZATION_WU;
    options->beam.min_length = config->decoding.min_length;
    options->beam.block_ngrams = config->decoding.block_ngrams;
    options->beam.max_repetitions = config->decoding.max_repetitions;
    options->beam.sampled = config->decoding.sample;
    options->beam.sample = (struct sample_options){config->decoding.temperature, config->decoding.top_k,
                                                   config->decoding.nucleus};
    options->beam.seed = config->decoding.seed;
    options->beam.coverage_penalty = config->decoding.coverage_penalty;
    for (enum judge_kind kind = 0; kind < JUDGE_KINDS; kind++)
        options->beam.judge_weights[kind] = judge_weight(&config->decoding, kind);
    options->beam.max_length_ratio = config->decoding.max_length_ratio;
    options->beam.extra_length = EXTRA_LENGTH;
    options->split = SPLIT_OFF;
    options->truecase = config->decoding.truecase;
    options->tag = config->decoding.tag;
    options->threads = 1;
    options->batch = DEFAULT_BATCH;
    options->max_tokens = DEFAULT_MAX_TOKENS;
}

const struct splitter *translate_splitter(const struct language_pair *pair, enum split_kind split)
{
    const bool splits = split == SPLIT_ON || (split == SPLIT_AUTO && splitter_is_single(&pair->splitter));
    return splits ? &pair->splitter : NULL;
}

struct sentence_limit translate_sentence_limit(const struct language_pair *pair, int max_tokens)
{
    const size_t longest = (size_t)pair->splitter.longest, most = (size_t)max_tokens,
                 limit = longest > LEAST_LONGEST ? longest : LEAST_LONGEST;
    return (struct sentence_limit){&pair->splitter, &pair->tokenizer[SOURCE],
                                   longest && limit < most ? limit : most, .ends = NULL};
}

const char *translate_options_unsplit(const struct translate_options *options, bool prefixes)
{
    return options->beam.n_best > 1 ? "n-best" : options->tokens ? "tokens" : prefixes ? "prefix" : NULL;
}

int translate_options_check(const struct translate_options *options, const struct loaded_model *loaded,
                            int count, struct err *err)
{
    if (options->glossary && options->beam.sampled)
        return err_set(err, "cannot draw translations (decoding.sample) that hold the terms of a glossary");
    if (judges_are_open(options->judges) && options->beam.beam < 2)
        return err_set(err, "a beam of 1 leaves other models nothing to judge");
    for (int i = 0; (options->beam.alignment || options->glossary) && i < count; i++)
        if (loaded[i].config.text.reverse_target)
            return err_set(err, "'%s' translates from right to left, without alignments and glossaries",
                           loaded[i].files.path);
    const bool asked = options->beam.alignment || options->replace_unknown || options->glossary ||
                       options->beam.coverage_penalty > 0;
    for (int i = 0; asked && i < count; i++)
        if (!config_has_attention(&loaded[i].config))
            return err_set(
                err,
                "'%s' has no attention, which alignments, glossaries, unk-replace and the coverage "
                "penalty are made of",
                loaded[i].files.path);
    return 0;
}
