/* Finds places for tags in the order: what is kept and pairs around it, other pairs, outer ones first, then
 * single tags, which stand where those leave room. */
#include "tag_places.h"

#include "mem.h"
#include "placing.h"
#include "utf8.h"

#include <string.h>

/* Of a pair's best word, where no word has more than half of its attention there; and of a single tag's. */
#define LEAST_WEIGHT 0.05f
#define MOST_SKIPPED 8 /* source words behind a tag that no word looks at */
#define MOST_BETWEEN 1 /* words between those of a pair and what is kept in it */

/* ---- pairs ---- */

/* The words that a tag may have: all of the pair around it, but for those of others in that. */
static struct run words_within(const struct placing *p, const struct inline_tag *tag)
{
    return tag->parent < 0 ? (struct run){0, p->word_count} : p->runs[tag->parent];
}

/* The run of free words with the largest sum of (attention - 1/2). */
static struct run best_run(const struct placing *p, const struct inline_tag *tag)
{
    const struct run within = words_within(p, tag), source = placing_source_run(p, tag->text);
    struct run best = {within.begin, within.begin};
    float most = 0, sum = 0, single = LEAST_WEIGHT;
    int begin = within.begin;
    for (int i = within.begin; i < within.end; i++) {
        if (p->owner[i] != tag->parent) {
            sum = 0;
            begin = i + 1;
            continue;
        }
        const float weight = placing_weight(p, i, tag->text, source);
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
    const struct run source = placing_source_run(p, tag->text);
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

static void assign_words(struct placing *p, size_t tag, struct run run)
{
    p->runs[tag] = run;
    p->placed[tag] = true;
    for (int i = run.begin; i < run.end; i++)
        p->owner[i] = (int)tag;
}

/* The text of a tag without blanks at its ends, as in "<b>Warning! </b>". */
static struct span own_text(const struct placing *p, const struct inline_tag *tag)
{
    const struct span own = utf8_trim(p->source + tag->text.begin, tag->text.end - tag->text.begin);
    return (struct span){tag->text.begin + own.begin, tag->text.begin + own.end};
}

/* The words of a text that the translation has as it is, such as a placeholder's; those nearest to `near`. */
static bool find_kept(const struct placing *p, struct run *found, const struct inline_tag *tag,
                      struct run near)
{
    const struct span own = own_text(p, tag);
    const size_t bytes = own.end - own.begin;
    const struct run within = words_within(p, tag);
    int best = -1;
    for (int i = within.begin; i < within.end; i++) {
        const size_t at = p->words[i].begin;
        int end = i;
        if (bytes > p->text_bytes - at || memcmp(p->text + at, p->source + own.begin, bytes) != 0)
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

/* Does a word look at another pair beside one, which is not placed yet? */
static bool is_of_other(const struct placing *p, int word, size_t pair)
{
    for (size_t i = 0; i < p->count; i++) {
        const struct inline_tag *other = &p->tags[i];
        if (i != pair && !p->placed[i] && !other->kept && other->parent == p->tags[pair].parent &&
            placing_weight(p, word, other->text, placing_source_run(p, other->text)) > 0.5f)
            return true;
    }
    return false;
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
        for (int w = both.begin; w < both.end && is_free; w++) {
            const bool is_between = (w < run->begin || w >= run->end) && (w < found.begin || w >= found.end);
            is_free = p->owner[w] == kept.parent && !(is_between && is_of_other(p, w, i));
        }
        *run = is_free ? both : found;
    }
}

/* Places a tag within a word that the translation has as it is: "10<sup>6</sup>", "src/<wbr>main.c". */
static bool place_inside(struct placing *p, size_t i)
{
    const struct inline_tag *tag = &p->tags[i];
    const struct run within = words_within(p, tag);
    const struct span own = own_text(p, tag);
    const int source = placing_word_behind(p, own.begin);
    if (tag->to_end || source == p->source_count)
        return false;
    const struct span word = p->source_words[source];
    if (own.begin < word.begin || own.end > word.end || own.end - own.begin == word.end - word.begin ||
        (own.begin == own.end && own.begin == word.begin))
        return false;
    int best = -1;
    float most = -1;
    for (int w = within.begin; w < within.end; w++) {
        const int owner = p->owner[w];
        const bool is_free =
            owner == tag->parent ||
            (owner >= 0 && p->inside[owner].end && p->tags[owner].parent == tag->parent &&
             p->tags[owner].text.begin >= word.begin && own_text(p, &p->tags[owner]).end <= word.end);
        const float weight = placing_weight(p, w, word, (struct run){source, source + 1});
        if (is_free && weight > most && placing_is_same(p, w, source)) {
            most = weight;
            best = w;
        }
    }
    if (best < 0)
        return false;
    const size_t at = p->words[best].begin - word.begin;
    p->inside[i] = (struct span){own.begin + at, own.end + at};
    p->runs[i] = (struct run){best, best};
    p->placed[i] = true;
    p->owner[best] = (int)i;
    return true;
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
    const struct run within = words_within(p, tag), source = placing_source_run(p, tag->text);
    float most = run->begin == run->end ? 0 : LEAST_WEIGHT;
    if (is_signs(p->source, p->source_words, source) || !is_signs(p->text, p->words, *run))
        return;
    for (int w = within.begin; w < within.end; w++) {
        const float weight = placing_weight(p, w, tag->text, source);
        const bool of_name =
            (w > 0 && is_inside_word(p, w)) || (w + 1 < p->word_count && is_inside_word(p, w + 1));
        if (p->owner[w] == tag->parent && weight > most && !of_name && !is_sign(p->text, p->words[w])) {
            most = weight;
            *run = (struct run){w, w + 1};
        }
    }
}

/* Would a pair that goes on behind the sentence begin before one ends that began before the sentence? */
static bool crosses(const struct placing *p, const struct inline_tag *tag, struct run run)
{
    bool is = false;
    for (size_t i = 0; i < p->count && !is && (tag->to_end || tag->from_start); i++)
        is = p->placed[i] && p->tags[i].parent == tag->parent &&
             ((tag->to_end && p->tags[i].from_start && p->runs[i].end > run.begin) ||
              (tag->from_start && p->tags[i].to_end && p->runs[i].begin < run.end));
    return is;
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
    if (run.begin < run.end && !crosses(p, tag, run))
        assign_words(p, i, run);
}

/* ---- single tags ---- */

/* The first word of the translation that stands behind a place of the source, in proportion. */
static int word_in_proportion(const struct placing *p, size_t at, struct run within)
{
    int i = within.begin;
    while (i < within.end && placing_place_in_source(p, i) < at)
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
    const int first = placing_word_behind(p, tag->text.end);
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

/* Where a tag comes that touches the word before it, as the mark of a footnote does: behind the word that
 * looks most at that; -1 if it does not touch one. */
static int word_before_tag(const struct placing *p, const struct inline_tag *tag, struct run within)
{
    const size_t at = tag->text.begin;
    const int word = p->sums ? placing_word_behind(p, at) - 1 : -1;
    if (word < 0 || tag->text.end > at || p->source_words[word].end != at ||
        !inline_tag_touches(p->source, at))
        return -1;
    int to = word_of(p, word, within);
    if (to == within.end)
        return -1;
    for (to++; to < within.end && is_inside_word(p, to);)
        to++;
    return to;
}

/* Is it a bracket or quote that opens? */
static bool opens(const struct placing *p, int word)
{
    size_t used;
    return utf8_punctuation_of(code_at(p, p->words[word].begin, &used)) == UTF8_OPENING;
}

static void place_single(struct placing *p, size_t i)
{
    const struct inline_tag *tag = &p->tags[i];
    if (tag->text.begin == tag->text.end && place_inside(p, i))
        return;
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
        while (at > within.begin && at < within.end && is_sign(p->text, p->words[at]) && !opens(p, at) &&
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

/* The tag within a word that is around a tag; -1: there is none. */
static int inside_around(const struct placing *p, size_t i)
{
    int tag = p->tags[i].parent;
    while (tag >= 0 && !p->inside[tag].end)
        tag = p->tags[tag].parent;
    return tag;
}

/* The place of a tag in one that is within a word, and may have blanks at its ends. */
static struct span inner_place(const struct placing *p, const struct inline_tag *tag, int inside)
{
    const struct span to = p->inside[inside], own = own_text(p, &p->tags[inside]);
    const size_t begin = tag->text.begin > own.begin ? tag->text.begin - own.begin : 0,
                 end = tag->text.end > own.begin ? tag->text.end - own.begin : 0, most = to.end - to.begin;
    return (struct span){to.begin + (begin < most ? begin : most), to.begin + (end < most ? end : most)};
}

/* Where a run stands in the translation. An empty one at the end of the pair around it is before that
 * ends. */
static struct span place_of(const struct placing *p, const struct span *places, size_t i)
{
    const struct run run = p->runs[i];
    const struct inline_tag *tag = &p->tags[i];
    const struct run within = words_within(p, tag);
    const int inside = inside_around(p, i);
    if (p->inside[i].end)
        return p->inside[i];
    if (inside >= 0)
        return inner_place(p, tag, inside);
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
