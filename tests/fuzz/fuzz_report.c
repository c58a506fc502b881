/* A log.jsonl as shown in report.html: whatever it contains, the page has only its own tags, and valid
 * text. */
#include "fileio.h"
#include "fuzz.h"
#include "mem.h"
#include "report.h"
#include "runlog.h"
#include "utf8.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const tags = " !DOCTYPE html head meta title style body h1 h2 h3 table thead tbody tr th "
                                "td br p div span details summary pre figure "
                                "figcaption svg g path text rect circle line polyline ";
static const char *const attributes = " html lang dir charset name content id class role scope tabindex "
                                      "title width height viewBox aria-label x y d cx cy r "
                                      "points x1 y1 x2 y2 style transform text-anchor preserveAspectRatio ";

/* Is the word in the list? */
static bool known(const char *list, const char *word, size_t bytes)
{
    char name[32];
    if (bytes == 0 || bytes > 28)
        return false;
    snprintf(name, sizeof name, " %.*s ", (int)bytes, word);
    return strstr(list, name);
}

static size_t word_length(const char *text)
{
    return strspn(text, "!abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-");
}

/* From after a '<' to after its '>'. */
static const char *check_tag(const char *at)
{
    at += *at == '/';
    MUST(known(tags, at, word_length(at)));
    at += word_length(at);
    while (*at == ' ') {
        at++;
        MUST(known(attributes, at, word_length(at)));
        at += word_length(at);
        if (*at != '=')
            continue;
        MUST(at[1] == '"');
        at += 2;
        MUST(at[strcspn(at, "\"<>")] == '"');
        at += strcspn(at, "\"") + 1;
    }
    at += *at == '/';
    MUST(*at == '>');
    return at + 1;
}

static void check_page(const struct strbuf *page)
{
    const char *at = page->text;
    MUST(strlen(at) == page->length && utf8_check(at, page->length) == page->length);
    while (*(at += strcspn(at, "<")))
        at = check_tag(at + 1);
    MUST(page->length > 8 && !strcmp(page->text + page->length - 8, "</html>\n"));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    char dir[] = "/dev/shm/nmt-fuzz-XXXXXX";
    struct config config;
    struct strbuf page;
    struct err err;
    MUST(mkdtemp(dir));
    char *log = path_join(dir, RUNLOG_FILE), *report = path_join(dir, REPORT_FILE);
    strbuf_init(&page);
    config_init(&config);
    config.model_dir = xstrdup(dir);
    MUST(!file_replace(log, (const char *)data, bytes, &err));
    if (!report_training(&config, &err)) {
        MUST(!file_slurp(&page, report, &err));
        check_page(&page);
    }
    unlink(log);
    unlink(report);
    rmdir(dir);
    config_release(&config);
    strbuf_release(&page);
    free(log);
    free(report);
    return 0;
}
