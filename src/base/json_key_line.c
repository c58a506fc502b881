/* Finds the line of a key in JSON text that json.c has parsed. */
#include "json.h"

#include <string.h>

#define BYTE_ORDER_MARK "\xef\xbb\xbf"

/* A walk over text that cJSON has accepted. */
struct walk {
    const char *at;
    int line;
    const char *wanted; /* dotted path; NULL: any */
    int skip;           /* occurrences to pass over */
    int found;          /* line of the key, 0 until found */
    struct strbuf path;
};

/* cJSON skips every control character as white space. */
static bool is_blank(char c)
{
    return c && (unsigned char)c <= ' ';
}

static void skip_blanks(struct walk *walk)
{
    for (; is_blank(*walk->at); walk->at++)
        walk->line += *walk->at == '\n';
}

/* Keys are compared in their escaped form: none of ours needs escapes. */
static const char *skip_string(struct walk *walk)
{
    const char *begin = ++walk->at;
    for (; *walk->at && *walk->at != '"'; walk->at++) {
        if (*walk->at == '\\' && walk->at[1])
            walk->at++;
        walk->line += *walk->at == '\n';
    }
    if (*walk->at)
        walk->at++;
    return begin;
}

static void walk_value(struct walk *walk);

static void walk_members(struct walk *walk, bool object)
{
    const char close = object ? '}' : ']';
    walk->at++;
    for (skip_blanks(walk); *walk->at && *walk->at != close && !walk->found; skip_blanks(walk)) {
        const size_t outer = walk->path.length;
        if (object) {
            const int line = walk->line;
            const char *key = skip_string(walk);
            if (outer)
                strbuf_addch(&walk->path, '.');
            strbuf_add(&walk->path, key, (size_t)(walk->at - 1 - key));
            if ((!walk->wanted || !strcmp(walk->path.text, walk->wanted)) && walk->skip-- == 0)
                walk->found = line;
            skip_blanks(walk);
            walk->at++; /* the colon */
        }
        walk_value(walk);
        strbuf_truncate(&walk->path, outer);
        skip_blanks(walk);
        if (*walk->at == ',')
            walk->at++;
    }
    if (*walk->at)
        walk->at++;
}

static void walk_value(struct walk *walk)
{
    skip_blanks(walk);
    if (*walk->at == '{' || *walk->at == '[')
        walk_members(walk, *walk->at == '{');
    else if (*walk->at == '"')
        skip_string(walk);
    else
        while (*walk->at && !is_blank(*walk->at) && !strchr(",]}", *walk->at))
            walk->at++;
}

int json_line_of(const char *text, const char *dotted_path, int skip)
{
    struct walk walk = {.at = text, .line = 1, .wanted = dotted_path, .skip = skip};
    if (!strncmp(text, BYTE_ORDER_MARK, strlen(BYTE_ORDER_MARK)))
        walk.at += strlen(BYTE_ORDER_MARK);
    strbuf_init(&walk.path);
    walk_value(&walk);
    strbuf_release(&walk.path);
    return walk.found;
}
