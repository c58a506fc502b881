/* The frame, style and tables of a page, and escaped text. The sections of a page are in assess. */
#include "html.h"

#include "utf8_check.h"

#include <string.h>

static const char *entity_of(char c)
{
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return NULL;
    }
}

void html_bytes(struct strbuf *out, const char *text, size_t bytes)
{
    struct strbuf valid;
    strbuf_init(&valid);
    utf8_repair(&valid, text, bytes);
    for (const char *at = valid.text; *at; at++) {
        const char *entity = entity_of(*at);
        if (entity)
            strbuf_adds(out, entity);
        else if ((unsigned char)*at < ' ' && !strchr("\t\n\r", *at)) /* XML has none of them */
            strbuf_adds(out, UTF8_REPLACEMENT);
        else if (!strncmp(at, "\xef\xbf\xbe", 3) || !strncmp(at, "\xef\xbf\xbf", 3)) {
            strbuf_adds(out, UTF8_REPLACEMENT);
            at += 2;
        } else
            strbuf_addch(out, *at);
    }
    strbuf_release(&valid);
}

void html_text(struct strbuf *out, const char *text)
{
    html_bytes(out, text, strlen(text));
}

/* ---- style ---- */

static const char colors[] =
    ":root { color-scheme: light dark; --ink: #1f2430; --paper: #fff; --faint: #646b7c; --edge: #d4d8e0; "
    "--accent: #1257a8; --cell: 18, 87, 168 }\n"
    "@media (prefers-color-scheme: dark) { :root { --ink: #e4e6ec; --paper: #16181d; --faint: #9aa1b1; "
    "--edge: #383d49; --accent: #6fb1ff; --cell: 111, 177, 255 } }\n"
    "@media print { :root { --ink: #000; --paper: #fff; --accent: #1257a8; --cell: 18, 87, 168 } }\n";

static const char text_style[] =
    "body { color: var(--ink); background: var(--paper); font: 16px/1.5 system-ui, sans-serif; "
    "max-width: 72rem; margin: 2rem auto; padding: 0 1rem; overflow-wrap: anywhere }\n"
    "h1 { font-size: 1.6rem; line-height: 1.25 } h2 { font-size: 1.25rem; margin: 3rem 0 1rem } "
    "h3 { font-size: 1rem; margin: 1.5rem 0 .25rem }\n"
    "figure { margin: 0; min-width: 0 } figcaption { color: var(--faint) }\n"
    "summary { cursor: pointer; color: var(--accent) } pre { overflow-x: auto; font-size: .85rem }\n"
    ".small { color: var(--faint); font-size: .875rem }\n";

/* Text columns may break anywhere, but keep a minimum width. */
static const char table_style[] =
    ".scroll { overflow-x: auto; max-width: 100% } .chart + .scroll { margin-top: 1rem } table { "
    "border-collapse: collapse }\n"
    "td, th { padding: .25rem 1rem .25rem 0; text-align: start; vertical-align: top } "
    "td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; overflow-wrap: normal }\n"
    "th { overflow-wrap: normal; vertical-align: bottom } th[scope] { vertical-align: top; white-space: "
    "nowrap } "
    "th.text { white-space: normal } th.text { overflow-wrap: anywhere } td.text { min-width: 12rem } "
    "th.text { "
    "min-width: 6rem } "
    ".scroll tr { border-top: 1px solid var(--edge) } .scroll tr:first-child { border: 0 }\n";

static const char chart_style[] =
    ".charts { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(20rem, 100%), 1fr)); "
    "gap: 1.75rem 1.5rem }\n"
    ".chart { max-width: 34rem } .chart svg { display: block; width: 100%; height: auto; "
    "font: 12px system-ui, sans-serif } .chart figcaption { color: var(--ink); font-weight: 600; "
    "font-size: .9375rem }\n"
    ".grid { stroke: var(--edge) } .tick { fill: var(--faint) } .value { fill: var(--ink) }\n"
    ".line { fill: none; stroke-width: 2 } .ground { fill: transparent } .dot, .value { opacity: 0 } "
    ".point:hover .dot, .point:hover .value, .few .dot { opacity: 1 }\n"
    ".color0 { stroke: var(--accent) } .color1 { stroke: #d55e00; stroke-dasharray: 6 2 } "
    ".color2 { stroke: #009e73 } .color3 { stroke: #cc79a7; stroke-dasharray: 2 2 }\n"
    ".color4 { stroke: #b8860b } .color5 { stroke: #56b4e9; stroke-dasharray: 8 3 2 3 } "
    ".color6 { stroke: #7d7d7d } .color7 { stroke: #8b5fbf; stroke-dasharray: 4 4 }\n"
    ".dot { fill: var(--paper); stroke-width: 2; stroke-dasharray: none }\n"
    ".chart ul { list-style: none; margin: 0; padding: 0; display: flex; flex-wrap: wrap; gap: 0 1.25rem; "
    "font-size: .875rem } .chart .key { display: inline; width: 24px; margin-inline-end: .4rem }\n";

