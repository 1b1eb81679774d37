/* A search for a pattern in the games of a group.
 *
 * Games go by in blocks of 512. Of each form of the pattern and each of its
 * places the planes of a block leave the games in which every stone was there
 * at some time. The first stones then bound the frames at which the pattern may
 * be there; where no point of it ever changed twice these bounds are the
 * answer, and only other games are played through, with a count of the points
 * that differ from the pattern. */
#ifndef W7_INDEX_SEARCH_H
#define W7_INDEX_SEARCH_H

#include <stdlib.h>

#include "batch/index/game_store.h"
#include "board/kernel/bits.h"

enum { W7_INDEX_BLOCK = 512, W7_INDEX_BLOCK_BYTES = W7_INDEX_BLOCK / 8, W7_INDEX_BLOCK_WORDS = W7_INDEX_BLOCK / 64 };

/* A form of a pattern: at each place `count` points of the board, in the order
 * of what is allowed on them: `colored` of them have a stone of one color, then
 * `stones` either of them, then come `empty` ones, then others. */
typedef struct {
    const int32_t *points;
    const uint8_t *allowed;
    int64_t places;
    int64_t count;
    int64_t colored;
    int64_t stones;
    int64_t empty;
    uint8_t swapped;
} w7_index_form;

/* A pattern is there from frame `begin` up to `end` of a game, frames counted
 * in the game. */
typedef struct {
    int32_t game;
    int32_t begin;
    int32_t end;
    int32_t form;
    int32_t place;
} w7_index_hit;

typedef struct {
    w7_index_hit *at;
    size_t count;
    size_t room;
} w7_index_hits;

typedef struct {
    const w7_index_group *group;
    const w7_index_form *forms;
    int64_t form_count;
    int64_t max_move; /* -1 for none */
    uint8_t to_play;  /* 0 for either */
    /* What is allowed on each point by the form and place last played through;
   * everything elsewhere. */
    uint8_t *allowed;
    int64_t allowed_form;
    int64_t allowed_place;
    w7_index_hits pending; /* of a block, by form and place */
    uint8_t *turns;
    int32_t *owners;
    int64_t frames_room;
    uint32_t *order;
    size_t order_room;
} w7_index_search;

W7_INDEX_LOOPS_BEGIN

static int w7_index_add_hit(w7_index_hits *hits, int64_t game, int64_t begin, int64_t end, int64_t form, int64_t place)
{
    if (hits->count == hits->room) {
        size_t room = hits->room ? 2 * hits->room : 1024;
        w7_index_hit *more;
        if (room > SIZE_MAX / sizeof(w7_index_hit))
            return -1;
        more = realloc(hits->at, room * sizeof(w7_index_hit));
        if (more == NULL)
            return -1;
        hits->at = more;
        hits->room = room;
    }
    hits->at[hits->count++] =
        (w7_index_hit){(int32_t)game, (int32_t)begin, (int32_t)end, (int32_t)form, (int32_t)place};
    return 0;
}

static inline int w7_index_has(const uint8_t *plane, int64_t row_bytes, int64_t point, int64_t game)
{
    return plane[point * row_bytes + (game >> 3)] >> (game & 7) & 1;
}

/* By how much the number of points that differ changes when a stone is put on
 * an empty point. */
static inline int w7_index_difference(uint8_t allowed, uint32_t is_white)
{
    return !(allowed >> 1 >> is_white & 1) - !(allowed & 1);
}

static void w7_index_allow(w7_index_search *search, int64_t form, int64_t place)
{
    const w7_index_form *of;
    if (search->allowed_form == form && search->allowed_place == place)
        return;
    if (search->allowed_form >= 0) {
        of = &search->forms[search->allowed_form];
        for (int64_t k = 0; k < of->count; k++)
            search->allowed[of->points[search->allowed_place * of->count + k]] = 7;
    }
    of = &search->forms[form];
    for (int64_t k = 0; k < of->count; k++)
        search->allowed[of->points[place * of->count + k]] = of->allowed[k];
    search->allowed_form = form;
    search->allowed_place = place;
}

/* Plays a game through and adds the frames from `begin` up to `end` that have
 * the pattern. */
