/* A search for a pattern in the games of a group.
 *
 * Games go by in blocks of 512. Of each form of the pattern and each of its
 * places the planes of a block leave the games in which every stone was there
 * at some time. The first stones then bound the frames at which the pattern may
 * be there, 16 games at a time; where no point of it ever changed twice these
 * bounds are the answer, and only other games are played through, with a count
 * of the points that differ from the pattern. */
#ifndef W7_BATCH_INDEX_POSITION_SEARCH_H
#define W7_BATCH_INDEX_POSITION_SEARCH_H

#include <stdlib.h>

#include "batch/index/block_planes.h"
#include "board/kernel/bits.h"

enum { W7_INDEX_MARKS = 512 };

/* A pattern is there from frame `begin` up to `end` of a game, frames counted
 * in the game. `group` is the number of the group among those that are searched. */
typedef struct {
    int32_t group;
    int32_t game;
    int32_t begin;
    int32_t end;
    int32_t form;
    int32_t place;
} w7_index_hit;

W7_TABLE(w7_index_hits, w7_index_hit);

typedef struct {
    const w7_index_group *group;
    const w7_index_form *forms;
    int64_t form_count;
    int64_t max_move; /* -1 for none */
    int32_t group_number;
    uint8_t to_play; /* 0 for either */
    /* Whether the stones were put by moves that follow one another. */
    uint8_t is_contiguous;
    uint8_t isa;
    /* Whether one frame of a game is enough. */
    uint8_t is_first_only;
    /* Before which frame a position is to be, 255 for none or where bounds do not decide: then it is limited. */
    uint8_t limit;
    uint8_t is_limited;
    /* Of a block, for each point, bits of the games that ever had a black stone, then of those that had a white one. */
    uint8_t *planes;
    /* By form and place bits of the games of a stretch, from `kept_begin` on, that ever had its stones; NULL where there
     * are too many places. */
    uint8_t *kept;
    int64_t kept_begin;
    /* By form bits of the games that may have it; NULL: all. */
    const uint8_t *candidates;
    /* By form the other one for which bounds are the same, itself where there is none; -1 where it is a former one. */
    int32_t *twins;
    /* By code of a move onto an empty point, by how much the number of points changes that differ from what is played for,
     * and that number before the first move. The points are `aimed`; their bits are `marks`. */
    int8_t *differences;
    int64_t differing;
    int32_t *aimed;
    int64_t aimed_count;
    uint16_t marks[W7_INDEX_MARKS / 16];
    uint8_t *is_put;       /* by point of the board, for a while */
    w7_index_hits pending; /* of a block, by form and place */
    uint8_t *turns;
    int32_t *owners;
    int64_t frames_room;
    uint32_t *order;
    int64_t order_room;
} w7_index_search;

W7_INDEX_LOOPS_BEGIN

static int w7_index_add_hit(w7_index_hits *hits, w7_index_hit hit)
{
    if (W7_TABLE_RESERVE_ONE(hits))
        return -1;
    hits->at[hits->count++] = hit;
    return 0;
}

/* The number of the stone of a form that the move of a frame of the group put, -1 for another move or none. */
static int64_t w7_index_stone_of(const w7_index_group *group, int64_t frame, const int32_t *points, int64_t stones)
{
    const uint32_t code = w7_index_code(group->moves, group->is_wide, frame);
    for (int64_t k = 0; k < stones && (code & 3); k++)
        if (code >> 2 == (uint32_t)points[k])
            return k;
    return -1;
}

/* Whether the stones of a form at a place, all there at `frame` of a game, were put by moves that follow one another,
 * in the order that the form names. */
