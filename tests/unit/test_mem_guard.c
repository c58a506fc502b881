/* Guarded work: what it has made is given back if it fails, in the right order and on every thread, and stays
 * if it succeeds; what was there before is left alone. That nothing leaks is seen with sanitizers. */
#include "check.h"

#include "arena.h"
#include "fileio.h"
#include "json.h"
#include "log.h"
#include "mem.h"
#include "mem_guard.h"
#include "strbuf.h"
#include "team.h"
#include "temporary.h"

#include <dirent.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <time.h>

static _Noreturn void run_out(void)
{
    mem_exhausted(3, 5);
}

static void expect_failure(guarded_work *work, void *context)
{
    struct err err = {.text = ""};
    assert_int_equal(mem_guard(work, context, &err), -1);
    assert_string_equal(err.text, "out of memory (3 x 5 bytes)");
    assert_int_equal(err.number, ENOMEM);
}

static void expect_success(guarded_work *work, void *context)
{
    struct err err = {.text = ""};
    assert_int_equal(mem_guard(work, context, &err), 0);
    assert_string_equal(err.text, "");
}

/* ---- blocks ---- */

struct made {
    char *text;
    struct strbuf buf;
    bool fails;
};

static void make_some(void *context)
{
    struct made *made = context;
    char *passing = xmalloc(1000, 1);
    made->text = xstrdup("stays");
    strbuf_init(&made->buf);
    for (int i = 0; i < 1000; i++)
        strbuf_addf(&made->buf, "%d ", i);
    xfree(passing);
    xfree(NULL);
    if (made->fails)
        run_out();
}

static void what_work_has_made_stays_if_it_succeeds(void **state)
{
    struct made made = {.fails = false};
    (void)state;
    expect_success(make_some, &made);
    assert_string_equal(made.text, "stays");
    assert_int_equal(made.buf.length, 3890);
    xfree(made.text);
    strbuf_release(&made.buf);
}

static void what_work_has_made_is_freed_if_it_fails(void **state)
{
    struct made made = {.fails = true};
    (void)state;
    for (int i = 0; i < 3; i++)
        expect_failure(make_some, &made);
}

static void ask_for_too_much(void *context)
{
    xstrdup("freed");
    *(void **)context = xmalloc(SIZE_MAX / 4, 8);
}

static void ask_for_more(void *context)
{
    void **block = context;
    *block = xrealloc(*block, SIZE_MAX / 4, 8);
}

static void an_impossible_size_is_an_error(void **state)
{
    struct err err;
    void *block = NULL;
    (void)state;
    assert_int_equal(mem_guard(ask_for_too_much, &block, &err), -1);
    assert_int_equal(strncmp(err.text, "out of memory (", 15), 0);
    block = xrealloc(NULL, 3, 1);
    assert_int_equal(mem_guard(ask_for_more, &block, &err), -1);
    xfree(block);
}

static void use_older(void *context)
{
    struct strbuf *older = context;
    for (int i = 0; i < 10000; i++)
        strbuf_addch(&older[0], 'x');
    strbuf_release(&older[1]);
    strbuf_init(&older[2]);
    run_out();
}

static void older_blocks_stay_with_their_owner(void **state)
{
    struct strbuf older[3];
    (void)state;
    strbuf_init(&older[0]);
    strbuf_init(&older[1]);
    expect_failure(use_older, older);
    assert_int_equal(older[0].length, 10000);
    strbuf_addch(&older[0], 'y');
    assert_int_equal(strlen(older[0].text), 10001);
    assert_null(older[1].text);
    strbuf_release(&older[0]);
}

static void add_too_much(void *context)
{
    strbuf_add(context, "x", SIZE_MAX / 2);
}

static void what_cannot_grow_stays_as_it_was(void **state)
{
    struct strbuf buf;
    (void)state;
    strbuf_init(&buf);
    strbuf_adds(&buf, "short");
    const size_t capacity = buf.capacity;
    assert_int_equal(mem_guard(add_too_much, &buf, NULL), -1);
    assert_int_equal(buf.capacity, capacity);
    assert_string_equal(buf.text, "short");
    strbuf_release(&buf);
}

