/* The board against a slow one that is written straight from the rules: its answer to each of the calls that the input
 * spells, and every few calls all points, the captures and the hash. Runs of moves are played with every instruction set that runs
 * here. */
#include "target.h"

#include "board/kernel/self_check.h"
#include "board/kernel/copy.h"
#include "board/kernel/edit.h"
#include "board/kernel/run.h"
#include "board/kernel/setup.h"

enum {
    MOST_SIDE = 40,
    MOST_POINTS = MOST_SIDE * MOST_SIDE,
    MOST_CHANGES = 600,
    MOST_RUN = 200,
    MOST_STONES = 8,
    CALLS_BETWEEN = 8
};

typedef struct {
    int64_t captured[3];
    uint8_t at[MOST_POINTS]; /* as many as the board has */
} stones;

/* A board that keeps every position it had. The arrays beyond what is in use are left as they are. */
typedef struct {
    int32_t width;
    int32_t height;
    stones now;
    int64_t changes; /* moves and edits in force */
    int64_t moves;
    int64_t edits;
    uint8_t is_edit[MOST_CHANGES];
    stones before[MOST_CHANGES];
} slow_board;

static slow_board slow; /* too large for a stack */
static slow_board slow_copy;

BEGIN_UNGUIDED

static int on_board(const slow_board *board, int64_t x, int64_t y)
{
    return x >= 0 && x < board->width && y >= 0 && y < board->height;
}

static uint8_t *point_of(slow_board *board, int64_t x, int64_t y)
{
    return &board->now.at[y * board->width + x];
}

static const int BESIDE[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};

/* Marks the block of a stone; returns whether it has a liberty. Grows until nothing more is added. */
static int find_block(slow_board *board, int64_t x, int64_t y, uint8_t *block)
{
    const uint8_t color = *point_of(board, x, y);
    static int32_t todo[MOST_POINTS];
    int64_t left = 1;
    int has_liberty = 0;
    memset(block, 0, (size_t)board->width * (size_t)board->height);
    todo[0] = (int32_t)(y * board->width + x);
    block[todo[0]] = 1;
    while (left > 0) {
        const int32_t place = todo[--left];
        for (int k = 0; k < 4; k++) {
            const int64_t next_x = place % board->width + BESIDE[k][0], next_y = place / board->width + BESIDE[k][1];
            const int64_t next = next_y * board->width + next_x;
            if (!on_board(board, next_x, next_y))
                continue;
            has_liberty |= board->now.at[next] == 0;
            if (board->now.at[next] == color && !block[next]) {
                block[next] = 1;
                todo[left++] = (int32_t)next;
            }
        }
    }
    return has_liberty;
}

static int has_liberty(slow_board *board, int64_t x, int64_t y)
{
    static uint8_t block[MOST_POINTS];
    return !on_board(board, x, y) || *point_of(board, x, y) == 0 || find_block(board, x, y, block);
}

static void remove_without_liberty(slow_board *board, int64_t x, int64_t y, int color)
{
    static uint8_t block[MOST_POINTS];
    if (!on_board(board, x, y) || *point_of(board, x, y) != color || find_block(board, x, y, block))
        return;
    for (int64_t k = 0; k < (int64_t)board->width * board->height; k++) {
        if (block[k]) {
            board->now.at[k] = 0;
            board->now.captured[color]++;
        }
    }
}

static void copy_stones(const slow_board *board, stones *to, const stones *from)
{
    memcpy(to, from, offsetof(stones, at) + (size_t)board->width * (size_t)board->height);
}

static void remember(slow_board *board, int is_edit)
{
    copy_stones(board, &board->before[board->changes], &board->now);
    board->is_edit[board->changes++] = (uint8_t)is_edit;
    board->moves += !is_edit;
    board->edits += is_edit;
}

static void copy_board(slow_board *to, const slow_board *from)
{
    memcpy(to, from, offsetof(slow_board, before));
    for (int64_t k = 0; k < from->changes; k++)
        copy_stones(from, &to->before[k], &from->before[k]);
}

static w7_status slow_play(slow_board *board, int color, int64_t x, int64_t y)
{
    const int pass = x == -1 && y == -1;
    if (color != 1 && color != 2)
        return W7_BAD_COLOR;
    if (!pass && !on_board(board, x, y))
        return W7_OFF_BOARD;
    if (!pass && *point_of(board, x, y) != 0)
        return W7_OCCUPIED;
    remember(board, 0);
    if (pass)
        return W7_OK;
    *point_of(board, x, y) = (uint8_t)color;
    for (int k = 0; k < 4; k++)
        remove_without_liberty(board, x + BESIDE[k][0], y + BESIDE[k][1], 3 - color);
    remove_without_liberty(board, x, y, color);
    return W7_OK;
}

static w7_status slow_edit(slow_board *board, int color, int64_t x, int64_t y)
{
    if (color < 0 || color > 2)
        return W7_BAD_COLOR;
    if (!on_board(board, x, y))
        return W7_OFF_BOARD;
    if (*point_of(board, x, y) == color)
        return W7_OK;
    remember(board, 1);
    *point_of(board, x, y) = (uint8_t)color;
    return W7_OK;
}

