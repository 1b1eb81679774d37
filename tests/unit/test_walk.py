"""Walking over games: nodes, their boards, what it costs, and what steps mean there."""

from pathlib import Path

import pytest
from helpers.cases import in_groups

import wei7core.replaying.cursor
from wei7core.board.board import Board
from wei7core.errors import (
    BoardSizeError,
    LimitError,
)
from wei7core.game.game import Game
from wei7core.game.load import loads
from wei7core.limits import Limits
from wei7core.record.document import (
    Branch,
    Edit,
    Message,
    Move,
    Note,
    Participant,
    Player,
    Result,
    Setup,
    Step,
    Stone,
    Takeback,
    Unreadable,
)
from wei7core.replaying.cursor import parse_path

EXAMPLES = Path(__file__).parent.parent / "data" / "examples"


def text(tree: str = "{}", more: str = "") -> str:
    return '{"format":"wei7","version":"3.0",' + more + '"tree":' + tree + "}"


def play(branch: Branch, *points: tuple[int, int] | None, color: int = 1) -> Branch:
    for point in points:
        branch.play(color, point)
    return branch


class CountingBoard:
    """A board that counts the moves played, undone and copied on all boards."""

    operations = 0

    def __init__(self, *args, **named):
        self._board = args[0] if isinstance(args[0], Board) else Board(*args, **named)

    def play(self, color, point):
        CountingBoard.operations += 1
        return self._board.play(color, point)

    def undo(self, count):
        CountingBoard.operations += count
        self._board.undo(count)

    @property
    def last_move(self):
        return self._board.last_move

    def setup(self, stones):
        CountingBoard.operations += len(stones)
        self._board.setup(stones)

    def copy(self):
        return self._board.copy()

    def edit(self, stones):
        edits = self._board._edits[0]
        self._board.edit(stones)
        CountingBoard.operations += self._board._edits[0] - edits

    @property
    def _work(self):
        return self._board._work

    @property
    def _edits(self):
        return self._board._edits

    def _rewind(self, move_count, edit_count):
        CountingBoard.operations += self._board.move_count - move_count + self._board._edits[0] - edit_count
        self._board._rewind(move_count, edit_count)

    def _take_away(self, points):
        CountingBoard.operations += len(points)
        self._board._take_away(points)


@pytest.fixture
def operations(monkeypatch):
    CountingBoard.operations = 0
    monkeypatch.setattr(wei7core.replaying.cursor, "Board", CountingBoard)
    return lambda: CountingBoard.operations


def branching_game(levels: int, steps: int) -> Game:
    game = Game(9)
    row = [game.tree]
    for _ in range(levels):
        for branch in row:
            play(branch, *[None] * steps)
        row = [branch.add_branch() for branch in row for _ in range(2)]
    return game


def test_walking_costs_two_operations_for_each_step(operations):
    game = branching_game(8, 5)
    steps = sum(len(branch.steps) for branch in game.tree.walk())
    assert sum(node.board.width > 0 for node in game.walk()) == steps + 511
    assert operations() == 2 * steps - 8 * 5  # the last line is not taken back


def test_walking_down_costs_one_operation_for_each_step(operations):
    game = branching_game(8, 5)
    assert len(list(game.main_line())) == 8 * 5 + 9
    assert operations() == 40
    assert len(list(game.line("1.1"))) == 3 * 5 + 3
    assert operations() == 40 + 15


def test_nodes_of_a_walk():
    game = Game(5)
    root = play(game.tree, (0, 0))
    root.pre = Setup(comment="start")
    first = root.add_branch(Branch("first"))
    play(first, (1, 1), (2, 2), color=2).say("hello")
    second = play(root.add_branch(Branch("second")), (3, 3))
    nodes = list(game.walk())
    assert [(node.path, node.step_index, node.move_number) for node in nodes] == [
        ((), -1, 0), ((), 0, 1),
        ((0,), -1, 1), ((0,), 0, 2), ((0,), 1, 3), ((0,), 2, 3),
        ((1,), -1, 1), ((1,), 0, 2),
    ]  # fmt: skip
    assert nodes[0].step is None and nodes[0].comment == "start"
    assert [node.move for node in nodes[1:6]] == [(1, (0, 0)), None, (2, (1, 1)), (2, (2, 2)), None]
    assert nodes[5].step.action == Message("hello")
    assert [node.is_pause_point for node in nodes] == [True, True, False, True, True, False, False, True]
    assert [node.path for node in game.leaves()] == [(0,), (1,)]
    assert [node.step_index for node in game.leaves()] == [2, 0]
    assert [node.branch for node in game.main_line()] == [root] * 2 + [first] * 4
    assert [node.path for node in game.line((1,))] == [(), (), (1,), (1,)]
    assert list(game.line("-"))[-1].step is root.steps[0]
    assert game.branch_at("1") is game.branch_at([1]) is second
    assert game.branch_at("") is root


