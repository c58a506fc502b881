/* Draws a heatmap for the terminal. Other forms are in heatmap_html.c and heatmap_svg.c. */
#include "heatmap.h"

const float *heatmap_weights(const struct heatmap *map, int number)
{
    return map->weights + (size_t)number * (size_t)map->row_count * (size_t)map->column_count;
}

void heatmap_add_name(struct strbuf *out, const struct heatmap *map, int number)
{
    if (number)
        strbuf_addf(out, "head %d", number);
    else
        strbuf_addf(out, "mean of %d heads", map->heads);
}

/* ---- characters of a terminal ---- */

static void add_blanks(struct strbuf *out, int count)
{
    for (; count > 0; count--)
        strbuf_addch(out, ' ');
}

/* ---- vertical labels ---- */

static int character_count(const char *token, const struct token_style *style)
{
    int count = 0;
    for (size_t bytes; *token; token += bytes, count++)
        style->columns(token, &bytes);
    return count;
}

static int longest(char *const *tokens, int count, const struct token_style *style)
{
    int most = 0;
    for (int i = 0; i < count; i++) {
        const int length = character_count(tokens[i], style);
        most = length > most ? length : most;
    }
    return most;
}

/* The width of the widest character of all tokens. */
static int widest(char *const *tokens, int count, const struct token_style *style)
{
    int most = 1;
    for (int i = 0; i < count; i++)
        for (size_t at = 0, bytes; tokens[i][at]; at += bytes) {
            const int columns = style->columns(tokens[i] + at, &bytes);
            most = columns > most ? columns : most;
        }
    return most;
}

/* Appends character `at` of a token (from 0; a blank past its end), padded to `columns`. */
static void add_character(struct strbuf *out, const char *token, int at, int columns,
                          const struct token_style *style)
{
    size_t bytes;
    for (; at > 0 && *token; at--, token += bytes)
        style->columns(token, &bytes);
    if (at == 0 && *token) {
        columns -= style->columns(token, &bytes);
        strbuf_add(out, token, bytes);
    }
    add_blanks(out, columns);
}

/* ---- the picture ---- */

static const char *shade(float weight)
{
    static const char *const shades[] = {"·", "░", "▒", "▓", "█"};
    const int count = sizeof shades / sizeof shades[0];
    int at = weight > 0 ? (int)(weight * (float)count) : 0;
    return shades[at < count ? at : count - 1];
}

/* Prints the source tokens vertically above their columns. */
static void add_column_labels(struct strbuf *out, const struct heatmap *map, int margin, int width)
{
    const int height = longest(map->columns, map->column_count, map->style);
    for (int line = 0; line < height; line++) {
        add_blanks(out, margin);
        for (int j = 0; j < map->column_count; j++) {
            strbuf_addch(out, ' ');
            add_character(out, map->columns[j],
                          line - (height - character_count(map->columns[j], map->style)), width, map->style);
        }
        strbuf_addch(out, '\n');
    }
}

static void add_picture(struct strbuf *out, const struct heatmap *map, const float *weights)
{
    const int margin = token_most_columns(map->rows, map->row_count, map->style),
              width = widest(map->columns, map->column_count, map->style);
    add_column_labels(out, map, margin, width);
    for (int i = 0; i < map->row_count; i++) {
        add_blanks(out, margin - token_columns(map->rows[i], map->style));
        strbuf_adds(out, map->rows[i]);
        for (int j = 0; j < map->column_count; j++) {
            strbuf_addch(out, ' ');
            for (int k = 0; k < width; k++)
                strbuf_adds(out, shade(weights[i * map->column_count + j]));
        }
        strbuf_addch(out, '\n');
    }
}

void heatmap_text(struct strbuf *out, const struct heatmap *map)
{
    for (int p = 0; p <= map->heads; p++) {
        if (map->heads) {
            strbuf_adds(out, p ? "\n" : "");
            heatmap_add_name(out, map, p);
            strbuf_addch(out, '\n');
        }
        add_picture(out, map, heatmap_weights(map, p));
    }
}
