/* A pool of large blocks of memory for tables: a block that is no longer needed is reused by the next table, because
 * new pages from the system, filled with zeros, cost more than writing them. The system may reclaim pooled pages when it
 * is short of memory (MADV_FREE). */
#ifndef W7_KEPT_MEMORY_H
#define W7_KEPT_MEMORY_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#if !defined(_WIN32) && !defined(__EMSCRIPTEN__)
#include <sys/mman.h>
#endif

#if defined(MADV_FREE) && defined(MAP_ANONYMOUS)
#define W7_KEEPS_MEMORY 1
#else
#define W7_KEEPS_MEMORY 0
#endif

#define W7_KEPT_STEP ((size_t)1 << 21)  /* a large page */
#define W7_LEAST_KEPT ((size_t)1 << 22) /* smaller blocks are fast to allocate */

typedef struct {
    void *at;
    size_t size;
    int is_mapped; /* only mapped blocks are pooled */
} w7_kept_memory;

/* The pooled blocks: at most one for each power of 2 below its size. */
typedef struct {
    w7_kept_memory *of[8 * sizeof(size_t)];
} w7_kept_places;

static inline w7_kept_memory **w7_kept_place(w7_kept_places *places, size_t size)
{
    unsigned power = 0;
    while (size >>= 1)
        power++;
    return &places->of[power];
}

static inline void w7_kept_memory_free(w7_kept_memory *memory)
{
    if (memory == NULL)
        return;
#if W7_KEEPS_MEMORY
    if (memory->is_mapped)
        munmap(memory->at, memory->size);
    else
#endif
        free(memory->at);
    free(memory);
}

/* The size rounded up to whole steps, as blocks are pooled. */
static inline size_t w7_kept_size(size_t size)
{
    return (size + W7_KEPT_STEP - 1) / W7_KEPT_STEP * W7_KEPT_STEP;
}

/* New memory, filled with zeros; NULL when memory is short. */
static inline w7_kept_memory *w7_kept_memory_make(size_t size)
{
    w7_kept_memory *memory;
    if (size > (size_t)PTRDIFF_MAX - W7_KEPT_STEP)
        return NULL;
    memory = (w7_kept_memory *)calloc(1, sizeof *memory);
    if (memory == NULL)
        return NULL;
    memory->size = size;
#if W7_KEEPS_MEMORY
    memory->is_mapped = size >= W7_LEAST_KEPT;
    if (memory->is_mapped) {
        memory->size = w7_kept_size(size);
        memory->at = mmap(NULL, memory->size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory->at == MAP_FAILED)
            memory->at = NULL;
#ifdef MADV_HUGEPAGE
        if (memory->at != NULL)
            madvise(memory->at, memory->size, MADV_HUGEPAGE); /* a hint: nothing depends on it */
#endif
    } else
#endif
        memory->at = calloc(size + 1, 1);
    if (memory->at == NULL) {
        free(memory);
        return NULL;
    }
    return memory;
}

/* Exchanges the block of a slot for another one; NULL is none. Any thread may call it at any time. */
static inline w7_kept_memory *w7_kept_memory_swap(w7_kept_memory **place, w7_kept_memory *memory)
{
#if W7_KEEPS_MEMORY
    return __atomic_exchange_n(place, memory, __ATOMIC_ACQ_REL);
#else
    (void)place;
    return memory;
#endif
}

static inline void w7_kept_places_free(w7_kept_places *places)
{
    for (size_t power = 0; power < sizeof places->of / sizeof *places->of; power++)
        w7_kept_memory_free(w7_kept_memory_swap(&places->of[power], NULL));
}

/* Memory of `size` bytes or more: a pooled block if it fits, else a new one. `is_zero` is set if it is all zeros. NULL
 * when memory is short. */
static inline w7_kept_memory *w7_kept_memory_take(w7_kept_places *places, size_t size, int *is_zero)
{
    w7_kept_memory *memory;
    *is_zero = 1;
    if (size >= W7_LEAST_KEPT && size <= (size_t)PTRDIFF_MAX - W7_KEPT_STEP) {
        memory = w7_kept_memory_swap(w7_kept_place(places, w7_kept_size(size)), NULL);
        if (memory != NULL && memory->size >= size) {
            *is_zero = 0;
            return memory;
        }
        w7_kept_memory_free(memory); /* first: both at once may be too much */
    }
    memory = w7_kept_memory_make(size);
    if (memory == NULL) {
        w7_kept_places_free(places); /* a pooled block takes up addresses, if nothing else */
        memory = w7_kept_memory_make(size);
    }
    return memory;
}

/* Pools memory, in place of the block in its slot, or frees it. */
static inline void w7_kept_memory_give(w7_kept_places *places, w7_kept_memory *memory)
{
#if W7_KEEPS_MEMORY
    if (memory != NULL && memory->is_mapped && madvise(memory->at, memory->size, MADV_FREE) == 0)
        memory = w7_kept_memory_swap(w7_kept_place(places, memory->size), memory);
#endif
    (void)places;
    w7_kept_memory_free(memory);
}

#endif
