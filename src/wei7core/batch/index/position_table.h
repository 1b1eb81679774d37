/* The games of frames, by the hash of their positions, and what followed the positions of many games.
 *
 * The hash is the canonical one, the least of those under the symmetries of the board. Buckets are by its first bits;
 * in a bucket frames are in the order of the hash, of which the next 8 bits are kept. A position that is in
 * W7_INDEX_COMMON games or more is a common one, with the number of games and the next moves by winner, so that no game
 * is played through for it; but where a game has it under different symmetries, or with different moves onto points
 * after it, it is left out, for moves that a symmetry exchanges are to be counted once a game. */
#ifndef W7_BATCH_INDEX_POSITION_TABLE_H
#define W7_BATCH_INDEX_POSITION_TABLE_H

#include "batch/index/position_order.h"

enum { W7_INDEX_KEY_BITS = 8 };

/* A frame of a position that may be a common one. */
typedef struct {
    uint32_t game;
    uint32_t frame; /* in the group */
    uint32_t next;  /* the code of the move that follows at once; 0 where there is none */
    uint8_t turned;
} w7_index_entry;

/* The common positions of a group in the order of their hashes, as arrays of a segment file. */
typedef struct {
    w7_out hashes;       /* uint64 */
    w7_out games;        /* uint32: how many */
    w7_out image_ends;   /* uint32 */
    w7_out image_hashes; /* uint64: of the positions as they are in games */
    w7_out move_ends;    /* uint32, by image */
    w7_out moves;        /* uint32: codes */
    w7_out counts;       /* uint32: 3 a move, by winner */
} w7_index_common;

W7_INDEX_LOOPS_BEGIN

static int w7_index_append_number(w7_out *bytes, size_t number)
{
    const uint32_t value = (uint32_t)number;
    return w7_out_bytes(bytes, &value, sizeof value);
}

/* The next moves of a position, counted by code; memory of w7_index_order_hashes. */
typedef struct {
    uint32_t *counts; /* 3 a code, by winner */
    uint32_t *codes;  /* those that have a count */
    size_t code_count;
} w7_index_following;

/* Adds the entries of one position, by game, to the common ones, if it is one. */
static int w7_index_add_common(const w7_index_ordering *ordering, uint64_t canonical, const w7_index_entry *entries,
                               size_t count, const uint8_t *winners, w7_index_following *following,
                               w7_index_common *common)
{
    enum { MOST_A_GAME = 8 };
    const w7_index_group *group = ordering->group;
    uint8_t images[W7_INDEX_IMAGES];
    size_t firsts[W7_INDEX_IMAGES], image_count = 0, games = 0, first = 0;
    uint32_t onto_point = 0;
    for (size_t k = 0; k < count; k++) {
        size_t image = 0;
        while (image < image_count && images[image] != entries[k].turned)
            image++;
        if (image == image_count) {
            firsts[image_count] = k;
            images[image_count++] = entries[k].turned;
        }
        if (!k || entries[k].game != entries[first].game) {
            games++;
            first = k;
            onto_point = 0;
        } else if (k - first >= MOST_A_GAME || entries[k].turned != entries[first].turned) {
            return 0;
        }
        if (entries[k].next && entries[k].next >> 2 < group->points) {
            if (onto_point && onto_point != entries[k].next)
                return 0;
            onto_point = entries[k].next;
        }
    }
    if (games < W7_INDEX_COMMON)
        return 0;
    for (size_t image = 0; image < image_count; image++) {
        const uint64_t hash =
            w7_index_plain_hash(group, &ordering->hashing, entries[firsts[image]].game, entries[firsts[image]].frame);
        following->code_count = 0;
        for (size_t k = firsts[image]; k < count; k++) {
            const uint32_t code = entries[k].next;
            uint32_t *counts;
            size_t before = k;
            if (entries[k].turned != images[image] || !code || code >> 2 > group->points)
                continue;
            while (before && entries[before - 1].game == entries[k].game && entries[before - 1].next != code)
                before--;
            if (before && entries[before - 1].game == entries[k].game)
                continue;
            counts = following->counts + 3 * (size_t)code;
            if (!(counts[0] | counts[1] | counts[2]))
                following->codes[following->code_count++] = code;
            counts[winners[entries[k].game] % 3]++;
        }
        for (size_t k = 0; k < following->code_count; k++) {
            uint32_t *counts = following->counts + 3 * (size_t)following->codes[k];
            if (w7_out_bytes(&common->moves, &following->codes[k], sizeof(uint32_t)) ||
                w7_out_bytes(&common->counts, counts, 3 * sizeof(uint32_t)))
                return -1;
            memset(counts, 0, 3 * sizeof *counts);
        }
        if (w7_out_bytes(&common->image_hashes, &hash, sizeof(uint64_t)) ||
            w7_index_append_number(&common->move_ends, common->moves.count / sizeof(uint32_t)))
            return -1;
    }
    return w7_out_bytes(&common->hashes, &canonical, sizeof(uint64_t)) ||
                   w7_index_append_number(&common->games, games) ||
                   w7_index_append_number(&common->image_ends, common->image_hashes.count / sizeof(uint64_t))
               ? -1
               : 0;
}

/* Tables by hash, with 2 to the power of `bits` buckets. Game numbers have 2 bytes, or 4 (`is_long`). */
typedef struct {
    uint32_t *buckets;
    void *games;
    uint8_t *keys;
    int bits;
    uint8_t is_long;
} w7_index_tables;