def test_paths():
    assert parse_path("0.12.3") == (0, 12, 3)
    assert parse_path("-") == parse_path("") == parse_path([]) == ()
    with pytest.raises(ValueError, match="'0,1' is not a path"):
        parse_path("0,1")
    game = Game()
    game.tree.add_branch()
    for path in ("1", "0.0", (-1,)):
        with pytest.raises(IndexError):
            game.branch_at(path)
        with pytest.raises(IndexError):
            game.line(path)


def test_boards_stay_right_when_they_are_kept():
    game = Game(5)
    play(game.tree, (0, 0), (1, 0)).take_back(1)
    play(game.tree.add_branch(), (2, 0)).take_back(2)
    game.tree.add_branch().play(2, (4, 4))
    kept_at_once = []
    for node in game.walk():
        kept_at_once.append(node.board)
    recomputed = [node.board for node in list(game.walk())]
    expected = [[], [(0, 0)], [(0, 0), (1, 0)], [(0, 0)], [(0, 0)], [(0, 0), (2, 0)], [], [(0, 0)], [(0, 0), (4, 4)]]
    for boards in (kept_at_once, recomputed):
        assert [[point for _, point in board.moves()] for board in boards] == expected
    assert kept_at_once == recomputed
    node = next(game.walk())
    assert node.board is node.board
    node.board.play(1, (3, 3))
    assert next(game.walk()).board == Board(5)


def test_nodes_and_boards_of_a_walk_are_used_again_only_if_nobody_has_them():
    game = branching_game(3, 3)
    for at, branch in enumerate(game.tree.walk()):
        branch.steps[:] = []
        play(branch, *((at % 9, row) for row in range(3)), color=1 + at % 2)

    def seen(node, board):
        return node.path, node.step_index, node.move_number, node.step, board.moves()

    expected = [seen(node, node.board) for node in list(game.walk())]
    for kept in range(8):
        nodes, boards, found = [], [], []
        for number, node in enumerate(game.walk()):
            if number % 3 != 1 or not kept & 1:
                found.append(seen(node, node.board))  # else its board is not made now
            else:
                found.append(expected[number])
            if kept & 2 and number % 4 < 2:
                nodes.append((number, node))
            if kept & 4 and number % 5 < 3:
                boards.append((number, node.board))
        assert found == expected
        for number, node in nodes:
            assert seen(node, node.board) == expected[number]
        for number, board in boards:
            assert board.moves() == expected[number][4]
            board.play(1, (8, 8))
        assert [seen(node, node.board) for node in game.walk()] == expected


def test_a_walk_ends_with_its_exception():
    game = Game(5)
    game.tree.branches.append(game.tree)
    walk = game.walk()
    with pytest.raises(ValueError):
        list(walk)
    assert list(walk) == []
    walk = Game(2001, limits=Limits(max_points=100)).walk()
    with pytest.raises(BoardSizeError):
        next(walk)
    assert next(walk, None) is None


def test_a_takeback_into_the_parents_is_made_good_on_the_way_back():
    game = Game(3)
    root = game.tree
    # White's last move captures; taking it back puts the black stone there again.
    root.play(1, (0, 0))
    root.play(2, (1, 0))
    root.play(2, (0, 1))
    assert [node.removed for node in game.walk()] == [0, 0, 0, 1]
    child = root.add_branch()
    child.take_back(1)
    grandchild = child.add_branch()
    grandchild.take_back(2)
    grandchild.play(2, (2, 2))
    child.add_branch().play(1, (0, 1))
    root.add_branch().play(1, (0, 0))
    ends = [node.board.moves() for node in game.leaves()]
    first, second, third = (1, (0, 0)), (2, (1, 0)), (2, (0, 1))
    assert ends == [[(2, (2, 2))], [first, second, (1, (0, 1))], [first, second, third, (1, (0, 0))]]


