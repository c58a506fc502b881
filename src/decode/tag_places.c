/* Finds places for tags in the order: what is kept and pairs around it, other pairs, outer ones first, then
 * single tags, which stand where those leave room. */
#include "tag_places.h"

#include "mem.h"
#include "translation_json.h"
#include "utf8.h"
#include "word_spans.h"

#include <string.h>

#define MOST_WORK ((size_t)1 << 26) /* words that are looked at for all tags */
/* Of a pair's best word, where no word has more than half of its attention there; and of a single tag's. */
#define LEAST_WEIGHT 0.05f
#define MOST_PARTS 16  /* words of a string that may have tags of their own */
#define MOST_SKIPPED 8 /* source words behind a tag that no word looks at */
#define MOST_BETWEEN 1 /* words between those of a pair and what is kept in it */

/* Words from `begin` to `end` - 1. */
struct run {
    int begin, end;
};

struct placing {
    const struct inline_tag *tags;
    size_t count;
    const char *source, *text;
    size_t source_bytes, text_bytes;
    struct span *words; /* [word_count]: of the translation, in its order */
    int *word_rows;     /* [word_count]: the row of the attention of each */
    int word_count;
    struct span *source_words; /* [source_count] */
    int *source_columns;       /* [source_count]: likewise */
    int source_count;
    float
        *sums; /* [word_count][source_count + 1]: the attention to the source words before each; NULL: none */
    int *owner;       /* [word_count]: the innermost tag around each; -1: none */
    struct run *runs; /* [count]: words of each tag; begin == end: before that word */
    bool *placed;
    struct span *inside; /* [count]: the place of each that is within a word; {0, 0}: it is not */
    struct run *kept;    /* [count]: the first and the last kept tag of each and those in it; -1: none */
};

/* ---- words ---- */

/* Makes spans disjoint: words may share a character. */
static void part_spans(struct span *spans, int count)
{
    size_t at = 0;
    for (int i = 0; i < count; i++) {
        spans[i].begin = spans[i].begin > at ? spans[i].begin : at;
        spans[i].end = spans[i].end > spans[i].begin ? spans[i].end : spans[i].begin;
        at = spans[i].end;
    }
}

static bool is_long(const char *text, struct span span)
{
    int blanks = 0;
    for (size_t at = span.begin; at < span.end; at++)
        blanks += text[at] == ' ';
    return blanks >= MOST_PARTS;
}

/* Parts spans at blanks: tags may be around some words of a string that is protected as one. (*of)[*count]:
 * the number of the span that each part is of. */
static struct span *split_spans(int **of, int *count, const struct span *spans, const char *text)
{
    struct span *parts = NULL;
    size_t capacity = 0, of_capacity = 0, n = 0;
    *of = NULL;
    for (int i = 0; i < *count; i++) {
        const bool whole = is_long(text, spans[i]);
        size_t at = spans[i].begin;
        do {
            const size_t begin = at;
            while (at < spans[i].end && (whole || text[at] != ' '))
                at++;
            GROW(parts, n + 1, capacity);
            GROW(*of, n + 1, of_capacity);
            parts[n] = (struct span){begin, at};
            (*of)[n++] = i;
            while (at < spans[i].end && text[at] == ' ')
                at++;
        } while (at < spans[i].end);
    }
    *count = (int)n;
    return parts;
}

static struct span *find_words(int **of, int *count, const struct words *words,
                               const struct tokenizer *tokenizer, const char *text, size_t bytes)
{
    struct span *spans = xcalloc(words->texts.count, sizeof *spans);
    *count = (int)words->texts.count - 1;
    words_find(spans, words, tokenizer, text, bytes);
    part_spans(spans, *count);
    struct span *parts = split_spans(of, count, spans, text);
    xfree(spans);
    return parts;
}

static bool is_same(const struct placing *p, int word, int source)
{
    const struct span to = p->words[word], from = p->source_words[source];
    return to.end - to.begin == from.end - from.begin &&
           !memcmp(p->text + to.begin, p->source + from.begin, to.end - to.begin);
}

