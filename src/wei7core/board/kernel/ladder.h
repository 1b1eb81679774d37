/* Reading a ladder: can a block be captured when every move of the attacker leaves it one liberty?
 *
 * The attacker plays on a liberty of a block with two, so that one remains, or takes a block with one. Its owner
 * captures an adjacent block that is in atari, or extends on a liberty. With three liberties, or two when the attacker
 * has no such move, the block escapes; it is captured when its owner has no move left. No move is suicide, and none
 * brings back a position of the line that is read or the one before the board's last move: so no ko is taken back at
 * once, and every line ends.
 *
 * Without recursion: the moves being read are in frames, one for each position of the line. */
#ifndef W7_BOARD_KERNEL_LADDER_H
#define W7_BOARD_KERNEL_LADDER_H

#include "board/kernel/board.h"
#include "board/kernel/copy.h"
#include "board/kernel/ko_recapture.h"
#include "board/kernel/liberties.h"

enum { W7_LADDER_MOVE_EFFORT = 1024 }; /* visited cells and stones that count as one more move */

typedef enum { W7_LADDER_ESCAPES = 0, W7_LADDER_CAPTURED, W7_LADDER_UNKNOWN } w7_ladder_end;

/* The result; free `line`. */
typedef struct {
    w7_ladder_end end;
    w7_placement *line; /* the moves; if one side cannot change the result, its longest line read */
    int64_t length;
    int64_t nodes; /* moves that were tried */
} w7_ladder;

/* A move and the line after it: the index of the next move, or -1. */
typedef struct {
    int64_t next;
    int64_t length;
    w7_point point;
} w7_ladder_link;

/* A position of the current line, and its candidate moves. */
typedef struct {
    uint64_t hash;
    int64_t move_begin; /* first of its moves in `moves` */
    int64_t move_next;  /* the next one to try; the previous one is being read */
    int64_t best;       /* link of the longest line that the tried moves lead to, or -1 */
    uint8_t color;      /* to move */
} w7_ladder_frame;

typedef struct {
    w7_board board; /* of its own */
    w7_point block; /* a stone of the block */
    int owner;
    int first;       /* colour that moves first */
    uint64_t before; /* the position before the board's last move, or else the first one */
    w7_ladder_frame *frames;
    int64_t frame_count;
    int64_t frame_room;
    w7_point *moves; /* of all frames, one after the other */
    int64_t move_count;
    int64_t move_room;
    w7_point *neighbours; /* attacker's stones adjacent to the block */
    int64_t neighbour_count;
    int64_t neighbour_room;
    w7_ladder_link *links;
    int64_t link_count;
    int64_t link_room;
} w7_ladder_search;

/* Room for one more row. */
static inline w7_status w7_ladder_reserve(void **rows, int64_t *room, int64_t count, size_t row_size)
{
    return count < *room || w7_table_grow(rows, room, row_size) == 0 ? W7_OK : W7_NO_MEMORY;
}

static inline w7_status w7_ladder_add_move(w7_ladder_search *search, w7_point point)
{
    const int64_t begin = search->frames[search->frame_count - 1].move_begin;
    void *moves = search->moves;
    w7_status status;
    for (int64_t i = begin; i < search->move_count; i++)
        if (search->moves[i].x == point.x && search->moves[i].y == point.y)
            return W7_OK;
    status = w7_ladder_reserve(&moves, &search->move_room, search->move_count, sizeof *search->moves);
    if (status == W7_OK) {
        search->moves = (w7_point *)moves;
        search->moves[search->move_count++] = point;
    }
    return status;
}

/* The empty neighbours of a point. */
static inline int w7_ladder_openness(const w7_board *board, w7_point point)
{
    const w7_window window = w7_grid_window(&board->grid, point.x, point.y);
    uint64_t open = w7_window_neighbours(W7_CENTER) & ~(window.black | window.white);
    int count = 0;
    for (; open != 0; open &= open - 1)
        count++;
    return count;
}

/* The order of two moves: the attacker first plays the point where the block would gain more liberties, which succeeds
 * more often. */
