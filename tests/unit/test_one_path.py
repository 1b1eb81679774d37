"""Records with problems are replayed with all others, and their rows are those of the readers of one record."""

from __future__ import annotations

import json
import random
from pathlib import Path

import numpy as np
import pytest
from helpers.cases import in_groups
from helpers.effort import first, is_quick
from oracles.one_path import compare
from samples import corpus, sgf_mutations, sgf_server_texts
from samples.encoded_sgf import ENCODINGS, encoded_games
from samples.malformed import DOCUMENTS

import wei7core as w7
from wei7core._util.cpu import ISAS
from wei7core.batch import run
from wei7core.batch._engine import replay_block
from wei7core.batch.options import COUNTED
from wei7core.formats.sgf.charset_tables import CODECS

DATA = Path(__file__).parents[1] / "data"
EXAMPLES = sorted(path for path in DATA.glob("examples/*/*") if path.suffix in (".sgf", ".wei7"))
SGF = "(;FF[4]GM[1]SZ[9]GN[a game];B[cc];W[dd];B[ee])"
WARNED = {
    "unclosed": SGF[:-1],
    "stray": SGF.replace(";W", "x;W"),
    "duplicate": SGF.replace("GN", "GN[first]GN"),
    "value": SGF.replace("SZ", "KM[much]SZ"),
    "capitals": SGF.replace("[dd]", "[DD]"),
    "empty": SGF.replace(";B[ee]", "(;B[ee])()"),
    "utf-8": SGF.replace("GN[", "CA[UTF-8]GN[\u9ed2]PB[x").replace(";W", "x;W"),
}
BLACK, WHITE = 1, 2


def move(color, x, y):
    return {"action": {"type": "move", "value": {"color": color, "point": {"x": x, "y": y}}}}


def text(tree, **members):
    return json.dumps({"format": "wei7", "version": "3.0", "size": 3, "tree": tree, **members}).encode()


MOVES = [move(BLACK, 0, 0), move(WHITE, 1, 1)]
WEI7 = {
    "unknown": text({"steps": MOVES, "x": 1}),
    "step": text({"steps": [{**MOVES[0], "x": [1, {"y": "]"}]}, MOVES[1]]}, info={"id": "\u56f4"}),
    "info": text({"steps": MOVES}, info={"id": "a", "x": 1}),
    "twice": text({"steps": MOVES}, info={"id": "a"}).replace(b'"id"', b'"id":"b","id"'),
    "control": text({"steps": MOVES}, info={"id": "a"}).replace(b'"a"', b'"a\\tb"'),
    "long": text({"steps": MOVES}, info={"id": "a" * 200}),
    "deep": text({"steps": MOVES}, info={"id": "a"}).replace(b'"id"', b'"x":' + b"[" * 3000 + b"]" * 3000 + b',"id"'),
    "time": text({"steps": [{**MOVES[0], "time": 5}, {**MOVES[1], "time": 3}]}),
}


@pytest.fixture
def alone(monkeypatch):
    """The records that were replayed by themselves."""
    found = []
    before = run._single_row

    def left(text, options):
        found.append(text)
        return before(text, options)

    monkeypatch.setattr(run, "_single_row", left)
    return found


@pytest.mark.parametrize("name", WARNED)
def test_sgf_with_a_problem_is_replayed_with_the_others(name, alone):
    found = compare([WARNED[name].encode(), SGF.encode()], board=True, positions=True)
    assert (found[0].problems, found[0].error, found[1].problems, alone) == (1, None, 0, [])


@pytest.mark.parametrize("name", WEI7)
def test_wei7_with_a_problem_is_replayed_with_the_others(name, alone):
    found = compare([WEI7[name], WEI7["unknown"]], board=True, positions=True)
    assert found[0].problems > 0
    assert alone == []
    compare([WEI7[name], WEI7["unknown"]], metadata=True)
    assert alone == []


HEADERS = {
    "a later node": ";B[aa]DT[2020-01-02]PB[x]AP[y];W[bb]",
    "two later nodes": ";B[aa]DT[2020-01-02];W[bb]PB[x]",
    "a variation": ";B[aa](;W[bb]PB[x])(;W[cc])",
    "another property of the root": "GN[x];B[aa]PB[x]",
    "bytes that are no characters": "CA[UTF-8]PB[\xe9\xff]PW[a\\]\xff\n][b]RE[ \xff]KM[5\xe9];B[aa]",
    "half a character": "CA[GBK]PB[\xc0\xee]PW[\xc0\xee\xff]EV[\xc0]RO[\xff]PC[  ];B[aa]",
}