/* A block comes, grows or goes at random, many times. */
static void shuffle_blocks(void *context)
{
    enum { BLOCKS = 3000 };
    const bool *fails = context;
    char **blocks = xcalloc(BLOCKS, sizeof *blocks);
    unsigned random = 1;
    for (int i = 0; i < 200000; i++) {
        random = random * 1103515245 + 12345;
        char **block = &blocks[random / 65536 % BLOCKS];
        if (*block && random / 7 % 2) {
            xfree(*block);
            *block = NULL;
        } else {
            *block = xrealloc(*block, 1 + random / 16 % 300, 1);
            **block = 'x';
        }
    }
    if (*fails)
        run_out();
    for (int i = 0; i < BLOCKS; i++)
        xfree(blocks[i]);
    xfree(blocks);
}

static void many_blocks_are_kept(void **state)
{
    bool fails = false;
    (void)state;
    expect_success(shuffle_blocks, &fails);
    fails = true;
    expect_failure(shuffle_blocks, &fails);
}

static void adopt(void *context)
{
    const bool *fails = context;
    char *block = malloc(10);
    xadopt(block, 10);
    if (*fails)
        xadopt(NULL, 15);
    xfree(block);
}

static void blocks_of_other_libraries_can_be_adopted(void **state)
{
    bool fails = false;
    struct err err;
    (void)state;
    expect_success(adopt, &fails);
    fails = true;
    assert_int_equal(mem_guard(adopt, &fails, &err), -1);
    assert_string_equal(err.text, "out of memory (15 x 1 bytes)");
}

static void find_a_bug(void *context)
{
    char *text = xasprintf("%s", (const char *)context);
    BUG("%s is wrong", text);
}

static void truncate_too_far(void *context)
{
    struct strbuf buf;
    (void)context;
    strbuf_init(&buf);
    strbuf_truncate(&buf, 1);
}

static void a_bug_is_an_error(void **state)
{
    struct err err;
    char name[] = "this";
    (void)state;
    assert_int_equal(mem_guard(find_a_bug, name, NULL), -1);
    assert_int_equal(mem_guard(find_a_bug, name, &err), -1);
    assert_int_equal(err.number, 0);
    assert_non_null(strstr(err.text, "internal error at "));
    assert_non_null(strstr(err.text, "test_mem_guard.c:"));
    assert_non_null(strstr(err.text, ": this is wrong"));
    assert_int_equal(mem_guard(truncate_too_far, NULL, &err), -1);
    assert_non_null(strstr(err.text, "strbuf.c:"));
    assert_non_null(strstr(err.text, ": length <= buf->length does not hold"));
}

/* ---- resources ---- */

struct door {
    int *order; /* [0]: doors closed so far; then their numbers */
    int number;
    const char *sign; /* a block, which is freed later */
};

static void close_door(void *what)
{
    const struct door *door = what;
    assert_string_equal(door->sign, "open");
    door->order[++door->order[0]] = door->number;
}

static void open_doors(void *context)
{
    struct door doors[100];
    for (int i = 0; i < 100; i++) {
        doors[i] = (struct door){context, i, xstrdup("open")};
        mem_track(&doors[i], close_door);
    }
    mem_untrack(&doors[0]);
    mem_untrack(&doors[50]);
    mem_untrack(&doors[99]);
    run_out();
}

static void resources_are_released_in_reverse_order(void **state)
{
    int order[101] = {0};
    (void)state;
    expect_failure(open_doors, order);
    assert_int_equal(order[0], 97);
    assert_int_equal(order[1], 98);
    assert_int_equal(order[48], 51);
    assert_int_equal(order[49], 49);
    assert_int_equal(order[97], 1);
}

static void without_a_guard_nothing_is_tracked(void **state)
{
    (void)state;
    mem_track(NULL, close_door);
    mem_untrack(NULL);
}

static int open_files(void)
{
    int count = 0;
    DIR *dir = opendir("/proc/self/fd");
    while (dir && readdir(dir))
        count++;
    if (dir)
        closedir(dir);
    return count;
}

static void open_much(void *context)
{
    struct reader plain, zipped;
    struct file_image image;
    struct strbuf line;
    struct arena arena, counting;
    char *const *paths = context;
    assert_int_equal(reader_open(&plain, paths[0], NULL), 0);
    assert_int_equal(reader_open(&zipped, paths[1], NULL), 0);
    assert_int_equal(file_image_read(&image, paths[0], NULL), 0);
    assert_int_equal(file_image_read(&image, "nowhere", NULL), -1);
    assert_int_equal(file_image_read(&image, paths[1], NULL), 0);
    strbuf_init(&line);
    assert_int_equal(reader_line(&zipped, &line, NULL), 1);
    assert_string_equal(line.text, "zipped");
    assert_non_null(json_parse("{\"a\": [1, 2]}", 13, "x", NULL));
    json_set_array(json_new_object(), "b", (const double[]){1, 2}, 2);
    arena_init(&arena);
    arena_init_counting(&counting);
    for (int i = 0; i < 10; i++)
        memset(ARENA_NEW(&arena, 500000, char), i, 500000);
    (void)ARENA_NEW(&counting, 500000, char);
    team_new(3);
    run_out();
}

