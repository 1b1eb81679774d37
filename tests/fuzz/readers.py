"""Every reader, converter and check on small damaged records: nothing but the package's own errors comes out.

python tests/fuzz/readers.py COUNT [SEED]: so many mutations, several of each base, in this process. Each one is read
leniently and strictly as what it is recognised as, read leniently as the format that its base has unless that is the
same, and converted to two formats in turn; those of one base are checked as one batch. Prints how many there were of
each format and what came of them. `surface.py` compares what is read with other readers; this file asks one question of
many more texts.
"""

from __future__ import annotations

import gc
import json
import random
import sys
import time
import warnings
from collections import Counter
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[1])]

import wei7core as w7  # noqa: E402 - needs the path above
from wei7core.formats.registry import FORMATS  # noqa: E402 - needs the path above

TARGETS = ("wei7", "wei7-rev2", "wei7-2.2", "sgf", "giseong")
WRITTEN = 7  # the revision that `wei7` writes of all other records
LIMITS = w7.Limits(max_steps=5_000, max_points=1 << 12, max_depth=500)
MUTATIONS = 20  # of one base, one on top of the other with a chance
SMALL = 600  # bytes
OF_TARGETS = 2  # to so many formats each mutation is converted, to the others those after it
PROGRESS = 50_000

SGF = [
    "(;GM[1]SZ[5]PB[a]RE[B+R];B[aa]C[x];W[bb](;B[cc])(;B[dd]))",
    "(;SZ[5]KM[375]HA[2]RE[黑中盘胜]AP[foxwq]AB[bb][dd];W[aa])",
    "(;SZ[5:3]CA[GBK]PB[柯]TM[1800]OT[5x30 byo-yomi];B[aa]BL[10]OB[3])",
    "(;SZ[5]DT[1996-12-27,1997-01-03,05];B[R5]MN[57];W[ff])",
    "(;SZ[5]AB[ba][bb]AW[ca][cb]PL[B](;B[aa]C[RIGHT])(;B[ac]C[WRONG])())",
    "(;SZ[5];B[aa]LZ[0.7 52.3 1.6k\nmove C3 visits 1 winrate 5230 pv C3];W[bb]SBKV[51])",
    "(;SZ[5];B[aa]C[0.50 0.50 0.00 -0.3 v=100 weight=1.00];W[];B[aa]TR[aa:bb]LB[cc:long])",
    "(;SZ[5];B[aa](;W[bb];B[cc](;W[dd]))(;W[cc]N[x]TB[aa:bb]VW[]DD[cc]FG[1:f]))",
    "(;FF[1]SZ[3]TM[60];B[aa])(;SZ[3]PB[b];W[bb])",
    "(;SZ[5];B[aa][bb]AW[cc][dd];W[ee](;B[ab]AP[x]DT[2001-02])(;B[ac]PB[~{VPND~}]ST[2]))",
    "(;SZ[5]C[In 5 playouts at 1 threads, white A1 can win with 10.0% probability.];B[aa])",
    "(;SZ[3];AB[aa:cc]AW[bb]AE[aa]KO[]PM[2]DM[1]UC[2]HO[]V[-3.5]AR[aa:bb]LN[bb:cc])",
]
GIB = [
    "\\HS\n\\[GAMENAME=홍\\]\n\\[GAMEBLACKNAME=a (9D)\\]\n\\[GAMEWHITENAME=b (3급)\\]\n"
    "\\[GAMEINFOMAIN=GBKIND:2,GRLT:0,ZIPSU:25,GONGJE:65\\]\n\\[GAMETAG=S1,R3,C2016:03:26:17:29\\]\n\\HE\n\\GS\n2 1 0\n"
    "INI 0 1 0 &4\nSTO 0 2 1 3 3\nSTO 0 3 2 4 4\nSKI 0 4\n\\GE\n",
]
NGF = [
    "Rated game\n19\n홍  9D\nb  5D*\nwww\n2\n0\n7\n20170316 [09:37]\n5\nBlack wins by 0.5!\n2\nPMABBREER\nPMACWEEEE\n",
    "GI결승\nGI홍 初段\nGI임\nGI\nGI\nGI2006-9-5\nGI19\nGI0\nGI0\nGI6\nPMABBREER\nPMACWEEEE\nIDB[x]\n",
]
UGF = [
    "[Header]\nLang=SJIS\nTitle=a,\nPlace=東京\nDate=2019/03/08\nRule=JPN\nSize=9\nHdcp=2,5.50\nWinner=B,7.50\n"
    "CoordinateType=IGS\nPlayerB=甲,7d,,x\nPlayerW=b,8d\n[Data]\nDD,B1,0,0\nEE,W1,1,0\nYA,B1,2,0\n"
    "[Figure]\n.Text,0,1\nabc 東\n.EndText\n[ReviewNode]\n1,0,2\n[ReviewComment]\n1,hi\n",
]
GISEONG = ["[1@&11'x\"y[2;3]0203]", "{1;2w3@4{5w6}}&[1@2]"]
OGS = [
    {
        "game_id": 1,
        "gamedata": {
            "width": 5, "height": 5, "komi": 6.5, "rules": "japanese", "handicap": 0, "winner": 11,
            "outcome": "Resignation", "start_time": 1500000000,
            "players": {"black": {"username": "a", "rank": 25, "id": 11}, "white": {"username": "b", "id": 12}},
            "moves": [[1, 1, 300], [2, 2, 1], [-1, -1, 5]],
            "initial_state": {"black": "aa", "white": "bb"},
        },
    },
    {"moves": [[1, 2], [2, 2]], "move_tree": {"trunk_next": {"x": 1, "y": 2, "branches": [{"x": 3}], "text": "a"}}},
    {"moves": "aabb", "move_tree": {}, "gamedata": {"initial_player": "white", "free_handicap_placement": True}},
    {
        "name": "p",
        "puzzle": {
            "width": 5, "height": 5, "initial_state": {"black": "aaab", "white": "ba"},
            "move_tree": {
                "x": -1, "y": -1, "text": "t", "marks": [{"x": 1, "y": 0, "marks": {"triangle": True, "letter": "12"}}],
                "branches": [{"x": 1, "y": 1, "correct_answer": True}, {"x": 2, "y": 2, "wrong_answer": True}],
                "trunk_next": {"x": 3, "y": 3, "edited": True, "player": 2, "pen_marks": [1]},
            },
        },
    },
    [
        {"gamedata": {"width": 5, "height": 5, "moves": [[1, 1, 1], [2, 2, 1]]}},
        {"f": 1, "m": "ee!1dd!0cc..", "t": "so", "k": {"triangle": "aabb", "A": "cc"}}, {"t+": " on"},
        {"om": [3, 3, 1]}, {"undo": 1}, {"f": 0, "m": "bb"}, {"delete": 1}, {"pen": "#000"},
    ],
]  # fmt: skip
TOKENS = {
    "sgf": "(; ( ) ; [ ] \\ : [] ()( C[ B[tt] W[] AB[aa:cc] AE[aa] PL[W] CA[big5] CA[utf-7] SZ[52] SZ[0] FF[1] KM[1e9] "
    "KO[] RE[Jigo] TE[1] BM[2] LZ[ V[1e5] MN[-1] DT[2001,02] TM[x] FG[] VW[aa:zz] LB[aa:x:y] HA[9] C[RIGHT] C[正解] "
    "C[Black win 51.2%] B[R16] W[jj] N[x] PM[1] AR[aa:aa] LN[aa] V[] SBKV[101] B[aa][bb] ~{VP~} AP[x] ST[1]",
    "gib": "\\[ \\] = , : INI STO SKI GRLT:2 ZIPSU:-5 GONGJE:x &9 \\GS \\GE \\HE -1 99 999999999999",
    "ngf": "GI PM PMAA B W AA ZZ 19 99 -1 . Draw IDB[ ] wins loses resign",
    "ugf": "[Data] [Header] [Figure] [ReviewNode] [ReviewComment] .Text .EndText , = Size=0 Size=99 YA B1 W1 -1",
    "giseong": "& [ ] { } @ w ; ' \" 1 9 0 가 ( ) < >",
    "wei7": '{ } [ ] , : " null 0 -1 1e99 1e999999 {} [] "\\ud800" "value" "type" "message" "steps" "branches"',
    "wei7-2.2": '< > </ /> & " \' = <moves> </moves> <moves/> &amp; &x; <!-- --> <![CDATA[ ]]> <?x?> x="0"',
    "ogs": '{ } [ ] , : " null 0 -1 1e99 "moves" "move_tree" "branches" "trunk_next" "gamedata" true "x" NaN '
    '"full_state" "marks" "text" "f" "m" "t+" "om" "k" "!0" "!1" ".." "undo" "delete" "edited" "correct_answer"',
}
RAW = (b"\0", b"\xff", b"\x81", b"\xef\xbb\xbf", b"\xff\xfe", b"\x1b$B", b"\xe3\x81", b"\r", b"\n", b"\xed\xa0\x80")


