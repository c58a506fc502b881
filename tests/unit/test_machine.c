/* Facts about the machine: how many processors, and how much memory, control groups grant (Linux, version 2;
 * man 7 cgroups and the kernel's cgroup-v2.rst: cpu.max is "MAX PERIOD", memory.max "MAX"). */
#include "machine.h"

#include "check.h"
#include "temporary.h"

#include <math.h>
#include <sys/stat.h>

static char own[96]; /* in place of /proc/self/cgroup */

static void write_text(const char *folder, const char *name, const char *text)
{
    char path[160];
    snprintf(path, sizeof path, "%s%s/%s", temporary_dir, folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void remove_text(const char *folder, const char *name)
{
    char path[160];
    snprintf(path, sizeof path, "%s%s/%s", temporary_dir, folder, name);
    assert_int_equal(remove(path), 0);
}

static void make_folder(const char *folder)
{
    char path[160];
    snprintf(path, sizeof path, "%s%s", temporary_dir, folder);
    assert_int_equal(mkdir(path, 0700), 0);
}

static int quota(void)
{
    snprintf(own, sizeof own, "%s/own", temporary_dir);
    return machine_processor_quota(own, temporary_dir);
}

static void without_groups_there_is_no_quota(void **state)
{
    (void)state;
    assert_int_equal(quota(), 0);
    write_text("", "own", "4:memory:/user\n1:cpu:/user\n"); /* version 1 */
    assert_int_equal(quota(), 0);
    remove_text("", "own");
}

static void a_container_sees_its_own_quota_at_the_root(void **state)
{
    (void)state;
    static const char *const groups[] = {"0::/\n", "0::/not/mounted/here\n", "0::/../outside\n"};
    for (size_t i = 0; i < sizeof groups / sizeof groups[0]; i++) {
        write_text("", "own", groups[i]);
        write_text("", "cpu.max", "200000 100000\n");
        assert_int_equal(quota(), 2);
        write_text("", "cpu.max", "150000 100000\n");
        assert_int_equal(quota(), 2);
        write_text("", "cpu.max", "10000 100000\n");
        assert_int_equal(quota(), 1);
        write_text("", "cpu.max", "max 100000\n");
        assert_int_equal(quota(), 0);
        write_text("", "cpu.max", "");
        assert_int_equal(quota(), 0);
    }
    remove_text("", "cpu.max");
    remove_text("", "own");
}

static void the_least_quota_of_the_groups_above_counts(void **state)
{
    (void)state;
    make_folder("/slice");
    make_folder("/slice/service");
    write_text("", "own", "1:name=systemd:/elsewhere\n0::/slice/service\n");
    write_text("/slice", "cpu.max", "300000 100000\n");
    write_text("/slice/service", "cpu.max", "max 100000\n");
    assert_int_equal(quota(), 3);
    write_text("/slice/service", "cpu.max", "250000 50000\n");
    assert_int_equal(quota(), 3);
    write_text("/slice/service", "cpu.max", "50000 50000\n");
    assert_int_equal(quota(), 1);
    remove_text("/slice/service", "cpu.max");
    remove_text("/slice", "cpu.max");
    remove_text("/slice", "service");
    remove_text("", "slice");
    remove_text("", "own");
}

static void the_least_memory_of_the_groups_above_counts(void **state)
{
    (void)state;
    make_folder("/slice");
    write_text("", "own", "0::/slice\n");
    assert_true(isinf(machine_memory_limit(own, temporary_dir)));
    write_text("", "memory.max", "max\n");
    write_text("/slice", "memory.max", "max\n");
    assert_true(isinf(machine_memory_limit(own, temporary_dir)));
    write_text("", "memory.max", "8589934592\n");
    assert_true(machine_memory_limit(own, temporary_dir) == 8589934592.0);
    write_text("/slice", "memory.max", "1048576\n");
    assert_true(machine_memory_limit(own, temporary_dir) == 1048576);
    remove_text("/slice", "memory.max");
    remove_text("", "memory.max");
    remove_text("", "slice");
    remove_text("", "own");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_groups_there_is_no_quota),
        cmocka_unit_test(a_container_sees_its_own_quota_at_the_root),
        cmocka_unit_test(the_least_quota_of_the_groups_above_counts),
        cmocka_unit_test(the_least_memory_of_the_groups_above_counts),
    };
    return cmocka_run_group_tests(tests, make_temporary_dir, remove_temporary_dir);
}
