# cython: language_level=3, freethreading_compatible=True
"""The children of positions by the kernel's C functions, with every instruction set, and by playing each move."""

from cpython.buffer cimport PyBUF_SIMPLE, PyBUF_WRITABLE, PyBuffer_Release, PyObject_GetBuffer
from libc.stdint cimport int64_t, uint8_t, uint64_t
from libc.string cimport memset
from wei7core.board.board cimport Board, w7_board, w7_status

from wei7core._util.cpu import ISAS

cdef extern from *:
    """
    #include "board/kernel/block.h"
    #include "board/kernel/children.h"
    #include "board/kernel/children_columns.h"
    #include "board/kernel/children_rules.h"
    #include "board/kernel/copy.h"
    #include "board/kernel/planes.h"

    enum { ON_ANY_BOARD, ON_PLANES, ON_AVX512BW_PLANES, ON_AVX512_PLANES };

    static uint8_t isa_of(int way)
    {
        return way == ON_AVX512_PLANES ? W7_ISA_AVX512 : way == ON_AVX512BW_PLANES ? W7_ISA_AVX512BW : W7_ISA_PORTABLE;
    }

    /* Memory for the children of a board; one block, at `empty`. NULL where there is none. */
    static int room_for(const w7_board *board, w7_children *children)
    {
        const size_t words = w7_point_set_words(w7_grid_points(&board->grid)), points = (size_t)w7_grid_points(&board->grid);
        children->empty = (uint64_t *)malloc(3 * words * sizeof(uint64_t) + points * sizeof(w7_child));
        if (children->empty == NULL)
            return 0;
        children->legal = children->empty + words;
        children->self_atari = children->legal + words;
        children->takers = (w7_child *)(children->self_atari + words);
        return 1;
    }

    static w7_status find(w7_board *board, int way, int color, int ko, int suicide, uint64_t *hash, int32_t *captured,
                          int32_t *lost, uint8_t *verdict, uint8_t *legal, uint8_t *self_atari)
    {
        const int planes = way != ON_ANY_BOARD && board->grid.has_planes;
        const uint8_t isa = board->isa;
        w7_rules rules = {(uint8_t)ko, (uint8_t)suicide};
        w7_children children;
        w7_child_columns columns = {hash, captured, lost, verdict, legal, self_atari};
        w7_child_source source = {&children, planes ? w7_board_plane_tables(board) : NULL, board->hash,
                                  board->grid.width, board->grid.height, color, 0, rules};
        w7_status status = W7_NO_MEMORY;
        if ((planes && source.tables == NULL) || !room_for(board, &children))
            return W7_NO_MEMORY;
        source.isa = board->isa = isa_of(way);
        status = w7_board_find_children(board, source.tables, w7_children_on_planes, color, &children);
        board->isa = isa;
        if (status == W7_OK)
            status = w7_children_apply(board, source.tables, rules, color, &children);
        if (status == W7_OK)
            w7_write_child_columns(&source, &columns);
        free(children.empty);
        return status;
    }

    /* A position as a run of moves leaves it: the cells of the board, and what else children need. */
    typedef struct {
        uint64_t hash;
        int64_t stone_count;
        uint64_t color;
        uint64_t cells[1];
    } position;

    static size_t position_size(const w7_board *board)
    {
        return sizeof(position) + (w7_grid_cell_count(&board->grid) - 1) * sizeof(uint64_t);
    }

    static void keep(const w7_board *board, int color, uint8_t *at)
    {
        position *kept = (position *)at;
        kept->hash = board->hash;
        kept->stone_count = board->stone_count;
        kept->color = (uint64_t)color;
        memcpy(kept->cells, board->grid.cells, w7_grid_cell_count(&board->grid) * sizeof(uint64_t));
    }

    /* Sums that both ways to the children of a batch must agree on. */
    typedef struct {
        uint64_t children, hashes, captured, lost, self_atari;
    } sums;

    /* The hash, the captures and the suicide of every child of every position, into columns. */
    static w7_status find_batch(w7_board *like, int way, uint8_t *positions, int64_t count, int add, sums *sum)
    {
        const size_t size = position_size(like);
        const size_t points = (size_t)w7_grid_points(&like->grid);
        const w7_plane_tables *tables = way == ON_ANY_BOARD ? NULL : w7_board_plane_tables(like);
        w7_status status = W7_OK;
        w7_board board = *like;
        w7_children children;
        w7_child_columns columns = {0};
        if (!room_for(like, &children))
            return W7_NO_MEMORY;
        columns.hash = (uint64_t *)malloc(points * (sizeof(uint64_t) + 2 * sizeof(int32_t)));
        columns.captured = (int32_t *)(columns.hash + points);
        columns.lost = columns.captured + points;
        board.isa = isa_of(way);
        for (int64_t i = 0; i < count && status == W7_OK; i++, positions += size) {
            position *at = (position *)positions;
            w7_child_source source = {&children, tables, at->hash, like->grid.width, like->grid.height,
                                      (int)at->color, board.isa, {0, 1}};
            board.grid.cells = at->cells;
            board.stone_count = at->stone_count;
            status = w7_board_find_children(&board, tables, w7_children_on_planes, (int)at->color, &children);
            w7_write_child_columns(&source, &columns);
            sum->hashes += columns.hash[i % (int64_t)points];
            for (size_t point = 0; add && point < points; point++) {
                if (w7_point_in(children.empty, (int64_t)point)) {
                    sum->children++;
                    sum->hashes += columns.hash[point];
                    sum->captured += (uint64_t)columns.captured[point] * point;
                    sum->lost += (uint64_t)columns.lost[point] * point;
                    sum->self_atari += (uint64_t)w7_point_in(children.self_atari, (int64_t)point) * point * (uint64_t)i;
                }
            }
            if (add)
                sum->hashes -= columns.hash[i % (int64_t)points];
        }
        free(columns.hash);
        free(children.empty);
        return status;
    }

    /* Whether the block at a point has exactly one liberty. */
    static uint64_t in_atari(w7_board *board, int32_t x, int32_t y)
    {
        w7_point *points;
        int64_t count;
        uint64_t one;
        if (w7_block_list(board, x, y, 1, &points, &count) != W7_OK || count == 0)
            return 0;
        one = 1;
        for (int64_t i = 1; i < count; i++)
            one &= points[i].x == points[0].x && points[i].y == points[0].y;
        free(points);
        return one;
    }

    /* The same by copying the position and playing each move. */
    static w7_status play_batch(w7_board *like, uint8_t *positions, int64_t count, int add, sums *sum)
    {
        const size_t size = position_size(like);
        const size_t cell_bytes = w7_grid_cell_count(&like->grid) * sizeof(uint64_t);
        w7_status status = W7_OK;
        w7_board board;
        if (w7_board_init(&board, like->grid.width, like->grid.height) != W7_OK)
            return W7_NO_MEMORY;
        for (int64_t i = 0; i < count; i++, positions += size) {
            const position *at = (const position *)positions;
            uint64_t point = 0;
            memcpy(board.grid.cells, at->cells, cell_bytes);
            for (int32_t y = 0; y < like->grid.height; y++) {
                for (int32_t x = 0; x < like->grid.width; x++, point++) {
                    const w7_move *move;
                    if (w7_grid_get(&board.grid, x, y) != W7_EMPTY)
                        continue;
                    board.hash = at->hash;
                    board.stone_count = at->stone_count;
                    board.move_count = board.removed_count = 0;
                    status = w7_board_play(&board, (int)at->color, x, y);
                    if (status != W7_OK)
                        goto done;
                    move = &board.moves[0];
                    sum->children++;
                    sum->hashes += board.hash;
                    sum->captured += (uint64_t)move->removed_opponent * point;
                    sum->lost += (uint64_t)move->removed_own * point;
                    if (add)
                        sum->self_atari += in_atari(&board, x, y) * point * (uint64_t)i;
                    memcpy(board.grid.cells, at->cells, cell_bytes);
                }
            }
        }
    done:
        w7_board_free(&board);
        return status;
    }
    """
    int ON_ANY_BOARD, ON_PLANES, ON_AVX512BW_PLANES, ON_AVX512_PLANES

    ctypedef struct sums:
        uint64_t children
        uint64_t hashes
        uint64_t captured
        uint64_t lost
        uint64_t self_atari

    w7_status find(w7_board *board, int way, int color, int ko, int suicide, void *hash, void *captured, void *lost,
                   void *verdict, void *legal, void *self_atari) noexcept nogil
    size_t position_size(const w7_board *board) noexcept nogil
    void keep(const w7_board *board, int color, uint8_t *at) noexcept nogil
    w7_status find_batch(w7_board *like, int way, uint8_t *positions, int64_t count, int add, sums *sum) noexcept nogil
    w7_status play_batch(w7_board *like, uint8_t *positions, int64_t count, int add, sums *sum) noexcept nogil

