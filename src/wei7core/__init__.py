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
`results` and `sources` (many records); `cli`.
"""

from . import coordinates, rules
from ._include import get_include
from ._version import __version__
from .batch import replay, replay_batches
from .blocks import Block
from .board import BLACK, EMPTY, WHITE, Board
from .document import (
    Branch,
    Edit,
    GameRules,
    Info,
    Mark,
    MarkAction,
    Message,
    Move,
    Note,
    Participant,
    Player,
    Result,
    Setup,
    Step,
    Stone,
    Takeback,
    Unreadable,
)
from .errors import (
    BoardSizeError,
    ConversionError,
    DiagramError,
    IllegalMoveError,
    IllegalPositionError,
    LimitError,
    LossWarning,
    OffBoardError,
    Problem,
    RecordError,
    RecordSyntaxError,
    Wei7Error,
)
from .features import to_planes
from .game import Game
from .game_result import Ending, GameResult
from .ladder import Ladder
from .life import PassAlive
from .limits import DEFAULT_LIMITS, Limits
from .losses import Loss
from .packing import unpack_boards
from .point_set import PointSet
from .position import Position
from .processor import build_info
from .reading import from_obj, load, load_all, loads, loads_all
from .record import Record
from .scoring import Agreement, Points, Score, score
from .walk import Node
from .writing import convert, dump, dumps

__all__ = [
    "BLACK",
    "DEFAULT_LIMITS",
    "EMPTY",
    "WHITE",
    "Agreement",
    "Block",
    "Board",
    "BoardSizeError",
    "Branch",
    "ConversionError",
    "DiagramError",
    "Edit",
    "Ending",
    "Game",
    "GameResult",
    "GameRules",
    "IllegalMoveError",
    "IllegalPositionError",
    "Info",
    "Ladder",
    "LimitError",
    "Limits",
    "Loss",
    "LossWarning",
    "Mark",
    "MarkAction",
    "Message",
    "Move",
    "Node",
    "Note",
    "OffBoardError",
    "Participant",
    "PassAlive",
    "Player",
    "PointSet",
    "Points",
    "Position",
    "Problem",
    "Record",
    "RecordError",
    "RecordSyntaxError",
    "Result",
    "Score",
    "Setup",
    "Step",
    "Stone",
    "Takeback",
    "Unreadable",
    "Wei7Error",
    "__version__",
    "build_info",
    "convert",
    "coordinates",
    "dump",
    "dumps",
    "from_obj",
    "get_include",
    "load",
    "load_all",
    "loads",
    "loads_all",
    "replay",
    "replay_batches",
    "rules",
    "score",
    "to_planes",
    "unpack_boards",
]
