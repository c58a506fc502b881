/* err: how a function reports that its input (a file, a flag, a config) was wrong.
 *
 * Such a function takes a `struct err *` last, fills it through err_set and returns -1. Only src/cli
 * prints the text and exits. Our own bugs are BUG(), which aborts; running out of memory ends the process in
 * mem.c. Both end a guard's work instead (mem_guard.h). */
#ifndef NMT_ERR_H
#define NMT_ERR_H

#define ERR_MAX_BYTES 1024

struct err {
    char text[ERR_MAX_BYTES];
    int number; /* errno, if set by err_set_errno; else 0 */
};

/* Fills `err` (which may be NULL) and returns -1, so that `return err_set(err, ...)` reads well.
 * Texts: lower case, what failed first, the subject in quotes, no full stop. */
int err_set(struct err *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The same, followed by ": " and the text of errno. */
int err_set_errno(struct err *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* An assertion, which is always made: a BUG() where it does not hold. */
#define ASSERT(condition) ((condition) ? (void)0 : BUG("%s does not hold", #condition))

#define BUG(...) bug_at(__FILE__, __LINE__, __VA_ARGS__)
void bug_at(const char *file, int line, const char *format, ...)
    __attribute__((noreturn, format(printf, 3, 4)));

#endif
