/* The games of frames, by the hash of their positions, and what followed the positions of many games.
 *
 * The hash is the canonical one, the least of those under the symmetries of the board. Buckets are by its first bits;
 * in a bucket frames are in the order of the hash, of which the next 8 bits are kept. A position that is in
 * W7_INDEX_COMMON games or more is a common one, with the number of games and the next moves by winner, so that no game
 * is played through for it; but where a game has it under different symmetries, or with different moves onto points
 * after it, it is left out, for moves that a symmetry exchanges are to be counted once a game. */
#ifndef W7_BATCH_INDEX_HASH_TABLE_H
#define W7_BATCH_INDEX_HASH_TABLE_H

#include <stdlib.h>

#include "batch/index/game_store.h"
#include "board/kernel/symmetry.h"
#include "board/kernel/zobrist.h"

enum { W7_INDEX_COMMON = 16, W7_INDEX_IMAGES = 8, W7_INDEX_KEY_BITS = 8, W7_INDEX_TABLE_POINTS = 1 << 10 };

/* By how much a stone changes the hashes under the symmetries that keep the size. */
typedef struct {
    uint64_t of[W7_INDEX_IMAGES];
} w7_index_images;

typedef struct {
    int32_t width;
    int32_t height;
    int count;              /* of symmetries */
    w7_index_images *table; /* by point and color; NULL where there are too many points, or no memory */
} w7_index_hashing;

typedef struct {
    uint64_t hash;
    uint32_t game;
    uint32_t frame; /* in the group */
} w7_index_entry;

/* Numbers that grow. */
typedef struct {
    uint8_t *at;
    size_t size;
    size_t room;
} w7_index_bytes;

/* The common positions of a group in the order of their hashes, as arrays of a segment file. */
typedef struct {
    w7_index_bytes hashes;       /* uint64 */
    w7_index_bytes games;        /* uint32: how many */
    w7_index_bytes image_ends;   /* uint32 */
    w7_index_bytes image_hashes; /* uint64: of the positions as they are in games */
    w7_index_bytes move_ends;    /* uint32, by image */
    w7_index_bytes moves;        /* uint32: codes */
    w7_index_bytes counts;       /* uint32: 3 a move, by winner */
} w7_index_common;

W7_INDEX_LOOPS_BEGIN

static w7_index_images w7_index_images_of(const w7_index_hashing *hashing, uint32_t point, int color)
{
    w7_index_images images = {{0}};
    const int32_t x = (int32_t)point % hashing->width, y = (int32_t)point / hashing->width;
    for (int symmetry = 0; symmetry < hashing->count; symmetry++) {
        const w7_point at = w7_symmetry_point(symmetry, hashing->width, hashing->height, x, y);
        images.of[symmetry] = w7_zobrist_stone(color, at.x, at.y);
    }
    return images;
}

static void w7_index_begin_hashing(w7_index_hashing *hashing, int32_t width, int32_t height)
{
    const uint32_t points = (uint32_t)width * (uint32_t)height;
    hashing->width = width;
    hashing->height = height;
    hashing->count = width == height ? 8 : 4;
    hashing->table = points > W7_INDEX_TABLE_POINTS ? NULL : malloc(2 * (size_t)points * sizeof(w7_index_images));
    for (uint32_t point = 0; hashing->table != NULL && point < points; point++)
        for (int color = 1; color <= 2; color++)
            hashing->table[2 * point + (uint32_t)color - 1] = w7_index_images_of(hashing, point, color);
}

static inline void w7_index_change_hashes(const w7_index_hashing *hashing, uint64_t *hashes, uint32_t point, int color)
{
    if (hashing->table != NULL) {
        const uint64_t *images = hashing->table[2 * point + (uint32_t)color - 1].of;
        for (int k = 0; k < W7_INDEX_IMAGES; k++)
            hashes[k] ^= images[k];
    } else {
        const w7_index_images images = w7_index_images_of(hashing, point, color);
        for (int k = 0; k < W7_INDEX_IMAGES; k++)
            hashes[k] ^= images.of[k];
    }
}

static void w7_index_begin_game(const w7_index_hashing *hashing, uint64_t *hashes)
{
    for (int k = 0; k < W7_INDEX_IMAGES; k++)
        hashes[k] = w7_zobrist_empty(hashing->width, hashing->height);
}

