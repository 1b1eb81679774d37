/* All frames of a group in the order of the canonical hashes of their positions. */
#ifndef W7_BATCH_INDEX_POSITION_ORDER_H
#define W7_BATCH_INDEX_POSITION_ORDER_H

#include "_util/cpu.h"
#include "_util/large_pages.h"
#include "batch/index/position_hashes.h"

#ifdef W7_WITH_X86_ISAS
#include <immintrin.h>
#endif

enum { W7_INDEX_COMMON = 16 }; /* games of a common position, at least */

/* All frames of a group, ordered by their hashes in steps, each of which threads may share.
 *
 * A place has, from the highest bit down, the bits of the hash after those that number the part, as many as there is
 * room for, the game, and the frame in the game: places of one part are compared as numbers, and only those of one
 * beginning of a hash by the whole of it. */
typedef struct {
    const w7_index_group *group; /* its games follow one another without gaps */
    w7_index_hashing hashing;
    uint64_t *hashes;      /* by frame */
    uint8_t *turned;       /* by frame the symmetry that leads to the hash: that of a position as it is in a game */
    uint64_t *places;      /* later only those of positions that may be common, at the begin of each part */
    uint32_t *parts;       /* where each part begins in `places`, and the end */
    uint32_t *candidates;  /* by part how many of its places may be of common positions */
    uint32_t *chunk_parts; /* by chunk and part how many frames there are, then where the next one comes */
    int64_t chunks;        /* of games */
    int part_bits;
    int bits_in_part;
    int frame_bits; /* of a place: of a frame in its game */
    int id_bits;    /* of a place: those that are not of the hash */
    uint8_t isa;
} w7_index_ordering;

W7_INDEX_LOOPS_BEGIN

/* Frees what an ordering has made of memory. */
static void w7_index_end_ordering(w7_index_ordering *ordering)
{
    free(ordering->hashing.table);
    free(ordering->hashes);
    free(ordering->turned);
    free(ordering->places);
    free(ordering->parts);
    free(ordering->candidates);
    free(ordering->chunk_parts);
}

/* How many bits numbers below `count` have. */
static int w7_index_bits_of(uint64_t count)
{
    int bits = 0;
    while (bits < 64 && count > (uint64_t)1 << bits)
        bits++;
    return bits;
}

/* Makes room for the frames of a group, in `chunks` of games and in parts that fit into a cache; tables have 2 to the
 * power of `bits` buckets, and places at most `hash_bits` of hashes. Returns -1 where there is not enough memory. */
static int w7_index_begin_ordering(w7_index_ordering *ordering, const w7_index_group *group, int64_t chunks, int bits,
                                   int isa, int hash_bits)
{
    enum { FINER_BITS = 3, MOST_BITS = 25, MOST_PART_BITS = 9, MOST_BITS_IN_PART = 16 };
    const size_t frames = (size_t)group->frame_count + 1;
    const int finer = bits + FINER_BITS < MOST_BITS ? bits + FINER_BITS : MOST_BITS;
    int64_t longest = 1;
    for (int64_t game = 0; game < group->games; game++)
        if (group->offsets[game + 1] - group->offsets[game] > longest)
            longest = group->offsets[game + 1] - group->offsets[game];
    ordering->group = group;
    ordering->chunks = chunks;
    ordering->isa = (uint8_t)isa;
    ordering->frame_bits = w7_index_bits_of((uint64_t)longest);
    ordering->id_bits = ordering->frame_bits + w7_index_bits_of((uint64_t)group->games);
    if (ordering->id_bits < 64 - hash_bits)
        ordering->id_bits = 64 - hash_bits;
    ordering->part_bits = finer / 2 < MOST_PART_BITS ? finer / 2 : MOST_PART_BITS;
    if (ordering->part_bits > bits) /* so that no bucket has several parts */
        ordering->part_bits = bits;
    ordering->bits_in_part = finer - ordering->part_bits;
    if (ordering->bits_in_part > MOST_BITS_IN_PART)
        ordering->bits_in_part = MOST_BITS_IN_PART;
    if (ordering->bits_in_part < bits - ordering->part_bits) /* so that each bucket has piles of its own */
        ordering->bits_in_part = bits - ordering->part_bits;
    w7_index_begin_hashing(&ordering->hashing, group->width, group->height);
    ordering->hashes = malloc(frames * sizeof(uint64_t));
    ordering->turned = malloc(frames);
    ordering->places = malloc(frames * sizeof(uint64_t));
    ordering->parts = malloc((((size_t)1 << ordering->part_bits) + 1) * sizeof(uint32_t));
    ordering->candidates = malloc(sizeof(uint32_t) << ordering->part_bits);
    ordering->chunk_parts = malloc(((size_t)chunks << ordering->part_bits) * sizeof(uint32_t));
    if (ordering->hashes == NULL || ordering->turned == NULL || ordering->places == NULL || ordering->parts == NULL ||
        ordering->candidates == NULL || ordering->chunk_parts == NULL)
        return -1;
    w7_large_pages(ordering->hashes, (int64_t)(frames * sizeof(uint64_t)));
    w7_large_pages(ordering->places, (int64_t)(frames * sizeof(uint64_t)));
    return 0;
}

