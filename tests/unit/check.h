/* check: includes cmocka.h and the headers that it needs, in its order. */
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
