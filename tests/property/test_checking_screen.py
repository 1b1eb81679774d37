"""Judging many records at once finds what judging one by one finds, to the letter."""

import json
import random
import re

import numpy as np
import pytest
from helpers.cases import in_groups
from helpers.effort import chances, examples
from hypothesis import given, settings
from hypothesis import strategies as st

import wei7core as w7
from wei7core.batch.options import Options
from wei7core.checking.judge import judge_text
from wei7core.checking.prescreen import BatchChecker, _Screening
from wei7core.checking.selection import Selection
from wei7core.rules import NAMED
from wei7core.sources.chunks import Chunk
from wei7core.sources.sources import Sources

DEFAULTS = Options()
KOMI = [None, "6.5", "7.5", "0", "650", "375", "3.75", "2.25", "-5.5", "x", "12", "7"]
RESULTS = [None, "B+R", "W+R", "B+3.5", "W+0.5", "W+12", "B+Time", "0", "Void", "?", "W+Offline", "nobody", "W+1/4"]
HANDICAPS = [None, None, None, "0", "1", "2", "two"]
RULES = [None, "Chinese", "Japanese", "AGA", "tromp-taylor", "NZ", "whatever"]
FIRST = [None, None, None, "B", "W"]


def game_of(chance: random.Random) -> tuple[tuple[int, int], list[tuple[int, tuple[int, int] | None]]]:
    """Return a size and moves: mostly clean, now and then with whatever a checker looks for."""
    size = chance.choice([(5, 5), (9, 9), (3, 2), (2, 2), (7, 4)])
    board, moves, color = w7.Board(*size), [], w7.BLACK
    wild = chance.random() < 0.5
    for _ in range(chance.randint(0, 60)):
        if wild and chance.random() < 0.05:
            color = 3 - color
        if wild:
            points = [(x, y) for x in range(size[0]) for y in range(size[1]) if not board[x, y]]
        else:
            points = list(board.legal(color, "tromp-taylor"))
        point = None if not points or (wild and chance.random() < 0.05) else chance.choice(points)
        if point is None and not wild:
            break
        if wild and chance.random() < 0.01:
            point = (chance.randrange(size[0]), chance.randrange(size[1]))
        moves.append((color, point))
        try:
            board.play(color, point)
        except w7.IllegalMoveError:
            break
        color = 3 - color
    moves += [(color if k % 2 == 0 else 3 - color, None) for k in range(chance.choice([0, 0, 1, 2, 2, 3]))]
    return size, moves


# Encodings, what CA says of them, and text in which second bytes are brackets and backslashes.
ENCODINGS = {
    "utf-8": ("UTF-8", "g\u00e4me"),
    "gb18030": ("GB18030", "\u67ef\u6d01\u4e5d\u6bb5"),
    "gbk": ("gbk", "\u6df8\u73fb\u8cc9\u81f6"),
    "big5": ("Big5", "\u5468\u529f\u8a31\u84cb\u95b1"),
    "cp932": ("Shift_JIS", "\u4e95\u5c71\u30bd\u8868\u5341\u4e88"),
    "euc_kr": ("EUC-KR", "\uc774\uc138\ub3cc"),
    "cp1251": ("windows-1251", "\u0427\u0435\u0440\u043d\u044b\u0435"),
}


WIDE = ("utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be")


def sgf_of(chance: random.Random, encoding: str = "utf-8", *, late: bool = False) -> bytes:
    (width, height), moves = game_of(chance)
    charset, text = ENCODINGS[encoding]
    header = {"KM": chance.choice(KOMI), "RE": chance.choice(RESULTS), "HA": chance.choice(HANDICAPS)}
    header |= {"RU": chance.choice(RULES), "PL": chance.choice(FIRST), "GN": chance.choice([None, text, "1"])}
    if encoding != "utf-8":
        header["RE"] = chance.choice([header["RE"], text, "B+R" + text])
        header["RU"] = chance.choice([header["RU"], text, text + "\\]" + text])
        header["PB"] = text
    names = sorted(header, key=lambda _: chance.random())
    written = [f"{name}[{header[name]}]" for name in names if header[name] is not None]
    stones = chance.choice(["", "", "", "AB[aa]", "AW[aa]", "AB[aa][bb]"])
    nodes = [
        f";{'.BW'[color]}[{'' if point is None else chr(97 + point[0]) + chr(97 + point[1])}]" for color, point in moves
    ]
    if late and nodes:
        places = chance.choices(range(len(nodes)), k=2)
        for property in written:
            nodes[chance.choice(places if chance.random() < 0.05 else places[:1])] += property
        written = [chance.choice(written)] if written and chance.random() < 0.1 else []
    root, steps = "".join(written), "".join(nodes)
    variation = chance.choice(["", "", "", "(;B[aa])(;W[aa])"])
    return f"\n(;GM[1]FF[4]CA[{charset}]SZ[{width}:{height}]{root}{stones}{steps}{variation})".encode(encoding)


