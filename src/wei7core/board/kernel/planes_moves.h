/* Moves on planes: the body of one instruction set. planes.h includes it for portable code and each kind of AVX-512,
 * after defining its names with W7_ISA_NAME, such as w7_avx512_play_run. */

typedef struct {
    w7_plane own; /* stones of the colour that plays */
    w7_plane opponent;
    w7_plane empty_neighbours[4]; /* places with at least 1, 2, 3 and 4 adjacent empty points */
} w7_planes;

/* Counts the empty neighbours of every place again. */
W7_ISA_TARGET static inline void w7_planes_count(const w7_shape *shape, w7_planes *planes)
{
    const w7_plane stones = w7_plane_or(planes->own, planes->opponent);
    w7_plane sides[4], in_row, in_column;
    w7_plane_sides(shape, w7_plane_without(shape->points, stones), sides);
    in_row = w7_plane_or(sides[0], sides[1]);
    in_column = w7_plane_or(sides[2], sides[3]);
    sides[0] = w7_plane_and(sides[0], sides[1]);
    sides[2] = w7_plane_and(sides[2], sides[3]);
    planes->empty_neighbours[0] = w7_plane_or(in_row, in_column);
    planes->empty_neighbours[1] = w7_plane_or(w7_plane_or(sides[0], sides[2]), w7_plane_and(in_row, in_column));
    planes->empty_neighbours[2] = w7_plane_or(w7_plane_and(sides[0], in_column), w7_plane_and(sides[2], in_row));
    planes->empty_neighbours[3] = w7_plane_and(sides[0], sides[2]);
}

/* The places adjacent to a new stone have one empty neighbour fewer. */
W7_ISA_TARGET static W7_ALWAYS_INLINE void w7_planes_fill(w7_planes *planes, w7_plane neighbours)
{
    for (int i = 0; i < 3; i++)
        planes->empty_neighbours[i] = w7_plane_without(planes->empty_neighbours[i],
                                                       w7_plane_without(neighbours, planes->empty_neighbours[i + 1]));
    planes->empty_neighbours[3] = w7_plane_without(planes->empty_neighbours[3], neighbours);
}

/* The places with an empty neighbour, and those adjacent to a stone of the opponent that has one. As in w7_board_play:
 * one step from the stones with liberties decides nine moves of ten. */
W7_ISA_TARGET static W7_ALWAYS_INLINE w7_plane w7_planes_with_liberty(const w7_shape *shape, const w7_planes *planes)
{
    return w7_plane_spread(shape, w7_plane_and(planes->empty_neighbours[0], planes->opponent),
                           planes->empty_neighbours[0]);
}

/* The stones joined to `seeds`, which are not in `with_liberty`; none where one of them is. */
W7_ISA_TARGET static inline w7_plane w7_planes_dead(const w7_shape *shape, w7_plane seeds, w7_plane stones,
                                                    w7_plane with_liberty)
{
    for (;;) {
        const w7_plane more = w7_plane_and(w7_plane_spread(shape, seeds, seeds), stones);
        /* Most captured blocks are single stones. */
        if (!w7_plane_differ(more, seeds))
            return seeds;
        if (w7_plane_meet(more, with_liberty))
            return w7_plane_none();
        seeds = more;
    }
}

/* The blocks without a liberty among those that have a stone in `suspects`. */
W7_ISA_TARGET static inline w7_plane w7_planes_captured(const w7_shape *shape, w7_plane suspects, w7_plane stones,
                                                        w7_plane with_liberty)
{
    w7_plane dead = w7_planes_dead(shape, suspects, stones, with_liberty);
    if (w7_plane_meet(dead, dead))
        return dead;
    /* At least one of them lives; several must be tested individually. */
    for (w7_plane rest = suspects;;) {
        const w7_plane seed = w7_plane_one(rest);
        rest = w7_plane_without(rest, seed);
        if (w7_plane_differ(seed, suspects))
            dead = w7_plane_or(dead, w7_planes_dead(shape, seed, stones, with_liberty));
        if (!w7_plane_meet(rest, rest))
            return dead;
    }
}

/* Records dead stones in the history, row by row, and subtracts them from the board's counts. */
W7_ISA_TARGET static inline w7_status w7_planes_record_captures(w7_board *board, const w7_plane_tables *tables,
                                                                w7_plane dead, int color, int32_t *removed)
{
    const uint64_t *keys = tables->keys[color - W7_BLACK];
    const int64_t begin = board->removed_count;
    uint64_t hash = board->hash;
    w7_plane_words words;
    w7_plane_store(words.at, dead);
    for (uint32_t left = w7_plane_used(dead); left != 0; left &= left - 1) {
        const uint32_t word = (uint32_t)w7_lowest_bit(left);
        w7_point *point;
        if (w7_history_reserve_removed(board, 64) != W7_OK) {
            board->removed_count = begin;
            return W7_NO_MEMORY;
        }
        point = board->removed + board->removed_count;
        for (uint64_t bits = words.at[word]; bits != 0; bits &= bits - 1, point++) {
            const uint32_t place = word * 64 + (uint32_t)w7_lowest_bit(bits);
            *point = w7_plane_point(tables, place);
            hash ^= keys[place];
        }
        board->removed_count = point - board->removed;
    }
    *removed = (int32_t)(board->removed_count - begin);
    board->hash = hash;
    board->captured[color] += *removed;
    board->stone_count -= *removed;
    return W7_OK;
}