@pytest.mark.parametrize("name", HEADERS)
def test_headers_that_are_unusual_need_nobody_else(name, alone):
    game = f"(;SZ[9]FF[4]{HEADERS[name]})".encode("latin-1")
    compare([game, SGF.encode(), game[:-1], game[:-4]], metadata=True)
    assert alone == []


@pytest.mark.parametrize(
    "info",
    [
        {"participants": [{"name": "a"}] * 20, "players": [{"participant": 19, "color": 1}]},
        {"participants": [{"name": "a"}], "players": [{"participant": 3, "color": 1}], "place": 7},
        {"participants": {"name": "a"}, "time": "2020-01-02", "result": {"winner": 1}, "rules": {"komi": "x"}},
        {"players": [{"color": 1}], "result": 5, "rules": {"type": "Chinese", "komi": 3.75}},
    ],
    ids=["many people", "nobody", "an object", "no participant"],
)
def test_info_of_an_unusual_shape_needs_nobody_else(info, alone):
    texts = [text({"steps": MOVES}, info=info), text({"steps": MOVES}, info=info | {"id": "\ud800"})]
    texts.append(texts[0].replace(b'"steps"', b'"info":{"place":"b"},"steps"'))
    texts.append(texts[0].replace(b'"tree"', b'"info":{"place":"b"},"tree"'))
    compare(texts, metadata=True)
    assert alone == []


def test_a_file_of_lines_counts_problems_as_its_lines_do(tmp_path, alone):
    path = tmp_path / "games.jsonl"
    path.write_bytes(b"\n".join([*WEI7.values()] * 40))
    found = compare([path], jobs=2)
    assert sum(found.problems.values()) == sum(row.problems for row in found)


def test_strict_makes_errors_of_the_problems(alone):
    found = compare([SGF.encode(), WARNED["stray"].encode(), WARNED["unclosed"].encode(), *WEI7.values()], strict=True)
    assert found[0].error is None
    assert found[2].error == "tree-unclosed"
    assert alone == []


def test_problems_are_counted_to_the_limit():
    many = SGF.replace(";W", "".join(f"({n}x)" for n in range(50)) + ";W").encode()
    for most in (0, 1, 3, 100):
        compare([many, SGF.encode()], limits=w7.Limits(max_problems=most))


REPLACED = "(;SZ[5];B[cc];W[cc];B[dd](;W[dd];B[];W[ee])(;W[cc];B[cc];W[cc]))"


def test_moves_on_occupied_points_are_counted(alone):
    found = compare([REPLACED.encode(), SGF.encode()], positions=True, board=True)
    assert (found[0].problems, found[0].error, alone) == (5, None, [])
    compare([REPLACED.encode()], strict=True)
    for most in (0, 1, 4, 5, 6):
        compare([REPLACED.encode()], limits=w7.Limits(max_problems=most))


def crowded_tree(chance, width, height):
    """Random branches of wei7 on a small board: captures, suicides, passes, takebacks and presets of stones."""

    def steps(count):
        for _ in range(count):
            if chance.random() < 0.08:
                yield {"action": {"type": "takeback", "value": chance.choice((1, 1, 2, 3))}}
            elif chance.random() < 0.05:
                yield {"action": {"type": "move", "value": {"color": chance.choice((1, 2)), "point": None}}}
            else:
                yield move(chance.choice((1, 2)), chance.randrange(width), chance.randrange(height))

    def tree(depth):
        found = {"steps": list(steps(chance.choice((0, 1, 2, 5, 60))))}
        if depth and chance.random() < 0.8:
            found["branches"] = [tree(depth - 1) for _ in range(chance.choice((1, 2, 3)))]
        if chance.random() < 0.2:
            found["pre"] = {"comment": "a pause point"}
        return found

    return tree(3)


def crowded_sgf(chance, width, height):
    """Random SGF with setups between the moves, and moves on occupied points that replace stones."""

    def point():
        return chr(97 + chance.randrange(width)) + chr(97 + chance.randrange(height))

    def node():
        kind = chance.random()
        if kind < 0.1:
            return f";{chance.choice(('AB', 'AW', 'AE'))}[{point()}]"
        return f";{chance.choice('BW')}[{point() if kind < 0.95 else ''}]"

    def nodes(depth):
        text = "".join(node() for _ in range(chance.choice((1, 2, 40))))
        return text + "".join(f"({nodes(depth - 1)})" for _ in range(chance.randrange(3)) if depth)

    return f"(;SZ[{width}:{height}]{nodes(3)})".encode()


