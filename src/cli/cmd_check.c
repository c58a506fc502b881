/* nmt check: the doctor for corpora. Names what is wrong or odd, by file and line, and counts it. */
#include "commands.h"
#include "config.h"
#include "corpus.h"
#include "evaluation.h"
#include "hashset.h"
#include "log.h"
#include "mem.h"
#include "model_dir.h"
#include "parseopt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum finding {
    INVALID_TEXT,
    EMPTY_SIDE,
    TOO_LONG,
    ODD_RATIO,
    DUPLICATE,
    IN_TRAIN,
    FINDINGS,
};

/* One list of what is looked for; `fatal`: training refuses it (as the config says for invalid text). */
static const struct {
    const char *name, *what;
} findings[FINDINGS] = {
    [INVALID_TEXT] = {"invalid", "invalid UTF-8 or NUL bytes"},
    [EMPTY_SIDE] = {"empty", "an empty side"},
    [TOO_LONG] = {"too long", "more words than data.max_length"},
    [ODD_RATIO] = {"odd ratio", "one side far longer than the other"},
    [DUPLICATE] = {"duplicate", "the same pair again"},
    [IN_TRAIN] = {"in train", "a source sentence that is in train"},
};

/* A side this much longer than the other, in words of the tokenizer, is odd; short sentences vary more. */
#define ODD_FACTOR 3
#define ODD_EXTRA 8

struct doctor {
    const struct config *config;
    struct language_pair pair;
    struct hashset train_sources, pairs; /* of train */
    int64_t counts[FINDINGS];
    int shown[FINDINGS];
    int most_shown;
    bool refused;
};

struct split {
    const char *name;
    const struct config_pairs *files;
    bool train;
    int64_t pairs, counts[FINDINGS];
};

static void report(struct doctor *d, enum finding finding, const char *path, int64_t line, const char *detail)
{
    d->counts[finding]++;
    if (d->shown[finding]++ < d->most_shown)
        printf("%s:%lld: %s%s%s\n", path, (long long)line, findings[finding].what, *detail ? ": " : "",
               detail);
}

static int count_tokens(const struct tokenizer *tokenizer, const struct strbuf *line)
{
    struct strbuf words;
    size_t at = 0, length;
    int count = 0;
    strbuf_init(&words);
    tokenizer_words(&words, tokenizer, line->text, line->length);
    while (next_word(words.text, words.length, &at, &length))
        count++;
    strbuf_release(&words);
    return count;
}

/* Both sides valid? Reports the first bad byte of each. */
static bool check_bytes(struct doctor *d, const struct pair_reader *reader)
{
    const struct strbuf *const lines[SIDES] = {&reader->source_line, &reader->target_line};
    bool good = true;
    for (int side = 0; side < SIDES; side++) {
        const char *what;
        char detail[64];
        const size_t at = line_problem(lines[side]->text, lines[side]->length, &what);
        if (at == lines[side]->length)
            continue;
        snprintf(detail, sizeof detail, "%s at byte %zu", what, at + 1);
        report(d, INVALID_TEXT, pair_reader_path(reader, side), reader->source.line, detail);
        good = false;
    }
    return good;
}

static void check_pair(struct doctor *d, const struct pair_reader *reader, bool is_train)
{
    const char *path = pair_reader_path(reader, false);
    const int64_t line = reader->source.line;
    char detail[96] = "";
    if (!check_bytes(d, reader))
        return;
    const int source = count_tokens(&d->pair.tokenizer[SOURCE], &reader->source_line);
    const int target = count_tokens(&d->pair.tokenizer[TARGET], &reader->target_line);
    snprintf(detail, sizeof detail, "%d and %d words", source, target);
    if (!source || !target) {
        report(d, EMPTY_SIDE, pair_reader_path(reader, source > 0), line, "");
        return;
    }
    if (source > d->config->data.max_length || target > d->config->data.max_length)
        report(d, TOO_LONG, path, line, detail);
    else if (source > ODD_FACTOR * target + ODD_EXTRA || target > ODD_FACTOR * source + ODD_EXTRA)
        report(d, ODD_RATIO, path, line, detail);

    const struct strbuf *text = &reader->source_line;
    if (!is_train) {
        if (hashset_has(&d->train_sources, text->text, text->length))
            report(d, IN_TRAIN, path, line, "");
        return;
    }
    hashset_add(&d->train_sources, text->text, text->length);
    struct strbuf both;
    strbuf_init(&both);
    strbuf_addf(&both, "%s\t%s", text->text, reader->target_line.text);
    if (!hashset_add(&d->pairs, both.text, both.length))
        report(d, DUPLICATE, path, line, "");
    strbuf_release(&both);
}

