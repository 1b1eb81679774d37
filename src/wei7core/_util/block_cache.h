/* A cache of blocks of malloc() that columns of results have had: new pages from the system, filled with zeros, cost as
 * much as writing them. Any number of threads may use it. The pool of memory_pool.h has one block of each size, of 4 MiB
 * or more; a result has many columns at once, most of them smaller, which grow by realloc(). */
#ifndef W7_UTIL_BLOCK_CACHE_H
#define W7_UTIL_BLOCK_CACHE_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#if !defined(_WIN32) && !defined(__EMSCRIPTEN__)
#include <sys/mman.h>
#endif

enum {
    W7_CACHED_LEAST_POWER = 15, /* bytes of the smallest blocks, as a power of two: malloc itself keeps smaller ones */
    W7_CACHED_POWERS = 10,
    W7_CACHED_BLOCKS = 48, /* of each power */
    W7_CACHED_LEAST = 1 << W7_CACHED_LEAST_POWER,
    W7_OFFERED_PAGE = 1 << 16,     /* the largest of processors */
    W7_OFFERED_LEAST = 1 << 22,    /* of large pages: the first write to each page costs much */
    W7_CACHED_MOST_BYTES = 1 << 27 /* of all blocks */
};

/* All zeros at first. A cached block begins with its size, an int64_t. */
typedef struct {
    void *of[W7_CACHED_POWERS][W7_CACHED_BLOCKS];
    int64_t size;
} w7_block_cache;

#ifdef __GNUC__

static inline void *w7_block_swap(void **place, void *block)
{
    return __atomic_exchange_n(place, block, __ATOMIC_ACQ_REL);
}

static inline int64_t w7_block_size(const void *block)
{
    int64_t size;
    memcpy(&size, block, sizeof size);
    return size;
}

/* The places of blocks of a size, W7_CACHED_LEAST or more; NULL for larger blocks than are cached. */
static inline void **w7_block_places(w7_block_cache *cache, int64_t size)
{
    const int power = 63 - __builtin_clzll((unsigned long long)size) - W7_CACHED_LEAST_POWER;
    return power < W7_CACHED_POWERS ? cache->of[power] : NULL;
}

/* Lets the system reclaim the pages of a block when memory is short. */
static inline void w7_block_offer(void *block, int64_t size)
{
#ifdef MADV_FREE
    const uintptr_t at = (uintptr_t)block, page = W7_OFFERED_PAGE;
    const uintptr_t begin = (at + page - 1) / page * page, end = (at + (uintptr_t)size) / page * page;
    if (size >= W7_OFFERED_LEAST && begin < end)
        madvise((void *)begin, end - begin, MADV_FREE);
#else
    (void)block, (void)size;
#endif
}

/* Puts a block of `size` bytes into an empty place, or frees it. */
static inline void w7_block_give(w7_block_cache *cache, void *block, int64_t size)
{
    void **places = block != NULL && size >= W7_CACHED_LEAST ? w7_block_places(cache, size) : NULL;
    if (places == NULL) {
        free(block);
        return;
    }
    if (__atomic_add_fetch(&cache->size, size, __ATOMIC_RELAXED) <= W7_CACHED_MOST_BYTES) {
        w7_block_offer(block, size);
        memcpy(block, &size, sizeof size); /* after that: pages that are written again are not reclaimed */
        /* A block that another thread puts there at the same time takes the next place. */
        for (int k = 0; k < W7_CACHED_BLOCKS && block != NULL; k++)
            if (__atomic_load_n(&places[k], __ATOMIC_RELAXED) == NULL)
                block = w7_block_swap(&places[k], block);
        if (block == NULL)
            return;
        size = w7_block_size(block);
    }
    __atomic_sub_fetch(&cache->size, size, __ATOMIC_RELAXED);
    free(block);
}

/* A block of `size` bytes or more, up to the double; NULL: there is none. *found is its size. */
static inline void *w7_block_take(w7_block_cache *cache, int64_t size, int64_t *found)
{
    for (int64_t power = size; size >= W7_CACHED_LEAST && power <= size * 2; power *= 2) {
        void **places = w7_block_places(cache, power);
        for (int k = 0; places != NULL && k < W7_CACHED_BLOCKS; k++) {
            void *block =
                __atomic_load_n(&places[k], __ATOMIC_RELAXED) == NULL ? NULL : w7_block_swap(&places[k], NULL);
            if (block == NULL)
                continue;
            *found = w7_block_size(block);
            __atomic_sub_fetch(&cache->size, *found, __ATOMIC_RELAXED);
            if (*found >= size)
                return block;
            w7_block_give(cache, block, *found);
        }
    }
    return NULL;
}

#else

static inline void w7_block_give(w7_block_cache *cache, void *block, int64_t size)
{
    (void)cache, (void)size;
    free(block);
}

static inline void *w7_block_take(w7_block_cache *cache, int64_t size, int64_t *found)
{
    (void)cache, (void)size, (void)found;
    return NULL;
}

#endif

static inline void w7_block_cache_free(w7_block_cache *cache)
{
    for (int power = 0; power < W7_CACHED_POWERS; power++)
        for (int k = 0; k < W7_CACHED_BLOCKS; k++)
            free(cache->of[power][k]);
}

#endif