static int w7_index_play_through(w7_index_search *search, int64_t game, w7_index_game at, int64_t begin, int64_t end,
                                 int64_t form, int64_t place)
{
    const w7_index_group *group = search->group;
    const w7_index_form *of = &search->forms[form];
    int64_t differing = 0, since = -1, change = at.change_begin;
    w7_index_allow(search, form, place);
    for (int64_t k = 0; k < of->count; k++)
        differing += !(of->allowed[k] & W7_INDEX_EMPTY);
    for (int64_t number = 0; number < end; number++) {
        int64_t frame = at.begin + number;
        uint32_t code = w7_index_code(group->moves, group->is_wide, frame);
        if ((code & 3) && code >> 2 < group->points)
            differing += w7_index_difference(search->allowed[code >> 2], (code & 3) != 1);
        for (; change < at.change_end && group->change_frames[change] <= frame; change++) {
            int by;
            code = w7_index_code(group->changes, group->is_wide, change);
            if (code >> 2 >= group->points)
                continue;
            by = w7_index_difference(search->allowed[code >> 2], code & 1);
            differing += code & 2 ? -by : by;
        }
        if (!differing && number >= begin) {
            since = since < 0 ? number : since;
        } else if (since >= 0) {
            if (w7_index_add_hit(&search->pending, game, since, number, form, place))
                return -1;
            since = -1;
        }
    }
    return since < 0 ? 0 : w7_index_add_hit(&search->pending, game, since, end, form, place);
}

/* Adds the frames of a game that have a form at a place, where all of its
 * stones of one color were at some time. */
static int w7_index_try(w7_index_search *search, int64_t game, int64_t form, int64_t place)
{
    const w7_index_group *group = search->group;
    const w7_index_form *of = &search->forms[form];
    const int32_t *points = of->points + place * of->count;
    const uint8_t *first = group->first_stones;
    w7_index_game at;
    int64_t begin = 0, end = W7_INDEX_NEVER, with_stone = of->colored + of->stones, k = 0;
    int is_exact = first != NULL, has_late = 0;
    if (first != NULL) {
        const int64_t lanes = w7_index_lanes(group, game);
        first += w7_index_first_at(group, game);
        for (; k < with_stone; k++) {
            int since = (uint8_t)(first[points[k] * lanes] - 1);
            if (since == W7_INDEX_NEVER)
                return 0;
            if (since >= W7_INDEX_LATE)
                is_exact = 0;
            begin = since <= W7_INDEX_LATE && since > begin ? since : begin;
        }
        for (; k < with_stone + of->empty; k++) {
            int since = (uint8_t)(first[points[k] * lanes] - 1);
            if (since < W7_INDEX_LATE) {
                if (since <= begin)
                    return 0;
                end = since < end ? since : end;
            } else {
                is_exact = is_exact && since != W7_INDEX_VARIES;
                has_late |= since == W7_INDEX_LATE;
            }
        }
        for (; k < of->count; k++) {
            int since = (uint8_t)(first[points[k] * lanes] - 1), color;
            uint8_t allowed = of->allowed[k];
            if (since == W7_INDEX_VARIES) {
                is_exact = 0;
            } else if (since == W7_INDEX_NEVER) {
                if (!(allowed & W7_INDEX_EMPTY))
                    return 0;
            } else {
                color = w7_index_has(group->black, group->row_bytes, points[k], game) ? W7_INDEX_BLACK : W7_INDEX_WHITE;
                if (allowed & color) {
                    if (allowed & W7_INDEX_EMPTY)
                        continue;
                    is_exact = is_exact && since != W7_INDEX_LATE;
                    begin = since > begin ? since : begin;
                } else if (since == W7_INDEX_LATE) {
                    has_late = 1;
                } else {
                    end = since < end ? since : end;
                }
            }
        }
        if (begin >= end)
            return 0;
    }
    at = w7_index_game_at(group, game);
    /* Unless a point was filled before the late frames, those that were filled
   * then end what is found. */
    if (end == W7_INDEX_NEVER) {
        end = at.end - at.begin;
        is_exact = is_exact && !has_late;
    }
    if (search->max_move >= 0) {
        int64_t most = w7_index_frames_up_to(group, at, search->max_move);
        end = most < end ? most : end;
    }
    end = at.end - at.begin < end ? at.end - at.begin : end;
    if (begin >= end)
        return 0;
    if (is_exact)
        return w7_index_add_hit(&search->pending, game, begin, end, form, place);
    return w7_index_play_through(search, game, at, begin, end, form, place);
}

static void w7_index_and(uint64_t *left, const uint8_t *row, const uint8_t *other, size_t bytes, uint64_t *any)
{
    uint64_t words[W7_INDEX_BLOCK_WORDS] = {0}, more[W7_INDEX_BLOCK_WORDS] = {0}, some = 0;
    if (bytes == W7_INDEX_BLOCK_BYTES)
        memcpy(words, row, W7_INDEX_BLOCK_BYTES);
    else
        memcpy(words, row, bytes);
    if (other != NULL)
        memcpy(more, other, bytes);
    for (int k = 0; k < W7_INDEX_BLOCK_WORDS; k++) {
        left[k] &= words[k] | more[k];
        some |= left[k];
    }
    *any = some;
}

