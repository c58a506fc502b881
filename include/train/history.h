/* history: the content of a training's log.jsonl, for commands that show it. */
#ifndef NMT_HISTORY_H
#define NMT_HISTORY_H

#include "model_files.h"

#include <stddef.h>
#include <stdint.h>

/* Numbers of an update as logged; NAN where the line has none. */
struct history_update {
    double update, epoch, loss, perplexity, learning_rate, gradient_norm, target_tokens,
        target_tokens_per_second, seconds;
};

/* The translation of a validation sentence at that time. */
struct history_sample {
    double line;
    char *source, *translation, *reference;
};

struct history_validation {
    double update, perplexity, perplexity_per_character, bleu, chrf, seconds;
    struct history_sample *samples;
    size_t sample_count, samples_capacity;
};

/* A file as it was when the training started. */
struct history_file {
    char *name; /* absolute, or relative to the model directory */
    char *checksum;
};

/* All zero is an empty one. */
struct history {
    struct history_update *updates;
    size_t update_count, updates_capacity;
    struct history_validation *validations;
    size_t validation_count, validations_capacity;
    struct history_file *files; /* of the last start */
    size_t file_count, files_capacity;
    double parameters, pairs, threads; /* of the last start */
    double pairs_weighted;             /* each times its corpus's weight; NaN in older logs */
    double rollbacks;
    int64_t torn_lines, first_torn; /* not JSON, or not UTF-8; their number, and the first one's line */
    char *version, *processor, *blas_kernel; /* NULL if not logged */
    char *stop_reason;                       /* NULL if training has not ended */
    bool distilled; /* is it a student's, whose distillation has removed what it made beside it? */
};

/* Loads a model's log. A missing one is an empty history; torn lines are skipped, with one warning. */
int history_load(struct history *history, const struct model_files *files, struct err *err);
/* The same of a model directory or packed file, by its path. */
int history_load_path(struct history *history, const char *model, struct err *err);
void history_release(struct history *history);
/* The file with that name, or NULL. */
const struct history_file *history_find_file(const struct history *history, const char *name);
enum history_file_state { FILE_UNCHANGED, FILE_CHANGED, FILE_UNREADABLE };
/* Is the file unchanged? */
enum history_file_state history_file_check(const struct history_file *file, const char *model_dir);
/* The validation of the weights which a training saved as its model, or NULL. */
const struct history_validation *history_of_weights(const struct history *history,
                                                    const struct safetensors *weights);
/* The last validation other than `one`, or NULL. */
const struct history_validation *history_last_other(const struct history *history,
                                                    const struct history_validation *one);

#endif