/* Goes on to the hashes of the position of `frame`; `change` is the next one of the game. */
static inline void w7_index_step_hashes(const w7_index_group *group, const w7_index_hashing *hashing, w7_index_game at,
                                        int64_t frame, int64_t *change, uint64_t *hashes)
{
    const uint32_t code = w7_index_code(group->moves, group->is_wide, frame), color = code & 3;
    if ((color == 1 || color == 2) && code >> 2 < group->points)
        w7_index_change_hashes(hashing, hashes, code >> 2, (int)color);
    for (; *change < at.change_end && group->change_frames[*change] <= frame; ++*change) {
        const uint32_t changed = w7_index_code(group->changes, group->is_wide, *change);
        if (changed >> 2 < group->points)
            w7_index_change_hashes(hashing, hashes, changed >> 2, (int)(changed & 1) + 1);
    }
}

static inline uint64_t w7_index_least(const w7_index_hashing *hashing, const uint64_t *hashes)
{
    uint64_t least = hashes[0];
    for (int k = 1; k < hashing->count; k++)
        least = hashes[k] < least ? hashes[k] : least;
    return least;
}

/* All frames of a group, ordered by their hashes in steps: each may be shared by threads. */
typedef struct {
    const w7_index_group *group; /* its games follow one another without gaps */
    w7_index_hashing hashing;
    w7_index_entry *entries;
    w7_index_entry *other; /* room for as many */
    uint64_t *plain;       /* the hashes of the positions as they are */
    uint32_t *parts;       /* where each part begins in `other`, and the end */
    int part_bits;
    int bits_in_part;
} w7_index_ordering;

/* Fills an entry for each frame of games from `begin` up to `end`, and the hashes of the positions as they are. */
static void w7_index_hash_frames(w7_index_ordering *ordering, int64_t begin, int64_t end)
{
    const w7_index_group *group = ordering->group;
    const w7_index_hashing *hashing = &ordering->hashing;
    for (int64_t game = begin; game < end; game++) {
        const w7_index_game at = w7_index_game_at(group, game);
        uint64_t hashes[W7_INDEX_IMAGES];
        int64_t change = at.change_begin;
        w7_index_begin_game(hashing, hashes);
        for (int64_t frame = at.begin; frame < at.end; frame++) {
            w7_index_step_hashes(group, hashing, at, frame, &change, hashes);
            ordering->entries[frame] =
                (w7_index_entry){w7_index_least(hashing, hashes), (uint32_t)game, (uint32_t)frame};
            ordering->plain[frame] = hashes[0];
        }
    }
}

/* Orders entries by their hashes, those of the same one as they were. `other` has room for as many. */
static void w7_index_order_entries(w7_index_entry *entries, size_t count, w7_index_entry *other)
{
    enum { INSERTED = 16 };
    int is_ordered = 1;
    for (size_t i = 1; i < count && is_ordered; i++)
        is_ordered = entries[i - 1].hash <= entries[i].hash;
    if (is_ordered)
        return;
    for (size_t begin = 0; begin < count; begin += INSERTED) {
        const size_t end = count - begin < INSERTED ? count : begin + INSERTED;
        for (size_t i = begin + 1; i < end; i++) {
            const w7_index_entry entry = entries[i];
            size_t at = i;
            for (; at > begin && entries[at - 1].hash > entry.hash; at--)
                entries[at] = entries[at - 1];
            entries[at] = entry;
        }
    }
    for (size_t width = INSERTED; width < count; width *= 2) {
        for (size_t begin = 0; begin < count; begin += 2 * width) {
            const size_t middle = count - begin < width ? count : begin + width;
            const size_t end = count - begin < 2 * width ? count : begin + 2 * width;
            size_t left = begin, right = middle;
            for (size_t k = begin; k < end; k++)
                other[k] = left < middle && (right == end || entries[left].hash <= entries[right].hash)
                               ? entries[left++]
                               : entries[right++];
        }
        memcpy(entries, other, count * sizeof *entries);
    }
}

static int w7_index_append(w7_index_bytes *bytes, const void *value, size_t size)
{
    if (bytes->room - bytes->size < size) {
        const size_t room = bytes->room ? 2 * bytes->room : 4096;
        uint8_t *more = room < bytes->room ? NULL : realloc(bytes->at, room);
        if (more == NULL)
            return -1;
        bytes->at = more;
        bytes->room = room;
    }
    memcpy(bytes->at + bytes->size, value, size);
    bytes->size += size;
    return 0;
}

static int w7_index_append_number(w7_index_bytes *bytes, size_t number)
{
    const uint32_t value = (uint32_t)number;
    return w7_index_append(bytes, &value, sizeof value);
}