def test_a_takeback_that_is_walked_over_and_over_meets_the_limit():
    game = Game(3, limits=Limits(max_moves=2000))
    play(game.tree, *[None] * 100)
    for _ in range(100):
        game.tree.add_branch().take_back(100)
    with pytest.raises(LimitError) as caught:
        list(game.walk())
    assert caught.value.code == "limit-replay"
    assert caught.value.path == "$.tree.branches[9]"
    assert len(list(game.main_line())) == 103


def test_preset_stones_of_one_branch_are_gone_in_the_next():
    game = Game(5)
    game.tree.add_branch(Branch(pre=Setup([Stone(1, (0, 0)), Stone(2, (4, 4))]))).play(1, (1, 1))
    game.tree.add_branch().play(2, (0, 0))
    boards = [node.board for node in game.leaves()]
    assert [boards[0][point] for point in ((0, 0), (4, 4), (1, 1))] == [1, 2, 1]
    assert [boards[1][point] for point in ((0, 0), (4, 4), (1, 1))] == [2, 0, 0]


def test_a_branch_ends_where_it_cannot_be_played():
    stone = [Stone(1, (0, 0))]
    for spoil in (
        lambda branch: branch.play(1, (0, 0)),
        lambda branch: branch.play(1, (9, 0)),
        lambda branch: branch.play(3, (1, 1)),
        lambda branch: branch.take_back(3),
        lambda branch: branch.take_back(0),
        lambda branch: branch.steps.append(Step(Unreadable(b"5"))),
    ):
        game = Game(5)
        play(game.tree, (0, 0))
        bad = play(game.tree.add_branch(), (1, 0))
        spoil(bad)
        bad.play(1, (2, 2))
        bad.add_branch().play(1, (3, 3))
        good = game.tree.add_branch()
        good.play(1, (2, 2))
        good.steps.append(Step(Unreadable(b"5", may_be_move=False)))
        good.play(1, (3, 3))
        assert [(node.path, node.step_index) for node in game.walk()] == [
            ((), -1), ((), 0), ((0,), -1), ((0,), 0), ((1,), -1), ((1,), 0), ((1,), 1), ((1,), 2)
        ]  # fmt: skip
        assert [(node.path, node.step_index) for node in game.leaves()] == [((0,), 0), ((1,), 2)]
        assert len(list(game.line("0.0"))) == 4
        assert [node.board.move_count for node in list(game.leaves())] == [2, 3]
    for setup in (
        Setup([Stone(1, (9, 0))]),
        Setup(stone * 2),
        Setup([Stone(1, (0, 0)), Stone(2, (0, 1)), Stone(2, (1, 0))]),
    ):
        game = Game(5)
        play(game.tree, (1, 1)).pre = setup
        assert [node.step_index for node in game.walk()] == [-1] == [node.step_index for node in game.leaves()]
    game = Game(5)
    play(game.tree, (1, 1)).take_back(1)
    play(game.tree.add_branch(Branch(pre=Setup(stone))), (2, 2))
    play(game.tree.add_branch(Branch(pre=Setup(kept_empty=frozenset({"stones"})))), (2, 2))
    assert [node.path for node in game.leaves()] == [(0,), (1,)]
    assert [node.step_index for node in game.leaves()] == [-1, 0]


def test_a_board_beyond_the_limit_is_refused_at_once():
    with pytest.raises(BoardSizeError):
        next(Game(3000).walk())


# --- meaning


def test_effective_times_never_decrease():
    game = Game()
    tree = game.tree
    assert not game.timeline
    tree.play(1, None)
    tree.play(2, None, time=5.5)
    tree.say("late", time=3)
    tree.play(1, None)
    tree.add_branch().play(2, None, time=7)
    tree.add_branch().play(2, None, time=2)
    assert game.timeline
    assert [node.effective_time for node in game.walk()] == [None, None, 5.5, 5.5, 5.5, 5.5, 7, 5.5, 5.5]
    assert [node.time for node in game.walk()] == [None, None, 5.5, 3, None, None, 7, None, 2]


