"""Comparison of games: copies, near copies, forks, repeated ids, openings without variety.

Every game is a row of fixed size, some 120 bytes, and the bytes of its id; rows beyond the memory limit are written to
files (`spill`). Rows are compared when all have been added, some million at a time.

The keys (`wei7core.batch.summaries.summary_dtype`) have 64 bits each: two for a text; for a game the key of its moves,
the hash of the last position and the number of moves together, as good as 128 bits; one for an id, a position and first
moves. Among a million different items, the chance that any two 64-bit keys are equal is 1 : 37,000,000.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from .._util.lazy_numpy import Array
from ..batch.summaries import PREFIX_MOVES, keys_of_texts
from .codes import BETWEEN_CODES, CODES
from .duplicate_keys import ROWS_AT_ONCE, Allowed, pairs
from .finding import Finding
from .spill import Columns, Spill

if TYPE_CHECKING:
    from pathlib import Path

OPENING_MOVES = 16
"""The largest number of moves after which positions are compared."""

_BYTES, _GAME, _ID, _NEAR, _PREFIX, _COLLAPSE = range(6)
_BY_POSITION: Final = 0  # detail of a near duplicate: no number of first moves, but the last position
_WINDOW: Final = 1 << 18  # rows whose findings are sorted together

_IS_COPY: Final = 1  # of the bytes of an earlier record
_IS_GAME: Final = 2  # the game of an earlier record, but not its bytes
_IS_REPORTED: Final = 4  # near an earlier game, or forked from one


@dataclass(frozen=True, slots=True)
class BetweenOptions:
    """Thresholds of similarity, in moves in force at the end of the main line.

    `least_moves`: shorter games are not compared as duplicates, nor as near ones by their last positions.
    `prefix_moves`: fewer first moves in common are not reported. `long_prefix`: that many first moves in common, or
    three quarters of the moves of the shorter game, make a near duplicate. Numbers of first moves are those of
    `wei7core.batch.summaries.PREFIX_MOVES`. `least_games`: fewer games with 16 moves have no openings that collapse.
    `collapse`: the share of log2 of their number below which the entropy of the positions after 16 moves is reported.
    `opening_games`: of more games than that, a sample of that size is taken. Raises `ValueError` for a negative number.
    """

    least_moves: int = 10
    prefix_moves: int = 40
    long_prefix: int = 120
    least_games: int = 100
    collapse: float = 0.5
    opening_games: int = 1 << 16

    def __post_init__(self) -> None:
        for name in self.__slots__:
            if getattr(self, name) < 0:
                raise ValueError(f"{name} is {getattr(self, name)}; it is not negative")


DEFAULT_BETWEEN: Final = BetweenOptions()


class BetweenGames:
    """Takes the keys of games, batch by batch in the order of the input, and reports at the end how they are related.

    `codes` are those of `BETWEEN_CODES` to look for. `max_memory` are the bytes of rows beyond which they are written
    to temporary files without names, in `folder` or where the system keeps temporary files; the findings are the same.
    Use it as a context manager, or `close` it. For one thread at a time.
    """

    def __init__(
        self,
        *,
        codes: Collection[str] = BETWEEN_CODES,
        options: BetweenOptions = DEFAULT_BETWEEN,
        max_memory: int = 1 << 30,
        folder: str | Path | None = None,
        rows_at_once: int = ROWS_AT_ONCE,
    ) -> None:
        wrong = set(codes) - set(BETWEEN_CODES)
        if wrong:
            raise ValueError(f"unknown codes of comparisons between games: {', '.join(sorted(wrong))}")
        self._codes = frozenset(BETWEEN_CODES.index(code) for code in codes)
        self._options = options
        self._rows_at_once = rows_at_once
        self._levels = [(k, moves) for k, moves in enumerate(PREFIX_MOVES) if moves >= options.prefix_moves]
        self._spill = Spill(max_memory, folder)
        columns = {"text_0": "u8", "text_1": "u8", "game": "u8", "position": "u8", "name": "u8"}
        columns |= {f"prefix_{moves}": "u8" for _, moves in self._levels}
        columns |= {"name_end": "i8", "offset": "i8", "moves": "i4", "record": "i4", "source": "i4"}
        columns |= {"line": "i4", "column": "i4"}
        self._games = self._spill.table(columns)
        self._names = self._spill.table({"byte": "u1"})
        self._sources = self._spill.table({"end": "i8"})
        self._source_names = self._spill.table({"byte": "u1"})
        self._last_source: str | None = None
        self._openings = OpeningSample(options.opening_games)
        self._results: Columns | None = None

    def __len__(self) -> int:
        return len(self._games)

    @property
    def held(self) -> int:
        """Bytes of rows in memory."""
        return self._spill.held

    @property
    def spilled(self) -> bool:
        """Whether rows are in files."""
        return self._spill.spilled

    # --- taking games ---------------------------------------------------------------------------------

    def add(
        self,
        sources: Sequence[tuple[str, int]],
        records: Array,
        facts: Array,
        *,
        moves: Array,
        canonical_hashes: Array,
        ids: bytes,
        id_sizes: Array,
        offsets: Array,
        lines: Array,
        columns: Array,
    ) -> None:
        """Add games, a row of each array for each.

        `sources` are the names of their sources, each with the number of consecutive games, `records` the numbers in
        these.
        `facts` are rows of `wei7core.batch.summaries.summary_dtype`. A key of 0 is absent: a record that was not
        replayed has only `text_keys`. `moves` are those in force at the end of the main line, `canonical_hashes` the
        last positions under symmetries. `ids` are the concatenated ids of all games in UTF-8, `id_sizes` the bytes of
        each, -1 or 0 for none. `offsets`, `lines` and `columns` are the places of the records in their sources, as
        those of findings. Raises `ValueError` if the numbers of rows differ, `OSError` if a file cannot be written.
        """
        count = len(records)
        sizes = np.maximum(np.asarray(id_sizes, np.int64), 0)
        for name, column in (("facts", facts), ("moves", moves), ("canonical_hashes", canonical_hashes)):
            if len(column) != count:
                raise ValueError(f"expected {count} {name}, got {len(column)}")
        places = (sizes, offsets, lines, columns)
        if any(len(column) != count for column in places) or int(sizes.sum()) != len(ids):
            raise ValueError(f"expected ids and places of {count} records")
        if sum(games for _, games in sources) != count:
            raise ValueError(f"expected sources of {count} games")
        ends = np.cumsum(sizes)
        names = np.where(sizes > 0, keys_of_texts(ids, ends - sizes, ends)[:, 0], np.uint64(0))
        rows = {
            "text_0": facts["text_keys"][:, 0],
            "text_1": facts["text_keys"][:, 1],
            "game": facts["game_key"],
            "position": canonical_hashes,
            "name": names,
            "name_end": len(self._names) + ends,
            "offset": offsets,
            "moves": np.minimum(moves, np.iinfo(np.int32).max),
            "record": records,
            "line": lines,
            "column": columns,
            "source": np.repeat(
                np.array([self._source_number(name) for name, _ in sources], np.int32), [games for _, games in sources]
            ),
        }
        rows |= {f"prefix_{moves}": facts["prefix_keys"][:, k] for k, moves in self._levels}
        self._games.append(rows, count)
        self._names.append({"byte": np.frombuffer(ids, np.uint8)}, len(ids))
        if _COLLAPSE in self._codes:
            self._openings.add(facts["opening_keys"])

    def _source_number(self, source: str) -> int:
        """The number of a source; a source that recurs after others gets a new one."""
        if source != self._last_source:
            self._last_source = source
            written = source.encode("utf-8", "surrogatepass")
            self._source_names.append({"byte": np.frombuffer(written, np.uint8)}, len(written))
            self._sources.append({"end": np.array([len(self._source_names)])}, 1)
        return len(self._sources) - 1

    # --- comparing them -------------------------------------------------------------------------------

    def findings(self) -> Iterator[Finding]:
        """Yield the findings, in the order of the games; those about the whole set come last.

        Findings name the first of several similar games. A copy of the bytes of a record is reported as that and
        nothing else; a duplicate is not also reported as near or forked. Call it once, after all games were added.
        """
        results = self._results = self._spill.table({"row": "i8", "first": "i8", "detail": "i4", "code": "u1"})
        windows = np.zeros(-(-len(self._games) // _WINDOW), np.int64)
        for code, rows, firsts, details in self._compared():
            if code in self._codes and len(rows):
                columns = {"row": rows, "first": firsts, "detail": details, "code": np.full(len(rows), code)}
                results.append(columns, len(rows))
                windows += np.bincount(rows // _WINDOW, minlength=len(windows))
        for window in np.flatnonzero(windows).tolist():
            yield from self._reported(results, window * _WINDOW)
        if _COLLAPSE in self._codes:
            yield from self._collapse()

    def _compared(self) -> Iterator[tuple[int, Array, Array, Array]]:
        """Codes, rows, the earlier rows that they resemble, and details, unordered."""
        games, least = self._games, self._options.least_moves
        state = np.zeros(len(games), np.uint8)

        def unlike(bits: int, least: int = 0) -> Allowed:
            def allowed(begin: int, end: int) -> Array:
                taken: Array = state[begin:end] & bits == 0
                return taken & (games.read("moves", begin, end) >= least) if least else taken

            return allowed

        def found(keys: Sequence[str], allowed: Allowed) -> Iterator[tuple[Array, Array]]:
            return pairs(games, keys, allowed, self._rows_at_once)

        for rows, firsts in found(["text_0", "text_1"], unlike(0)):
            state[rows] |= _IS_COPY
            yield _BYTES, rows, firsts, np.zeros(len(rows), np.int32)
        if self._codes & {_GAME, _NEAR, _PREFIX}:
            for rows, firsts in found(["game", "position", "moves"], unlike(_IS_COPY, max(least, 1))):
                state[rows] |= _IS_GAME
                yield _GAME, rows, firsts, np.zeros(len(rows), np.int32)
        if _ID in self._codes:
            for rows, firsts in found(["name"], unlike(_IS_COPY)):
                yield _ID, rows, firsts, np.zeros(len(rows), np.int32)
        if self._codes & {_NEAR, _PREFIX}:
            for rows, firsts in found(["position"], unlike(_IS_COPY | _IS_GAME, max(least, 1))):
                state[rows] |= _IS_REPORTED
                yield _NEAR, rows, firsts, np.full(len(rows), _BY_POSITION, np.int32)
            yield from self._forked(state, unlike(_IS_COPY | _IS_GAME))

    def _forked(self, state: Array, allowed: Allowed) -> Iterator[tuple[int, Array, Array, Array]]:
        """Games with the first moves of an earlier one, each with the largest number of equal moves."""
        for _, moves in reversed(self._levels):
            for rows, firsts in pairs(self._games, [f"prefix_{moves}"], allowed, self._rows_at_once):
                new = state[rows] & _IS_REPORTED == 0
                state[rows] |= _IS_REPORTED
                shorter = np.minimum(self._games.take("moves", rows), self._games.take("moves", firsts))
                near = (moves >= self._options.long_prefix) | (4 * moves >= 3 * shorter.astype(np.int64))
                for code, chosen in ((_NEAR, near & new), (_PREFIX, ~near & new)):
                    yield code, rows[chosen], firsts[chosen], np.full(int(chosen.sum()), moves, np.int32)

    # --- the findings --------- ------------------------------------------------------------------------

    def _reported(self, results: Columns, begin: int) -> Iterator[Finding]:
        """The findings of the rows of a window, in order."""
        taken: list[list[Array]] = []
        for _, columns in results.pieces(["row", "code", "first", "detail"]):
            chosen = (columns[0] >= begin) & (columns[0] < begin + _WINDOW)
            if chosen.any():
                taken.append([column[chosen] for column in columns])
        rows, codes, firsts, details = [np.concatenate(column) for column in zip(*taken, strict=True)]
        order = np.lexsort([codes, rows])
        for start in range(0, len(order), 4096):
            some = order[start : start + 4096]
            places = zip(self._places(rows[some]), self._places(firsts[some]), strict=True)
            issues = zip(codes[some].tolist(), details[some].tolist(), strict=True)
            for (here, first), (code, detail) in zip(places, issues, strict=True):
                yield self._finding(code, detail, here, first)

    def _places(self, rows: Array) -> Iterator[_GamePlace]:
        games = self._games
        columns = [games.take(name, rows).tolist() for name in ("record", "offset", "line", "column", "moves")]
        sources = self._strings(self._source_names, self._sources, "end", games.take("source", rows), "surrogatepass")
        names = self._strings(self._names, games, "name_end", rows, "replace")
        for source, name, *numbers in zip(sources, names, *columns, strict=True):
            yield _GamePlace(source, name or None, *numbers)

    @staticmethod
    def _strings(letters: Columns, ends: Columns, column: str, rows: Array, errors: str) -> Iterator[str]:
        """The strings of some rows; each ends at the offset in the column, and starts where the previous one ends."""
        last = ends.take(column, rows)
        first = np.where(rows > 0, ends.take(column, np.maximum(rows, 1) - 1), 0)
        for begin, end in zip(first.tolist(), last.tolist(), strict=True):
            yield letters.read("byte", begin, end).tobytes().decode("utf-8", errors)

    def _finding(self, code: int, detail: int, here: _GamePlace, first: _GamePlace) -> Finding:
        evidence: dict[str, Any] = {"first": {"source": first.source, "record": first.record, "id": first.id}}
        that = first.words()
        if code == _BYTES:
            message = f"the bytes equal those of {that}"
        elif code == _GAME:
            message = f"the game of {here.moves} moves is, under a symmetry of the board, that of {that}"
            evidence |= {"moves": here.moves}
        elif code == _ID:
            message = f"the id is that of {that}, which is another record"
        elif detail == _BY_POSITION:
            message = (
                f"the last position is, under a symmetry of the board, that of {that}, and the games are not the same"
            )
            evidence |= {"same": "position", "moves": [first.moves, here.moves]}
        else:
            shared = self._shared(detail)
            message = f"the first moves are those of {that}: {shared}, of {first.moves} moves and {here.moves}"
            evidence |= {"same": "moves", "at_least": detail, "moves": [first.moves, here.moves]}
        return _made(BETWEEN_CODES[code], here, message, evidence)

    @staticmethod
    def _shared(moves: int) -> str:
        more = [level for level in PREFIX_MOVES if level > moves]
        return f"at least {moves}, fewer than {more[0]}" if more else f"at least {moves}"

    def _collapse(self) -> Iterator[Finding]:
        last = self._openings.spread(OPENING_MOVES)
        if last.games < max(self._options.least_games, 2):
            return
        most = float(np.log2(last.games))
        if last.entropy >= self._options.collapse * most:
            return
        spreads = [self._openings.spread(moves) for moves in range(1, OPENING_MOVES + 1)]
        evidence = {
            "entropy": {str(spread.moves): round(spread.entropy, 3) for spread in spreads},
            "games": {str(spread.moves): spread.games for spread in spreads},
            "most": round(most, 3),
            "sample": self._openings.is_sample,
            "all_games": self._openings.games,
        }
        of = f"a sample of {last.games} games" if self._openings.is_sample else f"{last.games} games"
        message = (
            f"after {OPENING_MOVES} moves the positions of {of} have an entropy of {last.entropy:.2f} bits, less than "
            f"{self._options.collapse:g} of the {most:.2f} bits that they have where all are different"
        )
        yield _made(BETWEEN_CODES[_COLLAPSE], _GamePlace("", None, -1, 0, 0, 0, 0), message, evidence)

    def close(self) -> None:
        """Release all games and files."""
        self._spill.close()

    def __enter__(self) -> BetweenGames:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


@dataclass(frozen=True, slots=True)
class _GamePlace:
    """The place of a game."""

    source: str
    id: str | None
    record: int
    offset: int
    line: int
    column: int
    moves: int

    def words(self) -> str:
        named = "" if self.id is None else f" ({self.id})"
        return f"record {self.record} of {self.source}{named}"


def _made(code: str, here: _GamePlace, message: str, evidence: dict[str, Any]) -> Finding:
    return Finding(
        code=code,
        severity=CODES[code].severity,
        source=here.source,
        record=here.record,
        id=here.id,
        branch=None,
        move_number=None,
        color=None,
        x=None,
        y=None,
        offset=here.offset,
        line=here.line,
        column=here.column,
        path="$",
        message=message,
        evidence=evidence,
    )


# --- the variety of openings -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Spread:
    """The positions after `moves` moves: of how many games, and their Shannon entropy in bits."""

    moves: int
    games: int
    entropy: float


def entropy(keys: Array) -> float:
    """Return the Shannon entropy of the values, in bits: 0 where all are equal, log2 of their number where none are."""
    if len(keys) == 0:
        return 0.0
    counts = np.unique(keys, return_counts=True)[1]
    return float(np.log2(len(keys)) - np.sum(counts * np.log2(counts)) / len(keys))


class OpeningSample:
    """The opening keys of games: of all, or of `most` that are chosen by their numbers alone.

    The sample has the games whose numbers, mixed by SplitMix64, are least: all games are equally likely, and the same
    input gives the same sample. For one thread at a time.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self.games = 0
        self._keys = np.empty((0, OPENING_MOVES), np.uint64)
        self._ranks = np.empty(0, np.uint64)
        self._waiting: list[tuple[Array, Array]] = []
        self._size = 0

    @property
    def is_sample(self) -> bool:
        """Whether there were more games than the sample has."""
        return self.games > self.most

    def add(self, keys: Array) -> None:
        """Add games: a row of keys for each, 0 where it has fewer moves."""
        ranks = _mixed(np.arange(self.games + 1, self.games + 1 + len(keys), dtype=np.uint64))
        self.games += len(keys)
        if len(self._ranks) == self.most:
            chosen = ranks <= self._ranks.max(initial=0)
            ranks, keys = ranks[chosen], keys[chosen]
        self._waiting.append((ranks, np.array(keys, np.uint64)))
        self._size += len(ranks)
        if self._size >= max(self.most, 1):
            self._fold()

    def _fold(self) -> None:
        ranks = np.concatenate([self._ranks, *(ranks for ranks, _ in self._waiting)])
        keys = np.concatenate([self._keys, *(keys for _, keys in self._waiting)])
        self._waiting, self._size = [], 0
        if len(ranks) > self.most:
            chosen = np.sort(np.argpartition(ranks, self.most - 1)[: self.most])
            ranks, keys = ranks[chosen], keys[chosen]
        self._ranks, self._keys = ranks, keys

    def spread(self, moves: int) -> Spread:
        """Return the statistics of the positions after `moves` moves, 1 to 16, of the games that have as many."""
        if self._waiting:
            self._fold()
        keys = self._keys[:, moves - 1]
        keys = keys[keys != 0]
        return Spread(moves, len(keys), entropy(keys))


def _mixed(numbers: Array) -> Array:
    """Outputs of SplitMix64 by their numbers."""
    z = numbers * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ z >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ z >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return z ^ z >> np.uint64(31)
