/* One model in several threads, each with a translator: the translations of one thread. Models that are
 * opened and closed at the same time; children of fork. Run under ThreadSanitizer too (scripts/test long). */
#include "tiny.h"

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#define MOST_THREADS 8

/* cmocka's asserts jump back into its own thread: others count what is wrong. */
struct work {
    const struct tiny *tiny;
    struct nmt_model *model;
    int rounds, wrong;
};

static void *translate_all(void *context)
{
    struct work *work = context;
    const struct tiny *tiny = work->tiny;
    char error[NMT_ERROR_BYTES];
    struct nmt_translator *translator = nmt_translator_new(work->model, error, sizeof error);
    work->wrong += !translator;
    for (int round = 0; translator && round < work->rounds; round++) {
        struct nmt_result *result = nmt_translate(translator, tiny->sources, LINES);
        for (size_t i = 0; i < LINES; i++)
            work->wrong += !result || strcmp(nmt_text(result, i), tiny->targets[i]) != 0;
        nmt_result_free(result);
    }
    nmt_translator_free(translator);
    return NULL;
}

static void *open_and_close(void *context)
{
    struct work *work = context;
    char error[NMT_ERROR_BYTES];
    for (int round = 0; round < work->rounds; round++) {
        struct work once = {work->tiny, nmt_open(work->tiny->path, error, sizeof error), 1, 0};
        translate_all(&once);
        nmt_close(once.model);
        work->wrong += once.wrong;
    }
    return NULL;
}

static void run(const struct tiny *tiny, int threads, void *(*main_function)(void *))
{
    pthread_t thread[MOST_THREADS];
    struct work work[MOST_THREADS];
    for (int i = 0; i < threads; i++) {
        work[i] = (struct work){tiny, tiny->model, 5, 0};
        assert_int_equal(pthread_create(&thread[i], NULL, main_function, &work[i]), 0);
    }
    for (int i = 0; i < threads; i++) {
        pthread_join(thread[i], NULL);
        assert_int_equal(work[i].wrong, 0);
    }
}

static void threads_share_a_model(void **state)
{
    for (int threads = 1; threads <= MOST_THREADS; threads *= 2)
        run(*state, threads, translate_all);
}

static void threads_open_and_close_the_same_model(void **state)
{
    run(*state, 4, open_and_close);
}

/* The model is closed before the first translation. */
static void a_model_lives_as_long_as_its_translators(void **state)
{
    struct tiny *tiny = *state;
    struct nmt_translator *translator[MOST_THREADS];
    for (int i = 0; i < MOST_THREADS; i++)
        translator[i] = tiny_translator(tiny->model);
    nmt_close(tiny->model);
    tiny->model = NULL;
    for (int i = 0; i < MOST_THREADS; i++) {
        struct nmt_result *result = translate(translator[i], tiny->sources, 2);
        assert_string_equal(nmt_text(result, 1), tiny->targets[1]);
        nmt_result_free(result);
        nmt_translator_free(translator[i]);
    }
}

/* Exit status of a child that translates with the translator, or with a new one. */
static int child_status(const struct tiny *tiny, struct nmt_translator *translator)
{
    const pid_t child = fork();
    assert_true(child >= 0);
    if (!child) {
        char error[NMT_ERROR_BYTES];
        struct nmt_translator *own =
            translator ? translator : nmt_translator_new(tiny->model, error, sizeof error);
        struct nmt_result *result = nmt_translate(own, tiny->sources, LINES);
        int status = !result;
        for (size_t i = 0; result && i < LINES; i++)
            status |= strcmp(nmt_text(result, i), tiny->targets[i]) ? 2 : 0;
        nmt_result_free(result);
        nmt_translator_free(own);
        _exit(status);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

/* During a call, its thread is cancelled, and comes to a place where it would end. */
static void cancel_self(void *context, size_t done, size_t lines)
{
    (void)context;
    (void)done;
    (void)lines;
    pthread_cancel(pthread_self());
    pthread_testcancel();
}

static void *translate_and_end(void *context)
{
    const struct tiny *tiny = context;
    nmt_on_progress(tiny->translator, cancel_self, NULL);
    nmt_result_free(nmt_translate(tiny->translator, tiny->sources, LINES));
    pthread_testcancel();
    return NULL;
}

static void a_thread_is_cancelled_after_its_call(void **state)
{
    struct tiny *tiny = *state;
    pthread_t thread;
    void *returned;
    assert_int_equal(pthread_create(&thread, NULL, translate_and_end, tiny), 0);
    assert_int_equal(pthread_join(thread, &returned), 0);
    assert_ptr_equal(returned, PTHREAD_CANCELED);
    nmt_on_progress(tiny->translator, NULL, NULL);
    struct nmt_result *result = translate(tiny->translator, tiny->sources, 1);
    assert_string_equal(nmt_text(result, 0), tiny->targets[0]);
    nmt_result_free(result);
}

static void a_child_of_fork_has_the_model_too(void **state)
{
    const struct tiny *tiny = *state;
    nmt_result_free(translate(tiny->translator, tiny->sources, LINES));
    assert_int_equal(child_status(tiny, NULL), 0);
    assert_int_equal(child_status(tiny, tiny->translator), 0);
    set(tiny, "threads", "3");
    set(tiny, "batch", "4");
    nmt_result_free(translate(tiny->translator, tiny->sources, LINES));
    assert_int_equal(child_status(tiny, tiny->translator), 0);
    nmt_result_free(translate(tiny->translator, tiny->sources, LINES));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TINY_TEST(threads_share_a_model),
        TINY_TEST(threads_open_and_close_the_same_model),
        TINY_TEST(a_model_lives_as_long_as_its_translators),
        TINY_TEST(a_thread_is_cancelled_after_its_call),
        TINY_TEST(a_child_of_fork_has_the_model_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
