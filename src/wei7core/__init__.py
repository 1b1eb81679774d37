"""A board engine for Go that plays the permissive rules of wei7, and its records.

    import wei7core as w7

    board = w7.Board(19)
    board.play(w7.BLACK, (3, 15))
    game = w7.loads(data)
    for node in game.main_line():
        print(node.move_number, node.comment)

The layers, lowest first: `errors`, `limits` and `rules`; `point_set`, `blocks`, `ladder`, `life` (what stands on a
board, and what becomes of it), `children` and `position`; `board` (positions) and
`scoring` (what they are worth) beside `record` and `formats` (records), which do not know each other; `document` (a
record as editable objects); `replaying` (records on boards); `game`; `bulk`, `batch`,
`results` and `sources` (many records); `expansion` (many positions); `training` (what networks learn from, judged);
`checking` (records judged); `cli`.
"""

from __future__ import annotations

import importlib
from typing import Any

from ._version import __version__
from .processor import build_info  # at once, so that a wrong WEI7CORE_KERNEL is told where the package is imported

# What stands where, so that a program loads the modules that it uses. `__init__.pyi` tells type checkers the same.
_NAMES = {
    "_include": ("get_include",),
    "batch": (
        "replay",
        "replay_batches",
    ),
    "blocks": ("Block",),
    "checking.check": ("check",),
    "checking.finding": ("Finding",),
    "checking.quarantine": ("quarantine",),
    "board": (
        "BLACK",
        "Board",
        "EMPTY",
        "WHITE",
    ),
    "document": (
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
        "BoardSizeError",
        "ConversionError",
        "DiagramError",
        "IllegalMoveError",
        "IllegalPositionError",
        "LimitError",
        "LossWarning",
        "OffBoardError",
        "Problem",
        "RecordError",
        "RecordSyntaxError",
        "TrainingFileError",
        "Wei7Error",
    ),
    "expansion": ("expand",),
    "features": ("to_planes",),
    "game": ("Game",),
    "game_result": (
        "Ending",
        "GameResult",
    ),
    "ladder": ("Ladder",),
    "life": ("PassAlive",),
    "limits": (
        "DEFAULT_LIMITS",
        "Limits",
    ),
    "losses": ("Loss",),
    "packing": ("unpack_boards",),
    "point_set": ("PointSet",),
    "position": ("Position",),
    "reading": (
        "from_obj",
        "load",
        "load_all",
        "loads",
        "loads_all",
    ),
    "record": ("Record",),
    "scoring": (
        "Agreement",
        "Points",
        "Score",
        "score",
    ),
    "training.check": ("check_rows",),
    "training.rows": ("TrainingRows",),
    "walk": ("Node",),
    "writing": (
        "convert",
        "dump",
        "dumps",
    ),
}
_MODULES = ("coordinates", "rules")
_MODULE_OF = {name: module for module, names in _NAMES.items() for name in names}

__all__ = ["__version__", "build_info", *_MODULE_OF, *_MODULES]  # noqa: PLE0604 - they are strings


def __getattr__(name: str) -> Any:
    """Load what is asked for by its name, modules of the package too, and remember it."""
    module = _MODULE_OF.get(name)
    if module is not None:
        value = getattr(importlib.import_module(f"{__name__}.{module}"), name)
        globals()[name] = value
        return value
    try:
        return importlib.import_module(f"{__name__}.{name}")
    except ModuleNotFoundError as error:
        if error.name != f"{__name__}.{name}":
            raise
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
