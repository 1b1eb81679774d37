"""A game in another format and back: what one side has and the other does not has to be a listed loss."""

from __future__ import annotations

from collections.abc import Iterable

import wei7core as w7
from helpers.pairs import CUTS, MOVED, READ_ONLY, ROWS, Contents, Row
from wei7core.game.conversion.report import Loss, count_by_code

__all__ = ["breach", "read", "there_and_back"]


_REVISION_7 = {"wei7": "wei7-rev7"}  # wei7 alone keeps the revision


def read(data: bytes, format: str) -> w7.Game:
    """The game of a text; problems are for the caller to look at."""
    revision = 2 if format == "wei7-rev2" else 7
    return w7.loads(data, format=format.removesuffix("-rev2"), revision=revision, strict=False)


def breach(
    row: Row, before: Contents, after: Contents, formats: Iterable[str], cell: str, losses: Iterable[Loss]
) -> str:
    """What is missing of a row of the table without a loss that reports it; "" where nothing is.

    `formats` are those on the way, `cell` is that of the table for them.
    """
    missing = row.missing(before, after)
    if not missing:
        return ""
    codes = set(count_by_code(losses))
    if codes & (row.unless | CUTS | MOVED | (frozenset() if cell == "yes" else row.codes)):
        return ""
    if codes & row.codes and row.words_in & set(formats):
        comments = "\n".join(place.comment for place in after.places)
        if all(str(fact) in comments for fact in missing):
            return ""
    return f"{row.what}: {missing[:3]}, losses {sorted(codes)}"


def there_and_back(game: w7.Game, source: str, target: str, before: Contents | None = None) -> list[str]:
    """Convert a game, write and read it, convert it back: everything that is missing on the way and not listed.

    `before`: the contents of the game, where they are known.
    """
    before = before or Contents(game.document)
    there: list[Loss] = []
    back: list[Loss] = []
    found = []
    other = w7.convert(game, _REVISION_7.get(target, target), losses=there)
    between = Contents(other.document)
    for row in ROWS:
        found.append(breach(row, before, between, [target], row.cell(target), there))
    text = read(w7.dumps(other, format=_REVISION_7.get(target, target)), target)
    if Contents(text.document).places != between.places or text.document.info != other.document.info:
        found.append(f"the text of {target} has another content than its document")
    known = {problem.code for problem in game.problems}
    errors = [problem for problem in text.problems if problem.severity == "error"]
    found += [f"{target}: {problem}" for problem in errors if problem.code not in known]
    if source not in READ_ONLY:
        last = Contents(w7.convert(text, _REVISION_7.get(source, source), losses=back).document)
        for row in ROWS:
            if row.cell(target) == "yes" and row.cell(source) == "yes":
                found.append(breach(row, before, last, [source, target], "yes", there + back))
    return [one for one in found if one]