/* A wide map scrolls inside its own box, with its labels stuck to the edges. */
static const char map_style[] =
    ".pictures, .heads { display: flex; flex-wrap: wrap; gap: 2rem 2.5rem; align-items: flex-start }\n"
    ".pictures figure { max-width: 100%; min-width: min(16rem, 100%) } "
    ".pictures figcaption { width: 0; min-width: 100%; margin-bottom: .5rem } "
    ".pictures figcaption b { color: var(--ink); font-weight: 600 } .heads > div { max-width: 100% }\n"
    ".heads { gap: 1rem 2rem } .heads p { margin: 0; font-size: .875rem; color: var(--faint) }\n"
    ".map { overflow: auto; max-width: 100%; max-height: 85vh; font-size: .875rem; line-height: 1.2 } "
    ".map table { border-collapse: separate; border-spacing: 0; overflow-wrap: normal }\n"
    ".map td, .scale span { width: 22px; min-width: 22px; height: 22px; padding: 0; box-sizing: border-box; "
    "border: solid var(--edge); border-width: 0 1px 1px 0; background: rgba(var(--cell), var(--weight, 0)); "
    "-webkit-print-color-adjust: exact; print-color-adjust: exact } .scale span { display: inline-block; "
    "width: 16px; min-width: 16px; height: 16px; border-width: 1px; vertical-align: -3px; margin: 0 .3rem 0 "
    ".6rem }\n"
    ".map td:hover { outline: 2px solid var(--ink); outline-offset: -2px }\n"
    ".map th { position: sticky; background: var(--paper); font-weight: normal; white-space: pre }\n"
    ".map thead th { top: 0; z-index: 1; padding: 2px 0 5px; vertical-align: bottom; text-align: center; "
    "border-bottom: 1px solid var(--edge) } .map thead th span { writing-mode: vertical-rl } "
    ".map thead th span span { writing-mode: inherit }\n"
    ".map tbody th { inset-inline-start: 0; left: 0; padding: 0 7px 0 0; text-align: right; "
    "vertical-align: middle; border-right: 1px solid var(--edge) } "
    ".map thead td { position: sticky; left: 0; top: 0; z-index: 2; background: var(--paper); border: 0 }\n"
    ".mark { opacity: .5 }\n"
    ".legend { display: flex; flex-wrap: wrap; gap: .25rem 2rem; padding: 0; margin: 0 0 1.5rem; "
    "list-style: none; font-size: .875rem; color: var(--faint) } .legend .mark { margin-inline-end: .35rem "
    "}\n";

void html_begin(struct strbuf *out, const char *title)
{
    static const char *const styles[] = {colors, text_style, table_style, chart_style, map_style};
    strbuf_adds(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                     "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>");
    html_text(out, title);
    strbuf_adds(out, "</title>\n<style>\n");
    for (size_t i = 0; i < sizeof styles / sizeof styles[0]; i++)
        strbuf_adds(out, styles[i]);
    strbuf_adds(out, "</style>\n</head>\n<body>\n<h1 dir=\"auto\">");
    html_text(out, title);
    strbuf_adds(out, "</h1>\n");
}

void html_end(struct strbuf *out)
{
    strbuf_adds(out, "</body>\n</html>\n");
}

/* ---- tables ---- */

void html_table_begin(struct strbuf *out, const char *id)
{
    strbuf_adds(out, "<div class=\"scroll\" tabindex=\"0\">\n<table");
    if (id)
        strbuf_addf(out, " id=\"%s\"", id);
    strbuf_adds(out, ">\n");
}

void html_table_end(struct strbuf *out)
{
    strbuf_adds(out, "</table>\n</div>\n");
}

void html_cell(struct strbuf *out, const char *element, const char *text)
{
    strbuf_addf(out, "<%s class=\"text\" dir=\"auto\"%s>", element,
                element[1] == 'h' ? " scope=\"row\"" : "");
    html_text(out, text);
    strbuf_addf(out, "</%s>", element);
}
