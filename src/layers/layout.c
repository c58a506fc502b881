/* The list of parameters: appending, and look-up by name. Values are initialised in model/params.c. */
#include "layout.h"

#include "err.h"

#include <stdio.h>
#include <string.h>

size_t param_size(const struct param *param)
{
    return param->rows * (param->cols ? param->cols : 1);
}

size_t layout_declare(struct layout *layout, const char *prefix, const char *name, size_t rows, size_t cols,
                      enum param_init init)
{
    if (layout->count == LAYOUT_MAX_PARAMS)
        BUG("more than %d parameters", LAYOUT_MAX_PARAMS);
    struct param *param = &layout->params[layout->count++];
    const int length = snprintf(param->name, sizeof param->name, "%s.%s", prefix, name);
    if (length >= PARAM_MAX_NAME)
        BUG("parameter name '%s.%s' is too long", prefix, name);
    param->rows = rows;
    param->cols = cols;
    param->init = init;
    param->offset = layout->total;
    layout->total += param_size(param);
    return param->offset;
}

bool param_is_matrix(const struct param *param)
{
    return param->rows > 1 && param->cols > 0;
}

const struct param *layout_find(const struct layout *layout, const char *name)
{
    for (size_t i = 0; i < layout->count; i++)
        if (!strcmp(layout->params[i].name, name))
            return &layout->params[i];
    return NULL;
}
