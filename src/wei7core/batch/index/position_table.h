/* The games of frames, by the hash of their positions, and what followed the positions of many games.
 *
 * The hash is the canonical one, the least of those under the symmetries of the board. Buckets are by its first bits;
 * in a bucket frames are in the order of the hash, of which the next 8 bits are kept. A position that is in
 * W7_INDEX_COMMON games or more is a common one, with the number of games and the next moves by winner, so that no game
 * is played through for it; but where a game has it under different symmetries, or with different moves onto points
 * after it, it is left out, for moves that a symmetry exchanges are to be counted once a game. */
#ifndef W7_BATCH_INDEX_POSITION_TABLE_H
#define W7_BATCH_INDEX_POSITION_TABLE_H

#include <stdlib.h>

#include "_util/large_pages.h"
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

/* The first of the symmetries with the least hash. */
static inline int w7_index_least(const w7_index_hashing *hashing, const uint64_t *hashes)
{
    uint64_t least = hashes[0];
    int at = 0;
    for (int k = 1; k < hashing->count; k++) {
        at = hashes[k] < least ? k : at;
        least = hashes[k] < least ? hashes[k] : least;
    }
    return at;
}

/* The hash of the position of an entry as it is in the game. */
static uint64_t w7_index_plain_hash(const w7_index_group *group, const w7_index_hashing *hashing, w7_index_entry entry)
{
    const w7_index_game at = w7_index_game_at(group, entry.game);
    uint64_t hashes[W7_INDEX_IMAGES];
    int64_t change = at.change_begin;
    w7_index_begin_game(hashing, hashes);
    for (int64_t frame = at.begin; frame <= (int64_t)entry.frame; frame++)
        w7_index_step_hashes(group, hashing, at, frame, &change, hashes);
    return hashes[0];
}

/* All frames of a group, ordered by their hashes in steps: each may be shared by threads. */
typedef struct {
    const w7_index_group *group; /* its games follow one another without gaps */
    w7_index_hashing hashing;
    uint64_t *hashes; /* by frame */
    uint8_t *turned;  /* by frame the symmetry that leads to the hash: that of a position as it is in a game */
    w7_index_entry *entries;
    uint32_t *parts;       /* where each part begins in `entries`, and the end */
    uint32_t *chunk_parts; /* by chunk and part how many frames there are, then where the next one comes */
    int64_t chunks;        /* of games */
    int part_bits;
    int bits_in_part;
} w7_index_ordering;

static inline int64_t w7_index_chunk_begin(const w7_index_ordering *ordering, int64_t chunk)
{
    return ordering->group->games * chunk / ordering->chunks;
}

/* Hashes the frames of the games of a chunk, and counts them by part. */
static void w7_index_hash_chunk(w7_index_ordering *ordering, int64_t chunk)
{
    const w7_index_group *group = ordering->group;
    const w7_index_hashing *hashing = &ordering->hashing;
    uint32_t *counts = ordering->chunk_parts + (chunk << ordering->part_bits);
    const int64_t end = w7_index_chunk_begin(ordering, chunk + 1);
    memset(counts, 0, sizeof *counts << ordering->part_bits);
    for (int64_t game = w7_index_chunk_begin(ordering, chunk); game < end; game++) {
        const w7_index_game at = w7_index_game_at(group, game);
        uint64_t hashes[W7_INDEX_IMAGES];
        int64_t change = at.change_begin;
        w7_index_begin_game(hashing, hashes);
        for (int64_t frame = at.begin; frame < at.end; frame++) {
            int turned;
            w7_index_step_hashes(group, hashing, at, frame, &change, hashes);
            turned = w7_index_least(hashing, hashes);
            ordering->hashes[frame] = hashes[turned];
            ordering->turned[frame] = (uint8_t)turned;
            counts[hashes[turned] >> (64 - ordering->part_bits)]++;
        }
    }
}

/* Finds out where parts begin, once all chunks are hashed. */
static void w7_index_place_parts(w7_index_ordering *ordering)
{
    const size_t parts = (size_t)1 << ordering->part_bits;
    uint32_t place = 0;
    for (size_t part = 0; part < parts; part++) {
        ordering->parts[part] = place;
        for (size_t chunk = 0; chunk < (size_t)ordering->chunks; chunk++) {
            uint32_t *at = &ordering->chunk_parts[(chunk << ordering->part_bits) + part];
            const uint32_t count = *at;
            *at = place;
            place += count;
        }
    }
    ordering->parts[parts] = place;
}

