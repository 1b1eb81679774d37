"""What the command line takes: the words of each command, and what is refused before anything is read."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final, NoReturn

from .._util.files import is_special, lies_in
from .._version import __version__
from ..batch.checkpoint import SUFFIX as UNFINISHED
from ..batch.options import Options
from ..formats.registry import is_encoding
from ..sources.sources import STDIN, is_record_name
from ..tables.writers import FORMATS, table_kind

if TYPE_CHECKING:
    from ..rules import Rules

__all__ = ["COLORS", "UsageError", "check_output", "check_paths", "options_from", "parsed"]

COLORS: Final = {"b": 1, "w": 2, "black": 1, "white": 2}


class UsageError(Exception):
    """The command cannot be carried out as it was given."""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message} (see {self.prog} --help)")


def parsed(words: Sequence[str]) -> argparse.Namespace:
    """Return the arguments that `words` say; `command` among them names the command.

    Raises `UsageError`; `SystemExit(0)` when help or the version was asked for and printed.
    """
    return _parser(words[0] if words else "").parse_args(words)


def _parser(first: str) -> argparse.ArgumentParser:
    """The parser of all commands; of one alone where the `first` word names it, since each takes time to make."""
    parser = _Parser(
        prog="wei7core",
        description="Replay, check, show, expand and convert records of the game of Go in the formats wei7 and SGF.",
        epilog="exit status: 0 all well, 1 some record had an error or a finding, 2 wrong usage",
    )
    parser.add_argument("--version", action="version", version=f"wei7core {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    makers = {
        "replay": _add_replay,
        "validate": _add_validate,
        "check": _add_check,
        "show": _add_show,
        "expand": _add_expand,
        "convert": _add_convert,
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
        type=_encoding,
        metavar="NAME",
        help="encoding of SGF and Giseong texts that do not say theirs, or say it wrong (default: found out by itself)",
    )
    parser.add_argument(
        "--first-row", choices=("top", "bottom"), default="top", help="where row 1 of Giseong is (default: top)"
    )
    return parser


def _add_paths(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "paths",
        nargs="+",
        metavar="PATH",
        help="a file of wei7 or SGF records, compressed or not, an archive (zip, tar), a folder of such files, "
        "or - for standard input",
    )
    _add_quiet(parser)


def _add_quiet(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-q", "--quiet", action="store_true", help="show neither progress nor a summary")


def _add_replay(commands: Any) -> None:
    parser = _add_command(
        commands,
        "replay",
        "play records to their end and write one row for each",
        (
            "games/",
            "games/ -o results.csv --jobs 2",
            "archive.zip -o results.parquet --resume",
            "games.sgf.gz archive.zip --format jsonl",
            "game.wei7 --positions positions.jsonl",
            "- --format csv < games.jsonl",
            "s3://bucket/games/ -o s3://bucket/rows/ --engine ray --address auto",
        ),
    )
    _add_paths(parser)
    parser.add_argument(
        "-o",
        metavar="OUT",
        dest="output",
        help="write the rows to OUT, a .csv, .jsonl, .parquet or .npz file, or with --engine a folder of .parquet",
    )
    parser.add_argument("--format", choices=("table", *FORMATS), help="what to print without -o (default: table)")
    parser.add_argument(
        "--jobs",
        type=_positive,
        default=1,
        metavar="N",
        help="number of threads that replay, beside those that read and write files (default: 1)",
    )
    parser.add_argument("--positions", metavar="FILE", help="write every position of every branch to FILE, as OUT, too")
    parser.add_argument("--board", action="store_true", help="add the last position of the main line to the rows")
    parser.add_argument("--strict", action="store_true", help="take any breach of the format as the record's error")
    engine = parser.add_argument_group(
        "on a cluster",
        "PATH and OUT may be URLs that fsspec knows, PATH also Parquet with a column of records",
    )
    engine.add_argument(
        "--engine", choices=("dask", "ray", "spark"), help="who runs the job: with --jobs processes here, or"
    )
    engine.add_argument("--address", help="where the cluster is, as the engine writes it")
    engine.add_argument(
        "--column", default="data", metavar="NAME", help="the column of records in files of Parquet (default: data)"
    )
    _add_resume(parser, "OUT")


def _add_validate(commands: Any) -> None:
    parser = _add_command(
        commands,
        "validate",
        "list everything that is wrong or odd in records, with its place",
        ("game.wei7", "games/ -o findings.csv", "old.wei7 --revision 2", "game.sgf --encoding gb18030"),
    )
    _add_paths(parser)
    parser.add_argument(
        "-o", metavar="OUT", dest="output", help="write the findings to OUT, a .csv, .jsonl, .parquet or .npz file"
    )


def _add_check(commands: Any) -> None:
    from ..checking.finding import SEVERITIES
    from ..rules import NAMED

    parser = _add_command(
        commands,
        "check",
        "judge records by a rule set: moves, headers, results, copies of games",
        (
            "games/",
            "games.sgf.gz --rules tromp-taylor --show",
            "selfplay/ --rules chinese --ignore result,pass-early -o findings.csv --jobs 2",
            "archive.zip --select superko,ko-recapture --quarantine suspicious/",
            "--explain ko-recapture",
        ),
    )
    parser.add_argument("paths", nargs="*", metavar="PATH", help="what to check: as PATH of replay")
    parser.add_argument(
        "--rules",
        type=_rules,
        metavar="NAME",
        help=f"judge by these rules: {', '.join(NAMED)} (default: those that each record names)",
    )
    parser.add_argument(
        "--select",
        metavar="CODES",
        help="tell these only: codes, groups (moves) or first words of codes (superko), with commas between them",
    )
    parser.add_argument("--ignore", metavar="CODES", help="leave these out")
    parser.add_argument(
        "--severity",
        choices=SEVERITIES,
        default="warning",
        help="tell those of this severity and above, and all codes that --select names (default: warning)",
    )
    parser.add_argument(
        "-o", metavar="OUT", dest="output", help="write the findings to OUT, a .csv, .jsonl, .parquet or .npz file"
    )
    parser.add_argument("--format", choices=("text", *FORMATS), help="what to print without -o (default: text)")
    parser.add_argument("--show", action="store_true", help="draw the position that each finding is about")
    parser.add_argument("--quarantine", metavar="DIR", help="put the records with findings into the folder DIR as well")
    way = parser.add_mutually_exclusive_group()
    way.add_argument("--copy", action="store_true", help="with --quarantine: copy all of them (default)")
    way.add_argument("--move", action="store_true", help="with --quarantine: take files of one record away")
    parser.add_argument("--jobs", type=_positive, default=1, metavar="N", help="number of threads (default: 1)")
    _add_resume(parser, "OUT")
    parser.add_argument("--explain", metavar="CODE", help="tell what a code means, or list all of them (all)")
    _add_quiet(parser)


def _add_show(commands: Any) -> None:
    parser = _add_command(
        commands,
        "show",
        "draw a position of a record",
        ("game.wei7", "game.wei7 --move 30", "game.wei7 --branch 0.1 --svg position.svg", "games.sgf --record 7"),
    )
    _add_place(parser)
    parser.add_argument("--svg", metavar="FILE", help="write a picture to FILE, a .svg file, as well")


def _add_place(parser: argparse.ArgumentParser) -> None:
    """What names one position of one record."""
    parser.add_argument("path", metavar="PATH", help="a file or archive of records, or - for standard input")
    parser.add_argument("--move", type=_natural, metavar="N", help="the position after the first N moves of the line")
    parser.add_argument(
        "--branch", metavar="PATH", help="the branch at ordinals like 0.1, - for the root (default: the main line)"
    )
    parser.add_argument("--record", type=_natural, default=0, metavar="N", help="which record of the file, from 0")


def _add_expand(commands: Any) -> None:
    from ..rules import NAMED

    parser = _add_command(
        commands,
        "expand",
        "list every move that can follow a position of a record, and what it does",
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
        choices=COLORS,
        metavar="b|w",
        help="who plays (default: who is to solve the problem, else the color of the record's next move, "
        "else the opponent of the last one)",
    )
    parser.add_argument(
        "--rules",
        type=_rules,
        default="permissive",
        metavar="NAME",
        help=f"what is legal: {', '.join(NAMED)} (default: permissive)",
    )
    parser.add_argument(
        "-o", metavar="OUT", dest="output", help="write the moves to OUT, a .csv, .jsonl, .parquet or .npz file"
    )
    parser.add_argument("-q", "--quiet", action="store_true", help="show no summary")


def _add_convert(commands: Any) -> None:
    from ..game.conversion.output_formats import TARGETS

    parser = _add_command(
        commands,
        "convert",
        "write records in another format, and tell what that loses",
        (
            "game.wei7 game.sgf",
            "games.sgf games.jsonl --losses losses.csv",
            "collection.sgf.gz folder/ --to wei7",
            "archive/ mirror/ --to sgf",
            "- - --to sgf < game.wei7",
        ),
    )
    parser.add_argument("source", metavar="SOURCE", help="what to read: as PATH of the other commands")
    parser.add_argument(
        "target",
        metavar="TARGET",
        help="a .wei7, .jsonl, .sgf or .giseong file, a folder for a file of each record, or -",
    )
    parser.add_argument("--to", choices=TARGETS, metavar="FORMAT", help=f"format to write: {', '.join(TARGETS)}")
    parser.add_argument(
        "--losses", metavar="FILE", help="write what was lost to FILE, a .csv, .jsonl, .parquet or .npz file"
    )
    parser.add_argument("--strict", action="store_true", help="write nothing if anything is lost or is an error")
    _add_resume(parser, "TARGET")
    _add_quiet(parser)


def _add_resume(parser: argparse.ArgumentParser, target: str) -> None:
    parser.add_argument(
        "--resume",
        action="store_true",
        help=f"keep what is done in {target}{UNFINISHED} until all is, and go on from what is kept there",
    )


def _natural(text: str) -> int:
    if not text.isascii() or not text.isdigit():
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number")
    return int(text)


def _encoding(text: str) -> str:
    if not is_encoding(text):
        raise argparse.ArgumentTypeError(f"{text!r} is not an encoding that the texts of SGF can be in")
    return text


def _rules(text: str) -> Rules:
    from ..rules import named

    try:
        return named(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _positive(text: str) -> int:
    if (number := _natural(text)) < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return number


def check_output(args: argparse.Namespace) -> None:
    """Refuse what does not go with the table that is written, or not written, with -o. Raises `UsageError`."""
    if args.output and args.format:
        raise UsageError("--format is for standard output; with -o the suffix of OUT decides")
    if args.resume and (not args.output or is_special(args.output)):
        raise UsageError("--resume keeps what is done beside a file; name it with -o")


def check_paths(inputs: Iterable[str], outputs: Iterable[str | None]) -> None:
    """Refuse, before anything is read or written, inputs that are not there and outputs that would destroy something.

    Raises `UsageError`, and `UnknownTableFormatError` where the name of an output is not that of a table.
    """
    taken = {os.path.realpath(path) for path in inputs if path != STDIN}
    for path in inputs:
        if path == STDIN:
            continue
        try:
            os.stat(path)
        except (FileNotFoundError, NotADirectoryError):
            if not os.path.islink(path):
                raise UsageError(f"{path}: there is no such file or folder") from None
        except OSError:
            pass  # it is there, and its row tells why it cannot be read
    for output in outputs:
        if output is None or is_special(output):
            continue
        table_kind(output)
        target = os.path.realpath(output)
        if target in taken:
            raise UsageError(f"{output}: this file is already used for something else")
        if os.path.exists(target) and is_record_name(target) and any(lies_in(folder, target) for folder in taken):
            raise UsageError(f"{output}: this file is one of those to be read; write outside their folder")
        taken.add(target)


def options_from(
    args: argparse.Namespace,
    *,
    board: bool = False,
    positions: bool = False,
    strict: bool = False,
    records: bool = False,
) -> Options:
    """Return the options of reading that every command has, with the others given."""
    return Options(
        board,
        positions,
        strict,
        revision=args.revision,
        encoding=args.encoding,
        records=records,
        first_row=args.first_row,
    )
