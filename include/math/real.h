/* real: the number type of the network: float in the program. The numeric layers are compiled a second
 * time with double (NMT_DOUBLE) for gradient checks, where float's rounding would hide mistakes. */
#ifndef NMT_REAL_H
#define NMT_REAL_H

#ifdef NMT_DOUBLE
typedef double real;
#else
typedef float real;
#endif

#endif
