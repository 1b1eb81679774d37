/* A line in memory that a file is mapped to: its last byte is written last, so that it counts only when it is whole,
 * whenever the process is killed. */

#ifndef W7_UTIL_MAPPED_LINES_H
#define W7_UTIL_MAPPED_LINES_H

#include <stddef.h>
#include <string.h>

/* Copies `size` bytes, one or more. */
static inline void w7_put_line(char *at, const char *line, size_t size)
{
    memcpy(at, line, size - 1);
#if defined(__GNUC__)
    __asm__ __volatile__("" ::: "memory"); /* the compiler keeps the order of the writes */
#endif
    *(volatile char *)(at + size - 1) = line[size - 1];
}

#endif
