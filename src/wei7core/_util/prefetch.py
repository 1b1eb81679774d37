"""Work that is done ahead in another thread: what reads, unpacks or replays the next records runs before they are asked
for."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator
from queue import SimpleQueue
from typing import Final, Generic, TypeVar

__all__ = ["Ahead"]

Item = TypeVar("Item")

_MOST: Final = 4


class Ahead(Generic[Item]):
    """Iterates over `items`, which is run in a thread of its own from now on, some items in advance.

    The thread pauses while the `size` of those that wait comes to `most` or more, so that memory stays flat.
    What `items` raises is raised here, after the items before it. When the iterator is closed, or nobody has it any
    more, `items` is closed by its thread, which then ends: what it does must not wait for anything without end, as
    reading from a pipe may.

    Thread safety: one thread at a time.
    """

    def __init__(
        self, items: Generator[Item, None, None], most: int = _MOST, size: Callable[[Item], int] = lambda _: 1
    ) -> None:
        self._line = _Line(items, most, size)
        self._thread = threading.Thread(target=self._line.run, name="wei7core-reader", daemon=True)
        self._thread.start()

    def __iter__(self) -> Ahead[Item]:
        return self

    def __next__(self) -> Item:
        if self._line.is_over:
            raise StopIteration
        return self._line.take()

    def close(self) -> None:
        """End the thread, and wait for that."""
        self._line.end()
        self._thread.join()

    def __del__(self) -> None:
        self._line.end()


class _Line(Generic[Item]):
    """Items between two threads. The thread that makes them has this alone, so that the iterator can be given up."""

    def __init__(self, items: Generator[Item, None, None], most: int, size: Callable[[Item], int]) -> None:
        self._items = items
        self._most = most
        self._size = size
        self._found: SimpleQueue[tuple[int, Item | BaseException | None]] = SimpleQueue()
        self._room = threading.Condition()
        self._held = 0
        self.is_over = False

    def run(self) -> None:
        """Make the items, until there are no more or nobody wants them."""
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
        """Put an item in the line and wait until there is room for another one; False if nobody wants more."""
        size = self._size(item)
        with self._room:
            self._held += size
            self._found.put((size, item))
            while self._held >= self._most and not self.is_over:
                self._room.wait()
        return not self.is_over

    def take(self) -> Item:
        """Return the next item. Raises what making it raised, and `StopIteration` after the last one."""
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
        """Say that nobody wants more."""
        with self._room:
            self.is_over = True
            self._room.notify()
