"""The C functions of the board, re-exported by `board.pxd`; for modules without Board objects."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t


cdef extern from "board/kernel/board.h" nogil:
    enum:
        W7_EMPTY
        W7_BLACK
        W7_WHITE

    ctypedef enum w7_status:
        W7_OK
        W7_NO_MEMORY
        W7_OCCUPIED
        W7_OFF_BOARD
        W7_BAD_COLOR
        W7_TOO_DEEP
        W7_NO_LIBERTY
        W7_AFTER_MOVE
        W7_BAD_SIZE

    ctypedef struct w7_grid:
        int32_t width
        int32_t height
        uint8_t has_planes      # small enough for planes

    ctypedef struct w7_board:
        w7_grid grid            # read only
        int64_t captured[3]     # read only: stones removed, by their own colour
        uint8_t isa            # wei7core._util.cpu.ISA, or 0, portable: how runs of moves are played

    ctypedef struct w7_point:
        int32_t x
        int32_t y

    ctypedef struct w7_placement:
        int32_t x
        int32_t y
        uint8_t color

    # One move in force; at most one of the two counts is not 0.
    ctypedef struct w7_move:
        int32_t x               # -1, -1: a pass
        int32_t y
        int32_t removed_opponent
        int32_t removed_own     # suicide; counts the stone of the move too
        uint8_t color

    # Makes an empty board in memory of any content; end with w7_board_free, unless the status is not W7_OK.
    w7_status w7_board_init(w7_board *board, int32_t width, int32_t height) noexcept
    void w7_board_free(w7_board *board) noexcept
    # No stones, no moves, no captures; size and memory stay.
    void w7_board_clear(w7_board *board) noexcept

    # (-1, -1) is a pass.
    w7_status w7_board_play(w7_board *board, int color, int32_t x, int32_t y) noexcept
    # Takes back the last n moves in force and the edits after the first of them: W7_TOO_DEEP if there are fewer.
    w7_status w7_board_undo(w7_board *board, int64_t n) noexcept

    bint w7_board_has_point(const w7_board *board, int64_t x, int64_t y) noexcept
    # 0, 1 or 2; the point must be on the board.
    int w7_board_get(const w7_board *board, int32_t x, int32_t y) noexcept
    uint64_t w7_board_hash(const w7_board *board) noexcept
    int64_t w7_board_move_count(const w7_board *board) noexcept
    # Moves in force are numbered from 0; the number must be below w7_board_move_count.
    const w7_move *w7_board_move(const w7_board *board, int64_t index) noexcept
    # removed_opponent + removed_own points, in no order; valid until the board changes.
    const w7_point *w7_board_removed(const w7_board *board, int64_t index) noexcept

cdef extern from "board/kernel/run.h" nogil:
    # Plays moves until one cannot be played, whose status it returns; played[0] is the number of those before it.
    # As w7_board_play for each, but for the order of the points that one move removed; faster.
    w7_status w7_board_play_all(w7_board *board, const w7_placement *moves, int64_t count, int64_t *played) noexcept

cdef extern from "board/kernel/ko_recapture.h" nogil:
    # Whether the move brought back the position of two moves before, both removing one stone, no edit between them.
    bint w7_board_is_ko_recapture(const w7_board *board, int64_t index) noexcept

cdef extern from "board/kernel/rules.h" nogil:
    ctypedef struct w7_rules:
        uint8_t ko              # wei7core.rules.Ko
        uint8_t suicide         # allowed

    # wei7core.rules.Verdict
    ctypedef enum w7_verdict:
        W7_LEGAL
        W7_POINT_OCCUPIED
        W7_SUICIDE
        W7_KO_RECAPTURE
        W7_POSITIONAL_REPEAT
        W7_SITUATIONAL_REPEAT
        W7_NATURAL_REPEAT
        W7_POINT_OFF_BOARD

cdef extern from "board/kernel/legality.h" nogil:
    # The verdict on a stone or a pass, (-1, -1), by the player to move. The board does not change. For a superko rule
    # it allocates the position history: W7_NO_MEMORY.
    w7_status w7_board_judge(w7_board *board, w7_rules rules, int color, int32_t x, int32_t y,
                             w7_verdict *verdict) noexcept

cdef extern from "board/kernel/edit.h" nogil:
    # Sets the colour of a point, W7_EMPTY included, whatever its content; nothing is captured. No move.
    w7_status w7_board_edit(w7_board *board, int color, int32_t x, int32_t y) noexcept
    # Edits in force; an edit without a change does not count.
    int64_t w7_board_edit_count(const w7_board *board) noexcept
    # Moves that were in force when the last of them was made; 0 without edits.
    int64_t w7_board_edited_at(const w7_board *board) noexcept
    # Back to the state with so many moves and edits in force: W7_TOO_DEEP if the history has no such state.
    w7_status w7_board_rewind(w7_board *board, int64_t move_count, int64_t edit_count) noexcept
    # Places a stone on an empty point of a board without history, without checking liberties.
    w7_status w7_board_put(w7_board *board, int color, int32_t x, int32_t y) noexcept

cdef extern from "board/kernel/setup.h" nogil:
    # Adds stones while no move or edit is in force (clause P-8). On failure bad[0] is the index of an offending one,
    # or -1.
    w7_status w7_board_setup(w7_board *board, const w7_placement *stones, int64_t count, int64_t *bad) noexcept

cdef extern from "board/kernel/symmetry.h" nogil:
    uint64_t w7_board_canonical_hash(const w7_board *board) noexcept

cdef extern from "board/kernel/copy.h" nogil:
    # Copies share the history until one of the two changes what the other reads; they may belong to different threads.
    # `copy` must not be in use; free it unless the status is not W7_OK.
    w7_status w7_board_copy(w7_board *copy, const w7_board *board, bint history) noexcept
    # The same onto an existing board, reusing its memory.
    w7_status w7_board_assign(w7_board *to, const w7_board *origin, bint history) noexcept
    bint w7_board_equal(const w7_board *a, const w7_board *b) noexcept

cdef extern from "board/kernel/cells.h" nogil:
    # Writes a byte a point (0, 1, 2), row by row, under symmetry 0 .. 7.
    void w7_board_read(const w7_board *board, int symmetry, uint8_t *points) noexcept
    # Sets up a byte a point on an empty board; bad[0] is the index of an offending byte, or -1.
    w7_status w7_board_write(w7_board *board, const uint8_t *points, int64_t *bad) noexcept
    # The same without checking liberties; the bytes must be 0, 1 or 2.
    void w7_board_write_unchecked(w7_board *board, const uint8_t *points) noexcept
