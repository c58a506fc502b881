/* The forms in which nmt check prints its findings. What they are is decided in cmd_check.c. */
#include "check_print.h"

#include "output.h"

#include <string.h>

/* Each kind of finding: its name in JSON, its column in the table, and its text in the list of lines (NULL:
 * counted, not listed). */
static const struct {
    const char *key, *column, *what;
} findings[FINDINGS] = {
    [INVALID_TEXT] = {"invalid", "invalid", "invalid UTF-8 or NUL bytes"},
    [EMPTY_SIDE] = {"empty", "empty", "an empty side"},
    [TOO_LONG] = {"long", "long", "longer than data.max_length"},
    [ODD_RATIO] = {"ratio", "ratio", "one side far longer than the other"},
    [QUOTED] = {"quoted", "quoted", "the quotes of a spreadsheet"},
    [SAME_TEXT] = {"same", "same", NULL},
    [DUPLICATE] = {"again", "again", "the same pair again"},
    [IN_TRAIN] = {"in_train", "in train", "a source sentence that is in train"},
};

/* An object of one of the kinds that are told apart by "kind". */
static struct json *new_object(const char *kind, const struct split *split)
{
    struct json *object = json_new_object();
    json_set_string(object, "kind", kind);
    if (split)
        json_set_string(object, "set", split->name);
    return object;
}

void check_print_finding(const struct split *split, enum finding finding, const char *path, int64_t line,
                         const char *detail, bool json)
{
    if (!findings[finding].what)
        return;
    if (!json) {
        output_shownf("%s:%lld: %s%s%s\n", path, (long long)line, findings[finding].what, *detail ? ": " : "",
                      detail);
        return;
    }
    struct json *object = new_object("finding", split);
    json_set_string(object, "file", path);
    json_set_number(object, "line", (double)line);
    json_set_string(object, "finding", findings[finding].key);
    json_set_string(object, "detail", detail);
    output_json(object);
}

void check_print_rest(const struct split *split, int shown)
{
    if (split->crlf || split->boms)
        output_addf("%s: %lld CRLF line ends and %lld byte-order marks, which are removed\n", split->name,
                    (long long)split->crlf, (long long)split->boms);
    for (int f = 0; f < FINDINGS; f++)
        if (split->counts[f] > shown && findings[f].what)
            output_addf("%s: %lld more with %s\n", split->name, (long long)(split->counts[f] - shown),
                        findings[f].what);
}

static void print_remark(const char *kind, const struct split *split, const char *text)
{
    struct json *object = new_object(kind, split);
    json_set_string(object, "text", text);
    output_json(object);
}

void check_print_warning(const struct split *split, const char *text, bool json)
{
    if (json)
        print_remark("warning", split, text);
    else
        output_shownf("%s: warning: %s\n", split->name, text);
}

void check_print_error(const struct split *split, const char *text, bool json)
{
    if (json)
        print_remark("error", split, text);
    else
        output_shownf("%s\n", text);
}

/* ---- counts ---- */

static int column_width(int finding)
{
    const int least = 7, name = (int)strlen(findings[finding].column);
    return name > least ? name : least;
}

static int name_width(const struct split *splits, int count)
{
    int width = 5;
    for (int i = 0; i < count; i++)
        if ((int)strlen(splits[i].name) > width)
            width = (int)strlen(splits[i].name);
    return width;
}

static void print_table(const struct split *splits, int count)
{
    const int width = name_width(splits, count);
    output_addf("%-*s %9s", width, "", "pairs");
    for (int f = 0; f < FINDINGS; f++)
        output_addf(" %*s", column_width(f), findings[f].column);
    output_adds("\n");
    for (int i = 0; i < count; i++) {
        output_addf("%-*s %9lld", width, splits[i].name, (long long)splits[i].pairs);
        for (int f = 0; f < FINDINGS; f++)
            output_addf(" %*lld", column_width(f), (long long)splits[i].counts[f]);
        output_adds("\n");
    }
}

static void print_counts_json(const struct split *split)
{
    struct json *object = new_object("counts", split);
    if (split->files->tsv) {
        json_set_string(object, "tsv", split->files->tsv);
    } else {
        json_set_string(object, "source", split->files->source);
        json_set_string(object, "target", split->files->target);
    }
    json_set_number(object, "pairs", (double)split->pairs);
    for (int f = 0; f < FINDINGS; f++)
        json_set_number(object, findings[f].key, (double)split->counts[f]);
    json_set_number(object, "crlf", (double)split->crlf);
    json_set_number(object, "boms", (double)split->boms);
    output_json(object);
}

void check_print_counts(const struct split *splits, int count, bool json)
{
    if (!json)
        print_table(splits, count);
    for (int i = 0; i < count && json; i++)
        print_counts_json(&splits[i]);
}

void check_print_verdict(enum verdict verdict, bool json)
{
    static const struct {
        const char *key, *text;
    } verdicts[] = {[VERDICT_ACCEPTED] = {"accepted", "training would take this"},
                    [VERDICT_WARNED] = {"warned", "training would take this, but see the warnings"},
                    [VERDICT_REFUSED] = {"refused", "training would refuse this"},
                    [VERDICT_DISTILL_REFUSED] = {"refused", "nmt distill would refuse this"}};
    if (!json) {
        output_addf("%s\n", verdicts[verdict].text);
        return;
    }
    struct json *object = new_object("verdict", NULL);
    json_set_string(object, "verdict", verdicts[verdict].key);
    output_json(object);
}
