"""What do the nodes of a game cost? As objects, read and written again, as steps of a cursor, as pictures.

On one core, against sgfmill in the same run. Moves, boards and written records are compared with what is known of the
games before anything is timed. The games are those of the corpus where it is, generated ones elsewhere.

    python -m pytest benchmarks/test_nodes.py --benchmark-timer=time.process_time
"""

from __future__ import annotations

import random
import re
import time
from collections.abc import Callable, Iterator
from typing import Any
from xml.etree import ElementTree

import games
import pytest
from pytest_benchmark.fixture import BenchmarkFixture
from samples import corpus
from sgfmill import sgf

import wei7core

ROUNDS = 3
GAMES = 2_000
PEER_GAMES = 300
PICTURE_GAMES = 10
MARKED_POINTS = 205
MERGED_MOVES = 40

Moves = list[tuple[int, int, str]]
"""(row, column, colour) of each move, from below as sgfmill counts; without passes."""

WALK, LINKS, WRITING = "loads, every node of main_line", "loads, Node.next to the end", "loads and dumps"
PEER, PEER_WRITING = "sgfmill, every node as an object", "sgfmill, reading and serialise"
PEER_OF = {WALK: PEER, LINKS: PEER, WRITING: PEER_WRITING}


def sgfmill_moves(move: tuple[int, tuple[int, int] | None] | None) -> Moves:
    if move is None or move[1] is None:
        return []
    return [(18 - move[1][1], move[1][0], "?bw"[move[0]])]


def walk(texts: list[bytes]) -> list[list[Any]]:
    return [[node.move for node in wei7core.loads(text).main_line()] for text in texts]


def links(texts: list[bytes]) -> list[list[Any]]:
    found = []
    for text in texts:
        node: wei7core.Node | None = wei7core.loads(text).root
        moves = []
        while node is not None:
            moves.append(node.move)
            node = node.next
        found.append(moves)
    return found


def write(texts: list[bytes]) -> list[bytes]:
    written = []
    for text in texts:
        game = wei7core.loads(text)
        assert game.tree  # as objects; a record that was not touched is written from its columns
        written.append(wei7core.dumps(game, format="sgf", validate=False))
    return written


def peer_walk(texts: list[bytes]) -> list[list[Any]]:
    return [[node.get_move() for node in sgf.Sgf_game.from_bytes(text).get_main_sequence()] for text in texts]


def peer_write(texts: list[bytes]) -> list[bytes]:
    written = []
    for text in texts:
        game = sgf.Sgf_game.from_bytes(text)
        game.get_root()
        game.get_last_node()  # as objects, too
        written.append(game.serialise())
    return written


def moves_here(found: list[list[Any]]) -> list[Moves]:
    return [[row for move in moves for row in sgfmill_moves(move)] for moves in found]


def moves_of_peer(found: list[list[Any]]) -> list[Moves]:
    return [[(*point, color) for color, point in moves if point is not None] for moves in found]


def moves_of_texts(written: list[bytes]) -> list[Moves]:
    return moves_of_peer(peer_walk(written))


WAYS: dict[str, tuple[Callable[[list[bytes]], Any], Callable[[Any], list[Moves]], int]] = {
    WALK: (walk, moves_here, GAMES),
    LINKS: (links, moves_here, GAMES),
    WRITING: (write, moves_of_texts, GAMES),
    PEER: (peer_walk, moves_of_peer, PEER_GAMES),
    PEER_WRITING: (peer_write, moves_of_texts, PEER_GAMES),
}


@pytest.fixture(scope="module")
def timings(summary: list[str]) -> Iterator[dict[str, tuple[float, float]]]:
    """Collect nanoseconds a move and microseconds a game; print a comparison at the end."""
    timings: dict[str, tuple[float, float]] = {}
    yield timings
    for name, (move, game) in timings.items():
        line = f"nodes by {name}: {move:.0f} ns a move, {game:.1f} us a game"
        peer = PEER_OF.get(name)
        if peer in timings:
            line += f", {timings[peer][0] / move:.1f} times {peer}"
        summary.append(line)


