/* choices: the options that a config value is chosen from, as lists with a row (constant, name) for each.
 *
 * Each list generates the enum here; the names that the config takes, hence --help-config,
 * configs/schema.json and configs/keys.md; the table of implementations, where there is one; and the runs of
 * the gradient check over all members of the network's parts.
 *
 * To add a score named cosine:
 *   1. add a row here: ROW(SCORE_COSINE, cosine)
 *   2. define `const struct score score_cosine` (score.h) in a file src/layers/score_*.c
 * A row without its definition does not link. The same holds for
 *     CELLS          gates_NAME        gates.h        src/layers/gates_*.c
 *     NORMALIZERS    normalizer_NAME   normalizer.h   src/layers/normalizer_*.c
 *     SUMMARIES      summary_NAME      summary.h      src/model/summary.c
 *     FEEDS          feed_NAME         decoder.h      src/model/decoder_cells.c
 *     OPTIMIZERS     optimizer_NAME    optim.h        src/train/optim.c
 *     TOKENIZERS     by_NAME                          src/text/tokenize.c
 *     PATTERNS       match_NAME       scan.h         src/text/match_*.c
 * scripts/update-docs --write then brings the generated pages up to date. */
#ifndef NMT_CHOICES_H
#define NMT_CHOICES_H

#define CHOICE_CONSTANT(constant, name) constant,

/* ---- data ---- */

/* What to do with lines that are not UTF-8 or contain a NUL. */
#define INVALID_ACTIONS(ROW)                                                                                 \
    ROW(INVALID_STOP, stop)                                                                                  \
    ROW(INVALID_SKIP, skip)                                                                                  \
    ROW(INVALID_REPLACE, replace)
enum invalid_action { INVALID_ACTIONS(CHOICE_CONSTANT) };

/* ---- text ---- */

#define TOKENIZERS(ROW)                                                                                      \
    ROW(TOKENIZE_SCRIPT, script)                                                                             \
    ROW(TOKENIZE_UNICODE, unicode)                                                                           \
    ROW(TOKENIZE_WHITESPACE, whitespace)                                                                     \
    ROW(TOKENIZE_CHAR, char)
enum tokenize_kind { TOKENIZERS(CHOICE_CONSTANT) };

#define UTF8_FORMS(ROW)                                                                                      \
    ROW(UTF8_AS_IS, none)                                                                                    \
    ROW(UTF8_NFC, nfc)                                                                                       \
    ROW(UTF8_NFKC, nfkc)
enum utf8_form { UTF8_FORMS(CHOICE_CONSTANT) };

#define SUBWORDS(ROW)                                                                                        \
    ROW(SUBWORD_BPE, bpe)                                                                                    \
    ROW(SUBWORD_WORD, word)
enum subword_kind { SUBWORDS(CHOICE_CONSTANT) };

/* Strings that text.protect keeps whole. */
#define PATTERNS(ROW)                                                                                        \
    ROW(PATTERN_URL, url)                                                                                    \
    ROW(PATTERN_EMAIL, email)                                                                                \
    ROW(PATTERN_PATH, path)                                                                                  \
    ROW(PATTERN_MENTION, mention)                                                                            \
    ROW(PATTERN_MARKUP, markup)                                                                              \
    ROW(PATTERN_ENTITY, entity)                                                                              \
    ROW(PATTERN_VARIABLE, variable)                                                                          \
    ROW(PATTERN_CODE, code)                                                                                  \
    ROW(PATTERN_EMOJI, emoji)                                                                                \
    ROW(PATTERN_QUANTITY, quantity)                                                                          \
    ROW(PATTERN_DATE, date)                                                                                  \
    ROW(PATTERN_VERSION, version)                                                                            \
    ROW(PATTERN_NUMBER, number)                                                                              \
    ROW(PATTERN_IDENTIFIER, identifier)                                                                      \
    ROW(PATTERN_UNSEEN, unseen)
enum pattern_kind { PATTERNS(CHOICE_CONSTANT) };