static void write_file(const char *path, const void *bytes, size_t count)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, count, file), count);
    assert_int_equal(fclose(file), 0);
}

static void files_threads_and_values_are_tracked(void **state)
{
    static const unsigned char zipped[] = {0x1f, 0x8b, 8,    0,    0,    0,    0,    0,    2,
                                           3,    0xab, 0xca, 0x2c, 0x28, 0x48, 0x4d, 0xe1, 0x02,
                                           0x00, 0xac, 0,    0x3a, 0xc7, 7,    0,    0,    0};
    char plain_path[] = "/tmp/nmt-unit-XXXXXX", zipped_path[] = "/tmp/nmt-unit-XXXXXX";
    char *paths[] = {plain_path, zipped_path};
    (void)state;
    assert_int_equal(temporary_file(plain_path) + temporary_file(zipped_path), 0);
    write_file(plain_path, "plain\n", 6);
    write_file(zipped_path, zipped, sizeof zipped);
    const int before = open_files();
    expect_failure(open_much, paths);
    assert_int_equal(open_files(), before);
    unlink(plain_path);
    unlink(zipped_path);
}

static void grow_arena(void *context)
{
    struct arena *arena = context;
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 10; i++)
            memset(ARENA_NEW(arena, 500000, char), i, 500000);
        if (round == 0)
            arena_reset(arena);
    }
    run_out();
}

static void an_older_arena_stays_usable(void **state)
{
    struct arena arena;
    (void)state;
    arena_init(&arena);
    char *piece = ARENA_NEW(&arena, 100, char);
    memset(piece, 1, 100);
    expect_failure(grow_arena, &arena);
    expect_failure(grow_arena, &arena);
    arena_reset(&arena);
    memset(ARENA_NEW(&arena, 5000000, char), 1, 5000000);
    arena_release(&arena);
}

/* ---- a guard within a guard ---- */

struct nested {
    struct made inner;
    char *outer; /* freed by the inner work */
};

static void inner_work(void *context)
{
    struct nested *nested = context;
    xfree(nested->outer);
    nested->outer = NULL;
    make_some(&nested->inner);
}

static void outer_work(void *context)
{
    struct nested *nested = context;
    char *kept = xstrdup("kept");
    nested->outer = xstrdup("outer");
    if (nested->inner.fails)
        expect_failure(inner_work, nested);
    else
        expect_success(inner_work, nested);
    assert_string_equal(kept, "kept");
    xfree(kept);
    xstrdup("freed");
    run_out();
}

static void a_guard_within_a_guard_is_apart(void **state)
{
    struct nested nested = {.inner.fails = true};
    (void)state;
    expect_failure(outer_work, &nested);
    nested.inner.fails = false;
    expect_failure(outer_work, &nested);
    assert_string_equal(nested.inner.text, "stays");
    xfree(nested.inner.text);
    strbuf_release(&nested.inner.buf);
}

/* ---- teams ---- */

enum { TASKS = 200 };

struct shared {
    struct team *team;
    int failing;      /* task; -1: none */
    atomic_int begun; /* tasks */
    atomic_int open;  /* doors */
    char *texts[TASKS];
    struct strbuf bufs[TASKS]; /* made by the caller, grown by the tasks */
    bool fails_later;
};

static void shut(void *what)
{
    atomic_int *const *door = what;
    atomic_fetch_sub(*door, 1);
}

static void work_on_task(void *context, int task, int member)
{
    struct shared *shared = context;
    atomic_int *door = &shared->open; /* on this thread's stack */
    char *text = shared->texts[task];
    (void)member;
    atomic_fetch_add(&shared->begun, 1);
    mem_track(&door, shut);
    atomic_fetch_add(door, 1);
    for (int i = 0; i < 300; i++)
        strbuf_addf(&shared->bufs[task], "%d", i);
    shared->texts[task] = xasprintf("%s, task %d", text, task);
    xfree(text);
    if (task == shared->failing)
        run_out();
    mem_untrack(&door);
    atomic_fetch_sub(door, 1);
}

