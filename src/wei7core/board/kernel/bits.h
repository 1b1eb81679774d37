/* Small bit functions. The only place of the kernel with compiler conditionals. */
#ifndef W7_BOARD_KERNEL_BITS_H
#define W7_BOARD_KERNEL_BITS_H

#include <stddef.h>
#include <stdint.h>

#if defined(_MSC_VER) && !defined(__clang__)
#include <intrin.h>
#define W7_COLD __declspec(noinline)
#define W7_NOINLINE __declspec(noinline)
#define W7_ALWAYS_INLINE __forceinline
#define W7_UNLIKELY(condition) (condition)
#define W7_PREFETCH(address) ((void)0)
#define W7_PREFETCH_TO_WRITE(address) ((void)0)
#else
#define W7_COLD __attribute__((noinline, cold, unused))
#define W7_NOINLINE __attribute__((noinline, unused))
#define W7_ALWAYS_INLINE inline __attribute__((always_inline))
#define W7_UNLIKELY(condition) __builtin_expect(!!(condition), 0)
#define W7_PREFETCH(address) __builtin_prefetch((const void *)(address))
/* For x86 compilers make one to read of it, unless they may use PREFETCHW, which older processors take for a NOP. */
#ifdef __x86_64__
#define W7_PREFETCH_TO_WRITE(address) __asm__ volatile("prefetchw %0" : : "m"(*(const char *)(address)))
#else
#define W7_PREFETCH_TO_WRITE(address) __builtin_prefetch((const void *)(address), 1)
#endif
#endif

/* Number of the lowest bit that is set; bits must not be 0. */
static inline int w7_lowest_bit(uint64_t bits)
{
#if defined(_MSC_VER) && !defined(__clang__)
    unsigned long index;
#if defined(_M_X64) || defined(_M_ARM64)
    _BitScanForward64(&index, bits);
#else
    if (_BitScanForward(&index, (unsigned long)bits))
        return (int)index;
    _BitScanForward(&index, (unsigned long)(bits >> 32));
    index += 32;
#endif
    return (int)index;
#else
    return __builtin_ctzll(bits);
#endif
}

/* The number of bits that are set. */
static inline int w7_bit_count(uint64_t bits)
{
#if defined(_MSC_VER) && !defined(__clang__)
    /* Not the instruction, which would require a check of the processor. */
    bits -= bits >> 1 & 0x5555555555555555u;
    bits = (bits & 0x3333333333333333u) + (bits >> 2 & 0x3333333333333333u);
    bits = (bits + (bits >> 4)) & 0x0F0F0F0F0F0F0F0Fu;
    return (int)(bits * 0x0101010101010101u >> 56);
#else
    return __builtin_popcountll(bits);
#endif
}

/* A counter for several threads. It counts objects in memory, so that it cannot overflow. */
typedef struct {
    ptrdiff_t number;
} w7_counter;

/* Adds to a counter and returns the new number. Earlier writes of a thread are visible to those that count later. */
static inline ptrdiff_t w7_counter_add(w7_counter *counter, ptrdiff_t more)
{
#if defined(_MSC_VER) && !defined(__clang__)
#ifdef _WIN64
    return (ptrdiff_t)_InterlockedExchangeAdd64((volatile __int64 *)&counter->number, more) + more;
#else
    return (ptrdiff_t)_InterlockedExchangeAdd((volatile long *)&counter->number, more) + more;
#endif
#else
    return __atomic_add_fetch(&counter->number, more, __ATOMIC_ACQ_REL);
#endif
}

/* Every run of ones in `runs` that has a bit in `seeds`; seeds must be a subset of runs, bit 31 of runs must be 0. */
static inline uint32_t w7_fill_runs(uint32_t runs, uint32_t seeds)
{
    /* Adding a seed carries through the rest of its run; a seed above another one in the
     * same run does not show in the difference, so the seeds are put back. */
    uint32_t filled = (((runs + seeds) ^ runs) | seeds) & runs;
    /* The carry propagates one way only; the other way doubles the distance at every step. */
    uint32_t open = runs;
    filled |= open & (filled >> 1);
    open &= open >> 1;
    filled |= open & (filled >> 2);
    open &= open >> 2;
    filled |= open & (filled >> 4);
    open &= open >> 4;
    filled |= open & (filled >> 8);
    open &= open >> 8;
    filled |= open & (filled >> 16);
    return filled;
}

#endif
