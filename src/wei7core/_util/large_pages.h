/* Memory in pages of 2 MB, where the system has them: new pages are mapped and filled with zeros 512 times less often. */
#ifndef W7_UTIL_LARGE_PAGES_H
#define W7_UTIL_LARGE_PAGES_H

#include <stdint.h>

#ifdef __linux__
#include <sys/mman.h>
#endif

#define W7_LARGE_PAGE ((uintptr_t)1 << 21)

/* Asks for large pages for memory that is not written yet. It is a hint: nothing depends on it. */
static inline void w7_large_pages(void *memory, int64_t size)
{
#ifdef MADV_HUGEPAGE
    const uintptr_t at = (uintptr_t)memory, begin = (at + W7_LARGE_PAGE - 1) & ~(W7_LARGE_PAGE - 1);
    const uintptr_t end = (at + (uintptr_t)size) & ~(W7_LARGE_PAGE - 1);
    if (begin < end)
        madvise((void *)begin, end - begin, MADV_HUGEPAGE);
#else
    (void)memory;
    (void)size;
#endif
}

#endif
