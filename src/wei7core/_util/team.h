/* The barrier of a team of threads: they wait in a loop first, since a call may follow within microseconds, then
 * asleep. */
#ifndef W7_UTIL_TEAM_H
#define W7_UTIL_TEAM_H

#include <Python.h>
#include <pythread.h>

#if defined(_MSC_VER)
#include <intrin.h>
#endif

enum { W7_GATE_BYTES = 128 }; /* two lines of the cache */

/* A gate that one thread opens and another one passes, in turns. */
typedef struct {
    long state;              /* W7_GATE_* */
    PyThread_type_lock lock; /* held, but while the thread that sleeps at the gate is woken */
    char unused[W7_GATE_BYTES - sizeof(long) - sizeof(PyThread_type_lock)]; /* others write in lines of their own */
} w7_gate;

enum { W7_GATE_CLOSED, W7_GATE_OPEN, W7_GATE_ASLEEP };

/* Stores a state and returns the one before. Writes before an exchange are visible to the thread that sees its state. */
static inline long w7_gate_exchange(w7_gate *gate, long state)
{
#if defined(_MSC_VER) && !defined(__clang__)
    return _InterlockedExchange(&gate->state, state);
#else
    return __atomic_exchange_n(&gate->state, state, __ATOMIC_ACQ_REL);
#endif
}

/* Takes a number from a counter that all threads share. */
static inline long w7_next_number(long *next)
{
#if defined(_MSC_VER) && !defined(__clang__)
    return _InterlockedExchangeAdd(next, 1);
#else
    return __atomic_fetch_add(next, 1, __ATOMIC_RELAXED);
#endif
}

static inline long w7_gate_state(const w7_gate *gate)
{
#if defined(_MSC_VER) && !defined(__clang__)
    return *(const volatile long *)&gate->state;
#else
    return __atomic_load_n(&gate->state, __ATOMIC_RELAXED);
#endif
}

/* A short rest of a thread that waits in a loop. */
static inline void w7_pause(void)
{
#if defined(_MSC_VER) && (defined(_M_X64) || defined(_M_IX86))
    _mm_pause();
#elif defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("isb");
#endif
}

static inline int w7_gate_make(w7_gate *gate)
{
    gate->lock = PyThread_allocate_lock();
    return gate->lock != NULL && PyThread_acquire_lock(gate->lock, NOWAIT_LOCK);
}

static inline void w7_gate_free(w7_gate *gate)
{
    if (gate->lock != NULL)
        PyThread_free_lock(gate->lock);
}

static inline void w7_gate_open(w7_gate *gate)
{
    if (w7_gate_exchange(gate, W7_GATE_OPEN) == W7_GATE_ASLEEP)
        PyThread_release_lock(gate->lock);
}

/* Waits until the gate is open, and closes it. The thread looks `looks` times before it sleeps. */
static inline void w7_gate_pass(w7_gate *gate, int looks)
{
    for (int k = 0; k < looks && w7_gate_state(gate) != W7_GATE_OPEN; k++)
        w7_pause();
    if (w7_gate_state(gate) != W7_GATE_OPEN && w7_gate_exchange(gate, W7_GATE_ASLEEP) == W7_GATE_CLOSED)
        PyThread_acquire_lock(gate->lock, WAIT_LOCK);
    w7_gate_exchange(gate, W7_GATE_CLOSED);
}

#endif
