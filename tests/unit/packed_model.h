/* packed_model: the fixture of tests that pack a model: that of an older nmt, and the path of a packed file. */
#ifndef NMT_PACKED_MODEL_H
#define NMT_PACKED_MODEL_H

#include "mem.h"
#include "model_dir.h"
#include "paths.h"
#include "temporary.h"

static struct loaded_model model; /* float32; subwords, two vocabularies */
static char *packed;              /* the path of a packed file */

static int open_model(void **state)
{
    struct err err;
    char *dir = xasprintf("%s/cli/fixtures/model-0064052", getenv("NMT_TEST_DIR"));
    const int status = make_temporary_dir(state) || loaded_model_open(&model, dir, &err);
    packed = path_join(temporary_dir, "packed");
    xfree(dir);
    return status;
}

static int close_model(void **state)
{
    loaded_model_close(&model);
    remove(packed);
    xfree(packed);
    return remove_temporary_dir(state);
}

#endif