/* Takes the last change back. */
static void step_back(slow_board *board)
{
    copy_stones(board, &board->now, &board->before[--board->changes]);
    board->moves -= !board->is_edit[board->changes];
    board->edits -= board->is_edit[board->changes];
}

static w7_status slow_undo(slow_board *board, int64_t count)
{
    const int64_t wanted = board->moves - count;
    if (count < 0 || wanted < 0)
        return W7_TOO_DEEP;
    while (board->moves > wanted)
        step_back(board);
    return W7_OK;
}

static w7_status slow_rewind(slow_board *board, int64_t moves, int64_t edits)
{
    int64_t of_moves = 0, of_edits = 0, k = 0;
    while (k < board->changes && !(of_moves == moves && of_edits == edits)) {
        of_moves += !board->is_edit[k];
        of_edits += board->is_edit[k++];
    }
    if (of_moves != moves || of_edits != edits)
        return W7_TOO_DEEP;
    while (board->changes > k)
        step_back(board);
    return W7_OK;
}

static w7_status slow_setup(slow_board *board, const w7_placement *placed, int64_t count)
{
    static stones before;
    w7_status status = board->changes > 0 ? W7_AFTER_MOVE : W7_OK;
    copy_stones(board, &before, &board->now);
    for (int64_t i = 0; status == W7_OK && i < count; i++) {
        const w7_placement *stone = &placed[i];
        if (stone->color != 1 && stone->color != 2)
            status = W7_BAD_COLOR;
        else if (!on_board(board, stone->x, stone->y))
            status = W7_OFF_BOARD;
        else if (*point_of(board, stone->x, stone->y) != 0)
            status = W7_OCCUPIED;
        else
            *point_of(board, stone->x, stone->y) = stone->color;
    }
    for (int64_t i = 0; status == W7_OK && i < count; i++) {
        int alive = has_liberty(board, placed[i].x, placed[i].y);
        for (int k = 0; k < 4; k++)
            alive &= has_liberty(board, placed[i].x + BESIDE[k][0], placed[i].y + BESIDE[k][1]);
        status = alive ? W7_OK : W7_NO_LIBERTY;
    }
    if (status != W7_OK)
        copy_stones(board, &board->now, &before);
    return status;
}