static int w7_index_in_turn(w7_index_search *search, w7_index_game at, int64_t frame, const w7_index_form *of,
                            const int32_t *points)
{
    const w7_index_group *group = search->group;
    const int64_t stones = of->colored + of->stones;
    int64_t last = at.begin + frame;
    int is_in_turn = 1;
    if (!stones)
        return 1;
    while (last >= at.begin && w7_index_stone_of(group, last, points, stones) < 0)
        last--;
    if (last - stones + 1 < at.begin)
        return 0;
    for (int64_t next = stones - 1; next >= 0 && is_in_turn; next--, last--) {
        const int64_t k = w7_index_stone_of(group, last, points, stones);
        const uint32_t color = w7_index_code(group->moves, group->is_wide, last) & 3;
        is_in_turn = k >= 0 && color < 3 && (of->allowed[k] >> color & 1) && !search->is_put[points[k]] &&
                     (of->order == NULL || of->order[k] == next);
        if (is_in_turn)
            search->is_put[points[k]] = 1;
    }
    for (int64_t k = 0; k < stones; k++)
        search->is_put[points[k]] = 0;
    return is_in_turn;
}

/* Adds what was found of a form at a place to the hits of the block. */
static int w7_index_add_pending(w7_index_search *search, int64_t game, w7_index_game at, int64_t begin, int64_t end,
                                int64_t form, int64_t place)
{
    const w7_index_form *of = &search->forms[form];
    const int32_t *points = of->points + place * of->count;
    w7_index_hit hit = {search->group_number, (int32_t)game, (int32_t)begin,
                        (int32_t)end,         (int32_t)form, (int32_t)place};
    if (!search->is_contiguous)
        return w7_index_add_hit(&search->pending, hit);
    for (int64_t next; begin < end; begin = next) {
        /* A stone may be put once more, in place of itself. */
        for (next = begin + 1; next < end; next++)
            if (w7_index_stone_of(search->group, at.begin + next, points, of->colored + of->stones) >= 0)
                break;
        hit.begin = (int32_t)begin;
        hit.end = (int32_t)next;
        if (w7_index_in_turn(search, at, begin, of, points) && w7_index_add_hit(&search->pending, hit))
            return -1;
    }
    return 0;
}

static inline int w7_index_has(const uint8_t *plane, int64_t row_bytes, int64_t point, int64_t game)
{
    return plane[point * row_bytes + (game >> 3)] >> (game & 7) & 1;
}

/* Has games be played for no point. */
static void w7_index_aim_at_none(w7_index_search *search)
{
    for (int64_t k = 0; k < search->aimed_count; k++)
        memset(search->differences + 4 * (int64_t)search->aimed[k], 0, 4);
    memset(search->marks, 0, sizeof search->marks);
    search->aimed_count = search->differing = 0;
}

/* Has games be played for one more point, on which something is allowed. */
static void w7_index_aim_at(w7_index_search *search, int32_t point, uint8_t allowed)
{
    int8_t *at = search->differences + 4 * (int64_t)point;
    const int with_empty = !(allowed & W7_INDEX_EMPTY);
    at[1] = (int8_t)(!(allowed & W7_INDEX_BLACK) - with_empty);
    at[2] = at[3] = (int8_t)(!(allowed & W7_INDEX_WHITE) - with_empty);
    if (point < W7_INDEX_MARKS)
        search->marks[point / 16] |= (uint16_t)(1 << point % 16);
    search->differing += with_empty;
    search->aimed[search->aimed_count++] = point;
}

#ifdef W7_WITH_X86_ISAS

enum { W7_INDEX_FEW_AIMED = 8 };

/* The first of the codes from `begin` up to `end` that is on one of at most W7_INDEX_FEW_AIMED points, or perhaps so. */
W7_TARGET_AVX2 static int64_t w7_index_next_avx2(const uint16_t *codes, int64_t begin, int64_t end,
                                                 const int32_t *points, int64_t count)
{
    enum { CODES = 16 };
    __m256i wanted[W7_INDEX_FEW_AIMED];
    for (int k = 0; k < W7_INDEX_FEW_AIMED; k++)
        wanted[k] = _mm256_set1_epi16((int16_t)points[k < count ? k : 0]);
    for (; end - begin >= CODES; begin += CODES) {
        const __m256i at = _mm256_srli_epi16(_mm256_loadu_si256((const __m256i *)(const void *)(codes + begin)), 2);
        __m256i some = _mm256_cmpeq_epi16(at, wanted[0]);
        uint32_t on;
        for (int k = 1; k < W7_INDEX_FEW_AIMED; k++)
            some = _mm256_or_si256(some, _mm256_cmpeq_epi16(at, wanted[k]));
        on = (uint32_t)_mm256_movemask_epi8(some);
        if (on)
            return begin + w7_lowest_bit(on) / 2;
    }
    return begin;
}

