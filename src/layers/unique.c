/* The distinct words of a batch: finds them, spreads their values to rows, and sums rows by word. What is
 * computed per word is up to the caller. */
#include "unique.h"

#include "err.h"
#include "vecmath.h"

#include <string.h>

void unique_alloc(struct unique *unique, size_t rows, size_t vocabulary, struct arena *arena)
{
    unique->rows = rows;
    unique->count = 0;
    unique->index = ARENA_NEW(arena, rows, size_t);
    unique->ids = ARENA_NEW(arena, rows < vocabulary ? rows : vocabulary, int);
    unique->vocabulary = vocabulary;
    unique->seen = ARENA_ZERO(arena, vocabulary, size_t);
}

void unique_find(struct unique *unique, const int *ids, size_t rows)
{
    unique->rows = rows;
    unique->count = 0;
    for (size_t i = 0; i < rows; i++) {
        ASSERT((size_t)ids[i] < unique->vocabulary);
        size_t *word = &unique->seen[ids[i]]; /* its index + 1 */
        if (!*word) {
            unique->ids[unique->count] = ids[i];
            *word = ++unique->count;
        }
        unique->index[i] = *word - 1;
    }
    for (size_t i = 0; i < unique->count; i++)
        unique->seen[unique->ids[i]] = 0;
}

void unique_init(struct unique *unique, const int *ids, size_t rows, size_t vocabulary, struct arena *arena)
{
    unique_alloc(unique, rows, vocabulary, arena);
    unique_find(unique, ids, rows);
}

static void assert_shapes(struct const_mat rows, struct const_mat words, const struct unique *unique)
{
    ASSERT(rows.rows == unique->rows && words.rows == unique->count && rows.cols == words.cols);
}

void unique_spread(struct mat y, struct const_mat x, const struct unique *unique, bool add)
{
    assert_shapes(mat_const(y), x, unique);
    for (size_t i = 0; i < y.rows; i++) {
        const real *word = const_mat_row(x, unique->index[i]);
        if (add)
            vec_add(mat_row(y, i), word, y.cols);
        else
            memcpy(mat_row(y, i), word, y.cols * sizeof *y.data);
    }
}

void unique_gather(struct mat dx, struct const_mat dy, const struct unique *unique)
{
    assert_shapes(dy, mat_const(dx), unique);
    mat_clear(dx);
    for (size_t i = 0; i < dy.rows; i++) /* y_i = x_index(i) */
        vec_add(mat_row(dx, unique->index[i]), const_mat_row(dy, i), dx.cols);
}