def claims(*results: tuple[Result, int | None]) -> list[str | None]:
    game = Game()
    game.info.participants = [Participant("b"), Participant("w"), Participant("watcher")]
    game.info.players = [Player(0, 1), Player(1, 2)]
    for result, actor in results:
        game.tree.steps.append(Step(result, actor=actor))
    return [node.claim for node in game.main_line()][1:]


def test_claims():
    assert claims(
        (Result(1), 0),
        (Result(1), 1),
        (Result(2), 1),
        (Result(1), 2),
        (Result(1), None),
        (Result(None), 0),
        (Result(None, 1), 0),
        (Result(1, 0.5), 0),
        (Result(1, 0.5), None),
    ) == ["victory", "resignation", "victory", "statement", "statement", "draw", "draw", "score", "score"]
    game = Game()
    game.tree.play(1, None)
    assert [node.claim for node in game.main_line()] == [None, None]


@in_groups(
    ("first", "second", "between", "confirmed"),
    [
        ((1, 2.5, 0), (1, 2.5, 1), None, True),
        ((None, 1, 0), (None, 1, 1), None, True),
        ((None, None, 0), (None, None, 1), None, True),
        ((None, None, 0), (None, None, 0), None, False),
        ((None, None, 0), (None, 1, 1), None, False),
        ((None, None, 0), (1, None, 1), None, False),
        ((1, 2.5, 0), (1, 2.5, 0), None, False),
        ((1, 2.5, 0), (1, 3.5, 1), None, False),
        ((1, 2.5, 0), (2, 2.5, 1), None, False),
        ((1, None, 0), (1, None, 1), None, False),
        ((1, 2.5, None), (1, 2.5, 1), None, False),
        ((1, 2.5, 0), (1, 2.5, 1), Message("wait"), False),
    ],
)
def test_confirmed_results(first, second, between, confirmed):
    for branched in (False, True):
        game = Game()
        game.info.participants = [Participant(), Participant()]
        game.tree.claim(first[0], first[1], actor=first[2])
        if between:
            game.tree.steps.append(Step(between))
        branch = game.tree.add_branch() if branched else game.tree
        branch.claim(second[0], second[1], actor=second[2])
        assert (game.confirmed_result() == Result(*second[:2])) is confirmed
        assert [node.confirms_result for node in game.main_line()][-1] is confirmed


def test_problems_and_their_answers():
    game = Game()
    game.tree.play(1, None)
    branch = game.tree.add_branch(Branch(pre=Setup(problem=2)))
    branch.play(2, (0, 0), "good")
    branch.add_branch().play(1, (1, 0), "bad")
    game.tree.add_branch().play(1, (2, 0))
    nodes = list(game.walk())
    assert [node.problem for node in nodes] == [None, None, 2, None, None, None, None, None]
    assert [node.is_answer for node in nodes] == [False, False, False, True, False, True, False, False]


def test_a_move_of_revision_2_can_be_a_question():
    game = Game(revision=2)
    game.tree.steps.append(Step(Move(1, None, problem=2)))
    game.tree.play(2, None)
    assert [node.problem for node in game.walk()] == [None, 2, None]
    assert [node.is_answer for node in game.walk()] == [False, False, True]


def test_marks_and_comments_belong_to_their_node():
    game = loads((EXAMPLES / "rev7" / "simple.wei7").read_bytes())
    nodes = list(game.walk())
    assert [len(node.marks) for node in nodes[:4]] == [1, 0, 0, 2]
    assert [node.comment for node in nodes[:2]] == ["this is handicap!", "haha!"]
    assert game.confirmed_result() == game.info.result == Result(1, 2.5)
    assert (game.info.black_name, game.info.white_name) == ("me", "you")


def test_passes_and_takebacks():
    game = Game()
    play(game.tree, None, None).take_back(2)
    nodes = list(game.main_line())
    assert [node.move_number for node in nodes] == [0, 1, 2, 0]
    assert nodes[1].step.action.is_pass and nodes[3].step.action == Takeback(2)
    assert [node.is_pause_point for node in nodes] == [False, True, True, False]


def edited(branch: Branch, *stones: tuple[int, tuple[int, int]]) -> Branch:
    branch.steps.append(Step(Edit([Stone(color, point) for color, point in stones])))
    return branch


