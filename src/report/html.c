#include "html.h"

#include <string.h>

void html_text(struct strbuf *out, const char *text)
{
    static const struct {
        char character;
        const char *entity;
    } entities[] = {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\'', "&#39;"}};
    for (; *text; text++) {
        const char *entity = NULL;
        for (size_t i = 0; i < sizeof entities / sizeof entities[0]; i++)
            if (*text == entities[i].character)
                entity = entities[i].entity;
        if (entity)
            strbuf_adds(out, entity);
        else
            strbuf_addch(out, *text);
    }
}

void html_begin(struct strbuf *out, const char *title)
{
    strbuf_adds(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                     "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>");
    html_text(out, title);
    strbuf_adds(
        out,
        "</title>\n<style>\n"
        ":root { color-scheme: light dark; --ink: #1f2430; --paper: #fff; --faint: #646b7c; "
        "--accent: #1257a8 }\n"
        "@media (prefers-color-scheme: dark) { :root { --ink: #e4e6ec; --paper: #16181d; "
        "--faint: #9aa1b1; --accent: #6fb1ff } }\n"
        "@media print { :root { --ink: #000; --paper: #fff; --accent: #1257a8 } }\n"
        "body { color: var(--ink); background: var(--paper); font: 16px/1.5 system-ui, sans-serif; "
        "max-width: 70rem; margin: 2rem auto; padding: 0 1rem }\n"
        "h1 { font-size: 1.6rem } h2 { font-size: 1.2rem; margin-top: 2.5rem }\n"
        "figure { margin: 1.5rem 0; overflow-x: auto } figcaption { color: var(--faint) }\n"
        "svg { color: var(--ink) } svg .cell { fill: var(--accent) }\n"
        "table { border-collapse: collapse } td, th { padding: .2rem .8rem .2rem 0; text-align: left; "
        "vertical-align: top } td.number, th.number { text-align: right; "
        "font-variant-numeric: tabular-nums }\n"
        "summary { cursor: pointer; color: var(--accent) } pre { overflow-x: auto; font-size: .85rem }\n"
        ".charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(26rem, 1fr)); gap: 1rem } "
        ".chart { max-width: 100%; height: auto; font: 12px system-ui, sans-serif }\n"
        ".grid { stroke: var(--faint); stroke-opacity: .3 } .tick { fill: var(--faint) } "
        ".title { fill: var(--ink); font-size: 14px; font-weight: 600 } .value { fill: var(--ink) }\n"
        ".line { fill: none; stroke-width: 2 } .ground { fill: transparent } .dot, .value { opacity: 0 } "
        ".point:hover .dot, .point:hover .value { opacity: 1 }\n"
        ".color0 { stroke: var(--accent) } .color1 { stroke: #d55e00; stroke-dasharray: 6 2 } "
        ".color2 { stroke: #009e73 } .color3 { stroke: #cc79a7; stroke-dasharray: 2 2 }\n"
        ".color4 { stroke: #b8860b } .color5 { stroke: #56b4e9; stroke-dasharray: 8 3 2 3 } "
        ".color6 { stroke: #7d7d7d } .color7 { stroke: #8b5fbf; stroke-dasharray: 4 4 }\n"
        ".dot { fill: var(--paper); stroke-width: 2; stroke-dasharray: none }\n"
        "</style>\n</head>\n<body>\n<h1>");
    html_text(out, title);
    strbuf_adds(out, "</h1>\n");
}

void html_end(struct strbuf *out)
{
    strbuf_adds(out, "</body>\n</html>\n");
}
