"""Serialisation: writes games to bytes or files in any supported output format."""

from __future__ import annotations

import os
import warnings

from .._util.files import WEI7_SUFFIX, write_whole
from ..errors import ERROR, LossWarning, record_error, whole_problem
from ..formats.registry import read_document, write_document
from ..formats.sgf.apply_properties import apply_properties
from ..formats.sgf.write import document_to_sgf
from ..record.document import Edit, Note
from .conversion import encode_document, encode_record, has_fields_of_wei7xml
from .conversion.omitted_properties import properties_dropped
from .conversion.plain_records import root_as_read
from .conversion.plain_sgf import is_plain_sgf
from .conversion.reading_losses import reading_losses
from .conversion.report import Loss, count_by_code, summary
from .game import Game
from .load import loads, validate_record
from .output_formats import format_of, target_named


def dumps(game: Game, *, format: str = "wei7", validate: bool | None = None, losses: list[Loss] | None = None) -> bytes:
    """Return the record as bytes: JSON for `wei7`, `wei7-rev7` and `wei7-rev2`, XML for `wei7-2.2`, FF[4] for `sgf`.

    All of them are in UTF-8. `wei7` is that of revision 7, or of `game.revision` for a game of wei7; the other two
    names fix the revision. `giseong` is in CP949 if that has all its characters, else in UTF-8.

    A game read from another format is converted first; losses are appended to `losses`, or without that list reported
    by a `LossWarning`.

    With `validate` the text is read back strictly first, by the revision and limits of the game. By default that
    happens unless the record was read leniently with errors, which are then written back unchanged, or is unchanged
    since it was read.

    Raises `RecordError` if validation fails, with offsets into `dumps(game, format=format, validate=False)`;
    `TypeError` for a value of a wrong type, `ValueError` for a branch that contains itself, another format or a game it
    cannot represent at all. No other thread may change the game during the call.
    """
    data, lost = _written(game, format, validate)
    _report(lost, losses)
    return data


def _written(game: Game, format: str, validate: bool | None) -> tuple[bytes, list[Loss]]:
    if not isinstance(game, Game):
        raise TypeError(f"expected a wei7core.Game, not {type(game).__name__}")
    read_as, revision = _read_as(format, game)
    if validate is None:
        validate = game.record is None and not any(problem.severity == ERROR for problem in game.problems)
    # A game of the same format and revision has no losses, except for features of other formats.
    is_same = read_as == "wei7" and (read_as, revision) == (game.format, game.revision) and game.is_of_its_revision
    target = f"wei7-rev{revision}" if read_as == "wei7" else format
    lost: list[Loss] = []
    if game.record is not None:
        if is_same:
            data = write_document(read_document(game.record, runs=True), read_as)
        else:
            data, lost = encode_record(game.record, target, game.problems, game.limits)
    else:
        document = game.document
        is_sgf = read_as == game.format == "sgf"
        root = root_as_read(document) if is_sgf and not any(one.severity == ERROR for one in game.problems) else None
        apply_properties(document)
        if is_same and not has_fields_of_wei7xml(document):
            try:
                data, lost = write_document(document, read_as), properties_dropped(document)
            except ValueError:
                if not any(isinstance(one.action, (Edit, Note)) for each in document.tree.walk() for one in each.steps):
                    raise
                data, lost = encode_document(document, target, game.limits)
        elif is_sgf and is_plain_sgf(document, is_root_plain=root is not None):
            data = document_to_sgf(document, root)
        else:
            data, lost = encode_document(document, target, game.limits)
            if game.format == "wei7-2.2" == target:
                lost = properties_dropped(document) + lost
    if validate:
        validate_record(data, read_as, revision, game.limits)
    return data, reading_losses(game.problems) + lost


def dump(
    game: Game,
    path: str | os.PathLike[str],
    *,
    format: str | None = None,
    validate: bool | None = None,
    losses: list[Loss] | None = None,
) -> None:
    """Write the record to a file, whole or not at all; see `dumps`.

    `format` is by default that of the suffix: `.wei7`, or `.sgf` and `.giseong` in any case of letters. Raises as
    `dumps` does, `RecordError` with code `file-suffix` for another suffix or for wei7 under a name that does not end in
    `.wei7` (clause 3.1), and `OSError` if the file cannot be written. No other thread may change the game during the
    call.
    """
    name = os.fsdecode(path)
    hint = "" if format else ", one of SGF under one that ends in .sgf"
    format = format or format_of(name) or "wei7"
    if format.startswith("wei7") and not name.endswith(WEI7_SUFFIX):
        message = f"a wei7 record is saved under a name that ends in {WEI7_SUFFIX}{hint}"
        raise record_error(whole_problem("file-suffix", message), name)
    data, lost = _written(game, format, validate)
    _report(lost, losses)
    with write_whole(name) as file:
        file.buffer.write(data)


def convert(game: Game, format: str, *, losses: list[Loss] | None = None) -> Game:
    """Return a new game converted to `format`, as if read from it; see `dumps` for the formats.

    The game itself does not change. Raises as `dumps` does. No other thread may change the game during the call.
    """
    data, lost = _written(game, format, None)
    _report(lost, losses)
    read_as, revision = _read_as(format, game)
    return loads(data, format=read_as, strict=False, revision=revision, limits=game.limits)


def _read_as(format: str, game: Game) -> tuple[str, int]:
    """The detected format and its revision; `wei7` keeps that of a game of wei7."""
    target = target_named(format)
    return target.format, game.revision if game.format == format else target.revision


def _report(lost: list[Loss], losses: list[Loss] | None) -> None:
    if losses is not None:
        losses.extend(lost)
    elif lost:
        counts = summary(count_by_code(lost))
        warnings.warn(LossWarning(f"{counts}; a list given as `losses` takes them one by one"), stacklevel=3)
