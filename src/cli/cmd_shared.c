#include "cmd_shared.h"

#include "log.h"
#include "mat.h"

#include <omp.h>
#include <stdlib.h>

int open_model(struct loaded_model *loaded, const char *given, struct err *err)
{
    char *dir = model_dir_choose(given, err);
    if (!dir)
        return -1;
    mat_init();
    const int status = loaded_model_open(loaded, dir, err);
    if (!status)
        log_info("model: %s", dir);
    free(dir);
    return status;
}

int thread_count(int option)
{
    return option ? option : omp_get_num_procs();
}