@pytest.mark.parametrize(
    ("width", "height"), first(4, [(1, 1), (2, 3), (5, 5), (9, 4), (19, 19), (23, 16), (19, 21), (33, 30)], width=2)
)
def test_positions_and_their_canonical_hashes(width, height):
    chance = random.Random(width * 100 + height)
    size = {"width": width, "height": height}
    wei7 = [text(crowded_tree(chance, width, height), size=size) for _ in range(8)]
    sgf = [crowded_sgf(chance, min(width, 26), min(height, 26)) for _ in range(8)]
    texts = [*wei7, *sgf]
    found = compare(texts, positions=True, canonical=True)
    assert len(found.positions) > 16
    assert "canonical_hash" in found.positions.data
    assert list(w7.replay(texts, positions=True, canonical=True)) == list(w7.replay(texts))


def long_sgf(chance, width, height):
    """A line of moves, longer than what the planes of a board are made for, with captures and passes."""
    moves = []
    board = w7.Board(width, height)
    for number in range(200):
        point = chance.randrange(width), chance.randrange(height)
        color = 1 + number % 2
        if board[point] == 0:
            board.play(color, point)
            moves.append(f";{'?BW'[color]}[{chr(97 + point[0])}{chr(97 + point[1])}]")
        else:
            moves.append(f";{'?BW'[color]}[]")
    return f"(;SZ[{width}:{height}]{''.join(moves)})".encode()


@pytest.mark.parametrize("canonical", [False, True])
@pytest.mark.parametrize(
    "sizes", [[(5, 5)], [(7, 6)], [(19, 19)], [(24, 24)], [(19, 19), (9, 9), (20, 19), (19, 20), (26, 14)]], ids=str
)
@in_groups("isa", range(len(ISAS)), ids=ISAS)
def test_every_instruction_set_writes_the_same_positions(isa, sizes, canonical):
    chance = random.Random(3)
    games = [make(chance, *size) for make in (crowded_sgf, long_sgf) for _ in range(6) for size in sizes]
    ends = np.cumsum([len(game) for game in games])
    begins = ends - [len(game) for game in games]
    options = {"positions": True, "canonical": canonical, "counted": COUNTED}
    one, other = (
        replay_block(b"".join(games), begins, ends, "sgf", isa=number, **options).positions for number in (0, isa)
    )
    assert len(one["step"]) > 100
    assert all(one[name].tobytes() == other[name].tobytes() for name in one)


@in_groups("isa", range(len(ISAS)), ids=ISAS)
def test_every_instruction_set_writes_the_same_positions_of_branches(isa):
    """Branches of which some cannot be played from their first move on."""
    chance = random.Random(5)
    sizes = [(2, 2), (5, 5), (9, 4), (19, 19), (33, 30)]
    texts = [
        text(crowded_tree(chance, width, height), size={"width": width, "height": height})
        for width, height in sizes
        for _ in range(16)
    ]
    ends = np.cumsum([len(text) for text in texts])
    options = {"positions": True, "canonical": True, "counted": COUNTED, "failures": True}
    one, other = (
        replay_block(b"".join(texts), np.concatenate(([0], ends[:-1])), ends, "wei7", isa=number, **options)
        for number in (0, isa)
    )
    assert len(one.positions["step"]) > 500
    assert len(one.failures[0]) > 10
    assert all(one.positions[name].tobytes() == other.positions[name].tobytes() for name in one.positions)


def test_a_branch_begins_with_the_stones_of_its_fork():
    """More branches one inside the other than positions are saved for, each with another one after it."""
    board, moves, sides = w7.Board(19), [], []
    for number in range(1100):
        point = (number % 19, number // 19 * 2) if number < 171 else None
        side = board.copy()
        side.play(2, (number % 19, 18))
        sides.append(side.hash)
        board.play(1, point)
        moves.append("".join(chr(97 + place) for place in point or ()))
    text = "(;SZ[19]"
    text += "".join(f"(;B[{point}]" for point in moves)
    text += "".join(f")(;W[{chr(97 + number % 19)}s])" for number in reversed(range(1100))) + ")"
    rows = w7.replay(text.encode(), positions=True).positions
    hashes = [row.hash for row in rows]
    assert hashes[1099] == board.hash
    assert hashes[1100:] == sides[::-1]


def test_a_record_of_another_game_is_an_error(tmp_path, alone):
    path = tmp_path / "nodes.sgf"
    path.write_bytes(b";B[aa];W[bb]")
    texts = [b"(;GM[2];B[aa])", b"(;GM[3]SZ[9];B[zz];W[aa])", b"(;B[aa];GM[4]B[!!])"]
    found = compare([*texts, path], board=True, positions=True)
    errors = ["game-not-go", "game-not-go", "move-invalid", "no-game-tree"]
    assert [row.error for row in found] == errors
    assert alone == []


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    "options", [{}, {"strict": True}, {"positions": True, "board": True}, {"revision": 2}], ids=str
)
def test_shipped_and_malformed_records(options):
    compare([*EXAMPLES, *(data for _, data, _ in DOCUMENTS)], **options)


