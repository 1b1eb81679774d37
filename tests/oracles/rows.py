"""What is wrong with training rows, point by point and row by row, straight from the definitions of the codes."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import Any

from oracles import children as children_oracle
from oracles.board import EditedBoard, OracleBoard, Point
from oracles.rules import verdicts
from wei7core.rules import Ko, Rules
from wei7core.training.rows import TrainingRows

Found = set[tuple[int, str]]
UNKNOWN = "unknown"
SIMPLE_KO = Rules(name="ko", ko=Ko.SIMPLE, suicide=True)


def findings(
    rows: TrainingRows,
    positions: Sequence[EditedBoard] | None = None,
    rules: Rules | None = None,
    *,
    bare: bool = True,
    sum_tolerance: float = 1e-3,
    illegal_mass: float = 0.0,
    value_tolerance: float = 1e-6,
) -> Found:
    """Return the number and code of every finding. With `bare` the positions are known without their moves."""
    found: Found = set()
    peers = peer_winners(rows)
    for number in range(len(rows)):
        board = None if positions is None else positions[number]
        judge = _Row(rows, number, board, rules, bare)
        judge.planes()
        judge.policy(sum_tolerance, illegal_mass)
        judge.values(value_tolerance, None if peers is None else peers[number])
        found |= {(number, code) for code in judge.codes}
    return found


def peer_winners(rows: TrainingRows) -> list[int] | None:
    if rows.game is None or rows.outcome is None or rows.to_move is None:
        return None
    votes: dict[int, Counter[int]] = {}
    for game, outcome, color in zip(rows.game.tolist(), rows.outcome.tolist(), rows.to_move.tolist(), strict=True):
        wins = votes.setdefault(game, Counter())
        if abs(outcome) <= 1 and color in (1, 2):
            wins[color if outcome > 0 else 3 - color if outcome < 0 else 0] += 1
    most = {game: min(wins, key=lambda who: (-wins[who], who)) if wins else -1 for game, wins in votes.items()}
    return [most[game] for game in rows.game.tolist()]


class _Row:
    """One row, its codes as they are found."""

    def __init__(
        self, rows: TrainingRows, number: int, known: EditedBoard | None, rules: Rules | None, bare: bool
    ) -> None:
        self.codes: set[str] = set()
        self.rows, self.number, self.known, self.rules, self.bare = rows, number, known, rules, bare
        self.height, self.width = rows.own.shape[1:]
        to_move = self.field("to_move")
        self.turn = to_move if to_move in (1, 2) else 0
        if to_move is not None and not self.turn:
            self.codes.add("row-side-to-move")
        self.illegal: set[Point] | None = None

    def field(self, name: str) -> Any:
        array = getattr(self.rows, name)
        return None if array is None else array[self.number].tolist()

    def bits(self, name: str) -> tuple[set[Point] | None, bool]:
        """Return the points of a plane with 1, and whether it holds nothing but 0 and 1."""
        plane = self.field(name)
        if plane is None:
            return None, True
        values = {(x, y): plane[y][x] for y in range(self.height) for x in range(self.width)}
        return {point for point, value in values.items() if value == 1}, self.judge_bits(values.values())

    def judge_bits(self, values: Any) -> bool:
        fine = all(value in (0, 1) for value in values)
        if not fine:
            self.codes.add("row-planes-value")
        return fine

    def planes(self) -> None:
        (own, fine), (opponent, fine2), (on_board, fine3) = map(self.bits, ("own", "opponent", "on_board"))
        ko, ko_fine = self.bits("ko")
        mask, history = self.field("legal"), self.field("history")
        mask_fine = mask is None or self.judge_bits(mask)
        history_fine = history is None or self.judge_bits(
            value for pair in history for plane in pair for line in plane for value in line
        )
        assert own is not None and opponent is not None
        if not (fine and fine2 and fine3):
            return
        if own & opponent:
            self.codes.add("row-planes-overlap")
            return
        width, height = self.width, self.height
        if on_board is not None:
            width = max((x + 1 for x, y in on_board if y == 0), default=0)
            height = max((y + 1 for x, y in on_board if x == 0), default=0)
            square = {(x, y) for x in range(width) for y in range(height)}
            everywhere = {(x, y) for y in range(self.height) for x in range(self.width)}
            marks = set(ko or ()) | {(x, y) for x, y in everywhere if mask and mask[y * self.width + x] == 1}
            for plane in (plane for pair in history or () for plane in pair):
                marks |= {(x, y) for x, y in everywhere if plane[y][x] == 1}
            if on_board != square or not square or not (own | opponent | marks) <= square:
                self.codes.add("row-off-board")
            if on_board != square or not square or not (own | opponent) <= square:
                return
            ko = None if ko is None else ko & square
        board = EditedBoard(width, height)
        board.stones = {**dict.fromkeys(own, 1), **dict.fromkeys(opponent, 2)}
        if not all(map(board.has_liberty, board.blocks(1, 2))):
            self.codes.add("row-block-without-liberties")
        agrees = self.known is not None and self.compare(board, self.known)
        if history is not None and history_fine:
            self.history(board, history, agrees)
        self.moves(board, ko, ko_fine, mask if mask_fine else None, agrees)

    def compare(self, board: OracleBoard, known: EditedBoard) -> bool:
        if (board.width, board.height) != (known.width, known.height):
            self.codes.add("row-planes-mismatch")
            return False
        theirs = seen_by(known, self.turn or 1)
        swapped = {point: 3 - color for point, color in board.stones.items()}
        if board.stones == theirs.stones or (swapped == theirs.stones and not self.turn):
            return True
        if swapped == theirs.stones:
            self.codes.add("row-side-to-move")
            return False
        for symmetry in range(1, 8):
            turned = theirs.transformed(symmetry)
            if turned.stones in (board.stones, swapped) and (turned.width, turned.height) == (
                board.width,
                board.height,
            ):
                self.codes.add("row-symmetry")
                return False
        self.codes.add("row-planes-mismatch")
        return False

    def history(self, board: EditedBoard, history: Any, agrees: bool) -> None:
        boards = [board]
        for pair in history:
            planes = [
                {(x, y) for y in range(board.height) for x in range(board.width) if plane[y][x]} for plane in pair
            ]
            if planes[0] & planes[1]:
                self.codes.add("row-history")
                return
            boards.append(EditedBoard(board.width, board.height))
            boards[-1].stones = {**dict.fromkeys(planes[0], 1), **dict.fromkeys(planes[1], 2)}
        for ago in range(1, len(boards)):
            if agrees and self.known is not None and not self.bare and self.turn:
                before = self.known.copy(True)
                stones = {}
                if ago <= len(before.moves):
                    before.undo(ago)
                    stones = seen_by(before, self.turn).stones
                if boards[ago].stones != stones:
                    self.codes.add("row-history")
            if any(earlier.stones for earlier in boards[ago:]) and not leads_to(boards[ago], boards[ago - 1]):
                self.codes.add("row-history")

    def moves(self, board: EditedBoard, ko: Any, ko_fine: bool, mask: Any, agrees: bool) -> None:
        rules, suicide, superko = self.rules, self.field("suicide"), self.field("superko")
        if superko is None:
            superko = rules is not None and rules.ko >= Ko.POSITIONAL
        known_ko: Any = UNKNOWN
        if agrees and not self.bare and self.turn and self.known is not None:
            known_ko = simple_ko(self.known, self.turn)
        is_ko = ko is not None and ko_fine and self.is_ko(board, ko, superko, known_ko)
        if ko is not None and ko_fine and not is_ko:
            self.codes.add("row-ko-plane")
        illegal = set(board.stones)
        for point in points_of(board):
            if point not in board.stones:
                lost = lost_by(board, point)
                if lost and (
                    (suicide is not None and (not suicide or lost == 1))
                    or (suicide is None and rules is not None and not rules.suicide)
                ):
                    illegal.add(point)
        illegal |= ko if is_ko else set()
        if rules is not None and rules.ko is not Ko.NONE and known_ko not in (UNKNOWN, None):
            illegal.add(known_ko)
        by_moves = False
        if rules is not None and rules.ko >= Ko.POSITIONAL and agrees and self.turn and self.known is not None:
            by_moves = True
            (reasons,) = children_oracle.reasons(self.known, self.turn, [rules])
            illegal |= {(x, y) for x, y in points_of(board) if (x, y) not in board.stones and reasons[y][x]}
        everywhere = {(x, y) for y in range(self.height) for x in range(self.width)}
        self.illegal = illegal | (everywhere - set(points_of(board)))
        if mask is None:
            return
        allowed = {point for point in points_of(board) if mask[point[1] * self.width + point[0]]}
        clear = known_ko != UNKNOWN or is_ko or (rules is not None and rules.ko is Ko.NONE)
        exact = (by_moves or (clear and not superko)) and (rules is not None or suicide is not None)
        if allowed & illegal or not mask[-1] or (exact and set(points_of(board)) - allowed - illegal):
            self.codes.add("row-legal-mask")

    def is_ko(self, board: EditedBoard, ko: set[Point], superko: bool, known_ko: Any) -> bool:
        if ko & set(board.stones):
            return False
        if not superko:
            if len(ko) > 1:
                return False
            for point in ko:
                sides = board.neighbours(point)
                if any(board.stones.get(other) != 2 for other in sides) or taken_by(board, point) != 1:
                    return False
        if known_ko is UNKNOWN:
            return True
        return (superko or not ko) if known_ko is None else known_ko in ko

    def policy(self, sum_tolerance: float, illegal_mass: float) -> None:
        policy = self.field("policy")
        if policy is None:
            return
        if not all(map(math.isfinite, policy)):
            self.codes.add("row-policy-not-finite")
            return
        if min(policy) < 0:
            self.codes.add("row-policy-negative")
        total = math.fsum(policy)
        if total <= 0 if self.rows.policy_is_counts else abs(total - 1) > sum_tolerance:
            self.codes.add("row-policy-not-normalised")
        judged = self.field("judge_policy")
        if self.illegal is None or judged is False:
            return
        mass = math.fsum(abs(policy[y * self.width + x]) for x, y in self.illegal)
        if mass and mass / math.fsum(map(abs, policy)) > illegal_mass:
            self.codes.add("row-policy-on-illegal")

    def values(self, tolerance: float, peer: int | None) -> None:
        value, outcome, score, winner = map(self.field, ("value", "outcome", "score", "winner"))
        if value is not None and not abs(value) <= 1 + tolerance:
            self.codes.add("row-value-range")
        if score is not None and not math.isfinite(score):
            self.codes.add("row-value-range")
        if outcome is None:
            return
        if not abs(outcome) <= 1 + tolerance:
            self.codes.add("row-value-range")
            return
        reported = winner if winner in (0, 1, 2) else -1 if peer is None else peer
        sign = 0 if abs(outcome) <= tolerance else 1 if outcome > 0 else -1
        if reported >= 0 and self.turn and sign != (0 if reported == 0 else 1 if reported == self.turn else -1):
            self.codes.add("row-value-sign")
        decided = abs(outcome) >= 1 - tolerance and score is not None and math.isfinite(score)
        if decided and score * sign < -tolerance:
            self.codes.add("row-value-sign")


def points_of(board: OracleBoard) -> list[Point]:
    return [(x, y) for y in range(board.height) for x in range(board.width)]


def seen_by(board: OracleBoard, color: int) -> EditedBoard:
    """Return the position with 1 for the stones of a color."""
    seen = EditedBoard(board.width, board.height)
    seen.stones = {point: 1 if stone == color else 2 for point, stone in board.stones.items()}
    return seen


def lost_by(board: EditedBoard, point: Point) -> int:
    after = board.twin()
    after.play(1, point)
    return after.captured[1] - board.captured[1]


def taken_by(board: EditedBoard, point: Point) -> int:
    after = board.twin()
    after.play(1, point)
    return after.captured[2] - board.captured[2]


def leads_to(before: EditedBoard, after: EditedBoard) -> bool:
    """Return whether some move makes one position from the other, or none; stones that stay may lack liberties.

    A move on a stone of the opponent replaces it, and stays.
    """
    if before.stones == after.stones:
        return True
    came = [point for point, color in after.stones.items() if before.stones.get(point) != color]
    if len(came) == 1 and came[0] not in before.stones and before.stones.items() <= after.stones.items():
        return True
    for color in (1, 2):
        for point in points_of(before):
            if point not in before.stones or (before.stones[point] != color == after.stones.get(point)):
                moved = before.twin()
                moved.stones.pop(point, None)
                moved.play(color, point)
                if moved.stones == after.stones:
                    return True
    return False


def simple_ko(board: EditedBoard, color: int) -> Point | None:
    """Return the point that simple ko forbids a color."""
    for point in points_of(board):
        if verdicts(board, color, point, [SIMPLE_KO]) == ["ko-recapture"]:
            return point
    return None
