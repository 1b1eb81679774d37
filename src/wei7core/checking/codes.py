"""The codes of a check: the meaning, importance and usual causes of each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal

from .finding import FindingSeverity

Group = Literal["file", "header", "moves", "result", "games"]

GROUPS: Final[Mapping[Group, str]] = MappingProxyType(
    {
        "file": "the file and its structure",
        "header": "the header of the record",
        "moves": "the moves, one by one",
        "result": "the end of the game and its result",
        "games": "games compared with each other",
    }
)
"""The groups of codes, in order, with their titles."""


@dataclass(frozen=True, slots=True)
class Code:
    """One kind of finding. Immutable.

    `severity` is the highest of its findings. `summary` is a phrase; `meaning` defines exactly what is compared, and
    when the code is not reported; `why` is its importance for training and publication; `causes` are the usual causes.
    """

    name: str
    severity: FindingSeverity
    group: Group
    summary: str
    meaning: str
    why: str
    causes: str


def _codes(group: Group, *rows: tuple[str, FindingSeverity, str, str, str, str]) -> tuple[Code, ...]:
    """The codes of a group from their other fields."""
    return tuple(Code(name, severity, group, *texts) for name, severity, *texts in rows)


_FILE: Final = _codes(
    "file",
    (
        "syntax-error",
        "error",
        "the text cannot be read as a record of its format",
        "The decoder of the detected format could not continue, or an essential part is missing or invalid: no JSON "
        "value, no well-formed XML, no game tree, no codes of Giseong, a game that is not Go. The code of the "
        "decoder is in the evidence (`problem`). The part before it is still checked. Text that ends inside a value "
        "is `truncated`; recoverable errors are `format-breach`.",
        "A program that reads the file will skip the record, stop, or take half a game for a whole one.",
        "Files edited by hand, records joined by a script without separators, another kind of file with a record's "
        "suffix.",
    ),
    (
        "encoding-invalid",
        "error",
        "bytes are not a character in the encoding of the text",
        "A wei7 text is not valid UTF-8, or a string of it contains half of a character; an SGF or Giseong record "
        "names an unknown encoding, or its text has bytes that are not characters in the requested or detected "
        "encoding. Moves are not affected: they are ASCII. Not reported if the encoding is only missing, or if "
        "another one than named gives likelier characters (`format-breach`).",
        "Names and comments are damaged for good when the record is written again; strict readers refuse the file.",
        "GBK, Big5, EUC-KR or Shift JIS texts saved as if they were UTF-8; text cut in the middle of a character.",
    ),
    (
        "truncated",
        "error",
        "the text ends before the record does",
        "The text ends inside of a value, an object or a game tree. Everything up to there was read and is checked, "
        "except the end of the game, which is missing. Compressed files that end too early are `unreadable` from "
        "there.",
        "The last moves and often the result are gone: the game looks shorter than it was.",
        "A download or a copy that was cut off, a full disk, a program that was killed while it wrote.",
    ),
    (
        "depth-limit",
        "error",
        "the record nests deeper than the limit allows",
        "Variations or values nest deeper than `Limits.max_depth`. Deeper levels were not read.",
        "Such records crash readers that use recursion; they are rarely games.",
        "A program that opens a new variation at every move, or text made to crash readers.",
    ),
    (
        "record-limit",
        "error",
        "the record is larger than a limit allows",
        "One of the other limits of `wei7core.Limits` was reached: bytes or steps of a record, moves to replay, "
        "problems or findings listed, bytes unpacked from an archive. The limit is in the evidence. The rest of the "
        "record was not checked, or the rest of the findings is not listed.",
        "Part of the data was not checked: after that place, the absence of findings means nothing.",
        "Many games saved as variations of one record, bombs made of compressed zeros, limits set too low.",
    ),
    (
        "unknown-member",
        "warning",
        "the record has a member, element or attribute that its format does not define",
        "A wei7 object has a member, or a wei7 2.x element a child or attribute, that the specification does not "
        "define there. It is kept and changes nothing. SGF allows private properties, which are not reported.",
        "Other programs drop it silently, or refuse the record.",
        "A misspelt name, a newer version of the format, private extensions of a program.",
    ),
    (
        "format-breach",
        "error",
        "the record violates its format but can be read",
        "Every other problem of the decoder, as listed by `wei7core validate`: its code is in the evidence "
        "(`problem`) and the severity is the same, so that many of these findings are warnings. Frequent problems "
        "without consequences, such as a missing encoding, are informational.",
        "Other programs may read the record differently, or not at all.",
        "Programs that write a format from examples instead of its specification.",
    ),
    (
        "unreadable",
        "error",
        "the file could not be read, or its format is unknown",
        "The operating system refused the file, it could not be decompressed, or its content has no known format. "
        "Nothing in it was checked. In folders and archives, files without a record's suffix are skipped instead.",
        "Its records are missing from any data set made of the input.",
        "Permissions, damaged archives, passwords, empty files, web pages saved instead of a record.",
    ),
)

_HEADER: Final = _codes(
    "header",
    (
        "board-size-unsupported",
        "error",
        "the size of the board is unusable",
        "The size is invalid (`SZ[]` of SGF cannot be read, and 19 x 19 was assumed), or the board has more points "
        "than `Limits.max_points`; the game was then not replayed.",
        "Moves are read on the wrong board, and all other findings about them are meaningless.",
        "`SZ[19x]`, `SZ[ 19]` written by hand, sizes of zero, damaged headers.",
    ),
    (
        "komi-dialect",
        "warning",
        "the komi is not written in points",
        "The number is a usual komi in another unit: hundredths of points (650, 750), Chinese stones (3.75, 2.75), "
        "hundredths of stones (375). The value in points is in the evidence and is used for counting. A komi in "
        "quarters is read as stones under Chinese rules only; under others it is `komi-out-of-range`.",
        "A program that reads the number as points has White win every game, or labels close games wrongly.",
        "Chinese servers and databases (375 and 3.75 are 7.5 points), exports that count in hundredths.",
    ),
    (
        "komi-out-of-range",
        "warning",
        "the komi is not a plausible number of points",
        "After conversion of known dialects, the komi is below 0, 10 or more, not a multiple of half a point (clause "
        "3.10.1 of wei7 requires one), or not a number. A missing komi is not reported.",
        "The value of a position depends on the komi: training on a wrong one teaches wrong values.",
        "Damaged headers, bids of an auction komi, test games of programs, komi in an unknown unit.",
    ),
    (
        "handicap-count-mismatch",
        "warning",
        "the number of handicap stones differs from that in the header",
        "The handicap of the header (HA of SGF, also of the records of servers) is compared with the black stones "
        "set up at the start or, without setup, with Black's stones before White's first one on the main line. Also "
        "reported for a handicap that is not a number; not for 0 or 1 without setup, with white stones in the setup, "
        "in problems, and without a handicap in the header.",
        "The count under area rules gives White points for the stones, so that results shift; a game mistaken for an "
        "even one has a start that no even game has.",
        "Stones placed as moves, `HA[1]` for a game without komi, headers copied from another game.",
    ),
    (
        "setup-no-liberties",
        "error",
        "a block of the setup has no liberty",
        "After the stones of the root or of a branch are set up, some block has no adjacent empty point. No sequence "
        "of moves leads to such a position.",
        "Engines refuse such a board or remove the stones, each in its own way, and continue from different positions.",
        "Diagrams with a missing stone, stones that form a picture instead of a position.",
    ),
    (
        "setup-mid-game",
        "error",
        "stones are set up after a move",
        "Stones are set up, changed or removed on a line that already has moves. In SGF (AB, AW, AE) this is a "
        "warning: the move number is that of the previous move, and checks against earlier positions, such as ko and "
        "superko, start again from there; `repeated` in the evidence counts the stones that were already on the "
        "board. In wei7, which forbids it (3.15.2.6; `pre`), it is an error, and the branch ends there.",
        "The moves do not lead from one position to the next: a history of positions made of them never happened.",
        "Editors used to correct a mistake or to show variations, dead stones taken off before counting.",
    ),
    (
        "first-player-mismatch",
        "warning",
        "the first move is by the wrong player",
        "The color of the first move of the game is compared with the player to move in the record (PL of SGF, the "
        "color of a problem in wei7); without one, with Black if there is no setup, and with White if the setup is "
        "two or more black stones and no white ones. Not reported for other setups, the stones of a free handicap, "
        "and under permissive rules.",
        "The side to move is an input of every network: here it may be wrong for the whole game.",
        "Colors that were swapped, handicap stones lost in a conversion, first moves cut off.",
    ),
    (
        "start-position-mismatch",
        "warning",
        "the game does not start from the position that its header implies",
        "White stones are set up at the start, or stones of any color with a handicap of 0 or 1 in the header. Not "
        "reported for problems marked as such, nor for black stones alone without a handicap in the header.",
        "Opening statistics, and networks trained on them, include positions that no game started from.",
        "Records that begin in the middle of a game, exercises, positions set up to try a program.",
    ),
)

_MOVES: Final = _codes(
    "moves",
    (
        "move-off-board",
        "error",
        "a move is outside of the board",
        "A stone is placed on a point outside the width or height of the board. The line cannot be replayed from "
        "there on, and nothing after the move is checked; further moves outside the board are reported without a "
        "number. `tt` of SGF is a pass on boards up to 19 x 19.",
        "Readers that take the point modulo the size, or as a pass, get a different game from there on.",
        "A board size that is missing or wrong, rows and columns swapped on a rectangle, points counted from 1.",
    ),
    (
        "move-occupied",
        "error",
        "a move is on an occupied point",
        "A stone is placed on an occupied point, under every rule set. In SGF it replaces the other stone, as FF[4] "
        "requires, and the line continues; in any other format the line cannot be replayed from there on, and "
        "nothing after the move is checked.",
        "No rules allow it: some readers place the stone, others skip it, and get different games.",
        "A capture that the writer of the record forgot, moves in a wrong order, two games joined, stones used as "
        "remarks.",
    ),
    (
        "suicide-single",
        "error",
        "suicide of a single stone",
        "After captures the single stone has no liberty and is removed. Reported under rules that forbid suicide; "
        "under those that allow it and forbid repeated positions, this move, which changes nothing, is a repeat.",
        "The rules forbid the move, so the game was not played under its stated rules.",
        "Another rule set than the record names, self-play with suicide allowed, moves lost before it.",
    ),
    (
        "suicide-multi",
        "error",
        "suicide of several stones",
        "After captures the block of the move, two stones or more, has no liberty and is removed. Reported under rules "
        "that forbid suicide (all but Tromp-Taylor, New Zealand, Ing and permissive).",
        "The rules forbid the move, so the game was not played under its stated rules.",
        "Another rule set than the record names, self-play under Tromp-Taylor rules labelled as Chinese.",
    ),
    (
        "ko-recapture",
        "error",
        "immediate ko recapture",
        "The move takes one stone, is itself the only stone of its block, and restores the position of two moves "
        "before. Reported under all rules that forbid it; under superko rules also as a repeat.",
        "Only permissive rules allow it: a policy trained on it learns an illegal move.",
        "A ko threat that is missing from the record, also as a pass; moves entered twice.",
    ),
    (
        "superko-positional",
        "error",
        "a move repeats an earlier position",
        "The whole position after the move is compared with all earlier ones of its line, setup included, back to "
        "the last setup, whoever is to play. Moves taken back do not count. Passes are no repeats. Reported under "
        "rules with positional superko. The number of the earlier move is in the evidence.",
        "The rules forbid the move: engines that check superko refuse it and no longer follow the record.",
        "Play by people under rules with only the simple ko (triple ko, eternal life), servers that do not check.",
    ),
    (
        "superko-situational",
        "error",
        "a move repeats an earlier position with the same player to move",
        "As `superko-positional`, but an earlier position counts only if the same player was to move: the player of "
        "the next move in force, a pass included. Reported under situational superko (AGA, New Zealand).",
        "The rules forbid the move: engines that check superko refuse it and no longer follow the record.",
        "Play by people under rules with only the simple ko, servers that do not check.",
    ),
    (
        "superko-natural",
        "error",
        "a player repeats a position that the same player made before",
        "As `superko-positional`, but an earlier position counts only if a stone of the same player made it; "
        "positions after a pass, the start and setup count for no player. Reported under rules with natural superko, "
        "which no named rule set has.",
        "These rules forbid the move: engines that check superko refuse it.",
        "Games of servers with another kind of superko.",
    ),
    (
        "turn-order",
        "error",
        "a color plays twice in a row",
        "The move has the color of the move before it on the line, passes included. Reported under every rule set "
        "but the permissive one. Black's moves that place a free handicap at the start of the game are not reported, "
        "nor is the first move after a setup of stones or of the player to move.",
        "The move number does not give the side to move: pipelines that alternate colors flip the rest of the game.",
        "A pass that was not written down, a move lost in conversion, demonstrations of joseki.",
    ),
    (
        "pass-early",
        "info",
        "a pass comes very early in the game",
        "A pass is among the first moves of its line, as many as a quarter of the points of the board (90 on 19 x "
        "19); passes in place of a free handicap are not counted.",
        "Legal, but rare in games: some servers write a pass for a lost move.",
        "Lost moves, a player who left, handicap given by passes, test games.",
    ),
    (
        "move-after-end",
        "error",
        "a move follows the passes that ended the game",
        "The stone directly follows as many passes in a row as end play under the rules (two in all named rule sets "
        "except the permissive one). More passes are not reported. An error under rules without dead stones "
        "(Tromp-Taylor); under others informational, because there play continues if the players disagree.",
        "The counted position is not that after the last move, or the other way round.",
        "Play resumed after a disagreement on dead stones, a variation appended to the game, moves of the next game.",
    ),
    (
        "game-too-short",
        "warning",
        "the game has too few moves",
        "The record has a result other than void or unknown, and its main line fewer moves than an eighteenth of the "
        "points of its board (21 on 19 x 19).",
        "Games without play teach nothing and shift the statistics of openings and results.",
        "Players who left, records of results only, truncated downloads, resignation bugs of self-play.",
    ),
    (
        "game-too-long",
        "warning",
        "the game has too many moves",
        "The main line has more than three moves for every point of its board (1,083 on 19 x 19).",
        "Games that continued after they were decided: most of their positions are filling of territory.",
        "Self-play without resignation or a limit of moves, games that cycle, several games in one record.",
    ),
    (
        "takeback-too-deep",
        "error",
        "a takeback exceeds the moves in force",
        "A takeback withdraws more moves than are in force on its line. The line cannot be replayed from there on, "
        "and nothing after it is checked. Only wei7 has takebacks.",
        "The position from which the game continued is unknown.",
        "Counting moves of earlier branches, takebacks of setup stones, lost moves.",
    ),
    (
        "time-decreasing",
        "warning",
        "a step is earlier than the previous one",
        "The time of a step is before that of the previous step on its line. Only wei7 has times of steps.",
        "Thinking times computed from it are negative, and the order of the steps may be wrong.",
        "Clocks of two machines, change to winter time without a zone, steps inserted by an editor.",
    ),
)

_RESULT: Final = _codes(
    "result",
    (
        "result-missing",
        "warning",
        "the record has no result",
        "The result is missing or an empty text. A result that is stated to be unknown or void counts as one.",
        "There is no label to train a value on, and nothing to check the end of the game with.",
        "Games that were broken off, lessons and problems, headers lost in conversion.",
    ),
    (
        "result-syntax",
        "warning",
        "the result is not in a standard form",
        "The text is none of the known spellings in English, Chinese, Japanese and Korean "
        "(`wei7core.GameResult.parse`), or it is one but not in the form of FF[4]: then the message has the result "
        "as read, which is checked.",
        "Programs drop the game, or misread the text.",
        "Remarks in the field of the result (`B+3.5?`, adjourned), other languages, points without a winner.",
    ),
    (
        "result-winner-mismatch",
        "error",
        "the winner differs from that on the board",
        "The last position of the main line is counted by area with the komi and the handicap of the record, and the "
        "other player wins. Under rules without dead stones (Tromp-Taylor) reported if two passes ended play; under "
        "other area rules if unconditionally alive stones (Benson) are enough to win, whatever else the players "
        "agree on. Not reported under rules that count territory, without a komi, and for wins by resignation, time "
        "and forfeit.",
        "The label of the game is wrong, the worst error for a value target.",
        "Colors swapped, a wrong komi, dead stones that were taken off at the end but not in the record, truncation.",
    ),
    (
        "result-score-mismatch",
        "error",
        "the margin differs from that on the board",
        "As `result-winner-mismatch`, but the winner is the same and the margin differs, or is impossible with the "
        "unconditionally alive stones or on a board of the size. A margin in quarters is read as Chinese stones.",
        "Score targets are wrong; so may be the komi, the handicap or the last moves.",
        "A wrong komi, points for handicap stones, territory counted as area, dead stones still on the board.",
    ),
    (
        "draw-impossible",
        "error",
        "the komi or the rules rule out the stated draw",
        "The result is a draw, but the komi is not a whole number of points, or the rules award ties to one color "
        "(Ing).",
        "The label of the game is wrong: one player won it.",
        "`RE[0]` written for an unknown result or one without winner.",
    ),
    (
        "result-parity-impossible",
        "error",
        "no count of this board can give the stated margin",
        "Margin and komi (with the points for handicap stones) do not add up to a whole number, as every count on a "
        "board is. The parity of area counts without neutral points is not checked, because seki changes it. A "
        "margin in quarters is read as Chinese stones under area rules.",
        "Either the komi or the score is wrong, and so is the target derived from it.",
        "A komi of 6.5 written for games of 7.5, Japanese counts labelled as Chinese, margins in stones.",
    ),
    (
        "resign-side-mismatch",
        "info",
        "the winner by resignation differs from what the end of the record suggests",
        "The game was won by resignation, and its last move is the loser's; or, in wei7, the last result that a "
        "player claimed is not that of the record. The first happens in honest games.",
        "Sometimes the colors of the result are swapped.",
        "Resignation in the opponent's time, lost last moves, swapped colors.",
    ),
    (
        "end-without-two-passes",
        "warning",
        "the game was counted but does not end in passes",
        "The result has a margin or is a draw, and the main line does not end in as many passes as end play under "
        "the rules. Usual for games of people, whose records omit passes: so it is informational under rules with "
        "agreement on dead stones, and a warning under rules without dead stones (Tromp-Taylor).",
        "It is unknown whether play was over: the last position may not be the one that was counted.",
        "Records of newspapers and servers without passes, games counted by agreement, truncation.",
    ),
)

_GAMES: Final = _codes(
    "games",
    (
        "duplicate-bytes",
        "warning",
        "the record equals an earlier one byte by byte",
        "Its text has the 128-bit hash of an earlier text, which the evidence names. The first one is not reported.",
        "The game counts twice in statistics and training, and may be in the test set and the training set at once.",
        "Folders copied into each other, archives unpacked twice, the same upload again.",
    ),
    (
        "duplicate-game",
        "warning",
        "the game equals an earlier one, possibly rotated or reflected",
        "Size, setup and all moves of the main line, their order, colors and passes, are those of an earlier game "
        "under one of the 8 symmetries of the board (4 of a rectangle), which the evidence names. Names, comments and "
        "results are not compared. Records of the same bytes are `duplicate-bytes`; games of fewer than 10 "
        "moves are not reported.",
        "Renamed copies are the usual way for test games to get into training sets.",
        "The same game from two databases, rotated by editors, with other names or spellings.",
    ),
    (
        "duplicate-id",
        "warning",
        "two different records have the same id",
        "The id of the record (`info.id` in wei7, GN in SGF) is that of an earlier record, which the evidence names, "
        "and the records are not the same.",
        "Programs that use ids as keys keep one of the games and lose the other.",
        "Copies edited later, counters that start again, titles of tournaments in the field of the name.",
    ),
    (
        "near-duplicate",
        "warning",
        "the game shares its end or a long beginning with an earlier one",
        "The last position is that of an earlier game under a symmetry of the board, or the first 120 moves are, or "
        "as many as three quarters of the shorter game (20, 40, 60, 80, 120, 160 and 200 are compared), and the "
        "games are not the same. The evidence names the other game and what they share. Games of fewer than 10 moves "
        "are not compared by their last positions.",
        "Usually the same game again, truncated, with a corrected move or another order of moves.",
        "Two transcriptions of the same game, records with and without the last moves, forks of self-play.",
    ),
    (
        "shared-prefix",
        "info",
        "the first moves are those of an earlier game",
        "The games have the same first 40 moves or more under a symmetry, and differ after that; with enough moves "
        "in common it is a `near-duplicate` instead. The evidence has a lower bound of the number of equal moves "
        "(40, 60, 80).",
        "Sets of games that fork from each other are smaller than they appear.",
        "Fashionable openings, self-play that starts from an opening book or from forked positions.",
    ),
    (
        "opening-collapse",
        "warning",
        "the openings of the whole set have little variety",
        "The entropy of the positions after 16 moves, up to symmetry, is less than half of that of games that all "
        "differ. Reported once, for all games together (the record number is -1), if 100 games or more have that "
        "many moves; of more than 65,536 a sample is used. The evidence has the entropy after every move up to there.",
        "An engine trained on it plays a few openings only.",
        "Self-play without noise at the root, a single opening book, a sampling temperature of zero.",
    ),
)

CODES: Final[Mapping[str, Code]] = MappingProxyType(
    {code.name: code for code in (*_FILE, *_HEADER, *_MOVES, *_RESULT, *_GAMES)}
)
"""Every code by its name, group by group. Names never change their meaning: scripts contain them."""

BETWEEN_CODES: Final = (
    "duplicate-bytes",
    "duplicate-game",
    "duplicate-id",
    "near-duplicate",
    "shared-prefix",
    "opening-collapse",
)
"""The codes of comparisons between games, in the order in which those of one game are reported."""
