/* A pool of large blocks of memory for tables: a block that is no longer needed is reused by the next table, because
 * new pages from the system, filled with zeros, cost more than writing them. The system may reclaim pooled pages when
 * memory is short (MADV_FREE). */
#ifndef W7_UTIL_MEMORY_POOL_H
#define W7_UTIL_MEMORY_POOL_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#if !defined(_WIN32) && !defined(__EMSCRIPTEN__)
#include <sys/mman.h>
#endif

#if defined(MADV_FREE) && defined(MAP_ANONYMOUS)
#define W7_POOLS_MEMORY 1
#else
#define W7_POOLS_MEMORY 0
#endif

#define W7_POOL_STEP ((size_t)1 << 21)    /* a large page */
#define W7_LEAST_POOLED ((size_t)1 << 22) /* smaller blocks are fast to allocate */

typedef struct {
    void *at;
    size_t size;
    int is_mapped; /* only mapped blocks are pooled */
} w7_pool_block;

/* The pooled blocks: at most one for each power of 2 below its size. */
typedef struct {
    w7_pool_block *of[8 * sizeof(size_t)];
} w7_memory_pool;

static inline w7_pool_block **w7_pool_slot(w7_memory_pool *places, size_t size)
{
    unsigned power = 0;
    while (size >>= 1)
        power++;
    return &places->of[power];
}

static inline void w7_pool_block_free(w7_pool_block *memory)
{
    if (memory == NULL)
        return;
#if W7_POOLS_MEMORY
    if (memory->is_mapped)
        munmap(memory->at, memory->size);
    else
#endif
        free(memory->at);
    free(memory);
}

/* The size rounded up to whole steps, as blocks are pooled. */
static inline size_t w7_pool_size(size_t size)
{
    return (size + W7_POOL_STEP - 1) / W7_POOL_STEP * W7_POOL_STEP;
}

/* New memory, filled with zeros; NULL when memory is short. */
static inline w7_pool_block *w7_pool_block_make(size_t size)
{
    w7_pool_block *memory;
    if (size > (size_t)PTRDIFF_MAX - W7_POOL_STEP)
        return NULL;
    memory = (w7_pool_block *)calloc(1, sizeof *memory);
    if (memory == NULL)
        return NULL;
    memory->size = size;
#if W7_POOLS_MEMORY
    memory->is_mapped = size >= W7_LEAST_POOLED;
    if (memory->is_mapped) {
        memory->size = w7_pool_size(size);
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
static inline w7_pool_block *w7_pool_block_swap(w7_pool_block **place, w7_pool_block *memory)
{
#if W7_POOLS_MEMORY
    return __atomic_exchange_n(place, memory, __ATOMIC_ACQ_REL);
#else
    (void)place;
    return memory;
#endif
}

static inline void w7_pool_free(w7_memory_pool *places)
{
    for (size_t power = 0; power < sizeof places->of / sizeof *places->of; power++)
        w7_pool_block_free(w7_pool_block_swap(&places->of[power], NULL));
}

/* Memory of `size` bytes or more: a pooled block if it fits, else a new one. `is_zero` is set if it is all zeros. NULL
 * when memory is short. */
static inline w7_pool_block *w7_pool_acquire(w7_memory_pool *places, size_t size, int *is_zero)
{
    w7_pool_block *memory;
    *is_zero = 1;
    if (size >= W7_LEAST_POOLED && size <= (size_t)PTRDIFF_MAX - W7_POOL_STEP) {
        memory = w7_pool_block_swap(w7_pool_slot(places, w7_pool_size(size)), NULL);
        if (memory != NULL && memory->size >= size) {
            *is_zero = 0;
            return memory;
        }
        w7_pool_block_free(memory); /* first: both at once may be too much */
    }
    memory = w7_pool_block_make(size);
    if (memory == NULL) {
        w7_pool_free(places); /* a pooled block takes up addresses, if nothing else */
        memory = w7_pool_block_make(size);
    }
    return memory;
}

/* Pools memory, in place of the block in its slot, or frees it. */
static inline void w7_pool_release(w7_memory_pool *places, w7_pool_block *memory)
{
#if W7_POOLS_MEMORY
    if (memory != NULL && memory->is_mapped && madvise(memory->at, memory->size, MADV_FREE) == 0)
        memory = w7_pool_block_swap(w7_pool_slot(places, memory->size), memory);
#endif
    (void)places;
    w7_pool_block_free(memory);
}

#endif
