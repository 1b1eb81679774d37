/* A search for the games that have a pattern, at any frame.
 *
 * First the bounds of all forms and places; then, of games that are not found yet, those are played through of which
 * bounds state no more than that the pattern may be there. Most games of a common pattern are found by few places. */
#ifndef W7_BATCH_INDEX_GAME_SEARCH_H
#define W7_BATCH_INDEX_GAME_SEARCH_H

#include "batch/index/position_search.h"

/* Games that are to be played through, 64 from `game` on, for a form at a place. */
typedef struct {
    uint64_t games;
    int32_t game;
    int32_t form;
    int32_t place;
} w7_index_doubt;

W7_TABLE(w7_index_doubts, w7_index_doubt);

W7_INDEX_LOOPS_BEGIN

/* Adds a doubt that is yet to be filled; NULL where there is not enough memory. */
static w7_index_doubt *w7_index_new_doubt(w7_index_doubts *doubts)
{
    return W7_TABLE_RESERVE_ONE(doubts) ? NULL : &doubts->at[doubts->count++];
}

enum { W7_INDEX_BATCH = 128, W7_INDEX_TWINS = 2 };

/* Forms at places, and for each the games of a block that had a stone wherever it has one. Forms with exchanged colors
 * are together, as bounds do not depend on these. The first stones of 64 games are small enough for the fastest cache, so
 * that all of a batch are compared with them before the next ones. */
typedef struct {
    int count;
    int32_t forms[W7_INDEX_BATCH][W7_INDEX_TWINS];
    int32_t places[W7_INDEX_BATCH];
    uint64_t games[W7_INDEX_BATCH][W7_INDEX_TWINS][W7_INDEX_BLOCK_WORDS];
} w7_index_batch;

/* Adds those of the 64 games from `game` on, bits of `possible`, in which a form of the batch, or its twin, may be at its
 * place to `doubts`. */
static int w7_index_add_doubts(const w7_index_batch *batch, int k, int word, int64_t game, uint64_t possible,
                               w7_index_doubts *doubts)
{
    const int twins = 1 + (batch->forms[k][1] != batch->forms[k][0]);
    for (int twin = 0; twin < twins; twin++) {
        const uint64_t games = possible & w7_index_word((const uint8_t *)&batch->games[k][twin][word]);
        w7_index_doubt *doubt;
        if (!games)
            continue;
        doubt = w7_index_new_doubt(doubts);
        if (doubt == NULL)
            return -1;
        doubt->games = games;
        doubt->game = (int32_t)game;
        doubt->form = batch->forms[k][twin];
        doubt->place = batch->places[k];
    }
    return 0;
}

/* Of the games in which bounds are certain those in which the form is there in time: at a frame before W7_INDEX_LATE,
 * which has no more moves in force than its number, where a limit is no smaller. */
static uint64_t w7_index_in_time(const w7_index_search *search, const w7_index_bounds *bounds)
{
    uint64_t certain = bounds->certain;
    if (!search->is_limited)
        return certain;
    if (search->max_move < W7_INDEX_LATE - 1)
        return 0;
    for (uint64_t some = certain; some; some &= some - 1)
        if (bounds->begins[w7_lowest_bit(some)] >= W7_INDEX_LATE)
            certain &= ~((uint64_t)1 << w7_lowest_bit(some));
    return certain;
}

/* Takes the games of a block in which a form of the batch is at its place by bounds out of `remaining`, and adds those
 * in which it may be to `doubts`. */
