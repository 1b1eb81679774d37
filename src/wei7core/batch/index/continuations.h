/* The moves that follow where a pattern was found, counted once a game. */
#ifndef W7_INDEX_CONTINUATIONS_H
#define W7_INDEX_CONTINUATIONS_H

#include "batch/index/search.h"

/* Where the pattern of a hit is: `firsts` has the point of the board at which its first point is, for each place. */
typedef struct {
    const int32_t *firsts;
    int64_t places;
    uint8_t symmetry;
    uint8_t swapped;
} w7_index_placement;

typedef struct {
    int32_t board_width;
    int32_t board_height;
    int32_t width;
    int32_t height;
    const w7_index_placement *forms;
    int64_t form_count;
    /* For each point of the pattern the one that stands for it. */
    const int32_t *folded;
    const uint8_t *winners; /* by game of the group; 0 where nobody won */
    /* For each key 3 numbers, by winner; keys are pairs of a point and a color of the pattern, after those of a tenuki and
     * of a pass. */
    int64_t *counts;
    int32_t *last_games; /* by key */
} w7_index_tally;

W7_INDEX_LOOPS_BEGIN

static void w7_index_turn_back(const w7_index_tally *tally, uint8_t symmetry, int64_t point, int32_t *x, int32_t *y)
{
    int32_t column = (int32_t)(point % tally->board_width), row = (int32_t)(point / tally->board_width);
    column = symmetry & 1 ? tally->board_width - 1 - column : column;
    row = symmetry & 2 ? tally->board_height - 1 - row : row;
    *x = symmetry & 4 ? row : column;
    *y = symmetry & 4 ? column : row;
}

/* The number of a move, from that of a tenuki on, without its color. */
static int64_t w7_index_key(const w7_index_tally *tally, const w7_index_placement *form, int64_t place, int64_t point)
{
    int32_t x, y, first_x, first_y;
    if (point >= (int64_t)tally->board_width * tally->board_height)
        return 1;
    w7_index_turn_back(tally, form->symmetry, point, &x, &y);
    w7_index_turn_back(tally, form->symmetry, form->firsts[place], &first_x, &first_y);
    x -= first_x;
    y -= first_y;
    if (x < 0 || y < 0 || x >= tally->width || y >= tally->height)
        return 0;
    return 2 + tally->folded[y * tally->width + x];
}

/* Counts the moves that follow `count` hits, by game and frame; `last_games` are -1. Returns -1 for hits of no game. */
static int w7_index_count_moves(const w7_index_group *group, const w7_index_hit *hits, int64_t count,
                                w7_index_tally *tally)
{
    for (int64_t k = 0; k < count; k++) {
        const w7_index_hit *hit = &hits[k];
        const w7_index_placement *form;
        w7_index_game at;
        uint32_t winner;
        if (hit->game < 0 || hit->game >= group->games || hit->form < 0 || hit->form >= tally->form_count)
            return -1;
        form = &tally->forms[hit->form];
        at = w7_index_game_at(group, hit->game);
        if (hit->place < 0 || hit->place >= form->places || hit->begin < 0 || hit->end > at.end - at.begin)
            return -1;
        winner = tally->winners[hit->game] % 3;
        winner = form->swapped && winner ? 3 - winner : winner;
        for (int64_t frame = hit->begin + 1; frame <= hit->end && frame < at.end - at.begin; frame++) {
            uint32_t code = w7_index_code(group->moves, group->is_wide, at.begin + frame), color = code & 3;
            int64_t key;
            if (color != 1 && color != 2)
                continue;
            key = 2 * w7_index_key(tally, form, hit->place, code >> 2) + (form->swapped ? 2 - color : color - 1);
            if (tally->last_games[key] != hit->game) {
                tally->last_games[key] = hit->game;
                tally->counts[3 * key + winner]++;
            }
        }
    }
    return 0;
}

W7_INDEX_LOOPS_END

#endif