/* How much of the attention to a string goes to one of its words: all to the same word, if it has that. */
static float share_of(const struct placing *p, int word, int source)
{
    const int column = p->source_columns[source];
    int first = source, end = source + 1, same = 0;
    while (first > 0 && p->source_columns[first - 1] == column)
        first--;
    while (end < p->source_count && p->source_columns[end] == column)
        end++;
    if (end == first + 1)
        return 1;
    for (int i = first; i < end; i++)
        same += is_same(p, word, i);
    return same ? (float)is_same(p, word, source) / (float)same : 1 / (float)(end - first);
}

static void sum_attention(struct placing *p, const struct translation *t, size_t weight_columns)
{
    struct translation_weights weights;
    const size_t columns = (size_t)p->source_count + 1;
    translation_weights_init(&weights, t, true);
    if (weights.weights) {
        p->sums = xcalloc((size_t)p->word_count * columns, sizeof *p->sums);
        for (int i = 0; i < p->word_count; i++) {
            const float *row = weights.weights + (size_t)p->word_rows[i] * weight_columns;
            float *sums = p->sums + (size_t)i * columns;
            for (int j = 0; j < p->source_count; j++)
                sums[j + 1] = sums[j] + row[p->source_columns[j]] * share_of(p, i, j);
        }
    }
    translation_weights_release(&weights);
}

/* Later tags first: those in a pair come behind it. */
static void find_kept_tags(struct placing *p)
{
    for (size_t i = 0; i < p->count; i++)
        p->kept[i] = p->tags[i].kept ? (struct run){(int)i, (int)i} : (struct run){-1, -1};
    for (size_t i = p->count; i-- > 0;) {
        struct run *parent = p->tags[i].parent < 0 ? NULL : &p->kept[p->tags[i].parent];
        if (!parent || p->kept[i].begin < 0)
            continue;
        parent->begin = p->kept[i].begin;
        parent->end = parent->end > p->kept[i].end ? parent->end : p->kept[i].end;
    }
}

static void placing_init(struct placing *p, const struct translation *t, const struct tokenizer *tokenizers)
{
    struct words words;
    p->source_bytes = strlen(p->source);
    p->text_bytes = strlen(p->text);
    words_of_translation(&words, t, true);
    p->words = find_words(&p->word_rows, &p->word_count, &words, &tokenizers[TARGET], p->text, p->text_bytes);
    words_release(&words);
    if (p->count > MOST_WORK / ((size_t)p->word_count + 1))
        p->word_count = 0; /* all tags come to the end */
    if (t->alpha && t->source && p->word_count) {
        words_init(&words, t->source, true);
        p->source_words = find_words(&p->source_columns, &p->source_count, &words, &tokenizers[SOURCE],
                                     p->source, p->source_bytes);
        sum_attention(p, t, words.texts.count);
        words_release(&words);
    }
    p->owner = xmalloc((size_t)p->word_count + 1, sizeof *p->owner);
    for (int i = 0; i < p->word_count; i++)
        p->owner[i] = -1;
    p->runs = xcalloc(p->count, sizeof *p->runs);
    p->placed = xcalloc(p->count, sizeof *p->placed);
    p->inside = xcalloc(p->count, sizeof *p->inside);
    p->kept = xcalloc(p->count, sizeof *p->kept);
    find_kept_tags(p);
}

static void placing_release(struct placing *p)
{
    xfree(p->words);
    xfree(p->word_rows);
    xfree(p->source_words);
    xfree(p->source_columns);
    xfree(p->sums);
    xfree(p->owner);
    xfree(p->runs);
    xfree(p->placed);
    xfree(p->inside);
    xfree(p->kept);
}

/* ---- attention ---- */

/* The first source word that ends behind a place. */
static int word_behind(const struct placing *p, size_t at)
{
    int from = 0, to = p->source_count;
    while (from < to) {
        const int middle = from + (to - from) / 2;
        if (p->source_words[middle].end > at)
            to = middle;
        else
            from = middle + 1;
    }
    return from;
}

/* Where a word would stand in the source, if it stood in proportion. */
static size_t place_in_source(const struct placing *p, int word)
{
    const struct span span = p->words[word];
    const double middle = (double)(span.begin + span.end) / 2;
    return p->text_bytes ? (size_t)(middle * (double)p->source_bytes / (double)p->text_bytes) : 0;
}

/* A part of the source as source words. */
static struct run source_run(const struct placing *p, struct span text)
{
    struct run run = {0, 0};
    if (!p->sums)
        return run;
    run.begin = run.end = word_behind(p, text.begin);
    while (run.end < p->source_count && p->source_words[run.end].begin < text.end)
        run.end++;
    return run;
}

