/* A line of moves on planes for its last position only: the body of one instruction set. planes.h includes it once for
 * portable code and for each kind of AVX-512; W7_ISA_NAME makes names such as w7_avx512_play_line.
 *
 * Moves cannot be taken back. A move on an occupied point is detected late, by stones of both colours on one point or
 * by too few stones; the line is then discarded and replayed by the walk. */

/* The last move that captured stones of the opponent. */
typedef struct {
    w7_plane stone;
    w7_plane dead;
    const uint8_t *row; /* after which it was read */
} w7_plane_capture;

typedef struct {
    w7_planes planes;
    w7_plane both; /* points with stones of both colours */
    w7_plane_capture last;
} w7_line_state;

/* Removes the opponent's stones. A ko recapture takes the stone of the previous move, which captured a stone on this
 * point. */
W7_ISA_TARGET static W7_ALWAYS_INLINE void w7_line_capture(const w7_shape *shape, w7_line_state *state, w7_plane dead,
                                                           w7_plane stone, int color, const uint8_t *row,
                                                           ptrdiff_t stride, w7_line *line)
{
    w7_plane_capture *last = &state->last;
    state->planes.opponent = w7_plane_without(state->planes.opponent, dead);
    w7_planes_count(shape, &state->planes);
    line->captured[W7_BLACK + W7_WHITE - color] += w7_plane_total(dead);
    if (last->row == row - stride && !w7_plane_differ(last->stone, dead) && !w7_plane_differ(last->dead, stone))
        line->ko_recaptures++;
    last->stone = stone;
    last->dead = dead;
    last->row = row;
}

/* As w7_planes_resolve_captures, where the arguments are described. */
W7_ISA_TARGET static W7_ALWAYS_INLINE void w7_line_resolve_captures(const w7_shape *shape, w7_line_state *state,
                                                                    w7_plane suspects, w7_plane with_liberty, int lives,
                                                                    w7_plane stone, int color, const uint8_t *row,
                                                                    ptrdiff_t stride, w7_line *line)
{
    w7_planes *planes = &state->planes;
    w7_plane dead;
    state->both = w7_plane_or(state->both, w7_plane_and(planes->own, planes->opponent));
    if (w7_plane_meet(suspects, suspects)) {
        dead = w7_planes_captured(shape, suspects, planes->opponent, with_liberty);
        if (w7_plane_meet(dead, dead)) {
            w7_line_capture(shape, state, dead, stone, color, row, stride, line);
            return;
        }
    }
    if (lives)
        return;
    dead = w7_planes_dead(shape, stone, planes->own, planes->empty_neighbours[0]);
    if (!w7_plane_meet(dead, dead))
        return;
    planes->own = w7_plane_without(planes->own, dead);
    w7_planes_count(shape, planes);
    line->captured[color] += w7_plane_total(dead);
    line->suicides++;
}

/* The table entries of a move, loaded before the previous move is resolved, whose branches are often mispredicted. */
typedef struct {
    w7_plane stone;
    w7_plane neighbours;
    int color; /* and W7_LINE_PASS, W7_LINE_WRONG */
} w7_line_move;

W7_ISA_TARGET static W7_ALWAYS_INLINE w7_line_move w7_line_next(w7_move_rows *rows, const w7_plane_tables *tables,
                                                                const w7_shape *shape)
{
    const w7_placement row = w7_move_next(rows);
    uint32_t place = (uint32_t)row.y * tables->stride + (uint32_t)row.x;
    w7_line_move move;
    move.color = row.color;
    if (W7_UNLIKELY((uint32_t)row.x >= tables->stride - 1 || (uint32_t)row.y >= tables->height)) {
        move.color |= row.x == -1 && row.y == -1 ? W7_LINE_PASS : W7_LINE_WRONG;
        place = 0;
    }
    move.stone = w7_plane_place(place);
    move.neighbours = w7_plane_neighbours(shape, place);
    return move;
}

/* Plays the rows [rows.at, end), at least one, on the empty board. Returns whether that succeeded; else `line` is
 * invalid. Inlined, so that the compiler knows the layout of the rows. */
W7_ISA_TARGET static W7_ALWAYS_INLINE int w7_planes_play_line(const w7_plane_tables *tables, w7_move_rows rows,
                                                              const uint8_t *end, w7_line *line)
{
    const w7_shape shape = w7_shape_of(tables->points.at, (int32_t)tables->stride, tables->neighbours);
    const int64_t count = (end - rows.at) / rows.stride;
    w7_line_state state; /* whose address nobody takes, so that it is in registers */
    w7_planes first;
    w7_line_move next = w7_line_next(&rows, tables, &shape);
    int color = W7_BLACK, more; /* to which the planes are own and opponent */
    memset(line, 0, sizeof *line);
    first.own = first.opponent = state.both = w7_plane_none();
    state.last.stone = state.last.dead = w7_plane_none();
    state.last.row = NULL;
    w7_planes_count(&shape, &first);
    state.planes = first;
    do {
        const w7_line_move move = next;
        const uint8_t *row = rows.at;
        w7_plane with_liberty, suspects;
        int lives;
        more = row < end;
        if (more)
            next = w7_line_next(&rows, tables, &shape);
        if (move.color != color) {
            const w7_plane own = state.planes.own;
            if (W7_UNLIKELY(move.color != W7_BLACK + W7_WHITE - color)) {
                if (move.color != (W7_BLACK | W7_LINE_PASS) && move.color != (W7_WHITE | W7_LINE_PASS))
                    return 0;
                line->passes++;
                continue;
            }
            state.planes.own = state.planes.opponent;
            state.planes.opponent = own;
            color = move.color;
        }
        state.planes.own = w7_plane_or(state.planes.own, move.stone);
        w7_planes_fill(&state.planes, move.neighbours);
        with_liberty = w7_planes_with_liberty(&shape, &state.planes);
        suspects = w7_plane_without(w7_plane_and(move.neighbours, state.planes.opponent), with_liberty);
        lives = w7_plane_meet(w7_plane_or(w7_plane_and(move.neighbours, state.planes.own), move.stone),
                              state.planes.empty_neighbours[0]);
        if (W7_UNLIKELY(w7_plane_meet(suspects, suspects) || !lives)) {
            w7_line_state settled = state;
            w7_line_resolve_captures(&shape, &settled, suspects, with_liberty, lives, move.stone, color, row,
                                     rows.stride, line);
            state = settled;
        }
    } while (more);
    line->moves = count;
    state.both = w7_plane_or(state.both, w7_plane_and(state.planes.own, state.planes.opponent));
    w7_plane_store(line->stones[color - W7_BLACK].at, state.planes.own);
    w7_plane_store(line->stones[W7_WHITE - color].at, state.planes.opponent);
    return !w7_plane_meet(state.both, state.both) && w7_plane_total(state.planes.own) +
                                                             w7_plane_total(state.planes.opponent) +
                                                             line->captured[W7_BLACK] + line->captured[W7_WHITE] ==
                                                         count - line->passes;
}
