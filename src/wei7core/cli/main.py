"""The command line: `wei7core replay`, `validate`, `check`, `show`, `solve`, `expand`, `convert`.

Parses, calls the library.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

from .._util.files import is_special, write_whole
from .._util.words import counted
from ..batch.checkpoint import ResumeError
from ..errors import Wei7Error
from ..sources.sources import STDIN, RawRecord, Sources
from ..tables.writers import UnknownTableFormatError, write_table
from .arguments import COLORS, UsageError, check_output, check_paths, options_from, parsed
from .console import finding_line, has_colors, plain, report, stdout_for

if TYPE_CHECKING:
    import argparse

    from ..batch.fallback import ReplayedRecord
    from ..game.game import Game
    from ..replaying.picture import NodePictureOptions
    from .show import ShownPosition

__all__ = ["main"]

OK: Final = 0
FOUND: Final = 1
WRONG_USAGE: Final = 2
INTERRUPTED: Final = 130
PIPE_CLOSED: Final = 141


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line with `argv` (None: that of the process) and return its exit status.

    0: success; 1: some record had an error or a finding; 2: wrong usage, or an output that cannot be written; 130:
    interrupted; 141: standard output was closed by its reader. `--help` and `--version` raise `SystemExit(0)`.
    """
    if sys.stderr is None:
        sys.stderr = io.StringIO()  # else `print` would use standard output
    if sys.stdout is None:
        return _say("standard output is closed", WRONG_USAGE)
    stdout_for("table")
    try:
        args = parsed(sys.argv[1:] if argv is None else argv)
        well = _COMMANDS[args.command](args)
        sys.stdout.flush()
    except (UsageError, UnknownTableFormatError, ResumeError) as error:
        return _say(str(error), WRONG_USAGE)
    except BrokenPipeError:
        # Else the interpreter would try to flush again at exit, and report an error.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return PIPE_CLOSED
    except KeyboardInterrupt:
        return _say("interrupted", INTERRUPTED)
    except OSError as error:
        return _say(f"{error.filename or 'output'}: {error.strerror or error}", WRONG_USAGE)
    except MemoryError as error:
        return _say(str(error) or "not enough memory", WRONG_USAGE)
    return OK if well else FOUND


def _say(message: str, status: int) -> int:
    print(f"wei7core: {plain(message)}", file=sys.stderr)
    return status


# Each returns whether there were no errors. The modules of a command are imported when it runs, for a quick start.


def _replay(args: argparse.Namespace) -> bool:
    from .replay import replay

    return replay(args)


def _validate(args: argparse.Namespace) -> bool:
    from .replay import validate

    return validate(args)


def _check(args: argparse.Namespace) -> bool:
    from .check import CheckJob, WrongJobError, check_records, explained

    try:
        if args.explain is not None:
            print("\n".join(explained(args.explain)))
            return True
        _refuse_wrong_check(args)
        job = CheckJob(
            args.paths,
            options_from(args),
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
            args.resume,
            args.verbose,
        )
        return check_records(job)
    except WrongJobError as error:
        raise UsageError(str(error)) from None


def _refuse_wrong_check(args: argparse.Namespace) -> None:
    if not args.paths:
        raise UsageError("the following arguments are required: PATH (see wei7core check --help)")
    check_output(args)
    if args.show and (args.output or args.format not in (None, "text")):
        raise UsageError("--show cannot be combined with -o or --format")
    if (args.move or args.copy) and not args.quarantine:
        raise UsageError("--move and --copy require --quarantine DIR")
    check_paths(args.paths, [args.output])


def _show(args: argparse.Namespace) -> bool:
    from ..board.drawing.png import png_of
    from .pictures import picture_options

    check_paths([args.path], [])
    if args.svg and not (args.svg.lower().endswith(".svg") or is_special(args.svg)):
        raise UsageError(f"{args.svg}: unsupported picture format; use .svg")
    if args.png and not (args.png.lower().endswith(".png") or is_special(args.png)):
        raise UsageError(f"{args.png}: unsupported picture format; use .png")
    if args.animate and not (args.animate.lower().endswith((".png", ".apng")) or is_special(args.animate)):
        raise UsageError(f"{args.animate}: unsupported animation format; use .png or .apng")
    if args.html and not (args.html.lower().endswith((".html", ".htm")) or is_special(args.html)):
        raise UsageError(f"{args.html}: unsupported viewer format; use .html")
    options = picture_options(args)
    outcome, view = _find_view(args)
    if view is None:
        return False
    try:
        text = view.text(options, has_colors(sys.stdout) if args.terminal else None)
        picture = view.svg(options) if args.svg or args.png else ""
        image = png_of(picture) if args.png else b""
        if args.animate:
            view.game.apng(args.animate, view.node, delay=args.delay, **options)
        if args.html:
            view.game.to_html(args.html, **{"theme": "wood", **_of_viewer(options)})
    except ImportError as error:
        raise UsageError(str(error)) from None
    except ValueError as error:
        raise UsageError(f"{outcome.label}: {error}") from None
    print(text, end="")
    if args.png:
        with write_whole(args.png) as file:
            file.buffer.write(image)
    if args.svg:
        with write_whole(args.svg) as file:
            file.write(picture)
    return not outcome.row.error