/* The first of the codes from `begin` up to `end` that is on a point of the marks, or perhaps so. */
W7_TARGET_AVX512BW static int64_t w7_index_next_avx512(const uint16_t *codes, int64_t begin, int64_t end,
                                                       const uint16_t *marks)
{
    enum { CODES = 32 };
    const __m512i marked = _mm512_loadu_si512(marks), one = _mm512_set1_epi16(1), low = _mm512_set1_epi16(15);
    for (; begin < end; begin += CODES) {
        const uint32_t in = end - begin < CODES ? ((uint32_t)1 << (end - begin)) - 1 : UINT32_MAX;
        const __m512i points = _mm512_srli_epi16(_mm512_maskz_loadu_epi16(in, codes + begin), 2);
        const __m512i words = _mm512_permutexvar_epi16(_mm512_srli_epi16(points, 4), marked);
        const uint32_t on = in & _mm512_test_epi16_mask(words, _mm512_sllv_epi16(one, _mm512_and_si512(points, low)));
        if (on)
            return begin + w7_lowest_bit(on);
    }
    return end;
}

#endif

/* The first of the codes from `begin` up to `end` that may be on a point that is played for. */
static inline int64_t w7_index_next_on(const w7_index_search *search, const uint16_t *codes, int64_t begin, int64_t end)
{
#ifdef W7_WITH_X86_ISAS
    if (search->isa >= W7_ISA_AVX512BW && search->group->points < W7_INDEX_MARKS)
        return begin < end ? w7_index_next_avx512(codes, begin, end, search->marks) : begin;
    if (search->isa >= W7_ISA_AVX2 && search->aimed_count && search->aimed_count <= W7_INDEX_FEW_AIMED)
        begin = w7_index_next_avx2(codes, begin, end, search->aimed, search->aimed_count);
#endif
    while (begin < end && !search->differences[codes[begin]])
        begin++;
    return begin;
}

/* By how much a change changes the number of points that differ. */
static inline int w7_index_difference(const w7_index_search *search, int64_t change)
{
    const uint32_t code = w7_index_code(search->group->changes, search->group->is_wide, change);
    int by;
    if (code >= (uint32_t)search->group->points << 2)
        return 0;
    by = search->differences[(code & ~(uint32_t)3) + (code & 1) + 1];
    return code & 2 ? -by : by;
}

/* Plays a game through and adds the frames from `begin` up to `end` in which all points that are played for are as a form
 * at a place demands. */