/* The attention of a word to a part of the source. */
static float weight_of(const struct placing *p, int word, struct span text, struct run run)
{
    if (p->sums) {
        const float *sums = p->sums + (size_t)word * ((size_t)p->source_count + 1);
        return sums[run.end] - sums[run.begin];
    }
    const size_t at = place_in_source(p, word);
    return at >= text.begin && at < text.end ? 1 : 0;
}

/* ---- pairs ---- */

/* The words that a tag may have: all of the pair around it, but for those of others in that. */
static struct run words_within(const struct placing *p, const struct inline_tag *tag)
{
    return tag->parent < 0 ? (struct run){0, p->word_count} : p->runs[tag->parent];
}

/* The run of free words with the largest sum of (attention - 1/2). */
static struct run best_run(const struct placing *p, const struct inline_tag *tag)
{
    const struct run within = words_within(p, tag), source = source_run(p, tag->text);
    struct run best = {within.begin, within.begin};
    float most = 0, sum = 0, single = LEAST_WEIGHT;
    int begin = within.begin;
    for (int i = within.begin; i < within.end; i++) {
        if (p->owner[i] != tag->parent) {
            sum = 0;
            begin = i + 1;
            continue;
        }
        const float weight = weight_of(p, i, tag->text, source);
        sum += weight - 0.5f;
        if (sum > most) {
            most = sum;
            best = (struct run){begin, i + 1};
        }
        if (most == 0 && weight > single) {
            single = weight;
            best = (struct run){i, i + 1};
        }
        if (sum <= 0) {
            sum = 0;
            begin = i + 1;
        }
    }
    return best;
}

/* Is there no letter and no digit? */
static bool is_sign(const char *text, struct span span)
{
    for (size_t at = span.begin, used; at < span.end; at += used ? used : 1) {
        int32_t code = 0;
        used = utf8_decode(text + at, span.end - at, &code);
        const enum utf8_class class = utf8_class_of(code);
        if (used && (class == UTF8_LETTER || class == UTF8_DIGIT))
            return false;
    }
    return true;
}

/* Leaves out signs at the ends of a run, such as the sentence's stop, where the source has no such. */
static void trim_signs(const struct placing *p, const struct inline_tag *tag, struct run *run)
{
    const struct run source = source_run(p, tag->text);
    if (source.begin == source.end)
        return;
    const bool begins = is_sign(p->source, p->source_words[source.begin]);
    const bool ends = is_sign(p->source, p->source_words[source.end - 1]);
    while (!ends && run->end - run->begin > 1 && is_sign(p->text, p->words[run->end - 1]))
        run->end--;
    while (!begins && run->end - run->begin > 1 && is_sign(p->text, p->words[run->begin]))
        run->begin++;
}

/* Extends a run to the beginning or the end of its surroundings, as far as words are free. */
static void extend(const struct placing *p, const struct inline_tag *tag, struct run *run)
{
    const struct run within = words_within(p, tag);
    if (tag->from_start)
        while (run->begin > within.begin && p->owner[run->begin - 1] == tag->parent)
            run->begin--;
    if (tag->to_end)
        while (run->end < within.end && p->owner[run->end] == tag->parent)
            run->end++;
}

static void take(struct placing *p, size_t tag, struct run run)
{
    p->runs[tag] = run;
    p->placed[tag] = true;
    for (int i = run.begin; i < run.end; i++)
        p->owner[i] = (int)tag;
}

/* The words of a text that the translation has as it is, such as a placeholder's; those nearest to `near`. */
static bool find_kept(const struct placing *p, struct run *found, const struct inline_tag *tag,
                      struct run near)
{
    const size_t bytes = tag->text.end - tag->text.begin;
    const struct run within = words_within(p, tag);
    int best = -1;
    for (int i = within.begin; i < within.end; i++) {
        const size_t at = p->words[i].begin;
        int end = i;
        if (bytes > p->text_bytes - at || memcmp(p->text + at, p->source + tag->text.begin, bytes) != 0)
            continue;
        while (end < within.end && p->owner[end] == tag->parent && p->words[end].begin < at + bytes)
            end++;
        const int distance = i > near.begin ? i - near.begin : near.begin - i;
        if (end == i || p->words[end - 1].end != at + bytes || (best >= 0 && distance >= best))
            continue;
        best = distance;
        *found = (struct run){i, end};
    }
    return best >= 0;
}

