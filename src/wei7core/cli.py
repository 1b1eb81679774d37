"""The command line: `wei7core replay`, `validate`, `check`, `show`, `expand`, `convert`. Parses, calls the library."""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, Final, NoReturn

from ._version import __version__
from .batch import BATCH_RECORDS, batches
from .console import Progress, ResultPrinter, Tally, counted, finding_line, plain, replay_summary, stdout_for
from .errors import Wei7Error
from .files import is_special, lies_in, write_whole
from .formats.registry import is_encoding
from .line_ranges import LEAST_BYTES
from .options import Options
from .results import FINDING_COLUMNS, POSITION_COLUMNS, FindingRow, replay_columns
from .resuming import SUFFIX as UNFINISHED
from .resuming import ResumeError
from .sources import STDIN, RecordText, Sources, is_record_name
from .table_files import FORMATS, TableWriter, UnknownTableFormatError, table_kind, write_table

if TYPE_CHECKING:
    from .outcomes import Outcome
    from .rules import Rules
    from .show import View

__all__ = ["main"]

OK: Final = 0
FOUND: Final = 1
WRONG_USAGE: Final = 2
INTERRUPTED: Final = 130
PIPE_CLOSED: Final = 141

_COLORS: Final = {"b": 1, "w": 2, "black": 1, "white": 2}


