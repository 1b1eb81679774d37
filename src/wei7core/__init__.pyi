from . import coordinates, rules
from ._include import get_include
from ._version import __version__
from .batch import replay, replay_batches
from .blocks import Block
from .board import BLACK, EMPTY, WHITE, Board
from .checking.check import check
from .checking.finding import Finding
from .checking.quarantine import quarantine
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
    TrainingFileError,
    Wei7Error,
)
from .expansion import expand
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
from .training.check import check_rows
from .training.rows import TrainingRows
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
    "Finding",
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
    "TrainingFileError",
    "TrainingRows",
    "Unreadable",
    "Wei7Error",
    "__version__",
    "build_info",
    "check",
    "check_rows",
    "convert",
    "coordinates",
    "dump",
    "dumps",
    "expand",
    "from_obj",
    "get_include",
    "load",
    "load_all",
    "loads",
    "loads_all",
    "quarantine",
    "replay",
    "replay_batches",
    "rules",
    "score",
    "to_planes",
    "unpack_boards",
]
