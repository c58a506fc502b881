/* Learns abbreviations and words that begin sentences from lines of text. The file of what was learned is
 * splitter.c's. */
#include "mem.h"
#include "sentence_signs.h"
#include "utf8.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_SCORE 0.3 /* of an abbreviation (Kiss and Strunk 2006, section 3.2) */
#define LEAST_STARTS 3  /* of a word that begins sentences */
#define MANY_STARTS 10  /* of one that never stands within a sentence */
#define MOST_WORDS 2000 /* of each kind */
#define LEAST_ORDINALS 3
#define LEAST_SPEECH 3
#define LEAST_TITLES 3
#define MOST_CHANCE 0.001 /* that a verb looks like a title, or a sentence in quotes like speech */
#define LEAST_BARE 3      /* occurrences without a point of a short word, if it never ends a line */
#define LEAST_LAST 3      /* at the ends of lines, if it is seldom without a point */

/* How often a word occurs. */
struct occurrences {
    int64_t all;
    int64_t pointed;        /* with a point, and no end of a line or sentence seems to follow */
    int64_t starts;         /* as the first word of a line */
    int64_t small, capital; /* within a line */
    int64_t behind_stop;    /* within a line, too */
    int64_t behind_title;   /* of those, the ones behind a word such as "Mr" */
    int64_t last;           /* with a point, at the end of a line */
    int64_t last_unit;      /* of those, the ones behind a number */
    int64_t before_small;   /* of those with a point and no end, the ones that a small letter follows */
    int64_t before_starter; /* with a point, and a word that begins sentences follows */
};

struct learning {
    struct splitter *splitter;
    struct strmap words;
    struct occurrences *counts; /* [words.count] */
    size_t capacity;
    int64_t tokens, points; /* within lines */
    int64_t last_points;    /* at their ends */
    int64_t ordinals, ends_in_number;
    int64_t small_lines, capital_lines;
    struct strbuf key;
};

/* A word between blanks. */
struct token {
    struct span word; /* its letters, without what stands around them */
    size_t begin;     /* of its first letter or digit */
    bool point;       /* a single full stop ends it */
    bool stop;        /* another stop does */
    bool label;       /* a colon does, as behind the name of a speaker */
};

static struct occurrences *count_of(struct learning *learning, const char *text, struct span word)
{
    word_key(&learning->key, text, word);
    const size_t known = learning->words.count;
    const size_t number = (size_t)strmap_intern(&learning->words, learning->key.text, learning->key.length);
    GROW(learning->counts, number + 1, learning->capacity);
    if (number == known)
        learning->counts[number] = (struct occurrences){.all = 0};
    return &learning->counts[number];
}

/* ---- tokens ---- */

static bool is_around(int32_t code)
{
    const enum utf8_punctuation kind = utf8_punctuation_of(code);
    return kind == UTF8_OPENING || kind == UTF8_CLOSING || sign_is_quote(code) || sign_ends_clause(code);
}

/* Takes the stops off the end of a token. */
static void take_stops(struct token *token, const char *text)
{
    size_t length, stops = 0;
    int32_t code;
    while ((code = char_before(text, token->word.end, &length)) >= 0 && token->word.end > token->word.begin &&
           sign_is_stop(code)) {
        token->point = !stops++ && sign_is_point(code);
        token->word.end -= length;
    }
    token->stop = stops && !token->point;
}

/* The next token of a line; false at its end. */
static bool next_token(struct token *token, const char *text, size_t bytes, size_t *at)
{
    size_t length, end;
    int32_t code;
    while ((code = char_at(text, bytes, *at, &length)) >= 0 && utf8_is_space(code))
        *at += length;
    size_t begin = end = *at;
    while ((code = char_at(text, bytes, end, &length)) >= 0 && !utf8_is_space(code))
        end += length;
    *at = end;
    if (begin == end)
        return false;
    bool label = false;
    while (end > begin && is_around(code = char_before(text, end, &length))) {
        label = label || code == ':' || code == 0xff1a;
        end -= length;
    }
    *token = (struct token){.word = {begin, end}, .label = label};
    take_stops(token, text);
    token->begin = begin;
    while (token->begin < token->word.end &&
           utf8_class_of(char_at(text, bytes, token->begin, &length)) == UTF8_SYMBOL)
        token->begin += length;
    token->word = word_before(text, bytes, begin, token->word.end);
    return true;
}

static enum utf8_case case_at(const char *text, size_t bytes, size_t at)
{
    size_t length;
    return utf8_case_of(char_at(text, bytes, at, &length));
}

/* Is there a small letter, or one of a script without capitals? */
static bool is_small_at(const char *text, size_t bytes, size_t at)
{
    size_t length;
    const int32_t code = char_at(text, bytes, at, &length);
    return utf8_case_of(code) == UTF8_LOWER || utf8_is_caseless(code);
}

