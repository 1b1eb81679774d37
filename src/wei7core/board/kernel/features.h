/* Positions as input planes of networks: 0 or 1 for each point, plane by plane. */
#ifndef W7_BOARD_KERNEL_FEATURES_H
#define W7_BOARD_KERNEL_FEATURES_H

#include "board/kernel/history_planes.h"
#include "board/kernel/liberty_counts.h"
#include "board/kernel/pack.h"
#include "board/kernel/stone_sets.h"

/* The planes of a position, in this order; after them two for each earlier position, of own stones and the
 * opponent's. */
enum {
    W7_PLANE_OWN,
    W7_PLANE_OPPONENT,
    W7_PLANE_EMPTY,
    W7_PLANE_OWN_LIBERTIES,          /* three: stones of blocks with 1, 2, and 3 or more liberties */
    W7_PLANE_OPPONENT_LIBERTIES = 6, /* the same */
    W7_PLANE_KO = 9,
    W7_PLANES_NOW
};

/* The class of a point: 0 empty, 4 to 7 own, 8 to 11 the opponent's, with up to three liberties. */
enum { W7_POINT_OWN = 4, W7_POINT_OPPONENT = 8 };

typedef struct {
    int32_t width;
    int32_t height;
    int32_t history;  /* earlier positions of each */
    uint8_t is_float; /* numbers of 4 bytes, not of 1 */
} w7_feature_shape;

typedef struct {
    int64_t ko; /* the forbidden point, counted row by row; -1: none */
    uint8_t color;
} w7_feature_turn;

/* Room for one position. */
typedef struct {
    uint8_t *points;
    int32_t *roots;
    int32_t *liberties;
} w7_feature_room;

static inline w7_status w7_feature_room_make(w7_feature_room *room, int64_t area)
{
    memset(room, 0, sizeof *room);
    if ((uint64_t)area > SIZE_MAX / 16)
        return W7_NO_MEMORY;
    room->roots = (int32_t *)malloc((size_t)area * (2 * sizeof(int32_t) + 1));
    if (room->roots == NULL)
        return W7_NO_MEMORY;
    room->liberties = room->roots + area;
    room->points = (uint8_t *)(room->liberties + area);
    return W7_OK;
}

static inline void w7_feature_room_free(w7_feature_room *room)
{
    free(room->roots);
}

/* Writes one plane: 1 where a point is from `first` to `last`. Returns the address after it. */
static inline uint8_t *w7_feature_plane(const uint8_t *points, int64_t area, int first, int last, int is_float,
                                        uint8_t *out)
{
    const uint8_t from = (uint8_t)first, count = (uint8_t)(last - first);
    if (is_float) {
        float *numbers = (float *)(void *)out;
        for (int64_t i = 0; i < area; i++)
            numbers[i] = (uint8_t)(points[i] - from) <= count ? 1.0f : 0.0f;
        return out + area * (int64_t)sizeof(float);
    }
    for (int64_t i = 0; i < area; i++)
        out[i] = (uint8_t)(points[i] - from) <= count;
    return out + area;
}

/* Replaces each stone with the class of its point. */
static inline void w7_feature_points(const w7_feature_shape *shape, int color, w7_feature_room *room)
{
    const int64_t area = (int64_t)shape->width * shape->height;
    w7_liberty_counts(room->points, shape->width, shape->height, room->roots, room->liberties);
    for (int64_t i = 0; i < area; i++) {
        const int32_t liberties = room->liberties[i] < 3 ? room->liberties[i] : 3;
        const int stone = room->points[i] == color ? W7_POINT_OWN : W7_POINT_OPPONENT;
        room->points[i] = room->points[i] == W7_EMPTY ? 0 : (uint8_t)(stone + liberties);
    }
}

/* Writes the planes of packed positions, each followed by its earlier ones, the latest first. */
static inline w7_status w7_features_write(const w7_feature_shape *shape, const uint8_t *packed,
                                          const w7_feature_turn *turns, int64_t count, uint8_t *out)
{
    const int64_t area = (int64_t)shape->width * shape->height, size = w7_packed_size(shape->width, shape->height);
    const int is_float = shape->is_float;
    w7_feature_room room;
    if (w7_feature_room_make(&room, area) != W7_OK)
        return W7_NO_MEMORY;
    for (const w7_feature_turn *turn = turns; turn < turns + count; turn++) {
        const int color = turn->color, other = W7_BLACK + W7_WHITE - color;
        w7_unpack(packed, area, room.points);
        w7_feature_points(shape, color, &room);
        out = w7_feature_plane(room.points, area, W7_POINT_OWN, W7_POINT_OWN + 3, is_float, out);
        out = w7_feature_plane(room.points, area, W7_POINT_OPPONENT, W7_POINT_OPPONENT + 3, is_float, out);
        out = w7_feature_plane(room.points, area, 0, 0, is_float, out);
        for (int stone = W7_POINT_OWN; stone <= W7_POINT_OPPONENT; stone += W7_POINT_OPPONENT - W7_POINT_OWN)
            for (int liberties = 1; liberties <= 3; liberties++)
                out = w7_feature_plane(room.points, area, stone + liberties, stone + liberties, is_float, out);
        memset(room.points, 0, (size_t)area);
        if (turn->ko >= 0)
            room.points[turn->ko] = 1;
        out = w7_feature_plane(room.points, area, 1, 1, is_float, out);
        packed += size;
        for (int32_t before = 0; before < shape->history; before++, packed += size) {
            w7_unpack(packed, area, room.points);
            out = w7_feature_plane(room.points, area, color, color, is_float, out);
            out = w7_feature_plane(room.points, area, other, other, is_float, out);
        }
    }
    w7_feature_room_free(&room);
    return W7_OK;
}

/* Writes the planes of AlphaGo Zero (history_planes.h) of packed positions, each followed by the 7 before it; those
 * that did not exist are empty. */
static inline w7_status w7_history_features_write(int isa, const w7_feature_shape *shape, const uint8_t *packed,
                                                  const w7_feature_turn *turns, int64_t count, uint8_t *out)
{
    const int64_t area = (int64_t)shape->width * shape->height, size = w7_packed_size(shape->width, shape->height);
    const int64_t bytes = W7_HISTORY_PLANES * area;
    const size_t words = w7_point_set_words(area);
    w7_history_stones positions[W7_HISTORY_POSITIONS];
    uint8_t *row;
    uint64_t *sets;
    if ((uint64_t)area > SIZE_MAX / 64)
        return W7_NO_MEMORY;
    sets = (uint64_t *)malloc(2 * W7_HISTORY_POSITIONS * words * sizeof *sets + (size_t)bytes);
    if (sets == NULL)
        return W7_NO_MEMORY;
    row = (uint8_t *)(sets + 2 * W7_HISTORY_POSITIONS * words);
    for (const w7_feature_turn *turn = turns; turn < turns + count; turn++) {
        for (int i = 0; i < W7_HISTORY_POSITIONS; i++, packed += size) {
            positions[i].black = sets + 2 * (size_t)i * words;
            positions[i].white = positions[i].black + words;
            w7_stone_sets_unpack(packed, area, (uint64_t *)positions[i].black, (uint64_t *)positions[i].white);
        }
        if (!shape->is_float) {
            w7_history_write(isa, positions, turn->color, area, out);
            out += bytes;
            continue;
        }
        w7_history_write(isa, positions, turn->color, area, row);
        for (int64_t i = 0; i < bytes; i++)
            ((float *)(void *)out)[i] = row[i];
        out += bytes * (int64_t)sizeof(float);
    }
    free(sets);
    return W7_OK;
}

#endif
