/* text_file: a whole file of valid lines, for commands that score it. */
#ifndef NMT_TEXT_FILE_H
#define NMT_TEXT_FILE_H

#include "err.h"
#include "strbuf.h"

#include <stddef.h>
#include <stdint.h>

/* All zero is an empty one. */
struct text_file {
    char **lines;
    size_t *lengths;
    size_t count, room, lengths_room;
};

void text_file_release(struct text_file *text);
void text_file_add(struct text_file *text, const char *line, size_t bytes);
/* Line `number` of `path`, unless it is invalid. */
int text_file_add_valid(struct text_file *text, const struct strbuf *line, const char *path, int64_t number,
                        struct err *err);
int text_file_load(struct text_file *text, const char *path, struct err *err);
/* -1 where `path`, with so many lines, does not fit `other`. */
int expect_lines(const char *path, size_t has, const char *other, size_t needs, struct err *err);

#endif
