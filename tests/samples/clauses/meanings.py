"""What valid documents mean: for requirements on how a reader understands or acts.

Each row is (ids, document, view, what the view must show). The views read a `Game`.
"""

import wei7core

from .rows import (
    PEOPLE,
    action,
    branches,
    info,
    mark,
    message,
    move,
    passes,
    pre,
    record,
    steps,
    stone,
    stones,
    takeback,
)

ASK = '"problem": {"color": 1}'
GOOD = '"evaluation": "good"'
SIDES = "{" + PEOPLE + ', "players": [{"participant": 0, "color": 1}, {"participant": 1, "color": 2}]}'
BOTH_SIDES = "{" + PEOPLE + ', "players": [{"participant": 0, "color": 1}, {"participant": 0, "color": 2}]}'
NO_SIDES = "{" + PEOPLE + ', "players": [{"participant": 0}]}'
KO = tuple(move(*one) for one in ((1, 1, 0), (1, 0, 1), (1, 1, 2), (2, 2, 0), (2, 3, 1), (2, 2, 2), (1, 2, 1)))
SMALL = '{"width": 4, "height": 3}'


def end(game):
    """The position at the end of the main line, row by row."""
    *_, node = game.main_line()
    return drawn(node.board)


def drawn(board):
    """A position, row by row."""
    return " ".join("".join(".XO"[board[x, y]] for x in range(board.width)) for y in range(board.height))


def ends(game):
    """The position at the end of every line."""
    return [drawn(node.board) for node in game.leaves()]


def numbers(game):
    """The number of moves in force after every step of the main line."""
    return [node.move_number for node in game.main_line() if node.step is not None]


def taken(game):
    """Stones taken at the end of the main line, by their colour."""
    *_, node = game.main_line()
    return node.board.black_captured, node.board.white_captured


def claims(game):
    """The results that the result steps of the main line state."""
    return [node.claim for node in game.main_line() if node.claim is not None]


def confirmations(game):
    """Which steps of the main line confirm a result."""
    return [node.confirms_result for node in game.main_line() if node.step is not None]


def clock(game):
    """When each step of every branch is carried out."""
    return [node.effective_time for node in game.walk() if node.step is not None]


def pauses(game):
    """Branch and step (-1: the `pre`) of every pause point."""
    return [(node.path, node.step_index) for node in game.walk() if node.is_pause_point]


def answers(game):
    """Which steps of all branches belong to the answer of a problem."""
    return [node.is_answer for node in game.walk() if node.step is not None]


def questions(game):
    """The colour to play at every start of a branch, if that position is a question."""
    return [node.problem for node in game.walk() if node.step is None]


def evaluations(game):
    """The evaluation of every step of the main line."""
    return [node.step.action.evaluation for node in game.main_line() if node.step is not None]


def names(game):
    """The names to show for Black and White, and the name of the game."""
    return game.info.black_name, game.info.white_name, game.info.name


def size(game):
    """Width and height."""
    return game.size


def main_titles(game):
    """The titles of the branches that the main line goes through."""
    return [node.branch.title for node in game.main_line() if node.step is None]


def same_as(other):
    """Whether the game has the content of another document."""

    def view(game):
        return game == wei7core.loads(other)

    return view


def victory(winner, actor=None, margin=None):
    """A step that claims a result."""
    members = f'"winner": {winner}' + ("" if margin is None else f', "margin": {margin}')
    return action("result", "{" + members + "}", "" if actor is None else f'"actor": {actor}')


