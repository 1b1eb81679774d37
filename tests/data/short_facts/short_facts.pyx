# cython: language_level=3, freethreading_compatible=True
"""Finds the facts of a game, with memory that runs out at chosen calls."""

from libc.stdint cimport int32_t, int64_t, uint8_t


cdef extern from *:
    """
    #include <stdlib.h>
    #include <string.h>

    static int calls_until_failure;

    static void *failing_realloc(void *rows, size_t bytes)
    {
        return --calls_until_failure < 0 ? NULL : realloc(rows, bytes);
    }

    static void *failing_malloc(size_t bytes)
    {
        return --calls_until_failure < 0 ? NULL : malloc(bytes);
    }

    #define malloc failing_malloc
    #define realloc failing_realloc
    #include "batch/summary.h"
    #undef malloc
    #undef realloc
    """
    int calls_until_failure
    ctypedef int w7_status
    enum:
        W7_OK
        W7_NO_MEMORY
    ctypedef struct w7_placement:
        int32_t x
        int32_t y
        uint8_t color
    ctypedef struct w7_listed_game:
        const w7_placement *stones
        int64_t stone_count
        const w7_placement *moves
        int64_t move_count
        const w7_placement *edits
        const int64_t *edit_moves
        int64_t edit_count
    ctypedef struct w7_facts:
        pass
    w7_status w7_listed_game_facts(
        const w7_listed_game *game, int32_t width, int32_t height, int isa, w7_facts *facts, int64_t *done
    ) noexcept


def game_facts(int width, int height, int isa, bytes moves, int64_t count):
    """Return the bytes of the facts of `count` moves, and how often memory failed before there were any."""
    cdef w7_listed_game game
    cdef w7_facts facts
    cdef int64_t done
    cdef int failures = 0
    cdef w7_status status
    game.stones = game.edits = NULL
    game.edit_moves = NULL
    game.stone_count = game.edit_count = 0
    game.moves = <const w7_placement *><const char *>moves
    game.move_count = count
    results = []
    for failures in range(200):
        clear(&facts)
        allow_calls(failures)
        status = w7_listed_game_facts(&game, width, height, isa, &facts, &done)
        assert status == W7_OK or status == W7_NO_MEMORY
        if status == W7_OK:
            results.append((<char *>&facts)[:sizeof(facts)])
            if calls_left() > 0:
                return results, failures
    raise AssertionError("memory was never enough")


cdef void allow_calls(int allowed) noexcept:
    global calls_until_failure
    calls_until_failure = allowed


cdef int calls_left() noexcept:
    return calls_until_failure


cdef void clear(w7_facts *facts) noexcept:
    cdef char *at = <char *>facts
    for k in range(<int>sizeof(w7_facts)):
        at[k] = 0
