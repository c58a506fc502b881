/* check: the headers that every cmocka test needs, in cmocka's order. */
#ifndef NMT_TEST_CHECK_H
#define NMT_TEST_CHECK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#endif
