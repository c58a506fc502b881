/* info_json: what nmt info tells, as JSON. */
#ifndef NMT_INFO_JSON_H
#define NMT_INFO_JSON_H

#include "history.h"
#include "json.h"
#include "model_dir.h"

#include <stdbool.h>

/* The caller frees it. `own`: the validation of these weights, or NULL. With `tensors`, it lists all
 * parameters. */
struct json *info_json(const struct loaded_model *loaded, const struct history *history,
                       const struct history_validation *own, bool tensors);

#endif
