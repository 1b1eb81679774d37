"""Background prefetching: runs an iterator in a worker thread, a bounded number of items before the consumer."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Generator
from queue import SimpleQueue
from typing import Final, Generic, TypeVar

from .ordered_map import refuse_fork

Item = TypeVar("Item")

_MOST: Final = 4


class Prefetcher(Generic[Item]):
    """Iterates over `items`, which runs in a thread of its own, some items in advance.

    The thread pauses while the queued items have a total `size` of `most` or more, so that memory use stays flat.
    Exceptions of `items` are raised here, after the items before them. When the iterator is closed or collected, its
    thread closes `items` and ends; so `items` must not block forever, as reading from a pipe may. In a process made by
    `os.fork`, which does not have the thread, the next item is a `RuntimeError`.

    Thread safety: one thread at a time.
    """

    def __init__(
        self, items: Generator[Item, None, None], most: int = _MOST, size: Callable[[Item], int] = lambda _: 1
    ) -> None:
        self._process = os.getpid()
        self._line = _ItemQueue(items, most, size)
        self._thread = threading.Thread(target=self._line.run, name="wei7core-reader", daemon=True)
        self._thread.start()

    def __iter__(self) -> Prefetcher[Item]:
        return self

    def __next__(self) -> Item:
        refuse_fork(self._process)
        if self._line.is_over:
            raise StopIteration
        return self._line.take()

    def close(self) -> None:
        """End the thread, and join it."""
        if os.getpid() == self._process:
            self._line.end()
            self._thread.join()

    def __del__(self) -> None:
        if os.getpid() == self._process:
            self._line.end()


class _ItemQueue(Generic[Item]):
    """The queue between the two threads. The producing thread has no reference to the iterator, so that the iterator
    can be collected.
    """

    def __init__(self, items: Generator[Item, None, None], most: int, size: Callable[[Item], int]) -> None:
        self._items = items
        self._most = most
        self._size = size
        self._found: SimpleQueue[tuple[int, Item | BaseException | None]] = SimpleQueue()
        self._room = threading.Condition()
        self._held = 0
        self.is_over = False

    def run(self) -> None:
        """Produce the items, until there are no more or the consumer has closed the queue."""
        end: BaseException | None = None
        try:
            if not self.is_over:
                for item in self._items:
                    if not self._put(item):
                        break
        except BaseException as error:
            end = error
        finally:
            try:
                self._items.close()
            except BaseException as error:
                end = end or error
            self._found.put((-1, end))

    def _put(self, item: Item) -> bool:
        """Append an item and wait until there is room for another one; False if the queue is closed."""
        size = self._size(item)
        with self._room:
            self._held += size
            self._found.put((size, item))
            while self._held >= self._most and not self.is_over:
                self._room.wait()
        return not self.is_over

    def take(self) -> Item:
        """Return the next item. Raises the exception of `items`, and `StopIteration` after the last one."""
        size, item = self._found.get()
        if size < 0:
            self.end()
            # A negative size comes with an exception.
            raise StopIteration if item is None else item  # type: ignore[misc]
        with self._room:
            self._held -= size
            self._room.notify()
        return item  # type: ignore[return-value]  # no exception where the size is not negative

    def end(self) -> None:
        """Close the queue: no more items are wanted."""
        with self._room:
            self.is_over = True
            self._room.notify()
