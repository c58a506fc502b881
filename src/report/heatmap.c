#include "heatmap.h"

#include "html.h"

#include <stdbool.h>
#include <string.h>

/* ---- tokens as characters ---- */

/* Bytes of the character that begins here. */
static size_t character_bytes(const char *text)
{
    size_t bytes = 1;
    while (((unsigned char)text[bytes] & 0xc0) == 0x80)
        bytes++;
    return bytes;
}

static int character_count(const char *text)
{
    int count = 0;
    for (; *text; text += character_bytes(text))
        count++;
    return count;
}

static int longest(char *const *tokens, int count)
{
    int most = 0;
    for (int i = 0; i < count; i++) {
        const int length = character_count(tokens[i]);
        most = length > most ? length : most;
    }
    return most;
}

/* Appends character `at`, or a blank behind the token's end. */
static void add_character(struct strbuf *out, const char *token, int at)
{
    for (; at > 0 && *token; at--)
        token += character_bytes(token);
    if (*token)
        strbuf_add(out, token, character_bytes(token));
    else
        strbuf_addch(out, ' ');
}

static void add_blanks(struct strbuf *out, int count)
{
    for (; count > 0; count--)
        strbuf_addch(out, ' ');
}

/* ---- text ---- */

static const char *shade(float weight)
{
    static const char *const shades[] = {"·", "░", "▒", "▓", "█"};
    const int count = sizeof shades / sizeof shades[0];
    int at = weight > 0 ? (int)(weight * (float)count) : 0;
    return shades[at < count ? at : count - 1];
}

void heatmap_text(struct strbuf *out, const struct heatmap *map)
{
    const int margin = longest(map->rows, map->row_count), height = longest(map->columns, map->column_count);
    for (int line = 0; line < height; line++) {
        add_blanks(out, margin);
        for (int j = 0; j < map->column_count; j++) {
            /* Tokens stand on their columns. */
            const int at = line - (height - character_count(map->columns[j]));
            strbuf_addch(out, ' ');
            if (at < 0)
                strbuf_addch(out, ' ');
            else
                add_character(out, map->columns[j], at);
        }
        strbuf_addch(out, '\n');
    }
    for (int i = 0; i < map->row_count; i++) {
        add_blanks(out, margin - character_count(map->rows[i]));
        strbuf_adds(out, map->rows[i]);
        for (int j = 0; j < map->column_count; j++) {
            strbuf_addch(out, ' ');
            strbuf_adds(out, shade(map->weights[i * map->column_count + j]));
        }
        strbuf_addch(out, '\n');
    }
}

/* ---- SVG ---- */

#define CELL 22       /* pixels */
#define CHARACTER 9.2 /* width of an average character of 14 pixels */
#define GAP 6

static void add_label(struct strbuf *out, const char *token, double x, double y, bool upright)
{
    strbuf_addf(out, "<text x=\"%.1f\" y=\"%.1f\" fill=\"currentColor\" ", x, y);
    if (upright)
        strbuf_addf(out, "transform=\"rotate(-60 %.1f %.1f)\">", x, y);
    else
        strbuf_adds(out, "text-anchor=\"end\">");
    html_text(out, token);
    strbuf_adds(out, "</text>\n");
}

void heatmap_svg(struct strbuf *out, const struct heatmap *map)
{
    const double left = longest(map->rows, map->row_count) * CHARACTER + GAP,
                 top = longest(map->columns, map->column_count) * CHARACTER + GAP;
    const double width = left + map->column_count * CELL + top / 2,
                 height = top + map->row_count * CELL + GAP;
    strbuf_addf(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" aria-label=\"attention\" width=\"%.0f\" "
        "height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\" font-family=\"system-ui, sans-serif\" "
        "font-size=\"14\">\n",
        width, height, width, height);
    for (int j = 0; j < map->column_count; j++)
        add_label(out, map->columns[j], left + (j + 0.7) * CELL, top - GAP, true);
    for (int i = 0; i < map->row_count; i++) {
        add_label(out, map->rows[i], left - GAP, top + (i + 0.7) * CELL, false);
        for (int j = 0; j < map->column_count; j++) {
            const double weight = (double)map->weights[i * map->column_count + j];
            strbuf_addf(
                out,
                "<rect class=\"cell\" x=\"%.1f\" y=\"%.1f\" width=\"%d\" height=\"%d\" fill=\"#1257a8\" "
                "fill-opacity=\"%.3f\" stroke=\"currentColor\" stroke-opacity=\".15\"><title>",
                left + j * CELL, top + i * CELL, CELL, CELL, weight);
            html_text(out, map->rows[i]);
            strbuf_adds(out, " ← ");
            html_text(out, map->columns[j]);
            strbuf_addf(out, ": %.3f</title></rect>\n", weight);
        }
    }
    strbuf_adds(out, "</svg>\n");
}
