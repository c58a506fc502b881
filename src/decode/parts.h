/* parts: the translations of a line's parts, joined to that of the line. */
#ifndef NMT_PARTS_H
#define NMT_PARTS_H

#include "inputs.h"

/* Sets the translation of a line from those of its parts: inputs and parts [count], in the order of the text,
 * with one translation each, whose memory is freed or passed on. A single part's becomes the line's as it is.
 * False if the line is too long for its attention to be kept. */
bool parts_join(struct translations *line, struct translations *parts, const struct input *const *inputs,
                int count, const struct beam_options *options);

#endif
