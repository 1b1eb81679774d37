/* Prefetching of pages of mapped files, many at once: read one after another, each would take the whole latency of a
 * disk. */
#ifndef W7_UTIL_READ_AHEAD_H
#define W7_UTIL_READ_AHEAD_H

#include <stddef.h>
#include <stdint.h>

#ifdef __linux__
#include <sys/mman.h>
#include <unistd.h>
#endif

#if defined(__linux__) && defined(MADV_WILLNEED)
static inline void *w7_page_of(const void *at)
{
    return (void *)((uintptr_t)at & ~((uintptr_t)sysconf(_SC_PAGESIZE) - 1));
}
#endif

/* Whether the page of an address is known not to be in memory. */
static inline int w7_is_on_disk(const void *at)
{
#if defined(__linux__) && defined(MADV_WILLNEED)
    unsigned char state = 1;
    return mincore(w7_page_of(at), 1, &state) == 0 && !(state & 1);
#else
    (void)at;
    return 0;
#endif
}

/* Has the system begin to read the page of an address. It is a hint: nothing depends on it. */
static inline void w7_read_ahead(const void *at)
{
#if defined(__linux__) && defined(MADV_WILLNEED)
    madvise(w7_page_of(at), 1, MADV_WILLNEED);
#else
    (void)at;
#endif
}

#endif