@pytest.mark.parametrize("name", WAYS)
def test_nodes(benchmark: BenchmarkFixture, timings: dict[str, tuple[float, float]], name: str) -> None:
    work, moves, count = WAYS[name]
    chosen = games.all_games().first(count)
    texts = games.sgf_texts()[:count]
    assert len(set(texts)) == len(texts) == len(chosen.games)
    assert moves(work(texts)) == [games.sgfmill_moves(game) for game in chosen.games]
    benchmark.extra_info["correct"] = True
    benchmark.pedantic(lambda: work(texts) and None, rounds=ROUNDS, warmup_rounds=1)
    note(benchmark, timings, name, chosen)


@pytest.mark.parametrize("name", ["Cursor.forward(n)", "Cursor.next", "Cursor.back(n)", "Cursor.previous"])
def test_cursor(benchmark: BenchmarkFixture, timings: dict[str, tuple[float, float]], name: str) -> None:
    """Steps of a cursor with its board, from one end of a game to the other."""
    chosen = games.all_games().first(GAMES // 4)
    cursors = [wei7core.loads(text).cursor() for text in games.sgf_texts()[: len(chosen.games)]]
    for cursor, final in zip(cursors, chosen.expected, strict=True):
        cursor.forward(10_000)
        board = cursor.board
        assert (corpus.sha16(corpus.board_text(board.to_array())), board.black_captured, board.white_captured) == final
        assert cursor.back(10_000) == cursor.game.root
        assert cursor.board == wei7core.Board(19) and cursor.board.move_count == 0
    benchmark.extra_info["correct"] = True
    is_forward = name in ("Cursor.forward(n)", "Cursor.next")

    def start() -> None:
        for cursor in cursors:
            if is_forward:
                cursor.back(10_000)
            else:
                cursor.forward(10_000)

    def by_steps() -> None:
        for cursor in cursors:
            step = cursor.next if is_forward else cursor.previous
            while step():
                pass

    def at_once() -> None:
        for cursor in cursors:
            if is_forward:
                cursor.forward(10_000)
            else:
                cursor.back(10_000)

    work = at_once if name.endswith("(n)") else by_steps
    benchmark.pedantic(work, setup=start, rounds=ROUNDS, warmup_rounds=1)
    note(benchmark, timings, name, chosen)


def merged_moves(game: wei7core.Game) -> int:
    return sum(len(branch.steps) for branch in game.tree.walk())


def test_merge(benchmark: BenchmarkFixture, summary: list[str]) -> None:
    """One tree of the first moves of all games that are loaded."""
    chosen = games.all_games()
    loaded = [wei7core.loads(text) for text in games.sgf_texts()]
    lines = [tuple(game.moves[:MERGED_MOVES]) for game in chosen.games]
    merged = wei7core.merge(loaded, moves=MERGED_MOVES)
    assert merged_moves(merged) == len({line[:end] for line in lines for end in range(1, len(line) + 1)})
    ends = set(lines) - {line[:end] for line in lines for end in range(len(line))}
    assert sum(not branch.branches for branch in merged.tree.walk()) == len(ends)
    for line in lines[:: max(1, len(lines) // 20)]:
        node = merged.root
        for move in line:
            (node,) = [child for child in node.children if child.move == move]
    benchmark.extra_info["correct"] = True
    benchmark.pedantic(lambda: wei7core.merge(loaded, moves=MERGED_MOVES) and None, rounds=ROUNDS, warmup_rounds=1)
    if seconds := games.best_seconds(benchmark):
        benchmark.extra_info["us_per_game"] = each = 1e6 * seconds / len(loaded)
        summary.append(f"merge of {len(loaded):,} games to move {MERGED_MOVES}: {seconds:.2f} s, {each:.1f} us a game")


@pytest.mark.parametrize("labels", [0, 12])
def test_svg(benchmark: BenchmarkFixture, summary: list[str], labels: int) -> None:
    """The picture of every node of the main lines of some games, without and with marks, their boards known already."""
    chosen = games.all_games().first(PICTURE_GAMES)
    lines = [list(wei7core.loads(text).main_line()) for text in games.sgf_texts()[: len(chosen.games)]]
    for line, final in zip(lines, chosen.expected, strict=True):
        board = line[-1].board
        assert (corpus.sha16(corpus.board_text(board.to_array())), board.black_captured, board.white_captured) == final
        for node in line[1:]:
            node.marks.extend(wei7core.Mark((x, node.move_number % 19), chr(ord("a") + x)) for x in range(labels))
        picture = ElementTree.fromstring(line[-1].svg())
        assert picture.tag.endswith("svg")
        assert {chr(ord("a") + x) for x in range(labels)} <= {element.text for element in picture.iter()}
    nodes = [node for line in lines for node in line if node.board.width]
    benchmark.extra_info["correct"] = True
    benchmark.pedantic(lambda: [node.svg() for node in nodes] and None, rounds=ROUNDS, warmup_rounds=1)
    if seconds := games.best_seconds(benchmark):
        each = 1e6 * seconds / len(nodes)
        benchmark.extra_info["us_per_picture"] = worst = max(map(picture_us, nodes))
        summary.append(f"Node.svg with {labels} marks: {each:.0f} us a node in the mean, {worst:.0f} us the worst")


@pytest.mark.parametrize("kind", ["territory", "four shapes", "different labels"])
def test_svg_of_many_marks(benchmark: BenchmarkFixture, summary: list[str], kind: str) -> None:
    """The picture of the end of a game with marks on as many points as the fullest node of real records has."""
    lines = (list(wei7core.loads(text).main_line()) for text in games.sgf_texts())
    node = next(line[-1] for line in lines if line[-1].board.size == (19, 19))
    points = random.Random(5).sample([(x, y) for x in range(19) for y in range(19)], MARKED_POINTS)
    if kind == "territory":
        half = MARKED_POINTS // 2
        for name, some in (("TB", points[:half]), ("TW", points[half:])):
            node.game.set(name, some, node)
        mark = re.compile(r"M[\d.]+ [\d.]+h9v9h-9z")
    elif kind == "four shapes":
        shapes = "TR", "SQ", "CR", "MA"
        node.marks.extend(wei7core.Mark(at, "a", shape=shapes[i % 4]) for i, at in enumerate(points))
        mark = re.compile(r'fill="none" stroke="[^"]+" stroke-width="2"')
    else:
        node.marks.extend(wei7core.Mark(at, str(i)) for i, at in enumerate(points))
        mark = re.compile(r'<text [^>]* font-size="(?:16|13|10.5)"')
    assert len(mark.findall(node.svg())) == MARKED_POINTS
    benchmark.extra_info["correct"] = True
    benchmark.pedantic(node.svg, rounds=20 * ROUNDS, warmup_rounds=1)
    if seconds := games.best_seconds(benchmark):
        benchmark.extra_info["us_per_picture"] = us = 1e6 * seconds
        summary.append(f"Node.svg with {MARKED_POINTS} marks ({kind}): {us:.0f} us")


def picture_us(node: wei7core.Node) -> float:
    """The least processor time of a few pictures of a node: other load raises a single one."""
    times = []
    for _ in range(5):
        begin = time.process_time_ns()
        node.svg()
        times.append(time.process_time_ns() - begin)
    return min(times) / 1e3


def note(benchmark: BenchmarkFixture, timings: dict[str, tuple[float, float]], name: str, chosen: games.Games) -> None:
    if seconds := games.best_seconds(benchmark):
        timings[name] = (seconds / chosen.move_count * 1e9, seconds / len(chosen.games) * 1e6)
        benchmark.extra_info["ns_per_move"], benchmark.extra_info["us_per_game"] = timings[name]