static int w7_index_bound_batch(const w7_index_search *search, int64_t block, w7_index_batch *batch,
                                uint64_t *remaining, w7_index_doubts *doubts)
{
    const w7_index_group *group = search->group;
    for (int word = 0; word < W7_INDEX_BLOCK_WORDS; word++) {
        const int64_t game = block + 64 * (int64_t)word;
        const int with_bounds =
            group->first_stones != NULL && game < group->games && w7_index_lanes(group, game) == W7_INDEX_LANES;
        uint64_t own = w7_index_word((const uint8_t *)&remaining[word]), native;
        for (int k = 0; k < batch->count && own; k++) {
            const w7_index_form *of = &search->forms[batch->forms[k][0]];
            const int32_t *points = of->points + batch->places[k] * of->count;
            const int has_twin = batch->forms[k][1] != batch->forms[k][0];
            const uint64_t either = batch->games[k][0][word] | (has_twin ? batch->games[k][1][word] : 0);
            uint64_t some = w7_index_word((const uint8_t *)&either) & own;
            w7_index_bounds bounds;
            if (!some)
                continue;
            if (with_bounds) {
                w7_index_bound(group, search->isa, game, of, points, search->limit, some, &bounds);
                bounds.certain = w7_index_in_time(search, &bounds);
                own &= ~bounds.certain;
                some = bounds.possible & ~bounds.certain;
            }
            if (some && w7_index_add_doubts(batch, k, word, game, some, doubts))
                return -1;
        }
        native = own;
        remaining[word] = w7_index_word((const uint8_t *)&native);
    }
    batch->count = 0;
    return 0;
}

/* Copies the planes of a block, which are far apart, to one place. */
static void w7_index_copy_planes(const w7_index_group *group, int64_t block, size_t bytes, uint8_t *planes)
{
    for (int64_t point = 0; point < group->points; point++, planes += 2 * W7_INDEX_BLOCK_BYTES) {
        const int64_t row = point * group->row_bytes + (block >> 3);
        if (bytes == W7_INDEX_BLOCK_BYTES) {
            w7_index_copy_lanes(planes, group->black + row);
            w7_index_copy_lanes(planes + W7_INDEX_BLOCK_BYTES, group->white + row);
        } else {
            memcpy(planes, group->black + row, bytes);
            memcpy(planes + W7_INDEX_BLOCK_BYTES, group->white + row, bytes);
        }
    }
}

enum { W7_INDEX_STRETCH_BYTES = 4 * W7_INDEX_BLOCK_BYTES, W7_INDEX_MOST_KEPT = 256 };

/* Finds which games of the stretch from `begin` on ever had the stones of each form at each place: a row at a time, as
 * those of points are far apart. */
static void w7_index_keep_stretch(w7_index_search *search, int64_t begin)
{
    const w7_index_group *group = search->group;
    const int64_t rest = group->row_bytes - (begin >> 3);
    const int64_t bytes = rest < W7_INDEX_STRETCH_BYTES ? rest : W7_INDEX_STRETCH_BYTES;
    uint8_t *games = search->kept;
    search->kept_begin = begin;
    for (int64_t form = 0; form < search->form_count; form++) {
        const w7_index_form *of = &search->forms[form];
        for (int64_t place = 0; place < of->places; place++, games += W7_INDEX_STRETCH_BYTES) {
            const int32_t *points = of->points + place * of->count;
            memset(games, 255, (size_t)bytes);
            for (int64_t k = 0; k < of->colored + of->stones; k++) {
                const int64_t at = points[k] * group->row_bytes + (begin >> 3);
                const uint8_t *black = group->black + at, *white = group->white + at;
                if (!w7_index_and_rows_isa(search->isa, games, of->allowed[k] == W7_INDEX_WHITE ? white : black,
                                           of->allowed[k] == W7_INDEX_BLACK ? black : white, bytes))
                    break;
            }
        }
    }
}

/* w7_index_begin_place, from what is kept of the stretch. */
static int w7_index_take_kept(const w7_index_search *search, int64_t block, int64_t form, int64_t place,
                              const uint64_t *remaining, uint64_t *games)
{
    uint64_t any = 0;
    for (int64_t k = 0; k < form; k++)
        place += search->forms[k].places;
    w7_index_copy_lanes((uint8_t *)games,
                        search->kept + place * W7_INDEX_STRETCH_BYTES + ((block - search->kept_begin) >> 3));
    for (int word = 0; word < W7_INDEX_BLOCK_WORDS; word++)
        any |= games[word] &= remaining[word];
    return any != 0;
}