def bases() -> list[tuple[str, bytes]]:
    """Small records with the name of their format."""
    found = [("sgf", text.encode()) for text in SGF] + [
        ("sgf", SGF[2].encode("gb18030")),
        ("sgf", SGF[0].encode("utf-16")),
    ]
    for name, texts, encoding in (("gib", GIB, "cp949"), ("ngf", NGF, "gb18030"), ("ugf", UGF, "cp932")):
        found += [(name, text.encode(kind)) for text in texts for kind in ("utf-8", encoding)]
    found += [("giseong", text.encode("cp949")) for text in GISEONG]
    folder = Path(__file__).resolve().parents[1] / "data" / "examples"
    found += [
        ("giseong", path.read_bytes()) for path in sorted((folder / "giseong").iterdir()) if path.stat().st_size < 600
    ]
    for text in SGF[:6]:
        game = w7.loads(text.replace("SZ[5]", "SZ[9]"), strict=False)
        for format in ("wei7", "wei7-2.2"):
            try:
                found.append((format, w7.dumps(game, format=format, losses=[])))
            except (w7.Wei7Error, ValueError):
                continue
    found += [("wei7", w7.dumps(w7.loads(SGF[4], strict=False), format="wei7-rev2", losses=[]))]
    found += [("ogs", json.dumps(one).encode()) for one in OGS]
    return found