def test_edits_cost_two_operations_for_each_stone(operations):
    game = branching_game(6, 3)
    stones = 0
    for branch in game.tree.walk():
        edited(branch, (1, (0, 0)), (0, (0, 0)))
        stones += 2
    steps = sum(len(branch.steps) for branch in game.tree.walk())
    assert sum(node.board.width > 0 for node in game.walk()) == steps + 127
    moves = steps - stones // 2
    assert operations() == 2 * (moves + stones) - (6 * 3 + 7 * 2)  # the last line is not taken back


def test_edits_and_notes_are_nodes_without_a_move():
    game = Game(3)
    play(game.tree, (0, 0))
    edited(game.tree, (2, (0, 1)), (2, (1, 0)), (0, (2, 2)))
    game.tree.steps.append(Step(Note(), comment="look"))
    play(game.tree, (1, 1))
    start, move, edit, note, last = game.main_line()
    assert [node.is_pause_point for node in (start, move, edit, note, last)] == [False, True, True, False, True]
    assert [node.move_number for node in (start, move, edit, note, last)] == [0, 1, 1, 1, 2]
    assert [node.move for node in (edit, note)] == [None, None]
    assert edit.board.to_array().tolist() == [[1, 2, 0], [2, 0, 0], [0, 0, 0]]
    assert (note.board, note.comment, note.removed, edit.removed) == (edit.board, "look", 0, 0)
    assert last.board.moves() == [(1, (0, 0)), (1, (1, 1))]
    last.board.undo()
    assert last.board == edit.board
    last.board.undo()
    assert last.board == start.board


def test_edits_of_one_branch_are_gone_in_the_next():
    game = Game(3)
    play(game.tree, (0, 0))
    edited(game.tree, (1, (2, 2)))
    first = edited(game.tree.add_branch(), (0, (0, 0)), (2, (2, 2)))
    play(first, (1, 1))
    edited(first, (2, (1, 1)), (2, (0, 0)))
    second = game.tree.add_branch()
    second.take_back(1)
    third = game.tree.add_branch()
    play(third, (0, 1))
    ends = [node.board.to_array().tolist() for node in game.leaves()]
    assert ends == [
        [[2, 0, 0], [0, 2, 0], [0, 0, 2]],
        [[1, 0, 0], [0, 0, 0], [0, 0, 1]],
        [[1, 0, 0], [1, 0, 0], [0, 0, 1]],
    ]
    assert [node.step_index for node in game.leaves()] == [2, -1, 0], "the takeback would reach before an edit"


def test_a_takeback_between_edits():
    game = Game(3)
    edited(game.tree, (1, (2, 2)))
    play(game.tree, (0, 0), (1, 0))
    game.tree.take_back(2)
    edited(game.tree, (2, (0, 0)))
    game.tree.take_back(1)
    assert [node.step_index for node in game.main_line()] == [-1, 0, 1, 2, 3, 4]
    branch = Game(3)
    play(branch.tree, (0, 0), (1, 0))
    taken = branch.tree.add_branch()
    taken.take_back(1)
    edited(taken, (2, (0, 0)))
    other = branch.tree.add_branch()
    play(other, (2, 2))
    assert [node.board.to_array().tolist()[0] for node in branch.leaves()] == [[2, 0, 0], [1, 1, 0]]


def test_no_stones_are_preset_after_an_edit():
    game = Game(3)
    edited(game.tree, (1, (2, 2)))
    below = game.tree.add_branch(Branch(pre=Setup([Stone(1, (0, 0))])))
    play(below, (1, 1))
    assert [node.board[0, 0] for node in game.leaves()] == [0]


@pytest.mark.parametrize(("unchecked", "steps"), [(True, 1), (False, 0)])
def test_preset_stones_without_liberties_stand_in_sgf_alone(unchecked, steps):
    game = Game((2, 1))
    game.tree.pre = Setup([Stone(1, (0, 0)), Stone(2, (1, 0))], unchecked=unchecked)
    play(game.tree, None)
    *_, last = game.main_line()
    assert (last.move_number, last.board[0, 0], last.board[1, 0]) == (steps, steps, 2 * steps)
    game.tree.pre.stones.append(Stone(2, (0, 0)))
    assert [node.board[0, 0] for node in game.main_line()] == [0], "a point twice"
    game.tree.pre.stones[-1] = Stone(2, (0, 1))
    assert [node.board[0, 0] for node in game.main_line()] == [0], "off the board"


