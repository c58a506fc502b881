/* Gradients of every parameter against central differences, for every option that changes the network. */
#include "mat.h"
#include "problem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

static void check(const char *const *settings)
{
    check_gradients(settings, NULL);
}

static void gradients_plain(void **state)
{
    (void)state;
    check(SETTINGS("model.tie=none", "training.label_smoothing=0"));
}

static void gradients_tied_target_with_smoothing(void **state)
{
    (void)state;
    check(SETTINGS("model.tie=target", "training.label_smoothing=0.1"));
}

static void gradients_tied_all(void **state)
{
    (void)state;
    check(SETTINGS("model.tie=all"));
}

static void gradients_one_direction(void **state)
{
    (void)state;
    check(SETTINGS("model.encoder.bidirectional=false"));
}

static void gradients_lexical(void **state)
{
    (void)state;
    check(SETTINGS("model.encoder.lexical=true", "model.encoder.layers=2", "model.tie=all",
                   "model.dropout.embedding=0.2", "model.dropout.annotation=0.3"));
    check(SETTINGS("model.encoder.lexical=true", "model.embedding=8", "model.attention.units=12",
                   "model.attention.heads=2", "model.decoder.init=last"));
    check(SETTINGS("model.encoder.lexical=true", "model.decoder.init=backward_first",
                   "model.attention.score=general"));
}

static void gradients_with_every_dropout(void **state)
{
    (void)state;
    check(SETTINGS("model.dropout.embedding=0.2", "model.dropout.annotation=0.3",
                   "model.dropout.readout=0.25", "model.dropout.state=0.2"));
}

static void gradients_with_state_dropout_alone(void **state)
{
    (void)state;
    check(SETTINGS("model.dropout.state=0.4", "model.tie=all"));
}

static void gradients_conditional(void **state)
{
    (void)state;
    check(SETTINGS("model.attention.feed=conditional"));
}

static void gradients_conditional_with_every_dropout(void **state)
{
    (void)state;
    check(SETTINGS("model.attention.feed=conditional", "model.dropout.embedding=0.2",
                   "model.dropout.annotation=0.3", "model.dropout.readout=0.25", "model.dropout.state=0.2"));
}

static void gradients_with_word_dropout(void **state)
{
    (void)state;
    check(SETTINGS("model.dropout.source_word=0.3", "model.dropout.target_word=0.3",
                   "model.dropout.embedding=0.2"));
}

static void gradients_with_layer_norm(void **state)
{
    (void)state;
    check(SETTINGS("model.layer_norm=true", "model.dropout.state=0.2"));
}

static void gradients_conditional_with_layer_norm(void **state)
{
    (void)state;
    check(SETTINGS("model.layer_norm=true", "model.attention.feed=conditional"));
}

static void gradients_of_layers(void **state)
{
    (void)state;
    check(SETTINGS("model.encoder.layers=3", "model.decoder.layers=2"));
}

static void gradients_of_transitions(void **state)
{
    (void)state;
    check(SETTINGS("model.encoder.transitions=2", "model.decoder.transitions=3",
                   "model.attention.feed=conditional", "model.dropout.state=0.3"));
}

static void gradients_of_everything(void **state)
{
    (void)state;
    check(SETTINGS("model.encoder.layers=2", "model.decoder.layers=3", "model.encoder.transitions=2",
                   "model.decoder.transitions=2", "model.attention.feed=conditional", "model.layer_norm=true",
                   "model.dropout.embedding=0.2", "model.dropout.annotation=0.3",
                   "model.dropout.readout=0.25", "model.dropout.state=0.2", "model.dropout.layer=0.3"));
}

/* Each recurrent cell: as the network needs it at least, and in all that can be built of it. */
static void gradients_of_cells(void **state)
{
    static const char *const cells[] = {"gru", "gru_reset_before", "lstm", "rnn_tanh", "rnn_relu"};
    (void)state;
    for (size_t i = 0; i < sizeof cells / sizeof cells[0]; i++) {
        char encoder[64], decoder[64];
        snprintf(encoder, sizeof encoder, "model.encoder.cell=%s", cells[i]);
        snprintf(decoder, sizeof decoder, "model.decoder.cell=%s", cells[i]);
        check(SETTINGS(encoder, decoder));
        check(SETTINGS(encoder, decoder, "model.attention.feed=conditional", "model.dropout.state=0.3"));
        check(SETTINGS(encoder, decoder, "model.layer_norm=true"));
        check(SETTINGS(encoder, decoder, "model.attention.feed=conditional", "model.layer_norm=true",
                       "model.encoder.layers=2", "model.decoder.layers=2", "model.encoder.transitions=2",
                       "model.decoder.transitions=2", "model.dropout.state=0.3"));
    }
}

/* Every value of the keys below, and then pairs of them that meet in the code. */
static void gradients_of_first_states(void **state)
{
    (void)state;
    check(SETTINGS("model.decoder.init=backward_first"));
    check(SETTINGS("model.decoder.init=last"));
    check(SETTINGS("model.decoder.init=last", "model.encoder.bidirectional=false"));
    check(SETTINGS("model.decoder.init=zero"));
}

static void gradients_of_scores(void **state)
{
    (void)state;
    check(SETTINGS("model.attention.score=concat"));
    check(SETTINGS("model.attention.score=dot", "model.decoder.units=22"));
    check(SETTINGS("model.attention.score=scaled_dot", "model.attention.temperature=0.7"));
    check(SETTINGS("model.attention.score=general", "model.attention.temperature=1.5"));
}