class UsageError(Exception):
    """The command cannot be carried out as it was given."""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message} (see {self.prog} --help)")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line with `argv` (None: that of the process) and return its exit status.

    0: all well; 1: some record had an error or a finding; 2: wrong usage, or an
    output that cannot be written; 130: interrupted; 141: the reader of standard
    output has gone. `--help` and `--version` raise `SystemExit(0)`.
    """
    if sys.stderr is None:
        sys.stderr = io.StringIO()  # else `print` would turn to standard output
    if sys.stdout is None:
        return _say("standard output is closed", WRONG_USAGE)
    stdout_for("table")
    try:
        words = sys.argv[1:] if argv is None else argv
        args = _parser(words[0] if words else "").parse_args(words)
        status = args.run(args)
        sys.stdout.flush()
    except (UsageError, UnknownTableFormatError, ResumeError) as error:
        return _say(str(error), WRONG_USAGE)
    except BrokenPipeError:
        # Else the interpreter would try once more to write what is left, and complain.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return PIPE_CLOSED
    except KeyboardInterrupt:
        return _say("interrupted", INTERRUPTED)
    except OSError as error:
        return _say(f"{error.filename or 'output'}: {error.strerror or error}", WRONG_USAGE)
    except MemoryError as error:
        return _say(str(error) or "not enough memory", WRONG_USAGE)
    return int(status)


def _say(message: str, status: int) -> int:
    print(f"wei7core: {plain(message)}", file=sys.stderr)
    return status


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


def _add_command(
    commands: Any, name: str, run: Callable[[argparse.Namespace], int], summary: str, examples: Iterable[str]
) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(
        name,
        help=summary,
        description=summary[0].upper() + summary[1:] + ".",
        epilog="examples:\n" + "\n".join(f"  wei7core {name} {example}" for example in examples),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.set_defaults(run=run)
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
        _replay,
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
        _validate,
        "list everything that is wrong or odd in records, with its place",
        ("game.wei7", "games/ -o findings.csv", "old.wei7 --revision 2", "game.sgf --encoding gb18030"),
    )
    _add_paths(parser)
    parser.add_argument(
        "-o", metavar="OUT", dest="output", help="write the findings to OUT, a .csv, .jsonl, .parquet or .npz file"
    )


def _add_check(commands: Any) -> None:
    from .checking.finding import SEVERITIES
    from .rules import NAMED

    parser = _add_command(
        commands,
        "check",
        _check,
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
    parser.add_argument("--explain", metavar="CODE", help="tell what a code means, or list all of them (all)")
    _add_quiet(parser)


def _add_show(commands: Any) -> None:
    parser = _add_command(
        commands,
        "show",
        _show,
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
    from .rules import NAMED

    parser = _add_command(
        commands,
        "expand",
        _expand,
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
        choices=_COLORS,
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
    from .targets import TARGETS

    parser = _add_command(
        commands,
        "convert",
        _convert,
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
    from .rules import named

    try:
        return named(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _positive(text: str) -> int:
    if (number := _natural(text)) < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return number


# --- replay and validate -----------------------------------------------------


def _replay(args: argparse.Namespace) -> int:
    if args.engine:
        return _replay_on_engine(args)
    if args.address:
        raise UsageError("--address is that of the cluster of an --engine")
    if args.output and args.format:
        raise UsageError("--format is for standard output; with -o the suffix of OUT decides")
    kind = args.format or "table"
    _check_paths(args.paths, [args.output, args.positions])
    if args.resume and (not args.output or is_special(args.output)):
        raise UsageError("--resume keeps what is done beside a file; name it with -o")
    sources = Sources(args.paths)
    tally = Tally()
    options = Options(
        args.board,
        args.positions is not None,
        args.strict,
        revision=args.revision,
        encoding=args.encoding,
        first_row=args.first_row,
    )
    with ExitStack() as stack:
        # A pipe could keep the thread waiting that reads ahead; what is small is done before it has started.
        ahead = bool(args.output) and (sources.bytes_in_all or 0) >= LEAST_BYTES
        if args.output:
            from .kept_results import pieces_for

            # Entered first: what is kept goes when the files are there.
            pieces = stack.enter_context(
                pieces_for(
                    args.output, args.paths, sources, options, args.jobs, BATCH_RECORDS, resume=args.resume, ahead=ahead
                )
            )
        else:
            pieces = batches(sources, options, args.jobs, BATCH_RECORDS)
        positions = stack.enter_context(write_table(args.positions, POSITION_COLUMNS)) if args.positions else None
        if args.output or kind != "table":
            columns = replay_columns(args.board)
            writer = (
                stack.enter_context(write_table(args.output, columns))
                if args.output
                else TableWriter(stdout_for(kind), columns, kind)
            )
            progress = _progress(sources, tally, args)
            stack.callback(progress.close)
            for results in pieces:
                writer.write_columns(results.data)
                if positions is not None and results.positions is not None:
                    positions.write_columns(results.positions.data)
                tally.add_results(results)
                progress.step()
        else:
            import shutil

            from .outcomes import outcome_positions, replay_each

            printer = ResultPrinter(sys.stdout, shutil.get_terminal_size().columns if sys.stdout.isatty() else None)
            for outcome in _watched(replay_each(sources, options, args.jobs), sources, tally, args):
                printer.add(outcome)
                if positions is not None:
                    positions.write_columns(outcome_positions(outcome).data)
            printer.close()
    _report(args, replay_summary(tally, sources.passed_over, tally.seconds))
    return FOUND if tally.not_replayed else OK


def _replay_on_engine(args: argparse.Namespace) -> int:
    from .engines.command import ClusterJob, EngineError, replay_on_engine

    if not args.output or args.format:
        raise UsageError("--engine writes rows to the folder -o OUT, in Parquet")
    if args.positions and os.path.abspath(args.positions) == os.path.abspath(args.output):
        raise UsageError(f"{args.positions}: rows go into this folder; positions want another one")
    if args.resume:
        raise UsageError("--resume is for jobs without an --engine: that repeats tasks itself")
    if STDIN in args.paths:
        raise UsageError("--engine cannot read standard input: others read the files")
    options = Options(
        args.board, strict=args.strict, revision=args.revision, encoding=args.encoding, first_row=args.first_row
    )
    job = ClusterJob(
        args.engine, args.paths, args.output, options, args.address, args.jobs, args.column, args.positions
    )
    tally = Tally()
    progress = Progress(tally, sys.stderr, wanted=not args.quiet)
    try:
        passed_over = replay_on_engine(job, tally, progress.step)
    except EngineError as error:
        raise UsageError(str(error)) from None
    finally:
        progress.close()
    _report(args, replay_summary(tally, passed_over, tally.seconds))
    return FOUND if tally.not_replayed else OK


def _validate(args: argparse.Namespace) -> int:
    from .outcomes import replay_each

    _check_paths(args.paths, [args.output])
    sources = Sources(args.paths)
    tally = Tally()
    with ExitStack() as stack:
        writer = stack.enter_context(write_table(args.output, FINDING_COLUMNS)) if args.output else None
        outcomes = replay_each(
            sources, Options(strict=True, revision=args.revision, encoding=args.encoding, first_row=args.first_row)
        )
        for outcome in _watched(outcomes, sources, tally, args):
            if writer is not None:
                writer.write(_findings(outcome))
            else:
                for problem in outcome.problems:
                    print(finding_line(outcome.label, problem))
    parts = [counted(tally.records, "record"), counted(tally.errors, "error"), counted(tally.warnings, "warning")]
    if sources.passed_over:
        parts.append(f"{counted(sources.passed_over, 'other file')} passed over")
    _report(args, [", ".join([*parts, f"{tally.seconds:.1f} s"])])
    return FOUND if tally.errors else OK


def _findings(outcome: Outcome) -> Iterator[FindingRow]:
    for problem in outcome.problems:
        yield FindingRow(
            problem.severity,
            problem.code,
            problem.clause,
            outcome.row.source,
            outcome.row.record,
            problem.offset,
            problem.line,
            problem.column,
            problem.path,
            problem.message,
        )


def _progress(sources: Sources, tally: Tally, args: argparse.Namespace) -> Progress:
    """Progress that is shown where no lines on the same terminal would mix with it."""
    wanted = not args.quiet and (bool(args.output) or not sys.stdout.isatty())
    return Progress(tally, sys.stderr, wanted=wanted, reading=sources)


def _watched(
    outcomes: Iterable[Outcome], sources: Sources, tally: Tally, args: argparse.Namespace
) -> Iterator[Outcome]:
    """Passes outcomes on, counted, while their progress is shown."""
    progress = _progress(sources, tally, args)
    try:
        for outcome in outcomes:
            tally.add(outcome)
            progress.step()
            yield outcome
    finally:
        progress.close()


def _report(args: argparse.Namespace, lines: Iterable[str]) -> None:
    sys.stdout.flush()
    if not args.quiet:
        print("\n".join(lines), file=sys.stderr)


def _check_paths(inputs: Iterable[str], outputs: Iterable[str | None]) -> None:
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


# --- check ---------------------------------------------------------------------


def _check(args: argparse.Namespace) -> int:
    from .check_command import Job, WrongJobError, check_records, explained

    try:
        if args.explain is not None:
            print("\n".join(explained(args.explain)))
            return OK
        _refuse_wrong_check(args)
        job = Job(
            args.paths,
            Options(revision=args.revision, encoding=args.encoding, first_row=args.first_row),
            args.rules,
            args.select,
            args.ignore,
            args.severity,
            args.jobs,
            args.output,
            args.format or "text",
            args.show,
            args.quarantine,
            args.move,
            args.quiet,
        )
        return OK if check_records(job) else FOUND
    except WrongJobError as error:
        raise UsageError(str(error)) from None


def _refuse_wrong_check(args: argparse.Namespace) -> None:
    if not args.paths:
        raise UsageError("the following arguments are required: PATH (see wei7core check --help)")
    if args.output and args.format:
        raise UsageError("--format is for standard output; with -o the suffix of OUT decides")
    if args.show and (args.output or args.format not in (None, "text")):
        raise UsageError("--show draws below lines of text: it goes with neither -o nor another --format")
    if (args.move or args.copy) and not args.quarantine:
        raise UsageError("--move and --copy tell how --quarantine DIR puts records there")
    _check_paths(args.paths, [args.output])


# --- show and expand ---------------------------------------------------------


def _show(args: argparse.Namespace) -> int:
    _check_paths([args.path], [])
    if args.svg and not (args.svg.lower().endswith(".svg") or is_special(args.svg)):
        raise UsageError(f"{args.svg}: pictures are written as .svg")
    outcome, view = _find_view(args)
    if view is None:
        return FOUND
    print(view.text(), end="")
    if args.svg:
        try:
            picture = view.svg()
        except ValueError as error:
            raise UsageError(f"{outcome.label}: {error}") from None
        with write_whole(args.svg) as file:
            file.write(picture)
    return FOUND if outcome.row.error else OK


def _expand(args: argparse.Namespace) -> int:
    from .expand_command import CHOICE_COLUMNS, choice_lines, choices_of, summary

    _check_paths([args.path], [args.output])
    outcome, view = _find_view(args)
    if view is None:
        return FOUND
    color = _COLORS[args.color] if args.color else view.to_play
    table = choices_of(view, color, args.rules)
    if args.output:
        with write_table(args.output, CHOICE_COLUMNS) as writer:
            writer.write_columns(table.data)
    else:
        for line in choice_lines(table):
            print(line)
    _report(args, [f"{plain(outcome.label)}: {summary(view, color, args.rules, table)}"])
    return FOUND if outcome.row.error else OK


def _find_view(args: argparse.Namespace) -> tuple[Outcome, View | None]:
    """The record that was asked for, and the place in it; None where no board can be made of it."""
    from .outcomes import replay_each
    from .reading import loads
    from .show import NoSuchPlaceError, find_view

    text = _record_text(args.path, args.record)
    outcome = next(
        replay_each([text], Options(revision=args.revision, encoding=args.encoding, first_row=args.first_row))
    )
    errors = [problem for problem in outcome.problems if problem.code == outcome.row.error]
    for problem in errors[:1]:
        print(finding_line(outcome.label, problem), file=sys.stderr)
    if text.data is None or outcome.row.hash is None:
        return outcome, None
    try:
        game = loads(text.data, strict=False, revision=args.revision, encoding=args.encoding, first_row=args.first_row)
        return outcome, find_view(game, args.branch, args.move)
    except (NoSuchPlaceError, Wei7Error) as error:
        raise UsageError(f"{outcome.label}: {error}") from None


def _record_text(path: str, number: int) -> RecordText:
    count = 0
    for count, text in enumerate(Sources(path), start=1):
        if count > number:
            return text
    if not count:
        raise UsageError(f"{path}: there is no record in it")
    raise UsageError(f"{path}: there is no record {number}, only {counted(count, 'record')}")


# --- convert -----------------------------------------------------------------


def _convert(args: argparse.Namespace) -> int:
    from .convert_command import Job, WrongTargetError, convert_records
    from .targets import format_of

    _check_paths([args.source], [args.losses])
    format = args.to or format_of(args.target)
    if format is None:
        raise UsageError(f"{args.target}: this name does not tell the format; say it with --to")
    options = Options(
        strict=args.strict, revision=args.revision, encoding=args.encoding, first_row=args.first_row, records=True
    )
    job = Job(args.source, args.target, format, args.losses, args.strict, args.quiet, options, args.resume)
    try:
        return OK if convert_records(job) else FOUND
    except WrongTargetError as error:
        raise UsageError(str(error)) from None