static void print_table_line(const struct split *split)
{
    printf("%-8s %10lld", split->name, (long long)split->pairs);
    for (int f = 0; f < FINDINGS; f++)
        printf(" %10lld", (long long)split->counts[f]);
    putchar('\n');
}

/* One split: findings line by line; then its numbers are in it. */
static void check_split(struct doctor *d, struct split *split)
{
    struct pair_reader reader;
    struct err err;
    const struct pair_files files = files_of(split->files);
    memset(d->counts, 0, sizeof d->counts);
    memset(d->shown, 0, sizeof d->shown);
    int status = pair_reader_open(&reader, &files, PAIR_STOP, &err);
    if (!status) {
        while ((status = pair_reader_raw(&reader, &err)) > 0)
            check_pair(d, &reader, split->train);
        split->pairs = reader.counts.pairs;
        if (reader.counts.crlf || reader.counts.boms)
            printf("%s: %lld CRLF line ends and %lld byte-order marks, which are removed\n", split->name,
                   (long long)reader.counts.crlf, (long long)reader.counts.boms);
        pair_reader_close(&reader);
    }
    if (status) {
        printf("%s\n", err.text);
        d->refused = true;
    }
    for (int f = 0; f < FINDINGS; f++)
        if (d->shown[f] > d->most_shown)
            printf("%s: %d more with %s\n", split->name, d->shown[f] - d->most_shown, findings[f].what);
    const bool stops = !split->train || d->config->data.on_invalid == INVALID_STOP;
    d->refused |= d->counts[INVALID_TEXT] > 0 && stops;
    d->refused |= !status && split->pairs == d->counts[EMPTY_SIDE] + d->counts[INVALID_TEXT] +
                                                 (split->train ? d->counts[TOO_LONG] : 0);
    memcpy(split->counts, d->counts, sizeof split->counts);
}

/* All of the config's corpora; splits has room for them. */
static int list_splits(struct split *splits, const struct config *config)
{
    int count = 0;
    for (int i = 0; config_train(config, i); i++)
        splits[count++] = (struct split){.name = "train", .files = config_train(config, i), .train = true};
    const struct split others[] = {{.name = "valid", .files = &config->data.valid},
                                   {.name = "test", .files = &config->data.test}};
    for (int i = 0; i < 2; i++)
        if (others[i].files->source || others[i].files->tsv)
            splits[count++] = others[i];
    return count;
}

static int run(struct doctor *d)
{
    struct split *splits = xcalloc((size_t)d->config->data.more_count + 3, sizeof *splits);
    const int count = list_splits(splits, d->config);
    for (int i = 0; i < count; i++)
        check_split(d, &splits[i]);
    printf("%-8s %10s", "", "pairs");
    for (int f = 0; f < FINDINGS; f++)
        printf(" %10s", findings[f].name);
    putchar('\n');
    for (int i = 0; i < count; i++)
        print_table_line(&splits[i]);
    free(splits);
    puts(d->refused ? "training would refuse this" : "training would take this");
    return d->refused ? EXIT_FAILED : EXIT_DONE;
}

int cmd_check(int argc, char **argv)
{
    const char *config_path = NULL;
    struct string_list settings = {{NULL}, 0};
    struct doctor d = {.most_shown = 5};
    const struct option_spec options[] = {
        {"config", 'c', OPTION_STRING, &config_path, "FILE", "the config whose corpora to check", 0, 0},
        {"set", 'S', OPTION_LIST, &settings, "KEY=VALUE", "override a key of the config", 0, 0},
        {"show", 0, OPTION_INT, &d.most_shown, "N", "lines to show of each kind (default: 5)", 0, 1e9},
        {NULL, 0, OPTION_FLAG, NULL, NULL, NULL, 0, 0},
    };
    const struct command_help help = {"nmt check --config FILE",
                                      "Reads the train, valid and test sets of a config and names invalid "
                                      "UTF-8, NUL bytes, empty sides, unequal\n"
                                      "counts, over-long lines, odd length ratios, duplicates and test "
                                      "sentences that are in train, by file and\n"
                                      "line. Exits with 1 where training would refuse."};
    PARSE_OR_RETURN(argc, argv, options, &help);
    if (!config_path)
        return wrong_use(&help, "--config is missing");
    struct config config;
    struct err err;
    config_init(&config);
    int status = config_load(&config, config_path, &err);
    for (int i = 0; i < settings.count && !status; i++)
        status = config_set(&config, settings.items[i], &err);
    if (status || config_check(&config, &err)) {
        status = fail(&err);
    } else {
        d.config = &config;
        language_pair_init(&d.pair, &config);
        status = run(&d);
        language_pair_release(&d.pair);
        hashset_release(&d.train_sources);
        hashset_release(&d.pairs);
    }
    config_release(&config);
    return status;
}
