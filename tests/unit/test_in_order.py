"""Work shared by threads: everything is done once, in order, and nothing is left running."""

import threading
import time

import pytest
from helpers.cases import in_groups

from wei7core._util.ordered_map import parallel_ranges


@pytest.mark.parametrize("jobs", [1, 2, 5])
@in_groups(("count", "size"), [(0, 3), (1, 3), (3, 3), (10, 3), (100, 7)])
def test_pieces_come_in_order(jobs, count, size):
    threads = set()

    def work(begin, end):
        threads.add(threading.get_ident())
        time.sleep(0.0001 * (begin % 5))
        return list(range(begin, end))

    before = threading.active_count()
    pieces = parallel_ranges(work, count, size, jobs)
    assert [number for piece in pieces for number in piece] == list(range(count))
    assert all(len(piece) == size for piece in pieces[:-1])
    assert len(threads) <= jobs
    assert threading.active_count() == before


@pytest.mark.parametrize("kind", [ValueError, KeyboardInterrupt, MemoryError])
@pytest.mark.parametrize("jobs", [1, 3])
def test_what_fails_first_is_raised_and_ends_the_others(kind, jobs):
    begun = []

    def work(begin, end):
        begun.append(begin)
        if begin == 4:
            raise kind("no more")
        time.sleep(0.001)

    before = threading.active_count()
    with pytest.raises(kind, match="no more"):
        parallel_ranges(work, 1000, 2, jobs)
    assert len(begun) < 100
    assert threading.active_count() == before