/* Eight bytes as a word, the first one lowest on every machine. */
static inline uint64_t w7_index_word(const uint8_t *at)
{
    return (uint64_t)at[0] | (uint64_t)at[1] << 8 | (uint64_t)at[2] << 16 | (uint64_t)at[3] << 24 |
           (uint64_t)at[4] << 32 | (uint64_t)at[5] << 40 | (uint64_t)at[6] << 48 | (uint64_t)at[7] << 56;
}

/* Says of 64 games, a bit each, whether the first stones leave a frame at which a form may be at a place. */
static uint64_t w7_index_bound(const uint8_t *first, const w7_index_form *of, const int32_t *points)
{
    enum { LANES = 16 }; /* those of a vector of every processor: bounds stay in registers */
    const int64_t with_stone = of->colored + of->stones, count = with_stone + of->empty;
    uint64_t may_be = 0;
    for (int part = 0; part < W7_INDEX_LANES; part += LANES) {
        /* One more than the frame, as first stones are, and at most the last one that is told apart. */
        uint8_t begin[LANES], end[LANES];
        const uint8_t *at = first + part;
        for (int i = 0; i < LANES; i++)
            begin[i] = 1;
        for (int64_t k = 0; k < with_stone; k++) {
            const uint8_t *row = at + (int64_t)points[k] * W7_INDEX_LANES;
            for (int i = 0; i < LANES; i++)
                begin[i] = row[i] > begin[i] ? row[i] : begin[i];
        }
        for (int i = 0; i < LANES; i++) {
            begin[i] = begin[i] < W7_INDEX_LATE ? begin[i] : W7_INDEX_LATE;
            end[i] = 255;
        }
        for (int64_t k = with_stone; k < count; k++) {
            const uint8_t *row = at + (int64_t)points[k] * W7_INDEX_LANES;
            for (int i = 0; i < LANES; i++) {
                const uint8_t since = (uint8_t)(row[i] - 1);
                end[i] = since < end[i] ? since : end[i];
            }
        }
        for (int i = 0; i < LANES; i++)
            end[i] = end[i] >= begin[i];
        for (int i = 0; i < LANES; i += 8) /* the product gathers eight bits into the highest byte */
            may_be |= (w7_index_word(end + i) * 0x0102040810204080u >> 56) << (part + i);
    }
    return may_be;
}

/* Tries the games of a block, `chosen` bits of them, with a form at a place. */
static int w7_index_try_block(w7_index_search *search, int64_t block, size_t bytes, const uint64_t *chosen,
                              int64_t form, int64_t place)
{
    const w7_index_group *group = search->group;
    const w7_index_form *of = &search->forms[form];
    const int32_t *points = of->points + place * of->count;
    uint64_t left[W7_INDEX_BLOCK_WORDS], any = 1;
    uint8_t bits[W7_INDEX_BLOCK_BYTES];
    memcpy(left, chosen, sizeof left);
    for (int64_t k = 0; k < of->colored + of->stones && any; k++) {
        int64_t row = points[k] * group->row_bytes + (block >> 3);
        if (k >= of->colored)
            w7_index_and(left, group->black + row, group->white + row, bytes, &any);
        else
            w7_index_and(left, (of->allowed[k] == W7_INDEX_BLACK ? group->black : group->white) + row, NULL, bytes,
                         &any);
    }
    if (!any)
        return 0;
    memcpy(bits, left, sizeof bits);
    for (size_t word = 0; word < W7_INDEX_BLOCK_WORDS; word++) {
        const int64_t games = block + 64 * (int64_t)word;
        uint64_t some;
        if (!left[word])
            continue;
        some = w7_index_word(bits + 8 * word);
        if (group->first_stones != NULL && w7_index_lanes(group, games) == W7_INDEX_LANES)
            some &= w7_index_bound(group->first_stones + w7_index_first_at(group, games), of, points);
        for (; some; some &= some - 1)
            if (w7_index_try(search, games + w7_lowest_bit(some), form, place))
                return -1;
    }
    return 0;
}

/* Gives each frame of a game the first of `count` hits that has it, and adds
 * them to `hits` in the order of frames. */
