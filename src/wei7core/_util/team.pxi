"""Threads that wait between the calls of one object for parts of its work, so that a call of a millisecond pays."""

from cpython.pythread cimport (
    PyThread_acquire_lock,
    PyThread_allocate_lock,
    PyThread_free_lock,
    PyThread_release_lock,
    WAIT_LOCK,
    NOWAIT_LOCK,
)
from libc.stdlib cimport calloc, free

import threading

cdef extern from *:
    """
    #ifdef _WIN32
    static long w7_process(void) { return 0; }
    #else
    #include <unistd.h>
    static long w7_process(void) { return (long)getpid(); }
    #endif
    """
    long w7_process() noexcept nogil

cdef enum:
    MOST_JOBS = 1024


@cython.final
@cython.no_gc
cdef class Members:
    """What the threads of a team wait for; each of them holds a reference."""

    def __cinit__(self, int count):
        cdef int index
        self.members = <Member *>calloc(count, sizeof(Member))
        self.busy = PyThread_allocate_lock()
        self.claim = PyThread_allocate_lock()
        if self.members is NULL or self.busy is NULL or self.claim is NULL:
            raise MemoryError("not enough memory for threads")
        self.count = count
        for index in range(count):
            self.members[index].begin = PyThread_allocate_lock()
            self.members[index].done = PyThread_allocate_lock()
            if self.members[index].begin is NULL or self.members[index].done is NULL:
                raise MemoryError("not enough memory for threads")
            PyThread_acquire_lock(self.members[index].begin, WAIT_LOCK)
            PyThread_acquire_lock(self.members[index].done, WAIT_LOCK)

    def start(self):
        """Start the threads, as many as the system has."""
        for index in range(self.count):
            try:
                threading.Thread(target=self.serve, args=(index,), name="wei7core", daemon=True).start()
            except RuntimeError:
                break
            self.started += 1

    def serve(self, int index):
        """Do the work of a member until there is none. Called by its thread."""
        cdef Member *member = &self.members[index]
        with nogil:
            while True:
                PyThread_acquire_lock(member.begin, WAIT_LOCK)
                if member.work is NULL:
                    break
                self.wake(2 * index + 2)
                if member.piece > 0:
                    self.work_at_pieces(member.work, member.context, member.last, member.piece)
                else:
                    member.work(member.context, member.first, member.last)
                PyThread_release_lock(member.done)

    cdef void wake(self, int first) noexcept nogil:
        """Let two members begin, each of which lets two others: one thread alone would take long to wake many."""
        cdef int index
        for index in range(first, min(first + 2, self.used)):
            PyThread_release_lock(self.members[index].begin)

    cdef void work_at_pieces(self, TeamWork work, void *context, int64_t last, int64_t piece) noexcept nogil:
        """Claim pieces of the numbers up to `last`, and work at them, until there are no more."""
        cdef int64_t begin
        while True:
            PyThread_acquire_lock(self.claim, WAIT_LOCK)
            begin = self.next
            self.next = begin + piece
            PyThread_release_lock(self.claim)
            if begin >= last:
                break
            work(context, begin, min(begin + piece, last))

    def __dealloc__(self):
        if self.members is not NULL:
            for index in range(self.count):
                if self.members[index].begin is not NULL:
                    PyThread_free_lock(self.members[index].begin)
                if self.members[index].done is not NULL:
                    PyThread_free_lock(self.members[index].done)
            free(self.members)
        if self.busy is not NULL:
            PyThread_free_lock(self.busy)
        if self.claim is not NULL:
            PyThread_free_lock(self.claim)


@cython.final
@cython.no_gc
cdef class Team:
    """`jobs` threads, the calling one among them, that share ranges of numbers evenly; they start with the first work.

    They end when the team does. A process made by `os.fork` starts its own. Thread safety: threads may call it at once;
    all but one of them then work alone.
    """

    def __cinit__(self, int jobs):
        self.jobs = min(jobs, MOST_JOBS)
        self.members = None
        self.process = 0

    def __dealloc__(self):
        self.dismiss()

    cdef void dismiss(self):
        """Let the threads end."""
        cdef Members members = self.members
        cdef int index
        if members is None or self.process != w7_process():
            return
        for index in range(members.started):
            members.members[index].work = NULL
            PyThread_release_lock(members.members[index].begin)

    cdef Members present(self):
        """The threads, started where they are not."""
        if self.members is None or self.process != w7_process():
            self.members = Members(self.jobs - 1)
            self.members.start()
            self.process = w7_process()
        return self.members

    cdef int run(self, TeamWork work, void *context, int64_t count, int64_t piece=0) except -1:
        """Call `work` for all of `count` numbers, range by range; the GIL is not held.

        Each thread has one range, the same ones in each call, so that it finds them in its cache. With `piece` ranges
        have that many numbers, and each idle thread takes the next one, so that a delayed thread does not delay the
        call.
        """
        cdef Members members = None
        cdef Member *member
        cdef int64_t share
        cdef int index, used = 0
        if self.jobs > 1 and count > 1:
            members = self.present()
            used = <int>min(members.started, count - 1)
            if not PyThread_acquire_lock(members.busy, NOWAIT_LOCK):
                used = 0
                members = None
        with nogil:
            share = count // (used + 1)
            if used == 0:
                piece = 0
            else:
                members.next = 0
            for index in range(used):
                member = &members.members[index]
                member.work = work
                member.context = context
                member.first = (index + 1) * count // (used + 1)
                member.last = (index + 2) * count // (used + 1)
                member.piece = piece
                if piece > 0:
                    member.last = count
            if used > 0:
                members.used = used
                members.wake(0)
            if piece > 0:
                members.work_at_pieces(work, context, count, piece)
            else:
                work(context, 0, share)
            for index in range(used):
                PyThread_acquire_lock(members.members[index].done, WAIT_LOCK)
        if members is not None:
            PyThread_release_lock(members.busy)
        return 0
