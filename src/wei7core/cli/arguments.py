"""The arguments of each command, and their checks before anything is read."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable, Sequence
from typing import Any, Final, NoReturn

from .._util.files import is_special, lies_in
from .._version import __version__
from ..batch.options import Options
from ..batch.resume import CHECKPOINT_SUFFIX
from ..game.moves import COLOR_WORDS
from ..sources.record_files import is_record_name
from ..sources.sources import STDIN
from ..tables.row_text import TEXT_FORMATS
from ..tables.writers import table_kind
from . import argument_values as values

_PATHS: Final = (
    "a file of records, compressed or not, an archive (zip, 7z, tar), a folder of such files, or - for standard input"
)


class UsageError(Exception):
    """The arguments of the command are invalid."""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message} (see {self.prog} --help)")

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> tuple[Any, list[str]]:
        """Refuse unknown arguments in the name of the command that they were given to."""
        found, unknown = super().parse_known_args(args, namespace)
        if unknown:
            self.error(f"unrecognized arguments: {' '.join(unknown)}")
        return found, unknown

    def _print_message(self, message: str, file: Any = None) -> None:
        """Write help or the version at once, with an error where that fails, which argparse ignores."""
        print(message, end="", file=file or sys.stderr, flush=True)


def parsed(words: Sequence[str]) -> argparse.Namespace:
    """Parse `words`; the attribute `command` of the result is the name of the command.

    Raises `UsageError`; `SystemExit(0)` after printing help or the version.
    """
    return _parser(words[0] if words else "").parse_args(words)


def _parser(first: str) -> argparse.ArgumentParser:
    """The parser of all commands, or only of the one that the `first` word names, since each takes time to build."""
    parser = _Parser(
        prog="wei7core",
        description="Replay, check, show, expand and convert records of the game of Go in the formats wei7 and SGF.",
        epilog="exit status: 0 success, 1 some record had an error or a finding, 2 wrong usage",
    )
    parser.add_argument("--version", action="version", version=f"wei7core {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    makers = {
        "replay": _add_replay,
        "validate": _add_validate,
        "check": _add_check,
        "show": _add_show,
        "solve": _add_solve,
        "expand": _add_expand,
        "convert": _add_convert,
        "index": _add_index,
        "find": _add_find,
        "explore": _add_explore,
        "samples": _add_samples,
    }
    for name, add in makers.items():
        if first == name or first not in makers:
            add(commands)
    return parser


def _add_command(commands: Any, name: str, summary: str, examples: Iterable[str]) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(
        name,
        help=summary,
        description=summary[0].upper() + summary[1:] + ".",
        epilog="examples:\n" + "\n".join(f"  wei7core {name} {example}" for example in examples),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.set_defaults(command=name)
    parser.add_argument(
        "--revision", type=int, choices=(7, 2), default=7, help="revision of the wei7 3.0 specification (default: 7)"
    )
    parser.add_argument(
        "--encoding",
        type=values.encoding,
        metavar="NAME",
        help="encoding of SGF and Giseong records that do not name it, or name it wrong (default: detected)",
    )
    parser.add_argument(
        "--first-row",
        choices=("top", "bottom"),
        default="top",
        help="position of row 1 in Giseong records (default: top)",
    )
    return parser


def _flag(parser: argparse.ArgumentParser | argparse._MutuallyExclusiveGroup, *names: str, help: str) -> None:
    parser.add_argument(*names, action="store_true", help=help)


def _add_paths(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", nargs="+", metavar="PATH", help=_PATHS)
    _add_quiet(parser)


def _add_quiet(parser: argparse.ArgumentParser) -> None:
    _flag(parser, "-q", "--quiet", help="show neither progress nor a summary")


def _add_verbose(parser: argparse.ArgumentParser) -> None:
    _flag(parser, "-v", "--verbose", help="name each skipped file on standard error, instead of showing progress")


def _add_output(parser: argparse.ArgumentParser, rows: str) -> None:
    what = f"write the {rows} to OUT, a .csv, .jsonl, .parquet or .npz file"
    parser.add_argument("-o", metavar="OUT", dest="output", help=what)


def _add_jobs(parser: argparse.ArgumentParser, which: str = "") -> None:
    what = f"number of threads{which} (default: 1)"
    parser.add_argument("--jobs", type=values.positive, default=1, metavar="N", help=what)


def _add_record(parser: argparse.ArgumentParser) -> None:
    what = "number of the record in the file, from 0"
    parser.add_argument("--record", type=values.natural, default=0, metavar="N", help=what)


def _add_replay(commands: Any) -> None:
    parser = _add_command(
        commands,
        "replay",
        "replay records and write one row for each",
        (
            "games/",
            "games/ -o results.csv --jobs 2",
            "archive.zip -o results.parquet --metadata --resume",
            "games/ -o results/ --partition winner",
            "games/ -o results.csv --unique distinct.sgf",
            "games.sgf.gz archive.zip --format jsonl",
            "game.wei7 --positions positions.jsonl",
            "- --format csv < games.jsonl",
            "s3://bucket/games/ -o s3://bucket/rows/ --engine ray --address auto",
        ),
    )
    _add_paths(parser)
    _add_verbose(parser)
    parser.add_argument(
        "-o",
        type=values.target,
        metavar="OUT",
        dest="output",
        help="write the rows to OUT, a .csv, .jsonl, .parquet or .npz file, or with --engine a folder of .parquet",
    )
    parser.add_argument("--format", choices=("table", *TEXT_FORMATS), help="what to print without -o (default: table)")
    _add_jobs(parser, " that replay records, in addition to those that read and write files")
    parser.add_argument(
        "--positions",
        type=values.target,
        metavar="FILE",
        help="also write every position of every branch to FILE, a .csv, .jsonl, .parquet or .npz file",
    )
    _flag(parser, "--board", help="add the final position of the main line to the rows")
    parser.add_argument(
        "--metadata",
        action=argparse.BooleanOptionalAction,
        help="add the header to the rows: players, ranks, event, date, komi, rules, result, first moves; and to "
        "positions their canonical hash, color to play, next move and winner (default: in Parquet)",
    )
    parser.add_argument(
        "--partition",
        metavar="COLUMNS",
        help="with -o FOLDER, write Parquet partitioned by these columns (comma-separated), e.g. winner",
    )
    parser.add_argument(
        "--unique",
        type=values.target,
        metavar="TARGET",
        help="also write each game once, without the duplicates that check finds, to a folder or a .sgf or .jsonl file",
    )
    _flag(parser, "--strict", help="treat any violation of the format as an error of the record")
    engine = parser.add_argument_group(
        "on a cluster",
        "PATH and OUT may be URLs supported by fsspec; PATH may be Parquet with a column of records",
    )
    engine.add_argument(
        "--engine",
        choices=("dask", "ray", "spark"),
        help="engine that runs the job; without --address with --jobs processes on this machine",
    )
    engine.add_argument("--address", help="address of the cluster, in the notation of the engine")
    engine.add_argument(
        "--column", default="data", metavar="NAME", help="column of records in Parquet files (default: data)"
    )
    _add_resume(parser, "OUT")


def _add_validate(commands: Any) -> None:
    parser = _add_command(
        commands,
        "validate",
        "list every problem of records with its place",
        ("game.wei7", "games/ -o findings.csv", "old.wei7 --revision 2", "game.sgf --encoding gb18030"),
    )
    _add_paths(parser)
    _add_verbose(parser)
    _add_output(parser, "findings")


def _add_check(commands: Any) -> None:
    from ..checking.finding import SEVERITIES
    from ..rules import NAMED

    parser = _add_command(
        commands,
        "check",
        "check records by a rule set: moves, headers, results, duplicate games",
        (
            "games/",
            "games.sgf.gz --rules tromp-taylor --show",
            "selfplay/ --rules chinese --ignore result,pass-early -o findings.csv --jobs 2",
            "archive.zip --select superko,ko-recapture --quarantine suspicious/",
            "--explain ko-recapture",
        ),
    )
    parser.add_argument("paths", nargs="*", metavar="PATH", help=_PATHS)
    parser.add_argument(
        "--rules",
        type=values.rules,
        metavar="NAME",
        help=f"rules to check by: {', '.join(NAMED)} (default: the rules that each record names)",
    )
    parser.add_argument(
        "--select",
        metavar="CODES",
        help="report only these codes, groups or prefixes (comma-separated), e.g. moves,superko",
    )
    parser.add_argument(
        "--ignore", metavar="CODES", help="do not report these codes, groups or prefixes (comma-separated)"
    )
    parser.add_argument(
        "--severity",
        choices=SEVERITIES,
        default="warning",
        help="report findings of this severity and above, and all codes named by --select (default: warning)",
    )
    _add_output(parser, "findings")
    parser.add_argument("--format", choices=("text", *TEXT_FORMATS), help="what to print without -o (default: text)")
    _flag(parser, "--show", help="draw the position of each finding")
    parser.add_argument(
        "--quarantine",
        type=values.target,
        metavar="DIR",
        help="also copy the records with findings into the folder DIR",
    )
    way = parser.add_mutually_exclusive_group()
    _flag(way, "--copy", help="with --quarantine: copy every record (default)")
    _flag(way, "--move", help="with --quarantine: move files of a single record instead of copying them")
    _add_jobs(parser)
    _add_resume(parser, "OUT")
    parser.add_argument("--explain", metavar="CODE", help="explain a code; all lists every code")
    _add_quiet(parser)
    _add_verbose(parser)


def _add_show(commands: Any) -> None:
    from .pictures import add_picture_options

    parser = _add_command(
        commands,
        "show",
        "draw a position of a record",
        (
            "game.wei7",
            "game.wei7 --move 30",
            "game.wei7 --branch 0.1 --svg position.svg",
            "games.sgf --record 7 --terminal",
        ),
    )
    _add_place(parser)
    parser.add_argument("--svg", type=values.name, metavar="FILE", help="also write a picture to FILE, a .svg file")
    parser.add_argument(
        "--png", type=values.name, metavar="FILE", help="also write the picture to FILE, a .png file (extra png)"
    )
    parser.add_argument(
        "--animate",
        type=values.name,
        metavar="FILE",
        help="also write the moves up to the position as an animation to FILE, a .png file",
    )
    parser.add_argument(
        "--delay", type=values.seconds, default=0.7, metavar="SECONDS", help="time of each move (default: 0.7)"
    )
    parser.add_argument(
        "--html", type=values.name, metavar="FILE", help="also write a viewer of the game to an .html file"
    )
    _flag(parser, "--terminal", help="draw stones and lines, in color on a terminal; letters if it lacks them")
    add_picture_options(parser)


def _add_place(parser: argparse.ArgumentParser) -> None:
    """The arguments that name one position of one record."""
    parser.add_argument("path", metavar="PATH", help="a file or archive of records, or - for standard input")
    parser.add_argument(
        "--move",
        type=values.natural,
        metavar="N",
        help="the position after the first N moves of the line (default: all)",
    )
    parser.add_argument(
        "--branch", metavar="PATH", help="the branch at ordinals like 0.1, - for the root (default: the main line)"
    )
    _add_record(parser)


def _add_solve(commands: Any) -> None:
    parser = _add_command(
        commands,
        "solve",
        "solve a problem of a record, move by move",
        ("problem.wei7", "problems.sgf --record 7", "tutorial.wei7 --branch 2.0 --seed 3"),
    )
    parser.add_argument("path", metavar="PATH", help="a file or archive of records")
    parser.add_argument(
        "--branch", metavar="PATH", help="the branch of the problem (default: the first problem, else the start)"
    )
    _add_record(parser)
    parser.add_argument(
        "--seed", type=values.natural, default=0, metavar="N", help="seed for the choice among several good replies"
    )


def _add_index(commands: Any) -> None:
    parser = _add_command(
        commands,
        "index",
        "make an index of records, or add records to one, to find positions",
        ("games/ -o games.w7i --jobs 2", "more.sgf.gz -o games.w7i", "--verify games.w7i"),
    )
    parser.add_argument("paths", nargs="*", metavar="PATH", help=_PATHS)
    _add_quiet(parser)
    parser.add_argument("-o", dest="output", type=values.target, metavar="FOLDER", help="folder of the index")
    parser.add_argument(
        "--verify", metavar="FOLDER", help="compare the files of the index with their checksums; it has no other input"
    )
    _add_jobs(parser, " that replay records")


def _add_find(commands: Any) -> None:
    parser = _add_command(
        commands,
        "find",
        "find the games of an index that contain a position",
        (
            "games.w7i --position game.sgf --move 12",
            "games.w7i --position '..../.X../..O./....' --region corner --either-color -o hits.csv",
            "games.w7i --position joseki.txt --region corner --continuations --where 'player=shin jinseo*' "
            "--where date=2018..2024",
        ),
    )
    parser.add_argument("folder", metavar="FOLDER", help="folder of the index")
    parser.add_argument(
        "--position",
        required=True,
        metavar="FILE|TEXT",
        help="a record, whose last position counts, a text file of a pattern, or a pattern with / between its rows: "
        ". empty, X black, O white, ? anything, x not white, o not black, * a stone",
    )
    parser.add_argument("--move", type=values.natural, metavar="N", help="the position of the record after N moves")
    parser.add_argument(
        "--region",
        choices=("board", "corner", "side", "anywhere"),
        default="board",
        help="the part of the board covered by the pattern (default: board)",
    )
    _flag(parser, "--no-symmetry", help="do not rotate or reflect the pattern")
    _flag(parser, "--either-color", help="also exchange the colors of the pattern")
    parser.add_argument("--to-play", choices=COLOR_WORDS, metavar="b|w", help="color to play")
    parser.add_argument("--max-move", type=values.natural, metavar="N", help="only positions after at most N moves")
    _flag(
        parser,
        "--contiguous",
        help="only stones put by consecutive moves, those of a record in its order (default: put at any time)",
    )
    parser.add_argument(
        "--where",
        metavar="NAME=VALUE",
        action="append",
        help="only games whose metadata has the value; several conditions must all hold. Values: texts, in which * "
        "matches any letters, alternatives separated by |, FIRST..LAST for date, rank and numbers, empty for unknown "
        "values. Names: player, date, event, rank, result, winner, komi and the columns of replay --metadata",
    )
    _flag(parser, "--continuations", help="list the next moves instead of the games")
    _flag(parser, "--details", help="list the next moves with win rates, average date and strength of the players")
    parser.add_argument(
        "-o",
        dest="output",
        metavar="OUT",
        help="write the table to OUT, a .csv, .jsonl, .parquet or .npz file; by default print the first rows",
    )
    _add_quiet(parser)


def _add_explore(commands: Any) -> None:
    parser = _add_command(
        commands,
        "explore",
        "explore the games of an index in a browser: a board to click, and the next moves",
        ("games.w7i", "games.w7i --port 8000"),
    )
    parser.add_argument("folder", metavar="FOLDER", help="folder of the index")
    parser.add_argument(
        "--port",
        type=values.natural,
        default=0,
        metavar="N",
        help="port on 127.0.0.1, which other machines cannot reach (default: a free one)",
    )


def _add_samples(commands: Any) -> None:
    from ..rules import NAMED

    parser = _add_command(
        commands,
        "samples",
        "write positions, moves and results of records as shuffled training data",
        (
            "games/ -o shards/",
            "games.sgf.gz -o shards/ --to katago --rules japanese --jobs 2",
            "games.jsonl -o shards/ --to parquet --features own,opponent,liberties-1 --moves 50..400",
        ),
    )
    _add_paths(parser)
    parser.add_argument(
        "-o",
        dest="output",
        type=values.target,
        metavar="FOLDER",
        required=True,
        help="folder of the shards, files of --rows rows each",
    )
    parser.add_argument(
        "--to",
        choices=("katago", "npz", "parquet"),
        default="npz",
        help="npz and parquet: the arrays of wei7core.samples; katago: .npz files as KataGo's self-play writes them, "
        "version 7 of the inputs, the only ones that KataGo reads; "
        "values that a record lacks have weight 0 (default: npz)",
    )
    parser.add_argument(
        "--rows", type=values.positive, default=20_000, metavar="N", help="rows of a shard (default: 20000)"
    )
    parser.add_argument(
        "--features",
        default="alphago-zero",
        metavar="NAMES",
        help="input planes: alphago-zero, katago-v7, or a comma-separated list of planes (default: alphago-zero)",
    )
    parser.add_argument(
        "--dtype",
        choices=("uint8", "float16", "float32", "bits"),
        default="uint8",
        help="data type of the planes; bits: eight points a byte (default: uint8)",
    )
    parser.add_argument(
        "--rules",
        type=values.rules,
        default="chinese",
        metavar="NAME",
        help=f"rule set of legal moves and of KataGo's planes and global inputs: {', '.join(NAMED)} (default: chinese)",
    )
    parser.add_argument(
        "--komi", type=float, metavar="POINTS", help="komi of records without one (default: that of the rules)"
    )
    parser.add_argument(
        "--size",
        type=values.board_size,
        default=(19, 19),
        metavar="N|WxH",
        help="board size of the records to use (default: 19)",
    )
    parser.add_argument(
        "--symmetry",
        choices=("random", "none", "all"),
        default="random",
        help="apply a random symmetry to each row, none, or write all 8 (default: random)",
    )
    parser.add_argument(
        "--shuffle",
        type=values.natural,
        default=65_536,
        metavar="N",
        help="size of the shuffle buffer in rows; 0: keep the order (default: 65536)",
    )
    parser.add_argument(
        "--seed", type=values.natural, default=1, metavar="N", help="seed of the random numbers (default: 1)"
    )
    parser.add_argument(
        "--shard",
        type=values.shard,
        default=(0, 1),
        metavar="I/N",
        help="only records I, I + N, .. from 0 (default: 0/1)",
    )
    _flag(parser, "--legal", help="also write the legal moves of each position")
    _flag(parser, "--ownership", help="also write the owner of each point at the end of the game")
    _add_game_filters(parser)
    _add_jobs(parser)


def _add_game_filters(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--moves", type=values.number_range, metavar="A..B", help="only games whose number of moves is in this range"
    )
    parser.add_argument(
        "--results",
        type=lambda text: text.split(","),
        metavar="NAMES",
        help="only games that ended this way: points, resignation",
    )
    parser.add_argument("--min-rank", metavar="RANK", help="only games of players of this rank or above, e.g. 3d")
    parser.add_argument("--source", metavar="PATTERN", help="only records of matching sources, e.g. */2016*.sgf")


def _add_expand(commands: Any) -> None:
    from ..rules import NAMED

    parser = _add_command(
        commands,
        "expand",
        "list every possible move in a position of a record, and its effect",
        (
            "game.wei7",
            "game.sgf --move 30 --rules japanese",
            "game.wei7 --branch 0.1 --color w -o moves.csv",
            "games.sgf.gz --record 7 --rules tromp-taylor | grep repeat",
        ),
    )
    _add_place(parser)
    parser.add_argument(
        "--color",
        choices=COLOR_WORDS,
        metavar="b|w",
        help="color to play (default: the solver of the problem, else the color of the record's next move, "
        "else the opponent of the last one)",
    )
    parser.add_argument(
        "--rules",
        type=values.rules,
        default="permissive",
        metavar="NAME",
        help=f"rule set for legality: {', '.join(NAMED)} (default: permissive)",
    )
    _add_output(parser, "moves")
    _flag(parser, "-q", "--quiet", help="show no summary")


def _add_convert(commands: Any) -> None:
    from ..game.output_formats import TARGETS

    parser = _add_command(
        commands,
        "convert",
        "write records in another format, and report what is lost",
        (
            "game.wei7 game.sgf",
            "games.sgf games.jsonl --losses losses.csv",
            "collection.sgf.gz folder/ --to wei7",
            "archive/ mirror/ --to sgf",
            "- - --to sgf < game.wei7",
        ),
    )
    parser.add_argument("source", metavar="SOURCE", help=_PATHS)
    parser.add_argument(
        "target",
        metavar="TARGET",
        help="a .wei7, .jsonl, .sgf or .giseong file, a folder for one file a record (DIR/ if it has a dot), or -",
    )
    parser.add_argument("--to", choices=TARGETS, metavar="FORMAT", help=f"format to write: {', '.join(TARGETS)}")
    parser.add_argument(
        "--losses", metavar="FILE", help="write the losses to FILE, a .csv, .jsonl, .parquet or .npz file"
    )
    _flag(parser, "--strict", help="write nothing after any loss or error")
    _add_resume(parser, "TARGET")
    _add_quiet(parser)


def _add_resume(parser: argparse.ArgumentParser, target: str) -> None:
    _flag(parser, "--resume", help=f"save progress in {target}{CHECKPOINT_SUFFIX} and resume from it")


def check_output(args: argparse.Namespace) -> None:
    """Refuse options that conflict with -o, or that require it. Raises `UsageError`."""
    if args.output and args.format:
        raise UsageError("--format is for standard output; with -o the suffix of OUT decides")
    if args.resume and (not args.output or is_special(args.output)):
        raise UsageError("--resume requires -o FILE")


def check_paths(inputs: Iterable[str], outputs: Iterable[str | None]) -> None:
    """Refuse, before anything is read or written, missing inputs and outputs that would overwrite inputs.

    Raises `UsageError`, and `UnknownTableFormatError` for an output without a table suffix.
    """
    taken = {os.path.realpath(path) for path in inputs if path != STDIN}
    for path in inputs:
        if path == STDIN:
            continue
        try:
            os.stat(path)
        except (FileNotFoundError, NotADirectoryError):
            if not os.path.islink(path):
                raise UsageError(f"{path}: no such file or folder") from None
        except OSError:
            pass  # it exists, and its row has the reason why it cannot be read
    for output in outputs:
        if output is None or is_special(output):
            continue
        table_kind(output)
        target = os.path.realpath(output)
        if target in taken:
            raise UsageError(f"{output}: this file is already used for something else")
        if os.path.exists(target) and is_record_name(target) and any(lies_in(folder, target) for folder in taken):
            raise UsageError(f"{output}: this file is one of the inputs; write outside their folder")
        taken.add(target)


def options_from(args: argparse.Namespace, **others: bool) -> Options:
    """Return the reading options common to all commands, together with others by their names in `Options`."""
    return Options(revision=args.revision, encoding=args.encoding, first_row=args.first_row, **others)  # type: ignore[arg-type]  # all are bool