@pytest.mark.exhaustive
def test_damaged_sgf(alone):
    texts = [*sgf_mutations.mutations(120, 23), *map(sgf_server_texts.text, range(200))]
    compare(texts, positions=True)
    compare(texts, metadata=True)
    assert {record.data for record in alone} <= {None}


CUT_WEI7 = text(
    {"steps": MOVES, "branches": [{"steps": [move(BLACK, 2, 2)]}, {"steps": [move(BLACK, 2, 1), move(WHITE, 9, 9)]}]},
    info={"id": "a", "x": 1},
)
CUT_SGF = SGF.replace(";B[ee]", "C[a\\]b](;B[ee]N[x])(;AB[aa][bb]W[hh])").encode()


@pytest.mark.parametrize("whole", [CUT_WEI7, CUT_SGF], ids=["wei7", "sgf"])
@pytest.mark.parametrize(
    "options", [{"positions": True}, {"strict": True}, {"limits": w7.Limits(max_problems=1)}], ids=str
)
def test_records_that_are_cut_off(whole, options, alone):
    compare([whole[:size] for size in range(1, len(whole))], board=True, **options)
    assert [record for record in alone if record.data is not None and len(record.data) > 8] == []


@pytest.mark.parametrize("limit", ["max_steps", "max_depth", "max_moves", "max_bytes", "max_points"])
def test_records_that_reach_a_limit(limit, alone):
    branches = b"(;SZ[9];B[aa](;W[ab];B[ac])(;W[ab];B[aa])(;W[zz])(;W[aa]))"
    for most in (1, 2, 3, 9, 150):
        for strict in (False, True):
            texts = [CUT_WEI7, CUT_SGF, CUT_WEI7[:-9], CUT_SGF[:-9], branches]
            compare(texts, limits=w7.Limits(**{limit: most}), strict=strict)
    assert {record.data for record in alone} <= {None}


def test_records_without_a_game_or_a_board(alone):
    sizes = (0, 2, 300, 5000, {"width": 1 << 20, "height": 1 << 20}, {"width": 0, "height": 3}, "x", None, [], {"x": 1})
    texts = [text({"steps": MOVES}, size=size, info={"id": "a"}) for size in sizes]
    texts += [b'{"format":"wei7"}', b"{", b'{"tree":3,"info":{"id":"a"}}', WEI7["unknown"]]
    texts += [b'{"format":"wei7","sizes":1,"size":"x","tree":{"steps":[]}}']
    texts += [one.replace(b'"size"', b'"size":7,"size"') for one in texts]
    for options in ({}, {"strict": True}, {"positions": True, "board": True}):
        for most in (0, 1, 9):
            compare(texts, limits=w7.Limits(max_problems=most), **options)
        compare(texts, limits=w7.Limits(max_positions=9), **options)
    assert alone == []


def test_branches_that_stop_for_every_reason(alone):
    stops = [
        {"pre": {"stones": [{"color": WHITE, "point": {"x": 1, "y": 1}}]}},
        {"steps": [move(BLACK, 0, 0)]},
        {"steps": [{"action": {"type": "move", "value": 7}}, move(WHITE, 1, 1)]},
        {"steps": [move(BLACK, 9, 9)]},
        {"steps": [{"action": {"type": "takeback", "value": 1}}, move(BLACK, 0, 0)]},
        {"steps": [{"action": {"type": "takeback", "value": 9}}]},
    ]
    texts = [text({"steps": MOVES, "branches": some}) for some in (stops, stops[::-1], stops[2:], *zip(stops))]
    surrounded = [{"color": BLACK, "point": {"x": x, "y": y}} for x, y in ((0, 1), (1, 0), (1, 1))]
    surrounded += [{"color": WHITE, "point": {"x": 0, "y": 0}}]
    texts += [text({"pre": {"stones": surrounded}, "steps": MOVES})]
    for options in ({}, {"strict": True}, {"positions": True, "canonical": True}):
        for most in (0, 1, 2, 3, 100):
            compare(texts, limits=w7.Limits(max_problems=most), **options)
        for most in (1, 2, 3, 5, 8, 13):
            compare(texts, limits=w7.Limits(max_moves=most), **options)
    assert alone == []


