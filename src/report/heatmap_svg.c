/* Draws attention as an SVG file. The font is not known, so widths are estimated for a wide one: no label
 * is cut off. */
#include "heatmap.h"
#include "html.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* In pixels. */
#define EM 14.0
#define LINE 20
#define CELL 22
#define GAP 8
#define LEAST_WIDTH 440
#define MOST_WIDTH 1240 /* beyond it, pictures start a new row */
#define TILT (3.14159265358979323846 / 3)

/* ---- measures ---- */

static double character_width(const char *character, int columns)
{
    const unsigned char c = (unsigned char)*character;
    if (c >= 0x80)
        return (columns == 2 ? 1.05 : columns == 1 ? 0.95 : 0) * EM;
    return (strchr("mwMW@%", c) ? 1.02 : (c >= 'A' && c <= 'Z') ? 0.82 : 0.67) * EM;
}

static double text_width(const char *text, const struct token_style *style)
{
    double width = 0;
    for (size_t bytes; *text; text += bytes) {
        const int columns = style->columns(text, &bytes);
        width += character_width(text, columns);
    }
    return width;
}

/* The size of one picture, and of its labels on three sides. */
struct measures {
    double left, top, width, height;
};

static struct measures measure(const struct heatmap *map)
{
    struct measures m = {0};
    double right = 0;
    for (int i = 0; i < map->row_count; i++)
        m.left = fmax(m.left, text_width(map->rows[i], map->style) + GAP);
    for (int j = 0; j < map->column_count; j++) {
        const double length = text_width(map->columns[j], map->style);
        m.top = fmax(m.top, length * sin(TILT) + GAP + EM / 2);
        right = fmax(right, (j + 0.7) * CELL + length * cos(TILT) + EM / 2);
    }
    m.top += map->heads ? LINE : 0;
    m.width = m.left + fmax(right, map->column_count * CELL + 1);
    m.height = m.top + map->row_count * CELL + 1;
    return m;
}

/* ---- labels ---- */

static void add_text(struct strbuf *out, double x, double y, const char *text, size_t bytes,
                     const char *attributes)
{
    strbuf_addf(out, "<text x=\"%.1f\" y=\"%.1f\"%s>", x, y, attributes);
    html_bytes(out, text, bytes);
    strbuf_adds(out, "</text>\n");
}

static void add_token(struct strbuf *out, double x, double y, const char *token, bool tilted,
                      const struct token_style *style)
{
    strbuf_addf(out, "<text x=\"%.1f\" y=\"%.1f\" ", x, y);
    if (tilted)
        strbuf_addf(out, "transform=\"rotate(-60 %.1f %.1f)\">", x, y);
    else
        strbuf_adds(out, "text-anchor=\"end\">");
    token_markup(out, token, "tspan", style);
    strbuf_adds(out, "</text>\n");
}

/* Adds a sentence below `y`, broken into lines of at most `width` at blanks and next to wide characters, else
 * anywhere. Returns the last line's y. */
static double add_sentence(struct strbuf *out, const char *line, double y, double width,
                           const struct token_style *style, const char *attributes)
{
    const char *end = line; /* last possible break */
    double taken = 0, to_end = 0;
    size_t bytes;
    for (const char *at = line; *at; at += bytes) {
        const int columns = style->columns(at, &bytes);
        const double next = character_width(at, columns);
        if (*at == ' ' || columns == 2)
            end = at, to_end = taken;
        if (taken + next > width && columns && end <= line)
            end = at, to_end = taken;
        if (taken + next > width && end > line) {
            add_text(out, 0, y += LINE, line, (size_t)(end - line), attributes);
            line = end + (*end == ' ');
            taken -= to_end;
        }
        taken += next;
    }
    if (*line)
        add_text(out, 0, y += LINE, line, strlen(line), attributes);
    return y;
}

/* ---- pictures ---- */

static void add_cell(struct strbuf *out, const struct heatmap *map, int row, int column, double weight)
{
    strbuf_addf(out,
                "<rect class=\"cell\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#1257a8\" "
                "fill-opacity=\"%.3f\"><title>",
                column * CELL, row * CELL, CELL, CELL, weight);
    html_text(out, map->rows[row]);
    strbuf_adds(out, " ← ");
    html_text(out, map->columns[column]);
    strbuf_addf(out, ": %.3f</title></rect>\n", weight);
}

static void add_name(struct strbuf *out, const struct heatmap *map, int number, double x, double y)
{
    struct strbuf name;
    strbuf_init(&name);
    heatmap_add_name(&name, map, number);
    add_text(out, x, y, name.text, name.length, " class=\"faint\"");
    strbuf_release(&name);
}

