"""A board engine for Go that plays the permissive rules of wei7, and its records.

    import wei7core as w7

    board = w7.Board(19)
    board.play(w7.BLACK, (3, 15))
    game = w7.loads(data)
    for node in game.main_line():
        print(node.move_number, node.comment)

The rooms, in the order in which they may import each other: `_util`; `board` (positions); `record` and `formats`
(records), independent of `board`; `replaying` (records on boards); `sources`; `tables`; `game`; `play`; `batch`;
`checking` and `training`; `arrow`, `engines` and `cli`. The docstring of each shows where to start.
"""

from __future__ import annotations

from ._util import cpu as _cpu  # noqa: F401 - a wrong WEI7CORE_KERNEL is an error of the import
from ._util import module_aliases
from ._util.lazy_import import lazy_attributes
from ._version import __version__

# The module of each public name, imported on first use. `__init__.pyi` declares the same for type checkers.
_NAMES = {
    module: tuple(names.split())
    for module, names in {
        "_util.include": "get_include",
        "batch.expansion": "expand",
        "batch.index.index": "Index",
        "batch.run": "replay replay_batches",
        "batch.selfplay.board_batch": "BoardBatch",
        "batch.selfplay.estimates": "Estimate estimate",
        "batch.selfplay.mixed_batch": "MixedBatch",
        "batch.selfplay.playouts": "Playouts playout",
        "board.blocks": "Block",
        "board.board": "BLACK Board EMPTY WHITE",
        "board.build_info": "build_info",
        "board.ladder": "Ladder",
        "board.life": "PassAlive",
        "board.planes": "to_planes",
        "board.point_set": "PointSet",
        "board.position": "Position",
        "checking.check": "check",
        "checking.finding": "Finding",
        "checking.quarantine": "quarantine",
        "errors": """
            ActionRefusedError BoardSizeError CommandError ConversionError DiagramError EngineDiedError
            EngineError EngineTimeoutError IllegalMoveError IllegalPositionError IndexFileError LimitError
            LossWarning OffBoardError OffBoardMoveError Problem RecordError RecordSyntaxError
            TrainingFileError Wei7Error
        """,
        "game.conversion.report": "Loss",
        "game.cursor": "Cursor",
        "game.dump": "convert dump dumps",
        "game.game": "Game",
        "game.load": "from_obj load load_all loads loads_all",
        "game.merge": "merge",
        "game.nodes": "Node",
        "game.scoring": "Agreement Points Score score",
        "limits": "DEFAULT_LIMITS Limits",
        "play.attempt": "Answer Attempt",
        "play.live.clock": "TimeSetting",
        "play.live.event": "Event",
        "play.live.live_game": "LiveGame",
        "record.document": """
            Branch Edit GameRules Info Mark MarkAction Message Move Note Participant Player Result Setup
            Step Stone Takeback Unreadable
        """,
        "record.record": "Record",
        "record.result": "Ending GameResult",
        "tables.packed_boards": "unpack_boards",
        "training.check": "check_rows",
        "training.rows": "TrainingRows",
        "training.samples.batch": "SampleBatch",
        "training.samples.shuffle_shards": "shuffle_shards",
        "training.samples.samples": "Samples samples",
    }.items()
}
_MODULES = ("analysis", "coordinates", "gtp", "names", "rules", "selfplay")

__all__ = ["__version__", *(name for names in _NAMES.values() for name in names), *_MODULES]  # noqa: PLE0604 - they are strings

__getattr__, __dir__ = lazy_attributes(__name__, _NAMES)

module_aliases.install()
