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
    int64_t periods   # left, this one included
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
        cdef SideTime left
        self.find_left(read_color(color), time, &left)
        return left.main, left.seconds, left.periods, left.stones, left.is_over != 0

    def stop(self, color, double time, bint is_move):
        """Stop the clock that runs, at a time, for a move of `color`, or start that of `color`, with no move made.

        Returns whether there was time.
        """
        cdef SideTime left
        cdef int side = read_color(color)
        if not self.find_left(<int>self.now.running, time, &left):
            return False
        if is_move:
            self.pass_on(side, time, &left)
        else:
            self.start(side, time, &left)
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

    cdef bint find_left(self, int color, double time, SideTime *left) noexcept:
        """Find the time of a side at a time; returns whether it has any."""
        cdef double spent = time - self.now.since
        left[0] = self.now.sides[color == W7_WHITE]
        if color == self.now.running and not spent <= 0:
            # A move exactly at the end of main time is in time; without overtime a later one is not.
            if spent <= left.main:
                left.main -= spent
            else:
                self.find_overtime(spent - left.main, left)
        return left.is_over == 0

    cdef void find_overtime(self, double over, SideTime *left) noexcept:
        """The time that remains after a side thought for `over` seconds more than it had of main time."""
        cdef double remainder, whole
        left.main = 0
        if self.kind == BYO_YOMI:
            remainder = fmod(over, self.seconds)
            whole = floor((over - remainder) / self.seconds + 0.5)
            if remainder == 0:
                whole -= 1  # a move exactly at the end of a period is in time
            if whole < <double>left.periods:
                left.seconds = self.seconds * (whole + 1) - over
                left.periods -= <int64_t>whole
                left.stones = 0
                return
        elif self.kind == CANADIAN and over <= left.seconds:
            left.seconds -= over
            left.periods = 0
            return
        left[0] = SideTime(0, 0, 0, 0, True)

    cdef void pass_on(self, int color, double time, SideTime *left) noexcept:
        """Stop the clock that runs for a move of `color`, with what `find_left` found for it."""
        cdef double main
        if self.kind == FISCHER:
            main = left.main + self.seconds
            if main > self.most:
                main = self.most
            if main > left.main:
                left.main = main
        elif not left.main > 0:
            if self.kind == BYO_YOMI:
                left.seconds = self.seconds
            elif self.kind == CANADIAN:
                left.stones -= 1
                if left.stones == 0:
                    left.seconds = self.seconds
                    left.stones = self.stones
        self.start(3 - color, time, left)

    cdef void start(self, int color, double time, const SideTime *left) noexcept:
        """Let the clock of `color` run, with that time for the side whose clock ran."""
        self.now.sides[self.now.running == W7_WHITE] = left[0]
        self.now.running = color
        if time > self.now.since:
            self.now.since = time
