/* shared_options: rows for the option tables of several commands, so that the same words and letters mean the
 * same everywhere. */
#ifndef NMT_SHARED_OPTIONS_H
#define NMT_SHARED_OPTIONS_H

#include "parseopt.h"

#define DEFAULT_MODEL "(default: $NMT_MODEL, else the last one trained)"

/* clang-format off */
/* A model, which may also be given without --model if it is an operand; or a list of models, and what several
 * are. MODEL is a directory or a packed file; some commands need a directory. */
#define MODEL_OPTION(value) \
    {"model", 'm', OPTION_STRING, value, "MODEL", "model directory or packed file " DEFAULT_MODEL, 0, 0}
#define MODEL_OPERAND(value) \
    {"model", 'm', OPTION_OPERAND, value, "MODEL", "model directory or packed file " DEFAULT_MODEL, 0, 0}
#define MODELS_OPTION(value, several) \
    {"model", 'm', OPTION_LIST, value, "MODEL", \
     "model directory or packed file " DEFAULT_MODEL "; several " several, 0, 0}
#define MODEL_DIR_OPTION(value) \
    {"model", 'm', OPTION_STRING, value, "DIR", "model directory " DEFAULT_MODEL, 0, 0}
#define MODEL_DIRS_OPTION(value, several) \
    {"model", 'm', OPTION_LIST, value, "DIR", "model directory " DEFAULT_MODEL "; several " several, 0, 0}
#define INPUT_OPTION(value) \
    {"input", 'i', OPTION_STRING, value, "FILE", "read FILE instead of standard input (may be .gz)", 0, 0}
#define BEAM_OPTION(value) \
    {"beam", 'b', OPTION_INT, value, "N", "hypotheses in beam search; 1: greedy (default: the config's)", 1, \
     1000}
#define LENGTH_PENALTY_OPTION(value) \
    {"length-penalty", 'l', OPTION_REAL, value, "A", "divide scores by length^A", 0, 10}
#define JUDGE_OPTIONS(paths) /* const char *[JUDGE_KINDS] of judge.h */ \
    {"backward-model", 0, OPTION_STRING, &(paths)[JUDGE_BACKWARD], "MODEL", \
     "rank translations also by how well they explain the source to MODEL, which translates the other way", \
     0, 0}, \
    {"right-to-left-model", 0, OPTION_STRING, &(paths)[JUDGE_RIGHT_TO_LEFT], "MODEL", \
     "rank translations also by MODEL, which was trained with text.reverse_target", 0, 0}
#define SET_OPTION(value) \
    {"set", 'S', OPTION_LIST, value, "KEY=VALUE", \
     "override a key of the config, such as training.max_epochs=3", 0, 0}
#define SET_DECODING_OPTION(value) \
    {"set", 'S', OPTION_LIST, value, "decoding.KEY=VALUE", \
     "override a key of the model's config, such as decoding.block_ngrams=3", 0, 0}
#define JSON_OPTION(value) \
    {"json", 'j', OPTION_FLAG, value, NULL, "print JSON Lines (fields: configs/output.md)", 0, 0}
#define THREADS_OPTION(value) \
    {"threads", 't', OPTION_INT, value, "N", \
     "worker threads (default: one per processor that nmt may use)", 0, 1024}
/* clang-format on */

#endif
