"""The games of an index, searched without the GIL."""


@cython.final
cdef class _Groups:
    """The groups of some stores, which have boards of one size."""

    cdef const w7_index_group **at
    cdef const uint8_t **chosen
    cdef int64_t count
    cdef list kept

    def __cinit__(self, stores, chosen, bint writable=False):
        cdef GameStore store
        cdef _Array[1] bits
        cdef int64_t k
        self.count = len(stores)
        self.at = <const w7_index_group **>calloc(<size_t>self.count + 1, sizeof(void *))
        self.chosen = <const uint8_t **>calloc(<size_t>self.count + 1, sizeof(void *))
        self.kept = [list(stores)]
        if self.at is NULL or self.chosen is NULL:
            raise MemoryError("not enough memory for the groups")
        if chosen is not None and len(chosen) != self.count:
            raise ValueError("the chosen games are not of one length with the groups")
        for k in range(self.count):
            store = self.kept[0][k]
            self.at[k] = &store.group
            if store.group.black is NULL:
                raise ValueError("the group has no planes")
            if store.group.width != self.at[0].width or store.group.height != self.at[0].height:
                raise ValueError("the groups have boards of several sizes")
            if chosen is not None:
                _take(self.kept, (chosen[k],), b"\1", bits, writable)
                if bits[0].count != store.group.row_bytes:
                    raise ValueError("the chosen games are not of one length with the group")
                self.chosen[k] = <const uint8_t *>bits[0].at

    def __dealloc__(self):
        free(<void *>self.at)
        free(<void *>self.chosen)


@cython.final
cdef class _Forms:
    """The forms of a pattern, for boards of `points` points."""

    cdef w7_index_form[FORMS] at
    cdef int64_t count
    cdef list kept

    def __cinit__(self, forms, int64_t points):
        cdef _Array[3] at
        cdef w7_index_form *of
        cdef int64_t k, point
        if len(forms) > FORMS:
            raise ValueError("a pattern has 16 forms at most")
        self.count = len(forms)
        self.kept = []
        for k, form in enumerate(forms):
            of = &self.at[k]
            form_points, allowed, of.colored, of.stones, of.empty, of.swapped, order = form
            _take(self.kept, form, b"\4\1", at)
            of.points, of.allowed = <const int32_t *>at[0].at, <const uint8_t *>at[1].at
            of.count, of.places = at[1].count, form_points.shape[0]
            if order is not None:
                _take(self.kept, (order,), b"\4", &at[2])
                of.order = <const int32_t *>at[2].at
            if (
                at[0].count != of.places * of.count
                or of.count > points
                or of.colored < 0
                or of.stones < 0
                or of.empty < 0
                or of.colored + of.stones + of.empty > of.count
                or (order is not None and at[2].count != of.colored + of.stones)
            ):
                raise ValueError("the arrays of a form are not of one length")
            for point in range(at[0].count):
                if not 0 <= of.points[point] < points:
                    raise ValueError("a point is off the board")


cdef bytes _hits_of(const w7_index_hits *hits):
    if not hits.count:
        return b""
    return PyBytes_FromStringAndSize(<const char *>hits.at, <Py_ssize_t>(hits.count * <int64_t>sizeof(w7_index_hit)))


