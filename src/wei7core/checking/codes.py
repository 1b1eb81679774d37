"""What can be wrong with a record: every code of a check, what it means, why it matters, what usually causes it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal

from .finding import FindingSeverity

__all__ = ["CODES", "GROUPS", "Code", "Group"]

Group = Literal["file", "header", "moves", "result", "games"]

GROUPS: Final[Mapping[Group, str]] = MappingProxyType(
    {
        "file": "the file and its structure",
        "header": "what the record says before its first move",
        "moves": "the moves, one by one",
        "result": "the end of the game and what the record says of it",
        "games": "games compared with each other",
    }
)
"""The groups of codes, in order, in words."""


@dataclass(frozen=True, slots=True)
class Code:
    """One kind of finding. Immutable.

    `severity` is that of its findings; where they differ, the gravest one. `summary` is half a sentence; `meaning` says
    exactly what is compared with what, and when the code is not reported; `why` is its importance for training and
    publication; `causes` are the usual causes.
    """

    name: str
    severity: FindingSeverity
    group: Group
    summary: str
    meaning: str
    why: str
    causes: str


_FILE: Final = (
    Code(
        "syntax-error",
        "error",
        "file",
        "the text cannot be read as a record of its format",
        "The decoder of the recognised format met something after which it could not go on, or a part without which "
        "there is no record: no JSON value, no well-formed XML, no game tree, no codes of Giseong, a game that is not "
        "Go. The code of the decoder is in the evidence (`problem`). What was read before it is still judged. Text "
        "that ends inside of a value is `truncated`; breaches that reading survives are `format-breach`.",
        "A program that reads the file will skip the record, stop, or take half a game for a whole one.",
        "Files edited by hand, records joined by a script without separators, another kind of file with the name of a "
        "record.",
    ),
    Code(
        "encoding-invalid",
        "error",
        "file",
        "bytes are no character in the encoding of the text",
        "A wei7 text is in UTF-8, and bytes are not, or a string of it holds half of a character; an SGF or Giseong "
        "record names an encoding that there is not, or its text has bytes that are no characters in the encoding "
        "that was asked for or found for it. Moves are not touched: they are ASCII. Not reported where the "
        "encoding is only missing, or another one than named gives the likelier characters (`format-breach`).",
        "Names and comments are damaged for good when the record is written again; strict readers refuse the file.",
        "GBK, Big5, EUC-KR or Shift JIS texts saved as if they were UTF-8; text cut in the middle of a character.",
    ),
    Code(
        "truncated",
        "error",
        "file",
        "the text ends before the record does",
        "The text ends inside of a value, an object or a game tree. Everything up to there was read and is judged, "
        "but for the end of the game, which is not there. Compressed files that end too early are `unreadable` from "
        "there.",
        "The last moves and often the result are gone: the game looks shorter than it was.",
        "A download or a copy that was cut off, a full disk, a program that was killed while it wrote.",
    ),
    Code(
        "depth-limit",
        "error",
        "file",
        "the record nests deeper than the limit allows",
        "Variations or values nest deeper than `Limits.max_depth`. Deeper levels were not read.",
        "Records as deep as that break readers that use recursion; they are seldom games.",
        "A program that opens a new variation at every move, or text made to break readers.",
    ),
    Code(
        "record-limit",
        "error",
        "file",
        "the record is larger than a limit allows",
        "One of the other limits of `wei7core.Limits` was reached: bytes or steps of a record, moves to replay, "
        "problems or findings that are listed, bytes unpacked from an archive. The limit is in the evidence. The rest "
        "was not judged; the rest of the findings is not listed.",
        "Part of the data was not checked: after that place, the absence of findings means nothing.",
        "Many games saved as variations of one record, bombs made of compressed zeros, limits set too low.",
    ),
    Code(
        "unknown-member",
        "warning",
        "file",
        "the record has a member, element or attribute that its format does not name",
        "A wei7 object has a member, or a wei7 2.x element a child or attribute, that the specification does not name "
        "there. It is kept and changes nothing. SGF lets programs add properties, which are not reported.",
        "Other programs drop it silently, or refuse the record.",
        "A misspelt name, a newer version of the format, private extensions of a program.",
    ),
    Code(
        "format-breach",
        "error",
        "file",
        "the record breaks its format, and can be read all the same",
        "Every other problem of the decoder, as `wei7core validate` lists it: the code there is in the evidence "
        "(`problem`) and the severity is the same, so that many of these findings are warnings. What is everywhere "
        "and changes nothing, such as an encoding that is not named, is an information.",
        "Other programs may read the record in another way, or not at all.",
        "Programs that write a format from examples instead of its specification.",
    ),
    Code(
        "unreadable",
        "error",
        "file",
        "the file could not be read, or is of no known format",
        "The operating system refused the file, it could not be unpacked, or its content is that of none of the "
        "formats that are known. Nothing in it was judged. In folders and archives files whose names are not those of "
        "records are passed over instead.",
        "The records in it are missing from whatever is made of the data.",
        "Permissions, damaged archives, passwords, empty files, web pages saved instead of a record.",
    ),
)

_HEADER: Final = (
    Code(
        "board-size-unsupported",
        "error",
        "header",
        "the board has a size that cannot be used",
        "The size is no size (`SZ[]` of SGF cannot be read, and 19 x 19 was taken), or the board has more points than "
        "`Limits.max_points`; the game was not replayed then.",
        "Moves are read on a board that is not theirs, and every judgement on them is worth nothing.",
        "`SZ[19x]`, `SZ[ 19]` written by hand, sizes of zero, damaged headers.",
    ),
    Code(
        "komi-dialect",
        "warning",
        "header",
        "the komi is not written in points",
        "The number is a usual komi in another unit: hundredths of points (650, 750), Chinese stones (3.75, 2.75), "
        "hundredths of stones (375). What it comes to in points is in the evidence, and games are counted with that. "
        "A komi in quarters is taken for stones under Chinese rules only; under others it is `komi-out-of-range`.",
        "A program that takes the number for points has White win every game, or labels close games wrongly.",
        "Chinese servers and databases (375 and 3.75 are 7.5 points), exports that count in hundredths.",
    ),
    Code(
        "komi-out-of-range",
        "warning",
        "header",
        "the komi is no plausible number of points",
        "After a known dialect was converted, the komi is below 0, 10 or more, or neither a whole nor a half number "
        "of points (clause 3.10.1 of wei7 allows no other), or it is no number. A missing komi is not "
        "reported.",
        "The value of a position depends on the komi: training on a wrong one teaches wrong values.",
        "Damaged headers, bids of an auction komi, test games of programs, komi in a unit that is not known.",
    ),
    Code(
        "handicap-count-mismatch",
        "warning",
        "header",
        "the number of handicap stones is not the one that the record says",
        "The handicap of the header (HA of SGF, also of the records of servers) is compared with the black stones set "
        "up at the start and, where none are set up, with Black's stones before White's first one on the main line. "
        "Also reported for a handicap that is no number; not for 0 or 1 where nothing is set up, where white stones "
        "are set up, in problems, and where the record says nothing of a handicap.",
        "The count under area rules gives White points for the stones, so that results shift; a game taken for an "
        "even one has a start that no even game has.",
        "Stones placed as moves, `HA[1]` for a game without komi, headers copied from another game.",
    ),
    Code(
        "setup-no-liberties",
        "error",
        "header",
        "a block that is set up has no liberty",
        "After the stones of the root or of a branch are set up, some block has no adjacent empty point. No sequence "
        "of moves leads to such a position.",
        "Engines refuse such a board or remove the stones, each in its own way, and go on from different positions.",
        "Diagrams with a missing stone, stones shown for a picture instead of a position.",
    ),
    Code(
        "setup-mid-game",
        "warning",
        "header",
        "stones are put or removed by hand after a move",
        "Stones are set up, changed or removed (AB, AW, AE of SGF, `pre` of wei7) on a line that has moves already; "
        "the move number is that of the move before it. Judgements that look back, such as ko and superko, start "
        "again from there. `repeated` in the evidence counts the stones that were on the board already.",
        "The moves do not lead from one position to the next: a history of positions made of them never happened.",
        "Editors used to correct a mistake or to show variations, dead stones taken off before counting.",
    ),
    Code(
        "first-player-mismatch",
        "warning",
        "header",
        "the first move is not made by the player who should make it",
        "The color of the first move of the game is compared with the player whom the record names (PL of SGF, the "
        "color of a problem in wei7); where it names none, with Black where nothing is set up, and White where two "
        "black stones or more are and no white ones. Not reported for other setups, the stones of a free handicap, and "
        "under permissive rules.",
        "Side to move is an input of every network: here it may be wrong for the whole game.",
        "Colors that were swapped, handicap stones lost in a conversion, first moves cut off.",
    ),
    Code(
        "start-position-mismatch",
        "warning",
        "header",
        "the game does not start from the position that its header promises",
        "White stones are set up at the start, or stones of any color where the header says a handicap of 0 or 1. Not "
        "reported for problems marked as such, nor for black stones alone where the header has no number.",
        "Statistics of openings, and networks trained on them, take in positions that no game started from.",
        "Records that begin in the middle of a game, exercises, positions set up to try a program.",
    ),
)

_MOVES: Final = (
    Code(
        "move-off-board",
        "error",
        "moves",
        "a move is outside of the board",
        "A stone is put on a point outside of the width or height of the board. The line cannot be replayed from "
        "there on, and nothing after the move is judged. `tt` of SGF is a pass on boards up to 19 x 19.",
        "Readers that take the point modulo the size, or as a pass, have another game from there on.",
        "A board size that is missing or wrong, rows and columns swapped on a rectangle, points counted from 1.",
    ),
    Code(
        "move-occupied",
        "error",
        "moves",
        "a move is on a point that has a stone",
        "A stone is put on an occupied point, under every rule set. In SGF it replaces the other stone, as FF[4] "
        "requires, and the line continues; in any other format the line cannot be replayed from there on, and "
        "nothing after the move is judged.",
        "No rules allow it: some readers put the stone all the same, others skip it, and have different games.",
        "A capture that the writer of the record forgot, moves in a wrong order, two games joined, stones used as "
        "remarks.",
    ),
    Code(
        "suicide-single",
        "error",
        "moves",
        "a single stone is put without a liberty and takes nothing",
        "After captures the stone alone has no liberty and comes off again. Reported under rules that forbid suicide; "
        "under those that allow it and forbid repeated positions, this move, which changes nothing, is a repeat.",
        "A move that the rules forbid, so the game was not played under the rules that it claims.",
        "Another rule set than the record names, self-play with suicide allowed, moves lost before it.",
    ),
    Code(
        "suicide-multi",
        "error",
        "moves",
        "a move leaves its own block of several stones without a liberty",
        "After captures the block of the move has no liberty and comes off, two stones or more. Reported under rules "
        "that forbid suicide (all but Tromp-Taylor, New Zealand, Ing and permissive).",
        "A move that the rules forbid, so the game was not played under the rules that it claims.",
        "Another rule set than the record names, self-play under Tromp-Taylor rules labelled as Chinese.",
    ),
    Code(
        "ko-recapture",
        "error",
        "moves",
        "a stone takes back at once in a ko",
        "The move takes one stone, is itself the only stone of its block, and restores the position of two moves "
        "before. Reported under all rules that forbid it; under superko rules also as a repeat.",
        "No rules allow it, except the permissive ones: a policy trained on it learns an illegal move.",
        "A ko threat that is missing from the record, also as a pass; moves entered twice.",
    ),
    Code(
        "superko-positional",
        "error",
        "moves",
        "a move makes a position that was on the board before",
        "The whole position after the move is compared with all earlier ones of its line, setup included, back to the "
        "last stones put by hand; whoever is to play. Moves taken back never happened. Passes are no repeats. "
        "Reported under rules with positional superko. The number of the earlier move is in the evidence.",
        "The game should not have gone on: engines that check superko refuse the move and lose step with the record.",
        "Play by people under rules that know only the simple ko (triple ko, eternal life), servers that do not check.",
    ),
    Code(
        "superko-situational",
        "error",
        "moves",
        "a move makes a position that was there before with the same player to play",
        "As `superko-positional`, but an earlier position counts only where the same player was to play then: whoever "
        "made the next move in force, a pass included. Reported under situational superko (AGA, New Zealand).",
        "The game should not have gone on: engines that check superko refuse the move and lose step with the record.",
        "Play by people under rules that know only the simple ko, servers that do not check.",
    ),
    Code(
        "superko-natural",
        "error",
        "moves",
        "a player makes a position that the same player made before",
        "As `superko-positional`, but an earlier position counts only where a stone of the same player made it; "
        "positions that followed a pass, the start and setup were made by nobody. Reported under rules with natural "
        "superko, which no named rule set has.",
        "The game should not have gone on under these rules: engines that check superko refuse the move.",
        "Games of servers with another kind of superko.",
    ),
    Code(
        "turn-order",
        "error",
        "moves",
        "a color plays twice in a row",
        "The move has the color of the move before it on the line, passes included. Reported under every rule set but "
        "the permissive one. Black's moves that place a free handicap at the start of the game are not, nor is "
        "the first move after stones or the player to move were set by hand.",
        "The move number does not give the side to move: pipelines that alternate colors flip the rest of the game.",
        "A pass that was not written down, a move lost in conversion, demonstrations of joseki.",
    ),
    Code(
        "pass-early",
        "info",
        "moves",
        "a pass comes very early in the game",
        "A pass is among the first moves of its line, as many as a quarter of the points of the board (90 on 19 x "
        "19); passes in place of a free handicap are not counted.",
        "Legal, but seldom a game: some servers write a pass for a move that they lost.",
        "Lost moves, a player who left, handicap given by passes, test games.",
    ),
    Code(
        "move-after-end",
        "error",
        "moves",
        "a move follows the passes that ended the game",
        "The stone directly follows as many passes in a row as end play under the rules (two in all that are named "
        "but the permissive ones). More passes are not reported. An error under rules where no stone is dead "
        "(Tromp-Taylor); under others an information, because there play continues if the players disagree.",
        "The position that is counted is not the one of the last move, or the other way round.",
        "Play resumed after a disagreement on dead stones, a variation appended to the game, moves of the next game.",
    ),
    Code(
        "game-too-short",
        "warning",
        "moves",
        "the game has too few moves for what it is",
        "The record has a result other than void or unknown, and its main line fewer moves than an eighteenth of the "
        "points of its board (21 on 19 x 19).",
        "Games without play teach nothing and shift the statistics of openings and results.",
        "Players who left, records of results only, truncated downloads, resignation bugs of self-play.",
    ),
    Code(
        "game-too-long",
        "warning",
        "moves",
        "the game has more moves than games have",
        "The main line has more than three moves for every point of its board (1,083 on 19 x 19).",
        "Games that were not ended when they were over: most positions in them are filling of territory.",
        "Self-play without resignation or a limit of moves, games that cycle, several games in one record.",
    ),
    Code(
        "takeback-too-deep",
        "error",
        "moves",
        "more moves are taken back than there are",
        "A takeback withdraws more moves than are in force on its line. The line cannot be replayed from there on, "
        "and nothing after it is judged. Only wei7 has takebacks.",
        "Nobody can say which position the game went on from.",
        "Counting moves of earlier branches, takebacks of setup stones, lost moves.",
    ),
    Code(
        "time-decreasing",
        "warning",
        "moves",
        "a step happened before the step in front of it",
        "The times of two steps that follow each other on a line run backwards. Only wei7 has times of steps.",
        "Thinking times computed from it are negative, and the order of the steps may be wrong.",
        "Clocks of two machines, change to winter time without a zone, steps put in by an editor.",
    ),
)

_RESULT: Final = (
    Code(
        "result-missing",
        "warning",
        "result",
        "the record has no result",
        "Nothing is said of the result, or nothing but an empty text. A result that says it is unknown or void is one.",
        "There is no label to train a value on, and nothing to check the end of the game with.",
        "Games that were broken off, lessons and problems, headers lost in conversion.",
    ),
    Code(
        "result-syntax",
        "warning",
        "result",
        "the result is not written as results are",
        "The text is none of the known spellings in English, Chinese, Japanese and Korean "
        "(`wei7core.GameResult.parse`), or it is one, and not as FF[4] wants it: then the message says what it was "
        "read as, and the result is judged.",
        "Programs drop the game, or take the text for something else.",
        "Remarks in the field of the result (`B+3.5?`, adjourned), other languages, points without a winner.",
    ),
    Code(
        "result-winner-mismatch",
        "error",
        "result",
        "the record names another winner than the board",
        "The last position of the main line is counted by area with the komi and the handicap of the record, and "
        "somebody else wins. Under rules where no stone is dead (Tromp-Taylor) reported where two passes ended play; "
        "under other rules that count area where stones that are alive without conditions (Benson) are enough to win, "
        "whatever else is agreed on. Not reported under rules that count territory, without a komi, and for wins by "
        "resignation, time and forfeit.",
        "The label of the game is wrong, the worst that can happen to a value.",
        "Colors swapped, a wrong komi, dead stones that were taken off at the end but not in the record, truncation.",
    ),
    Code(
        "result-score-mismatch",
        "error",
        "result",
        "the record names another margin than the board",
        "As `result-winner-mismatch`, but the winner is the same and the margin differs, or is none that the living "
        "stones leave possible. A margin in quarters is taken for one in Chinese stones.",
        "Score targets are wrong; so may be the komi, the handicap or the last moves.",
        "A wrong komi, points for handicap stones, territory counted as area, dead stones still on the board.",
    ),
    Code(
        "draw-impossible",
        "error",
        "result",
        "a draw is claimed that the komi or the rules rule out",
        "The record says that the game is a draw, and its komi is no whole number of points, or the rules give a tie "
        "to one color (Ing).",
        "The label of the game is wrong: somebody won it.",
        "`RE[0]` written for an unknown result or one without winner.",
    ),
    Code(
        "result-parity-impossible",
        "error",
        "result",
        "the margin is one that no count of this board can give",
        "Margin and komi (with the points for handicap stones) do not add up to a whole number: all that is counted "
        "on a board is whole. Area counts without neutral points have a parity too, which is not looked at, because "
        "seki changes it. A margin in quarters is taken for one in Chinese stones where area counts.",
        "Either the komi or the score is wrong, so one target or the other is.",
        "A komi of 6.5 written for games of 7.5, Japanese counts labelled as Chinese, margins in stones.",
    ),
    Code(
        "resign-side-mismatch",
        "info",
        "result",
        "the winner by resignation is not the one that the end of the record suggests",
        "The game was won by resignation, and its last move is the loser's; or, in wei7, the last result that a "
        "player claimed is not that of the record. The first happens in honest games.",
        "Sometimes the colors of the result are swapped.",
        "Resignation in the opponent's time, lost last moves, swapped colors.",
    ),
    Code(
        "end-without-two-passes",
        "warning",
        "result",
        "the game was counted and does not end in passes",
        "The result has a margin or is a draw, and the main line does not end in as many passes as end play under the "
        "rules. Usual for games of people, whose records omit passes: so it is an information only where dead "
        "stones come off by agreement, and a warning where all stones are alive (Tromp-Taylor).",
        "Whether play was over cannot be seen: the count of the last position may not be the end of the game.",
        "Records of newspapers and servers without passes, games counted by agreement, truncation.",
    ),
)

_GAMES: Final = (
    Code(
        "duplicate-bytes",
        "warning",
        "games",
        "the record is, byte by byte, one that was there before",
        "Its text has the 128-bit hash of an earlier text of the check, which the evidence names. The first of "
        "them is not reported.",
        "The game counts twice in statistics and training, and may be in the test set and the training set at once.",
        "Folders copied into each other, archives unpacked twice, the same upload again.",
    ),
    Code(
        "duplicate-game",
        "warning",
        "games",
        "the game is one that was there before, perhaps turned or mirrored",
        "Size, setup and all moves of the main line, their order, colors and passes, are those of an earlier game "
        "under one of the 8 symmetries of the board (4 of a rectangle), which the evidence names. Names, comments and "
        "results are not compared. Records that are the same bytes are `duplicate-bytes`; games of fewer than 10 "
        "moves are not reported.",
        "Renamed copies are the usual way in which test games get into training sets.",
        "The same game from two databases, turned by editors, with other names or spellings.",
    ),
    Code(
        "duplicate-id",
        "warning",
        "games",
        "two different records have the same name",
        "The id of the record (`info.id` in wei7, GN in SGF) is that of an earlier record, which the evidence names, "
        "and the records are not the same.",
        "Whatever uses ids as keys keeps one of the games and loses the other.",
        "Copies edited later, counters that start again, titles of tournaments in the field of the name.",
    ),
    Code(
        "near-duplicate",
        "warning",
        "games",
        "the game ends or begins for long as an earlier one",
        "The last position is that of an earlier game under a symmetry of the board, or the first 120 moves are, or "
        "as many as three quarters of the shorter game (20, 40, 60, 80, 120, 160 and 200 are compared), and the "
        "games are not the same. The evidence names the other game and what they share. Games of fewer than 10 moves "
        "are not compared by their last positions.",
        "Mostly the same game once more, truncated, with a move corrected or the order of moves changed.",
        "Two people who wrote the same game down, records with and without the last moves, forks of self-play.",
    ),
    Code(
        "shared-prefix",
        "info",
        "games",
        "the first moves are those of an earlier game",
        "The games have the same first 40 moves or more under a symmetry, and part after that; where they share "
        "enough for that it is a `near-duplicate`. The evidence has a number of moves that are the same at least (40, "
        "60, 80).",
        "Sets of games that fork from each other are smaller than they look.",
        "Fashionable openings, self-play that starts from an opening book or from forked positions.",
    ),
    Code(
        "opening-collapse",
        "warning",
        "games",
        "the games of the whole set have hardly different openings",
        "The entropy of the positions after 16 moves, symmetries taken as one, is less than half of what it is where "
        "all games differ. Reported once, for all games together (the record number is -1), where 100 games or "
        "more have that many moves; of more than 65,536 a sample is taken. The evidence has the entropy after every "
        "move up to there.",
        "An engine trained on it knows a few openings and nothing else.",
        "Self-play without noise at the root, a single opening book, a sampling temperature of zero.",
    ),
)

CODES: Final[Mapping[str, Code]] = MappingProxyType(
    {code.name: code for code in (*_FILE, *_HEADER, *_MOVES, *_RESULT, *_GAMES)}
)
"""Every code by its name, group by group. Names are never given another meaning: people write them into scripts."""