/* Is it text that translations often have as it is: with a capital, a digit or a sign, such as a name or an
 * address? */
static bool may_be_kept(const struct placing *p, const struct inline_tag *tag)
{
    bool may = tag->kept;
    for (size_t at = tag->text.begin; at < tag->text.end && !may;) {
        int32_t code;
        at += utf8_decode(p->source + at, tag->text.end - at, &code);
        may = utf8_class_of(code) != UTF8_BLANK &&
              (utf8_class_of(code) != UTF8_LETTER || utf8_case_of(code) == UTF8_UPPER);
    }
    return may;
}

/* Extends a pair's run to the strings of the first and the last that is kept in it, if few words are between
 * and all are free; if not, the run is such a string. */
static void take_in_kept(const struct placing *p, size_t i, struct run *run)
{
    const int ends[] = {p->kept[i].begin, p->kept[i].end};
    for (int k = 0; k < 2 && ends[k] >= 0; k++) {
        struct inline_tag kept = p->tags[ends[k]];
        struct run found;
        kept.parent = p->tags[i].parent;
        if (!find_kept(p, &found, &kept, *run))
            continue;
        const struct run both = {run->begin < found.begin ? run->begin : found.begin,
                                 run->end > found.end ? run->end : found.end};
        const int between = both.end - both.begin - (run->end - run->begin) - (found.end - found.begin);
        bool is_free = run->begin < run->end && between <= MOST_BETWEEN;
        for (int w = both.begin; w < both.end; w++)
            is_free = is_free && p->owner[w] == kept.parent;
        *run = is_free ? both : found;
    }
}

/* Places a pair within a word that the translation has as it is: "10<sup>6</sup>". */
static bool place_inside(struct placing *p, size_t i)
{
    const struct inline_tag *tag = &p->tags[i];
    const struct run within = words_within(p, tag);
    const int source = word_behind(p, tag->text.begin);
    if (tag->kept || source == p->source_count)
        return false;
    const struct span word = p->source_words[source];
    if (tag->text.begin < word.begin || tag->text.end > word.end ||
        tag->text.end - tag->text.begin == word.end - word.begin)
        return false;
    int best = -1;
    float most = -1;
    for (int w = within.begin; w < within.end; w++) {
        const int owner = p->owner[w];
        const bool is_free = owner == tag->parent ||
                             (owner >= 0 && p->inside[owner].end && p->tags[owner].parent == tag->parent);
        const float weight = weight_of(p, w, word, (struct run){source, source + 1});
        if (is_free && weight > most && is_same(p, w, source)) {
            most = weight;
            best = w;
        }
    }
    if (best < 0)
        return false;
    const size_t at = p->words[best].begin - word.begin;
    p->inside[i] = (struct span){tag->text.begin + at, tag->text.end + at};
    p->runs[i] = (struct run){best, best};
    p->placed[i] = true;
    p->owner[best] = (int)i;
    return true;
}

/* Are all words of a run signs? */
static bool is_signs(const char *text, const struct span *words, struct run run)
{
    while (run.begin < run.end && is_sign(text, words[run.begin]))
        run.begin++;
    return run.begin == run.end;
}

/* A pair around words that would be around a sign alone, or nothing, is around the word that looks most at
 * it. */
static void leave_signs(const struct placing *p, const struct inline_tag *tag, struct run *run)
{
    const struct run within = words_within(p, tag), source = source_run(p, tag->text);
    float most = run->begin == run->end ? 0 : LEAST_WEIGHT;
    if (is_signs(p->source, p->source_words, source) || !is_signs(p->text, p->words, *run))
        return;
    for (int w = within.begin; w < within.end; w++) {
        const float weight = weight_of(p, w, tag->text, source);
        if (p->owner[w] == tag->parent && weight > most && !is_sign(p->text, p->words[w])) {
            most = weight;
            *run = (struct run){w, w + 1};
        }
    }
}

