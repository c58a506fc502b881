/* Copies of configs, and what is changed in them for other trainings on the same text. */
#include "config.h"

#include "config_keys.h"
#include "mem.h"

static char *copy_text(const char *text)
{
    return text ? xstrdup(text) : NULL;
}

static struct config_pairs copy_pairs(const struct config_pairs *from)
{
    return (struct config_pairs){.source = copy_text(from->source),
                                 .target = copy_text(from->target),
                                 .tsv = copy_text(from->tsv),
                                 .weight = from->weight,
                                 .alignment = copy_text(from->alignment),
                                 .tag = copy_text(from->tag),
                                 .synthetic = from->synthetic};
}

void config_copy(struct config *copy, const struct config *from)
{
    *copy = *from;
    for (size_t i = 0; i < config_key_count; i++)
        if (config_key_is_text(&config_keys[i])) {
            char **text = config_field(copy, &config_keys[i]);
            *text = copy_text(*text);
        }
    copy->data.more = NULL;
    copy->data.more_count = 0;
    for (int i = 0; i < from->data.more_count; i++)
        config_add_train(copy, &from->data.more[i]);
}

void config_take_model(struct config *config, const struct config *from)
{
    unsigned keys = 0;
    for (size_t i = 0; i < config_key_count; i++)
        if (config_key_in_section(&config_keys[i], "model"))
            keys |= config_key_auto_bit(&config_keys[i]);
    char *tag = config->decoding.tag;
    config->model = from->model;
    config->decoding = from->decoding;
    config->decoding.tag = tag;
    config->automatic = (config->automatic & ~keys) | (from->automatic & keys);
}

void config_add_train(struct config *config, const struct config_pairs *pairs)
{
    struct config_data *data = &config->data;
    data->more = xrealloc(data->more, (size_t)data->more_count + 1, sizeof *data->more);
    data->more[data->more_count++] = copy_pairs(pairs);
}

static void swap_texts(char **a, char **b)
{
    char *const text = *a;
    *a = *b;
    *b = text;
}

static void swap_numbers(double *a, double *b)
{
    const double number = *a;
    *a = *b;
    *b = number;
}

static void swap_pairs(struct config_pairs *pairs)
{
    swap_texts(&pairs->source, &pairs->target);
}

/* Drops what does not fit another direction or order: word alignments, and a model to start from. */
static void drop_one_order(struct config *config)
{
    struct config_data *data = &config->data;
    struct config_training *training = &config->training;
    for (int i = 0; i <= data->more_count; i++) {
        struct config_pairs *pairs = i ? &data->more[i - 1] : &data->train;
        xfree(pairs->alignment);
        pairs->alignment = NULL;
    }
    training->guided_alignment = 0;
    xfree(training->init_from);
    training->init_from = NULL;
}

void config_swap_sides(struct config *config)
{
    struct config_data *data = &config->data;
    swap_texts(&data->source_language, &data->target_language);
    swap_pairs(&data->train);
    for (int i = 0; i < data->more_count; i++)
        swap_pairs(&data->more[i]);
    swap_pairs(&data->valid);
    swap_pairs(&data->test);
    swap_texts(&data->monolingual, &data->monolingual_source);
    swap_numbers(&config->text.bpe_dropout.source, &config->text.bpe_dropout.target);
    swap_numbers(&config->model.dropout.source_word, &config->model.dropout.target_word);
    config->training.tokenize = MTEVAL_AUTO;
    drop_one_order(config);
}

void config_reverse_target(struct config *config)
{
    config->text.reverse_target = true;
    drop_one_order(config);
}
