"""Training rows read from records of any format: shuffled, in batches, resumable."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping
from contextlib import ExitStack, closing, suppress
from functools import partial
from mmap import mmap
from typing import TYPE_CHECKING, Any, Final, Literal, NoReturn, TypeAlias

import numpy as np

from ..._util._native import Team
from ..._util.numbers import flag, integer
from ..._util.ordered_map import ordered_map
from ..._util.prefetch import Prefetcher
from ..._util.words import counted
from ...batch._expand import InputSlots, SampleBuffer
from ...batch.inputs.features import FEATURES, Features, PlaneLayout, features_of, layout_of
from ...batch.options import Options, refuse_wrong
from ...batch.run import repeatable, tasks_of
from ...batch.selfplay.board_batch import sides_of
from ...formats.registry import FirstRow
from ...limits import DEFAULT_LIMITS, Limits
from ...record.document import Info
from ...record.result import Ending
from ...rules import Rules, Scoring, komi_of, named
from ...sources.sources import Input, Sources
from .batch import SampleBatch, empty_batch
from .filters import game_filter
from .games import GroupRows, NumberedTask, Plan, RowsOfPiece, few_first, numbered, rows_of_group

if TYPE_CHECKING:
    import numpy.typing as npt

Symmetry: TypeAlias = Literal["random", "none", "all"]

_SYMMETRIES: Final = ("random", "none", "all")
_VERSION: Final = 4  # of states, with the numbers of groups and all options that decide rows
_MOST_THREADS: Final = 1024
_MOST_FAILED: Final = 10_000
_PIECE_BITS: Final = 24  # of the number of a piece in its group
_COUNTS: Final = ("pass", "group", "piece", "row", "games", "errors", "skipped")  # in states


def samples(
    sources: Input | mmap | Iterable[Input | mmap],
    batch: int = 4096,
    *,
    features: Features = "alphago-zero",
    dtype: npt.DTypeLike = np.uint8,
    rules: Rules | str = "chinese",
    komi: float | None = None,
    size: int | tuple[int, int] = 19,
    symmetry: Symmetry = "random",
    shuffle: int = 65536,
    seed: int = 1,
    shard: tuple[int, int] = (0, 1),
    passes: int | None = 1,
    legal: bool = False,
    ownership: bool = False,
    drop_last: bool = False,
    jobs: int = 1,
    moves: tuple[int, int | None] | None = None,
    results: Collection[Ending | str] | Ending | str | None = None,
    min_rank: str | None = None,
    source: str | None = None,
    where: Callable[[Info], bool] | None = None,
    revision: int = 7,
    limits: Limits = DEFAULT_LIMITS,
    encoding: str | None = None,
    first_row: FirstRow = "top",
) -> Samples:
    """Iterate over the positions of records as training rows, in a `SampleBatch` of `batch` rows each.

    `sources` is what `wei7core.replay` takes: files, folders, archives, bytes, of any format. Each move in force at the
    end of a main line, passes included, makes a row: the position it was played from, with the earlier ones, the move,
    and how the game ended. Setups of stones make none, nor does a move on a stone, which SGF lets replace it.

    - `features`: `alphago-zero`, the 17 planes of AlphaGo Zero, `katago-v7`, those of KataGo, with `globals`, or a list
      of planes, all as for `BoardBatch.planes` but for `legal`
    - `dtype`: of the planes, uint8, float16, float32, or "bits"
    - `rules`, `komi`: the rules for legal moves and for the planes and globals of KataGo, and the komi of records that
      name none; None is that of the rules, 0 if they have none
    - `size`: the side of the boards, or (width, height); records of other sizes are skipped
    - `symmetry`: `random`, each row under one of the 8 symmetries (4 of a board that is no square), `none`, or `all`,
      each row once under each of them
    - `shuffle`: the rows of a buffer from which batches are drawn at random; 0 or 1: rows come in the order of
      the records. A row takes 256 bytes on 19 x 19 points
    - `seed`: the seed of all randomness: the same input and options give the same batches, with any `jobs`
    - `shard`: (i, n), the records whose number in the input is i modulo n, for n workers that share the work
    - `passes`: how many times the input is read, each time in another order; None: without end. Each pass has every row
      once, and its last batch is smaller; `drop_last` leaves that one out
    - `legal`, `ownership`: whether batches have those arrays
    - `jobs`: threads that replay records and write rows
    - `moves`: (fewest, most) moves in force of a game, None for no upper bound
    - `results`: the endings of games that are used, `wei7core.Ending` or their names: `points`, `resignation`, ..
    - `min_rank`: the lowest rank that both players have, such as `5k`, `3d`, `9p`; games without ranks are skipped
    - `source`: a pattern such as `*/2016*.sgf` that the name of the source matches
    - `where`: a function of the `Info` of a record that returns whether it is used; it and `min_rank` cost time
    - `revision`, `limits`, `encoding`, `first_row`: as for `wei7core.replay`

    A record with an error, as `wei7core.replay` reports it, costs only itself: `Samples.errors` counts them, and
    `Samples.failed` names them.

    Raises `ValueError` for arguments that do not fit, `TypeError` for other types, `MemoryError` where the buffer does
    not fit into memory.

    Thread safety: any number of threads may call it.
    """
    options = Options(False, True, False, revision, limits, encoding, first_row=first_row)
    refuse_wrong(options, jobs)
    width, height = sides_of(size)
    batch, shuffle, seed = integer("batch", batch), integer("shuffle", shuffle), integer("seed", seed)
    index, shards = (integer("shard", number) for number in _pair("shard", shard))
    passes = None if passes is None else integer("passes", passes)
    names = features_of(features)
    if "legal" in names:
        raise ValueError("records have no plane 'legal'; `legal` is an array of batches")
    known = named(rules)
    points = komi_of((known.komi or 0) if komi is None else komi)
    if symmetry not in _SYMMETRIES:
        raise ValueError(f"the symmetry is {symmetry!r}; use {', '.join(_SYMMETRIES)}")
    if width < 1 or height < 1 or width * height > limits.max_points:
        raise ValueError(f"invalid board size {width} x {height}")
    if not (1 <= batch < 1 << 32 and 0 <= shuffle < 1 << 32):
        raise ValueError(f"batch must be from 1 to 2^32 - 1, and shuffle from 0, not {batch} and {shuffle}")
    if not 0 <= index < shards < 1 << 63:
        raise ValueError(f"shard {index} of {shards} is not there: they are counted from 0")
    if passes is not None and passes < 0:
        raise ValueError("passes must be at least 0, or None")
    if moves is not None:
        fewest, most = _pair("moves", moves)
        moves = integer("moves", fewest), None if most is None else integer("moves", most)
    if results is not None:
        several = [results] if isinstance(results, (str, Ending)) else list(results)
        if not all(isinstance(one, (str, Ending)) for one in several):
            raise TypeError(f"results are names of Ending, not {results!r}")
        results = sorted(one.value if isinstance(one, Ending) else one for one in several)
    games = game_filter(moves, results, min_rank, source, where)
    layout = layout_of(names, dtype, width, height)
    is_plain = names == FEATURES["alphago-zero"]
    inputs = None if is_plain else InputSlots(width, height, layout.numbers, known.suicide)
    territory, taxes = known.scoring is Scoring.TERRITORY, not known.seki
    numbers = None if is_plain else layout.numbers
    written = (numbers, layout.type, int(known.ko), known.suicide, territory, taxes, points)
    return Samples(
        sources,
        Plan(options, games, width, height, index, shards, ownership, inputs),
        (layout, written, features == "katago-v7"),
        {
            "batch": batch,
            "size": (width, height),
            "features": names,
            "symmetry": symmetry,
            "shuffle": shuffle,
            "seed": seed,
            "shard": (index, shards),
            "legal": flag("legal", legal),
            "ownership": flag("ownership", ownership),
            "dtype": dtype if isinstance(dtype, str) and dtype == "bits" else layout.dtype.name,
            "rules": (known.name, known.ko.name, known.suicide, known.scoring.value, known.seki),
            "komi": points,
            "moves": moves,
            "results": results,
            "min_rank": min_rank,
            "source": source,
            "revision": revision,
            "encoding": encoding,
            "first_row": first_row,
        },
        passes,
        flag("drop_last", drop_last),
        jobs,
    )


def _pair(name: str, value: Any) -> tuple[Any, Any]:
    if not isinstance(value, (tuple, list)) or len(value) != 2:
        raise ValueError(f"{name} is a pair, not {value!r}")
    return value[0], value[1]


def _origins(saved: Any) -> npt.NDArray[np.int64]:
    """The origins of rows in a state, which may be lists."""
    with suppress(ValueError):  # of lists of different lengths
        rows = np.asarray(saved)
        if rows.shape == (0,) or (rows.dtype.kind in "iu" and rows.ndim == 2 and rows.shape[1] == 2):
            return rows.astype(np.int64).reshape(-1, 2)
    raise ValueError("the state has no rows as buffer, which are pairs of whole numbers")


class Samples(Iterator[SampleBatch]):
    """Batches of training rows; made by `wei7core.samples`.

    `games`, `errors` and `skipped` count the records so far, over all passes: those used, those with an error, and
    those of another size or that a filter does not take. Records are read in advance of the batches. `failed` names the
    first 10,000 records with an error, each once, as `wei7core.replay` does: `games.sgf#3`, or the source where it can
    hold one record only; after `load_state_dict` those that are read from then on.

    Thread safety: any number of threads may take batches; each gets others.
    """

    def __init__(
        self,
        inputs: Any,
        plan: Plan,
        features: tuple[PlaneLayout, Any, bool],
        options: Mapping[str, Any],
        passes: int | None,
        drop_last: bool,
        jobs: int,
    ) -> None:
        self._inputs = repeatable(inputs)  # read anew in each pass
        self._plan = plan
        self._layout, self._features, self._has_globals = features
        self._options = dict(options)
        self._batch: int = options["batch"]
        self._is_shuffled = options["shuffle"] > 1
        self._passes = passes
        self._drop_last = drop_last
        self._jobs = jobs
        # Records are a fifth of the work of plain rows: their threads take the place of some that write.
        self._readers = jobs if jobs < 4 else (jobs + 3) // 4
        self._team = Team(min(jobs if jobs < 4 or plan.inputs is not None else jobs - self._readers + 1, _MOST_THREADS))
        self._lock = threading.RLock()
        capacity = max(options["shuffle"], self._batch) if self._is_shuffled else self._batch
        self._buffer = SampleBuffer(plan.width, plan.height, capacity, plan.ownership, plan.inputs)
        self._symmetries = 8 if plan.width == plan.height else 4
        self.games = self.errors = self.skipped = 0
        self._failed: dict[str, None] = {}
        self._pass = 0
        self._groups: Generator[tuple[NumberedTask, GroupRows], None, None] | None = None
        self._begin_pass()

    def _begin_pass(self) -> None:
        text = f"{self._options['seed']} {self._pass}".encode()
        self._random = int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "little")
        self._group = -1  # whose rows are being taken, with the number of the piece and of the row in it
        self._pieces: list[RowsOfPiece] = []
        self._piece = 0
        self._row = 0
        self._is_read = False
        self._is_empty = True  # no batch of this pass so far
        self._stop()

    def _stop(self) -> None:
        if self._groups is not None:
            self._groups.close()
        self._groups = None

    @property
    def failed(self) -> tuple[str, ...]:
        """The names of records with an error."""
        return tuple(self._failed.copy())  # at once: other threads may read on

    def close(self) -> None:
        """Stop reading and close the files; there are no more batches."""
        with self._lock:
            self._stop()
            self._passes = 0

    def __repr__(self) -> str:
        done = counted(self.games, "game"), counted(self.errors, "error"), f"{self.skipped:,} skipped"
        return f"<Samples of {', '.join(done)}, pass {self._pass}>"

    def __iter__(self) -> Samples:
        return self

    def __next__(self) -> SampleBatch:
        """Return the next batch. Raises `StopIteration` after the last one, and the exceptions of `where`, after which
        the iteration ends.
        """
        with self._lock:
            while self._passes is None or self._pass < self._passes:
                self._fill()
                count = min(self._batch, len(self._buffer))
                if count == self._batch or (count and not self._drop_last):
                    return self._drawn(count)
                self._buffer.filled(0)
                self._pass += 1
                if self._is_empty and self._passes is None:
                    break  # there is nothing to repeat
                self._begin_pass()
            raise StopIteration

    def __reduce__(self) -> NoReturn:
        raise TypeError(
            "samples cannot be copied or pickled: `state_dict` can; a SampleDataset has some in each worker"
        )

    def _drawn(self, count: int) -> SampleBatch:
        self._is_empty = False
        options = self._options
        made = empty_batch(
            count,
            self._plan.width,
            self._plan.height,
            legal=options["legal"],
            ownership=options["ownership"],
            layout=self._layout,
            has_globals=self._has_globals,
        )
        symmetries = self._symmetries if options["symmetry"] == "random" else 1
        self._random = self._buffer.draw(count, self._is_shuffled, symmetries, self._random)
        self._buffer.write(
            made.planes,
            made.policy,
            made.value,
            made.margin,
            made.game,
            made.move_number,
            made.symmetry,
            made.legal,
            made.ownership,
            self._team,
            self._features,
            made.globals,
        )
        return made

    def _fill(self) -> None:
        """Put rows into the buffer until it is full or the pass has no more."""
        while self._buffer.room and not self._is_read:
            if self._piece == len(self._pieces):
                self._next_group()
                continue
            piece = self._pieces[self._piece]
            end = min(self._row + self._buffer.room, self._rows_of(piece))
            self._put(piece, self._row, end, self._piece)
            self._row = end
            if end == self._rows_of(piece):
                self._piece, self._row = self._piece + 1, 0

    def _rows_of(self, piece: RowsOfPiece) -> int:
        return len(piece.picks) * (self._symmetries if self._options["symmetry"] == "all" else 1)

    def _put(self, piece: RowsOfPiece, begin: int, end: int, number: int) -> None:
        """Put used rows of a piece into the buffer; `begin` and `end` count them, for each symmetry where all are."""
        picks = piece.picks[begin:end]
        if self._options["symmetry"] == "all":
            rows = np.arange(begin, end)
            picks = piece.picks[rows // self._symmetries] | rows % self._symmetries
        origin = self._group << _PIECE_BITS | number
        self._buffer.put(piece.rows, piece.boards, piece.areas, picks, origin, self._team)

    def _next_group(self) -> None:
        self._pieces, self._piece, self._row = [], 0, 0
        if self._groups is None:
            self._groups = self._read(frozenset(), self._group + 1)
        try:
            task, made = next(self._groups, (None, None))
        except BaseException:
            self.close()  # what follows is lost: there is to be no end that looks like that of the input
            raise
        if task is None or made is None:
            self._is_read = True
            return
        self._take(task, made)
        self.games += made.games
        self.errors += len(made.failed)
        self._failed.update(dict.fromkeys(made.failed[: _MOST_FAILED - len(self._failed)]))
        self.skipped += made.skipped

    def _take(self, task: NumberedTask, made: GroupRows) -> None:
        self._group, self._pieces = task.number, made.pieces

    def _read(self, wanted: frozenset[int], first_wanted: int) -> Generator[tuple[NumberedTask, GroupRows], None, None]:
        """Yield the groups of the input with their selected rows."""
        options = self._plan.options
        sources = Sources(self._inputs, limits=options.limits)
        found = numbered(few_first(tasks_of(sources.blocks(), options, None)), wanted, first_wanted)
        with ExitStack() as stack:
            tasks: Iterable[NumberedTask] = found
            # A pipe could block the prefetching thread.
            if self._jobs > 1 and sources.bytes_in_all is not None:
                tasks = stack.enter_context(closing(Prefetcher(found)))
            made = ordered_map(partial(rows_of_group, plan=self._plan), tasks, self._readers)
            for task, rows in stack.enter_context(closing(made)):
                if task.is_wanted:
                    yield task, rows

    def state_dict(self) -> dict[str, Any]:
        """Return the state of the iteration: numbers, and a NumPy array of the rows in the buffer, 16 bytes each.

        `load_state_dict` resumes from it, in any process with the same sources and options.
        """
        with self._lock:
            return {
                "version": _VERSION,
                **self._options,
                "pass": self._pass,
                "group": self._group,
                "piece": self._piece,
                "row": self._row,
                "is_read": self._is_read,
                "random": self._random,
                "games": self.games,
                "errors": self.errors,
                "skipped": self.skipped,
                "buffer": self._buffer.origins(),
            }

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Resume from a state: the next batch is the one that followed `state_dict`.

        The input is read from its start to that place, but only the records are replayed whose rows were in the buffer.

        Raises `ValueError` for what is no state, for one of other options or another version, and where the input has
        other numbers of records, after which the iteration ends; that it has other records of these numbers is not
        noticed. `passes`, `drop_last`, `where`, `limits` and `jobs` are no part of a state.
        """
        if not isinstance(state, Mapping):
            raise TypeError(f"a state is what `state_dict` returned, not {type(state).__name__}")
        if state.get("version") != _VERSION:
            raise ValueError(f"the state is of version {state.get('version')!r}, not {_VERSION}")
        missing = {*self._options, *_COUNTS, "is_read", "random", "buffer"} - state.keys()
        if missing:
            raise ValueError(f"the state has no {', '.join(sorted(missing))}")
        for name, own in self._options.items():
            saved = state[name]
            if (tuple(saved) if isinstance(saved, list) else saved) != (tuple(own) if isinstance(own, list) else own):
                raise ValueError(f"the state has a different {name}: {saved!r}, not {own!r}")
        for name in _COUNTS:
            if not isinstance(state[name], int) or state[name] < (-1 if name == "group" else 0):
                raise ValueError(f"the state has no number as {name}, but {state[name]!r}")
        if not isinstance(state["random"], int) or not 0 <= state["random"] < 1 << 64:
            raise ValueError(f"the state has no random number, but {state['random']!r}")
        if not isinstance(state["is_read"], bool):
            raise ValueError(f"the state has neither True nor False as is_read, but {state['is_read']!r}")
        origins = _origins(state["buffer"])
        if len(origins) > len(self._buffer) + self._buffer.room:
            raise ValueError("the state has more rows than the buffer")
        with self._lock:
            try:
                self._load(state, origins)
            except BaseException:
                self.close()  # the buffer has rows of both
                raise

    def _load(self, state: Mapping[str, Any], origins: npt.NDArray[np.int64]) -> None:
        self._pass = state["pass"]
        self._begin_pass()
        current = state["group"]
        groups = origins[:, 0] >> _PIECE_BITS
        wanted = {*groups.tolist()}
        if not state["is_read"] and current >= 0:
            wanted.add(current)
        self._restore(origins, groups, frozenset(wanted), current)
        self._buffer.filled(len(origins))
        self._group = current
        self._piece, self._row = state["piece"], state["row"]
        self._is_read = state["is_read"]
        if self._is_read:
            self._stop()
            self._pieces = []
            self._piece = self._row = 0
        rows = [*map(self._rows_of, self._pieces), 0]
        if self._piece >= len(rows) or self._row > rows[self._piece]:
            raise ValueError("the input is not that of the state: a group has other records")
        self._random, self._is_empty = state["random"], False
        self.games, self.errors, self.skipped = state["games"], state["errors"], state["skipped"]

    def _restore(
        self, origins: npt.NDArray[np.int64], groups: npt.NDArray[np.int64], wanted: frozenset[int], current: int
    ) -> None:
        """Put the rows of a state into the buffer, and read up to the group whose rows were being taken."""
        self._groups = self._read(wanted, current + 1)
        remaining = sorted(wanted)
        for number in remaining:
            task, made = next(self._groups, (None, None))
            if task is None or made is None or task.number != number:
                raise ValueError("the input is not that of the state: it has fewer records")
            self._take(task, made)
            of_group = np.flatnonzero(groups == number).astype(np.int64)
            pieces = origins[of_group, 0] & (1 << _PIECE_BITS) - 1
            for piece in np.unique(pieces).tolist():
                if piece >= len(made.pieces):
                    raise ValueError("the input is not that of the state: a group has other records")
                places = of_group[pieces == piece]
                rows = made.pieces[piece]
                origin = number << _PIECE_BITS | piece
                self._buffer.put(rows.rows, rows.boards, rows.areas, origins[places, 1], origin, self._team, places)
