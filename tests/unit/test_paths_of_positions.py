"""Paths of branches in the table of positions: whole up to 192 ordinals, of longer ones the beginning and the end."""

from helpers.cases import in_groups

import wei7core as w7
from wei7core.formats.sgf.decode import decode
from wei7core.replaying.replay import pause_points


def nested(ordinals, above=b""):
    """A record in which each move begins a branch with the next of these ordinals, after passes that end."""
    begin = b"".join(b"(;W[])" * ordinal + b"(;B[]" for ordinal in ordinals)
    return b"(;SZ[5]" + above + begin + b")" * (len(ordinals) + 1)


def shortened(ordinals):
    if len(ordinals) <= 192:
        return ".".join(map(str, ordinals)) or "-"
    gap = ["*" if any(ordinals[128:-64]) else ".."]
    return ".".join([*map(str, ordinals[:128]), *gap, *map(str, ordinals[-64:])])


def turned(count, place):
    ordinals = [0] * count
    ordinals[place] = 12
    return ordinals


@in_groups(
    "ordinals",
    [
        [],
        [0],
        [0] * 191,
        [0] * 192,
        [0] * 193,
        [0] * 400,
        [1, 0, 2] * 100,
        *(turned(200, k) for k in (0, 127, 128, 135, 136, 199)),
    ],
)
def test_paths(ordinals):
    data = nested(ordinals, b"AB[aa]")
    table = w7.replay([data], positions=True).positions
    expected = [point.branch for point in pause_points(decode(data))]
    assert list(table.to_numpy()["branch"]) == expected
    assert expected[-1] == shortened(ordinals)
    assert {shortened(ordinals[:depth]) for depth in range(len(ordinals) + 1)} <= set(expected)


def test_every_record_has_paths_of_its_own():
    texts = [nested([0] * 300), nested([1] * 300), nested([0]), nested([0] * 128 + [3] + [0] * 171)]
    expected = [point.branch for text in texts for point in pause_points(decode(text))]
    assert list(w7.replay(texts, positions=True).positions.to_numpy()["branch"]) == expected


def test_text_grows_with_the_depth_and_not_with_its_square():
    sizes = []
    for depth in (2_000, 4_000):
        table = w7.replay([nested([0] * depth)], positions=True).positions.to_numpy()
        sizes.append(sum(map(len, table["branch"])))
    assert sizes[1] <= 2.2 * sizes[0]


def test_an_index_knows_the_main_line_of_a_record_with_every_move_in_parentheses(tmp_path):
    """As OGS writes them; a variation in the middle of a long path is none of the main line."""
    letters = "abcdefghijklmnopqrs"
    points = [letters[k % 19] + letters[k // 19] for k in range(340)]

    def moves(begin, end):
        return "".join(f"(;{'BW'[k % 2]}[{points[k]}]" for k in range(begin, end))

    text = "(;SZ[19]" + moves(0, 240) + ")" * 90 + moves(250, 340) + ")" * 241
    index = w7.Index.create(tmp_path / "index", [text.encode()])
    game = w7.loads(text)
    lines = [list(game.main_line()), list(game.line((0,) * 150 + (1,) + (0,) * 89))]
    main, variation = ({node.board.move_count: node.board for node in line} for line in lines)
    assert (max(main), max(variation)) == (240, 240)
    for number in (1, 150, 200, 240):
        assert len(index.find(main[number], symmetry=False)) == 1
    for number in (151, 220, 240):
        assert len(index.find(variation[number], symmetry=False)) == 0
