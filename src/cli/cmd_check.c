/* nmt check: examines corpora. Reports what is wrong or odd by file and line, and counts it; check_print.c
 * prints it. */
#include "check_print.h"
#include "commands.h"
#include "config_options.h"
#include "distill.h"
#include "guides.h"
#include "hashset.h"
#include "line_signs.h"
#include "lines.h"
#include "log.h"
#include "mem.h"
#include "output.h"
#include "parseopt.h"
#include "shared_options.h"
#include "swapped_sides.h"
#include "trainer.h"
#include "utf8.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* A side is odd if it is longer than the other by this factor and this much; the second term allows for
 * short sentences. Measured in words of the tokenizer, or in letters if a side's script has no blanks
 * between words. */
#define ODD_FACTOR 3
#define ODD_EXTRA_WORDS 8
#define ODD_EXTRA_LETTERS 24

/* Reference alignments of a corpus. */
struct guide_check {
    struct guide_reader guide;
    struct links links;
    bool open, refused; /* refused: for the reason in err */
    struct err err;
};

struct doctor {
    const struct config *config;
    struct language_pair pair;
    struct hashset train_sources, pairs; /* seen in train */
    struct swapped_sides swapped;
    struct strbuf words[SIDES];   /* of the current pair */
    struct guide_check alignment; /* of the current corpus */
    int most_shown;
    bool json, refused, warned;
    bool distill_refused; /* text for nmt distill alone */
};

static void report(const struct doctor *d, struct split *split, enum finding finding, const char *path,
                   int64_t line, const char *detail)
{
    if (split->counts[finding]++ < d->most_shown)
        check_print_finding(split, finding, path, line, detail, d->json);
}

