/* Draws attention as HTML tables; the browser measures the labels. */
#include "heatmap.h"
#include "html.h"

/* Isolates the direction of a token's text within an attribute, where no element is allowed. */
#define ISOLATE "&#8296;"
#define ISOLATED "&#8297;"

static void add_head(struct strbuf *out, const struct heatmap *map)
{
    strbuf_adds(out, "<thead><tr><td></td>");
    for (int j = 0; j < map->column_count; j++) {
        strbuf_adds(out, "<th scope=\"col\"><span dir=\"auto\">");
        token_markup(out, map->columns[j], "span", map->style);
        strbuf_adds(out, "</span></th>");
    }
    strbuf_adds(out, "</tr></thead>\n");
}

static void add_cell(struct strbuf *out, const char *row, const char *column, double weight)
{
    strbuf_adds(out, "<td");
    if (weight >= 0.0005)
        strbuf_addf(out, " style=\"--weight:%.3f\"", weight);
    strbuf_adds(out, " title=\"" ISOLATE);
    html_text(out, row);
    strbuf_adds(out, ISOLATED " ← " ISOLATE);
    html_text(out, column);
    strbuf_addf(out, ISOLATED ": %.3f\"></td>", weight);
}

static void add_table(struct strbuf *out, const struct heatmap *map, const float *weights)
{
    strbuf_adds(out, "<div class=\"map\" tabindex=\"0\"><table>\n");
    add_head(out, map);
    strbuf_adds(out, "<tbody>\n");
    for (int i = 0; i < map->row_count; i++) {
        strbuf_adds(out, "<tr><th scope=\"row\" dir=\"auto\">");
        token_markup(out, map->rows[i], "span", map->style);
        strbuf_adds(out, "</th>");
        for (int j = 0; j < map->column_count; j++)
            add_cell(out, map->rows[i], map->columns[j], (double)weights[i * map->column_count + j]);
        strbuf_adds(out, "</tr>\n");
    }
    strbuf_adds(out, "</tbody></table></div>\n");
}

void heatmap_html(struct strbuf *out, const struct heatmap *map)
{
    strbuf_adds(out, "<div class=\"heads\">\n");
    for (int p = 0; p <= map->heads; p++) {
        strbuf_adds(out, "<div>");
        if (map->heads) {
            strbuf_adds(out, "<p>");
            heatmap_add_name(out, map, p);
            strbuf_adds(out, "</p>\n");
        }
        add_table(out, map, heatmap_weights(map, p));
        strbuf_adds(out, "</div>\n");
    }
    strbuf_adds(out, "</div>\n");
}

void heatmap_legend(struct strbuf *out, const struct token_mark *marks)
{
    static const char *const weights[] = {HEATMAP_SCALE};
    strbuf_adds(out, "<ul class=\"legend\">\n<li class=\"scale\">attention ");
    for (size_t i = 0; i < sizeof weights / sizeof weights[0]; i++)
        strbuf_addf(out, "<span style=\"--weight:%s\"></span>%s ", weights[i], weights[i]);
    strbuf_adds(out, "</li>\n");
    for (const struct token_mark *mark = marks; mark->text; mark++) {
        strbuf_adds(out, "<li><span class=\"mark\">");
        html_text(out, mark->text);
        strbuf_adds(out, "</span>");
        html_text(out, mark->meaning);
        strbuf_adds(out, "</li>\n");
    }
    strbuf_adds(out, "</ul>\n");
}
