#include "unique.h"

#include "vecmath.h"

#include <assert.h>
#include <string.h>

void unique_init(struct unique *unique, const int *ids, int rows, int vocabulary, int copies,
                 struct arena *arena)
{
    unique->rows = rows;
    unique->count = 0;
    unique->index = ARENA_NEW(arena, rows, int);
    const int most = copies * vocabulary;
    unique->ids = ARENA_NEW(arena, rows < most ? rows : most, int);
    int *seen = ARENA_ZERO(arena, most, int); /* by copy and id: its place + 1 */
    for (int i = 0; i < rows; i++) {
        assert(ids[i] >= 0 && ids[i] < vocabulary);
        int *place = &seen[i % copies * vocabulary + ids[i]];
        if (!*place) {
            unique->ids[unique->count] = ids[i];
            *place = ++unique->count;
        }
        unique->index[i] = *place - 1;
    }
}

void unique_spread(real *y, const real *x, int width, const struct unique *unique, bool add)
{
    const size_t w = (size_t)width;
    for (size_t i = 0; i < (size_t)unique->rows; i++) {
        const real *from = x + (size_t)unique->index[i] * w;
        if (add)
            vec_add(y + i * w, from, w);
        else
            memcpy(y + i * w, from, w * sizeof *y);
    }
}

void unique_gather(real *dx, const real *dy, int width, const struct unique *unique)
{
    const size_t w = (size_t)width;
    memset(dx, 0, (size_t)unique->count * w * sizeof *dx);
    for (size_t i = 0; i < (size_t)unique->rows; i++) /* y_i = x_index(i) */
        vec_add(dx + (size_t)unique->index[i] * w, dy + i * w, w);
}