static void add_picture(struct strbuf *out, const struct heatmap *map, const struct measures *m, int number,
                        double x, double y)
{
    const float *weights = heatmap_weights(map, number);
    strbuf_addf(out, "<g transform=\"translate(%.1f %.1f)\">\n", x + m->left, y + m->top);
    if (map->heads)
        add_name(out, map, number, -m->left, EM - m->top);
    for (int j = 0; j < map->column_count; j++)
        add_token(out, (j + 0.7) * CELL, -GAP, map->columns[j], true, map->style);
    for (int i = 0; i < map->row_count; i++) {
        add_token(out, -GAP, (i + 0.7) * CELL, map->rows[i], false, map->style);
        for (int j = 0; j < map->column_count; j++)
            add_cell(out, map, i, j, (double)weights[i * map->column_count + j]);
    }
    strbuf_adds(out, "</g>\n");
}

/* ---- scale and marks ---- */

static bool has_mark(char *const *tokens, int count, const char *mark, const struct token_style *style)
{
    for (int i = 0; i < count; i++) {
        const struct token_parts parts = token_parts(tokens[i], style);
        const char *found = strstr(tokens[i], mark);
        const size_t at = found ? (size_t)(found - tokens[i]) : 0;
        if (found && (at < parts.before || at >= parts.before + parts.text))
            return true;
    }
    return false;
}

/* Returns the y of the next line. */
static double add_scale(struct strbuf *out, double y)
{
    static const char *const weights[] = {HEATMAP_SCALE};
    add_text(out, 0, y + EM, "attention", strlen("attention"), " class=\"faint\"");
    for (size_t i = 0; i < sizeof weights / sizeof weights[0]; i++) {
        const double x = 90 + (double)i * 68;
        strbuf_addf(out,
                    "<rect class=\"cell\" x=\"%.0f\" y=\"%.1f\" width=\"16\" height=\"16\" fill=\"#1257a8\" "
                    "fill-opacity=\"%s\"/>\n",
                    x, y, weights[i]);
        add_text(out, x + 22, y + EM, weights[i], strlen(weights[i]), " class=\"faint\"");
    }
    return y + LINE;
}

static double add_marks(struct strbuf *out, const struct heatmap *map, double y)
{
    for (const struct token_mark *mark = map->style->marks; mark->text; mark++) {
        if (!has_mark(map->rows, map->row_count, mark->text, map->style) &&
            !has_mark(map->columns, map->column_count, mark->text, map->style))
            continue;
        add_text(out, 0, y + EM, mark->text, strlen(mark->text), " class=\"mark\"");
        add_text(out, 90, y + EM, mark->meaning, strlen(mark->meaning), " class=\"faint\"");
        y += LINE;
    }
    return y;
}

/* ---- the file ---- */

static void add_begin(struct strbuf *out, const struct heatmap *map, double width, double height)
{
    strbuf_addf(out,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"%.0f\" height=\"%.0f\" "
                "viewBox=\"-10 -10 %.0f %.0f\" font-family=\"system-ui, sans-serif\" font-size=\"%.0f\">\n"
                "<title>",
                width + 20, height + 20, width + 20, height + 20, EM);
    html_text(out, map->source);
    strbuf_adds(out,
                "</title>\n<style>\n"
                "svg { color: #1f2430; background: #fff } text { fill: currentColor; white-space: pre }\n"
                ".cell { stroke: currentColor; stroke-opacity: .18 } .title { font-weight: 600 } "
                ".faint { opacity: .7 } .mark { fill-opacity: .5 }\n"
                "@media (prefers-color-scheme: dark) { svg { color: #e4e6ec; background: #16181d } "
                ".cell { fill: #6fb1ff } }\n"
                "</style>\n");
}

void heatmap_svg(struct strbuf *out, const struct heatmap *map)
{
    const struct measures m = measure(map);
    const double across = m.width + 2 * GAP, down = m.height + 2 * GAP;
    const int pictures = map->heads + 1, fitting = (int)fmax(1, floor(MOST_WIDTH / across)),
              in_row = fitting < pictures ? fitting : pictures, rows = (pictures + in_row - 1) / in_row;
    const double width = fmax(in_row * across, LEAST_WIDTH);
    struct strbuf body;
    strbuf_init(&body);
    double y = add_sentence(&body, map->source, 0, width, map->style, " class=\"title\"");
    y = add_sentence(&body, map->target, y, width, map->style, " class=\"faint\"") + 2 * GAP;
    for (int p = 0; p < pictures; p++) {
        const int row = p / in_row, column = p % in_row;
        add_picture(&body, map, &m, p, column * across, y + row * down);
    }
    const double height = add_marks(&body, map, add_scale(&body, y + rows * down) + GAP / 2.0);
    add_begin(out, map, width, height);
    strbuf_add(out, body.text, body.length);
    strbuf_adds(out, "</svg>\n");
    strbuf_release(&body);
}