/* The code of the move that follows a frame at once; 0 where there is none. */
static uint32_t w7_index_next_move(const w7_index_group *group, w7_index_entry entry)
{
    const w7_index_game at = w7_index_game_at(group, entry.game);
    const int64_t next = (int64_t)entry.frame + 1;
    const uint32_t code = next < at.end ? w7_index_code(group->moves, group->is_wide, next) : 0;
    return (code & 3) == 1 || (code & 3) == 2 ? code : 0;
}

/* The next moves of a position, counted by code; memory of w7_index_order_hashes. */
typedef struct {
    uint32_t *counts; /* 3 a code, by winner */
    uint32_t *codes;  /* those that have a count */
    size_t code_count;
} w7_index_following;

/* Adds the entries of one position, by game, to the common ones, if it is one. */
static int w7_index_add_common(const w7_index_group *group, const w7_index_entry *entries, size_t count,
                               const uint64_t *plain, const uint8_t *winners, w7_index_following *following,
                               w7_index_common *common)
{
    enum { MOST_A_GAME = 8 };
    uint64_t images[W7_INDEX_IMAGES];
    size_t image_count = 0, games = 0, first = 0;
    uint32_t onto_point = 0;
    for (size_t k = 0; k < count; k++) {
        const uint32_t code = w7_index_next_move(group, entries[k]);
        size_t image = 0;
        while (image < image_count && images[image] != plain[entries[k].frame])
            image++;
        if (image == W7_INDEX_IMAGES)
            return 0;
        if (image == image_count)
            images[image_count++] = plain[entries[k].frame];
        if (!k || entries[k].game != entries[first].game) {
            games++;
            first = k;
            onto_point = 0;
        } else if (k - first >= MOST_A_GAME || plain[entries[k].frame] != plain[entries[first].frame]) {
            return 0;
        }
        if (code && code >> 2 < group->points) {
            if (onto_point && onto_point != code)
                return 0;
            onto_point = code;
        }
    }
    if (games < W7_INDEX_COMMON)
        return 0;
    for (size_t image = 0; image < image_count; image++) {
        following->code_count = 0;
        for (size_t k = 0; k < count; k++) {
            const uint32_t code = w7_index_next_move(group, entries[k]);
            uint32_t *counts;
            size_t before = k;
            if (plain[entries[k].frame] != images[image] || !code || code >> 2 > group->points)
                continue;
            while (before && entries[before - 1].game == entries[k].game &&
                   w7_index_next_move(group, entries[before - 1]) != code)
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
            if (w7_index_append(&common->moves, &following->codes[k], sizeof(uint32_t)) ||
                w7_index_append(&common->counts, counts, 3 * sizeof(uint32_t)))
                return -1;
            memset(counts, 0, 3 * sizeof *counts);
        }
        if (w7_index_append(&common->image_hashes, &images[image], sizeof(uint64_t)) ||
            w7_index_append_number(&common->move_ends, common->moves.size / sizeof(uint32_t)))
            return -1;
    }
    return w7_index_append(&common->hashes, &entries[0].hash, sizeof(uint64_t)) ||
                   w7_index_append_number(&common->games, games) ||
                   w7_index_append_number(&common->image_ends, common->image_hashes.size / sizeof(uint64_t))
               ? -1
               : 0;
}

/* Puts entries in the order of `bits` bits of their hashes after the first `skipped`, into `into`; `places` has room for
 * one more than there are such parts, and then says where each begins. */
static void w7_index_spread(const w7_index_entry *entries, size_t count, int skipped, int bits, w7_index_entry *into,
                            uint32_t *places)
{
    const size_t parts = (size_t)1 << bits;
    memset(places, 0, (parts + 1) * sizeof *places);
    for (size_t k = 0; k < count; k++)
        places[(entries[k].hash << skipped >> (64 - bits)) + 1]++;
    for (size_t k = 0; k < parts; k++)
        places[k + 1] += places[k];
    for (size_t k = 0; k < count; k++)
        into[places[entries[k].hash << skipped >> (64 - bits)]++] = entries[k];
    memmove(places + 1, places, parts * sizeof *places);
    places[0] = 0;
}

/* Frees what an ordering has made of memory. */
static void w7_index_end_ordering(w7_index_ordering *ordering)
{
    free(ordering->hashing.table);
    free(ordering->entries);
    free(ordering->other);
    free(ordering->plain);
    free(ordering->parts);
}

/* Makes room for the frames of a group, in parts that fit into a cache; tables have 2 to the power of `bits` buckets.
 * Returns -1 where there is not enough memory. */