static int w7_index_settle(w7_index_search *search, const uint32_t *order, size_t count, w7_index_hits *hits)
{
    const w7_index_hit *pending = search->pending.at;
    int64_t game = pending[order[0]].game, least = INT32_MAX, most = 0, missing;
    w7_index_game at;
    if (count == 1 && !search->to_play) {
        const w7_index_hit *hit = &pending[order[0]];
        return w7_index_add_hit(hits, game, hit->begin, hit->end, hit->form, hit->place);
    }
    for (size_t k = 0; k < count; k++) {
        least = pending[order[k]].begin < least ? pending[order[k]].begin : least;
        most = pending[order[k]].end > most ? pending[order[k]].end : most;
    }
    at = w7_index_game_at(search->group, game);
    if (at.end - at.begin > search->frames_room) {
        int64_t room = 2 * (at.end - at.begin);
        free(search->owners);
        free(search->turns);
        search->owners = malloc((size_t)room * sizeof(int32_t));
        search->turns = malloc((size_t)room);
        search->frames_room = search->owners == NULL || search->turns == NULL ? 0 : room;
        if (!search->frames_room)
            return -1;
    }
    if (search->to_play)
        w7_index_turns(search->group, at, search->turns);
    for (int64_t frame = least; frame < most; frame++)
        search->owners[frame] = -1;
    missing = most - least;
    for (size_t k = 0; k < count && missing; k++) {
        const w7_index_hit *hit = &pending[order[k]];
        int turn = search->forms[hit->form].swapped ? 3 - search->to_play : search->to_play;
        for (int64_t frame = hit->begin; frame < hit->end; frame++)
            if (search->owners[frame] < 0 && (!search->to_play || search->turns[frame] == turn)) {
                search->owners[frame] = (int32_t)order[k];
                missing--;
            }
    }
    for (int64_t frame = least, next; frame < most; frame = next) {
        int32_t owner = search->owners[frame];
        for (next = frame + 1; next < most && search->owners[next] == owner; next++)
            ;
        if (owner >= 0 && w7_index_add_hit(hits, game, frame, next, pending[owner].form, pending[owner].place))
            return -1;
    }
    return 0;
}

/* Adds the hits of a block to `hits`, by game and frame. */
static int w7_index_settle_block(w7_index_search *search, int64_t block, w7_index_hits *hits)
{
    size_t begins[W7_INDEX_BLOCK + 1] = {0}, places[W7_INDEX_BLOCK], count = search->pending.count;
    if (count > INT32_MAX)
        return -1;
    if (count > search->order_room) {
        free(search->order);
        search->order = malloc(2 * count * sizeof(uint32_t));
        search->order_room = search->order == NULL ? 0 : 2 * count;
        if (search->order == NULL)
            return -1;
    }
    for (size_t k = 0; k < count; k++)
        begins[search->pending.at[k].game - block + 1]++;
    for (int k = 0; k < W7_INDEX_BLOCK; k++) {
        begins[k + 1] += begins[k];
        places[k] = begins[k];
    }
    for (size_t k = 0; k < count; k++)
        search->order[places[search->pending.at[k].game - block]++] = (uint32_t)k;
    for (int k = 0; k < W7_INDEX_BLOCK; k++)
        if (begins[k + 1] > begins[k])
            if (w7_index_settle(search, search->order + begins[k], begins[k + 1] - begins[k], hits))
                return -1;
    return 0;
}

/* Adds to `hits` where the forms are among games, `chosen` bits of them (NULL:
 * all): of each frame the first form and place that is there. Returns -1 where
 * there is not enough memory. */
static int w7_index_find(w7_index_search *search, const uint8_t *chosen, w7_index_hits *hits)
{
    const w7_index_group *group = search->group;
    int status = 0;
    search->allowed_form = search->allowed_place = -1;
    search->allowed = malloc((size_t)group->points + 1);
    if (search->allowed == NULL)
        return -1;
    memset(search->allowed, 7, (size_t)group->points + 1);
    for (int64_t block = 0; block < group->games && !status; block += W7_INDEX_BLOCK) {
        int64_t games = group->games - block < W7_INDEX_BLOCK ? group->games - block : W7_INDEX_BLOCK;
        size_t bytes = (size_t)(games + 7) / 8;
        uint8_t bits[W7_INDEX_BLOCK_BYTES] = {0};
        uint64_t words[W7_INDEX_BLOCK_WORDS], any = 0;
        if (chosen == NULL)
            memset(bits, 255, bytes);
        else
            memcpy(bits, chosen + (block >> 3), bytes);
        if (games & 7)
            bits[bytes - 1] &= (uint8_t)((1 << (games & 7)) - 1);
        memcpy(words, bits, sizeof words);
        for (int k = 0; k < W7_INDEX_BLOCK_WORDS; k++)
            any |= words[k];
        if (!any)
            continue;
        search->pending.count = 0;
        for (int64_t form = 0; form < search->form_count && !status; form++)
            for (int64_t place = 0; place < search->forms[form].places && !status; place++)
                status = w7_index_try_block(search, block, bytes, words, form, place);
        if (!status && search->pending.count)
            status = w7_index_settle_block(search, block, hits);
    }
    free(search->allowed);
    free(search->pending.at);
    free(search->turns);
    free(search->owners);
    free(search->order);
    return status;
}

W7_INDEX_LOOPS_END

#endif
