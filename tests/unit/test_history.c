/* The log of a training: what a resumed run keeps, and what commands read from it. */
#include "check.h"

#include "fileio.h"
#include "history.h"
#include "mem.h"
#include "runlog.h"
#include "temporary.h"

#include <unistd.h>

static int remove_log(void **state)
{
    char *log = path_join(temporary_dir, RUNLOG_FILE);
    unlink(log);
    free(log);
    return remove_temporary_dir(state);
}

static void write_log(const char *text)
{
    struct err err;
    char *path = path_join(temporary_dir, RUNLOG_FILE);
    if (file_replace(path, text, strlen(text), &err))
        fail_msg("%s", err.text);
    free(path);
}

/* Checks the log after a run resumed from that update has opened and closed it. */
static void expect_kept(long keep_updates, const char *expected)
{
    struct err err;
    struct runlog log;
    struct strbuf text;
    char *path = path_join(temporary_dir, RUNLOG_FILE);
    strbuf_init(&text);
    assert_int_equal(runlog_open(&log, path, keep_updates, &err), 0);
    assert_int_equal(runlog_sync(&log, &err), 0);
    assert_int_equal(runlog_close(&log, &err), 0);
    assert_int_equal(file_slurp(&text, path, &err), 0);
    assert_string_equal(text.text, expected);
    strbuf_release(&text);
    free(path);
}

#define START "{\"event\":\"start\",\"update\":0}\n"
#define TWO "{\"event\":\"update\",\"update\":1}\n{\"event\":\"update\",\"update\":2}\n"
#define MORE "{\"event\":\"update\",\"update\":3}\n{\"event\":\"checkpoint\",\"update\":3}\n"

static void a_resumed_run_drops_what_comes_after_its_checkpoint(void **state)
{
    (void)state;
    write_log(START TWO MORE "{\"event\":\"upd");
    expect_kept(3, START TWO MORE);
    expect_kept(2, START TWO);
    expect_kept(0, START);
    write_log("[]\n" START "not JSON\n" TWO);
    expect_kept(2, "[]\n" START TWO);
    write_log("");
    expect_kept(5, "");
}

static void a_new_run_begins_a_new_log(void **state)
{
    (void)state;
    write_log(START TWO);
    expect_kept(-1, "");
}

#define VALIDATION(update, bleu)                                                                             \
    "{\"event\":\"validation\",\"update\":" #update ",\"bleu\":" #bleu ",\"samples\":[{\"line\":1,"          \
    "\"source\":\"a\",\"translation\":\"b\",\"reference\":\"c\"}]}\n"
#define ROLLBACK "{\"event\":\"rollback\",\"from\":4,\"update\":2}\n"
#define STOP "{\"event\":\"stop\",\"reason\":\"max_updates\",\"update\":3}\n"

/* Rolled-back updates are trained again, and count only once. */
static void a_rollback_takes_back_updates_and_validations(void **state)
{
    (void)state;
    struct err err;
    struct history history;
    struct model_files files;
    assert_int_equal(model_files_open(&files, temporary_dir, &err), 0);
    write_log(START TWO VALIDATION(2, 10) MORE VALIDATION(3, 1) ROLLBACK MORE VALIDATION(3, 11) STOP);
    assert_int_equal(history_load(&history, &files, &err), 0);
    assert_true(history.rollbacks == 1);
    assert_int_equal(history.update_count, 3);
    for (size_t i = 0; i < 3; i++)
        assert_true(history.updates[i].update == (double)i + 1);
    assert_int_equal(history.validation_count, 2);
    assert_true(history.validations[0].update == 2 && history.validations[0].bleu == 10);
    assert_true(history.validations[1].update == 3 && history.validations[1].bleu == 11);
    assert_int_equal(history.validations[1].sample_count, 1);
    assert_string_equal(history.stop_reason, "max_updates");
    history_release(&history);
    model_files_close(&files);
}

static void the_validation_of_the_weights_need_not_be_the_best(void **state)
{
    (void)state;
    static const char *const metadata[] = {"update", "3"};
    static const float number = 1;
    struct err err;
    struct history history;
    struct model_files files;
    char name[] = "x";
    const struct tensor tensor = {name, TENSOR_F32, 1, {1}, &number, sizeof number};
    char *path = path_join(temporary_dir, MODEL_WEIGHTS);
    assert_int_equal(
        safetensors_save(path, &(struct safetensors_content){&tensor, 1, metadata, 1, false}, &err), 0);
    assert_int_equal(model_files_open(&files, temporary_dir, &err), 0);
    write_log(START TWO VALIDATION(2, 12) MORE VALIDATION(3, 10) STOP);
    assert_int_equal(history_load(&history, &files, &err), 0);
    const struct safetensors *weights = model_files_weights(&files, &err);
    assert_true(history_of_weights(&history, weights)->bleu == 10);
    history_release(&history);
    write_log(START TWO VALIDATION(2, 12) STOP);
    assert_int_equal(history_load(&history, &files, &err), 0);
    assert_null(history_of_weights(&history, weights));
    history_release(&history);
    model_files_close(&files);
    assert_int_equal(unlink(path), 0);
    xfree(path);
}

#define FILES                                                                                                \
    "{\"event\":\"start\",\"files\":[{\"name\":\"/a\",\"checksum\":\"1\"},{\"name\":\"/"                     \
    "b\",\"checksum\":\"2\"},"                                                                               \
    "{\"name\":\"/c\",\"checksum\":\"3\"}]}\n"

static void files_that_are_removed_are_not_expected(void **state)
{
    (void)state;
    struct err err;
    struct history history;
    struct model_files files;
    assert_int_equal(model_files_open(&files, temporary_dir, &err), 0);
    write_log(FILES "{\"event\":\"removed\",\"files\":[\"/a\",\"/never\",7,\"/b\"]}\n");
    assert_int_equal(history_load(&history, &files, &err), 0);
    assert_int_equal(history.file_count, 1);
    assert_string_equal(history.files[0].name, "/c");
    assert_string_equal(history.files[0].checksum, "3");
    assert_true(history.distilled);
    history_release(&history);
    write_log("{\"event\":\"removed\"}\n" FILES);
    assert_int_equal(history_load(&history, &files, &err), 0);
    assert_int_equal(history.file_count, 3);
    assert_true(history.distilled);
    history_release(&history);
    write_log(FILES);
    assert_int_equal(history_load(&history, &files, &err), 0);
    assert_false(history.distilled);
    history_release(&history);
    model_files_close(&files);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_resumed_run_drops_what_comes_after_its_checkpoint,
                                        make_temporary_dir, remove_log),
        cmocka_unit_test_setup_teardown(a_new_run_begins_a_new_log, make_temporary_dir, remove_log),
        cmocka_unit_test_setup_teardown(a_rollback_takes_back_updates_and_validations, make_temporary_dir,
                                        remove_log),
        cmocka_unit_test_setup_teardown(the_validation_of_the_weights_need_not_be_the_best,
                                        make_temporary_dir, remove_log),
        cmocka_unit_test_setup_teardown(files_that_are_removed_are_not_expected, make_temporary_dir,
                                        remove_log),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