/* Prints a warning about a whole corpus. */
static void warn(struct doctor *d, const struct split *split, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void warn(struct doctor *d, const struct split *split, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    struct strbuf text;
    strbuf_init(&text);
    strbuf_addv(&text, format, arguments);
    check_print_warning(split, text.text, d->json);
    strbuf_release(&text);
    va_end(arguments);
    d->warned = true;
}

/* Text in one language is read as pairs with the same file on both sides. */
static int sides_of(const struct split *split)
{
    return split->monolingual ? 1 : SIDES;
}

/* ---- encodings ---- */

/* Of side `side` of the split's files. */
static const char *language_of(const struct doctor *d, const struct split *split, int side)
{
    const int spoken = split->monolingual ? split->side : side;
    return spoken == SOURCE ? d->config->data.source_language : d->config->data.target_language;
}

static void warn_of_encoding(struct doctor *d, const struct split *split, const char *path,
                             const struct file_text *text)
{
    const struct old_encoding *old = old_encoding(language_of(d, split, text->side));
    const char *name = old->iso && !text->windows ? old->iso : old->name;
    warn(d, split, "'%s' looks like %s: iconv -f %s -t UTF-8 makes it fit%s", path,
         old->languages[0] ? name : "Latin-1", name,
         old->languages[0] ? "" : ", if its language is one of western Europe");
}

/* ---- pairs ---- */

/* Are both sides valid? Reports the first bad byte of each. */
static bool check_bytes(const struct doctor *d, struct split *split, const struct pair_reader *reader)
{
    const struct strbuf *line = reader->line;
    bool valid = true;
    for (int side = 0; side < sides_of(split); side++) {
        struct file_text *text = &split->text[split->files->tsv ? SOURCE : side];
        const char *what;
        char detail[64];
        const size_t at = line_problem(line[side].text, line[side].length, &what);
        if (at == line[side].length) {
            text->beyond_ascii |= !is_ascii_line(&line[side]);
            continue;
        }
        text->invalid++;
        text->side = side;
        text->bytes += looks_like_bytes(&line[side], old_encoding(language_of(d, split, side))->unassigned);
        text->windows |= has_windows_bytes(&line[side]);
        snprintf(detail, sizeof detail, "%s at byte %zu", what, pair_reader_before(reader, side) + at + 1);
        report(d, split, INVALID_TEXT, pair_reader_path(reader, side), reader->number, detail);
        valid = false;
    }
    return valid;
}

static bool is_odd(int length, int other, int extra)
{
    return length > ODD_FACTOR * other + extra || other > ODD_FACTOR * length + extra;
}

static const char *unit_of(const struct line_length *length)
{
    return length->unspaced ? "characters" : "words";
}

static int length_in_unit(const struct line_length *length)
{
    return length->unspaced ? length->characters : length->words;
}

/* Checks the lengths of a pair without empty sides. */
static void check_lengths(const struct doctor *d, struct split *split, const struct pair_reader *reader,
                          const struct line_length length[SIDES])
{
    const struct line_length *source = &length[SOURCE], *target = &length[TARGET];
    const bool unspaced = source->unspaced || target->unspaced;
    const int most = d->config->data.max_length;
    enum finding finding = FINDINGS;
    char detail[96];
    if (source->words > most || target->words > most)
        finding = TOO_LONG;
    else if (unspaced ? is_odd(source->letters, target->letters, ODD_EXTRA_LETTERS)
                      : is_odd(source->words, target->words, ODD_EXTRA_WORDS))
        finding = ODD_RATIO;
    else
        return;
    if (source->unspaced == target->unspaced)
        snprintf(detail, sizeof detail, "%d and %d %s", length_in_unit(source), length_in_unit(target),
                 unit_of(source));
    else
        snprintf(detail, sizeof detail, "%d %s and %d %s", length_in_unit(source), unit_of(source),
                 length_in_unit(target), unit_of(target));
    report(d, split, finding, pair_reader_path(reader, SOURCE), reader->number, detail);
}

static void check_quotes(const struct doctor *d, struct split *split, const struct pair_reader *reader)
{
    const enum sheet_quotes source = sheet_quotes(reader->line[SOURCE].text, reader->line[SOURCE].length);
    const enum sheet_quotes target = sheet_quotes(reader->line[TARGET].text, reader->line[TARGET].length);
    if (source == QUOTES_SURE || target == QUOTES_SURE)
        report(d, split, QUOTED, pair_reader_path(reader, source != QUOTES_SURE), reader->number, "");
    else
        split->perhaps_quoted += source == QUOTES_PERHAPS || target == QUOTES_PERHAPS;
}

/* Appends a side as it is compared: in the normal form and case that training reads, and with one blank for
 * each run of white space inside. */
static void add_compared(struct strbuf *out, const struct tokenizer *tokenizer, const struct strbuf *line)
{
    const size_t begin = out->length;
    struct strbuf normal, lower;
    strbuf_init(&normal);
    strbuf_init(&lower);
    utf8_normalize(&normal, line->text, line->length, tokenizer->form);
    if (tokenizer->lowercase)
        utf8_lower(&lower, normal.text, normal.length);
    const struct strbuf *read = tokenizer->lowercase ? &lower : &normal;
    bool blank = false;
    for (size_t at = 0, bytes; at < read->length; at += bytes) {
        int32_t code;
        bytes = utf8_decode(read->text + at, read->length - at, &code);
        if (!utf8_is_space(code)) {
            if (blank && out->length > begin)
                strbuf_addch(out, ' ');
            strbuf_add(out, read->text + at, bytes);
        }
        blank = utf8_is_space(code);
    }
    strbuf_release(&normal);
    strbuf_release(&lower);
}

/* Checks that depend on other pairs: repetitions, overlap with train, swapped sides. */
static void check_repeats(struct doctor *d, struct split *split, const struct pair_reader *reader)
{
    const char *path = pair_reader_path(reader, SOURCE);
    struct strbuf text;
    strbuf_init(&text);
    add_compared(&text, &d->pair.tokenizer[SOURCE], &reader->line[SOURCE]);
    if (split->train) {
        hashset_add(&d->train_sources, text.text, text.length);
        strbuf_addch(&text, '\t');
        add_compared(&text, &d->pair.tokenizer[TARGET], &reader->line[TARGET]);
        if (!hashset_add(&d->pairs, text.text, text.length))
            report(d, split, DUPLICATE, path, reader->number, "");
    } else if (hashset_has(&d->train_sources, text.text, text.length)) {
        report(d, split, IN_TRAIN, path, reader->number, "");
    }
    for (int side = 0; side < SIDES; side++)
        if (split->train)
            swapped_sides_learn(&d->swapped, side, &d->words[side]);
        else
            swapped_sides_count(&d->swapped, side, &d->words[side]);
    strbuf_release(&text);
}

/* ---- alignments ---- */

static void begin_alignment(struct guide_check *alignment, const char *path)
{
    *alignment = (struct guide_check){.open = false};
    if (!path)
        return;
    alignment->refused = guide_reader_open(&alignment->guide, path, &alignment->err) != 0;
    alignment->open = !alignment->refused;
}

/* Checks the alignment of a pair that training would read, up to the first one that is refused. */
static void check_alignment(struct guide_check *alignment, int64_t line,
                            const struct line_length length[SIDES])
{
    if (alignment->open && !alignment->refused)
        alignment->refused =
            guide_reader_next(&alignment->guide, &alignment->links, line, length[SOURCE].words,
                              length[TARGET].words, 0, &alignment->err) != 0;
}

/* -1 if one of them was refused, or if there are more of them than pairs. */
static int end_alignment(struct guide_check *alignment, int64_t pairs)
{
    if (alignment->open && !alignment->refused)
        alignment->refused = guide_reader_end(&alignment->guide, pairs, &alignment->err) != 0;
    if (alignment->open)
        guide_reader_close(&alignment->guide);
    links_release(&alignment->links);
    return alignment->refused ? -1 : 0;
}

/* ---- corpora ---- */

/* Are invalid bytes replaced where the text is used? */
static bool is_repaired(const struct doctor *d, const struct split *split)
{
    return (split->train || split->monolingual) && d->config->data.on_invalid == INVALID_REPLACE;
}

static void check_pair(struct doctor *d, struct split *split, struct pair_reader *reader)
{
    const struct strbuf *line = reader->line;
    struct line_length length[SIDES];
    if (!check_bytes(d, split, reader)) {
        split->invalid_pairs++;
        if (!is_repaired(d, split))
            return;
        pair_reader_repair(reader);
    }
    for (int side = 0; side < SIDES; side++) {
        const struct tokenizer *tokenizer = &d->pair.tokenizer[side];
        strbuf_reset(&d->words[side]);
        tokenizer_words(&d->words[side], tokenizer, line[side].text, line[side].length);
        length[side] = line_length(&line[side], &d->words[side], tokenizer->kind);
        if (utf8_blank(line[side].text, line[side].length)) /* to a tokenizer, a no-break space is a word */
            length[side].words = 0;
    }
    if (!length[SOURCE].words || !length[TARGET].words) {
        report(d, split, EMPTY_SIDE, pair_reader_path(reader, length[SOURCE].words > 0), reader->number, "");
        return;
    }
    if (split->monolingual)
        return;
    check_alignment(&d->alignment, reader->number, length);
    check_lengths(d, split, reader, length);
    check_quotes(d, split, reader);
    if (!strcmp(d->words[SOURCE].text, d->words[TARGET].text)) {
        if (!split->counts[SAME_TEXT])
            split->first_same = reader->number;
        report(d, split, SAME_TEXT, pair_reader_path(reader, SOURCE), reader->number, "");
    }
    check_repeats(d, split, reader);
}

/* Do many pairs have the same text on both sides: at least a tenth, and more than a few names? */
static bool has_many_equal_sides(const struct split *split)
{
    const int64_t same = split->counts[SAME_TEXT];
    return 10 * same > split->pairs && (same >= 5 || 2 * same > split->pairs);
}

/* Does the ending of a file's name, as in "train.en.gz", name a language? */
static bool is_named(const char *path, const char *language)
{
    const char *name = path_base(path);
    const size_t length = strlen(name), gz = length > 3 && !strcmp(name + length - 3, ".gz") ? 3 : 0,
                 bytes = language ? strlen(language) : 0;
    return bytes && length > bytes + gz && name[length - gz - bytes - 1] == '.' &&
           !strncasecmp(name + length - gz - bytes, language, bytes);
}

/* Is the corpus in two files that are named as these languages? */
static bool are_named(const struct config_pairs *files, const char *source_language,
                      const char *target_language)
{
    return files->source && files->target && is_named(files->source, source_language) &&
           is_named(files->target, target_language);
}

/* Only names tell that train is swapped: other corpora are compared with its words. It may be so on purpose,
 * if another one of train is not. */
static void warn_of_names(struct doctor *d, const struct split *split)
{
    const struct config_data *data = &d->config->data;
    const struct config_pairs *files = split->files;
    bool swapped = !split->monolingual && are_named(files, data->target_language, data->source_language) &&
                   strcmp(data->source_language, data->target_language);
    for (int i = 0; swapped && split->train && config_train(d->config, i); i++)
        swapped = !are_named(config_train(d->config, i), data->source_language, data->target_language);
    if (swapped)
        warn(d, split, "source and target look swapped: the source '%s' is named as the target language %s",
             files->source, data->target_language);
}

static void warn_of_split(struct doctor *d, const struct split *split)
{
    const struct pair_files files = pair_files_of(split->files);
    const long long pairs = split->pairs, quoted = split->counts[QUOTED] + split->perhaps_quoted;
    for (int side = 0; side < SIDES; side++) {
        const struct file_text *text = &split->text[side];
        if (text->invalid && text->bytes == text->invalid && !text->beyond_ascii)
            warn_of_encoding(d, split, pair_files_path(&files, side), text);
    }
    if (split->counts[QUOTED] || 2 * quoted > pairs)
        warn(d, split,
             "%lld of %lld pairs have the quotes of a spreadsheet, which would be learned as text: export "
             "them as tab-separated text without quotes",
             quoted, pairs);
    if (has_many_equal_sides(split))
        warn(d, split, "%lld of %lld pairs have the same text on both sides, the first one in line %lld",
             (long long)split->counts[SAME_TEXT], pairs, (long long)split->first_same);
    warn_of_names(d, split);
    if (!split->train && swapped_sides_found(&d->swapped))
        warn(d, split,
             "source and target are swapped here or in train: %lld words are known from the other side of "
             "train alone, %lld from the same side alone",
             (long long)d->swapped.other, (long long)d->swapped.own);
}

static int64_t usable_pairs(const struct doctor *d, const struct split *split)
{
    const int64_t *counts = split->counts;
    return split->pairs - counts[EMPTY_SIDE] - (is_repaired(d, split) ? 0 : split->invalid_pairs) -
           (split->train ? counts[TOO_LONG] : 0);
}

/* Fails also if there is nothing to use; of several corpora to train on, one may be empty. */
static int read_split(struct doctor *d, struct split *split, struct err *err)
{
    struct pair_reader reader;
    const struct pair_files files = pair_files_of(split->files);
    if ((split->monolingual && file_check_regular(files.source, err)) ||
        pair_reader_open(&reader, &files, INVALID_STOP, err))
        return -1;
    int status;
    begin_alignment(&d->alignment, split->train ? split->files->alignment : NULL);
    while ((status = output_check(err) ? -1 : pair_reader_raw(&reader, err)) > 0)
        check_pair(d, split, &reader);
    split->pairs = reader.counts.pairs;
    split->crlf = reader.counts.crlf / (SIDES / sides_of(split));
    split->boms = reader.counts.boms / (SIDES / sides_of(split));
    if (!status && !usable_pairs(d, split)) {
        const bool one_of_several = split->train && d->config->data.more_count;
        status =
            err_set(err, "no %s%s in '%s'", split->pairs ? "usable " : "",
                    split->monolingual ? "sentences" : "sentence pairs", pair_reader_path(&reader, SOURCE));
        if (one_of_several) {
            warn(d, split, "%s", err->text);
            status = 0;
        }
    }
    if (end_alignment(&d->alignment, reader.number) && !status)
        status = err_set(err, "%s", d->alignment.err.text);
    pair_reader_close(&reader);
    return status;
}

/* Of several corpora to train on, some must have pairs; of one, read_split has said it. */
static void check_train(struct doctor *d, const struct split *splits)
{
    const int count = d->config->data.more_count + 1;
    int64_t usable = 0, weighted = 0;
    for (int i = 0; i < count; i++) {
        usable += usable_pairs(d, &splits[i]);
        weighted += splits[i].files->weight > 0 ? usable_pairs(d, &splits[i]) : 0;
    }
    if (weighted || (count == 1 && !usable))
        return;
    check_print_error(splits,
                      usable ? "no corpus with usable sentence pairs has a weight"
                             : "no corpus has usable sentence pairs",
                      d->json);
    d->refused = true;
}

/* Reads one split, and prints its findings: line by line, then for the whole. The counts stay in `split`. */
static void check_split(struct doctor *d, struct split *split)
{
    struct err err;
    swapped_sides_begin(&d->swapped);
    const int status = read_split(d, split, &err);
    if (!d->json)
        check_print_rest(split, d->most_shown);
    warn_of_split(d, split);
    if (status)
        check_print_error(split, err.text, d->json);
    const bool uses = split->train || split->monolingual,
               stops = !uses || d->config->data.on_invalid == INVALID_STOP;
    *(split->monolingual ? &d->distill_refused : &d->refused) |=
        status || (split->counts[INVALID_TEXT] > 0 && stops);
}

/* Lists the config's corpora. splits [more_count + 5]; `monolingual` holds what two of them need. */
static int list_splits(struct split *splits, struct config_pairs monolingual[SIDES],
                       const struct config *config)
{
    int count = 0;
    for (int i = 0; config_train(config, i); i++)
        splits[count++] = (struct split){.name = "train", .files = config_train(config, i), .train = true};
    const struct split others[] = {{.name = "valid", .files = &config->data.valid},
                                   {.name = "test", .files = &config->data.test}};
    for (int i = 0; i < 2; i++)
        if (config_pairs_given(others[i].files))
            splits[count++] = others[i];
    for (int side = 0; side < SIDES; side++)
        if (distill_monolingual(&monolingual[side], config, (enum side)side))
            splits[count++] = (struct split){
                .name = "monolingual", .files = &monolingual[side], .monolingual = true, .side = side};
    return count;
}

/* ---- a model to begin with ---- */

struct begun_check {
    struct doctor *d;
    const struct split *splits;
};

static void take_unknown(void *context, int corpus, const char *message)
{
    const struct begun_check *check = context;
    warn(check->d, &check->splits[corpus], "%s", message);
}

/* Can what training reads be read a second time? */
static bool can_repeat(const struct config *config)
{
    const struct config_pairs *pairs;
    bool can = true;
    for (int i = 0; can && (pairs = config_train(config, i)); i++) {
        const struct pair_files files = pair_files_of(pairs);
        can = !pair_files_are_streams(&files);
    }
    return can;
}

/* Would the model of training.init_from be refused, or can its words not write the text? For the latter, text
 * is read again, as in training. */
static void check_begun(struct doctor *d, const struct split *splits)
{
    const char *dir = getenv("TMPDIR");
    struct begun_check check = {d, splits};
    struct err err;
    if (d->refused || !d->config->training.init_from)
        return;
    if (trainer_check_init_from(d->config, &err)) {
        check_print_error(splits, err.text, d->json);
        d->refused = true;
        return;
    }
    const struct log_sink quiet = {NULL, NULL}, *before = log_to(&quiet);
    if (can_repeat(d->config) &&
        trainer_find_unknown(d->config, dir && *dir ? dir : "/var/tmp", take_unknown, &check, &err))
        warn(d, splits, "%s", err.text);
    log_to(before);
}

static int check_corpora(struct doctor *d)
{
    struct split *splits = xcalloc((size_t)d->config->data.more_count + 5, sizeof *splits);
    struct config_pairs monolingual[SIDES];
    const int count = list_splits(splits, monolingual, d->config);
    for (int i = 0; i < count; i++)
        check_split(d, &splits[i]);
    check_train(d, splits);
    check_begun(d, splits);
    check_print_counts(splits, count, d->json);
    check_print_verdict(d->refused           ? VERDICT_REFUSED
                        : d->distill_refused ? VERDICT_DISTILL_REFUSED
                        : d->warned          ? VERDICT_WARNED
                                             : VERDICT_ACCEPTED,
                        d->json);
    xfree(splits);
    return d->refused || d->distill_refused ? EXIT_FAILED : EXIT_DONE;
}

static void release(struct doctor *d)
{
    for (int side = 0; side < SIDES; side++)
        strbuf_release(&d->words[side]);
    language_pair_release(&d->pair);
    hashset_release(&d->train_sources);
    hashset_release(&d->pairs);
    swapped_sides_release(&d->swapped);
}

int cmd_check(int argc, char **argv)
{
    const char *config_path = NULL;
    struct string_list settings = {{NULL}, 0};
    struct doctor d = {.most_shown = 5};
    const struct option_spec options[] = {
        {"config", 'c', OPTION_STRING, &config_path, "CONFIG", "config whose corpora are checked", 0, 0},
        SET_OPTION(&settings),
        JSON_OPTION(&d.json),
        {"show", 0, OPTION_INT, &d.most_shown, "N", "lines to show of each kind (default: 5)", 0, 1e9},
        {NULL, 0, OPTION_FLAG, NULL, NULL, NULL, 0, 0},
    };
    const struct command_help help = {
        "nmt check --config CONFIG",
        "Reads the train, valid and test sets of a config, and text for nmt distill in one language "
        "(monolingual). Lists, by file and line, invalid UTF-8, NUL bytes, empty sides, over-long lines, odd "
        "length ratios, quotes from a spreadsheet, duplicates, and test sentences that are also in train. "
        "Also finds unequal line counts, corpora with the same text on both sides, swapped sides, and other "
        "encodings. The exit status is 1 if they would be refused."};
    PARSE_OR_RETURN(argc, argv, options, &help);
    if (!config_path)
        return wrong_use(&help, "--config is missing");
    struct config config;
    struct err err;
    config_init(&config);
    if (config_set(&config, "model_dir=.", &err)) /* where there is no other: no model is made */
        BUG("%s", err.text);
    int status = config_options_load(&config, config_path, &settings, &RANKS_ALONE, &err) ||
                         config_check_end(&config, &err)
                     ? fail(&err)
                     : config_options_check_files(config_path, &config);
    if (status == EXIT_DONE) {
        config_settle_protect(&config);
        d.config = &config;
        language_pair_init(&d.pair, &config);
        d.pair.tokenizer[TARGET].reversed = false; /* both sides are compared */
        for (int side = 0; side < SIDES; side++)
            strbuf_init(&d.words[side]);
        status = check_corpora(&d);
        release(&d);
    }
    config_release(&config);
    return status;
}