static uint64_t key(uint64_t first, uint64_t second, uint64_t third)
{
    uint64_t z = ((first << 62) + (second << 31) + third) * UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

static void compare(slow_board *expected, w7_board *board)
{
    uint64_t hash = key(0, (uint64_t)expected->height, (uint64_t)expected->width);
    for (int32_t y = 0; y < expected->height; y++) {
        for (int32_t x = 0; x < expected->width; x++) {
            const uint8_t color = *point_of(expected, x, y);
            require(w7_board_get(board, x, y) == color, "a point has the colour it should have");
            if (color != 0)
                hash ^= key(color, (uint64_t)y, (uint64_t)x);
        }
    }
    require(w7_board_hash(board) == hash, "the hash is that of the stones");
    require(board->captured[1] == expected->now.captured[1] && board->captured[2] == expected->now.captured[2],
            "the captures are counted");
    require(board->move_count == expected->moves && board->edit_count == expected->edits, "the history is as long");
}

static void check(w7_board *board)
{
    const char *wrong = w7_board_check(board);
    if (wrong != NULL) {
        fprintf(stderr, "%s\n", wrong);
        abort();
    }
}

END_UNGUIDED

/* Sides from 1 up: mostly small, and all that rows of cells and planes are about. */
static int32_t side_of(uint8_t byte)
{
    static const uint8_t SIDES[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 13, 19, 29, 30, 31, 32, 40};
    return SIDES[byte & 15];
}

/* A coordinate, off the board now and then. */
static int32_t coordinate(bytes_left *left, int32_t side)
{
    const uint8_t byte = take(left);
    return byte == 255 ? -1 : byte % (side + (byte > 250));
}

static w7_placement next_stone(bytes_left *left)
{
    w7_placement stone;
    const uint8_t color = take(left);
    memset(&stone, 0, sizeof stone);
    stone.color = color > 252 ? color & 3 : 1 + (color & 1);
    stone.x = coordinate(left, slow.width);
    stone.y = coordinate(left, slow.height);
    return stone;
}

enum { ON_ROWS, BY_ITS_SIZE, ON_PLANES, ON_AVX512BW_PLANES, ON_AVX512_PLANES, WAYS };

static w7_status play_in(int way, w7_board *board, const w7_placement *moves, int64_t count, int64_t *played)
{
    w7_move_rows rows = {(const uint8_t *)moves, offsetof(w7_placement, color), sizeof *moves,
                         (uintptr_t)moves + W7_MOVES_AHEAD, sizeof *moves};
    board->isa = way != BY_ITS_SIZE             ? W7_ISA_PORTABLE
                 : w7_isa_runs(W7_ISA_AVX512)   ? W7_ISA_AVX512
                 : w7_isa_runs(W7_ISA_AVX512BW) ? W7_ISA_AVX512BW
                                                : W7_ISA_PORTABLE;
    if (way >= ON_PLANES && count > 0 && board->grid.has_planes) {
        const w7_plane_tables *tables = w7_board_plane_tables(board);
        require(tables != NULL && (board->shared == NULL || w7_history_own(board) == W7_OK) &&
                    w7_history_reserve_moves(board, count) == W7_OK,
                "there is memory enough");
#ifdef W7_WITH_X86_ISAS
        if (way == ON_AVX512BW_PLANES && w7_isa_runs(W7_ISA_AVX512BW))
            return w7_avx512bw_play_run(board, tables, rows, count, INT64_MAX, played);
        if (way == ON_AVX512_PLANES && w7_isa_runs(W7_ISA_AVX512))
            return w7_avx512_play_run(board, tables, rows, count, INT64_MAX, played);
#endif
        return w7_portable_play_run(board, tables, rows, count, INT64_MAX, played);
    }
    return w7_board_play_run(board, rows, count, INT64_MAX, played);
}

/* A run on a copy in each way, and then on the board itself in one of them. */
static void play_run(w7_board *board, bytes_left *left)
{
    static w7_placement moves[MOST_RUN];
    const uint8_t last_way = take(left);
    const int64_t count = take(left) % MOST_RUN;
    int64_t expected = 0, played;
    w7_status status = W7_OK, found;
    for (int64_t k = 0; k < count; k++)
        moves[k] = next_stone(left);
    if (slow.changes + count > MOST_CHANGES)
        return;
    while (expected < count &&
           (status = slow_play(&slow, moves[expected].color, moves[expected].x, moves[expected].y)) == W7_OK)
        expected++;
    for (int way = 0; way < WAYS; way++) {
        w7_board copy;
        require(w7_board_copy(&copy, board, 1) == W7_OK, "there is memory enough");
        found = play_in(way, &copy, moves, count, &played);
        require(found == status && played == expected, "a run ends where it should");
        compare(&slow, &copy);
        w7_board_free(&copy);
    }
    found = play_in(last_way % WAYS, board, moves, count, &played);
    require(found == status && played == expected, "a run ends where it should");
}

static void one_call(w7_board *board, w7_board *kept, bytes_left *left)
{
    const uint8_t call = take(left);
    w7_placement some[MOST_STONES];
    w7_placement stone;
    int64_t count, bad;
    memset(some, 0, sizeof some);
    if (slow.changes >= MOST_CHANGES)
        return;
    switch (call % 16) {
    case 0:
        count = take(left) % 8;
        require(w7_board_undo(board, count) == slow_undo(&slow, count), "undo");
        break;
    case 1:
        stone = next_stone(left);
        stone.color = stone.color == 2 && (call & 0x80) ? 0 : stone.color;
        require(w7_board_edit(board, stone.color, stone.x, stone.y) == slow_edit(&slow, stone.color, stone.x, stone.y),
                "edit");
        break;
    case 2:
        count = take(left);
        bad = take(left);
        require(w7_board_rewind(board, count, bad) == slow_rewind(&slow, count, bad), "rewind");
        break;
    case 3:
        count = take(left) % (MOST_STONES + 1);
        for (int64_t k = 0; k < count; k++)
            some[k] = next_stone(left);
        require(w7_board_setup(board, some, count, &bad) == slow_setup(&slow, some, count), "setup");
        break;
    case 4: /* what was kept, or a copy that is kept */
        if (call & 0x10) {
            copy_board(&slow_copy, &slow);
            require(w7_board_assign(kept, board, 1) == W7_OK, "copy");
        } else if (kept->grid.cells != NULL) {
            copy_board(&slow, &slow_copy);
            require(w7_board_assign(board, kept, 1) == W7_OK, "copy");
        }
        require(kept->grid.cells == NULL || (call & 0x10) == 0 || w7_board_equal(board, kept), "copies are equal");
        break;
    case 5: play_run(board, left); break;
    case 6:
        require(w7_board_play(board, 1 + (call >> 7), -1, -1) == slow_play(&slow, 1 + (call >> 7), -1, -1), "pass");
        break;
    default:
        stone = next_stone(left);
        require(w7_board_play(board, stone.color, stone.x, stone.y) == slow_play(&slow, stone.color, stone.x, stone.y),
                "play");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    bytes_left left = {data, data + size};
    w7_board board, kept;
    memset(&kept, 0, sizeof kept);
    slow.width = side_of(take(&left));
    slow.height = side_of(take(&left));
    memset(&slow.now, 0, sizeof slow.now);
    slow.changes = slow.moves = slow.edits = 0;
    require(w7_board_init(&board, slow.width, slow.height) == W7_OK, "there is memory enough");
    for (int calls = 0; left.at < left.end; calls++) {
        one_call(&board, &kept, &left);
        if (calls % CALLS_BETWEEN == 0)
            compare(&slow, &board);
    }
    compare(&slow, &board);
    check(&board);
    if (kept.grid.cells != NULL) {
        compare(&slow_copy, &kept);
        check(&kept);
        w7_board_free(&kept);
    }
    w7_board_free(&board);
    return 0;
}
