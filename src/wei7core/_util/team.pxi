"""Threads that wait between the calls of one object for parts of its work, so that a call of a millisecond pays."""

from cpython.pythread cimport (
    PyThread_acquire_lock,
    PyThread_allocate_lock,
    PyThread_free_lock,
    PyThread_release_lock,
    NOWAIT_LOCK,
)
from libc.stdlib cimport calloc, free

import os
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
    MOST_LOOKS = 1000  # at a gate, about 50 microseconds: the next call, or the end of a part, is often that near


@cython.final
@cython.no_gc
cdef class Members:
    """The state shared by the threads of a team; each of them holds a reference."""

    def __cinit__(self, int count):
        cdef int index
        self.members = <Member *>calloc(count, sizeof(Member))
        self.busy = PyThread_allocate_lock()
        if self.members is NULL or self.busy is NULL:
            raise MemoryError("not enough memory for threads")
        self.count = count
        # Without a processor for each, a thread that looks would delay those that work.
        found = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        self.looks = MOST_LOOKS if count < found else 0
        for index in range(count):
            if not (w7_gate_make(&self.members[index].begin) and w7_gate_make(&self.members[index].done)):
                raise MemoryError("not enough memory for threads")

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
                w7_gate_pass(&member.begin, self.looks)
                if member.work is NULL:
                    break
                self.share(index, member.work, member.context, member.count, member.piece)
                w7_gate_open(&member.done)

    cdef void share(self, int index, TeamWork work, void *context, int64_t count, int64_t piece) noexcept nogil:
        """Do the part of a member, -1 for the calling thread, and let two others do theirs: each thread wakes two, and
        waits for them, as one thread alone would take long to wake many.
        """
        cdef int64_t first = index + 1
        cdef int other, begin = 2 * index + 2, end = min(2 * index + 4, self.used)
        cdef Member *member
        for other in range(begin, end):
            member = &self.members[other]
            member.work = work
            member.context = context
            member.count = count
            member.piece = piece
            w7_gate_open(&member.begin)
        if piece == 0:
            work(context, first * count // (self.used + 1), (first + 1) * count // (self.used + 1))
        else:
            first = piece * w7_next_number(&self.next)
            while first < count:
                work(context, first, min(first + piece, count))
                first = piece * w7_next_number(&self.next)
        for other in range(begin, end):
            w7_gate_pass(&self.members[other].done, self.looks)

    def __dealloc__(self):
        if self.members is not NULL:
            for index in range(self.count):
                w7_gate_free(&self.members[index].begin)
                w7_gate_free(&self.members[index].done)
            free(self.members)
        if self.busy is not NULL:
            PyThread_free_lock(self.busy)


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
            w7_gate_open(&members.members[index].begin)

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
        cdef int used = 0
        if self.jobs > 1 and count > 1:
            members = self.present()
            used = <int>min(members.started, (count - 1) // max(piece, 1))
            if used == 0 or not PyThread_acquire_lock(members.busy, NOWAIT_LOCK):
                members = None
        if members is None:
            with nogil:
                work(context, 0, count)
            return 0
        members.used = used
        members.next = 0
        with nogil:
            members.share(-1, work, context, count, piece)
        PyThread_release_lock(members.busy)
        return 0