def _of_viewer(options: NodePictureOptions) -> dict[str, Any]:
    """The options of a picture that also apply to a viewer."""
    return {name: value for name, value in options.items() if name in ("theme", "coordinates")}


def _solve(args: argparse.Namespace) -> bool:
    from .solve import solve

    check_paths([args.path], [])
    if args.path == STDIN:
        raise UsageError("standard input is used for the moves; name a file")
    outcome, game = _find_game(args)
    if game is None:
        return False
    try:
        return solve(game, args.branch, args.seed, sys.stdin, sys.stdout, colored=has_colors(sys.stdout))
    except (ValueError, IndexError) as error:
        raise UsageError(f"{outcome.label}: {error}") from None


def _expand(args: argparse.Namespace) -> bool:
    from .expand import CHOICE_COLUMNS, choice_lines, choices_of, summary

    check_paths([args.path], [args.output])
    outcome, view = _find_view(args)
    if view is None:
        return False
    color = COLORS[args.color] if args.color else view.to_play
    table = choices_of(view, color, args.rules)
    if args.output:
        with write_table(args.output, CHOICE_COLUMNS) as writer:
            writer.write_columns(table.data)
    else:
        for line in choice_lines(table):
            print(line)
    report([f"{plain(outcome.label)}: {summary(view, color, args.rules, table)}"], quiet=args.quiet)
    return not outcome.row.error


def _find_view(args: argparse.Namespace) -> tuple[ReplayedRecord, ShownPosition | None]:
    """The requested record and the place in it; None if no board can be made of it."""
    from .show import NoSuchPlaceError, find_view

    outcome, game = _find_game(args)
    try:
        return outcome, None if game is None else find_view(game, args.branch, args.move)
    except (NoSuchPlaceError, Wei7Error) as error:
        raise UsageError(f"{outcome.label}: {error}") from None


def _find_game(args: argparse.Namespace) -> tuple[ReplayedRecord, Game | None]:
    """The requested record and its game; None if no board can be made of it."""
    from ..batch.fallback import replay_each
    from ..game.load import loads

    text = _record_text(args.path, args.record)
    outcome = next(replay_each([text], options_from(args)))
    errors = [problem for problem in outcome.problems if problem.code == outcome.row.error]
    for problem in errors[:1]:
        print(finding_line(outcome.label, problem), file=sys.stderr)
    if text.data is None or outcome.row.hash is None:
        return outcome, None
    try:
        game = loads(text.data, strict=False, revision=args.revision, encoding=args.encoding, first_row=args.first_row)
        return outcome, game
    except Wei7Error as error:
        raise UsageError(f"{outcome.label}: {error}") from None


def _record_text(path: str, number: int) -> RawRecord:
    count = 0
    for count, text in enumerate(Sources(path), start=1):
        if count > number:
            return text
    if not count:
        raise UsageError(f"{path}: no records found")
    raise UsageError(f"{path}: record {number} is out of range (the file has {counted(count, 'record')})")


def _convert(args: argparse.Namespace) -> bool:
    from ..game.conversion.output_formats import format_of
    from .convert import ConversionJob, WrongTargetError, convert_records

    check_paths([args.source], [args.losses])
    format = args.to or format_of(args.target)
    if format is None:
        raise UsageError(f"{args.target}: cannot infer the output format from the file name; use --to FORMAT")
    options = options_from(args, strict=args.strict, records=True)
    job = ConversionJob(args.source, args.target, format, args.losses, args.strict, args.quiet, options, args.resume)
    try:
        return convert_records(job)
    except WrongTargetError as error:
        raise UsageError(str(error)) from None


def _index(args: argparse.Namespace) -> bool:
    from .find import make_index

    check_paths(args.paths, [])
    return make_index(args)


def _find(args: argparse.Namespace) -> bool:
    from .find import find_positions

    check_paths([args.folder], [args.output])
    return find_positions(args)


def _explore(args: argparse.Namespace) -> bool:
    from .explore import explore

    return explore(args)


def _samples(args: argparse.Namespace) -> bool:
    from .samples import make_shards

    return make_shards(args)


_COMMANDS: Final[dict[str, Callable[[argparse.Namespace], bool]]] = {
    "replay": _replay,
    "validate": _validate,
    "check": _check,
    "show": _show,
    "solve": _solve,
    "expand": _expand,
    "convert": _convert,
    "index": _index,
    "find": _find,
    "explore": _explore,
    "samples": _samples,
}