def mutated(chance: random.Random, data: bytes, other: bytes, tokens: list[bytes]) -> bytes:
    """Change, drop, double, move, cut or insert a few bytes or tokens, or take a part of another record."""
    text = bytearray(data)
    for _ in range(chance.choice((1, 1, 1, 2, 2, 3, 5))):
        at = chance.randrange(len(text) + 1)
        end = min(len(text), at + chance.choice((1, 1, 2, 4, 9, 30)))
        what = chance.randrange(10)
        if what == 0 and at < len(text):
            text[at] ^= 1 << chance.randrange(8)
        elif what == 1 and at < len(text):
            text[at] = chance.randrange(256)
        elif what == 2:
            del text[at:end]
        elif what == 3:
            text[at:at] = text[at:end] * chance.randint(1, 3)
        elif what == 4:
            piece = bytes(text[at:end])
            del text[at:end]
            place = chance.randrange(len(text) + 1)
            text[place:place] = piece
        elif what == 5 and chance.random() < 0.3:
            del text[at:]
        elif what == 6 and other:
            begin = chance.randrange(len(other))
            text[at:end] = other[begin : begin + chance.randint(1, 30)]
        elif what == 7:
            text[at:at] = chance.choice(RAW)
        else:
            text[at : chance.choice((at, end))] = chance.choice(tokens)
    return bytes(text[:2000])


def allowed(error: BaseException) -> bool:
    """Whether a function may raise this: an error of the package, or a plain `ValueError` of what it was given."""
    return isinstance(error, w7.Wei7Error) or type(error) is ValueError


def one_input(data: bytes, format: str, turn: int, seen: Counter[str]) -> None:
    """Read and convert one record; `turn` says to which of the formats it is converted."""
    games: dict[tuple[str, int], w7.Game] = {}
    recognised = ""
    for strict, options in ((False, {}), (True, {}), (False, {"format": format}), (False, {"revision": 2})):
        if options.get("format", "sgf") not in FORMATS or ("revision" in options and format != "wei7"):
            continue
        if options.get("format") == recognised:
            continue
        try:
            game = w7.loads(data, strict=strict, limits=LIMITS, **options)
        except w7.RecordError:
            continue
        if not strict:
            recognised = recognised or game.format
            games.setdefault((game.format, options.get("revision", 7)), game)
    for (read_as, revision), game in games.items():
        seen[f"read as {read_as}"] += 1
        targets = ("wei7-rev7", *TARGETS) if revision != WRITTEN else TARGETS
        for target in [targets[(turn + k) % len(targets)] for k in range(OF_TARGETS)]:
            try:
                w7.dumps(game, format=target, losses=[], validate=False)
                seen[f"written as {target}"] += 1
            except (w7.Wei7Error, ValueError) as error:
                if not allowed(error):
                    raise


def mutations(count: int, seed: int) -> Counter[str]:
    """Try so many mutations and return how many there were of each format, and what came of them."""
    chance, seen = random.Random(seed), Counter[str]()
    made: dict[str, list[bytes]] = {}
    for name, data in bases():
        made.setdefault(name, []).append(data)
    tokens = {name: text.encode().split() for name, text in TOKENS.items()}
    names, start, done = sorted(made), time.perf_counter(), 0
    while done < count:
        name = chance.choice(names)
        base = data = chance.choice(made[name])
        batch: list[bytes] = []
        for _ in range(min(MUTATIONS, count - done)):
            data = mutated(chance, data if chance.random() < 0.5 else base, chance.choice(made[name]), tokens[name])
            try:
                one_input(data, name, done, seen)
            except BaseException:
                Path("readers-input").write_bytes(data)
                print(f"input {done} of seed {seed}, a record of {name}, is in readers-input", file=sys.stderr)
                raise
            batch.append(data)
            seen[name] += 1
            done += 1
            if done % PROGRESS == 0:
                print(f"{done} mutations, {time.perf_counter() - start:.0f} s", file=sys.stderr)
        try:
            seen["findings"] += sum(1 for _ in w7.check(batch, severity="info", limits=LIMITS))
        except BaseException:
            Path("readers-input").write_bytes(b"\n\n".join(batch))
            print(f"the inputs before {done} of seed {seed}, of {name}, are in readers-input", file=sys.stderr)
            raise
    return seen


def main() -> None:
    warnings.simplefilter("ignore")
    gc.set_threshold(100_000)
    count, seed = int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1
    seen = mutations(count, seed)
    print(f"{count} mutations: " + ", ".join(f"{name} {number}" for name, number in sorted(seen.items())))


if __name__ == "__main__":
    main()