def find_patterns(
    stores, forms, chosen, int64_t max_move, int to_play, bint contiguous, int32_t first_group, int64_t begin=0,
    int64_t end=INT32_MAX, found=None, corners=b"",
):
    """Return the places where forms are in the games of `stores`, as the bytes of rows of 6 native int32.

    A row is a group, counted from `first_group`, a game of it, the first frame (counted in the game) and the one after
    the last, the form and the place. Each of `forms` is (points, allowed, colored, stones, empty, swapped, order),
    see `search.h`; `chosen` are bits of games by group or None, `max_move` -1 and `to_play` 0 for any. Of each group
    the games from `begin`, a multiple of 512, up to `end` are searched. With `found` (uint8, an array for each group)
    there are no rows: its bits are set for the games that have a form, and their number is returned; `to_play` and
    `contiguous` do not count. `corners`: by form the corner in which it is, if all games are searched. Raises
    `MemoryError`.
    """
    cdef _Groups groups = _Groups(stores, chosen)
    cdef _Groups into = _Groups(stores, found, found is not None)
    cdef _Forms of
    cdef w7_index_search search
    cdef w7_index_hits hits
    cdef const uint8_t *at_corners = corners
    cdef bint is_of_corners = len(corners) > 0 and max_move < 0
    cdef int64_t k, count = 0
    cdef int status = 0
    if not groups.count:
        return b""
    if begin < 0 or begin % W7_INDEX_BLOCK:
        raise ValueError("the first game is not that of a block")
    of = _Forms(forms, groups.at[0].points)
    memset(&search, 0, sizeof(search))
    memset(&hits, 0, sizeof(hits))
    search.forms, search.form_count = of.at, of.count
    search.max_move, search.to_play, search.is_contiguous = max_move, to_play, contiguous
    search.isa = ISA
    search.group = groups.at[0]
    if len(corners) not in (0, of.count) or (corners and max(corners) >= W7_CORNERS):
        raise ValueError("the corners are not of one length with the forms")
    with nogil:
        status = w7_index_begin_search(&search)
        for k in range(groups.count):
            if status:
                break
            search.group = groups.at[k]
            search.group_number = first_group + <int32_t>k
            if into.chosen[k] is NULL:
                status = w7_index_find(&search, begin, min(end, groups.at[k].games), groups.chosen[k], &hits)
                continue
            if is_of_corners and groups.at[k].corner_keys is not NULL:
                status = w7_corner_find(&search, at_corners, groups.chosen[k], <uint8_t *>into.chosen[k])
            else:
                status = w7_index_find_games(&search, begin, min(end, groups.at[k].games), groups.chosen[k],
                                             <uint8_t *>into.chosen[k])
            count += w7_index_count_bits(into.chosen[k] + begin // 8,
                                         min((end + 7) // 8, groups.at[k].row_bytes) - begin // 8)
        w7_index_end_search(&search)
    try:
        if status:
            raise MemoryError("not enough memory for the hits")
        return _hits_of(&hits) if found is None else count
    finally:
        free(hits.at)


def find_boards(
    stores, forms, hashes, canonical, int32_t stones, chosen, int64_t max_move, int to_play, bint contiguous,
    bint with_common
):
    """Return rows as `find_patterns`, of whole positions, the pairs of common positions, and how many games have these.

    `hashes` (uint64) are those of the forms, all of so many `stones`, `canonical` one or two whole numbers. A pair is a
    group and a number of a common position (native int32); with `with_common` there are no rows of such groups.
    """
    cdef _Groups groups = _Groups(stores, chosen)
    cdef _Forms of
    cdef _Array[1] at_hashes
    cdef w7_index_search search
    cdef w7_index_hits hits
    cdef w7_index_wanted wanted
    cdef w7_out answers
    cdef int64_t k, in_common = 0
    cdef int status = 0
    if not groups.count:
        return b"", b"", 0
    of = _Forms(forms, groups.at[0].points)
    _take(of.kept, (hashes,), b"\10", at_hashes)
    if at_hashes[0].count != of.count or not 1 <= len(canonical) <= 2:
        raise ValueError("the hashes are not of one length with the forms")
    for k in range(groups.count):
        if groups.at[k].buckets is NULL:
            raise ValueError("the group has no hashes")
    memset(&search, 0, sizeof(search))
    memset(&hits, 0, sizeof(hits))
    memset(&answers, 0, sizeof(answers))
    memset(&wanted, 0, sizeof(wanted))
    search.forms, search.form_count = of.at, of.count
    search.max_move, search.to_play, search.is_contiguous = max_move, to_play, contiguous
    search.group = groups.at[0]
    wanted.canonical_count = len(canonical)
    for k, hash in enumerate(canonical):
        wanted.canonical[k] = hash
    wanted.forms = <const uint64_t *>at_hashes[0].at
    wanted.stones = stones
    with nogil:
        status = w7_index_begin_search(&search)
        if not status:
            status = w7_index_find_boards(&search, &wanted, groups.at, groups.chosen, groups.count, &answers,
                                          &in_common if with_common else NULL, &hits)
        w7_index_end_search(&search)
        free(wanted.keys)
    try:
        if status:
            raise MemoryError("not enough memory for the hits")
        return _hits_of(&hits), _bytes_of(&answers), in_common
    finally:
        free(hits.at)
        free(answers.at)


def count_moves(stores, winners, hits, answers, placements, pattern, folded, counts, values=None, sums=None):
    """Add to `counts` the moves that follow what `find_patterns` or `find_boards` returned, each once a game.

    `placements` is of each form (firsts, hash, symmetry, swapped), `pattern` (width, height), `folded` (int32) has for
    each point of the pattern its representative, `winners` (uint8) are by game, an array for each group; None for those
    without hits.
    `counts` (int64) has the shape (points of the pattern + 2, 2, 3): first those of a tenuki and of a pass, by color
    and by winner. `values` (float64) are two numbers of each game, NaN where they are not known, an array for each
    group; `sums` (float64) has the shape (points of the pattern + 2, 2, 4): the sum of the first and how many are
    known, and the same of the second. Raises `ValueError` for hits of other groups, `MemoryError`.
    """
    cdef _Groups groups = _Groups(stores, None)
    cdef w7_index_placement[FORMS] of
    cdef w7_index_tally tally
    cdef _Array[4] at
    cdef _Array[1] one
    cdef const w7_index_hit *hit
    cdef const w7_index_answer *answer
    cdef const uint8_t **of_groups = groups.chosen
    cdef const double **at_values = NULL
    cdef w7_index_reading reading
    cdef int64_t k, keys, hit_count, answer_count
    cdef int32_t last = -1
    cdef int status = 0
    if not groups.count:
        return
    kept = []
    _take(kept, (hits, answers, folded), b"\1\1\4", at)
    _take(kept, (counts,), b"\10", &at[3], True)
    hit, hit_count = <const w7_index_hit *>at[0].at, at[0].count // <int64_t>sizeof(w7_index_hit)
    answer, answer_count = <const w7_index_answer *>at[1].at, at[1].count // <int64_t>sizeof(w7_index_answer)
    memset(&tally, 0, sizeof(tally))
    tally.board_width, tally.board_height = groups.at[0].width, groups.at[0].height
    tally.width, tally.height = pattern
    tally.folded, tally.counts = <const int32_t *>at[2].at, <int64_t *>at[3].at
    keys = (<int64_t>tally.width * tally.height + 2) * 2
    if at[3].count != keys * 3 or at[2].count != keys // 2 - 2 or len(winners) != groups.count:
        raise ValueError("the arrays of the counts are not of one length")
    if len(placements) > FORMS:
        raise ValueError("a pattern has 16 forms at most")
    for k in range(at[2].count):
        if not 0 <= tally.folded[k] < at[2].count:
            raise ValueError("a point is off the pattern")
    for k, placement in enumerate(placements):
        firsts, of[k].hash, of[k].symmetry, of[k].swapped = placement
        _take(kept, (firsts,), b"\4", one)
        of[k].firsts, of[k].places = <const int32_t *>one[0].at, one[0].count
    tally.forms, tally.form_count = of, len(placements)
    for k in range(groups.count):
        if winners[k] is None:
            continue
        _take(kept, (winners[k],), b"\1", one)
        of_groups[k] = <const uint8_t *>one[0].at
        if one[0].count != groups.at[k].games:
            raise ValueError("the winners are not of one length with the group")
    if values is not None:
        _take(kept, (sums,), b"\10", one, True)
        tally.sums = <double *>one[0].at
        if one[0].count != keys * 4 or len(values) != groups.count or answer_count:
            raise ValueError("the arrays of the sums are not of one length")
    memset(&reading, 0, sizeof(reading))
    reading.groups, reading.group_count, reading.answers = groups.at, groups.count, answer
    try:
        tally.last_games = <int64_t *>calloc(<size_t>keys, sizeof(int64_t))
        tally.keys = <int32_t *>calloc(<size_t>(tally.form_count * (groups.at[0].points + 1)) + 1, sizeof(int32_t))
        at_values = <const double **>calloc(<size_t>groups.count, sizeof(void *))
        if tally.last_games is NULL or tally.keys is NULL or at_values is NULL:
            raise MemoryError("not enough memory for the moves")
        memset(tally.last_games, 255, <size_t>keys * sizeof(int64_t))
        for k in range(groups.count if values is not None else 0):
            _take(kept, (values[k],), b"\10", one)
            at_values[k] = <const double *>one[0].at
            if one[0].count != 2 * groups.at[k].games:
                raise ValueError("the values are not of one length with the group")
        with nogil:
            for k in range(hit_count):
                if hit[k].group < last or hit[k].group >= groups.count:
                    status = -1
                    break
                while last < hit[k].group:
                    tally.first_game += groups.at[last].games if last >= 0 else 0
                    last += 1
                tally.winners, tally.values = of_groups[last], at_values[last]
                if tally.winners is NULL:
                    status = -1
                    break
                status = w7_index_count_moves(groups.at[last], hit + k, &tally)
                if status:
                    break
            w7_index_read_ahead(&reading, answer_count, W7_INDEX_READ_IMAGE_ENDS, W7_INDEX_READ_COUNTS)
            for k in range(answer_count):
                if status:
                    break
                if not 0 <= answer[k].group < groups.count:
                    status = -1
                    break
                status = w7_index_count_common(groups.at[answer[k].group], answer[k].number, &tally)
        if status:
            raise ValueError("the hits are of another group")
    finally:
        free(tally.last_games)
        free(tally.keys)
        free(<void *>at_values)


def add_records(columns, runs, moves, size, counts, codes):
    """Find the frames of records on boards of one size; return how many, and the bytes of what they change.

    `columns` are pause points as `replay_block` has them with `sparse`; `runs` (int64, but int32 for sizes) are
    the columns of their runs, except that `text` counts from the first record.
    `moves` (int64) has for each record the moves in force at its end, -1 for one of no interest; `size` is (width,
    height). `counts` (int64) is filled with the frames of each record; `codes` (of 2 or 4 bytes) with those of all, and
    has room for all rows and one more a record. What they change are native uint32: numbers of frames, and codes.
    Raises `MemoryError`, and `ValueError` for rows that do not agree.
    """
    cdef w7_index_rows rows
    cdef w7_index_frames frames
    cdef void *at[COLUMNS]
    cdef void *at_runs[RUN_COLUMNS]
    cdef View view
    cdef View at_moves = View(moves, 8), at_counts = View(counts, 8, writable=True)
    cdef View at_codes
    cdef int status, k
    memset(&frames, 0, sizeof(frames))
    frames.width, frames.height = size
    frames.is_wide = (<int64_t>frames.width * frames.height + 1) << 2 > 1 << 16
    at_codes = View(codes, 4 if frames.is_wide else 2, writable=True)
    kept = []
    rows.count, rows.run_count = len(columns["code"]), len(runs["begin"])
    for k, name in enumerate(_COLUMNS):
        view = View(columns[name], 1 if k < 2 else 4)
        kept.append(view)
        at[k] = view.at
        if k > 2 and view.count != rows.count:
            raise ValueError("the columns of positions are not of one length")
    for k, name in enumerate(_RUN_COLUMNS):
        view = View(runs[name], 8 if k < 3 else 4)
        kept.append(view)
        at_runs[k] = view.at
        if view.count != rows.run_count:
            raise ValueError("the columns of runs are not of one length")
    rows.branch_bytes, rows.board_bytes = (<View>kept[0]).count, (<View>kept[1]).count
    rows.removed_count = (<View>kept[2]).count // 2
    if at_counts.count != at_moves.count or at_codes.count != rows.count + at_moves.count:
        raise ValueError("the arrays of frames have another length")
    rows.branches, rows.boards, rows.removed = <const uint8_t *>at[0], <const uint8_t *>at[1], <const uint32_t *>at[2]
    rows.codes, rows.move_numbers = <const uint32_t *>at[3], <const int32_t *>at[4]
    rows.run_begins, rows.texts = <const int64_t *>at_runs[0], <const int64_t *>at_runs[1]
    rows.path_sizes = <const int64_t *>at_runs[2]
    rows.widths, rows.heights = <const int32_t *>at_runs[3], <const int32_t *>at_runs[4]
    frames.counts, frames.codes = <int64_t *>at_counts.at, at_codes.at
    with nogil:
        status = w7_index_add_records(&rows, at_moves.count, <const int64_t *>at_moves.at, &frames)
    try:
        if status == -1:
            raise MemoryError("not enough memory for the frames")
        if status:
            raise ValueError("the rows of positions do not agree")
        changed = <Py_ssize_t>(frames.change_count * <int64_t>sizeof(uint32_t))
        return (
            frames.count,
            PyBytes_FromStringAndSize(<const char *>frames.change_frames, changed),
            PyBytes_FromStringAndSize(<const char *>frames.changes, changed),
        )
    finally:
        free(frames.change_frames)
        free(frames.changes)