def test_damaged_wei7():
    chance = random.Random(23)
    texts = [path.read_bytes() for path in EXAMPLES if path.suffix == ".wei7"] + list(WEI7.values())
    texts = [one for one in texts if len(one) < 5000]
    compare([sgf_mutations.mutated(chance, chance.choice(texts)) for _ in range(300)], board=True)


FAILING = {
    "sgf": SGF.replace("B[ee]", "B[zz]").encode(),
    "sgf, invalid": SGF.replace("W[dd]", "W[1]").encode(),
    "sgf, more": SGF.replace("B[ee]", "x;B[zz];W[a];B[!!]").encode(),
    "sgf, side branch": SGF.replace(";B[ee]", "(;B[zz])(;B[ee];W[aa])").encode(),
    "sgf, gbk": SGF.replace("GM", "CA[GBK]GM").replace("game", "\u9ed2").replace("B[ee]", "B[\u9ed2]").encode("gbk"),
    "wei7, occupied": text({"steps": [*MOVES, move(BLACK, 1, 1), *MOVES]}, info={"id": "a"}),
    "wei7, off board": text({"steps": [*MOVES, move(BLACK, 7, 1), {"x": 1}]}),
    "wei7, off board later": text({"steps": [{**MOVES[0], "x": 1}, move(BLACK, 7, 1), move(WHITE, 8, 1)]}),
}


@pytest.mark.parametrize("name", FAILING)
def test_the_error_of_a_row_needs_no_second_reading(name, alone):
    for columns in ({"positions": True}, {"metadata": True}, {}):
        found = compare([FAILING[name], SGF.encode(), FAILING[name]], board=True, **columns)
        assert found[0].error is not None
    assert alone == []
    compare([FAILING[name], b"{", SGF.encode(), FAILING[name]], strict=True)
    for most in (0, 1, 2):
        compare([FAILING[name]] * 2, limits=w7.Limits(max_problems=most))


def test_errors_of_collections_count_from_the_start_of_the_file(tmp_path, alone):
    path = tmp_path / "games.sgf"
    path.write_bytes(b"\n\n".join([SGF.encode(), *(data for name, data in FAILING.items() if "sgf" in name)]))
    found = compare([path])
    assert [row.error_offset for row in found] == sorted({row.error_offset for row in found}, key=lambda at: at or 0)


@pytest.mark.parametrize(
    "options",
    [{}, {"strict": True, "positions": True}, *({"encoding": name} for name in ("gbk", "koi8-r", "cp932", "utf-16"))],
    ids=str,
)
def test_sgf_in_every_encoding(options, alone):
    chance = random.Random(str(options))
    compare(list(encoded_games(chance, most=1 if "encoding" in options else 4)), board=True, **options)
    assert {record.data for record in alone} <= {None}


def test_damaged_sgf_in_every_encoding_that_a_record_names(alone):
    chance = random.Random(4)
    games = []
    for encoding in CODECS:
        every = b"".join(bytes([byte]) for byte in range(0x80, 0x100))
        for text in (every, bytes(chance.choices(every, k=9)), b"\x8f\xa1\xa1\x90\x5d\x84\x41", b"a\xe9"):
            named = f"CA[{encoding}]".encode()
            games.append(SGF.encode().replace(b"GM", named + b"GM").replace(b"game", text))
            games.append(games[-1].replace(b"B[ee]", b"B[" + text + b"]C[" + text))
    for options in ({}, {"strict": True}):
        compare(games, board=True, **options)
    assert alone == []


