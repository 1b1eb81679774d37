"""Labels of training rows: policies and values, checked as numbers, against legal moves and against results."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .._util.lazy_numpy import Array
from ..rules import Verdict
from .codes import Collector
from .row_shapes import as_bools
from .rows import TrainingRows

_COLORS = {1: "Black", 2: "White"}


@dataclass(frozen=True, slots=True)
class Tolerances:
    """Tolerances: the sum of a policy, the share of it on illegal points, values outside of -1 to 1."""

    sum: float
    illegal_mass: float
    value: float


def check_policy(part: TrainingRows, tolerances: Tolerances, found: Collector) -> Array | None:
    """Judge policies as numbers; return the rows whose numbers can be weighed."""
    policy = part.policy
    if policy is None:
        return None
    width = part.own.shape[2]
    pass_at = policy.shape[1] - 1
    totals = policy.sum(axis=1, dtype=np.float64)
    suspects = np.flatnonzero(~np.isfinite(totals))
    wrong = ~np.isfinite(policy[suspects]) if len(suspects) else np.zeros((0, pass_at + 1), bool)
    broken = wrong.any(axis=1)
    rows, at = suspects[broken], wrong[broken].argmax(axis=1)
    found.add(
        "row-policy-not-finite",
        rows,
        lambda k: (
            f"the policy has {policy[rows[k], at[k]]} {_place(at[k], pass_at)}",
            {"found": float(policy[rows[k], at[k]]), "not_finite": int(wrong[broken][k].sum())},
        ),
        _xy(at, pass_at, width),
    )
    finite = np.ones(len(policy), bool)
    finite[rows] = False
    if policy.size and not policy.min() >= 0:  # also where there is a NaN
        below = np.flatnonzero(finite & (policy.min(axis=1) < 0))
        lowest = policy[below].argmin(axis=1)
        found.add(
            "row-policy-negative",
            below,
            lambda k: (
                f"the policy has {_number(policy[below[k], lowest[k]])} {_place(lowest[k], pass_at)}",
                {"found": float(policy[below[k], lowest[k]]), "negative": int((policy[below[k]] < 0).sum())},
            ),
            _xy(lowest, pass_at, width),
        )
    if part.policy_is_counts:
        empty = np.flatnonzero(finite & ~(totals > 0))
        found.add(
            "row-policy-not-normalised",
            empty,
            lambda k: (f"visits sum to {_number(totals[empty[k]])}", {"sum": float(totals[empty[k]])}),
        )
    else:
        off = np.flatnonzero(finite & ~(abs(totals - 1) <= tolerances.sum))
        found.add(
            "row-policy-not-normalised",
            off,
            lambda k: (f"the policy sums to {_number(totals[off[k]])}, not 1", {"sum": float(totals[off[k]])}),
        )
    return finite


def check_policy_points(
    part: TrainingRows, verdicts: Array, judged: Array, tolerances: Tolerances, found: Collector
) -> None:
    """Judge where policies have mass: `verdicts` are those of all points, `judged` the rows that count."""
    policy = part.policy
    assert policy is not None
    width = part.own.shape[2]
    board = policy[:, :-1]
    on_illegal = (verdicts != 0) & (board != 0)
    if not on_illegal.any():
        return
    rows = np.flatnonzero(on_illegal.any(axis=1) & judged)
    sizes = np.abs(policy[rows].astype(np.float64))
    sizes /= sizes.max(axis=1, keepdims=True)  # so that no sum is infinite
    mass = np.where(on_illegal[rows], sizes[:, :-1], 0)
    shares = mass.sum(axis=1) / sizes.sum(axis=1)
    over = shares > tolerances.illegal_mass
    rows, mass, shares = rows[over], mass[over], shares[over]
    at = mass.argmax(axis=1)

    def describe(k: int) -> tuple[str, dict[str, object]]:
        reason = Verdict(int(verdicts[rows[k], at[k]])).reason
        return (
            f"{shares[k]:.3g} of the policy is on points where no move may go, most of it on ({at[k] % width}, "
            f"{at[k] // width}): {reason}",
            {"share": float(shares[k]), "points": int(np.count_nonzero(mass[k])), "reason": reason},
        )

    found.add("row-policy-on-illegal", rows, describe, (at % width, at // width))


def check_values(
    part: TrainingRows, turns: Array, winners: Array, peers: Array | None, tolerances: Tolerances, found: Collector
) -> None:
    """Judge values: their range, and outcomes against scores and winners.

    `turns` is the color to move, 0 if unknown, `winners` the winner, -1 if unknown, and `peers` the winner according to
    most rows of the game.
    """
    count = len(part)
    for name, has in (("value", None), ("outcome", part.has_outcome)):
        values = getattr(part, name)
        if values is not None:
            out = np.flatnonzero(~(abs(values.astype(np.float64)) <= 1 + tolerances.value) & as_bools(has, count, True))
            _add_range(name, values, out, "from -1 to 1", found)
    if part.winner is not None:
        winner = part.winner.astype(np.int64)
        other = np.flatnonzero((winner < -1) | (winner > 2))
        _add_range("winner", part.winner, other, "1, 2, 0 for a draw or -1", found)
    has_score = as_bools(part.has_score, count, part.score is not None)
    if part.score is not None:
        infinite = np.flatnonzero(~np.isfinite(part.score) & has_score)
        _add_range("score", part.score, infinite, "finite", found)
    if part.outcome is None or not found.wants("row-value-sign"):
        return
    outcomes = part.outcome.astype(np.float64)
    has_outcome = as_bools(part.has_outcome, count, True) & (abs(outcomes) <= 1 + tolerances.value)
    signs = np.where(abs(outcomes) <= tolerances.value, 0, np.sign(outcomes))
    known = winners if peers is None else np.where(winners >= 0, winners, peers)
    expected = np.where(known == 0, 0, np.where(known == turns, 1, -1))
    against_game = has_outcome & (known >= 0) & (turns > 0) & (signs != expected)
    rows = np.flatnonzero(against_game)

    def describe_game(k: int) -> tuple[str, dict[str, object]]:
        row = rows[k]
        side, winner = _COLORS[int(turns[row])], _COLORS.get(int(known[row]))
        who = "the game says" if winners[row] >= 0 else "most rows of the game say"
        return (
            f"the outcome is {_number(outcomes[row])} for {side}, and {who} that "
            + (f"{winner} won" if winner else "it is a draw"),
            {"outcome": float(outcomes[row]), "to_move": int(turns[row]), "winner": int(known[row])},
        )

    found.add("row-value-sign", rows, describe_game)
    if part.score is None:
        return
    score = part.score.astype(np.float64)
    decided = has_outcome & has_score & (abs(outcomes) >= 1 - tolerances.value) & ~against_game & np.isfinite(score)
    contrary = np.flatnonzero(decided & (np.sign(score) == -signs) & (abs(score) > tolerances.value))
    found.add(
        "row-value-sign",
        contrary,
        lambda k: (
            f"the outcome is {_number(outcomes[contrary[k]])} and the score {_number(score[contrary[k]])}",
            {"outcome": float(outcomes[contrary[k]]), "score": float(score[contrary[k]])},
        ),
    )


def peer_winners(rows: TrainingRows) -> Array | None:
    """Return for each row the winner according to most rows of its game, -1 if unknown; None without games."""
    if rows.game is None or rows.outcome is None or rows.to_move is None:
        return None
    outcomes = rows.outcome.astype(np.float64)
    is_known = (abs(outcomes) <= 1) & ((rows.to_move == 1) | (rows.to_move == 2))
    is_known &= as_bools(rows.has_outcome, len(rows), True)
    winner = np.where(outcomes > 0, rows.to_move, np.where(outcomes < 0, 3 - rows.to_move.astype(np.int64), 0))
    _, which = np.unique(rows.game, return_inverse=True)
    if not len(which):
        return None
    votes = np.bincount(which[is_known] * 3 + winner[is_known].astype(np.int64), minlength=3 * (int(which.max()) + 1))
    votes = votes.reshape(-1, 3)
    most = np.where(votes.sum(axis=1) > 0, votes.argmax(axis=1), -1)
    result: Array = most[which]
    return result


def _add_range(name: str, values: Array, rows: Array, wanted: str, found: Collector) -> None:
    found.add(
        "row-value-range",
        rows,
        lambda k: (
            f"the {name} is {_number(values[rows[k]])}, not {wanted}",
            {"field": name, "found": float(values[rows[k]])},
        ),
    )


def _number(value: float) -> str:
    return f"{float(value):.6g}"


def _place(at: int, pass_at: int) -> str:
    return "for the pass" if at == pass_at else "on a point"


def _xy(at: Array, pass_at: int, width: int) -> tuple[Array, Array]:
    """x and y of places in a policy, -1 for the pass."""
    return np.where(at == pass_at, -1, at % width), np.where(at == pass_at, -1, at // width)