/* Finds of the games `remaining` of a block those that may have a form at a place by its planes. Returns whether there
 * are any; else there are zeros. */
static int w7_index_begin_place(const w7_index_search *search, int64_t block, const w7_index_planes *planes,
                                int64_t form, int64_t place, const uint64_t *remaining, uint64_t *games)
{
    const w7_index_form *of = &search->forms[form];
    const size_t row_bytes = (size_t)(search->group->row_bytes - (block >> 3));
    int is_one = 1;
    if (search->kept != NULL && search->candidates == NULL)
        return w7_index_take_kept(search, block, form, place, remaining, games);
    if (search->candidates != NULL) {
        w7_index_copy_lanes((uint8_t *)games, (const uint8_t *)remaining);
        is_one = w7_index_and(games, search->candidates + form * search->group->row_bytes + (block >> 3), NULL,
                              row_bytes < W7_INDEX_BLOCK_BYTES ? row_bytes : W7_INDEX_BLOCK_BYTES);
        remaining = games;
    }
    is_one =
        is_one && w7_index_keep_with_stones(planes, search->isa, of, of->points + place * of->count, remaining, games);
    for (int word = 0; word < W7_INDEX_BLOCK_WORDS && !is_one; word++)
        games[word] = 0;
    return is_one;
}

/* Takes the games of a block that have one of the forms at one of its places out of `remaining`. */
static int w7_index_find_in_block(w7_index_search *search, int64_t block, size_t bytes, uint64_t *remaining,
                                  w7_index_doubts *doubts)
{
    w7_index_planes planes = w7_index_planes_of(search->group, block, bytes);
    w7_index_batch batch;
    doubts->count = 0;
    batch.count = 0;
    if (search->planes != NULL) {
        w7_index_copy_planes(search->group, block, bytes, search->planes);
        planes.black = search->planes;
        planes.white = search->planes + W7_INDEX_BLOCK_BYTES;
        planes.stride = 2 * W7_INDEX_BLOCK_BYTES;
        planes.bytes = W7_INDEX_BLOCK_BYTES;
    }
    for (int64_t form = 0; form < search->form_count; form++) {
        const int32_t twin = search->twins[form];
        for (int64_t place = 0; place < search->forms[form].places && twin >= 0; place++) {
            const int k = batch.count;
            uint64_t (*games)[W7_INDEX_BLOCK_WORDS] = batch.games[k];
            batch.forms[k][0] = (int32_t)form;
            batch.forms[k][1] = twin;
            batch.places[k] = (int32_t)place;
            batch.count +=
                w7_index_begin_place(search, block, &planes, form, place, remaining, games[0]) |
                (twin > form && w7_index_begin_place(search, block, &planes, twin, place, remaining, games[1]));
            if (batch.count < W7_INDEX_BATCH)
                continue;
            if (w7_index_bound_batch(search, block, &batch, remaining, doubts))
                return -1;
            if (!w7_index_has_any(remaining))
                return 0;
        }
    }
    if (w7_index_bound_batch(search, block, &batch, remaining, doubts))
        return -1;
    /* What is read first of each game to be played through; a function of its own that does no more is compiled away. */
    for (int64_t k = 0; k < doubts->count; k++)
        for (uint64_t some = doubts->at[k].games; some; some &= some - 1) {
            const w7_index_game at = w7_index_game_at(search->group, doubts->at[k].game + w7_lowest_bit(some));
            const uint16_t *moves = (const uint16_t *)search->group->moves + (at.begin << search->group->is_wide);
            for (int line = 0; line < 3; line++)
                W7_PREFETCH(moves + 32 * line);
            W7_PREFETCH(search->group->change_frames + at.change_begin);
            W7_PREFETCH((const uint16_t *)search->group->changes + (at.change_begin << search->group->is_wide));
        }
    for (int64_t k = 0; k < doubts->count; k++) {
        const w7_index_doubt *doubt = &doubts->at[k];
        uint64_t *word = &remaining[(doubt->game - block) / 64];
        const uint64_t own = w7_index_word((const uint8_t *)word);
        for (uint64_t some = doubt->games & own; some; some &= some - 1) {
            const int64_t game = doubt->game + w7_lowest_bit(some);
            search->pending.count = 0;
            if (w7_index_try(search, game, doubt->form, doubt->place))
                return -1;
            if (search->pending.count)
                ((uint8_t *)word)[(game & 63) >> 3] &= (uint8_t)~(1 << (game & 7));
        }
    }
    return 0;
}

