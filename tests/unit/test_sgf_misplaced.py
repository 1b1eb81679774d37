"""Properties in nodes where they do not belong (FF[4], game-info and KO), and texts in escape sequences."""

from helpers.cases import in_groups

import wei7core as w7

AGAIN = "FF[4], game-info"


def misplaced(data):
    """What is wrong with the places of properties: path and clause."""
    problems = w7.loads(data, strict=False).problems
    assert w7.replay([data])[0].problems == len(problems)
    return [(problem.path, problem.clause) for problem in problems if problem.code == "property-misplaced"]


@in_groups(
    ("text", "expected"),
    [
        ("(;SZ[19]PB[a];B[aa];W[bb]RE[B+R])", [("-;2.RE", AGAIN)]),
        ("(;SZ[19]PB[a];B[aa];W[bb]RE[B+R](;B[cc]PB[b])(;B[dd]))", [("-;2.RE", AGAIN), ("0;0.PB", AGAIN)]),
        ("(;SZ[19];B[aa](;W[bb]PB[a]PW[b])(;W[cc]PB[b]))", []),
        ("(;SZ[19];B[aa](;W[bb]PB[a](;B[dd])(;B[ee];W[ff]PW[c]))(;W[cc]PB[b]))", [("0.1;1.PW", AGAIN)]),
        ("(;SZ[19];PB[a]PlayerWhite[b](;W[bb])(;W[cc]BlackRank[b]))", [("1;0.BR", AGAIN)]),
        ("(;SZ[19]PB[a];B[aa]BL[60]C[x];W[bb])", []),
        ("(;SZ[19];B[aa]PB[a]PB[b])", []),
        ("(;SZ[19];B[aa]KO[];KO[];W[bb])", [("-;2", "FF[4], KO")]),
        ("(;SZ[19]KO[];B[aa])", []),
        ("(;SZ[19];SZ[9]B[aa])", [("-;1.SZ", "FF[4], root")]),
        ("(;SZ[19]AP[x]ST[1];B[aa];W[bb])", []),
        (
            "(;SZ[19]AP[x];B[aa]AP[y](;W[bb]AP[x]ST[2]PB[a])(;W[cc]C[a]STyle[2]))",
            [
                ("-;1.AP", "FF[4], root"),
                ("0;0.AP", "FF[4], root"),
                ("0;0.ST", "FF[4], root"),
                ("1;0.ST", "FF[4], root"),
            ],
        ),
        ("(;SZ[19]AP[x];B[aa]PB[a])", []),
    ],
)
def test_places_of_properties(text, expected):
    assert misplaced(text.encode()) == expected


def test_such_a_record_is_still_read_strictly_and_written_back():
    game = w7.loads(b"(;SZ[19]PB[a];B[aa];W[bb]PB[b]RE[B+R])")
    assert (game.info.black_name, game.info.result) == ("a", None)
    assert w7.dumps(game, format="sgf").count(b"PB[") == 2


def test_many_nodes_that_repeat_it_are_bounded():
    data = b"(;SZ[19]PB[a]" + b"(;B[]PB[b]" * 20_000 + b")" * 20_001
    problems = w7.loads(data, strict=False).problems
    assert {problem.code for problem in problems} <= {"property-misplaced", "limit-problems"}


@in_groups(
    ("name", "text", "is_reported"),
    [
        ("ISO-2022-JP", "\x1b$B8E\x1b(B", True),
        ("iso-2022-kr", "\x1b$)C", True),
        ("ISO-2022-JP", "plain", False),
        ("HZ", "~{VP~}", True),
        ("HZ-GB-2312", "~{VP~}", True),
        ("hz", "a ~ b ~", False),
        ("UTF-7", "+Vn0-", True),
        ("UTF-7", "plain", False),
        ("UTF-8", "+Vn0- ~{VP~} \x1b", False),
        ("ISO-8859-1", "\x1b", False),
    ],
)
def test_escape_sequences_that_are_not_decoded_are_reported(name, text, is_reported):
    data = f"(;CA[{name}]PB[{text}];B[aa])".encode()
    problems = w7.loads(data).problems
    assert [problem.code for problem in problems] == ["charset-unknown"] * is_reported
    assert w7.replay([data])[0].problems == is_reported
    assert not is_reported or "escape sequences are not decoded" in problems[0].message


@in_groups(
    ("text", "is_reported"),
    [
        ("\x1b$B8E\x1b(B", True),
        ("\x1b$)C", True),
        ("\x1b[1m", False),
        ("~{VPND~}", True),
        ("a ~ ~{ ~{}~} ~{VP ~{VPND~}", True),
        ("~{~}", False),
        ("~{V~}", False),
        ("~{VP ND~}", False),
        ("~{VPND}", False),
        ("~~{", False),
        ("+Vn0-", False),
    ],
)
def test_escape_sequences_of_a_record_that_names_no_encoding_are_reported(text, is_reported):
    data = f"(;SZ[9]PB[{text}];B[aa])".encode()
    game = w7.loads(data)
    assert [problem.code for problem in game.problems] == ["charset-assumed"] * is_reported
    assert w7.replay([data])[0].problems == is_reported
    if is_reported:
        assert game.problems[0].offset == data.index(b"\x1b" if b"\x1b" in data else b"~{VPND~}")
        losses = []
        w7.dumps(game, format="wei7", losses=losses)
        assert "charset-doubtful" in [loss.code for loss in losses]


@in_groups(
    ("text", "setup", "moves"),
    [
        ("(;SZ[9]B[cc][dd]AW[ee];W[ff])", "ccdd/ee", 1),
        ("(;SZ[9];B[cc][dd]AW[ee]W[ff];B[gg])", "ccdd/ee", 2),
        ("(;SZ[9];W[cc:cd][dd];B[gg])", "/cccddd", 1),
        ("(;SZ[9];B[cc]AW[ee];B[gg])", "/ee", 2),
        ("(;SZ[9];B[cc][];B[gg])", "cc/", 1),
        ("(;SZ[9];B[cc][dd", "/", 1),
        ("(;SZ[9];B[cc][dd][ee", "ccdd/", 0),
        ("(;SZ[9];AB[hh];B[cc][dd])", "hh/", 1),
        ("(;SZ[9](;B[cc][dd])(;B[ee][ff]))", "/", 1),
    ],
)
def test_moves_with_several_values_before_the_first_move_are_set_up(text, setup, moves):
    """As games of OGS mean it that fork another one; anywhere else the first value counts."""
    game = w7.loads(text.encode(), strict=False)
    (row,) = w7.replay([text.encode()])
    again = w7.loads(w7.dumps(game, format="sgf"), strict=False)
    for one in (game, again):
        stones = [[], []]
        for part in [one.tree.pre, *(step.action for step in one.tree.steps)]:
            for stone in getattr(part, "stones", ()):
                stones[stone.color - 1].append("".join("abcdefghi"[place] for place in stone.point))
        assert "/".join("".join(sorted(points)) for points in stones) == setup
        assert [node.board.move_count for node in one.main_line()][-1] == moves == row.moves
    assert "values-too-many" in {problem.code for problem in game.problems} or "AW[ee];" in text
