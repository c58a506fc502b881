/* number: numbers that people give. */
#ifndef NMT_NUMBER_H
#define NMT_NUMBER_H

/* Reads a text that is a finite number and nothing else: no blanks or control characters around it. -1, with
 * `number` as it was, if it is not. */
int number_read(double *number, const char *text);

#endif