/* ---- words that begin sentences ---- */

/* Does the token look like a title, which names follow? */
static bool may_be_title(const char *text, const struct token *token)
{
    return token->point && !is_unit(text, token->word) &&
           looks_abbreviated(text + token->word.begin, token->word.end - token->word.begin);
}

static void count_cases(struct learning *learning, const char *text, size_t bytes)
{
    struct token token, before = {.point = false};
    bool first = true;
    for (size_t at = 0; next_token(&token, text, bytes, &at); before = token) {
        const struct span letters = letters_at(text, bytes, token.begin);
        if (letters.begin == letters.end)
            continue;
        const bool small = is_small_at(text, bytes, letters.begin);
        const bool capital = case_at(text, bytes, letters.begin) == UTF8_UPPER;
        struct occurrences *count = count_of(learning, text, letters);
        if (first) {
            count->starts += !token.label;
            learning->small_lines += small;
            learning->capital_lines += capital;
        } else if (before.point || before.stop) {
            count->behind_stop++;
            count->behind_title += may_be_title(text, &before);
        } else {
            count->small += small;
            count->capital += capital;
        }
        first = false;
    }
}

/* A word that is never seen within a sentence, as "Where", must begin many lines, stand behind fewer stops,
 * and behind no title: names may be seen there only, as in "Dr. Meier". */
static bool begins_sentences(const struct learning *learning, const struct occurrences *count)
{
    if (learning->splitter->lowercase)
        return count->starts >= LEAST_STARTS && count->starts > count->small;
    if (!count->small && !count->capital)
        return count->starts >= MANY_STARTS && count->starts > 2 * count->behind_stop && !count->behind_title;
    return count->starts >= LEAST_STARTS && count->small > count->capital;
}

/* ---- abbreviations ---- */

/* Is the token a capital and a word that begins sentences? */
static bool is_starter(const struct learning *learning, const char *text, size_t bytes,
                       const struct token *token)
{
    return (learning->splitter->lowercase || case_at(text, bytes, token->begin) == UTF8_UPPER) &&
           word_is_in(&learning->splitter->starters, text, letters_at(text, bytes, token->begin));
}

/* Counts a token as tied to its point or not, given the one that follows (NULL: none). A word at the end of a
 * line says only that it may end sentences. */
static void count_point(struct learning *learning, const char *text, size_t bytes, const struct token *token,
                        const struct token *next)
{
    const size_t length = token->word.end - token->word.begin;
    if (!length)
        return;
    if (token->point && !next) {
        learning->last_points++;
        struct occurrences *count = count_of(learning, text, token->word);
        count->last++;
        count->last_unit += is_unit(text, token->word);
        return;
    }
    const bool ends = token->point && is_starter(learning, text, bytes, next);
    learning->tokens++;
    learning->points += token->point;
    if (!is_number(text + token->word.begin, length, length)) {
        struct occurrences *count = count_of(learning, text, token->word);
        count->all++;
        count->pointed += token->point && !ends;
        count->before_starter += ends;
        count->before_small += token->point && !ends && case_at(text, bytes, next->begin) == UTF8_LOWER;
    } else if (token->point && token->begin && letters_at(text, bytes, next->begin).end > next->begin &&
               is_number(text + token->word.begin, length, MOST_ORDINAL_DIGITS)) {
        learning->ends_in_number += ends;
        learning->ordinals += !ends;
    }
}

static void count_points(struct learning *learning, const char *text, size_t bytes)
{
    struct token token, next;
    size_t at = 0;
    bool more = next_token(&token, text, bytes, &at);
    while (more) {
        more = next_token(&next, text, bytes, &at);
        count_point(learning, text, bytes, &token, more ? &next : NULL);
        token = next;
    }
}

/* How much a word with so many occurrences is tied to its point, more than words in general are. */
static double likelihood_ratio(const struct learning *learning, const struct occurrences *count)
{
    const double tied = 0.99, pointed = (double)count->pointed, bare = (double)(count->all - count->pointed);
    const double chance = fmin((double)learning->points / (double)learning->tokens, tied);
    return 2 * (pointed * log(tied / chance) + bare * log((1 - tied) / (1 - chance)));
}

/* The score of Kiss and Strunk 2006, section 3.1: the ratio, less for each letter, more for each inner point,
 * much less for each occurrence without a point. */
static double abbreviation_score(const struct learning *learning, const char *word,
                                 const struct occurrences *count)
{
    double letters = 0, points = 1;
    for (; *word; word++) {
        letters += !utf8_continues(*word) && *word != '.';
        points += *word == '.';
    }
    return likelihood_ratio(learning, count) * exp(-letters) * points *
           pow(letters, (double)(count->pointed - count->all));
}