#define PATTERN_SET(kind) (1u << (kind))
/* Those that "true" stands for: all but identifiers, of which some are translated. */
#define PROTECTED ((PATTERN_SET(PATTERN_IDENTIFIER) - 1) | PATTERN_SET(PATTERN_UNSEEN))

/* ---- model ---- */

/* Which embedding tables are shared. */
#define TIES(ROW)                                                                                            \
    ROW(TIE_NONE, none)                                                                                      \
    ROW(TIE_TARGET, target)                                                                                  \
    ROW(TIE_ALL, all)
enum tie_kind { TIES(CHOICE_CONSTANT) };

#define CELLS(ROW)                                                                                           \
    ROW(CELL_GRU, gru)                                                                                       \
    ROW(CELL_GRU_RESET_BEFORE, gru_reset_before)                                                             \
    ROW(CELL_LSTM, lstm)                                                                                     \
    ROW(CELL_RNN_TANH, rnn_tanh)                                                                             \
    ROW(CELL_RNN_RELU, rnn_relu)
enum cell_kind { CELLS(CHOICE_CONSTANT) };

/* How a source sentence is summarised for the decoder's first state. */
#define SUMMARIES(ROW)                                                                                       \
    ROW(SUMMARY_MEAN, mean)                                                                                  \
    ROW(SUMMARY_BACKWARD_FIRST, backward_first)                                                              \
    ROW(SUMMARY_LAST, last)                                                                                  \
    ROW(SUMMARY_ZERO, zero)
enum summary_kind { SUMMARIES(CHOICE_CONSTANT) };

#define SCORES(ROW)                                                                                          \
    ROW(SCORE_NONE, none)                                                                                    \
    ROW(SCORE_ADDITIVE, additive)                                                                            \
    ROW(SCORE_DOT, dot)                                                                                      \
    ROW(SCORE_SCALED_DOT, scaled_dot)                                                                        \
    ROW(SCORE_GENERAL, general)                                                                              \
    ROW(SCORE_CONCAT, concat)
enum score_kind { SCORES(CHOICE_CONSTANT) };

#define ATTENTION_KINDS(ROW)                                                                                 \
    ROW(ATTENTION_SOFT, soft)                                                                                \
    ROW(ATTENTION_HARD, hard)
enum attention_kind { ATTENTION_KINDS(CHOICE_CONSTANT) };

#define SCOPES(ROW)                                                                                          \
    ROW(SCOPE_GLOBAL, global)                                                                                \
    ROW(SCOPE_LOCAL_M, local_m)                                                                              \
    ROW(SCOPE_LOCAL_P, local_p)
enum attention_scope { SCOPES(CHOICE_CONSTANT) };

#define NORMALIZERS(ROW)                                                                                     \
    ROW(NORMALIZER_SOFTMAX, softmax)                                                                         \
    ROW(NORMALIZER_SPARSEMAX, sparsemax)
enum normalizer_kind { NORMALIZERS(CHOICE_CONSTANT) };

#define COVERAGES(ROW)                                                                                       \
    ROW(COVERAGE_NONE, none)                                                                                 \
    ROW(COVERAGE_SUM, sum)                                                                                   \
    ROW(COVERAGE_FERTILITY, fertility)
enum attention_coverage { COVERAGES(CHOICE_CONSTANT) };

/* Where the context vector goes. */
#define FEEDS(ROW)                                                                                           \
    ROW(FEED_INPUT, input)                                                                                   \
    ROW(FEED_REPLACE, replace)                                                                               \
    ROW(FEED_CONDITIONAL, conditional)                                                                       \
    ROW(FEED_OUTPUT, output)
enum feed_kind { FEEDS(CHOICE_CONSTANT) };

/* ---- training ---- */

#define OPTIMIZERS(ROW)                                                                                      \
    ROW(OPTIMIZER_ADAM, adam)                                                                                \
    ROW(OPTIMIZER_SGD, sgd)                                                                                  \
    ROW(OPTIMIZER_ADADELTA, adadelta)
enum optimizer_kind { OPTIMIZERS(CHOICE_CONSTANT) };

