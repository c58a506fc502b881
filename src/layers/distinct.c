#include "distinct.h"

#include "vecmath.h"

#include <assert.h>
#include <string.h>

void distinct_init(struct distinct *distinct, const int *ids, int rows, int vocabulary, int copies,
                   struct arena *arena)
{
    distinct->rows = rows;
    distinct->count = 0;
    distinct->which = ARENA_NEW(arena, rows, int);
    const int most = copies * vocabulary;
    distinct->ids = ARENA_NEW(arena, rows < most ? rows : most, int);
    int *seen = ARENA_ZERO(arena, most, int); /* by copy and id: its place + 1 */
    for (int i = 0; i < rows; i++) {
        assert(ids[i] >= 0 && ids[i] < vocabulary);
        int *place = &seen[i % copies * vocabulary + ids[i]];
        if (!*place) {
            distinct->ids[distinct->count] = ids[i];
            *place = ++distinct->count;
        }
        distinct->which[i] = *place - 1;
    }
}

void distinct_spread(real *y, const real *x, int width, const struct distinct *distinct, bool add)
{
    const size_t w = (size_t)width;
    for (size_t i = 0; i < (size_t)distinct->rows; i++) {
        const real *from = x + (size_t)distinct->which[i] * w;
        if (add)
            vec_add(y + i * w, from, w);
        else
            memcpy(y + i * w, from, w * sizeof *y);
    }
}

void distinct_gather(real *dx, const real *dy, int width, const struct distinct *distinct)
{
    const size_t w = (size_t)width;
    memset(dx, 0, (size_t)distinct->count * w * sizeof *dx);
    for (size_t i = 0; i < (size_t)distinct->rows; i++) /* y_i = x_which(i) */
        vec_add(dx + (size_t)distinct->which[i] * w, dy + i * w, w);
}
