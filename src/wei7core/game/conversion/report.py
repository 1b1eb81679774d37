"""Losses of conversions between formats: one table of codes, and lists of bounded length.

Independent of formats and documents.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, replace
from typing import Final

LISTED: Final = 100
"""The number of losses of one kind that are listed individually; the last one also counts all that follow."""

LOSS_CODES: Final[dict[str, str]] = {
    # wei7 -> SGF
    "takeback-as-variation": "a takeback became a variation with the moves that were withdrawn",
    "takeback-too-deep": "a takeback withdraws more moves than there are; what follows is left out",
    "message-as-comment": "a message became part of a comment",
    "mark-action-as-mark": "a mark that was shown live became a mark of the position",
    "result-as-comment": "the claim of a result became part of a comment",
    "time-dropped": "the time of a step or the time left on a clock is left out",
    "time-of-day-dropped": "of the start of the game only the date is kept",
    "actor-dropped": "who carried a step out is left out",
    "evaluation-as-comment": "the evaluation of a move became part of its comment",
    "pause-point-dropped": "a pause point without stones, marks or a comment is left out",
    "problem-as-comment": "a problem became the colour to play and a comment",
    "identifier-dropped": "a domain or an identifier is left out",
    "participant-dropped": "a participant who plays neither colour, or has neither name nor rank, is left out",
    "participant-title-dropped": "the title of a participant is left out",
    "players-merged": "the players of one colour became one, or one player of both colours became two",
    "scoring-dropped": "the scoring is not the one that the type of the rules implies",
    "margin-dropped": "the margin of a draw is left out",
    # SGF -> wei7
    "setup-after-move": "stones are set up after moves; the branch ends there",
    "setup-without-liberties": "a position has a block without liberties; the branch ends there",
    "setup-folded": "stones are set up in several nodes; only the last position is kept",
    "setup-moved": "setup stones before variations that set up more; each variation now has them all",
    "move-occupied": "a move is on an occupied point; the branch ends there",
    "node-dropped": "a node without a move, setup, comment or mark is left out",
    "evaluation-unclear": "a node of a problem says both that its line is right and that it is wrong",
    "label-replaced": "a label is not one of the symbols; it became `?` with its text in the comment",
    "shape-as-symbol": "a shape became the symbol that represents it",
    "komi-dropped": "the komi is not 0 to 9.5 in halves; it is kept in the comment",
    "result-dropped": "the result is not one that can be stated; it is kept in the comment",
    "date-dropped": "the start of the game is not in one of the three forms",
    "scoring-unknown": "the scoring or the type of the rules is not one of those that are known",
    "player-dropped": "a player is no participant, or has a colour that is none",
    "event-as-name": "the event and the round became the name of the game",
    "handicap-implied": "the handicap is as many stones as Black has at the start, and no property says so",
    "value-normalised": "komi, rules or result are written in the words of the standard",
    # SGF -> all others
    "info-as-comment": "what is known about the game became part of the first comment",
    "property-as-comment": "a property of a node became part of its comment",
    # Giseong -> others
    "code-dropped": "a code that only a viewer of Giseong can use is left out",
    # others -> Giseong
    "pass-as-comment": "a pass became part of a comment",
    "setup-as-moves": "stones that are set up became moves",
    "node-merged": "the text and marks of a node without a stone became those of the stone before",
    "reserved-character": "reserved characters of a text became their wide forms",
    "rank-in-name": "a rank is written as Giseong does, after the name",
    "variation-repeated": "a variation with variations became lines that repeat its stones",
    "variation-dropped": "a variation would take too many repeated stones and is left out",
    # wei7 2.x -> wei7 3.0
    "title-as-comment": "a title became part of a comment",
    "splitter-dropped": "how large the gap before a step is, is left out",
    "position-evaluation-dropped": "what a preset position is worth is left out",
    "normal-as-good": "a move of a problem that is neither good nor bad counts as good",
    "problem-moved": "the problem of a step became that of a new branch with all that follows",
    "symbol-replaced": "the symbol `*` became `#`",
    "time-zone-assumed": "the start of the game has no time zone; UTC is taken",
    "time-rounded": "of a fraction of a second nine digits are kept",
    "xml-comments-dropped": "comments and processing instructions of XML are left out",
    # wei7 3.0 -> wei7 2.x
    "place-dropped": "where the game was played is left out",
    "komi-implied": "the komi is not known, and its absence means that there is none",
    "pre-merged": "the text and marks of the start of a branch became those of the move before it",
    "main-line-as-variation": "the main line continues in a variation: no move before the start of its branch",
    "pre-added": "an empty preset position was added, because a variation has no step of its own",
    # Both ways
    "property-dropped": "a property without counterpart, or with a name that FF[4] cannot spell, is left out",
    "step-unreadable": "a step could not be read",
    "mark-dropped": "a mark is off the board, is empty, or is the second one of its kind on a point",
    "evaluation-dropped": "an evaluation is not defined in the revision; it is kept in the comment",
    "problem-dropped": "a problem breaks the rules for problems; who plays is kept in the comment",
    "text-cut": "a text is longer than 128 characters; all of it is in the comment",
    "text-changed": "white space, line breaks or control characters of a text became spaces or plain line breaks",
    "text-undecodable": "bytes that are no character, or half of a surrogate pair, became the replacement character",
    "charset-doubtful": "the encoding of the text was guessed, and another one may be right",
    "member-dropped": "a member that the format does not name is left out",
}
"""Every kind of loss: code -> summary."""


@dataclass(frozen=True, slots=True)
class Loss:
    """A part of a record that the other format cannot represent.

    `code` is one of `LOSS_CODES`. `path` is the place in the source: in SGF branch, node and property (`0.1;3.TB`, the
    branch `-` is the root), in wei7 branch and step (`0.1;3`) or `pre`, `title` (`0.1;pre`), or the member
    (`info.time`). `count`: the number of losses of this kind that it represents, itself included (`LISTED`).
    """

    code: str
    path: str
    message: str
    count: int = 1

    def __str__(self) -> str:
        more = f" (and {self.count - 1} more)" if self.count > 1 else ""
        return f"{self.path}: {self.message}{more} [{self.code}]"


class LossReport:
    """Collects losses. However many there are, few are stored, and few places are written out.

    The place of a branch a million levels deep is a text of megabytes, so the number of characters is limited as well.

    Thread safety: one thread at a time.
    """

    def __init__(self) -> None:
        self._listed: list[Loss] = []
        self._rows: dict[Hashable, tuple[int, int]] = {}  # kind -> number of listed ones, row of the last one
        self._more: dict[int, int] = {}
        self._room = 1 << 20

    def add(self, code: str, at: object, message: str = "", *, kind: Hashable = None, listed: int = LISTED) -> None:
        """Add one loss; the default message is the summary of its code.

        The text of `at` is the path; it is made only if the loss is listed. Of each `kind` within a code `listed` are
        listed individually.
        """
        key = (code, kind)
        count, row = self._rows.get(key, (0, -1))
        if count and (count >= listed or self._room <= 0):
            self._more[row] = self._more.get(row, 0) + 1
            return
        path = str(at)
        self._room -= len(path)
        self._rows[key] = (count + 1, len(self._listed))
        self._listed.append(Loss(code, path, message or LOSS_CODES[code]))

    def repeat(self, code: str, times: int, *, kind: Hashable = None) -> None:
        """Add `times` losses of a kind of which as many as possible are listed."""
        row = self._rows[code, kind][1]
        self._more[row] = self._more.get(row, 0) + times

    def losses(self) -> list[Loss]:
        """Return the losses in the order they were found."""
        return [
            replace(loss, count=1 + self._more[row]) if row in self._more else loss
            for row, loss in enumerate(self._listed)
        ]


def count_by_code(losses: Iterable[Loss]) -> Counter[str]:
    """Return the number of losses of each code, including those not listed."""
    counts: Counter[str] = Counter()
    for loss in losses:
        counts[loss.code] += loss.count
    return counts


def summary(counts: Counter[str]) -> str:
    """Return a summary line of losses counted by code: `12 losses: 8 time-dropped, 4 actor-dropped`."""
    total = sum(counts.values())
    kinds = ", ".join(f"{count:,} {code}" for code, count in counts.most_common())
    return f"{total:,} loss{'' if total == 1 else 'es'}" + (f": {kinds}" if kinds else "")
