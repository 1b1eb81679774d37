/* Every child of a position on planes, the body of one instruction set: children.h includes it once for each. */

/* The stones joined to `seeds`. */
W7_ISA_TARGET static inline w7_plane w7_planes_joined(const w7_shape *shape, w7_plane seeds, w7_plane stones)
{
    for (;;) {
        /* Two steps for each test: every test is a branch. */
        const w7_plane next = w7_plane_and(w7_plane_spread(shape, seeds, seeds), stones);
        const w7_plane more = w7_plane_and(w7_plane_spread(shape, next, next), stones);
        if (!w7_plane_differ(more, seeds))
            return seeds;
        seeds = more;
    }
}

/* The keys of stones of one colour, and their number added to *count. */
W7_ISA_TARGET static inline uint64_t w7_planes_key(const w7_plane_tables *tables, w7_plane stones, int color,
                                                   int32_t *count)
{
    const uint64_t *keys = tables->keys[color - W7_BLACK];
    w7_plane_words words;
    uint64_t key = 0;
    w7_plane_store(words.at, stones);
    for (uint32_t left = w7_plane_used(stones); left != 0; left &= left - 1) {
        const int word = w7_lowest_bit(left);
        for (uint64_t bits = words.at[word]; bits != 0; bits &= bits - 1, ++*count)
            key ^= keys[64 * word + w7_lowest_bit(bits)];
    }
    return key;
}

/* Finds the children that capture. Returns their places; *taken are the stones, and places[i] is the place of child i.
 * */
W7_ISA_TARGET static inline w7_plane w7_planes_capturable(const w7_plane_tables *tables, const w7_shape *shape,
                                                          const w7_planes *planes, w7_plane empty, int color,
                                                          w7_children *children, uint16_t *places, w7_plane *taken)
{
    const int other = W7_BLACK + W7_WHITE - color;
    const w7_plane opponent = planes->opponent, *neighbours = planes->empty_neighbours;
    const w7_plane safe = w7_planes_joined(shape, w7_plane_and(opponent, neighbours[1]), opponent);
    w7_plane rest = w7_plane_without(w7_plane_and(opponent, neighbours[0]), safe), captures = w7_plane_none();
    *taken = captures;
    while (w7_plane_meet(rest, rest)) {
        const w7_plane block = w7_planes_joined(shape, w7_plane_one(rest), opponent);
        uint32_t liberties[2];
        rest = w7_plane_without(rest, block);
        if (w7_plane_few(w7_plane_and(w7_plane_spread(shape, block, block), empty), liberties) == 1) {
            const w7_plane place = w7_plane_place(liberties[0]);
            int64_t at = 0;
            w7_child *child;
            while (at < children->taker_count && places[at] != liberties[0])
                at++;
            child = &children->takers[at];
            if (at == children->taker_count) {
                children->taker_count++;
                places[at] = (uint16_t)liberties[0];
                child->key = tables->keys[color - W7_BLACK][liberties[0]];
                child->point = w7_plane_number(tables, liberties[0]);
                child->captured = child->lost = 0;
            }
            child->key ^= w7_planes_key(tables, block, other, &child->captured);
            captures = w7_plane_or(captures, place);
            *taken = w7_plane_or(*taken, block);
        }
    }
    return captures;
}