static int w7_index_play_through(w7_index_search *search, int64_t game, w7_index_game at, int64_t begin, int64_t end,
                                 int64_t form, int64_t place)
{
    const w7_index_group *group = search->group;
    const uint16_t *short_moves = group->is_wide ? NULL : (const uint16_t *)group->moves + at.begin;
    const uint32_t code_end = (uint32_t)group->points << 2;
    int64_t differing = search->differing, since = 0, change = at.change_begin;
    for (int64_t number = 0; number < end; number++) {
        const int64_t before = differing;
        int64_t next = end - 1;
        /* Most moves and changes are on other points. */
        while (change < at.change_end && !w7_index_difference(search, change))
            change++;
        if (change < at.change_end && group->change_frames[change] - at.begin < next)
            next = group->change_frames[change] - at.begin;
        if (search->is_first_only && !differing && begin < next)
            next = begin;
        if (short_moves != NULL)
            number = w7_index_next_on(search, short_moves, number, next);
        {
            const uint32_t code = w7_index_code(group->moves, group->is_wide, at.begin + number);
            if (code < code_end)
                differing += search->differences[code];
        }
        for (; change < at.change_end && group->change_frames[change] <= at.begin + number; change++)
            differing += w7_index_difference(search, change);
        if (!before && differing) {
            const int64_t first = since > begin ? since : begin;
            if (first < number && w7_index_add_pending(search, game, at, first, number, form, place))
                return -1;
        } else if (before && !differing) {
            since = number;
        }
        if (search->is_first_only && !differing && number >= begin)
            return w7_index_add_pending(search, game, at, number, number + 1, form, place);
    }
    since = since > begin ? since : begin;
    return differing || since >= end ? 0 : w7_index_add_pending(search, game, at, since, end, form, place);
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
    w7_index_aim_at_none(search);
    if (first != NULL) {
        const int64_t lanes = w7_index_lanes(group, game);
        first += w7_index_first_at(group, game);
        for (; k < with_stone; k++) {
            int since = first[points[k] * lanes];
            if (since == W7_INDEX_NEVER)
                return 0;
            if (since >= W7_INDEX_LATE) {
                is_exact = 0;
                w7_index_aim_at(search, points[k], of->allowed[k]);
            }
            begin = since <= W7_INDEX_LATE && since > begin ? since : begin;
        }
        for (; k < with_stone + of->empty; k++) {
            int since = first[points[k] * lanes];
            if (since < W7_INDEX_LATE) {
                if (since <= begin)
                    return 0;
                end = since < end ? since : end;
            } else if (since != W7_INDEX_NEVER) {
                is_exact = is_exact && since < W7_INDEX_VARIES;
                has_late |= since == W7_INDEX_LATE;
                w7_index_aim_at(search, points[k], of->allowed[k]);
            }
        }
        for (; k < of->count; k++) {
            int since = first[points[k] * lanes], color;
            uint8_t allowed = of->allowed[k];
            if (since == W7_INDEX_LATE || since >= W7_INDEX_VARIES)
                w7_index_aim_at(search, points[k], allowed);
            if (since >= W7_INDEX_VARIES) {
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
    for (k = 0; first == NULL && k < of->count; k++)
        w7_index_aim_at(search, points[k], of->allowed[k]);
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
        return w7_index_add_pending(search, game, at, begin, end, form, place);
    return w7_index_play_through(search, game, at, begin, end, form, place);
}

/* Tries the 64 games from `game` on, bits of `some`, with a form at a place; all of them have first stones. */
static int w7_index_try_lanes(w7_index_search *search, int64_t game, uint64_t some, int64_t form, int64_t place)
{
    const w7_index_group *group = search->group;
    const w7_index_form *of = &search->forms[form];
    const int32_t *points = of->points + place * of->count;
    w7_index_bounds bounds;
    w7_index_bound(group, search->isa, game, of, points, search->limit, some, &bounds);
    for (some = bounds.possible; some; some &= some - 1) {
        const int lane = w7_lowest_bit(some);
        w7_index_game at;
        int64_t end;
        if (!(bounds.exact >> lane & 1) || search->is_limited) {
            if (w7_index_try(search, game + lane, form, place))
                return -1;
            continue;
        }
        at = w7_index_game_at(group, game + lane);
        end = at.end - at.begin;
        if (bounds.ends[lane] < W7_INDEX_LATE && bounds.ends[lane] < end)
            end = bounds.ends[lane];
        if (bounds.begins[lane] < end &&
            w7_index_add_pending(search, game + lane, at, bounds.begins[lane], end, form, place))
            return -1;
    }
    return 0;
}

/* Tries the games of a block, `chosen` bits of them, with a form at a place. */
static int w7_index_try_block(w7_index_search *search, int64_t block, size_t bytes, const uint64_t *chosen,
                              int64_t form, int64_t place)
{
    const w7_index_group *group = search->group;
    const w7_index_form *of = &search->forms[form];
    const int32_t *points = of->points + place * of->count;
    const w7_index_planes planes = w7_index_planes_of(group, block, bytes);
    uint64_t remaining[W7_INDEX_BLOCK_WORDS];
    uint8_t bits[W7_INDEX_BLOCK_BYTES];
    if (!w7_index_keep_with_stones(&planes, search->isa, of, points, chosen, remaining))
        return 0;
    memcpy(bits, remaining, sizeof bits);
    for (size_t word = 0; word < W7_INDEX_BLOCK_WORDS; word++) {
        const int64_t games = block + 64 * (int64_t)word;
        uint64_t some;
        if (!remaining[word])
            continue;
        some = w7_index_word(bits + 8 * word);
        if (group->first_stones != NULL && w7_index_lanes(group, games) == W7_INDEX_LANES) {
            if (w7_index_try_lanes(search, games, some, form, place))
                return -1;
            continue;
        }
        for (; some; some &= some - 1)
            if (w7_index_try(search, games + w7_lowest_bit(some), form, place))
                return -1;
    }
    return 0;
}

/* Gives each frame of a game the first of `count` hits that has it, and adds
 * them to `hits` in the order of frames. */
static int w7_index_settle(w7_index_search *search, const uint32_t *order, int64_t count, w7_index_hits *hits)
{
    const w7_index_hit *pending = search->pending.at;
    int64_t game = pending[order[0]].game, least = INT32_MAX, most = 0, missing;
    w7_index_game at;
    if (count == 1 && !search->to_play) {
        return w7_index_add_hit(hits, pending[order[0]]);
    }
    for (int64_t k = 0; k < count; k++) {
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
    for (int64_t k = 0; k < count && missing; k++) {
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
        if (owner >= 0) {
            w7_index_hit hit = pending[owner];
            hit.begin = (int32_t)frame;
            hit.end = (int32_t)next;
            if (w7_index_add_hit(hits, hit))
                return -1;
        }
    }
    return 0;
}

/* Has room for the order of `count` hits. */
static int w7_index_reserve_order(w7_index_search *search, int64_t count)
{
    if (count > INT32_MAX)
        return -1;
    if (count > search->order_room) {
        free(search->order);
        search->order = malloc(2 * (size_t)count * sizeof(uint32_t));
        search->order_room = search->order == NULL ? 0 : 2 * count;
    }
    return search->order == NULL ? -1 : 0;
}

/* Adds the pending hits, all of one game, to `hits`, by frame. */
static int w7_index_settle_game(w7_index_search *search, w7_index_hits *hits)
{
    if (w7_index_reserve_order(search, search->pending.count))
        return -1;
    for (int64_t k = 0; k < search->pending.count; k++)
        search->order[k] = (uint32_t)k;
    return w7_index_settle(search, search->order, search->pending.count, hits);
}

/* Adds the hits of a block to `hits`, by game and frame. */
static int w7_index_settle_block(w7_index_search *search, int64_t block, w7_index_hits *hits)
{
    int64_t begins[W7_INDEX_BLOCK + 1] = {0}, places[W7_INDEX_BLOCK];
    const int64_t count = search->pending.count;
    if (w7_index_reserve_order(search, count))
        return -1;
    for (int64_t k = 0; k < count; k++)
        begins[search->pending.at[k].game - block + 1]++;
    for (int k = 0; k < W7_INDEX_BLOCK; k++) {
        begins[k + 1] += begins[k];
        places[k] = begins[k];
    }
    for (int64_t k = 0; k < count; k++)
        search->order[places[search->pending.at[k].game - block]++] = (uint32_t)k;
    for (int k = 0; k < W7_INDEX_BLOCK; k++)
        if (begins[k + 1] > begins[k])
            if (w7_index_settle(search, search->order + begins[k], begins[k + 1] - begins[k], hits))
                return -1;
    return 0;
}

/* Frees what a search has made of memory. */
static void w7_index_end_search(w7_index_search *search)
{
    free(search->differences);
    free(search->aimed);
    free(search->is_put);
    free(search->planes);
    free(search->kept);
    free(search->twins);
    free(search->pending.at);
    free(search->turns);
    free(search->owners);
    free(search->order);
}

/* Whether two forms have the same bounds wherever both have their stones: these depend on no color then. */
static int w7_index_are_twins(const w7_index_form *one, const w7_index_form *other)
{
    const size_t points = (size_t)(one->places * one->count);
    return points && one->places == other->places && one->count == other->count && one->colored == other->colored &&
           one->stones == other->stones && one->colored + one->stones + one->empty == one->count &&
           other->empty == one->empty && !memcmp(one->points, other->points, points * sizeof *one->points);
}

/* Makes room for a search of `search->group`. Returns -1 where there is not enough memory. */
static int w7_index_begin_search(w7_index_search *search)
{
    const int32_t forms = (int32_t)search->form_count;
    /* For any code of 2 bytes there is one, so that most need no comparison. */
    search->differences = calloc(4 * (size_t)search->group->points + (1 << 16), 1);
    search->aimed = malloc((size_t)search->group->points * sizeof *search->aimed);
    search->is_put = calloc((size_t)search->group->points, 1);
    search->twins = malloc(((size_t)forms + 1) * sizeof *search->twins);
    if (search->differences == NULL || search->aimed == NULL || search->is_put == NULL || search->twins == NULL)
        return -1;
    for (int32_t form = 0; form < forms; form++)
        search->twins[form] = form;
    for (int32_t form = 0; form < forms; form++)
        for (int32_t other = form + 1; other < forms && search->twins[form] == form; other++)
            if (search->twins[other] == other && w7_index_are_twins(&search->forms[form], &search->forms[other])) {
                search->twins[form] = other;
                search->twins[other] = -1;
            }
    return 0;
}

/* Finds the bounds that `max_move` sets in the group. */
static void w7_index_set_limit(w7_index_search *search)
{
    const int is_small = search->max_move >= 0 && search->max_move + 1 < W7_INDEX_LATE && !search->group->has_setups;
    search->limit = is_small ? (uint8_t)(search->max_move + 1) : 255;
    search->is_limited = search->max_move >= 0 && !is_small;
}

/* Writes which games of a block are `chosen` bits (NULL: all), and returns how many bytes it has. */
static size_t w7_index_choose(const w7_index_group *group, int64_t block, const uint8_t *chosen, uint64_t *words)
{
    const int64_t games = group->games - block < W7_INDEX_BLOCK ? group->games - block : W7_INDEX_BLOCK;
    const size_t bytes = (size_t)(games + 7) / 8;
    uint8_t bits[W7_INDEX_BLOCK_BYTES] = {0};
    if (chosen == NULL)
        memset(bits, 255, bytes);
    else
        memcpy(bits, chosen + (block >> 3), bytes);
    if (games & 7)
        bits[bytes - 1] &= (uint8_t)((1 << (games & 7)) - 1);
    memcpy(words, bits, sizeof bits);
    return bytes;
}

static inline int w7_index_has_any(const uint64_t *words)
{
    uint64_t any = 0;
    for (int k = 0; k < W7_INDEX_BLOCK_WORDS; k++)
        any |= words[k];
    return any != 0;
}

/* Adds to `hits` where the forms are among games of `search->group` from `begin`, a multiple of W7_INDEX_BLOCK, up to
 * `end`, of those of `chosen` bits, which begin with that of game 0 (NULL: all): of each frame the first form and place
 * that is there. Returns -1 where there is not enough memory. */
static int w7_index_find(w7_index_search *search, int64_t begin, int64_t end, const uint8_t *chosen,
                         w7_index_hits *hits)
{
    int status = 0;
    w7_index_set_limit(search);
    for (int64_t block = begin; block < end && !status; block += W7_INDEX_BLOCK) {
        uint64_t words[W7_INDEX_BLOCK_WORDS];
        const size_t bytes = w7_index_choose(search->group, block, chosen, words);
        if (!w7_index_has_any(words))
            continue;
        search->pending.count = 0;
        for (int64_t form = 0; form < search->form_count && !status; form++)
            for (int64_t place = 0; place < search->forms[form].places && !status; place++)
                status = w7_index_try_block(search, block, bytes, words, form, place);
        if (!status && search->pending.count)
            status = w7_index_settle_block(search, block, hits);
    }
    return status;
}

W7_INDEX_LOOPS_END

#endif
