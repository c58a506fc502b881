/* hash: 64-bit hashes of byte strings for tables in memory (checksum.h is for files). */
#ifndef NMT_HASH_H
#define NMT_HASH_H

#include <stddef.h>
#include <stdint.h>

/* FNV-1a with a final mix. */
static inline uint64_t hash_text(const char *text, size_t bytes)
{
    uint64_t h = 0xcbf29ce484222325u;
    for (size_t i = 0; i < bytes; i++)
        h = (h ^ (unsigned char)text[i]) * 0x100000001b3u;
    h ^= h >> 32;
    h *= 0xd6e8feb86659fd93u;
    return h ^ h >> 32;
}

#endif
