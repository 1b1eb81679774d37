"""Hostile shapes: texts that repeat a part which a reader could handle in more than constant time.

Nesting, passes, kos, suicides, takebacks, setups, attributes, marks, long values, problems at each step.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Final


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
        attributes = " ".join(f'a{number}="1"' for number in range(size // 8))
        return (element % attributes).encode()

    return make


def lines(head: str, part: str, tail: str) -> Callable[[int], bytes]:
    return lambda size: (head + part * (size // len(part)) + tail).encode()


def ogs_messages(part: str) -> Callable[[int], bytes]:
    return lambda size: ('{"full_state":[' + ",".join([part] * (size // len(part))) + "]}").encode()


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
    "unreadable moves": sgf("", ";B[!!]x"),
    "moves without an end": lambda size: b"(;SZ[19]" + b";B[aa];W[bb]" * (size // 12),
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
    "unknown members of moves": wei7('{"x":1,"action":{"y":1,"type":"move","value":{"z":1,"color":1,"point":null}}}'),
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
    "runs between wrong elements": xml('<black x="1" y="1"/>' * 20 + '<white x="99" y="1"/>'),
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
    "moves of OGS": lambda size: b'{"moves":[' + b",".join([b"[3,3,9]"] * (size // 8)) + b"]}",
    "a text of moves of OGS": lambda size: b'{"gamedata":{"moves":"' + b"dd" * (size // 2) + b'"}}',
    "a tree of OGS": lambda size: (
        b'{"move_tree":' + b'{"trunk_next":' * min(size // 16, 900) + b"{}" + b"}" * (min(size // 16, 900) + 1)
    ),
    "variations of OGS": lambda size: b'{"move_tree":{"branches":[' + b",".join([b'{"x":1}'] * (size // 8)) + b"]}}",
    "nodes of OGS": lambda size: (
        b'{"width":9,"moves":[],"move_tree":{"x":-1,"y":-1'
        + b"".join(b',"trunk_next":{"x":%d,"y":%d' % (k % 9, k // 9 % 9) for k in range(size // 27))
        + b"}" * (size // 27 + 2)
    ),
    "answers of OGS": lambda size: (
        b'{"move_tree":{"branches":['
        + b",".join(b'{"x":%d,"y":%d,"correct_answer":true}' % (k % 19, k // 19 % 19) for k in range(size // 38))
        + b"]}}"
    ),
    "messages of OGS": ogs_messages('{"f":0,"m":"ddpp"}'),
    "texts of messages of OGS": ogs_messages('{"t+":"a"}'),
    "takebacks of OGS": ogs_messages('{"om":[3,3]},{"undo":1}'),
    "lines of a header of UGF": lines("[Header]\nVer=UGF3,200\n", "Title=a\n", "[Data]\n"),
}  # fmt: skip