/* Spreads the entries of the frames of a chunk over the parts. */
static void w7_index_spread_chunk(w7_index_ordering *ordering, int64_t chunk)
{
    const int64_t *offsets = ordering->group->offsets, end = w7_index_chunk_begin(ordering, chunk + 1);
    uint32_t *places = ordering->chunk_parts + (chunk << ordering->part_bits);
    for (int64_t game = w7_index_chunk_begin(ordering, chunk); game < end; game++)
        for (int64_t frame = offsets[game]; frame < offsets[game + 1]; frame++) {
            const uint64_t hash = ordering->hashes[frame];
            const uint32_t place = places[hash >> (64 - ordering->part_bits)]++;
            ordering->entries[place] = (w7_index_entry){hash, (uint32_t)game, (uint32_t)frame};
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
static int w7_index_add_common(const w7_index_ordering *ordering, const w7_index_entry *entries, size_t count,
                               const uint8_t *winners, w7_index_following *following, w7_index_common *common)
{
    enum { MOST_A_GAME = 8 };
    const w7_index_group *group = ordering->group;
    const uint8_t *turned = ordering->turned;
    uint8_t images[W7_INDEX_IMAGES];
    size_t firsts[W7_INDEX_IMAGES], image_count = 0, games = 0, first = 0;
    uint32_t onto_point = 0;
    for (size_t k = 0; k < count; k++) {
        const uint32_t code = w7_index_next_move(group, entries[k]);
        size_t image = 0;
        while (image < image_count && images[image] != turned[entries[k].frame])
            image++;
        if (image == image_count) {
            firsts[image_count] = k;
            images[image_count++] = turned[entries[k].frame];
        }
        if (!k || entries[k].game != entries[first].game) {
            games++;
            first = k;
            onto_point = 0;
        } else if (k - first >= MOST_A_GAME || turned[entries[k].frame] != turned[entries[first].frame]) {
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
        const uint64_t hash = w7_index_plain_hash(group, &ordering->hashing, entries[firsts[image]]);
        following->code_count = 0;
        for (size_t k = firsts[image]; k < count; k++) {
            const uint32_t code = w7_index_next_move(group, entries[k]);
            uint32_t *counts;
            size_t before = k;
            if (turned[entries[k].frame] != images[image] || !code || code >> 2 > group->points)
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
        if (w7_index_append(&common->image_hashes, &hash, sizeof(uint64_t)) ||
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
    free(ordering->hashes);
    free(ordering->turned);
    free(ordering->entries);
    free(ordering->parts);
    free(ordering->chunk_parts);
}

/* Makes room for the frames of a group, in `chunks` of games and in parts that fit into a cache; tables have 2 to the
 * power of `bits` buckets. Returns -1 where there is not enough memory. */
static int w7_index_begin_ordering(w7_index_ordering *ordering, const w7_index_group *group, int64_t chunks, int bits)
{
    enum { FINER_BITS = 3, MOST_BITS = 25, MOST_PART_BITS = 9, MOST_BITS_IN_PART = 16 };
    const size_t frames = (size_t)group->frame_count + 1;
    const int finer = bits + FINER_BITS < MOST_BITS ? bits + FINER_BITS : MOST_BITS;
    ordering->group = group;
    ordering->chunks = chunks;
    ordering->part_bits = finer / 2 < MOST_PART_BITS ? finer / 2 : MOST_PART_BITS;
    if (ordering->part_bits > bits) /* so that no bucket has several parts */
        ordering->part_bits = bits;
    ordering->bits_in_part = finer - ordering->part_bits;
    if (ordering->bits_in_part > MOST_BITS_IN_PART)
        ordering->bits_in_part = MOST_BITS_IN_PART;
    w7_index_begin_hashing(&ordering->hashing, group->width, group->height);
    ordering->hashes = malloc(frames * sizeof(uint64_t));
    ordering->turned = malloc(frames);
    ordering->entries = malloc(frames * sizeof(w7_index_entry));
    ordering->parts = malloc((((size_t)1 << ordering->part_bits) + 1) * sizeof(uint32_t));
    ordering->chunk_parts = malloc(((size_t)chunks << ordering->part_bits) * sizeof(uint32_t));
    if (ordering->hashes == NULL || ordering->turned == NULL || ordering->entries == NULL || ordering->parts == NULL ||
        ordering->chunk_parts == NULL)
        return -1;
    w7_large_pages(ordering->hashes, (int64_t)(frames * sizeof(uint64_t)));
    w7_large_pages(ordering->entries, (int64_t)(frames * sizeof(w7_index_entry)));
    return 0;
}

/* Orders the entries of parts from `begin` up to `end` by their hashes. */
static int w7_index_order_parts(w7_index_ordering *ordering, int64_t begin, int64_t end)
{
    const size_t inner = (size_t)1 << ordering->bits_in_part;
    uint32_t *places = malloc((inner + 1) * sizeof *places);
    w7_index_entry *ordered;
    size_t most = 1;
    int status;
    for (int64_t part = begin; part < end; part++)
        most = ordering->parts[part + 1] - ordering->parts[part] > most
                   ? ordering->parts[part + 1] - ordering->parts[part]
                   : most;
    ordered = malloc(most * sizeof *ordered);
    for (int64_t part = begin; part < end && places != NULL && ordered != NULL; part++) {
        const size_t size = ordering->parts[part + 1] - ordering->parts[part];
        w7_index_entry *entries = ordering->entries + ordering->parts[part];
        w7_index_spread(entries, size, ordering->part_bits, ordering->bits_in_part, ordered, places);
        for (size_t k = 0; k < inner && places[k] < size; k++)
            if (places[k + 1] - places[k] > 1)
                w7_index_order_entries(ordered + places[k], places[k + 1] - places[k], entries + places[k]);
        memcpy(entries, ordered, size * sizeof *entries);
    }
    status = places == NULL || ordered == NULL ? -1 : 0;
    free(ordered);
    free(places);
    return status;
}

/* Fills the `buckets` of ordered parts from `begin` up to `end` of tables with 2 to the power of `bits` buckets, the
 * games and keys of their frames, and the common positions. Game numbers have 2 bytes, or 4 (`is_long`). Returns -1 where
 * there is not enough memory. */
static int w7_index_fill_tables(const w7_index_ordering *ordering, int64_t begin, int64_t end, const uint8_t *winners,
                                int bits, uint32_t *buckets, void *hash_games, int is_long, uint8_t *keys,
                                w7_index_common *common)
{
    const w7_index_group *group = ordering->group;
    const w7_index_entry *entries = ordering->entries;
    const size_t codes = ((size_t)group->points + 1) << 2, frames_end = ordering->parts[end];
    const int with_common = group->points <= W7_INDEX_TABLE_POINTS;
    const size_t bucket_end = (size_t)end << (bits - ordering->part_bits);
    w7_index_following following = {NULL, NULL, 0};
    size_t bucket = (size_t)begin << (bits - ordering->part_bits);
    int status = 0;
    if (with_common) {
        following.counts = calloc(3 * codes, sizeof(uint32_t));
        following.codes = malloc(codes * sizeof(uint32_t));
        if (following.counts == NULL || following.codes == NULL)
            status = -1;
    }
    for (size_t first = ordering->parts[begin], next; first < frames_end && !status; first = next) {
        const uint64_t hash = entries[first].hash;
        for (next = first; next < frames_end && entries[next].hash == hash; next++) {
            keys[next] = (uint8_t)(hash << bits >> (64 - W7_INDEX_KEY_BITS));
            if (is_long)
                ((uint32_t *)hash_games)[next] = entries[next].game;
            else
                ((uint16_t *)hash_games)[next] = (uint16_t)entries[next].game;
        }
        while (bucket <= hash >> (64 - bits))
            buckets[bucket++] = (uint32_t)first;
        if (with_common && next - first >= W7_INDEX_COMMON)
            status = w7_index_add_common(ordering, entries + first, next - first, winners, &following, common);
    }
    while (bucket < bucket_end)
        buckets[bucket++] = (uint32_t)frames_end;
    free(following.counts);
    free(following.codes);
    return status;
}

W7_INDEX_LOOPS_END

#endif