def wei7_of(chance: random.Random) -> bytes:
    (width, height), moves = game_of(chance)
    info = {}
    if chance.random() < 0.7:
        info["rules"] = {}
        if chance.random() < 0.7:
            info["rules"]["komi"] = chance.choice([6.5, 7.5, 0, 7, 3.5])
        if chance.random() < 0.5:
            info["rules"]["type"] = chance.choice(["Chinese", "Japanese", "Chinese", "Korean", "other"])
        if chance.random() < 0.3:
            info["rules"]["scoring"] = chance.choice(["area", "territory"])
    if chance.random() < 0.7:
        info["result"] = {"winner": chance.choice([1, 2, None])}
        if info["result"]["winner"] is not None and chance.random() < 0.6:
            info["result"]["margin"] = chance.choice([0.5, 3.5, 12, 1])
    if chance.random() < 0.3:
        info["id"] = "a\u00e9"
    steps = []
    for color, point in moves:
        value = {"color": color, "point": None if point is None else {"x": point[0], "y": point[1]}}
        steps.append({"action": {"type": "move", "value": value}})
    record = {
        "format": "wei7",
        "version": "3.0",
        "size": {"width": width, "height": height},
        "info": info,
        "tree": {"steps": steps},
    }
    return json.dumps(record, indent=chance.choice([None, 2])).encode()


FLAWS = [b"XX[", b"x;", b"KM[", b"(;", b"]", b"RE[B+R]", b"(", b"\xff", b"\\"]
STEPS = [b";B[zz]", b";W[!!]", b";B[]", b";B[aa]", b";W[bb]", b";W[aa]x", b";KM[x];B[zz]"]
MEMBERS = [b'"x":1,', b'"info":{},', b'"rules":{"komi":"x"},', b'"result":5,', b'"time":"x",', b'"komi":99.3,']


def with_flaws(chance: random.Random, record: bytes, flaws: list[bytes], before: bytes) -> bytes:
    """Add up to three flaws, each where `before` is."""
    for _ in range(chance.randrange(4)):
        at = chance.choice([found.start() for found in re.finditer(re.escape(before), record)])
        record = record[:at] + chance.choice(flaws) + record[at:]
    return record


def with_steps_that_stop(chance: random.Random, record: bytes) -> bytes:
    """A record of SGF or wei7 with up to two steps that may stop its replay, whose end may be missing."""
    for _ in range(chance.choice([0, 1, 1, 2])):
        before = b";" if record.lstrip()[:1] == b"(" else b'{"action": {"type": "move"'
        places = [found.start() for found in re.finditer(re.escape(before), record)][1:]
        if not places:
            break
        at = chance.choice(places)
        if before == b";":
            record = record[:at] + chance.choice(STEPS) + record[at:]
            continue
        point = chance.choice([{"x": 99, "y": 0}, {"x": 0, "y": 1}, {"x": 1, "y": "z"}, 7])
        value = chance.choice([{"color": chance.choice([1, 2]), "point": point}, {}])
        step = {"action": {"type": chance.choice(["move", "move", "takeback"]), "value": value}}
        record = record[:at] + json.dumps(step).encode() + b", " + record[at:]
    return record[: len(record) - chance.choice([0, 0, 1, 2, 7, chance.randrange(len(record))])]


def compare(data: bytes | list[bytes], name: str | None, options: Options = DEFAULTS) -> None:
    rules = None if name is None else NAMED[name]
    screen = BatchChecker(rules, Selection.of(severity="info"), options)
    for block in Sources(data).blocks():
        if not isinstance(block, Chunk):
            continue
        quick = [one for piece in screen.screened(block, 0, len(block)) for one in piece.findings]
        exact = [one for text in block.texts() for one in judge_text(text, rules, options).findings]
        assert quick == exact