#define SCHEDULES(ROW)                                                                                       \
    ROW(SCHEDULE_CONSTANT, constant)                                                                         \
    ROW(SCHEDULE_INVERSE_SQRT, inverse_sqrt)                                                                 \
    ROW(SCHEDULE_COSINE, cosine)                                                                             \
    ROW(SCHEDULE_PLATEAU, plateau)
enum schedule_kind { SCHEDULES(CHOICE_CONSTANT) };

#define SAMPLINGS(ROW)                                                                                       \
    ROW(SAMPLING_NONE, none)                                                                                 \
    ROW(SAMPLING_LINEAR, linear)                                                                             \
    ROW(SAMPLING_EXPONENTIAL, exponential)                                                                   \
    ROW(SAMPLING_INVERSE_SIGMOID, inverse_sigmoid)
enum sampling_kind { SAMPLINGS(CHOICE_CONSTANT) };

#define METRICS(ROW)                                                                                         \
    ROW(METRIC_BLEU, bleu)                                                                                   \
    ROW(METRIC_CHRF, chrf)                                                                                   \
    ROW(METRIC_PERPLEXITY, perplexity)
enum metric_kind { METRICS(CHOICE_CONSTANT) };

/* How BLEU splits lines into words, by sacreBLEU's names (mteval.h) … */
#define BLEU_TOKENIZERS(ROW)                                                                                 \
    ROW(MTEVAL_13A, 13a)                                                                                     \
    ROW(MTEVAL_INTL, intl)                                                                                   \
    ROW(MTEVAL_ZH, zh)                                                                                       \
    ROW(MTEVAL_CHAR, char)                                                                                   \
    ROW(MTEVAL_NONE, none)
/* … and in a config, where auto is by the script of the target. */
#define BLEU_TOKENIZERS_OR_AUTO(ROW)                                                                         \
    BLEU_TOKENIZERS(ROW)                                                                                     \
    ROW(MTEVAL_AUTO, auto)
enum mteval_kind { BLEU_TOKENIZERS_OR_AUTO(CHOICE_CONSTANT) };

/* The numbers that products of a training multiply. */
#define TRAINING_PRECISIONS(ROW)                                                                             \
    ROW(TRAIN_FLOAT32, float32)                                                                              \
    ROW(TRAIN_BFLOAT16, bfloat16)
enum training_precision { TRAINING_PRECISIONS(CHOICE_CONSTANT) };

/* How gradients are sent from machine to machine. */
#define EXCHANGES(ROW)                                                                                       \
    ROW(EXCHANGE_FLOAT32, float32)                                                                           \
    ROW(EXCHANGE_BFLOAT16, bfloat16)
enum exchange_kind { EXCHANGES(CHOICE_CONSTANT) };

#define DIVERGENCE_ACTIONS(ROW)                                                                              \
    ROW(DIVERGENCE_ROLLBACK, rollback)                                                                       \
    ROW(DIVERGENCE_STOP, stop)
enum divergence_action { DIVERGENCE_ACTIONS(CHOICE_CONSTANT) };

/* ---- decoding ---- */

#define LENGTH_NORMALIZATIONS(ROW)                                                                           \
    ROW(NORMALIZATION_PLAIN, plain)                                                                          \
    ROW(NORMALIZATION_WU, wu)
enum length_normalization { LENGTH_NORMALIZATIONS(CHOICE_CONSTANT) };

/* Are the sentences of a line translated each by itself? */
#define SPLITS(ROW)                                                                                          \
    ROW(SPLIT_AUTO, auto)                                                                                    \
    ROW(SPLIT_ON, on)                                                                                        \
    ROW(SPLIT_OFF, off)
enum split_kind { SPLITS(CHOICE_CONSTANT) };

/* The numbers of products: those of the model's file, or others. */
#define DECODING_PRECISIONS(ROW)                                                                             \
    ROW(DECODE_AUTO, auto)                                                                                   \
    ROW(DECODE_FLOAT32, float32)                                                                             \
    ROW(DECODE_INT8, int8)
enum decoding_precision { DECODING_PRECISIONS(CHOICE_CONSTANT) };

#endif