WAYS = {"any board": ON_ANY_BOARD, "planes": ON_PLANES}
"""The ways to find children that there are here."""

if "avx512bw" in ISAS:
    WAYS["avx512bw planes"] = ON_AVX512BW_PLANES
if "avx512" in ISAS:
    WAYS["avx512 planes"] = ON_AVX512_PLANES


def children(Board board, way, int color, int ko, int suicide, columns):
    """Fill arrays: hash, captured, lost, verdict, legal, self_atari."""
    cdef Py_buffer views[6]
    cdef w7_status status
    for index, column in enumerate(columns):
        PyObject_GetBuffer(column, &views[<int>index], PyBUF_WRITABLE)
    status = find(&board.c, WAYS[way], color, ko, suicide, views[0].buf, views[1].buf, views[2].buf, views[3].buf,
                  views[4].buf, views[5].buf)
    for index in range(6):
        PyBuffer_Release(&views[<int>index])
    return <int>status


def kept(Board board, int color):
    """The position as bytes, for the functions on batches."""
    cdef bytes at = bytes(position_size(&board.c))
    keep(&board.c, color, <uint8_t *><char *>at)
    return at


def batch(Board like, way, bytes positions, add=True):
    """The sums over all children of the kept positions of a size; by playing each move if `way` is None.

    Without `add` it does what a benchmark shall measure, and the sums say little.
    """
    cdef sums sum
    cdef uint8_t *at = <uint8_t *><char *>positions
    cdef int64_t count = len(positions) // position_size(&like.c)
    cdef int number = WAYS.get(way, -1), adds = add
    cdef w7_status status
    memset(&sum, 0, sizeof(sum))
    with nogil:
        if number >= 0:
            status = find_batch(&like.c, number, at, count, adds, &sum)
        else:
            status = play_batch(&like.c, at, count, adds, &sum)
    assert status == 0
    return sum.children, sum.hashes, sum.captured, sum.lost, sum.self_atari