@in_groups(
    "data",
    [
        "(;SZ[9])".encode("utf-16-le") + b"\n(;SZ[9])",
        b"\xff\xfe" + "(;SZ[9]C[\u4e00]x)(;)".encode("utf-16-le"),
        b"(;SZ[9];B[aa];W[bb];KM[99]x)",
        b"(;SZ[9];B[aa];W[bb];KM[99])",
        b"(;;RE[a])",
        b"(;SZ[9];FF[4]RE[B+R];B[da]C[ab];W[ac])",
    ],
)
@pytest.mark.parametrize("most", [1, 10_000])
def test_headers_elsewhere_and_wide_texts(data: bytes, most: int) -> None:
    compare(data, None, Options(limits=w7.Limits(max_findings=most)))


RULE_NAMES = st.sampled_from([None, *NAMED])


@settings(max_examples=examples(60))
@given(chances(), RULE_NAMES)
def test_games_of_a_collection(chance: random.Random, rules: str | None) -> None:
    compare(b"".join(sgf_of(chance) for _ in range(12)), rules)


@settings(max_examples=examples(40))
@given(chances(), RULE_NAMES, st.sampled_from([*ENCODINGS]))
def test_games_in_legacy_encodings(chance: random.Random, rules: str | None, encoding: str) -> None:
    games = [sgf_of(chance, encoding) for _ in range(12)]
    if chance.random() < 0.5:
        games = [game.replace(b"CA[", chance.choice([b"CA[", b"XX[", b"CA[UTF-8]XX["])) for game in games]
    compare(b"".join(games), rules)


@settings(max_examples=examples(60))
@given(chances(), RULE_NAMES)
def test_games_with_headers_after_the_root(chance: random.Random, rules: str | None) -> None:
    compare(b"".join(sgf_of(chance, late=True) for _ in range(12)), rules)


@settings(max_examples=examples(60))
@given(chances(), RULE_NAMES, st.sampled_from(WIDE))
def test_games_in_wide_encodings(chance: random.Random, rules: str | None, encoding: str) -> None:
    def text() -> str:
        game = sgf_of(chance, late=chance.random() < 0.3)
        if chance.random() < 0.4:
            game = with_flaws(chance, game, FLAWS, b";")
        header = chance.choice(["", "PB[\U0001f600\u9ec4]", "RE[B+R]", "C[\ud800]", "(", "\u3b3b\u003b"])
        header += chance.choice(["", "", "CA[UTF-16]", "CA[UTF-32LE]", "CA[GBK]", "CA[x]"])
        return game.decode("utf-8", "replace").replace("CA[UTF-8]", header)

    marked = "\ufeff" * (chance.random() < 0.8)
    data = [(marked + text()).encode(encoding, "surrogatepass") for _ in range(6)]
    data.append((marked + "".join(text() for _ in range(6))).encode(encoding, "surrogatepass"))
    data.append(sgf_of(chance))
    if chance.random() < 0.1:
        data[0] = data[0][: chance.randrange(len(data[0]))]
    compare(data, rules)


@settings(max_examples=examples(60))
@given(chances(), RULE_NAMES)
def test_records_of_lines(chance: random.Random, rules: str | None) -> None:
    texts = [wei7_of(chance) for _ in range(12)]
    compare(b"".join(text.replace(b"\n", b"") + b"\n" for text in texts), rules)


@settings(max_examples=examples(40))
@given(chances(), RULE_NAMES)
def test_games_with_problems(chance: random.Random, rules: str | None) -> None:
    compare(b"".join(with_flaws(chance, sgf_of(chance), FLAWS, b";") for _ in range(12)), rules)


@settings(max_examples=examples(40))
@given(chances(), RULE_NAMES)
def test_records_with_problems(chance: random.Random, rules: str | None) -> None:
    texts = [with_flaws(chance, wei7_of(chance).replace(b"\n", b""), MEMBERS, b'"') for _ in range(12)]
    compare(b"\n".join(texts), rules)