static inline int64_t w7_index_chunk_begin(const w7_index_ordering *ordering, int64_t chunk)
{
    return ordering->group->games * chunk / ordering->chunks;
}

static inline void w7_index_note_hash(w7_index_ordering *ordering, int64_t frame, uint64_t hash, int turned,
                                      uint32_t *counts)
{
    ordering->hashes[frame] = hash;
    ordering->turned[frame] = (uint8_t)turned;
    counts[hash >> (64 - ordering->part_bits)]++;
}

/* Hashes the frames of a game, and counts them by part. */
static void w7_index_hash_game(w7_index_ordering *ordering, w7_index_game at, uint32_t *counts)
{
    const w7_index_hashing *hashing = &ordering->hashing;
    uint64_t hashes[W7_INDEX_IMAGES];
    int64_t change = at.change_begin;
    w7_index_begin_game(hashing, hashes);
    for (int64_t frame = at.begin; frame < at.end; frame++) {
        int turned;
        w7_index_step_hashes(ordering->group, hashing, at, frame, &change, hashes);
        turned = w7_index_least(hashing, hashes);
        w7_index_note_hash(ordering, frame, hashes[turned], turned, counts);
    }
}

#ifdef W7_WITH_X86_ISAS

W7_TARGET_AVX512BW static inline __m512i w7_index_images_at(const w7_index_hashing *hashing, uint32_t point, int color)
{
    return _mm512_loadu_si512(&hashing->table[2 * point + (uint32_t)color - 1]);
}

/* w7_index_hash_game with a table of the images of stones. */
W7_TARGET_AVX512BW static void w7_index_hash_game_avx512(w7_index_ordering *ordering, w7_index_game at,
                                                         uint32_t *counts)
{
    const w7_index_group *group = ordering->group;
    const w7_index_hashing *hashing = &ordering->hashing;
    const __mmask8 used = (__mmask8)((1 << hashing->count) - 1);
    __m512i hashes = _mm512_set1_epi64((int64_t)w7_zobrist_empty(hashing->width, hashing->height));
    int64_t change = at.change_begin;
    for (int64_t frame = at.begin; frame < at.end; frame++) {
        const uint32_t code = w7_index_code(group->moves, group->is_wide, frame), color = code & 3;
        uint64_t least;
        if ((color == 1 || color == 2) && code >> 2 < group->points)
            hashes = _mm512_xor_si512(hashes, w7_index_images_at(hashing, code >> 2, (int)color));
        for (; change < at.change_end && group->change_frames[change] <= frame; change++) {
            const uint32_t changed = w7_index_code(group->changes, group->is_wide, change);
            if (changed >> 2 < group->points)
                hashes = _mm512_xor_si512(hashes, w7_index_images_at(hashing, changed >> 2, (int)(changed & 1) + 1));
        }
        least = _mm512_mask_reduce_min_epu64(used, hashes);
        w7_index_note_hash(ordering, frame, least,
                           __builtin_ctz(_mm512_mask_cmpeq_epu64_mask(used, hashes, _mm512_set1_epi64((int64_t)least))),
                           counts);
    }
}

#endif

