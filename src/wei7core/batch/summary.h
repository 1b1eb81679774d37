/* Per-game summary rows of fixed size: a check skips most records by them.
 *
 * All values are of the moves in force at the end of the main line. No Python. */
#ifndef W7_BATCH_SUMMARY_H
#define W7_BATCH_SUMMARY_H

#include "batch/game_keys.h"
#include "batch/header_values.h"
#include "batch/text_key.h"
#include "board/kernel/board.h"
#include "board/kernel/edit.h"
#include "record/record.h"

/* All zeros for a record that is deferred. */
typedef struct {
    uint64_t game_key;
    uint64_t prefix_keys[W7_PREFIXES];
    uint64_t opening_keys[W7_OPENING_MOVES];
    uint64_t text_keys[2];
    w7_header_span spans[W7_HEADER_VALUES];
    int32_t first_color; /* 0: there are no moves */
    int32_t last_color;
    int32_t same_color;  /* moves of the color of the move before */
    int32_t first_pass;  /* its number from 1; 0: none */
    int32_t last_passes; /* passes in a row at the end */
    int32_t end_of_play; /* number of the move that first makes two passes in a row; 0: none does */
    int32_t setup_black; /* stones before the first move */
    int32_t setup_white;
    uint8_t plain;     /* one branch, in which only moves change the board, apart from a `pre` of the root */
    uint8_t repeats;   /* a stone brought an earlier position back */
    uint8_t is_lifted; /* the header is that of a node after the root of SGF */
    uint8_t is_wide;   /* the text is in UTF-16 or UTF-32; `spans` and `stop` are in the one in UTF-8 */
    int32_t stop;      /* where the main line ends early: the offset of the problem of its step; 0: nowhere */
} w7_facts;

/* State kept from record to record; all zeros at first. */
typedef struct {
    w7_facts *rows; /* of the texts; NULL: not requested */
    w7_facts *row;  /* of the current text */
    w7_played played;
} w7_facts_work;

static inline void w7_facts_work_free(w7_facts_work *work)
{
    w7_played_free(&work->played);
    memset(work, 0, sizeof *work);
}

/* The stones that branches of the main line have set up, up to the tree `missed`, which the walk did not enter
 * (-1: none), and those put on the board before the first move; where `exchanged`, in the other colors. */
static inline void w7_facts_start(w7_game_start *start, w7_symmetry_keys *keys, const w7_record *record, int32_t missed,
                                  const w7_board *board, int exchanged)
{
    w7_game_start_empty(start, keys, &board->grid);
    for (int32_t tree = 0; tree >= 0 && tree != missed; tree = record->trees.at[tree].first_branch) {
        const int32_t row = record->trees.at[tree].pre;
        for (int32_t i = 0; row >= 0 && i < record->pres.at[row].stone_count; i++) {
            const w7_placed *stone = &record->stones.at[record->pres.at[row].stones + i];
            w7_game_start_add(start, keys, &board->grid, w7_color_or_other(stone->what, exchanged), stone->x, stone->y,
                              1);
        }
    }
    w7_game_start_add_edits(start, keys, board, exchanged);
}

/* Adds the values of the moves on the board. `keys` are those of its size, with which `start` was made. Returns 0, or
 * -1 when memory is short. */
static inline int w7_facts_add_game(w7_facts *facts, const w7_symmetry_keys *keys, int isa, const w7_board *board,
                                    const w7_game_start *start, w7_played *played)
{
    const int64_t count = board->move_count;
    w7_game_keys found;
    if (w7_game_keys_of(keys, isa, board, start, played, &found) != W7_OK)
        return -1;
    facts->game_key = found.game_key;
    memcpy(facts->prefix_keys, found.prefix_keys, sizeof facts->prefix_keys);
    memcpy(facts->opening_keys, found.opening_keys, sizeof facts->opening_keys);
    facts->repeats = (uint8_t)found.repeats;
    facts->setup_black = (int32_t)start->stones[W7_BLACK];
    facts->setup_white = (int32_t)start->stones[W7_WHITE];
    facts->same_color = found.same_color;
    facts->first_pass = found.first_pass;
    facts->end_of_play = found.end_of_play;
    if (count > 0) {
        facts->first_color = board->moves[0].color;
        facts->last_color = board->moves[count - 1].color;
    }
    for (int64_t i = count; i-- > 0 && board->moves[i].x < 0;)
        facts->last_passes++;
    return 0;
}

/* A game that was not read from a text: stones before the first move, moves (a pass is at -1, -1), and stones put or
 * taken when `edit_moves` moves had been played, an ascending list. */
typedef struct {
    const w7_placement *stones;
    int64_t stone_count;
    const w7_placement *moves;
    int64_t move_count;
    const w7_placement *edits;
    const int64_t *edit_moves;
    int64_t edit_count;
} w7_listed_game;

