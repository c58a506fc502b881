/* Shares a text out to the ranks and gathers their translations. Translating is in decode/translate.c, which
 * knows nothing of ranks. */
#include "translate_on_ranks.h"

#include "err.h"
#include "judge.h"
#include "log.h"
#include "mem.h"
#include "plural.h"

#include <string.h>

void translate_on_ranks(struct lines *best, struct translator *translator, const struct lines *lines,
                        const struct ranks *ranks, const struct translation_watch *watch)
{
    struct strbuf all;
    int begin, end;
    ranks_part(ranks, (int)lines->count, &begin, &end);
    struct translations *own = xcalloc((size_t)(end - begin), sizeof *own);
    const struct lines part = lines_view(lines, (size_t)begin, (size_t)(end - begin));
    const int status = translator_run(translator, own, &part, NULL, watch, NULL);
    ASSERT(!status);
    strbuf_init(&all);
    for (int i = 0; i < end - begin; i++) {
        strbuf_addf(&all, "%s\n", own[i].best[0].text);
        translations_release(&own[i]);
    }
    xfree(own);
    ranks_gather(ranks, &all);
    const char *text = all.text;
    for (size_t i = 0; i < lines->count; i++) {
        const size_t bytes = strcspn(text, "\n");
        lines_add(best, text, bytes);
        text += bytes + 1;
    }
    strbuf_release(&all);
}

void translator_warn(const struct translator *translator, const struct ranks *ranks)
{
    const struct judges *judges = translator->options.judges;
    double overflowed = (double)translator->overflowed_lines, unread[JUDGE_KINDS] = {0};
    for (enum judge_kind kind = 0; kind < JUDGE_KINDS; kind++)
        unread[kind] = judges_have(judges, kind) ? (double)judges->of[kind]->unread : 0;
    ranks_sum(ranks, &overflowed, 1);
    ranks_sum(ranks, unread, JUDGE_KINDS);
    if (overflowed > 0)
        log_warn("the translations of %.0f line%s end where the model's numbers are no longer finite",
                 overflowed, plural(overflowed));
    for (enum judge_kind kind = 0; kind < JUDGE_KINDS; kind++)
        if (unread[kind] > 0)
            log_warn("%.0f sentence%s not judged by %s: they are too long for it, or its numbers are no "
                     "longer finite",
                     unread[kind], plural(unread[kind]), judge_kinds[kind].option);
}
