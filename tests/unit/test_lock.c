/* Locks of directories: one holder at a time, whoever removes the file; and what is left afterwards. */
#include "check.h"

#include "fileio.h"
#include "mem.h"
#include "temporary.h"

#include <fcntl.h>
#include <sys/wait.h>

enum { PROCESSES = 4, TAKEN = 300 };

/* Takes the lock again and again. Returns 1 if another process had it at the same time. */
static int take_often(void)
{
    char *held = path_join(temporary_dir, "held");
    struct lock lock;
    struct err err;
    int status = 0;
    for (int taken = 0; taken < TAKEN && !status;) {
        if (lock_take(&lock, temporary_dir, &err))
            continue;
        const int fd = open(held, O_CREAT | O_EXCL | O_WRONLY, 0600);
        status = fd < 0 || close(fd) != 0 || unlink(held) != 0;
        lock_release(&lock);
        taken++;
    }
    xfree(held);
    return status;
}

static void one_process_at_a_time(void **state)
{
    pid_t children[PROCESSES];
    (void)state;
    for (int i = 0; i < PROCESSES; i++) {
        children[i] = fork();
        assert_true(children[i] >= 0);
        if (!children[i])
            _exit(take_often());
    }
    for (int i = 0; i < PROCESSES; i++) {
        int status;
        assert_int_equal(waitpid(children[i], &status, 0), children[i]);
        assert_int_equal(status, 0);
    }
}

static void what_was_created_is_removed_while_empty(void **state)
{
    char *dir = path_join(temporary_dir, "made"), *file = path_join(dir, "file"),
         *path = path_join(dir, "lock");
    struct lock lock, second;
    struct err err;
    (void)state;
    assert_int_equal(lock_take(&lock, dir, &err), 0);
    assert_true(file_exists(path));
    assert_int_equal(lock_take(&second, dir, &err), -1);
    assert_non_null(strstr(err.text, "is in use by process"));
    lock_release(&second); /* of nothing */
    assert_true(file_exists(path));
    lock_release(&lock);
    assert_false(file_exists(dir));
    assert_int_equal(lock_take(&lock, dir, &err), 0);
    assert_int_equal(file_replace(file, "x", 1, &err), 0);
    lock_release(&lock);
    assert_true(file_exists(file));
    assert_false(file_exists(path));
    assert_int_equal(unlink(file), 0);
    assert_int_equal(lock_take(&lock, dir, &err), 0); /* a directory that was there stays */
    lock_release(&lock);
    assert_int_equal(rmdir(dir), 0);
    xfree(path);
    xfree(file);
    xfree(dir);
}

/* The one that holds the old directory neither goes on nor removes the lock of the new one. */
static void a_replaced_directory_is_another_ones(void **state)
{
    char *dir = path_join(temporary_dir, "here"), *away = path_join(temporary_dir, "away"),
         *path = path_join(dir, "lock"), *moved = path_join(away, "lock");
    struct lock old, new;
    struct err err;
    (void)state;
    assert_int_equal(lock_take(&old, dir, &err), 0);
    assert_int_equal(lock_check(&old, &err), 0);
    assert_int_equal(rename(dir, away), 0);
    assert_int_equal(lock_check(&old, &err), -1);
    assert_non_null(strstr(err.text, "was moved, removed or replaced"));
    assert_int_equal(lock_take(&new, dir, &err), 0);
    assert_int_equal(lock_check(&old, &err), -1);
    lock_release(&old);
    assert_true(file_exists(path));
    assert_int_equal(lock_check(&new, &err), 0);
    lock_release(&new);
    assert_false(file_exists(dir));
    assert_int_equal(unlink(moved) || rmdir(away), 0);
    xfree(dir);
    xfree(away);
    xfree(path);
    xfree(moved);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_process_at_a_time),
        cmocka_unit_test(a_replaced_directory_is_another_ones),
        cmocka_unit_test(what_was_created_is_removed_while_empty),
    };
    return cmocka_run_group_tests(tests, make_temporary_dir, remove_temporary_dir);
}