static void gradients_without_attention(void **state)
{
    static const char *const feeds[] = {"input", "replace", "conditional", "output"};
    (void)state;
    for (size_t i = 0; i < sizeof feeds / sizeof feeds[0]; i++) {
        char feed[64];
        snprintf(feed, sizeof feed, "model.attention.feed=%s", feeds[i]);
        check(SETTINGS("model.attention.score=none", feed));
        check(SETTINGS("model.attention.score=none", feed, "model.decoder.init=last",
                       "model.decoder.cell=lstm"));
    }
}

static void gradients_of_heads(void **state)
{
    (void)state;
    check(SETTINGS("model.attention.heads=2", "model.attention.units=14"));
    check(SETTINGS("model.attention.heads=2", "model.attention.score=scaled_dot", "model.attention.units=6",
                   "model.attention.feed=conditional"));
    check(SETTINGS("model.attention.heads=2", "model.attention.score=dot", "model.decoder.units=22"));
}

static void gradients_of_scopes_feeds_and_cells(void **state)
{
    static const char *const scopes[] = {"global", "local_m", "local_p"};
    static const char *const feeds[] = {"input", "replace", "conditional", "output"};
    static const char *const cells[] = {"gru", "lstm"};
    (void)state;
    for (int i = 0; i < 3 * 4 * 2; i++) {
        char scope[64], feed[64], cell[64];
        snprintf(scope, sizeof scope, "model.attention.scope=%s", scopes[i % 3]);
        snprintf(feed, sizeof feed, "model.attention.feed=%s", feeds[i / 3 % 4]);
        snprintf(cell, sizeof cell, "model.decoder.cell=%s", cells[i / 12]);
        check(SETTINGS(scope, feed, cell, "model.attention.window=2"));
        check(SETTINGS(scope, feed, cell, "model.attention.window=1", "model.layer_norm=true",
                       "model.attention.normalizer=sparsemax", "model.attention.heads=2",
                       "model.attention.units=8", "model.decoder.layers=2", "model.decoder.transitions=2"));
    }
}

static void gradients_of_sparsemax(void **state)
{
    (void)state;
    check(SETTINGS("model.attention.normalizer=sparsemax"));
    check(SETTINGS("model.attention.normalizer=sparsemax", "model.attention.temperature=3",
                   "model.attention.feed=conditional"));
}

static void gradients_of_input_feeding(void **state)
{
    (void)state;
    check(SETTINGS("model.attention.feed=output", "model.attention.input_feeding=true"));
    check(SETTINGS("model.attention.feed=output", "model.attention.input_feeding=true",
                   "model.decoder.cell=lstm", "model.layer_norm=true", "model.decoder.transitions=2",
                   "model.dropout.state=0.3", "model.dropout.readout=0.3", "model.attention.score=general"));
}

static void gradients_of_coverage(void **state)
{
    (void)state;
    check(SETTINGS("model.attention.coverage=sum"));
    check(SETTINGS("model.attention.coverage=fertility", "model.attention.feed=conditional",
                   "model.attention.score=concat"));
    check(SETTINGS("model.attention.coverage=fertility", "model.attention.scope=local_p",
                   "model.attention.window=2", "model.attention.feed=output",
                   "model.attention.normalizer=sparsemax"));
}

static void gradients_of_r_drop(void **state)
{
    (void)state;
    check(SETTINGS("training.r_drop=3", "model.dropout.embedding=0.3", "model.dropout.readout=0.2"));
    check(SETTINGS("training.r_drop=0.5", "model.tie=all", "model.attention.feed=conditional",
                   "model.layer_norm=true", "model.dropout.embedding=0.2", "model.dropout.annotation=0.3",
                   "model.dropout.readout=0.25", "model.dropout.state=0.2", "model.dropout.source_word=0.2",
                   "model.dropout.target_word=0.2", "training.label_smoothing=0.1"));
}

static void gradients_of_guided_alignment(void **state)
{
    static const struct link links[][3] = {{{0, 0, 1}, {4, 1, 1}, {2, 1, 1}}, {{1, 3, 1}}, {{0, 0, 1}}};
    static const struct guide guides[SENTS] = {{links[0], 3}, {links[1], 1}, {links[2], 0}};
    (void)state;
    check_gradients(SETTINGS("training.guided_alignment=0.7"), guides);
    check_gradients(SETTINGS("training.guided_alignment=0.7", "model.attention.heads=2",
                             "model.attention.units=8", "model.attention.feed=conditional"),
                    guides);
}

int main(void)
{
    mat_begin(1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gradients_plain),
        cmocka_unit_test(gradients_tied_target_with_smoothing),
        cmocka_unit_test(gradients_tied_all),
        cmocka_unit_test(gradients_one_direction),
        cmocka_unit_test(gradients_lexical),
        cmocka_unit_test(gradients_with_every_dropout),
        cmocka_unit_test(gradients_with_state_dropout_alone),
        cmocka_unit_test(gradients_with_word_dropout),
        cmocka_unit_test(gradients_conditional),
        cmocka_unit_test(gradients_conditional_with_every_dropout),
        cmocka_unit_test(gradients_with_layer_norm),
        cmocka_unit_test(gradients_conditional_with_layer_norm),
        cmocka_unit_test(gradients_of_layers),
        cmocka_unit_test(gradients_of_transitions),
        cmocka_unit_test(gradients_of_everything),
        cmocka_unit_test(gradients_of_cells),
        cmocka_unit_test(gradients_of_first_states),
        cmocka_unit_test(gradients_of_scores),
        cmocka_unit_test(gradients_without_attention),
        cmocka_unit_test(gradients_of_heads),
        cmocka_unit_test(gradients_of_scopes_feeds_and_cells),
        cmocka_unit_test(gradients_of_sparsemax),
        cmocka_unit_test(gradients_of_input_feeding),
        cmocka_unit_test(gradients_of_coverage),
        cmocka_unit_test(gradients_of_guided_alignment),
        cmocka_unit_test(gradients_of_r_drop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
