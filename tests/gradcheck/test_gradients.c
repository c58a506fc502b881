/* Gradients of every parameter against central differences, for every option that changes the network: one
 * table row per network. Cells, scores and so on come from config's lists (choices.h): a new member is
 * checked without a new row. */
#include "choices.h"
#include "mat.h"
#include "problem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define MAX_SETTINGS 16

struct network {
    const char *name;
    const char *settings[MAX_SETTINGS]; /* "key=value", ended by NULL */
};

#define CONDITIONAL "model.attention.feed=conditional"
#define LAYER_NORM "model.layer_norm=true"
#define DROPOUT                                                                                              \
    "model.dropout.embedding=0.2", "model.dropout.annotation=0.3", "model.dropout.readout=0.25",             \
        "model.dropout.state=0.2"
#define TRANSITIONS "model.encoder.transitions=2", "model.decoder.transitions=2"

/* ---- rows for each member of a list ---- */

#define TIE_ROW(constant, name) {"tie " #name, {"model.tie=" #name, "training.label_smoothing=0.1"}},

#define SUMMARY_ROW(constant, name) {"first state " #name, {"model.decoder.init=" #name}},

/* In the smallest network, and with everything that can be combined with it. */
#define CELL_ROWS(constant, name)                                                                            \
    {#name, {BOTH_CELLS(name)}},                                                                             \
        {#name ", conditional", {BOTH_CELLS(name), CONDITIONAL, "model.dropout.state=0.3"}},                 \
        {#name ", layer norm", {BOTH_CELLS(name), LAYER_NORM}},                                              \
        {#name ", everything",                                                                               \
         {BOTH_CELLS(name), CONDITIONAL, LAYER_NORM, "model.encoder.layers=2", "model.decoder.layers=2",     \
          TRANSITIONS, "model.dropout.state=0.3"}},
#define BOTH_CELLS(name) "model.encoder.cell=" #name, "model.decoder.cell=" #name

/* With as many decoder units as annotations are wide, as "dot" requires. */
#define SCORE_ROWS(constant, name)                                                                           \
    {"score " #name, {"model.attention.score=" #name, "model.decoder.units=22"}},                            \
        {"score " #name ", conditional, temperature",                                                        \
         {"model.attention.score=" #name, "model.decoder.units=22", CONDITIONAL,                             \
          "model.attention.temperature=0.7"}},

#define NORMALIZER_ROWS(constant, name)                                                                      \
    {#name, {"model.attention.normalizer=" #name}},                                                          \
        {#name ", conditional, temperature",                                                                 \
         {"model.attention.normalizer=" #name, CONDITIONAL, "model.attention.temperature=3"}},

#define COVERAGE_ROWS(constant, name)                                                                        \
    {"coverage " #name, {"model.attention.coverage=" #name}},                                                \
        {"coverage " #name ", conditional, concat",                                                          \
         {"model.attention.coverage=" #name, CONDITIONAL, "model.attention.score=concat"}},                  \
        {"coverage " #name ", local_p, output, sparsemax",                                                   \
         {"model.attention.coverage=" #name, "model.attention.scope=local_p", "model.attention.window=2",    \
          "model.attention.feed=output", "model.attention.normalizer=sparsemax"}},

#define NO_ATTENTION_ROWS(constant, feed)                                                                    \
    {"no attention, feed " #feed, {"model.attention.score=none", "model.attention.feed=" #feed}},            \
        {"no attention, feed " #feed ", lstm, last",                                                         \
         {"model.attention.score=none", "model.attention.feed=" #feed, "model.decoder.init=last",            \
          "model.decoder.cell=lstm"}},

/* Scopes, feeds and cells interact. */
#define SCOPE_ROW(constant, name)                                                                            \
    {"scope " #name, {"model.attention.scope=" #name, "model.attention.window=2"}},
#define FEED_ROWS(constant, feed)                                                                            \
    SCOPED_FEED_ROWS(global, feed) SCOPED_FEED_ROWS(local_m, feed) SCOPED_FEED_ROWS(local_p, feed)
#define SCOPED_FEED_ROWS(scope, feed) SCOPED_CELL_ROWS(scope, feed, gru) SCOPED_CELL_ROWS(scope, feed, lstm)
#define SCOPED_CELL_ROWS(scope, feed, cell)                                                                  \
    {#scope ", feed " #feed ", " #cell, {SCOPED_CELL(scope, feed, cell), "model.attention.window=2"}},       \
        {#scope ", feed " #feed ", " #cell ", everything",                                                   \
         {SCOPED_CELL(scope, feed, cell), "model.attention.window=1", LAYER_NORM,                            \
          "model.attention.normalizer=sparsemax", "model.attention.heads=2", "model.attention.units=8",      \
          "model.decoder.layers=2", "model.decoder.transitions=2"}},
#define SCOPED_CELL(scope, feed, cell)                                                                       \
    "model.attention.scope=" #scope, "model.attention.feed=" #feed, "model.decoder.cell=" #cell

/* ---- all rows ---- */

/* clang-format off */
static struct network networks[] = {
    {"no tie, no label smoothing", {"model.tie=none", "training.label_smoothing=0"}},
    TIES(TIE_ROW)
    {"tie all, default smoothing", {"model.tie=all"}},
    {"one direction", {"model.encoder.bidirectional=false"}},
    {"lexical, layers, tie all",
     {"model.encoder.lexical=true", "model.encoder.layers=2", "model.tie=all", "model.dropout.embedding=0.2",
      "model.dropout.annotation=0.3"}},
    {"lexical, heads, last",
     {"model.encoder.lexical=true", "model.embedding=8", "model.attention.units=12", "model.attention.heads=2",
      "model.decoder.init=last"}},
    {"lexical, general, backward_first",
     {"model.encoder.lexical=true", "model.decoder.init=backward_first", "model.attention.score=general"}},

    {"every dropout", {DROPOUT}},
    {"state dropout alone", {"model.dropout.state=0.4", "model.tie=all"}},
    {"word dropout",
     {"model.dropout.source_word=0.3", "model.dropout.target_word=0.3", "model.dropout.embedding=0.2"}},
    {"conditional", {CONDITIONAL}},
    {"conditional, every dropout", {CONDITIONAL, DROPOUT}},
    {"layer norm", {LAYER_NORM, "model.dropout.state=0.2"}},
    {"layer norm, conditional", {LAYER_NORM, CONDITIONAL}},
    {"layers", {"model.encoder.layers=3", "model.decoder.layers=2"}},
    {"transitions",
     {"model.encoder.transitions=2", "model.decoder.transitions=3", CONDITIONAL, "model.dropout.state=0.3"}},
    {"everything",
     {"model.encoder.layers=2", "model.decoder.layers=3", TRANSITIONS, CONDITIONAL, LAYER_NORM, DROPOUT,
      "model.dropout.layer=0.3"}},
    CELLS(CELL_ROWS)
    SUMMARIES(SUMMARY_ROW)
    {"first state last, one direction", {"model.decoder.init=last", "model.encoder.bidirectional=false"}},

    SCORES(SCORE_ROWS)
    {"concat", {"model.attention.score=concat"}},
    {"scaled_dot, temperature", {"model.attention.score=scaled_dot", "model.attention.temperature=0.7"}},
    {"general, temperature", {"model.attention.score=general", "model.attention.temperature=1.5"}},
    FEEDS(NO_ATTENTION_ROWS)
    {"heads", {"model.attention.heads=2", "model.attention.units=14"}},
    {"heads, scaled_dot, conditional",
     {"model.attention.heads=2", "model.attention.score=scaled_dot", "model.attention.units=6", CONDITIONAL}},
    {"heads, dot", {"model.attention.heads=2", "model.attention.score=dot", "model.decoder.units=22"}},
    SCOPES(SCOPE_ROW)
    FEEDS(FEED_ROWS)
    NORMALIZERS(NORMALIZER_ROWS)
    {"input feeding", {"model.attention.feed=output", "model.attention.input_feeding=true"}},
    {"input feeding, lstm, everything",
     {"model.attention.feed=output", "model.attention.input_feeding=true", "model.decoder.cell=lstm", LAYER_NORM,
      "model.decoder.transitions=2", "model.dropout.state=0.3", "model.dropout.readout=0.3",
      "model.attention.score=general"}},
    COVERAGES(COVERAGE_ROWS)

    {"guided alignment", {"training.guided_alignment=0.7"}},
    {"guided alignment, heads, conditional",
     {"training.guided_alignment=0.7", "model.attention.heads=2", "model.attention.units=8", CONDITIONAL}},
};
/* clang-format on */

#define NETWORKS (sizeof networks / sizeof networks[0])

static void check_network(void **state)
{
    const struct network *network = *state;
    check_gradients(network->settings);
}

int main(void)
{
    mat_begin(1);
    struct CMUnitTest tests[NETWORKS];
    for (size_t i = 0; i < NETWORKS; i++)
        tests[i] = (struct CMUnitTest){networks[i].name, check_network, NULL, NULL, &networks[i]};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
