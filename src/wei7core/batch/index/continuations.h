/* The moves that follow hits, as they are on the pattern: turned back, and with its colors. Counted once a game. */
#ifndef W7_BATCH_INDEX_CONTINUATIONS_H
#define W7_BATCH_INDEX_CONTINUATIONS_H

#include "batch/index/board_search.h"

/* Where the pattern of a hit is: `firsts` has the point of the board at which its first point is, for each place. */
typedef struct {
    const int32_t *firsts;
    int64_t places;
    uint64_t hash; /* of the position that the form is, on a whole board */
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
    /* The representative of each point of the pattern. */
    const int32_t *folded;
    const uint8_t *winners; /* by game of the group; 0 without a winner */
    /* For each key 3 numbers, by winner; keys are pairs of a point and a color of the pattern, after those of a tenuki
     * and of a pass. */
    int64_t *counts;
    /* NULL, or by game of the group two numbers, which may be NaN; and by key the sum of those that are none, and how
     * many these are, of either. */
    const double *values;
    double *sums;
    int64_t *last_games; /* by key; no game is below 0 */
    int64_t first_game;  /* added to games of the group, so that all groups have other ones */
    int32_t *keys;       /* by form and point of the board or the pass: 1 more than the key, 0 where it is not known */
} w7_index_tally;

W7_INDEX_LOOPS_BEGIN

static void w7_index_turn_back(const w7_index_tally *tally, uint8_t symmetry, int64_t point, int32_t *x, int32_t *y)
{
    /* Numbers of 4 bytes are divided several times as fast as those of 8. */
    const uint32_t number = (uint32_t)point, width = (uint32_t)tally->board_width;
    int32_t column = (int32_t)(number % width), row = (int32_t)(number / width);
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

static inline int64_t w7_index_colored_key(const w7_index_tally *tally, const w7_index_placement *form, int64_t place,
                                           uint32_t code)
{
    const uint32_t color = code & 3;
    return 2 * w7_index_key(tally, form, place, code >> 2) + (form->swapped ? 2 - color : color - 1);
}

/* Counts the moves that follow a hit, by game and frame. Returns -1 for a hit of no game. */
static int w7_index_count_moves(const w7_index_group *group, const w7_index_hit *hit, w7_index_tally *tally)
{
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
        const uint32_t code = w7_index_code(group->moves, group->is_wide, at.begin + frame);
        int64_t key;
        if ((code & 3) != 1 && (code & 3) != 2)
            continue;
        key = w7_index_colored_key(tally, form, hit->place, code);
        if (tally->last_games[key] != tally->first_game + hit->game) {
            tally->last_games[key] = tally->first_game + hit->game;
            tally->counts[3 * key + winner]++;
            for (int64_t k = 0; k < 2 && tally->values != NULL; k++) {
                const double value = tally->values[2 * (int64_t)hit->game + k];
                tally->sums[4 * key + 2 * k] += value == value ? value : 0;
                tally->sums[4 * key + 2 * k + 1] += value == value;
            }
        }
    }
    return 0;
}

/* Adds the counts of the moves that follow a common position, which is one of the forms under each of its images.
 * Returns -1 for one of another group. */
static int w7_index_count_common(const w7_index_group *group, int64_t number, w7_index_tally *tally)
{
    if (number < 0 || number >= group->common_count)
        return -1;
    for (int64_t image = number ? group->image_ends[number - 1] : 0;
         image < group->image_ends[number] && image < group->image_count; image++) {
        const w7_index_placement *form = tally->forms;
        int32_t *keys;
        while (form < tally->forms + tally->form_count && form->hash != group->image_hashes[image])
            form++;
        if (form == tally->forms + tally->form_count || !form->places)
            return -1;
        keys = tally->keys + (form - tally->forms) * (group->points + 1);
        for (int64_t k = image ? group->move_ends[image - 1] : 0; k < group->move_ends[image] && k < group->move_count;
             k++) {
            const uint32_t code = group->common_moves[k], color = code & 3;
            int64_t key;
            if ((color != 1 && color != 2) || code >> 2 > group->points)
                return -1;
            if (!keys[code >> 2])
                keys[code >> 2] = 1 + (int32_t)w7_index_key(tally, form, 0, code >> 2);
            key = 2 * (keys[code >> 2] - 1) + (form->swapped ? 2 - color : color - 1);
            for (int winner = 0; winner < 3; winner++)
                tally->counts[3 * key + (form->swapped && winner ? 3 - winner : winner)] +=
                    group->common_counts[3 * k + winner];
        }
    }
    return 0;
}

W7_INDEX_LOOPS_END

#endif