/* Plays a game on an empty board. On failure *done is the number of valid stones, moves and edits. */
static inline w7_status w7_listed_game_play(const w7_listed_game *game, w7_board *board, int64_t *done)
{
    int64_t edit = 0;
    *done = 0;
    for (int64_t i = 0; i < game->stone_count; i++, ++*done) {
        const w7_placement *stone = &game->stones[i];
        w7_status status = stone->color != W7_BLACK && stone->color != W7_WHITE ? W7_BAD_COLOR
                           : !w7_board_has_point(board, stone->x, stone->y)     ? W7_OFF_BOARD
                                                                                : W7_OK;
        if (status == W7_OK)
            status = w7_board_put(board, stone->color, stone->x, stone->y);
        if (status != W7_OK)
            return status;
    }
    for (int64_t i = 0; i <= game->move_count; i++, ++*done) {
        for (; edit < game->edit_count && game->edit_moves[edit] <= i; edit++, ++*done) {
            const w7_placement *stone = &game->edits[edit];
            w7_status status = w7_board_edit(board, stone->color, stone->x, stone->y);
            if (status != W7_OK)
                return status;
        }
        if (i < game->move_count) {
            const w7_placement *move = &game->moves[i];
            w7_status status = w7_board_play(board, move->color, move->x, move->y);
            if (status != W7_OK)
                return status;
        }
    }
    return W7_OK;
}

/* Adds the values of a game that was not read from a text. */
static inline w7_status w7_listed_game_facts(const w7_listed_game *game, int32_t width, int32_t height, int isa,
                                             w7_facts *facts, int64_t *done)
{
    w7_symmetry_keys keys = {0};
    w7_played played = {0};
    w7_game_start start;
    w7_board board;
    w7_status status = w7_board_init(&board, width, height);
    *done = 0;
    if (status != W7_OK)
        return status;
    status = w7_listed_game_play(game, &board, done);
    if (status == W7_OK) {
        w7_game_start_empty(&start, &keys, &board.grid);
        for (int64_t i = 0; i < game->stone_count; i++)
            w7_game_start_add(&start, &keys, &board.grid, game->stones[i].color, game->stones[i].x, game->stones[i].y,
                              1);
        w7_game_start_add_edits(&start, &keys, &board, 0);
        if (w7_facts_add_game(facts, &keys, isa, &board, &start, &played) != 0)
            status = W7_NO_MEMORY;
    }
    w7_symmetry_keys_free(&keys);
    w7_played_free(&played);
    w7_board_free(&board);
    return status;
}

/* Whether the record is one branch, no problem, in which nothing changes the board but moves, up to the step at offset
 * `stop` (-1: up to the end). */
static inline int w7_facts_is_plain(const w7_record *record, int64_t moves, int64_t stop)
{
    const int32_t pre = record->trees.count == 1 ? record->trees.at[0].pre : -1;
    if (record->trees.count != 1 || (pre >= 0 && record->pres.at[pre].problem))
        return 0;
    /* Where as many moves are in force as there are steps, all of them are moves. */
    for (int64_t i = 0; moves != record->steps.count && i < record->steps.count; i++) {
        const uint8_t kind = record->steps.at[i].kind;
        if (record->steps.at[i].offset == stop)
            return 1;
        if (kind == W7_STEP_TAKEBACK || kind == W7_STEP_SETUP || kind == W7_STEP_UNREADABLE || kind == W7_STEP_RAW)
            return 0;
    }
    return stop < 0;
}

/* Surrounding white space is ignored, so that a game of a collection equals the game alone. */
static inline void w7_facts_add_text_key(w7_facts *facts, const uint8_t *text, int64_t size, int isa)
{
    for (; size > 0 && w7_is_space(*text); size--)
        text++;
    while (size > 0 && w7_is_space(text[size - 1]))
        size--;
    w7_text_key(text, size, isa, facts->text_keys);
}

/* Fills the row of a record whose main line has come to its end on the board, or to the step at offset `stop` that
 * cannot be played (-1: none). Returns 0, or -1 when memory is short. */
static inline int w7_facts_add(w7_facts_work *work, const w7_record *record, int32_t missed, int64_t stop,
                               const uint8_t *text, int64_t size, int is_sgf, int double_byte, w7_symmetry_keys *keys,
                               int isa, const w7_board *board)
{
    w7_facts *facts = work->row;
    w7_game_start start;
    for (int value = 0; value < W7_HEADER_VALUES; value++)
        facts->spans[value].begin = facts->spans[value].end = -1;
    w7_facts_start(&start, keys, record, missed, board, 0);
    if (w7_facts_add_game(facts, keys, isa, board, &start, &work->played) != 0)
        return -1;
    w7_facts_add_text_key(facts, text, size, isa);
    facts->plain = (uint8_t)w7_facts_is_plain(record, board->move_count, stop);
    if (is_sgf) {
        const int32_t step = w7_header_step(text, record);
        w7_header_of_root(text, record, double_byte, step, facts->spans);
        facts->is_lifted = (uint8_t)(step >= 0);
    } else
        w7_header_of_info(record, facts->spans);
    return 0;
}

#endif
