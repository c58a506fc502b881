/* Connects text and search: gives the batches of inputs.c to the threads. The search is in beam.c, the text
 * of its hypotheses in hypothesis_text.c, the joining of a line's parts in parts.c. */
#include "copied_text.h"
#include "hypothesis_text.h"
#include "judge.h"
#include "parts.h"

#include "mem.h"
#include "team.h"

#include <pthread.h>
#include <string.h>

#define JUDGED_BATCHES 4 /* of each thread, before other models judge them */

double translator_bytes(const struct seq2seq *model, const struct translate_options *options)
{
    const size_t sents = (size_t)options->batch;
    struct sentence *sentences = xcalloc(sents, sizeof *sentences);
    int *ids = xcalloc(sents * BATCH_TOKENS, sizeof *ids);
    for (size_t i = 0; i < sents * BATCH_TOKENS; i++)
        ids[i] = (int)(i % model->source_vocabulary);
    for (size_t b = 0; b < sents; b++)
        sentences[b] = (struct sentence){ids + b * BATCH_TOKENS, BATCH_TOKENS};
    const double bytes = beam_search_bytes(model, sentences, sents, &options->beam);
    xfree(ids);
    xfree(sentences);
    return options->threads * bytes;
}

void translator_init(struct translator *translator, const struct ensemble *ensemble,
                     const struct translate_options *options)
{
    const struct language_pair *pair = ensemble->pair;
    memset(translator, 0, sizeof *translator);
    translator->ensemble = ensemble;
    translator->options = *options;
    translator->options.beam.unknown =
        options->replace_unknown || (!pair->tokenizer[TARGET].bpe && !options->forbid_unknown);
    translator->options.beam.alignment |= options->replace_unknown;
    translator->source = pair->tokenizer[SOURCE];
    translator->source.tag = options->tag;
    translator->options.beam.placeholders = translator->source.protect.kinds != 0;
    strmap_init(&translator->zeros);
    copied_text_find_zeros(&translator->zeros, pair->tokenizer[TARGET].vocab);
    user_words_init(&translator->user_words, pair->casing[SOURCE], &pair->seen, options->dictionary_words);
    translator->source.protect.user_words = &translator->user_words;
    if (options->glossary)
        terms_init(&translator->terms, options->glossary, pair);
    for (size_t i = 0; options->glossary && i < options->glossary->count; i++) {
        const struct glossary_entry *entry = &options->glossary->entries[i];
        user_words_add_term(&translator->user_words, entry->source, entry->bytes, entry->wildcard);
    }
    translator->arenas = xcalloc((size_t)options->threads, sizeof *translator->arenas);
    for (int i = 0; i < options->threads; i++)
        arena_init(&translator->arenas[i]);
    translator->team = team_new(options->threads);
}

void translator_release(struct translator *translator)
{
    team_free(translator->team);
    for (int i = 0; i < translator->options.threads; i++)
        arena_release(&translator->arenas[i]);
    xfree(translator->arenas);
    if (translator->options.glossary)
        terms_release(&translator->terms);
    user_words_release(&translator->user_words);
    strmap_release(&translator->zeros);
    memset(translator, 0, sizeof *translator);
}

int translation_missed_terms(const struct translation *translation)
{
    int missed = 0;
    for (int i = 0; i < translation->glossary_term_count; i++)
        missed += !translation->glossary_terms[i].used;
    return missed;
}

bool translation_is_better(const struct translation *a, const struct translation *b)
{
    const bool a_fails = a->end == END_OVERFLOW, b_fails = b->end == END_OVERFLOW;
    return a_fails != b_fails ? b_fails : a->score > b->score;
}

void translation_release(struct translation *translation)
{
    xfree(translation->text);
    xfree(translation->subwords);
    xfree(translation->source);
    xfree(translation->token_begin);
    xfree(translation->token_log_probabilities);
    xfree(translation->alpha);
    xfree(translation->glossary_terms);
}

void translations_release(struct translations *translations)
{
    for (int i = 0; i < translations->count; i++)
        translation_release(&translations->best[i]);
    xfree(translations->best);
    memset(translations, 0, sizeof *translations);
}

/* Sorted inputs that are being translated or scored. */
struct lines_run {
    struct translator *translator;
    struct beam_options beam;
    struct translations *out;   /* of the lines */
    struct translations *parts; /* of the inputs, by their numbers */
    const struct input *inputs;
    const int *begin; /* of the batches */
    const struct translation_watch *watch;
    /* guarded by the mutex: */
    int *open;    /* of each line, how many parts are not finished */
    int finished; /* lines */
    bool cancelled;
    pthread_mutex_t mutex;
};

static bool is_cancelled(void *context)
{
    struct lines_run *run = context;
    pthread_mutex_lock(&run->mutex);
    run->cancelled = run->cancelled || run->watch->cancelled(run->watch->context);
    const bool cancelled = run->cancelled;
    pthread_mutex_unlock(&run->mutex);
    return cancelled;
}