/* Does a word end sentences, as "May" or a verb does before names? So it does if it ends lines as often as it
 * seems to be tied to its point, unless small letters go on behind most such points, as behind "etc." */
static bool ends_sentences(const struct occurrences *count)
{
    return count->pointed <= count->last && 2 * count->before_small <= count->pointed;
}

static bool is_abbreviation(const struct learning *learning, const char *word,
                            const struct occurrences *count)
{
    return !ends_sentences(count) && utf8_has_letter(word, strlen(word)) &&
           abbreviation_score(learning, word, count) >= LEAST_SCORE;
}

/* The chance that so many ends of sentences are all within lines, as some are, and none at the ends of lines,
 * as others are. */
static double chance_within_lines(int64_t within, int64_t last, int64_t times)
{
    return within + last > 0 ? pow((double)within / (double)(within + last), (double)times) : 1;
}

/* Without capitals, names begin sentences like other words, so that what follows does not tell a title: it
 * has a point everywhere, and never ends a line, though a verb would. */
static bool is_title(const struct learning *learning, const char *word, const struct occurrences *count)
{
    size_t used;
    const struct occurrences tied = {.all = count->all, .pointed = count->pointed + count->before_starter};
    return utf8_is_caseless(char_at(word, strlen(word), 0, &used)) && tied.pointed >= LEAST_TITLES &&
           tied.pointed == tied.all && !count->last &&
           chance_within_lines(learning->points, learning->last_points, tied.pointed) <= MOST_CHANCE &&
           abbreviation_score(learning, word, &tied) >= LEAST_SCORE;
}

/* Short words alone are worth it: a long one is not taken for an abbreviation. One that looks like a title,
 * as in "Dr Pepper", must end a line somewhere. Words such as verbs may stand at the ends of lines only. So
 * may units, of which some are abbreviations before numbers: "5 min." and "min. 8 characters". */
static bool is_ordinary(const char *word, const struct occurrences *count)
{
    const size_t bytes = strlen(word);
    const bool looks = looks_abbreviated(word, bytes) || is_thai_abbreviation(word, (struct span){0, bytes}),
               bare = count->all > 2 * count->pointed,
               often = count->all - count->pointed >= LEAST_BARE && !looks_abbreviated(word, bytes),
               last = count->last - count->last_unit >= LEAST_LAST && count->last > count->pointed && !looks;
    return utf8_has_letter(word, bytes) && ((bare && (often || count->last > 0)) || last) &&
           (looks || is_tied(word, bytes));
}

/* ---- the most frequent ---- */

/* Adds those of the words with a count [words.count] above 0 that have the largest. */
static void take_most_frequent(struct strmap *to, const struct strmap *words, const int64_t *counts)
{
    size_t count;
    int *ranked = strmap_rank(&count, words, counts);
    for (size_t i = 0; i < count && i < MOST_WORDS; i++)
        strmap_intern(to, strmap_text(words, ranked[i]), strmap_length(words, ranked[i]));
    xfree(ranked);
}

static void choose_starters(struct learning *learning)
{
    int64_t *starts = xcalloc(learning->words.count, sizeof *starts);
    for (size_t i = 0; i < learning->words.count; i++)
        if (begins_sentences(learning, &learning->counts[i]))
            starts[i] = learning->counts[i].starts;
    take_most_frequent(&learning->splitter->starters, &learning->words, starts);
    xfree(starts);
}

static void choose_abbreviations(struct learning *learning)
{
    int64_t *titles = xcalloc(learning->words.count, sizeof *titles);
    int64_t *tied = xcalloc(learning->words.count, sizeof *tied);
    int64_t *ordinary = xcalloc(learning->words.count, sizeof *ordinary);
    for (size_t i = 0; i < learning->words.count; i++) {
        const char *word = strmap_text(&learning->words, (int)i);
        const struct occurrences *count = &learning->counts[i];
        if (is_title(learning, word, count))
            titles[i] = count->all;
        else if (is_abbreviation(learning, word, count))
            tied[i] = count->pointed;
        else if (is_ordinary(word, count))
            ordinary[i] = count->all + count->last;
    }
    take_most_frequent(&learning->splitter->titles, &learning->words, titles);
    take_most_frequent(&learning->splitter->abbreviations, &learning->words, tied);
    take_most_frequent(&learning->splitter->ordinary, &learning->words, ordinary);
    xfree(titles);
    xfree(tied);
    xfree(ordinary);
}

