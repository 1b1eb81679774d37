from . import coordinates, rules
from ._util.include import get_include
from ._version import __version__
from .batch import selfplay as selfplay
from .batch.expansion import expand
from .batch.index.index import Index
from .batch.run import replay, replay_batches
from .batch.selfplay.board_batch import BoardBatch
from .batch.selfplay.estimates import Estimate, estimate
from .batch.selfplay.mixed_batch import MixedBatch
from .batch.selfplay.playouts import Playouts, playout
from .board.blocks import Block
from .board.board import BLACK, EMPTY, WHITE, Board
from .board.build_info import build_info
from .board.ladder import Ladder
from .board.life import PassAlive
from .board.planes import to_planes
from .board.point_set import PointSet
from .board.position import Position
from .checking.check import check
from .checking.finding import Finding
from .checking.quarantine import quarantine
from .errors import (
    ActionRefusedError,
    BoardSizeError,
    CommandError,
    ConversionError,
    DiagramError,
    EngineDiedError,
    EngineError,
    EngineTimeoutError,
    IllegalMoveError,
    IllegalPositionError,
    IndexFileError,
    LimitError,
    LossWarning,
    OffBoardError,
    OffBoardMoveError,
    Problem,
    RecordError,
    RecordSyntaxError,
    TrainingFileError,
    Wei7Error,
)
from .game.conversion.report import Loss
from .game.cursor import Cursor
from .game.dump import convert, dump, dumps
from .game.game import Game
from .game.load import from_obj, load, load_all, loads, loads_all
from .game.merge import merge as merge
from .game.nodes import Node
from .game.scoring import Agreement, Points, Score, score
from .limits import DEFAULT_LIMITS, Limits
from .play import analysis as analysis
from .play import gtp as gtp
from .play.attempt import Answer, Attempt
from .play.live.clock import TimeSetting
from .play.live.event import Event
from .play.live.live_game import LiveGame
from .record import names as names
from .record.document import (
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
from .record.record import Record
from .record.result import Ending, GameResult
from .tables.packed_boards import unpack_boards
from .training.check import check_rows
from .training.rows import TrainingRows
from .training.samples.batch import SampleBatch
from .training.samples.external import shuffle_shards
from .training.samples.samples import Samples, samples

__all__ = [
    "BLACK",
    "DEFAULT_LIMITS",
    "EMPTY",
    "WHITE",
    "ActionRefusedError",
    "Agreement",
    "Answer",
    "Attempt",
    "Block",
    "Board",
    "BoardBatch",
    "BoardSizeError",
    "Branch",
    "CommandError",
    "ConversionError",
    "Cursor",
    "DiagramError",
    "Edit",
    "Ending",
    "EngineDiedError",
    "EngineError",
    "EngineTimeoutError",
    "Estimate",
    "Event",
    "Finding",
    "Game",
    "GameResult",
    "GameRules",
    "IllegalMoveError",
    "IllegalPositionError",
    "Index",
    "IndexFileError",
    "Info",
    "Ladder",
    "LimitError",
    "Limits",
    "LiveGame",
    "Loss",
    "LossWarning",
    "Mark",
    "MarkAction",
    "Message",
    "MixedBatch",
    "Move",
    "Node",
    "Note",
    "OffBoardError",
    "OffBoardMoveError",
    "Participant",
    "PassAlive",
    "Player",
    "Playouts",
    "PointSet",
    "Points",
    "Position",
    "Problem",
    "Record",
    "RecordError",
    "RecordSyntaxError",
    "Result",
    "SampleBatch",
    "Samples",
    "Score",
    "Setup",
    "Step",
    "Stone",
    "Takeback",
    "TimeSetting",
    "TrainingFileError",
    "TrainingRows",
    "Unreadable",
    "Wei7Error",
    "__version__",
    "analysis",
    "build_info",
    "check",
    "check_rows",
    "convert",
    "coordinates",
    "dump",
    "dumps",
    "estimate",
    "expand",
    "from_obj",
    "get_include",
    "gtp",
    "load",
    "load_all",
    "loads",
    "loads_all",
    "merge",
    "names",
    "playout",
    "quarantine",
    "replay",
    "replay_batches",
    "rules",
    "samples",
    "score",
    "selfplay",
    "shuffle_shards",
    "to_planes",
    "unpack_boards",
]
