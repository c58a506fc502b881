/* Rejects impossible networks, with the reason: rules over several settings. Ranges of single keys, and
 * rules for files, text and training, are checked in config. */
#include "network_check.h"

#include "attention.h"

/* Without attention, the decoder sees the source only through its summary. */
static int check_no_attention(const struct config *config, struct err *err)
{
    const struct config_model *m = &config->model;
    const int heads = m->attention.heads;
    if (config_has_attention(config))
        return 0;
    if (m->decoder.init == SUMMARY_ZERO)
        return err_set(err,
                       "'model.attention.score' none and 'model.decoder.init' zero: the decoder would see "
                       "nothing of the source");
    if (m->decoder.init == SUMMARY_BACKWARD_FIRST)
        return err_set(err,
                       "'model.attention.score' none and 'model.decoder.init' backward_first: the forward "
                       "encoder would work for nothing (last gives both directions' last states)");
    if (config->decoding.coverage_penalty > 0)
        return err_set(err,
                       "'model.attention.score' is none: 'decoding.coverage_penalty' has no attention to "
                       "go by");
    if (heads > 1 || m->attention.scope != SCOPE_GLOBAL)
        return err_set(err, "'model.attention.score' is none: there is nothing that '%s' could change",
                       heads > 1 ? "model.attention.heads" : "model.attention.scope");
    return 0;
}

/* Checks the widths of queries, keys and annotations. */
static int check_widths(const struct config_model *m, struct err *err)
{
    const enum score_kind score = m->attention.score;
    const int heads = m->attention.heads;
    const int annotation =
        (m->encoder.bidirectional ? 2 : 1) * m->encoder.units + (m->encoder.lexical ? m->embedding : 0);
    const bool projects = score_kinds[score]->projects_query;
    const int query = projects ? m->attention.units : m->decoder.units;
    if (m->layer_norm && (m->encoder.units == 1 || m->decoder.units == 1))
        return err_set(err,
                       "'model.layer_norm' needs two units or more in '%s': a single number has the norm 0",
                       m->encoder.units == 1 ? "model.encoder.units" : "model.decoder.units");
    if (score == SCORE_NONE)
        return 0;
    if (score == SCORE_DOT && m->decoder.units != annotation)
        return err_set(
            err,
            "'model.attention.score' dot multiplies decoder states (%d units) with annotations (%d) "
            "as they are: they must be equally wide (general has a matrix between them)",
            m->decoder.units, annotation);
    if (query % heads)
        return err_set(err, "'%s' %d cannot be shared out among 'model.attention.heads' %d",
                       projects ? "model.attention.units" : "model.decoder.units", query, heads);
    if (annotation % heads)
        return err_set(err,
                       "annotations of %d units, by 'model.encoder.units', cannot be shared out among "
                       "'model.attention.heads' %d",
                       annotation, heads);
    return 0;
}

/* Checks which mechanisms of attention can be combined. */
static int check_attention(const struct config_model *m, struct err *err)
{
    const bool none = m->attention.score == SCORE_NONE, hard = m->attention.kind == ATTENTION_HARD;
    if (m->attention.coverage != COVERAGE_NONE &&
        (none || !score_kinds[m->attention.score]->hidden || m->attention.heads > 1))
        return err_set(
            err, "'model.attention.coverage' needs one head and a 'model.attention.score' with a hidden "
                 "layer to add it to: additive or concat");
    if (hard && none)
        return err_set(err, "'model.attention.kind' hard needs a 'model.attention.score' to draw by");
    if (hard && m->attention.scope == SCOPE_LOCAL_P)
        return err_set(err,
                       "'model.attention.kind' hard cannot draw from the weights of 'model.attention.scope' "
                       "local_p: they do not sum to 1");
    return 0;
}

static int check_decoder(const struct config_model *m, struct err *err)
{
    if (m->decoder.init == SUMMARY_BACKWARD_FIRST && !m->encoder.bidirectional)
        return err_set(err, "'model.decoder.init' backward_first needs 'model.encoder.bidirectional'");
    if (m->attention.input_feeding && m->attention.feed != FEED_OUTPUT)
        return err_set(err,
                       "'model.attention.input_feeding' needs 'model.attention.feed' output: elsewhere the "
                       "cell reads the context itself");
    if (m->attention.input_feeding && m->decoder.layers > 1)
        return err_set(err,
                       "'model.attention.input_feeding' with several 'model.decoder.layers' is not there: "
                       "layers above the first are computed when all its steps are done");
    return 0;
}

static int check_guides(const struct config *config, struct err *err)
{
    const struct config_model *m = &config->model;
    if (config->training.guided_alignment > 0 &&
        (!config_has_attention(config) || m->attention.kind == ATTENTION_HARD ||
         m->attention.normalizer != NORMALIZER_SOFTMAX))
        return err_set(
            err,
            "'training.guided_alignment' needs attention that is soft, with 'model.attention.normalizer' "
            "softmax: it takes the logarithm of every weight");
    return 0;
}

int network_check(const struct config *config, struct err *err)
{
    const struct config_model *m = &config->model;
    return check_no_attention(config, err) || check_widths(m, err) || check_attention(m, err) ||
                   check_decoder(m, err) || check_guides(config, err)
               ? -1
               : 0;
}