def test_edits_that_cannot_be_end_the_branch():
    game = Game(3)
    for stone in (Stone(1, (3, 0)), Stone(3, (0, 0))):
        game.tree.steps = [Step(Edit([Stone(1, (0, 0)), stone]))]
        assert [node.board[0, 0] for node in game.main_line()] == [0]


def test_stones_set_up_meet_the_limit():
    game = Game(5)
    for _ in range(10):
        edited(game.tree.add_branch(), *[(1, (x, y)) for x in range(5) for y in range(2)])
    assert len(list(game.walk())) == 21
    game.limits = Limits(max_moves=150)
    with pytest.raises(LimitError):
        list(game.walk())


# Without a `pre` at the root; the second has a branch, a pass, a capture, a takeback, times, a comment and a move that
# cannot be played.
LINES = [
    b"(;SZ[9]GN[x];B[ba];W[aa];B[ab];W[];B[cc]C[here];W[dd](;B[ee];W[ff];AB[gg];B[hh])(;B[aa]))",
    b"(;SZ[5];B[aa];W[bb](;B[cc](;W[dd];B[bb];W[ee])(;W[ea]))(;W[ae]))",
    b"(;SZ[5];B[aa](;W[zz];B[bb]))",
    b"(;SZ[3])",
    b"(;SZ[5]C[root];B[aa])",
]


def lines_of_columns():
    yield from LINES
    for path in sorted(EXAMPLES.rglob("*")):
        if path.is_file() and path.stat().st_size < 200_000:
            yield path.read_bytes()


def seen(node):
    return (
        *(node.move, node.step_index, node.move_number, node.removed, node.effective_time, node.is_answer),
        *(node.board.hash, node.path, node.comment, node.time, node.is_pause_point, node.problem, node.claim),
    )


def test_the_main_line_is_the_same_by_columns_and_by_the_document():
    walked = 0
    for data in lines_of_columns():
        try:
            game, twin = loads(data, strict=False), loads(data, strict=False)
            assert twin.tree is twin.document.tree
            wanted = [seen(node) for node in twin.main_line()]
        except ValueError:
            continue
        nodes, moves, boards = [], [], []
        for node in game.main_line():
            nodes.append(node)
            moves.append(node.move)
            boards.append(node.board.hash)
        walked += game.record is not None
        assert moves == [row[0] for row in wanted]
        assert boards == [row[6] for row in wanted]
        assert [seen(node) for node in nodes] == wanted
        assert nodes == list(game.main_line())
        # The document may be made at any node.
        for made_at in {0, 1, 2, len(wanted) // 2, len(wanted) - 1}:
            game = loads(data, strict=False)
            found = []
            for index, node in enumerate(game.main_line()):
                if index == made_at:
                    assert game.tree.steps is not None
                found.append((node.move, node.board.hash, node))
            assert [row[:2] for row in found] == [(row[0], row[6]) for row in wanted]
            assert [seen(row[2]) for row in found] == wanted
    assert walked >= 3


def test_edits_during_a_walk_by_columns():
    game = loads(LINES[0])
    nodes = []
    for node in game.main_line():
        nodes.append(node)
        if len(nodes) == 4:
            del game.tree.steps[1]  # what was walked keeps its steps
            game.tree.steps[4].action = Move(2, (8, 8))
    assert [node.move for node in nodes[:4]] == [None, (1, (1, 0)), (2, (0, 0)), (1, (0, 1))]
    assert nodes[2].step.action.point == (0, 0) and nodes[2].step not in game.tree.steps
    assert nodes[4].move == (1, (2, 2))
    with pytest.raises(ValueError, match="no longer in the record"):
        assert nodes[2].next


def test_limits_of_a_walk_by_columns():
    game = loads(LINES[1], strict=False)
    game.limits = Limits(max_moves=3)
    walk = game.main_line()
    with pytest.raises(LimitError, match="more than 3 moves") as raised:
        list(walk)
    assert raised.value.path == "$.tree.branches[0].branches[0]"
    assert list(walk) == []