/* Resolves the captures of a move whose stone is already placed: `suspects` are the adjacent stones of the opponent
 * that may be dead, `with_liberty` the places where they are not; `lives`: the move's own block is known to have a
 * liberty. */
W7_ISA_TARGET static W7_ALWAYS_INLINE w7_status w7_planes_resolve_captures(w7_board *board,
                                                                           const w7_plane_tables *tables,
                                                                           const w7_shape *shape, w7_planes *planes,
                                                                           w7_plane suspects, w7_plane with_liberty,
                                                                           int lives, uint32_t place, w7_move *move)
{
    w7_plane dead;
    board->flood.effort = w7_board_effort_of_suspects(board);
    if (w7_plane_meet(suspects, suspects)) {
        dead = w7_planes_captured(shape, suspects, planes->opponent, with_liberty);
        if (w7_plane_meet(dead, dead)) {
            planes->opponent = w7_plane_without(planes->opponent, dead);
            w7_planes_count(shape, planes);
            return w7_planes_record_captures(board, tables, dead, W7_BLACK + W7_WHITE - move->color,
                                             &move->removed_opponent);
        }
    }
    if (lives)
        return W7_OK;
    dead = w7_planes_dead(shape, w7_plane_place(place), planes->own, planes->empty_neighbours[0]);
    if (!w7_plane_meet(dead, dead))
        return W7_OK;
    planes->own = w7_plane_without(planes->own, dead);
    w7_planes_count(shape, planes);
    return w7_planes_record_captures(board, tables, dead, move->color, &move->removed_own);
}

/* Plays as w7_board_play_run does, on a board that has planes and room for the moves in its history. */
W7_ISA_TARGET static W7_NOINLINE w7_status w7_planes_play_run(w7_board *board, const w7_plane_tables *tables,
                                                              w7_move_rows rows, int64_t count, int64_t enough,
                                                              int64_t *played)
{
    const uint32_t width = (uint32_t)board->grid.width, height = (uint32_t)board->grid.height;
    const w7_shape shape = w7_shape_of(tables->points.at, (int32_t)width + 1, tables->neighbours);
    w7_move *const moves = board->moves + board->move_count, *move = moves;
    const w7_move *end = moves + w7_run_end(board, count, enough);
    w7_plane_words black, white;
    w7_planes planes, first;
    int color = W7_BLACK;                /* to which the planes are own and opponent */
    int64_t stones = board->stone_count; /* less those of the run */
    uint64_t hash = board->hash;
    w7_status status = W7_OK;
    w7_planes_read(board, &black, &white);
    first.own = w7_plane_load(black.at);
    first.opponent = w7_plane_load(white.at);
    w7_planes_count(&shape, &first);
    planes = first; /* whose address nobody takes, so that it is in registers */
    for (; move < end; move++) {
        const w7_placement row = w7_move_next(&rows);
        const uint32_t place = (uint32_t)row.y * (width + 1) + (uint32_t)row.x;
        w7_plane stone, occupied, with_liberty, suspects, neighbours;
        int lives;
        if (row.color != color) {
            const w7_plane own = planes.own;
            if (W7_UNLIKELY(row.color != W7_BLACK + W7_WHITE - color)) {
                status = W7_BAD_COLOR;
                break;
            }
            planes.own = planes.opponent;
            planes.opponent = own;
            color = row.color;
        }
        w7_move_set(move, color, row.x, row.y, board->removed_count);
        if (W7_UNLIKELY((uint32_t)row.x >= width || (uint32_t)row.y >= height)) {
            if (row.x != -1 || row.y != -1) {
                status = W7_OFF_BOARD;
                break;
            }
            stones--;
            continue;
        }
        stone = w7_plane_place(place);
        neighbours = w7_plane_neighbours(&shape, place);
        occupied = w7_plane_and(stone, w7_plane_or(planes.own, planes.opponent));
        if (W7_UNLIKELY(w7_plane_meet(occupied, occupied))) {
            status = W7_OCCUPIED;
            break;
        }
        planes.own = w7_plane_or(planes.own, stone);
        w7_planes_fill(&planes, neighbours);
        with_liberty = w7_planes_with_liberty(&shape, &planes);
        suspects = w7_plane_without(w7_plane_and(neighbours, planes.opponent), with_liberty);
        lives = w7_plane_meet(w7_plane_or(w7_plane_and(neighbours, planes.own), stone), planes.empty_neighbours[0]);
        hash ^= tables->keys[color - W7_BLACK][place];
        if (W7_UNLIKELY(w7_plane_meet(suspects, suspects) || !lives)) {
            w7_planes settled = planes;
            board->hash = hash;
            board->stone_count = stones + (move - moves) + 1;
            status =
                w7_planes_resolve_captures(board, tables, &shape, &settled, suspects, with_liberty, lives, place, move);
            hash = board->hash;
            if (status != W7_OK) {
                planes.own = w7_plane_without(planes.own, stone); /* its neighbours are no longer used */
                hash ^= tables->keys[color - W7_BLACK][place];
                break;
            }
            stones = board->stone_count - (move - moves) - 1;
            planes = settled;
            end = moves + w7_run_end(board, count, enough);
        }
    }
    *played = move - moves;
    board->move_count += *played;
    board->stone_count = stones + *played;
    board->hash = hash;
    w7_plane_store(black.at, color == W7_BLACK ? planes.own : planes.opponent);
    w7_plane_store(white.at, color == W7_BLACK ? planes.opponent : planes.own);
    w7_planes_write(&board->grid, &black, &white);
    return status;
}
