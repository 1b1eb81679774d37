"""Pictures of the positions of findings, for `wei7core check --show`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ..batch.options import Options
from ..batch.single_records import record_of
from ..checking.codes import CODES
from ..checking.finding import Finding
from ..checking.finding_position import finding_position
from ..checking.reopen import RecordReader
from ..game.game import Game, game_from_record
from ..sources.chunks import RawRecord

_INDENT: Final = "    "


class FindingPictures:
    """Draws the positions of findings; reads their records a second time."""

    def __init__(self, paths: Sequence[str], options: Options) -> None:
        self._texts = RecordReader(paths, limits=options.limits)
        self._options = options
        self._text: RawRecord | None = None
        self._game: Game | None = None

    def of(self, finding: Finding) -> str | None:
        """Return the indented picture of a finding, or None."""
        if CODES[finding.code].group in ("file", "games"):
            return None
        game = self._game_of(finding)
        shown = None if game is None else finding_position(game, finding)
        return None if shown is None else "\n".join(_INDENT + line for line in shown.text().split("\n"))

    def _game_of(self, finding: Finding) -> Game | None:
        text = self._texts.text(finding.source, finding.record)
        if text is not self._text:
            self._text, self._game = text, None
            if text is not None and text.data is not None:
                self._game = self._read(text)
        return self._game

    def _read(self, text: RawRecord) -> Game | None:
        options = self._options
        record = record_of(text, options)
        if not len(record.trees):
            return None
        return game_from_record(record, problems=(), revision=options.revision, limits=options.limits)
