"""`GameClock`: the time that both sides of a game have, by the times of its moves."""

from libc.math cimport INFINITY, floor, fmod

from wei7core.board.kernel cimport W7_WHITE

cdef enum ClockKind:
    ABSOLUTE
    BYO_YOMI
    CANADIAN
    FISCHER

cdef tuple CLOCK_KINDS = ("absolute", "byo-yomi", "canadian", "fischer")


cdef struct SideTime:
    double main
    double seconds    # of the period that runs
    int64_t periods   # remaining, this one included
    int64_t stones
    int64_t is_over   # as wide as the others, so that equal times are equal bytes


cdef struct ClockTime:
    SideTime sides[2]
    double since
    int64_t running


cdef class GameClock:
    """The clocks of both sides. All times are in seconds."""

    cdef ClockKind kind
    cdef double seconds
    cdef double most
    cdef int64_t stones
    cdef ClockTime now  # whatever it is set to, each color has its side

    def __init__(self, setting, first):
        cdef double main = setting.main
        cdef int64_t periods = setting.periods
        self.kind = <ClockKind>CLOCK_KINDS.index(setting.kind)
        self.seconds = setting.seconds
        self.stones = setting.stones
        self.most = INFINITY if setting.most is None else setting.most
        self.now.running = read_color(first)
        self.now.sides[0].main = main
        if self.kind != FISCHER:
            self.now.sides[0] = SideTime(main, self.seconds, periods, self.stones, False)
        self.now.sides[1] = self.now.sides[0]

    def time_of(self, color, double time):
        """Return the time of a side at a time: main, seconds, periods, stones, and whether it is over."""
        cdef SideTime remaining
        self.find_remaining(read_color(color), time, &remaining)
        return remaining.main, remaining.seconds, remaining.periods, remaining.stones, remaining.is_over != 0

    def stop(self, color, double time, bint is_move):
        """Stop the clock that runs, at a time, for a move of `color`, or start that of `color`, with no move made.

        Returns whether there was time.
        """
        cdef SideTime remaining
        cdef int side = read_color(color)
        if not self.find_remaining(<int>self.now.running, time, &remaining):
            return False
        if is_move:
            self.pass_on(side, time, &remaining)
        else:
            self.start(side, time, &remaining)
        return True

    @property
    def running(self):
        """The color whose clock runs."""
        return self.now.running

    @property
    def since(self):
        """The time from which it runs."""
        return self.now.since

    @property
    def state(self):
        """The time of both sides, as bytes; it can be set to what it was."""
        return PyBytes_FromStringAndSize(<char *>&self.now, sizeof(self.now))

    @state.setter
    def state(self, bytes state not None):
        if len(state) != sizeof(self.now):
            raise ValueError("the state is that of another clock")
        memcpy(&self.now, PyBytes_AS_STRING(state), sizeof(self.now))

    cdef bint find_remaining(self, int color, double time, SideTime *remaining) noexcept:
        """Find the time of a side at a time; returns whether it has any."""
        cdef double spent = time - self.now.since
        remaining[0] = self.now.sides[color == W7_WHITE]
        if color == self.now.running and not spent <= 0:
            # A move exactly at the end of main time is in time; without overtime a later one is not.
            if spent <= remaining.main:
                remaining.main -= spent
            else:
                self.find_overtime(spent - remaining.main, remaining)
        return remaining.is_over == 0

    cdef void find_overtime(self, double over, SideTime *remaining) noexcept:
        """The time that remains after a side thought for `over` seconds more than it had of main time."""
        cdef double remainder, whole
        remaining.main = 0
        if self.kind == BYO_YOMI:
            remainder = fmod(over, self.seconds)
            whole = floor((over - remainder) / self.seconds + 0.5)
            if remainder == 0:
                whole -= 1  # a move exactly at the end of a period is in time
            if whole < <double>remaining.periods:
                remaining.seconds = self.seconds * (whole + 1) - over
                remaining.periods -= <int64_t>whole
                remaining.stones = 0
                return
        elif self.kind == CANADIAN and over <= remaining.seconds:
            remaining.seconds -= over
            remaining.periods = 0
            return
        remaining[0] = SideTime(0, 0, 0, 0, True)

    cdef void pass_on(self, int color, double time, SideTime *remaining) noexcept:
        """Stop the clock that runs for a move of `color`, with what `find_remaining` found for it."""
        cdef double main
        if self.kind == FISCHER:
            main = remaining.main + self.seconds
            if main > self.most:
                main = self.most
            if main > remaining.main:
                remaining.main = main
        elif not remaining.main > 0:
            if self.kind == BYO_YOMI:
                remaining.seconds = self.seconds
            elif self.kind == CANADIAN:
                remaining.stones -= 1
                if remaining.stones == 0:
                    remaining.seconds = self.seconds
                    remaining.stones = self.stones
        self.start(3 - color, time, remaining)

    cdef void start(self, int color, double time, const SideTime *remaining) noexcept:
        """Let the clock of `color` run, with that time for the side whose clock ran."""
        self.now.sides[self.now.running == W7_WHITE] = remaining[0]
        self.now.running = color
        if time > self.now.since:
            self.now.since = time
