"""A board engine for Go that plays the permissive rules of wei7, and its records.

    import wei7core as w7

    board = w7.Board(19)
    board.play(w7.BLACK, (3, 15))
    game = w7.loads(data)
    for node in game.main_line():
        print(node.move_number, node.comment)

The rooms, in the order in which they may import each other: `_util`; `board` (positions); `record` and `formats`
(records), which do not know `board`; `replaying` (records on boards); `sources`; `tables`; `game`; `play`; `batch`;
`checking` and `training`; `arrow`, `engines` and `cli`. The docstring of each says where to start.
"""

from __future__ import annotations

from ._util import cpu as _cpu  # noqa: F401 - a wrong WEI7CORE_KERNEL is an error of the import
from ._util import module_aliases
from ._util.lazy_import import lazy_attributes
from ._version import __version__

# The module of each public name, imported on first use. `__init__.pyi` declares the same for type checkers.
_NAMES = {
    "_util.include": ("get_include",),
    "batch.run": (
        "replay",
        "replay_batches",
    ),
    "board.blocks": ("Block",),
    "board.build_info": ("build_info",),
    "checking.check": ("check",),
    "checking.finding": ("Finding",),
    "checking.quarantine": ("quarantine",),
    "board.board": (
        "BLACK",
        "Board",
        "EMPTY",
        "WHITE",
    ),
    "record.document": (
        "Branch",
        "Edit",
        "GameRules",
        "Info",
        "Mark",
        "MarkAction",
        "Message",
        "Move",
        "Note",
        "Participant",
        "Player",
        "Result",
        "Setup",
        "Step",
        "Stone",
        "Takeback",
        "Unreadable",
    ),
    "errors": (
        "ActionRefusedError",
        "BoardSizeError",
        "CommandError",
        "ConversionError",
        "DiagramError",
        "EngineDiedError",
        "EngineError",
        "EngineTimeoutError",
        "IllegalMoveError",
        "IllegalPositionError",
        "IndexFileError",
        "LimitError",
        "LossWarning",
        "OffBoardError",
        "OffBoardMoveError",
        "Problem",
        "RecordError",
        "RecordSyntaxError",
        "TrainingFileError",
        "Wei7Error",
    ),
    "batch.expansion": ("expand",),
    "batch.index.index": ("Index",),
    "board.planes": ("to_planes",),
    "game.cursor": ("Cursor",),
    "game.game": ("Game",),
    "game.merge": ("merge",),
    "game.nodes": ("Node",),
    "play.live.clock": ("TimeSetting",),
    "play.live.event": ("Event",),
    "play.live.live_game": ("LiveGame",),
    "play.attempt": (
        "Answer",
        "Attempt",
    ),
    "record.result": (
        "Ending",
        "GameResult",
    ),
    "board.ladder": ("Ladder",),
    "board.life": ("PassAlive",),
    "limits": (
        "DEFAULT_LIMITS",
        "Limits",
    ),
    "game.conversion.report": ("Loss",),
    "tables.packed_boards": ("unpack_boards",),
    "board.point_set": ("PointSet",),
    "board.position": ("Position",),
    "game.load": (
        "from_obj",
        "load",
        "load_all",
        "loads",
        "loads_all",
    ),
    "record.record": ("Record",),
    "game.scoring": (
        "Agreement",
        "Points",
        "Score",
        "score",
    ),
    "training.check": ("check_rows",),
    "training.samples.batch": ("SampleBatch",),
    "training.samples.external": ("shuffle_shards",),
    "training.samples.samples": (
        "Samples",
        "samples",
    ),
    "training.rows": ("TrainingRows",),
    "batch.selfplay.board_batch": ("BoardBatch",),
    "batch.selfplay.estimates": ("Estimate", "estimate"),
    "batch.selfplay.mixed_batch": ("MixedBatch",),
    "batch.selfplay.playouts": ("Playouts", "playout"),
    "game.dump": (
        "convert",
        "dump",
        "dumps",
    ),
}
_MODULES = ("analysis", "coordinates", "gtp", "names", "rules", "selfplay")

__all__ = ["__version__", *(name for names in _NAMES.values() for name in names), *_MODULES]  # noqa: PLE0604 - they are strings

__getattr__, __dir__ = lazy_attributes(__name__, _NAMES)

module_aliases.install()