@pytest.mark.parametrize("options", [{"board": True}, {"strict": True, "metadata": True}], ids=str)
def test_texts_in_other_encodings_before_one_do_not_change_it(options, alone):
    chance = random.Random(str(options))
    names = ("gbk", "big5", "cp932", "utf-8", "cp1252", "koi8-r", "euc_kr", "johab", None)
    games = [SGF.replace("game", "\u65e5\xe9").encode(), SGF.encode()]
    for _ in range(400):
        # Second bytes that look like a bracket or a backslash, where bytes are paired.
        pairs = (bytes([chance.randrange(0x81, 0xFF), chance.choice(b"[\\]aA\xa1\xb0")]) for _ in range(4))
        text = b"".join(chance.sample([*pairs, b"x", b" "], 5))
        name = chance.choice(names)
        game = SGF.encode().replace(b"GM", f"CA[{name}]GM".encode() if name else b"GM")
        games.append(game.replace(b"game", text) if chance.random() < 0.7 else game[:-1] + b"C[" + text + b"])")
    compare([chance.choice(games) for _ in range(400 if is_quick() else 1_000)], **options)


def test_encodings_that_are_asked_for(alone):
    game = SGF.replace("game", "\xe9\u0433")
    texts = [game.encode("utf-8"), b"(;GN[\x84\xd2\x8f\xa1\xa1x];B[aa])", b"(;CA[x]GN[\xe0\x9f]\x80;B[aa])"]
    for encoding in (*CODECS, "utf-16"):
        compare(texts, encoding=encoding)
    assert alone == []


def test_collections_in_every_encoding(tmp_path):
    chance = random.Random(9)
    for encoding, (text, charset) in ENCODINGS.items():
        path = tmp_path / f"{encoding}.sgf"
        games = [SGF.replace("GM", f"CA[{charset}]GM" * chance.randrange(2)).replace("game", text) for _ in range(99)]
        path.write_bytes("".join(games).encode(encoding))
    found = compare(sorted(tmp_path.glob("*.sgf")))
    assert {row.moves for row in found} == {3}
    assert len(found) == 99 * len(ENCODINGS)


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_encodings_that_are_named_need_nobody_else(encoding, alone):
    text, charset = ENCODINGS[encoding]
    game = SGF.replace("GM", f"CA[{charset}]GM").replace("game", text).encode(encoding)
    (found,) = compare([game])
    assert (found.id, found.problems, alone) == ("a " + text, 0, [])


OTHER_ENCODINGS = (
    "utf-16",
    "utf-16-le",
    "utf-16-be",
    "utf-32",
    "utf-32-be",
    "iso8859-15",
    "koi8-r",
    "mac-roman",
    "cp437",
)


@pytest.mark.parametrize("named", [True, False], ids=["named", "not named"])
@pytest.mark.parametrize("encoding", OTHER_ENCODINGS)
def test_encodings_that_are_not_guessed_need_nobody_else(tmp_path, encoding, named, alone):
    text = "\u0434\u0430" if encoding == "koi8-r" else "\xe9t\xe9"
    head = f"CA[{encoding}]GM" if named else "GM"
    games = [SGF, SGF.replace("GM", head), SGF.replace("GM", head).replace("game", f"{text} game")]
    games += [games[2].replace("B[ee]", "B[zz]"), games[2].replace("GM[1]", "GM[2]"), games[2].replace("ee", text)]
    texts = [game.encode(encoding) for game in games]
    for options in ({"board": True}, {"positions": True}, {"limits": w7.Limits(max_problems=1)}):
        found = compare(texts, **options)
        assert {row.moves for row in found} == {3, 2}
    path = tmp_path / "games.sgf"
    path.write_bytes("\n".join(games).encode(encoding))
    compare([path], board=True)
    assert alone == []


@pytest.mark.parametrize("encoding", ["johab", "shift_jis_2004", "euc_jis_2004", "iso8859-3", "utf-16"])
def test_characters_cut_in_two_are_read_as_by_the_readers_of_one_record(encoding):
    text = "\u65e5\u672c" if "j" in encoding else "\u0126a"
    game = (
        SGF.replace("GM", f"CA[{encoding}]GM")
        .replace("game", "\uac00" if encoding == "johab" else text)
        .encode(encoding)
    )
    compare([game[:-size] for size in range(1, 20)] + [game.replace(b"a", b"\xff", 1), game.replace(b"a", b"\xa5")])


def test_problems_of_the_encoding_are_counted_to_the_limit():
    games = list(encoded_games(random.Random(3), most=2))
    for most in (0, 1, 2):
        compare(games, limits=w7.Limits(max_problems=most))


@pytest.mark.skipif(corpus.folder() is None, reason="needs the corpus")
def test_games_of_engines():
    folder = corpus.folder()
    assert folder is not None
    compare(sorted(folder.glob("ai-sgf/*.sgf"))[:60])