static void lead(void *context)
{
    struct shared *shared = context;
    for (int i = 0; i < TASKS; i++) {
        shared->texts[i] = xstrdup("text");
        strbuf_init(&shared->bufs[i]);
    }
    team_run(shared->team, work_on_task, shared, TASKS);
    if (shared->fails_later)
        run_out();
}

static void tasks_are_their_callers_work(void **state)
{
    (void)state;
    for (int threads = 1; threads <= 4; threads++) {
        struct shared shared = {.team = team_new(threads), .failing = -1};
        for (int round = 0; round < 5; round++) {
            shared.fails_later = true;
            expect_failure(lead, &shared);
            shared.fails_later = false;
            expect_success(lead, &shared);
            for (int i = 0; i < TASKS; i++) {
                assert_int_equal(strncmp(shared.texts[i], "text, task ", 11), 0);
                assert_int_equal(shared.bufs[i].length, 790);
                xfree(shared.texts[i]);
                strbuf_release(&shared.bufs[i]);
            }
        }
        assert_int_equal(shared.begun, 10 * TASKS);
        assert_int_equal(shared.open, 0);
        team_free(shared.team);
    }
}

static void where_a_task_fails_the_work_fails(void **state)
{
    (void)state;
    for (int threads = 1; threads <= 4; threads++)
        for (int failing = 0; failing < TASKS; failing += 33) {
            struct shared shared = {.team = team_new(threads), .failing = failing};
            expect_failure(lead, &shared);
            assert_int_equal(shared.open, 0);
            /* Others may have taken earlier tasks, but not begun them. */
            assert_in_range(shared.begun + threads, failing + 2, TASKS + threads);
            shared.failing = -1;
            shared.fails_later = true;
            expect_failure(lead, &shared);
            team_free(shared.team);
        }
}

static void take_long(void *context, int task, int member)
{
    struct shared *shared = context;
    (void)member;
    atomic_fetch_add(&shared->begun, 1);
    if (task == 0)
        run_out();
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

static void lead_long(void *context)
{
    struct shared *shared = context;
    team_run(shared->team, take_long, shared, 5000);
}

static void tasks_after_a_failure_are_left_out(void **state)
{
    struct shared shared = {.team = team_new(2)};
    (void)state;
    expect_failure(lead_long, &shared);
    assert_in_range(shared.begun, 1, 1000);
    team_free(shared.team);
}

/* ---- messages ---- */

static void count_message(void *context, const char *message)
{
    atomic_int *count = context;
    if (!strcmp(message, "task 7"))
        atomic_fetch_add(count, 1);
}

static void complain(void *context, int task, int member)
{
    (void)context, (void)member, (void)task;
    log_warn("task %d", 7);
}

static void messages_go_to_the_callers_sink(void **state)
{
    atomic_int count = 0;
    const struct log_sink sink = {count_message, &count}, none = {NULL, NULL};
    struct team *team = team_new(3);
    (void)state;
    assert_null(log_to(&sink));
    team_run(team, complain, NULL, 100);
    assert_ptr_equal(log_to(&none), &sink);
    team_run(team, complain, NULL, 100);
    assert_ptr_equal(log_to(NULL), &none);
    assert_int_equal(count, 100);
    team_free(team);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_work_has_made_stays_if_it_succeeds),
        cmocka_unit_test(what_work_has_made_is_freed_if_it_fails),
        cmocka_unit_test(an_impossible_size_is_an_error),
        cmocka_unit_test(older_blocks_stay_with_their_owner),
        cmocka_unit_test(what_cannot_grow_stays_as_it_was),
        cmocka_unit_test(many_blocks_are_kept),
        cmocka_unit_test(blocks_of_other_libraries_can_be_adopted),
        cmocka_unit_test(a_bug_is_an_error),
        cmocka_unit_test(resources_are_released_in_reverse_order),
        cmocka_unit_test(without_a_guard_nothing_is_tracked),
        cmocka_unit_test(files_threads_and_values_are_tracked),
        cmocka_unit_test(an_older_arena_stays_usable),
        cmocka_unit_test(a_guard_within_a_guard_is_apart),
        cmocka_unit_test(tasks_are_their_callers_work),
        cmocka_unit_test(where_a_task_fails_the_work_fails),
        cmocka_unit_test(tasks_after_a_failure_are_left_out),
        cmocka_unit_test(messages_go_to_the_callers_sink),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