static inline int w7_ladder_comes_first(const w7_board *board, w7_point a, w7_point b)
{
    const int open_a = w7_ladder_openness(board, a), open_b = w7_ladder_openness(board, b);
    if (open_a != open_b)
        return open_a > open_b;
    return a.y < b.y || (a.y == b.y && a.x < b.x);
}

/* Lists the attacker's stones adjacent to the block, and its liberties: three or fewer. */
static inline w7_status w7_ladder_look_around(w7_ladder_search *search, w7_point *liberties, int *liberty_count)
{
    w7_flood *flood = &search->board.flood;
    const w7_grid *grid = &search->board.grid;
    const int attacker = W7_BLACK + W7_WHITE - search->owner;
    w7_status status = W7_OK;
    search->neighbour_count = 0;
    w7_flood_block(grid, flood, search->owner, search->block.x, search->block.y, 0);
    *liberty_count = w7_flood_liberties(grid, flood, 3, liberties);
    for (size_t i = 0; i < flood->marked_count; i++) {
        for (int row = -1; row <= 1; row++) {
            const size_t cell = flood->marked[i] + (size_t)(ptrdiff_t)row;
            uint32_t stones =
                w7_flood_neighbours(flood, flood->marked[i], row) & w7_cell_stones(grid->cells[cell], attacker);
            for (; stones != 0 && status == W7_OK; stones &= stones - 1) {
                void *neighbours = search->neighbours;
                status =
                    w7_ladder_reserve(&neighbours, &search->neighbour_room, search->neighbour_count, sizeof(w7_point));
                if (status == W7_OK) {
                    search->neighbours = (w7_point *)neighbours;
                    search->neighbours[search->neighbour_count++] = w7_grid_point(grid, cell, w7_lowest_bit(stones));
                }
            }
        }
    }
    w7_flood_clear(flood);
    flood->effort += (uint64_t)search->neighbour_count;
    return status;
}

/* Lists the moves of the owner. */
static inline w7_status w7_ladder_owner_moves(w7_ladder_search *search, int *liberty_count)
{
    const int attacker = W7_BLACK + W7_WHITE - search->owner;
    w7_point liberties[3];
    w7_status status = w7_ladder_look_around(search, liberties, liberty_count);
    for (int64_t i = 0; i < search->neighbour_count && status == W7_OK; i++) {
        const w7_point stone = search->neighbours[i];
        w7_point last[2];
        if (w7_block_first_liberties(&search->board, attacker, stone.x, stone.y, 2, last) == 1)
            status = w7_ladder_add_move(search, last[0]);
    }
    if (*liberty_count == 2 && !w7_ladder_comes_first(&search->board, liberties[0], liberties[1])) {
        liberties[2] = liberties[0];
        liberties[0] = liberties[1];
        liberties[1] = liberties[2];
    }
    for (int i = 0; i < *liberty_count && status == W7_OK; i++)
        status = w7_ladder_add_move(search, liberties[i]);
    return status;
}

/* Lists the moves of the attacker. */
static inline w7_status w7_ladder_attacker_moves(w7_ladder_search *search, int *liberty_count)
{
    w7_point liberties[3];
    w7_status status = W7_OK;
    int first = 0;
    *liberty_count =
        w7_block_first_liberties(&search->board, search->owner, search->block.x, search->block.y, 3, liberties);
    if (*liberty_count == 2)
        first = !w7_ladder_comes_first(&search->board, liberties[0], liberties[1]);
    if (*liberty_count <= 2)
        for (int i = 0; i < *liberty_count && status == W7_OK; i++)
            status = w7_ladder_add_move(search, liberties[i ^ first]);
    return status;
}

/* Enters the position on the board, and sets *end to its result if no move need be read. */
static inline w7_status w7_ladder_enter(w7_ladder_search *search, int color, w7_ladder_end *end)
{
    void *frames = search->frames;
    w7_ladder_frame *frame;
    int liberty_count;
    w7_status status = w7_ladder_reserve(&frames, &search->frame_room, search->frame_count, sizeof *search->frames);
    if (status != W7_OK)
        return status;
    search->frames = (w7_ladder_frame *)frames;
    frame = &search->frames[search->frame_count++];
    frame->hash = w7_board_hash(&search->board);
    frame->move_begin = frame->move_next = search->move_count;
    frame->best = -1;
    frame->color = (uint8_t)color;
    status = color == search->owner ? w7_ladder_owner_moves(search, &liberty_count)
                                    : w7_ladder_attacker_moves(search, &liberty_count);
    *end = W7_LADDER_UNKNOWN;
    if (liberty_count >= 3)
        *end = W7_LADDER_ESCAPES;
    else if (liberty_count == 0) /* the result of an edit */
        *end = W7_LADDER_CAPTURED;
    return status;
}