/* ---- terms ---- */

/* The terms of an input. */
struct line_terms {
    struct term_match matches[MOST_PHRASES];
    size_t count;
};

/* Finds the terms of each input: lines [count], and the phrases that they make. */
static struct constraints *find_terms(struct line_terms *lines, const struct translator *translator,
                                      const struct input *inputs, int count, struct arena *arena)
{
    struct constraints *constraints = ARENA_NEW(arena, count, struct constraints);
    for (int i = 0; i < count; i++) {
        lines[i].count = terms_find(lines[i].matches, &translator->terms, &inputs[i].subwords,
                                    translator->source.tag != NULL, inputs[i].written == CASE_UPPER);
        terms_constrain(&constraints[i], &translator->terms, lines[i].matches, lines[i].count, arena);
    }
    return constraints;
}

static void take_terms(struct translation *to, const struct translator *translator,
                       const struct line_terms *line)
{
    to->glossary_terms = xcalloc(line->count, sizeof *to->glossary_terms);
    to->glossary_term_count = (int)line->count;
    terms_check(to->glossary_terms, &translator->terms, line->matches, line->count, to->text);
}

/* ---- batches ---- */

/* -1 if cancelled. */
static int run_batch(struct lines_run *run, const struct input *inputs, int count, struct arena *arena)
{
    const int n_best = run->beam.n_best;
    arena_reset(arena);
    struct sentence *sentences = ARENA_NEW(arena, count, struct sentence);
    struct hypothesis *best = ARENA_ZERO(arena, count * n_best, struct hypothesis);
    int *found = ARENA_NEW(arena, count, int);
    struct sentence *prefixes = ARENA_NEW(arena, count, struct sentence);
    const int **first_placeholders = ARENA_NEW(arena, count, const int *);
    struct beam_options options = run->beam;
    for (int i = 0; i < count; i++) {
        first_placeholders[i] = inputs[i].first_placeholders;
        sentences[i] = (struct sentence){inputs[i].ids.items, inputs[i].ids.count};
        prefixes[i] = (struct sentence){inputs[i].target_ids.items, inputs[i].target_ids.count};
    }
    options.prefixes = prefixes;
    options.first_placeholders = first_placeholders;
    struct line_terms *terms = NULL;
    if (run->translator->options.glossary && !options.scored) {
        terms = ARENA_NEW(arena, count, struct line_terms);
        options.constraints = find_terms(terms, run->translator, inputs, count, arena);
    }
    if (run->watch && run->watch->cancelled) {
        options.cancelled = is_cancelled;
        options.cancel_context = run;
    }
    if (beam_search(best, found, run->translator->ensemble, sentences, (size_t)count, &options, arena))
        return -1;
    for (int i = 0; i < count; i++) {
        struct translations *to = &run->parts[inputs[i].part];
        to->count = found[i];
        to->best = xcalloc((size_t)found[i], sizeof *to->best);
        for (int k = 0; k < found[i]; k++) {
            hypothesis_text(&to->best[k], run->translator, run->beam.scored, &inputs[i],
                            &best[i * n_best + k]);
            if (terms)
                take_terms(&to->best[k], run->translator, &terms[i]);
        }
    }
    return 0;
}

/* The translation of what has no ids. */
static void take_blank(struct translations *to, const struct input *input)
{
    to->count = 1;
    to->best = xcalloc(1, sizeof *to->best);
    to->best[0].text = xstrdup(input->copied ? input->copied : "");
    to->best[0].subwords = xstrdup("");
    to->best[0].parts = input->copied != NULL;
    to->best[0].too_long = input->too_long;
    to->best[0].repaired = input->repaired;
}

static void take_batch(void *context, int batch, int member)
{
    struct lines_run *run = context;
    const int from = run->begin[batch], count = run->begin[batch + 1] - from;
    if (run_batch(run, run->inputs + from, count, &run->translator->arenas[member]))
        return;
    pthread_mutex_lock(&run->mutex);
    for (int i = from; i < from + count; i++)
        run->finished += !--run->open[run->inputs[i].line];
    if (run->watch && run->watch->done)
        run->watch->done(run->watch->context, run->finished);
    pthread_mutex_unlock(&run->mutex);
}

/* Translates the first `count` of the sorted inputs, none without ids. */
static void run_batches(struct lines_run *run, int count)
{
    int *begin = xmalloc((size_t)count + 1, sizeof *begin);
    run->begin = begin;
    const int batches = inputs_cut(begin, run->inputs, count, &run->translator->options);
    pthread_mutex_init(&run->mutex, NULL);
    team_run(run->translator->team, take_batch, run, batches);
    pthread_mutex_destroy(&run->mutex);
    xfree(begin);
}