/* Where sentences end. */
struct sentence_ends {
    int64_t inner, lines; /* within lines, and at their ends */
    int64_t speech;       /* within lines, behind a quoted question, before a word that begins no sentences */
    int64_t starter;      /* the same, before one that does, or in a script without blanks */
    int64_t quotations[QUOTED + 1]; /* within lines, of sentences that are in quotes, by their stop … */
    int64_t last[QUOTED + 1];       /* … and at the ends of lines */
};

static void count_inner_end(struct sentence_ends *ends, const struct splitter *splitter, const char *line,
                            size_t bytes, const struct span *sentence, size_t next)
{
    size_t length;
    const int32_t code = char_at(line, bytes, next, &length);
    const enum quoted quoted = quoted_before(line, sentence->end);
    ends->inner++;
    if (quoted == QUOTED_NOTHING || !utf8_is_caseless(code))
        return;
    ends->quotations[quoted] += begins_with_quote(line, sentence);
    if (quoted == QUOTED_STATEMENT)
        return;
    if (!utf8_unspaced(code) && !word_is_in(&splitter->starters, line, letters_at(line, bytes, next)))
        ends->speech++;
    else
        ends->starter++;
}

static void count_ends(struct sentence_ends *ends, const struct splitter *splitter, const char *line,
                       size_t bytes, const struct spans *sentences)
{
    const struct span *s = sentences->items, *const last = s + sentences->count - 1;
    for (; s < last; s++)
        count_inner_end(ends, splitter, line, bytes, s, s[1].begin);
    ends->lines++;
    ends->last[quoted_before(line, last->end)] += begins_with_quote(line, last);
}

/* Do sentences go on behind quoted questions? So they do if these end more sentences within lines than all
 * else does, or if words that begin no sentences follow them more often than those that do. */
static enum speech find_speech(const struct sentence_ends *ends)
{
    const int64_t speech = ends->speech + ends->starter;
    if (speech >= LEAST_SPEECH && speech > ends->inner - speech)
        return SPEECH_ALWAYS;
    return ends->speech >= LEAST_SPEECH && ends->speech > ends->starter ? SPEECH_UNLESS_STARTER
                                                                        : SPEECH_NEVER;
}

/* Does something follow a sentence in quotes much more often in its line than other sentences? So it does if
 * someone says it: "…", said Ann. */
static bool is_followed(const struct sentence_ends *ends, enum quoted quoted)
{
    const int64_t inner = ends->quotations[quoted], last = ends->last[quoted];
    return inner >= LEAST_SPEECH &&
           chance_within_lines(ends->inner - inner, ends->lines - last, inner - last) <= MOST_CHANCE;
}

static void learn_speech(struct splitter *splitter, const char *const *lines, const size_t *bytes,
                         size_t count)
{
    struct spans sentences = {.count = 0};
    struct sentence_ends ends = {.inner = 0};
    for (size_t i = 0; i < count; i++) {
        sentences.count = 0;
        sentences_find(&sentences, splitter, lines[i], bytes[i]);
        if (sentences.count)
            count_ends(&ends, splitter, lines[i], bytes[i], &sentences);
    }
    spans_release(&sentences);
    splitter->speech = find_speech(&ends);
    for (enum quoted quoted = QUOTED_QUESTION; quoted <= QUOTED; quoted++)
        splitter->quotations |= is_followed(&ends, quoted) ? QUOTED_SET(quoted) : 0;
}

static void count_sentences(struct splitter *splitter, const char *const *lines, const size_t *bytes,
                            size_t count)
{
    struct spans sentences = {.count = 0};
    for (size_t i = 0; i < count; i++) {
        sentences.count = 0;
        sentences_find(&sentences, splitter, lines[i], bytes[i]);
        splitter->lines += sentences.count > 0;
        splitter->single_lines += sentences.count == 1;
    }
    spans_release(&sentences);
}

void splitter_learn(struct splitter *splitter, const char *const *lines, const size_t *bytes, size_t count)
{
    struct learning learning = {.splitter = splitter};
    strmap_init(&learning.words);
    strbuf_init(&learning.key);
    for (size_t i = 0; i < count; i++)
        count_cases(&learning, lines[i], bytes[i]);
    splitter->lowercase = learning.small_lines > learning.capital_lines;
    choose_starters(&learning);
    for (size_t i = 0; i < count; i++)
        count_points(&learning, lines[i], bytes[i]);
    choose_abbreviations(&learning);
    splitter->ordinals = learning.ordinals >= LEAST_ORDINALS && learning.ordinals > learning.ends_in_number;
    splitter->learned = true;
    learn_speech(splitter, lines, bytes, count);
    count_sentences(splitter, lines, bytes, count);
    strbuf_release(&learning.key);
    strmap_release(&learning.words);
    xfree(learning.counts);
}