/* Whether the position on the board occurred before. */
static inline int w7_ladder_repeats(const w7_ladder_search *search)
{
    const uint64_t hash = w7_board_hash(&search->board);
    int repeats = hash == search->before;
    /* Without captures every move adds a stone. */
    if (search->board.removed_count == 0)
        return 0;
    for (int64_t i = search->frame_count; i > 0 && !repeats; i--)
        repeats = search->frames[i - 1].hash == hash;
    return repeats;
}

/* Plays a move of the last frame if it is allowed; *played says so. One of the attacker's fills a liberty and opens
 * none: what it captures is not adjacent to the block, or it would be part of it. */
static inline w7_status w7_ladder_try(w7_ladder_search *search, int color, w7_point point, int *played)
{
    w7_board *board = &search->board;
    const w7_status status = w7_board_play(board, color, point.x, point.y);
    *played = 0;
    if (status != W7_OK)
        return status;
    *played = w7_board_move(board, board->move_count - 1)->removed_own == 0 && !w7_ladder_repeats(search);
    if (!*played)
        w7_board_undo(board, 1);
    return W7_OK;
}

/* Makes a line of the current move of the last frame and the line after it, and stores it if it is the longest of the
 * frame, or if the move `decides`. */
static inline w7_status w7_ladder_keep(w7_ladder_search *search, int64_t after, int decides)
{
    w7_ladder_frame *frame = &search->frames[search->frame_count - 1];
    const int64_t length = after < 0 ? 1 : search->links[after].length + 1;
    void *links = search->links;
    w7_status status;
    if (!decides && frame->best >= 0 && search->links[frame->best].length >= length)
        return W7_OK;
    status = w7_ladder_reserve(&links, &search->link_room, search->link_count, sizeof *search->links);
    if (status != W7_OK)
        return status;
    search->links = (w7_ladder_link *)links;
    search->links[search->link_count].next = after;
    search->links[search->link_count].length = length;
    search->links[search->link_count].point = search->moves[frame->move_next - 1];
    frame->best = search->link_count++;
    return W7_OK;
}

/* Reads from the first frame, which is entered, until *end is known or the limit is reached; *line is the link of its
 * first move. */
static inline w7_status w7_ladder_read(w7_ladder_search *search, int64_t max_nodes, int64_t *nodes, w7_ladder_end *end,
                                       int64_t *line)
{
    const int owner = search->owner;
    w7_status status = W7_OK;
    *nodes = 0;
    for (;;) {
        w7_ladder_frame *frame = &search->frames[search->frame_count - 1];
        const int color = frame->color;
        if (*end == W7_LADDER_UNKNOWN) {
            int played = 0;
            if (frame->move_next < search->move_count) {
                /* Else few moves would take hours with long blocks on large boards. */
                if (*nodes >= max_nodes - (int64_t)(search->board.flood.effort / W7_LADDER_MOVE_EFFORT))
                    return W7_OK;
                ++*nodes;
                status = w7_ladder_try(search, color, search->moves[frame->move_next++], &played);
                if (status != W7_OK)
                    return status;
                if (!played)
                    continue;
                if (w7_board_get(&search->board, search->block.x, search->block.y) != owner) {
                    w7_board_undo(&search->board, 1);
                    status = w7_ladder_keep(search, -1, 1);
                    *end = W7_LADDER_CAPTURED;
                } else {
                    status = w7_ladder_enter(search, W7_BLACK + W7_WHITE - color, end);
                }
                if (status != W7_OK)
                    return status;
                continue;
            }
            /* No move of this side helps it. */
            *end = color == owner ? W7_LADDER_CAPTURED : W7_LADDER_ESCAPES;
        }
        /* The result of the position of the last frame; the previous one may have other moves. */
        *line = frame->best;
        search->move_count = frame->move_begin;
        if (--search->frame_count == 0)
            return W7_OK;
        w7_board_undo(&search->board, 1);
        frame--;
        status = w7_ladder_keep(search, *line, (*end == W7_LADDER_CAPTURED) == (frame->color != owner));
        if (status != W7_OK)
            return status;
        if ((*end == W7_LADDER_CAPTURED) != (frame->color != owner))
            *end = W7_LADDER_UNKNOWN;
    }
}