static void count_line(struct translator *translator, const struct translation *best)
{
    translator->overflowed_lines += best->end == END_OVERFLOW;
    translator->missed_terms += translation_missed_terms(best);
}

/* Joins the parts of all lines. `inputs` [by number]. */
static void join_lines(struct lines_run *run, const struct input *const *inputs, size_t count)
{
    for (size_t part = 0, more; part < count; part += more) {
        const int line = inputs[part]->line;
        for (more = 1; part + more < count && inputs[part + more]->line == line;)
            more++;
        struct translations *out = &run->out[line];
        run->translator->unaligned_lines +=
            !parts_join(out, &run->parts[part], &inputs[part], (int)more, &run->beam);
        count_line(run->translator, out->best);
    }
}

/* Ranks the translations of the first `count` inputs by the judges, too. */
static void judge(struct lines_run *run, int count)
{
    struct lines sources = {.count = 0};
    struct translations **parts = xmalloc((size_t)count, sizeof *parts);
    for (int i = 0; i < count; i++) {
        parts[i] = &run->parts[run->inputs[i].part];
        lines_add(&sources, run->inputs[i].judged.text, run->inputs[i].judged.length);
    }
    run->cancelled = judges_rank(parts, &sources, &run->translator->options, run->watch) != 0;
    xfree(parts);
    lines_release(&sources);
}

/* Searches the first `count` of the inputs, in slices: even with a batch for each input, a team can take
 * them; and of what is judged, all hypotheses are kept until then. */
static void search(struct lines_run *run, const struct input *inputs, int count)
{
    const struct translate_options *options = &run->translator->options;
    const bool judges = judges_are_open(options->judges) && !run->beam.scored;
    const int judged = options->threads * options->batch * JUDGED_BATCHES,
              most = judges && judged < TEAM_MOST_TASKS ? judged : TEAM_MOST_TASKS;
    for (int from = 0; from < count && !run->cancelled; from += most) {
        const int slice = count - from < most ? count - from : most;
        run->inputs = inputs + from;
        run_batches(run, slice);
        if (judges && !run->cancelled)
            judge(run, slice);
    }
}

/* Translates what has ids, and joins it, or if cancelled, lets go of it. */
static void run_inputs(struct lines_run *run, const struct inputs *inputs)
{
    const struct input **by_number = xmalloc(inputs->count, sizeof *by_number);
    const int count = (int)inputs->count;
    int filled = 0;
    while (filled < count && inputs->items[filled].ids.count)
        filled++;
    for (int i = 0; i < count; i++) {
        by_number[inputs->items[i].part] = &inputs->items[i];
        run->open[inputs->items[i].line] += i < filled;
    }
    for (int i = filled; i < count; i++) {
        take_blank(&run->parts[inputs->items[i].part], &inputs->items[i]);
        int *open = &run->open[inputs->items[i].line];
        run->finished += !*open;
        *open -= !*open; /* a line of several such parts counts once */
    }
    if (count && !filled && run->watch && run->watch->done) /* else the last batch tells of all lines */
        run->watch->done(run->watch->context, run->finished);
    search(run, inputs->items, filled);
    for (int i = 0; i < count && run->cancelled; i++)
        translations_release(&run->parts[i]);
    if (!run->cancelled)
        join_lines(run, by_number, inputs->count);
    xfree(by_number);
}

static int run_lines(struct lines_run *run, const struct lines *lines, const struct lines *targets,
                     struct err *err)
{
    struct inputs inputs;
    run->cancelled = !inputs_init(&inputs, run->translator, lines, targets, run->beam.scored, run->watch);
    run->parts = xcalloc(inputs.count, sizeof *run->parts);
    run->open = xcalloc(lines->count, sizeof *run->open);
    memset(run->out, 0, lines->count * sizeof *run->out);
    if (!run->cancelled)
        run_inputs(run, &inputs);
    xfree(run->open);
    xfree(run->parts);
    inputs_release(&inputs);
    return run->cancelled ? err_set(err, "cancelled") : 0;
}

int translator_run(struct translator *translator, struct translations *out, const struct lines *lines,
                   const struct lines *prefixes, const struct translation_watch *watch, struct err *err)
{
    struct lines_run run = {
        .translator = translator, .beam = translator->options.beam, .out = out, .watch = watch};
    if (judges_are_open(translator->options.judges))
        run.beam.n_best = run.beam.beam;
    return run_lines(&run, lines, prefixes, err);
}

int translator_score(struct translator *translator, struct translations *out, const struct lines *lines,
                     const struct lines *targets, const struct translation_watch *watch, struct err *err)
{
    struct lines_run run = {
        .translator = translator, .beam = translator->options.beam, .out = out, .watch = watch};
    run.beam.scored = true;
    run.beam.sampled = false;
    run.beam.beam = run.beam.n_best = 1;
    return run_lines(&run, lines, targets, err);
}