@settings(max_examples=examples(80))
@given(chances(), RULE_NAMES)
def test_games_that_end_early(chance: random.Random, rules: str | None) -> None:
    texts = [with_steps_that_stop(chance, chance.choice([sgf_of, wei7_of])(chance)) for _ in range(12)]
    compare(texts, rules)
    many = [text.replace(b"\n", b"") for text in texts if text[:1] == b"{"]
    compare(b"\n".join(many), rules)
    quick = list(w7.check(texts, rules=rules, severity="info"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_Screening, "_is_suspicious", lambda screening: np.ones(screening._piece.records, bool))
        assert quick == list(w7.check(texts, rules=rules, severity="info"))


END = ";B[aa];W[bb]" + "".join(f";{'BW'[k % 2]}[{chr(97 + k % 9)}{chr(99 + k // 9)}]" for k in range(40))


@in_groups("end", [";B[!!])", ";B[zz];W[ia])", ";B[bb];W[ia])", ";B[", "", ";KM[x];B[zz];W[!!]"])
def test_games_that_end_early_are_cleared(end: str) -> None:
    data = f"(;SZ[9]KM[6.5]RE[B+R]{END}{end}".encode()
    compare([data] * 3, "tromp-taylor")
    screen = BatchChecker(NAMED["tromp-taylor"], Selection.of(), Options())
    for block in Sources([data] * 3).blocks():
        assert isinstance(block, Chunk)
        judged = [place for piece in screen.screened(block, 0, len(block)) for place in piece.judged]
        assert len(judged) == (3 if end == ";B[" else 0)  # the text ends in a value


@in_groups("end", [7, {"x": 99, "y": 0}, {"x": 0, "y": 0}, None])
def test_records_that_end_early_are_cleared(end: object) -> None:
    points = [{"x": x, "y": y} for x in range(9) for y in range(0, 9, 2)]
    values = [{"color": 1 + k % 2, "point": point} for k, point in enumerate(points)]
    steps = [{"action": {"type": "move", "value": value}} for value in (*values, {"color": 2, "point": end})]
    record = json.dumps({"format": "wei7", "version": "3.0", "size": 9, "tree": {"steps": steps}}).encode()
    data = record[:-40] if end is None else record
    compare([data] * 3, "tromp-taylor")
    screen = BatchChecker(NAMED["tromp-taylor"], Selection.of(), Options())
    for block in Sources([data] * 3).blocks():
        assert isinstance(block, Chunk)
        assert all(not piece.judged for piece in screen.screened(block, 0, len(block)))


def test_most_clean_games_are_cleared() -> None:
    """Else the way of many at once would be as slow as the other."""
    chance = random.Random(5)
    moves = [(1 + k % 2, (x, y)) for k, (x, y) in enumerate((x, y) for x in range(9) for y in range(0, 9, 2))]
    text = "".join(f";{'.BW'[color]}[{chr(97 + x)}{chr(97 + y)}]" for color, (x, y) in moves)
    data = "".join(f"(;SZ[9]KM[6.5]RE[{chance.choice(['B+R', 'W+R'])}]{text};W[];B[])" for _ in range(10)).encode()
    screen = BatchChecker(NAMED["tromp-taylor"], Selection.of(), Options())
    (block,) = Sources(data).blocks()
    assert isinstance(block, Chunk)
    assert all(not piece.judged for piece in screen.screened(block, 0, len(block)))


@in_groups("flaw", ["x;", "()", ";DT[x]DT[y]", ";KO[]"])
def test_games_with_a_problem_are_cleared(flaw: str) -> None:
    moves = [(1 + k % 2, (x, y)) for k, (x, y) in enumerate((x, y) for x in range(9) for y in range(2, 9, 2))]
    steps = "".join(f";{'.BW'[color]}[{chr(97 + x)}{chr(97 + y)}]" for color, (x, y) in moves)
    compare(data := f"(;SZ[9]KM[6.5]RE[B+R]PB[\u9ec4]GN[x]{steps}{flaw})".encode() * 10, "tromp-taylor")
    screen = BatchChecker(NAMED["tromp-taylor"], Selection.of(), Options())
    (block,) = Sources(data).blocks()
    assert isinstance(block, Chunk)
    assert all(not piece.judged for piece in screen.screened(block, 0, len(block)))


@in_groups("encoding", [*ENCODINGS, *WIDE])
def test_games_that_name_their_encoding_are_cleared(encoding: str) -> None:
    charset, text = ENCODINGS.get(encoding, (encoding, ENCODINGS["gbk"][1]))
    moves = [(1 + k % 2, (x, y)) for k, (x, y) in enumerate((x, y) for x in range(9) for y in range(0, 9, 2))]
    steps = "".join(f";{'.BW'[color]}[{chr(97 + x)}{chr(97 + y)}]" for color, (x, y) in moves)
    header = f"PB[{text}]RU[{text}]RE[B+R]"
    games = f"(;CA[{charset}]SZ[9]KM[6.5]{header}{steps};W[];B[])" * 10
    games += f"(;CA[{charset}]SZ[9]{steps}KM[6.5]{header};W[];B[])" * 10
    data = ("\ufeff" * (encoding in WIDE) + games).encode(encoding)
    screen = BatchChecker(NAMED["tromp-taylor"], Selection.of(), Options())
    (block,) = Sources(data).blocks()
    assert isinstance(block, Chunk)
    assert all(not piece.judged for piece in screen.screened(block, 0, len(block)))
