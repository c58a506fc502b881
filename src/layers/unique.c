#include "unique.h"

#include "vecmath.h"

#include <assert.h>
#include <string.h>

void unique_init(struct unique *unique, const int *ids, size_t rows, size_t vocabulary, size_t copies,
                 struct arena *arena)
{
    unique->rows = rows;
    unique->count = 0;
    unique->index = ARENA_NEW(arena, rows, size_t);
    const size_t most = copies * vocabulary;
    unique->ids = ARENA_NEW(arena, rows < most ? rows : most, int);
    size_t *seen = ARENA_ZERO(arena, most, size_t); /* by copy and id: its place + 1 */
    for (size_t i = 0; i < rows; i++) {
        const size_t id = (size_t)ids[i];
        assert(id < vocabulary);
        size_t *place = &seen[i % copies * vocabulary + id];
        if (!*place) {
            unique->ids[unique->count] = ids[i];
            *place = ++unique->count;
        }
        unique->index[i] = *place - 1;
    }
}

void unique_spread(real *y, const real *x, size_t width, const struct unique *unique, bool add)
{
    const size_t w = width;
    for (size_t i = 0; i < unique->rows; i++) {
        const real *from = x + unique->index[i] * w;
        if (add)
            vec_add(y + i * w, from, w);
        else
            memcpy(y + i * w, from, w * sizeof *y);
    }
}

void unique_gather(real *dx, const real *dy, size_t width, const struct unique *unique)
{
    const size_t w = width;
    memset(dx, 0, unique->count * w * sizeof *dx);
    for (size_t i = 0; i < unique->rows; i++) /* y_i = x_index(i) */
        vec_add(dx + unique->index[i] * w, dy + i * w, w);
}