static int w7_index_begin_ordering(w7_index_ordering *ordering, const w7_index_group *group, int32_t width,
                                   int32_t height, int bits)
{
    enum { FINER_BITS = 3, MOST_BITS = 25, MOST_PART_BITS = 9, MOST_BITS_IN_PART = 16 };
    const size_t frames = (size_t)group->frame_count + 1;
    const int finer = bits + FINER_BITS < MOST_BITS ? bits + FINER_BITS : MOST_BITS;
    ordering->group = group;
    ordering->part_bits = finer / 2 < MOST_PART_BITS ? finer / 2 : MOST_PART_BITS;
    ordering->bits_in_part = finer - ordering->part_bits;
    if (ordering->bits_in_part > MOST_BITS_IN_PART)
        ordering->bits_in_part = MOST_BITS_IN_PART;
    w7_index_begin_hashing(&ordering->hashing, width, height);
    ordering->plain = malloc(frames * sizeof(uint64_t));
    ordering->entries = malloc(frames * sizeof(w7_index_entry));
    ordering->other = malloc(frames * sizeof(w7_index_entry));
    ordering->parts = malloc((((size_t)1 << ordering->part_bits) + 1) * sizeof(uint32_t));
    return ordering->plain == NULL || ordering->entries == NULL || ordering->other == NULL || ordering->parts == NULL
               ? -1
               : 0;
}

/* Spreads the entries of all frames over the parts. */
static void w7_index_spread_frames(w7_index_ordering *ordering)
{
    w7_index_spread(ordering->entries, (size_t)ordering->group->frame_count, 0, ordering->part_bits, ordering->other,
                    ordering->parts);
}

/* Orders the entries of parts from `begin` up to `end` by their hashes. */
static int w7_index_order_parts(w7_index_ordering *ordering, int64_t begin, int64_t end)
{
    const size_t inner = (size_t)1 << ordering->bits_in_part;
    uint32_t *places = malloc((inner + 1) * sizeof *places);
    if (places == NULL)
        return -1;
    for (int64_t part = begin; part < end; part++) {
        const size_t first = ordering->parts[part], size = ordering->parts[part + 1] - first;
        w7_index_entry *of_part = ordering->entries + first, *other = ordering->other + first;
        w7_index_spread(other, size, ordering->part_bits, ordering->bits_in_part, of_part, places);
        for (size_t k = 0; k < inner && places[k] < size; k++)
            if (places[k + 1] - places[k] > 1)
                w7_index_order_entries(of_part + places[k], places[k + 1] - places[k], other + places[k]);
    }
    free(places);
    return 0;
}

/* Fills `buckets`, 2 to the power of `bits` and one more, the games and keys of all frames, and the common positions,
 * from ordered entries. Game numbers have 2 bytes, or 4 (`is_long`). Returns -1 where there is not enough memory. */
static int w7_index_fill_tables(const w7_index_ordering *ordering, const uint8_t *winners, int bits, uint32_t *buckets,
                                void *hash_games, int is_long, uint8_t *keys, w7_index_common *common)
{
    const w7_index_group *group = ordering->group;
    const w7_index_entry *entries = ordering->entries;
    const uint64_t *plain = ordering->plain;
    const size_t codes = ((size_t)group->points + 1) << 2, frames = (size_t)group->frame_count;
    const int with_common = group->points <= W7_INDEX_TABLE_POINTS;
    w7_index_following following = {NULL, NULL, 0};
    size_t bucket = 0;
    int status = 0;
    if (with_common) {
        following.counts = calloc(3 * codes, sizeof(uint32_t));
        following.codes = malloc(codes * sizeof(uint32_t));
        if (following.counts == NULL || following.codes == NULL)
            status = -1;
    }
    for (size_t begin = 0, end; begin < frames && !status; begin = end) {
        const uint64_t hash = entries[begin].hash;
        for (end = begin; end < frames && entries[end].hash == hash; end++) {
            keys[end] = (uint8_t)(hash << bits >> (64 - W7_INDEX_KEY_BITS));
            if (is_long)
                ((uint32_t *)hash_games)[end] = entries[end].game;
            else
                ((uint16_t *)hash_games)[end] = (uint16_t)entries[end].game;
        }
        while (bucket <= hash >> (64 - bits))
            buckets[bucket++] = (uint32_t)begin;
        if (with_common && end - begin >= W7_INDEX_COMMON)
            status = w7_index_add_common(group, entries + begin, end - begin, plain, winners, &following, common);
    }
    while (bucket <= (size_t)1 << bits)
        buckets[bucket++] = (uint32_t)frames;
    free(following.counts);
    free(following.codes);
    return status;
}

W7_INDEX_LOOPS_END

#endif