/* Hashes the frames of the games of a chunk, and counts them by part. */
static void w7_index_hash_chunk(w7_index_ordering *ordering, int64_t chunk)
{
    void (*hash_game)(w7_index_ordering *, w7_index_game, uint32_t *) = w7_index_hash_game;
    uint32_t *counts = ordering->chunk_parts + (chunk << ordering->part_bits);
    const int64_t end = w7_index_chunk_begin(ordering, chunk + 1);
#ifdef W7_WITH_X86_ISAS
    if (ordering->isa >= W7_ISA_AVX512BW && ordering->hashing.table != NULL)
        hash_game = w7_index_hash_game_avx512;
#endif
    memset(counts, 0, sizeof *counts << ordering->part_bits);
    for (int64_t game = w7_index_chunk_begin(ordering, chunk); game < end; game++)
        hash_game(ordering, w7_index_game_at(ordering->group, game), counts);
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

/* Spreads the places of the frames of a chunk over the parts. */
static void w7_index_spread_chunk(w7_index_ordering *ordering, int64_t chunk)
{
    const int64_t *offsets = ordering->group->offsets, end = w7_index_chunk_begin(ordering, chunk + 1);
    const uint64_t *hashes = ordering->hashes;
    uint32_t *places = ordering->chunk_parts + (chunk << ordering->part_bits);
    const int part_bits = ordering->part_bits, frame_bits = ordering->frame_bits, id_bits = ordering->id_bits;
    for (int64_t game = w7_index_chunk_begin(ordering, chunk); game < end; game++)
        for (int64_t frame = offsets[game]; frame < offsets[game + 1]; frame++)
            ordering->places[places[hashes[frame] >> (64 - part_bits)]++] =
                hashes[frame] << part_bits >> id_bits << id_bits | (uint64_t)game << frame_bits |
                (uint64_t)(frame - offsets[game]);
}

static inline uint32_t w7_index_place_game(const w7_index_ordering *ordering, uint64_t place)
{
    return (uint32_t)((place & (((uint64_t)1 << ordering->id_bits) - 1)) >> ordering->frame_bits);
}

static inline int64_t w7_index_place_frame(const w7_index_ordering *ordering, uint64_t place)
{
    return ordering->group->offsets[w7_index_place_game(ordering, place)] +
           (int64_t)(place & (((uint64_t)1 << ordering->frame_bits) - 1));
}

/* Whether two places of one part are in order: by their hashes if `with_hashes`, then as numbers. */
static inline int w7_index_are_ordered(const w7_index_ordering *ordering, uint64_t first, uint64_t second,
                                       int with_hashes)
{
    uint64_t first_hash, second_hash;
    if (!with_hashes)
        return first <= second;
    first_hash = ordering->hashes[w7_index_place_frame(ordering, first)];
    second_hash = ordering->hashes[w7_index_place_frame(ordering, second)];
    return first_hash == second_hash ? first <= second : first_hash < second_hash;
}

/* Orders places by merging. `other` has room for as many. */
static void w7_index_merge_places(const w7_index_ordering *ordering, uint64_t *places, size_t count, uint64_t *other,
                                  int with_hashes)
{
    int is_ordered = 1;
    for (size_t i = 1; i < count && is_ordered; i++)
        is_ordered = w7_index_are_ordered(ordering, places[i - 1], places[i], with_hashes);
    for (size_t width = 1; width < count && !is_ordered; width *= 2) {
        for (size_t begin = 0; begin < count; begin += 2 * width) {
            const size_t middle = count - begin < width ? count : begin + width;
            const size_t end = count - begin < 2 * width ? count : begin + 2 * width;
            size_t left = begin, right = middle;
            for (size_t k = begin; k < end; k++)
                other[k] = left < middle && (right == end ||
                                             w7_index_are_ordered(ordering, places[left], places[right], with_hashes))
                               ? places[left++]
                               : places[right++];
        }
        memcpy(places, other, count * sizeof *places);
    }
}

/* Puts the places of a part, in the order of their numbers, into `ordered`. `piles` has room for one number more than
 * there are values of `bits_in_part` bits, and then holds where those with each of them begin. */
static void w7_index_order_part(const w7_index_ordering *ordering, int64_t part, uint64_t *ordered, uint32_t *piles)
{
    enum { INSERTED = 32 };
    const size_t count = ordering->parts[part + 1] - ordering->parts[part];
    const size_t pile_count = (size_t)1 << ordering->bits_in_part;
    const int shift = 64 - ordering->bits_in_part;
    uint64_t *places = ordering->places + ordering->parts[part];
    memset(piles, 0, (pile_count + 1) * sizeof *piles);
    for (size_t k = 0; k < count; k++)
        piles[(places[k] >> shift) + 1]++;
    for (size_t k = 0; k < pile_count; k++)
        piles[k + 1] += piles[k];
    for (size_t k = 0; k < count; k++)
        ordered[piles[places[k] >> shift]++] = places[k];
    memmove(piles + 1, piles, pile_count * sizeof *piles);
    piles[0] = 0;
    for (size_t k = 0; k < pile_count; k++)
        if (piles[k + 1] - piles[k] > INSERTED)
            w7_index_merge_places(ordering, ordered + piles[k], piles[k + 1] - piles[k], places, 0);
    for (size_t k = 1; k < count; k++) {
        const uint64_t place = ordered[k];
        size_t at = k;
        for (; at > 0 && ordered[at - 1] > place; at--)
            ordered[at] = ordered[at - 1];
        ordered[at] = place;
    }
}

/* Orders the ordered places of a part that begin alike by their whole hashes, and keeps those that may be of common
 * positions. */
static void w7_index_settle_part(w7_index_ordering *ordering, int64_t part, uint64_t *ordered)
{
    const size_t count = ordering->parts[part + 1] - ordering->parts[part];
    uint64_t *kept = ordering->places + ordering->parts[part];
    size_t candidates = 0;
    for (size_t first = 0, next; first < count; first = next) {
        int are_same = 1;
        for (next = first + 1; next < count && !((ordered[next] ^ ordered[first]) >> ordering->id_bits); next++)
            are_same &= ordering->hashes[w7_index_place_frame(ordering, ordered[next])] ==
                        ordering->hashes[w7_index_place_frame(ordering, ordered[first])];
        if (!are_same)
            w7_index_merge_places(ordering, ordered + first, next - first, kept + first, 1);
        if (next - first >= W7_INDEX_COMMON) {
            memcpy(kept + candidates, ordered + first, (next - first) * sizeof *kept);
            candidates += next - first;
        }
    }
    ordering->candidates[part] = (uint32_t)candidates;
}

W7_INDEX_LOOPS_END

#endif