/* Fills the tables for a part. `piles` are those of w7_index_order_part. */
static void w7_index_fill_part(const w7_index_ordering *ordering, int64_t part, const uint64_t *ordered,
                               const uint32_t *piles, const w7_index_tables *tables)
{
    const size_t begin = ordering->parts[part], count = ordering->parts[part + 1] - begin;
    const int bits = tables->bits - ordering->part_bits, finer_bits = ordering->bits_in_part - bits;
    const int key_shift = 64 - bits - W7_INDEX_KEY_BITS;
    uint32_t *buckets = tables->buckets + ((size_t)part << bits);
    uint8_t *keys = tables->keys + begin;
    if (key_shift >= ordering->id_bits) {
        for (size_t bucket = 0; bucket < (size_t)1 << bits; bucket++)
            buckets[bucket] = (uint32_t)begin + piles[bucket << finer_bits];
        for (size_t k = 0; k < count; k++)
            keys[k] = (uint8_t)(ordered[k] >> key_shift);
    } else { /* many games, of which one is very long */
        size_t bucket = 0;
        for (size_t k = 0; k < count; k++) {
            const uint64_t rest = ordering->hashes[w7_index_place_frame(ordering, ordered[k])] << ordering->part_bits;
            for (; bucket <= rest >> 1 >> (63 - bits); bucket++)
                buckets[bucket] = (uint32_t)(begin + k);
            keys[k] = (uint8_t)(rest >> key_shift);
        }
        for (; bucket < (size_t)1 << bits; bucket++)
            buckets[bucket] = (uint32_t)(begin + count);
    }
    if (tables->is_long) {
        uint32_t *games = (uint32_t *)tables->games + begin;
        for (size_t k = 0; k < count; k++)
            games[k] = w7_index_place_game(ordering, ordered[k]);
    } else {
        uint16_t *games = (uint16_t *)tables->games + begin;
        for (size_t k = 0; k < count; k++)
            games[k] = (uint16_t)w7_index_place_game(ordering, ordered[k]);
    }
}

/* Orders the places of parts from `begin` up to `end` by their hashes, and fills the tables for them. */
static int w7_index_order_parts(w7_index_ordering *ordering, int64_t begin, int64_t end, const w7_index_tables *tables)
{
    uint32_t *piles = malloc((((size_t)1 << ordering->bits_in_part) + 1) * sizeof *piles);
    uint64_t *ordered;
    size_t most = 1;
    int status;
    for (int64_t part = begin; part < end; part++)
        most = ordering->parts[part + 1] - ordering->parts[part] > most
                   ? ordering->parts[part + 1] - ordering->parts[part]
                   : most;
    ordered = malloc(most * sizeof *ordered);
    status = piles == NULL || ordered == NULL ? -1 : 0;
    for (int64_t part = begin; part < end && !status; part++) {
        w7_index_order_part(ordering, part, ordered, piles);
        w7_index_settle_part(ordering, part, ordered);
        w7_index_fill_part(ordering, part, ordered, piles, tables);
    }
    free(ordered);
    free(piles);
    return status;
}

/* Reads the entry of a place. */
static w7_index_entry w7_index_entry_of(const w7_index_ordering *ordering, uint64_t place)
{
    const w7_index_group *group = ordering->group;
    const int64_t frame = w7_index_place_frame(ordering, place);
    w7_index_entry entry = {w7_index_place_game(ordering, place), (uint32_t)frame, 0, ordering->turned[frame]};
    if (frame + 1 < group->offsets[entry.game + 1])
        entry.next = w7_index_code(group->moves, group->is_wide, frame + 1);
    if ((entry.next & 3) != 1 && (entry.next & 3) != 2)
        entry.next = 0;
    return entry;
}

/* Adds the common positions of ordered parts from `begin` up to `end`. Returns -1 where there is not enough memory. */
static int w7_index_find_common(const w7_index_ordering *ordering, int64_t begin, int64_t end, const uint8_t *winners,
                                w7_index_common *common)
{
    const size_t codes = ((size_t)ordering->group->points + 1) << 2;
    w7_index_following following = {NULL, NULL, 0};
    w7_index_entry *entries;
    size_t most = 1;
    int status = 0;
    if (ordering->group->points > W7_INDEX_TABLE_POINTS)
        return 0;
    for (int64_t part = begin; part < end; part++)
        most = ordering->candidates[part] > most ? ordering->candidates[part] : most;
    entries = malloc(most * sizeof *entries);
    following.counts = calloc(3 * codes, sizeof(uint32_t));
    following.codes = malloc(codes * sizeof(uint32_t));
    if (entries == NULL || following.counts == NULL || following.codes == NULL)
        status = -1;
    for (int64_t part = begin; part < end && !status; part++) {
        const uint64_t *places = ordering->places + ordering->parts[part];
        const size_t count = ordering->candidates[part];
        for (size_t first = 0, next; first < count && !status; first = next) {
            const uint64_t hash = ordering->hashes[w7_index_place_frame(ordering, places[first])];
            for (next = first; next < count; next++) {
                entries[next - first] = w7_index_entry_of(ordering, places[next]);
                if (ordering->hashes[entries[next - first].frame] != hash)
                    break;
            }
            if (next - first >= W7_INDEX_COMMON)
                status = w7_index_add_common(ordering, hash, entries, next - first, winners, &following, common);
        }
    }
    free(entries);
    free(following.counts);
    free(following.codes);
    return status;
}

W7_INDEX_LOOPS_END

#endif