static void place_pair(struct placing *p, size_t i)
{
    const struct inline_tag *tag = &p->tags[i];
    if (place_inside(p, i))
        return;
    struct run run = best_run(p, tag);
    trim_signs(p, tag, &run);
    leave_signs(p, tag, &run);
    const bool found = may_be_kept(p, tag) && find_kept(p, &run, tag, run);
    if (tag->kept && !found && inline_tag_number(p->source + tag->text.begin)) /* no word stands for it */
        return;
    if (!tag->kept)
        take_in_kept(p, i, &run);
    extend(p, tag, &run);
    if (run.begin < run.end)
        take(p, i, run);
}

/* ---- single tags ---- */

/* The first word of the translation that stands behind a place of the source, in proportion. */
static int word_in_proportion(const struct placing *p, size_t at, struct run within)
{
    int i = within.begin;
    while (i < within.end && place_in_source(p, i) < at)
        i++;
    return i;
}

/* The word that looks most at a source word; `within`.end if none does. */
static int word_of(const struct placing *p, int source, struct run within)
{
    const size_t columns = (size_t)p->source_count + 1;
    float most = LEAST_WEIGHT;
    int best = within.end;
    for (int i = within.begin; i < within.end; i++) {
        const float *sums = p->sums + (size_t)i * columns + source;
        if (sums[1] - sums[0] > most) {
            most = sums[1] - sums[0];
            best = i;
        }
    }
    return best;
}

/* The word of the translation that a tag stands before: that of the source word behind it, or of one that
 * follows. */
static int word_behind_tag(const struct placing *p, const struct inline_tag *tag, struct run within)
{
    if (!p->sums)
        return word_in_proportion(p, tag->text.end, within);
    const size_t end = tag->parent < 0 ? p->source_bytes : p->tags[tag->parent].text.end;
    const int first = word_behind(p, tag->text.end);
    int at = within.end;
    for (int i = first; i < p->source_count && i - first < MOST_SKIPPED && p->source_words[i].begin < end;
         i++)
        if ((at = word_of(p, i, within)) < within.end)
            break;
    return at;
}

/* The tag within `parent` around a word; -1 if there is none. */
static int around(const struct placing *p, int word, int parent)
{
    int tag = p->owner[word];
    while (tag >= 0 && p->tags[tag].parent != parent)
        tag = p->tags[tag].parent;
    return tag;
}

/* A letter or digit, or an Armenian mark, which stands within words: "ո՞վ". */
static bool is_of_word(int32_t code)
{
    return utf8_is_wordlike(code) || (code >= 0x55b && code <= 0x55e);
}

/* May a sign be within a name, such as that of a file? */
static bool is_of_name(int32_t code)
{
    return code > 0 && code < 0x80 && strchr("./-_:@\\", code);
}

/* The character in front of a place; 0 if there is none. */
static int32_t code_before(const struct placing *p, size_t at, size_t *used)
{
    int32_t code = 0;
    *used = at ? utf8_decode_before(p->text, at, &code) : 0;
    return *used ? code : 0;
}

static int32_t code_at(const struct placing *p, size_t at, size_t *used)
{
    int32_t code = 0;
    *used = at < p->text_bytes ? utf8_decode(p->text + at, p->text_bytes - at, &code) : 0;
    return *used ? code : 0;
}

/* Are a word and the one before it parts of the same to a reader, or of the name of a file or the like? */
static bool is_inside_word(const struct placing *p, int word)
{
    const size_t at = p->words[word].begin;
    size_t left, right, used;
    const int32_t before = code_before(p, at, &left), behind = code_at(p, at, &right);
    if (p->words[word - 1].end != at || !(is_of_word(before) || is_of_word(behind)))
        return false;
    return (is_of_word(before) && is_of_word(behind)) ||
           (is_of_name(behind) && is_of_word(code_at(p, at + right, &used))) ||
           (is_of_name(before) && is_of_word(code_before(p, at - left, &used)));
}

/* Where a tag comes that touches the word before it, as the mark of a footnote does: behind the word that
 * looks most at that; -1 if it does not touch one. */
static int word_before_tag(const struct placing *p, const struct inline_tag *tag, struct run within)
{
    const size_t at = tag->text.begin;
    const int word = p->sums ? word_behind(p, at) - 1 : -1;
    if (word < 0 || tag->text.end > at || p->source_words[word].end != at || !p->source[at] ||
        !strchr(" ,;:", p->source[at]))
        return -1;
    int to = word_of(p, word, within);
    if (to == within.end)
        return -1;
    for (to++; to < within.end && is_inside_word(p, to);)
        to++;
    return to;
}