static int64_t w7_index_count_bits(const uint8_t *bits, int64_t bytes)
{
    int64_t count = 0;
    int64_t k = 0;
    for (uint64_t word; k + 8 <= bytes; k += 8) {
        memcpy(&word, bits + k, sizeof word);
        count += w7_bit_count(word);
    }
    for (; k < bytes; k++)
        count += w7_bit_count(bits[k]);
    return count;
}

/* Sets bits of `found` for the games of `search->group` from `begin`, a multiple of W7_INDEX_BLOCK, up to `end` that have
 * one of the forms, of those of `chosen` bits (NULL: all); both begin with that of game 0. Games that have their bit are
 * not searched. Returns -1 where there is not enough memory. */
static int w7_index_find_games(w7_index_search *search, int64_t begin, int64_t end, const uint8_t *chosen,
                               uint8_t *found)
{
    w7_index_doubts doubts = {NULL, 0, 0};
    int64_t stones = 0, places = 0, kept_end = 0;
    int status = 0;
    w7_index_set_limit(search);
    search->is_first_only = 1;
    for (int64_t form = 0; form < search->form_count; form++) {
        stones += search->forms[form].places * (search->forms[form].colored + search->forms[form].stones);
        places += search->forms[form].places;
    }
    /* Without memory for that or for the copy planes are read where they are. */
    if (search->kept == NULL && places <= W7_INDEX_MOST_KEPT && search->candidates == NULL)
        search->kept = calloc((size_t)places + 1, W7_INDEX_STRETCH_BYTES);
    if (search->kept == NULL && search->planes == NULL && stones > 2 * search->group->points &&
        search->candidates == NULL)
        search->planes = calloc((size_t)search->group->points, 2 * W7_INDEX_BLOCK_BYTES);
    for (int64_t block = begin; block < end && !status; block += W7_INDEX_BLOCK) {
        uint64_t words[W7_INDEX_BLOCK_WORDS], remaining[W7_INDEX_BLOCK_WORDS], before[W7_INDEX_BLOCK_WORDS] = {0};
        const size_t bytes = w7_index_choose(search->group, block, chosen, words);
        memcpy(before, found + (block >> 3), bytes);
        for (int k = 0; k < W7_INDEX_BLOCK_WORDS; k++)
            remaining[k] = words[k] &= ~before[k];
        if (!w7_index_has_any(words))
            continue;
        if (search->kept != NULL && search->candidates == NULL && block >= kept_end) {
            w7_index_keep_stretch(search, block);
            kept_end = block + 8 * W7_INDEX_STRETCH_BYTES;
        }
        status = w7_index_find_in_block(search, block, bytes, remaining, &doubts);
        for (int k = 0; k < W7_INDEX_BLOCK_WORDS; k++)
            before[k] |= words[k] ^ remaining[k];
        memcpy(found + (block >> 3), before, bytes);
    }
    search->is_first_only = 0;
    free(doubts.at);
    return status;
}

W7_INDEX_LOOPS_END

#endif