MEANINGS = [
    ("3.6-3", steps(move(1, 3, 1), size=SMALL), end, ".... ...X ...."),
    ("3.9-2", record(), size, (19, 19)),
    ("3.9-3", record(size='{"width": 3, "height": 5}'), size, (3, 5)),
    ("A18", record(size='{"width": 9, "height": 9}'), size, (9, 9)),
    ("3.8-4 R-3", steps(victory(2, 0), victory(1, 1), info=SIDES), claims, ["resignation", "resignation"]),
    ("R-2", steps(victory(1, 0), info=SIDES), claims, ["victory"]),
    ("R-4", steps(victory(1, 0, 2.5), victory(1, 1, 2.5), info=SIDES), claims, ["score", "score"]),
    ("R-4", steps(victory(1, 0, 2.5), victory(1, 1, "25e-1"), info=SIDES), confirmations, [False, True]),
    ("R-4", steps(victory(1, 0, 2.5), victory(1, 0, 2.5), info=SIDES), confirmations, [False, False]),
    ("R-4", steps(victory(1, 0, 2.5), victory(1, 1, 3.5), info=SIDES), confirmations, [False, False]),
    ("R-4", steps(victory(1, 0, 2.5), message(), victory(1, 1, 2.5), info=SIDES), confirmations, [False, False, False]),
    ("A4", steps(victory(1), info=SIDES), claims, ["statement"]),
    ("A6", steps(victory(1, 0), info=BOTH_SIDES), claims, ["statement"]),
    ("A6", steps(victory(1, 0), victory(2, 1), info=NO_SIDES), claims, ["statement", "statement"]),
    ("A6", steps(victory("null", 0), victory("null"), info=SIDES), claims, ["draw", "draw"]),
    (
        "3.10-2",
        steps(move(2, 0, 0), size=SMALL, info='{"rules": {"komi": 7.5, "type": "Japanese"}, "result": {"winner": 1}}'),
        end,
        "O... .... ....",
    ),
    (
        "3.10.5",
        info('"name": "LG", ' + PEOPLE + ', "players": [{"participant": 1, "color": 1}]'),
        names,
        ("B", None, "LG"),
    ),
    (
        "A51",
        info(PEOPLE + ', "players": [{"participant": 0, "color": 2}, {"participant": 1, "color": 2}]'),
        names,
        (None, "A, B", None),
    ),
    (
        "3.13-2",
        pre('"marks": [' + mark(2, 1) + ", " + mark(1, 2) + "]"),
        same_as(pre('"marks": [' + mark(1, 2) + ", " + mark(2, 1) + "]")),
        True,
    ),
    ("P-7", pre(stones(stone(1, 1, 1), stone(2, 2, 2))), same_as(pre(stones(stone(2, 2, 2), stone(1, 1, 1)))), True),
    (
        "3.10.7-2",
        record(info=SIDES),
        same_as(
            record(info="{" + PEOPLE + ', "players": [{"participant": 1, "color": 2}, {"participant": 0, "color": 1}]}')
        ),
        True,
    ),
    ("3.13-2", pre('"marks": [' + mark(2, 1) + "]"), same_as(pre('"marks": [' + mark(1, 2) + "]")), False),
    ("A40", info('"name": "e\u0301"'), same_as(info('"name": "\u00e9"')), False),
    ("A29", steps(move("1.0", "0e0", "10e-1")), same_as(steps(move(1, 0, 1))), True),
    (
        "P-4",
        pre(ASK, '"steps": [' + move(1, 0, 0, GOOD) + '], "branches": [{"steps": [' + move(2, 1, 1, GOOD) + "]}]"),
        answers,
        [True, True],
    ),
    (
        "P-4",
        branches(
            "[" + move(1, 0, 0) + "]",
            '{"pre": {' + ASK + '}, "steps": [' + move(1, 1, 1, GOOD) + "]}",
            '{"steps": [' + move(2, 2, 2) + "]}",
        ),
        answers,
        [False, True, False],
    ),
    ("P-4 3.15.2.2", branches("", '{"pre": {"problem": {"color": 2}}}', '{"pre": {}}'), questions, [None, 2, None]),
    (
        "M-4",
        steps(move(1, 0, 0, GOOD), passes(2), move(1, 1, 1, '"evaluation": "bad"')),
        evaluations,
        ["good", None, "bad"],
    ),
    (
        "S-4 S-5",
        steps(message(rest='"time": 5'), message(rest='"time": 3'), message(), message(rest='"time": 6')),
        clock,
        [5, 5, 5, 6],
    ),
    (
        "A57",
        branches(
            "[" + message(rest='"time": 5') + "]",
            '{"steps": [' + message(rest='"time": 4') + "]}",
            '{"steps": [' + message() + "]}",
        ),
        clock,
        [5, 5, 5],
    ),
    (
        "S-5",
        steps(move(1, 0, 0, rest='"time": 9'), takeback(1, '"time": 8'), move(2, 0, 0, rest='"time": 7'), size=SMALL),
        end,
        "O... .... ....",
    ),
    ("A60", steps(message(), message(rest='"time": 2.5')), clock, [None, 2.5]),
    (
        "Q-1",
        pre('"comment": "c"', '"steps": [' + move(1, 0, 0) + ", " + passes(2) + "]"),
        pauses,
        [((), -1), ((), 0), ((), 1)],
    ),
    (
        "Q-2",
        pre("", '"steps": [' + message() + ", " + move(1, 0, 0) + ", " + takeback(1) + ", " + victory(1) + "]"),
        pauses,
        [((), -1), ((), 1)],
    ),
    (
        "Q-2",
        branches("[" + move(1, 0, 0) + "]", '{"pre": {"comment": "variation"}}', "{}"),
        pauses,
        [((), 0), ((0,), -1)],
    ),
    (
        "Q-3 A58",
        branches("[" + move(1, 0, 0) + "]", '{"steps": [' + message(rest='"time": 1') + "]}"),
        lambda game: game.timeline,
        True,
    ),
    ("Q-3 A58", branches("[" + move(1, 0, 0) + "]", "{}"), lambda game: game.timeline, False),
    (
        "N-2 N-4",
        branches(
            "[" + move(1, 0, 0) + "]",
            '{"steps": [' + move(2, 1, 1) + "]}",
            '{"steps": [' + move(2, 2, 2) + "]}",
            size=SMALL,
        ),
        ends,
        ["X... .O.. ....", "X... .... ..O."],
    ),
    (
        "N-3 A25",
        record('{"title": "r", "branches": [{"title": "a", "branches": [{"title": "b"}, {}]}, {"title": "c"}]}'),
        main_titles,
        ["r", "a", "b"],
    ),
    (
        "A9",
        branches(
            "[" + move(1, 0, 0) + ", " + move(2, 1, 0) + "]",
            '{"steps": [' + takeback(2) + ", " + move(2, 3, 2) + "]}",
            "{}",
            size=SMALL,
        ),
        ends,
        [".... .... ...O", "XO.. .... ...."],
    ),
    ("A10", steps(*KO[1:], takeback(1), size=SMALL), end, "..O. X..O .XO."),
    ("A10", steps(*KO, move(2, 1, 1), takeback(1), size=SMALL), end, ".XO. X.XO .XO."),
    (
        "A10",
        steps(move(1, 0, 0), message(), passes(2), victory(1), takeback(2), move(2, 1, 1)),
        numbers,
        [1, 1, 2, 2, 0, 1],
    ),
    ("A14", steps(passes(1), passes(1), takeback(1)), numbers, [1, 2, 1]),
    (
        "A11",
        pre(stones(stone(1, 0, 0)), '"steps": [' + move(2, 1, 1) + ", " + takeback(1) + "]", size=SMALL),
        end,
        "X... .... ....",
    ),
    ("A15", steps(move(1, 1, 0), move(1, 0, 1), move(2, 0, 0), size=SMALL), end, ".X.. X... ...."),
    ("A15", steps(move(1, 1, 0), move(1, 0, 1), move(2, 0, 0), size=SMALL), numbers, [1, 2, 3]),
    ("A15", steps(move(1, 1, 0), move(1, 0, 1), move(2, 0, 0), size=SMALL), pauses, [((), 0), ((), 1), ((), 2)]),
    (
        "A15 D-3",
        steps(*(move(1, x, y) for y in range(2) for x in range(3)), size='{"width": 3, "height": 2}'),
        taken,
        (6, 0),
    ),
    ("A16", steps(move(1, 0, 0), move(2, 0, 0), size="1"), end, "."),
    ("D-3", steps(*KO, move(2, 1, 1), move(1, 2, 1), size=SMALL), taken, (1, 1)),
    ("D-5", steps(*KO, passes(2), passes(2), size=SMALL), end, ".XO. X.XO .XO."),
    ("A5", steps(move(2, 0, 0, rest='"actor": 0'), size=SMALL, info=SIDES), end, "O... .... ...."),
    ("A7", steps(victory(1), victory(2), info='{"result": {"winner": 2}}'), lambda game: game.info.result.winner, 2),
]
