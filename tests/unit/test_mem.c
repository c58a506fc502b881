/* Pages of memory: what is forgotten of them, and what stays. */
#include "check.h"

#include "mem.h"

#include <stdbool.h>
#include <unistd.h>

enum { PAGES = 5 };

/* Forgets the bytes from `begin` to `end`; `lost` tells of each page whether its numbers are. */
static void forget(size_t begin, size_t end, const bool lost[PAGES])
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    for (int huge = 0; huge < 2; huge++) {
        unsigned char *pages = mem_pages(PAGES * page, huge);
        assert_non_null(pages);
        memset(pages, 7, PAGES * page);
        mem_pages_forget(pages + begin, end - begin);
        for (size_t i = 0; i < PAGES * page; i++)
            if (pages[i] != (lost[i / page] ? 0 : 7))
                fail_msg("bytes %zu to %zu: byte %zu is %d", begin, end, i, pages[i]);
        mem_pages_free(pages, PAGES * page);
    }
}

/* Neighbours lie in the first and last page, too. */
static void whole_pages_are_forgotten(void **state)
{
    (void)state;
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    forget(0, PAGES * page, (const bool[PAGES]){true, true, true, true, true});
    forget(page, 3 * page, (const bool[PAGES]){false, true, true, false, false});
    forget(page - 1, 3 * page + 1, (const bool[PAGES]){false, true, true, false, false});
    forget(page + 1, 4 * page - 1, (const bool[PAGES]){false, false, true, false, false});
    forget(page + 1, 3 * page - 1, (const bool[PAGES]){false});
    forget(page + 1, page + 2, (const bool[PAGES]){false});
    forget(2 * page, 2 * page, (const bool[PAGES]){false});
}

static void no_pages_are_freed(void **state)
{
    (void)state;
    mem_pages_free(NULL, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_pages_are_forgotten),
        cmocka_unit_test(no_pages_are_freed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