/* Fills the children of a position except for legality. There is room for a taker on every point. */
W7_ISA_TARGET static W7_NOINLINE void w7_planes_children(const w7_plane_tables *tables, const w7_plane_words *own,
                                                         const w7_plane_words *opponent, int color,
                                                         w7_children *children)
{
    const w7_shape shape = w7_shape_of(tables->points.at, (int32_t)tables->stride, tables->neighbours);
    const w7_plane none = w7_plane_none();
    w7_plane empty, few, captures, taken, many, asked, rest, paired, lone, dead, snapbacks, doubtful;
    w7_plane_words asked_words, neighbour_words, atari_words, left;
    uint16_t places[W7_PLANE_BITS], pairs[W7_PLANE_BITS][2], partner[W7_PLANE_BITS];
    uint64_t met[W7_PLANE_WORDS] = {0}, several[W7_PLANE_WORDS] = {0};
    int pair_count = 0;
    w7_planes planes;
    planes.own = w7_plane_load(own->at);
    planes.opponent = w7_plane_load(opponent->at);
    w7_planes_count(&shape, &planes);
    empty = w7_plane_without(shape.points, w7_plane_or(planes.own, planes.opponent));
    w7_plane_pack(&shape, empty, children->empty);
    children->taker_count = 0;
    captures = w7_planes_capturable(tables, &shape, &planes, empty, color, children, places, &taken);

    /* Points adjacent to two empty ones, or to a block with three liberties, are decided. Two adjacent stones of a
     * block have no liberty in common. */
    few = w7_plane_without(empty, planes.empty_neighbours[1]);
    many = w7_plane_spread(&shape, w7_plane_and(planes.own, planes.empty_neighbours[0]), none);
    many = w7_plane_or(w7_plane_and(many, planes.empty_neighbours[1]), planes.empty_neighbours[2]);
    many = w7_planes_joined(&shape, w7_plane_and(many, planes.own), planes.own);
    asked = w7_plane_without(few, w7_plane_spread(&shape, many, none));
    rest = w7_plane_without(w7_plane_and(planes.own, w7_plane_spread(&shape, asked, none)), many);
    paired = many = none;
    while (w7_plane_meet(rest, rest)) {
        const w7_plane block = w7_planes_joined(&shape, w7_plane_one(rest), planes.own);
        const w7_plane liberties = w7_plane_and(w7_plane_spread(&shape, block, block), empty);
        uint32_t pair[2];
        const int count = w7_plane_few(liberties, pair);
        rest = w7_plane_without(rest, block);
        if (count == 2) {
            pairs[pair_count][0] = (uint16_t)pair[0];
            pairs[pair_count++][1] = (uint16_t)pair[1];
            paired = w7_plane_or(paired, liberties);
        } else if (count > 2) {
            many = w7_plane_or(many, liberties);
        }
    }
    asked = w7_plane_without(asked, many);

    /* Next to isolated points all own blocks, if any, are in atari. */
    lone = w7_plane_without(asked, paired);
    dead = w7_plane_without(lone, w7_plane_or(planes.empty_neighbours[0], captures));
    w7_plane_store(atari_words.at, w7_plane_without(w7_plane_and(lone, planes.empty_neighbours[0]), captures));

    snapbacks = w7_plane_without(w7_plane_and(lone, captures), planes.empty_neighbours[0]);
    w7_plane_store(left.at, snapbacks);
    for (uint32_t used = w7_plane_used(snapbacks); used != 0; used &= used - 1) {
        const int word = w7_lowest_bit(used);
        for (; left.at[word] != 0; left.at[word] &= left.at[word] - 1) {
            const uint32_t place = (uint32_t)(64 * word + w7_lowest_bit(left.at[word]));
            const w7_plane stone = w7_plane_place(place);
            const w7_plane block = w7_planes_joined(&shape, stone, w7_plane_or(planes.own, stone));
            const w7_plane capturable =
                w7_planes_joined(&shape, w7_plane_and(w7_plane_spread(&shape, stone, none), taken), taken);
            uint32_t liberties[2];
            if (w7_plane_few(w7_plane_and(w7_plane_spread(&shape, block, none), capturable), liberties) == 1)
                atari_words.at[word] |= left.at[word] & (0 - left.at[word]);
        }
    }

    /* A block with two liberties keeps the other one, which must be the only one of all joined blocks. */
    doubtful = w7_plane_without(w7_plane_and(asked, paired), captures);
    w7_plane_store(asked_words.at, doubtful);
    w7_plane_store(neighbour_words.at, planes.empty_neighbours[0]);
    for (int i = 0; i < 2 * pair_count; i++) {
        const uint32_t place = pairs[i >> 1][i & 1], other = pairs[i >> 1][1 - (i & 1)];
        const uint64_t bit = (uint64_t)1 << (place & 63);
        if (!(met[place >> 6] & bit)) {
            met[place >> 6] |= bit;
            partner[place] = (uint16_t)other;
        } else if (partner[place] != other) {
            several[place >> 6] |= bit;
        }
    }
    for (uint32_t used = w7_plane_used(doubtful); used != 0; used &= used - 1) {
        const int word = w7_lowest_bit(used);
        for (uint64_t bits = asked_words.at[word] & ~several[word]; bits != 0; bits &= bits - 1) {
            const uint32_t place = (uint32_t)(64 * word + w7_lowest_bit(bits));
            const uint32_t away = place > partner[place] ? place - partner[place] : partner[place] - place;
            /* With an adjacent empty point, the liberty must be that one. */
            if (!(neighbour_words.at[word] & bits & (0 - bits)) || away == 1 || away == tables->stride)
                atari_words.at[word] |= bits & (0 - bits);
        }
    }
    w7_plane_pack(&shape, w7_plane_load(atari_words.at), children->self_atari);

    w7_plane_store(left.at, dead);
    for (uint32_t used = w7_plane_used(dead); used != 0; used &= used - 1) {
        const int word = w7_lowest_bit(used);
        for (; left.at[word] != 0; left.at[word] &= left.at[word] - 1) {
            const uint32_t place = (uint32_t)(64 * word + w7_lowest_bit(left.at[word]));
            w7_plane block = w7_plane_and(w7_plane_neighbours(&shape, place), planes.own);
            w7_child *child = &children->takers[children->taker_count++];
            if (w7_plane_meet(block, block))
                block = w7_planes_joined(&shape, block, planes.own);
            child->point = w7_plane_number(tables, place);
            child->captured = 0;
            child->lost = 1;
            child->key = w7_planes_key(tables, block, color, &child->lost);
        }
    }
}
