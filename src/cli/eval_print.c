/* Prints scores with their signatures and intervals. They are computed in eval and assess. */
#include "eval_print.h"

#include "json.h"
#include "output.h"
#include "plural.h"

static void add_speed(struct json *root, const struct translated *translated)
{
    json_set_number(root, "seconds", translated->seconds);
    json_set_number(root, "sentences_per_second", (double)translated->lines.count / translated->seconds);
    json_set_number(root, "source_tokens_per_second",
                    (double)translated->source_tokens / translated->seconds);
}

static void print_json(const struct outcome *o)
{
    struct json *root = json_new_object();
    const struct bleu_score details = bleu_score(&o->metrics.bleu);
    if (o->hypothesis)
        json_set_string(root, "hypothesis", o->hypothesis);
    for (int m = 0; m < PLACE_COUNT; m++) {
        struct json *metric =
            metric_set_json(root, (enum metric_place)m, &o->metrics, o->bootstrap != NULL, SIGNATURE_VERSION);
        if (m == PLACE_BLEU) {
            json_set_array(metric, "precisions", details.precisions, BLEU_ORDER);
            json_set_number(metric, "brevity_penalty", details.brevity_penalty);
        }
        if (o->bootstrap) {
            const struct interval interval = bootstrap_interval(o->bootstrap->scores[m]);
            interval_set_json(metric, &interval);
        }
    }
    if (o->has_perplexity) {
        json_set_number(root, "perplexity", o->perplexity.per_token);
        json_set_number(root, "perplexity_per_character", o->perplexity.per_character);
    }
    json_set_number(root, "sentences", (double)o->translated.lines.count);
    json_set_number(root, "length_ratio", details.ratio);
    if (!o->hypothesis)
        add_speed(root, &o->translated);
    output_json(root);
}

static void print_metric(const struct outcome *o, enum metric_place place)
{
    struct strbuf signature;
    strbuf_init(&signature);
    metric_signature(&signature, place, &o->metrics, o->bootstrap != NULL, SIGNATURE_VERSION);
    output_addf("%s|%s = %.2f", metric_table[place].name(&o->metrics), signature.text,
                metric_table[place].score(&o->metrics));
    strbuf_release(&signature);
    if (o->bootstrap) {
        const struct interval interval = bootstrap_interval(o->bootstrap->scores[place]);
        output_addf(" (μ = %.2f ± %.2f)", interval.mean, interval.half_width);
    }
    if (place == PLACE_BLEU) {
        const struct bleu_score s = bleu_score(&o->metrics.bleu);
        output_addf(" %.1f/%.1f/%.1f/%.1f (BP = %.3f ratio = %.3f hyp_len = %lld ref_len = %lld)",
                    s.precisions[0], s.precisions[1], s.precisions[2], s.precisions[3], s.brevity_penalty,
                    s.ratio, (long long)o->metrics.bleu.hypothesis_words,
                    (long long)o->metrics.bleu.reference_words);
    }
    output_adds("\n");
}

static void print_text(const struct outcome *o)
{
    const struct translated *translated = &o->translated;
    for (int m = 0; m < PLACE_COUNT; m++)
        print_metric(o, (enum metric_place)m);
    if (o->has_perplexity)
        output_addf("perplexity = %.3f, per character = %.4f\n", o->perplexity.per_token,
                    o->perplexity.per_character);
    if (!o->hypothesis)
        output_addf("%zu sentence%s in %.2f s: %.1f sentences/s, %.0f source tokens/s\n",
                    translated->lines.count, plural((double)translated->lines.count), translated->seconds,
                    (double)translated->lines.count / translated->seconds,
                    (double)translated->source_tokens / translated->seconds);
}

void eval_print(const struct outcome *outcome, bool json)
{
    (json ? print_json : print_text)(outcome);
}

static void print_sentence_json(const char *translation, const struct metrics *metrics, size_t line)
{
    struct json *root = json_new_object();
    json_set_number(root, "line", (double)line);
    json_set_string(root, "translation", translation);
    for (int m = 0; m < PLACE_COUNT; m++)
        metric_set_json(root, (enum metric_place)m, metrics, false, SIGNATURE_VERSION);
    output_json(root);
}

static void print_sentence_text(const struct metrics *metrics, size_t line)
{
    output_addf("%zu", line);
    for (int m = 0; m < PLACE_COUNT; m++)
        output_addf("\t%.2f", metric_table[m].score(metrics));
    output_adds("\n");
}

void eval_print_sentences(const struct lines *translations, const struct metrics *sentences, bool json)
{
    for (size_t i = 0; i < translations->count; i++)
        if (json)
            print_sentence_json(translations->text[i], &sentences[i], i + 1);
        else
            print_sentence_text(&sentences[i], i + 1);
}
