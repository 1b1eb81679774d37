/* The games of frames, by the hash of their positions: buckets by its first bits, then in the order of its next 8. */
#ifndef W7_INDEX_HASH_TABLE_H
#define W7_INDEX_HASH_TABLE_H

#include <stdlib.h>

#include "batch/index/game_store.h"

W7_INDEX_LOOPS_BEGIN

/* Orders `games` and `keys`, `count` each, by key; `other` has room for both, 5 bytes each. */
static void w7_index_order_keys(void *games, size_t game_size, uint8_t *keys, size_t count, uint8_t *other)
{
    size_t places[257] = {0};
    uint8_t *other_keys = other + count * game_size;
    memcpy(other, games, count * game_size);
    memcpy(other_keys, keys, count);
    for (size_t k = 0; k < count; k++)
        places[keys[k] + 1]++;
    for (int key = 0; key < 256; key++)
        places[key + 1] += places[key];
    for (size_t k = 0; k < count; k++) {
        const size_t place = places[other_keys[k]]++;
        keys[place] = other_keys[k];
        memcpy((uint8_t *)games + place * game_size, other + k * game_size, game_size);
    }
}

/* Fills `buckets`, 2 to the power of `bits` and one more, and the games and keys of all frames. Game numbers have 2
 * bytes, or 4 (`is_long`). Returns -1 where there is not enough memory. */
static int w7_index_order_hashes(const uint64_t *hashes, const int64_t *offsets, int64_t games, int bits,
                                 uint32_t *buckets, void *hash_games, int is_long, uint8_t *keys)
{
    const size_t bucket_count = (size_t)1 << bits, game_size = is_long ? 4 : 2;
    const int64_t frames = offsets[games];
    size_t most = 0, before = 0;
    uint8_t *other;
    memset(buckets, 0, (bucket_count + 1) * sizeof(uint32_t));
    for (int64_t k = 0; k < frames; k++)
        buckets[hashes[k] >> (64 - bits)]++;
    for (size_t k = 0; k < bucket_count; k++) {
        const size_t here = buckets[k];
        most = here > most ? here : most;
        buckets[k] = (uint32_t)before;
        before += here;
    }
    buckets[bucket_count] = (uint32_t)before;
    other = malloc(most * (game_size + 1) + 1);
    if (other == NULL)
        return -1;
    for (int64_t game = 0; game < games; game++)
        for (int64_t k = offsets[game]; k < offsets[game + 1]; k++) {
            const uint32_t place = buckets[hashes[k] >> (64 - bits)]++;
            keys[place] = (uint8_t)(hashes[k] << bits >> 56);
            if (is_long)
                ((uint32_t *)hash_games)[place] = (uint32_t)game;
            else
                ((uint16_t *)hash_games)[place] = (uint16_t)game;
        }
    /* Each bucket now has the end of its own, which is the begin of the next one. */
    memmove(buckets + 1, buckets, bucket_count * sizeof(uint32_t));
    buckets[0] = 0;
    for (size_t k = 0; k < bucket_count; k++) {
        const size_t begin = buckets[k], count = buckets[k + 1] - begin;
        int is_ordered = 1;
        for (size_t i = 1; i < count && is_ordered; i++)
            is_ordered = keys[begin + i - 1] <= keys[begin + i];
        if (is_ordered)
            continue;
        if (count > 32) {
            w7_index_order_keys((uint8_t *)hash_games + begin * game_size, game_size, keys + begin, count, other);
            continue;
        }
        for (size_t i = begin + 1; i < begin + count; i++) {
            const uint8_t key = keys[i];
            const uint32_t game = is_long ? ((uint32_t *)hash_games)[i] : ((uint16_t *)hash_games)[i];
            size_t at = i;
            for (; at > begin && keys[at - 1] > key; at--) {
                keys[at] = keys[at - 1];
                if (is_long)
                    ((uint32_t *)hash_games)[at] = ((uint32_t *)hash_games)[at - 1];
                else
                    ((uint16_t *)hash_games)[at] = ((uint16_t *)hash_games)[at - 1];
            }
            keys[at] = key;
            if (is_long)
                ((uint32_t *)hash_games)[at] = game;
            else
                ((uint16_t *)hash_games)[at] = (uint16_t)game;
        }
    }
    free(other);
    return 0;
}

W7_INDEX_LOOPS_END

#endif