/* The hash of the position before the last move, unless edited since. */
static inline uint64_t w7_ladder_before(const w7_board *board)
{
    uint64_t hash = w7_board_hash(board);
    const w7_move *move;
    const w7_point *removed;
    int64_t count;
    if (board->move_count == 0 || w7_board_was_edited_at(board, board->move_count))
        return hash;
    move = w7_board_move(board, board->move_count - 1);
    if (move->x < 0)
        return hash;
    hash ^= w7_zobrist_stone(move->color, move->x, move->y);
    removed = w7_board_removed(board, board->move_count - 1);
    count = (int64_t)move->removed_opponent + move->removed_own;
    for (int64_t i = 0; i < count; i++)
        hash ^= w7_zobrist_stone(move->removed_own ? move->color : W7_BLACK + W7_WHITE - move->color, removed[i].x,
                                 removed[i].y);
    return hash;
}

/* Copies a line out of the links. */
static inline w7_status w7_ladder_line(const w7_ladder_search *search, int64_t link, w7_ladder *ladder)
{
    const int64_t length = link < 0 ? 0 : search->links[link].length;
    ladder->line = (w7_placement *)malloc((size_t)(length + 1) * sizeof *ladder->line);
    if (ladder->line == NULL)
        return W7_NO_MEMORY;
    for (; link >= 0; link = search->links[link].next) {
        w7_placement *move = &ladder->line[ladder->length];
        move->x = search->links[link].point.x;
        move->y = search->links[link].point.y;
        move->color = (uint8_t)(ladder->length % 2 == 0 ? search->first : W7_BLACK + W7_WHITE - search->first);
        ladder->length++;
    }
    return W7_OK;
}

static inline void w7_ladder_free(w7_ladder_search *search)
{
    w7_board_free(&search->board);
    free(search->frames);
    free(search->moves);
    free(search->neighbours);
    free(search->links);
}

/* Prepares to read whether the block of the stone at (x, y) can be captured, the colour `first` moving first; if that
 * is W7_EMPTY, the owner of a block in atari, the attacker of any other. The board is copied, and not needed after.
 * End with w7_ladder_free, unless the status is not W7_OK. */
static inline w7_status w7_ladder_begin(w7_ladder_search *search, const w7_board *board, int32_t x, int32_t y,
                                        int first)
{
    w7_point liberties[2];
    w7_status status;
    memset(search, 0, sizeof *search);
    status = w7_board_copy(&search->board, board, 0);
    if (status != W7_OK)
        return status;
    search->block.x = x;
    search->block.y = y;
    search->owner = w7_board_get(board, x, y);
    search->before = w7_ladder_before(board);
    search->first = first;
    if (first == W7_EMPTY) {
        const int count = w7_block_first_liberties(&search->board, search->owner, x, y, 2, liberties);
        search->first = count == 1 ? search->owner : W7_BLACK + W7_WHITE - search->owner;
    }
    return W7_OK;
}

/* Reads, trying up to `max_nodes` moves, or less where blocks are long; once after w7_ladder_begin. */
static inline w7_status w7_ladder_finish(w7_ladder_search *search, int64_t max_nodes, w7_ladder *ladder)
{
    int64_t line = -1;
    w7_status status;
    memset(ladder, 0, sizeof *ladder);
    status = w7_ladder_enter(search, search->first, &ladder->end);
    if (status == W7_OK)
        status = w7_ladder_read(search, max_nodes, &ladder->nodes, &ladder->end, &line);
    if (status == W7_OK)
        status = w7_ladder_line(search, ladder->end == W7_LADDER_UNKNOWN ? -1 : line, ladder);
    return status;
}

#endif
