"""Hits as a tree of moves."""

from __future__ import annotations

import json
import random

import pytest
from oracles import found
from samples.index_games import SIGNS, cut

import wei7core as w7


def nodes_of(game: w7.Game) -> list[w7.Node]:
    """The nodes of SGF: those with a comment, and not the place where a variation begins."""
    return [node for node in game.walk() if node.comment is not None]


def lines_of(game: w7.Game, moves: int) -> dict[tuple, str]:
    """The comments of the nodes of a tree, by the moves that lead to them."""
    lines: dict[tuple, str] = {}
    for node in nodes_of(game):
        moves_here = tuple(node.board.moves())
        assert len(moves_here) <= moves
        assert moves_here not in lines
        lines[moves_here] = node.comment
    return lines


@pytest.mark.parametrize("either_color", [False, True])
def test_hits_as_a_tree_of_moves(index, games, either_color):
    """A position that no symmetry exchanges with itself, in the orientation of the pattern."""
    chance = random.Random(4)
    met = 0
    for _ in range(60):
        rows = cut(chance, games, "board")
        if not set("".join(rows)) <= set(SIGNS) or sum(found.turned(rows, k) == rows for k in range(8)) > 1:
            continue
        hits = index.find("\n".join(rows), either_color=either_color)
        if not hits:
            assert lines_of(w7.loads(hits.to_sgf()), 0) == {(): "0 games: Black won 0, White 0, other 0"}
            continue
        wanted: dict[tuple, list[int]] = {}
        firsts = {row.game: row for row in reversed(list(hits))}
        for game, (_, move, symmetry, swapped) in firsts.items():
            frames = found.frames(games[game])
            fitting = found.first_forms([(game, games[game])], rows, "board", True, either_color)
            frame = next(frame for _, frame, *_ in fitting if frame.number == move)
            place = [one is frame for one in frames].index(True)
            winner = games[game].winner
            line = []
            for k in range(4):
                counts = wanted.setdefault(tuple(line), [0, 0, 0])
                counts[3 - winner if swapped and winner else winner or 0] += 1
                if k == 3 or frames[place + k].next is None:
                    break
                color, point = frames[place + k].next
                point = None if point is None else found.unturned(games[game], point, symmetry)
                line.append((3 - color if swapped else color, point))
        tree = w7.loads(hits.to_sgf(moves=3), strict=False)  # stones that replace others
        assert lines_of(tree, 3) == {
            line: f"{sum(wins)} game{'s' * (sum(wins) != 1)}: Black won {wins[1]}, White {wins[2]}, other {wins[0]}"
            for line, wins in wanted.items()
        }
        board = tree.root.board
        assert ["".join(SIGNS[state] for state in row) for row in board.to_array().tolist()] == rows
        met += len(wanted) > 3
    assert met > 3


def test_a_tree_of_the_empty_board_is_folded(tmp_path):
    texts = [b"(;SZ[9]RE[B+R];B[%b];W[%b])" % (a, b) for a, b in ((b"cc", b"gg"), (b"gc", b"cg"), (b"gg", b"gc"))]
    hits = w7.Index.create(tmp_path, [*texts, b"(;SZ[9];B[ee];B[])"]).find(w7.Board(9))
    tree = w7.loads(hits.to_sgf())
    assert [(node.move, node.comment.split(":")[0]) for node in nodes_of(tree)] == [
        (None, "4 games"),
        ((1, (2, 2)), "3 games"),
        ((2, (6, 6)), "2 games"),
        ((2, (6, 2)), "1 game"),
        ((1, (4, 4)), "1 game"),
        ((1, None), "1 game"),
    ]
    assert len(nodes_of(w7.loads(hits.to_sgf(least=2)))) == 3
    assert hits.to_sgf(moves=0).count(";") == 1
    with pytest.raises(ValueError, match="of a whole board"):
        w7.Index.open(tmp_path).find("X", "corner").to_sgf()


def test_a_tree_of_a_board_without_letters(tmp_path):
    record = {"format": "wei7", "version": "3.0", "size": 60, "tree": {"steps": []}}
    hits = w7.Index.create(tmp_path, [json.dumps(record).encode()]).find(w7.Board(60))
    with pytest.raises(ValueError, match="52 x 52"):
        hits.to_sgf()