static void place_single(struct placing *p, size_t i)
{
    const struct inline_tag *tag = &p->tags[i];
    const struct run within = words_within(p, tag);
    const struct span text = tag->parent < 0 ? (struct span){0, p->source_bytes} : p->tags[tag->parent].text;
    int at =
        tag->text.begin == text.begin || tag->from_start ? within.begin : word_behind_tag(p, tag, within);
    if (tag->text.begin == text.end || tag->to_end)
        at = within.end;
    const bool is_inner =
        tag->text.begin > text.begin && tag->text.begin < text.end && !tag->from_start && !tag->to_end;
    const int behind = is_inner ? word_before_tag(p, tag, within) : -1;
    if (behind >= 0)
        at = behind;
    while (at > within.begin && at < within.end && is_inside_word(p, at))
        at--;
    if (is_inner && behind < 0 && p->source[tag->text.begin - 1] == ' ')
        while (at > within.begin && at < within.end && is_sign(p->text, p->words[at]) &&
               p->words[at - 1].end == p->words[at].begin)
            at++;
    const int sibling = at > within.begin && at < within.end ? around(p, at, tag->parent) : -1;
    if (sibling >= 0 && behind >= 0 && at > p->runs[sibling].begin)
        at = p->runs[sibling].end;
    else if (sibling >= 0)
        at = p->runs[sibling].begin;
    p->runs[i] = (struct run){at, at};
}

/* ---- places ---- */

/* Where a run stands in the translation. An empty one at the end of the pair around it is before that
 * ends. */
static struct span place_of(const struct placing *p, const struct span *places, size_t i)
{
    const struct run run = p->runs[i];
    const struct inline_tag *tag = &p->tags[i];
    const struct run within = words_within(p, tag);
    if (p->inside[i].end)
        return p->inside[i];
    if (run.begin < run.end)
        return (struct span){p->words[run.begin].begin, p->words[run.end - 1].end};
    const size_t end = tag->parent < 0 ? p->text_bytes : places[tag->parent].end;
    const size_t at = run.begin < within.end ? p->words[run.begin].begin : end;
    return (struct span){at, at};
}

/* In a copy of the source, character by character: its digits may have other lengths. */
static void place_in_copy(struct span *places, const struct inline_tag *tags, size_t count,
                          const char *source, const char *copy)
{
    const size_t bytes = strlen(source), copy_bytes = strlen(copy);
    size_t *in_copy = xmalloc(bytes + 1, sizeof *in_copy); /* of each byte of the source */
    int32_t code;
    for (size_t from = 0, to = 0; from < bytes;) {
        for (size_t left = utf8_decode(source + from, bytes - from, &code); left > 0; left--)
            in_copy[from++] = to;
        to += to < copy_bytes ? utf8_decode(copy + to, copy_bytes - to, &code) : 0;
    }
    in_copy[bytes] = copy_bytes;
    for (size_t i = 0; i < count; i++)
        places[i] = (struct span){in_copy[tags[i].text.begin], in_copy[tags[i].text.end]};
    xfree(in_copy);
}

void tags_place(struct span *places, const struct inline_tag *tags, size_t count, const char *source,
                const struct translation *t, const struct tokenizer *tokenizers)
{
    if (!count || !strcmp(source, t->text)) {
        for (size_t i = 0; i < count; i++)
            places[i] = tags[i].text;
        return;
    }
    if (!t->length) {
        place_in_copy(places, tags, count, source, t->text);
        return;
    }
    struct placing p = {.tags = tags, .count = count, .source = source, .text = t->text};
    placing_init(&p, t, tokenizers);
    for (int others = 0; others < 2; others++)
        for (size_t i = 0; i < count; i++)
            if ((p.kept[i].begin < 0) == others && tags[i].text.begin < tags[i].text.end &&
                (tags[i].parent < 0 || p.placed[tags[i].parent]))
                place_pair(&p, i);
    for (size_t i = 0; i < count; i++)
        if (!p.placed[i])
            place_single(&p, i);
    for (size_t i = 0; i < count; i++)
        places[i] = place_of(&p, places, i);
    placing_release(&p);
}
