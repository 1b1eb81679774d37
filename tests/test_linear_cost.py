"""Twice the input takes about twice the time and the memory, whatever a hostile record is made of.

Each shape is text that repeats a part which something here could handle in more than constant time: nesting, passes,
kos, suicides, takebacks, setups, attributes, marks, long values, problems at each step.
"""

from __future__ import annotations

import copy
import gc
import json
import pickle
import time
import tracemalloc
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any, Final

import pytest
from helpers.growth import MOST, growth

import wei7core as w7
from wei7core.errors import Wei7Error

pytestmark = pytest.mark.exhaustive

LEAST_SECONDS: Final = 0.004
"""Below it a time says more about the machine than about the growth."""
LEAST_BYTES: Final = 1 << 19
TEXT: Final = 6_000
"""About how many bytes the smaller text of a shape has."""


# --- texts ---------------------------------------------------------------------------------------------------------


def sgf(head: str, part: str, tail: str = "") -> Callable[[int], bytes]:
    """A record of a head, a part that is repeated (`%d`: its number), and what closes each of them."""

    def make(size: int) -> bytes:
        count = max(size // (len(part) + len(tail)), 2)
        numbered = "%d" in part
        middle = "".join(part % number for number in range(count)) if numbered else part * count
        return f"(;SZ[19]{head}{middle}{tail * count})".encode()

    return make


def wei7(step: str, *, size: object = 19, around: str = "%s", begin: str = "") -> Callable[[int], bytes]:
    def make(bytes_wanted: int) -> bytes:
        count = max(bytes_wanted // (len(step) + 1), 2)
        steps = ",".join([begin] * bool(begin) + [step] * count)
        tree = around % f'{{"steps":[{steps}]}}'
        return f'{{"format":"wei7","version":"3.0","size":{json.dumps(size)},"tree":{tree}}}'.encode()

    return make


def nested_wei7(opening: str, closing: str) -> Callable[[int], bytes]:
    def make(size: int) -> bytes:
        count = max(size // (len(opening) + len(closing)), 2)
        tree = opening * count + "{}" + closing * count
        return f'{{"format":"wei7","version":"3.0","size":9,"tree":{tree}}}'.encode()

    return make


def xml(part: str, *, head: str = "<size>19</size>", closing: str = "") -> Callable[[int], bytes]:
    def make(size: int) -> bytes:
        count = max(size // (len(part) + len(closing)), 2)
        middle = "".join(part % number for number in range(count)) if "%d" in part else part * count
        return f'<wei7 version="2.2">{head}<moves>{middle}{closing * count}</moves></wei7>'.encode()

    return make


def attributes(element: str) -> Callable[[int], bytes]:
    def make(size: int) -> bytes:
        said = " ".join(f'a{number}="1"' for number in range(size // 8))
        return (element % said).encode()

    return make


def lines(head: str, part: str, tail: str) -> Callable[[int], bytes]:
    return lambda size: (head + part * (size // len(part)) + tail).encode()


MOVE = '{"action":{"type":"move","value":{"color":"black","point":{"x":%d,"y":%d}}}}'
PASS = '{"action":{"type":"move","value":{"color":"black"}}}'
BACK = '{"action":{"type":"takeback","value":1}}'
SUICIDE = "AW[ab][ba];B[aa];W[]"
CHECKERED = "AB" + "".join(f"[{'abcdefghi'[x]}{'abcdefghi'[y]}]" for x in range(9) for y in range(9) if (x + y) % 2)
CHECKERED += "AW" + "".join(
    f"[{'abcdefghi'[x]}{'abcdefghi'[y]}]" for x in range(9) for y in range(9) if (x + y) % 2 < 1
)

TEXTS: Final[dict[str, Callable[[int], bytes]]] = {
    "moves": sgf("", ";B[%d]", ""),
    "passes": sgf("", ";B[];W[]"),
    "moves after passes": sgf("AB[ba][ab][bc]AW[ca][db][cc][bb]", ";B[cb];W[tt];B[tt];W[bb]"),
    "suicides": sgf("AW[ab][ba]", ";B[aa];W[]"),
    "kos": sgf("AB[ba][ab][bc]AW[ca][db][cc][bb]", ";B[cb];W[bb]"),
    "superkos": sgf("RU[AGA]AB[ba][ab][bc]AW[ca][db][cc][bb]", ";B[cb];W[bb]"),
    "superkos of many passes": sgf("RU[Chinese]AB[ba][ab][bc]AW[ca][db][cc][bb]", ";B[];W[];B[cb];W[bb]"),
    "one color": sgf("", ";B[];B[]"),
    "deep branches": sgf("", "(;B[]", ")"),
    "deep branches without moves": sgf("", "(;C[a]", ")"),
    "deep second branches": sgf("", "(;W[])(;B[]", ")"),
    "many branches": sgf(";B[aa]", "(;W[bb])"),
    "many empty branches": sgf("", "()"),
    "many branches of illegal moves": sgf(";B[aa]", "(;W[zz])"),
    "occupied points": sgf(";B[aa]", ";W[aa]"),
    "setups": sgf("", ";AB[aa]"),
    "setups on a full board": sgf(CHECKERED, ";AB[aa]"),
    "setups to and fro": sgf(CHECKERED, ";AE[aa];AB[aa]"),
    "points of one setup": sgf("", "AB[aa]"),
    "a compressed list": sgf("", ";AB[aa:cc]AE[aa:cc]"),
    "marks": sgf(";B[aa]", "LB[aa:1]"),
    "labels": sgf(";B[aa]LB", "[aa:%d]"),
    "unknown properties": sgf(";B[aa]", "XX[%d]"),
    "properties of many names": sgf(";B[aa]", "X%d[a]"),
    "one long value": lambda size: b"(;SZ[19]C[" + b"a" * size + b"])",
    "escapes": lambda size: b"(;SZ[19]C[" + b"\\]" * (size // 2) + b"])",
    "open brackets": lambda size: b"(;SZ[19]C" + b"[" * size,
    "open parentheses": lambda size: b"(;SZ[19]" + b"(" * size,
    "closed parentheses": lambda size: b"(;SZ[19]" + b")" * size,
    "semicolons": lambda size: b"(;SZ[19]" + b";" * size + b")",
    "games": lambda size: b"(;SZ[9];B[aa])" * (size // 14),
    "damaged text": lambda size: b"(;SZ[19]C[" + "野狐".encode() * (size // 6) + b"\xff])",
    "text in GB18030": lambda size: b"(;SZ[19]CA[GB18030]C[" + "野狐".encode("gb18030") * (size // 4) + b"])",
    "comments in GB18030": lambda size: b"(;SZ[19]" + (b";C[" + "野狐".encode("gb18030") + b"]") * (size // 8) + b")",
    "steps": wei7(PASS),
    "takebacks": wei7(f"{PASS},{BACK}"),
    "withdrawn moves": wei7(MOVE % (1, 1) + "," + BACK),
    "occupied steps": wei7(MOVE % (1, 1)),
    "unknown members": wei7('{"action":{"type":"move","value":{"color":"black"}},"x":1}'),
    "unknown actions": wei7('{"action":{"type":"x"}}'),
    "wrong steps": wei7("1"),
    "marks of steps": wei7('{"action":{"type":"mark","value":{"point":{"x":0,"y":0},"symbol":"A"}}}'),
    "messages": wei7('{"action":{"type":"message","value":"%d"}}'.replace("%d", "a")),
    "results": wei7('{"actor":0,"action":{"type":"result","value":{"winner":"black"}}}'),
    "times that fall": wei7('{"time":1,"action":{"type":"message","value":"a"}}', begin='{"time":9,"action":1}'),
    "nested branches": nested_wei7('{"branches":[', "]}"),
    "nested moves": nested_wei7('{"steps":[' + PASS + '],"branches":[', "]}"),
    "nested wrong moves": nested_wei7('{"steps":[' + MOVE % (99, 1) + '],"branches":[', "]}"),
    "nested lists": lambda size: b'{"format":"wei7","x":' + b"[" * (size // 2) + b"]" * (size // 2) + b"}",
    "members": lambda size: (
        '{"format":"wei7","version":"3.0",' + ",".join(f'"m{k}":1' for k in range(size // 8)) + ',"tree":{}}'
    ).encode(),
    "preset stones": lambda size: (
        '{"format":"wei7","version":"3.0","size":2000,"tree":{"pre":{"stones":['
        + ",".join(f'{{"color":"black","point":{{"x":{k % 1999},"y":{k // 1999 * 2}}}}}' for k in range(size // 40))
        + "]}}}"
    ).encode(),
    "attributes of the root": attributes('<wei7 version="2.2" %s><size>19</size><moves/></wei7>'),
    "attributes of moves": attributes('<wei7 version="2.2"><size>19</size><moves %s></moves></wei7>'),
    "attributes of a step": attributes(
        '<wei7 version="2.2"><size>9</size><moves><black x="1" y="1" %s/></moves></wei7>'
    ),
    "attributes of a game": attributes('<wei7 version="2.2"><size>19</size><game %s/><moves/></wei7>'),
    "attributes of a mark": attributes(
        '<wei7 version="2.2"><size>19</size><moves><black x="1" y="1"/><mark x="1" y="1" symbol="A" %s/></moves></wei7>'
    ),
    "elements": xml('<black x="1" y="1"/>'),
    "unknown elements": xml("<x/>"),
    "elements of many names": xml("<x%d/>"),
    "variations": xml('<moves><black x="1" y="1"/></moves>'),
    "nested variations": xml('<black x="1" y="1"/><moves>', closing="</moves>"),
    "nested unknown elements": xml("<x>", closing="</x>"),
    "remarks": xml("<!-- a -->"),
    "text between": xml("a<x/>"),
    "codes": lambda size: b"&[1w" + b"&[1;1;1@" * (size // 8) + b"&[2w",
    "braces": lambda size: b"&[1w" + b"&{" * (size // 4) + b"&}" * (size // 4) + b"&[2w",
    "brackets": lambda size: b"&[1w" + b"&[" * (size // 2) + b"&[2w",
    "lines of GIB": lines("\\HS\n\\[GAMENAME=a\\]\n\\HE\n\\GS\n2 1 0\n4 0 &4\n", "STO 0 2 1 3 3\n", "\\GE\n"),
    "tags of GIB": lines("\\HS\n", "\\[GAMENAME=a\\]\n", "\\HE\n\\GS\n\\GE\n"),
    "lines of NGF": lines("g\n19\na 9D\nb 9D\nw\n0\n0\n7\n20170316 [09:37]\n5\nx\n4\n", "PMABBREER\n", ""),
    "lines of UGF": lines("[Header]\nVer=UGF3,200\nSize=19\n[Data]\n", "QP,B1,1,0\n", ""),
    "lines of a header of UGF": lines("[Header]\nVer=UGF3,200\n", "Title=a\n", "[Data]\n"),
}  # fmt: skip

FORMATS: Final = {"codes": "giseong", "braces": "giseong", "brackets": "giseong"}


# --- what is done with them ----------------------------------------------------------------------------------------


def loaded(data: bytes) -> w7.Game:
    return w7.loads(data, strict=False)


def every(nodes: Iterable[Any]) -> None:
    deque(nodes, maxlen=0)


def written(format: str) -> Callable[[bytes], object]:
    def write(data: bytes) -> object:
        return w7.dumps(loaded(data), format=format, losses=[], validate=False)

    return write


def with_game(use: Callable[[w7.Game], object]) -> Callable[[bytes], object]:
    return lambda data: use(loaded(data))


USES: Final[dict[str, Callable[[bytes], object]]] = {
    "loads": lambda data: loaded(data).document,
    "replay": lambda data: w7.replay([data], board=True),
    "positions": lambda data: w7.replay([data], positions=True),
    "check": lambda data: list(w7.check([data])),
    "check by rules": lambda data: list(w7.check([data], rules="aga", severity="info")),
    "to wei7": written("wei7"),
    "to sgf": written("sgf"),
    "to wei7-2.2": written("wei7-2.2"),
    "to giseong": written("giseong"),
    "walk": with_game(lambda game: every(game.walk())),
    "leaves": with_game(lambda game: every(game.leaves())),
    "boards of the main line": with_game(lambda game: every(node.board for node in game.main_line())),
    "deepcopy": with_game(copy.deepcopy),
    "pickle": with_game(lambda game: pickle.dumps(game.document)),
    "compare": lambda data: loaded(data).document == loaded(data).document,
    "game.check": with_game(lambda game: game.document and game.check()),
    "timeline": with_game(lambda game: game.timeline),
}

# Each shape with the use that goes through all of it, and with two of the others in turn.
OTHERS: Final = tuple(name for name in USES if name != "check by rules")
CASES: Final = [(shape, "check by rules") for shape in TEXTS] + [
    (shape, OTHERS[(row + turn) % len(OTHERS)]) for row, shape in enumerate(TEXTS) for turn in (0, 7)
]
DEEP: Final = [shape for shape in TEXTS if any(word in shape for word in ("deep", "nested", "setups", "attributes"))]


def cost(use: Callable[[bytes], object], data: bytes) -> float:
    begin = time.process_time()
    with suppress(Wei7Error, ValueError):
        use(data)
    return time.process_time() - begin


def peak(use: Callable[[bytes], object], data: bytes) -> int:
    gc.collect()
    tracemalloc.start()
    try:
        with suppress(Wei7Error, ValueError):
            use(data)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def grows_too_fast(use: Callable[[bytes], object], make: Callable[[int], bytes], size: int) -> bool:
    """Whether twice the size takes more than `MOST` times as long; a first doubt is settled at larger sizes."""
    first, second = cost(use, make(size)), cost(use, make(2 * size))
    if second <= max(MOST * first, LEAST_SECONDS):
        return False

    def made(wanted: int) -> Callable[[], object]:
        data = make(wanted)
        return lambda: cost(use, data)

    return growth(made, 2 * size, tries=8) > MOST and growth(made, 4 * size, tries=8) > MOST


@pytest.mark.parametrize(("shape", "use"), CASES)
def test_time(shape: str, use: str) -> None:
    assert not grows_too_fast(USES[use], TEXTS[shape], TEXT)


@pytest.mark.parametrize("shape", DEEP)
@pytest.mark.parametrize("use", ["positions", "check by rules"])
def test_memory(shape: str, use: str) -> None:
    first, second = peak(USES[use], TEXTS[shape](TEXT)), peak(USES[use], TEXTS[shape](2 * TEXT))
    if second > max(MOST * first, LEAST_BYTES):
        first, second = second, peak(USES[use], TEXTS[shape](4 * TEXT))
    assert second <= max(MOST * first, LEAST_BYTES)


def test_a_record_of_many_findings_is_cut_and_the_others_go_on() -> None:
    data = TEXTS["one color"](40_000)
    limits = w7.Limits(max_findings=50)
    findings = list(w7.check([data, data, b"(;SZ[9];B[aa];B[bb])"], limits=limits))
    for record in (0, 1):
        of_one = [finding for finding in findings if finding.record == record or finding.source.endswith(f"{record}")]
        assert len([finding for finding in of_one if finding.code == "turn-order"]) <= 51
    cut = [finding for finding in findings if finding.evidence.get("limit") == "max_findings"]
    assert [finding.code for finding in cut] == ["record-limit", "record-limit"]
    assert "more than 50 findings" in cut[0].message
    assert cut[0].offset >= max(one.offset for one in findings if one.source == cut[0].source and one is not cut[0])


def test_the_path_of_a_deep_branch_is_short_and_that_of_any_other_whole() -> None:
    def deep(depth: int) -> bytes:
        return b"(;SZ[19];B[aa]" + b"(;W[bb];B[cc]" * depth + b"(;B[aa];B[aa])" + b")" * depth + b")"

    longest = max(len(finding.branch or "") for finding in w7.check([deep(2000)]))
    assert longest < 500
    assert max((finding.branch or "" for finding in w7.check([deep(20)])), key=len) == ".".join("0" * 21)


def test_blocks_without_liberties_are_told_once() -> None:
    """By the step that took the liberty, not again by each step behind it."""
    text = b"(;SZ[5]AB[aa][cc]AW[ab];AW[ba];AB[ee];AB[de];AW[ea])"
    told = [finding for finding in w7.check([text], severity="info") if finding.code == "setup-no-liberties"]
    assert [(finding.point, finding.color) for finding in told] == [((0, 0), 1)]
