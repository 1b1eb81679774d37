"""Seeds of the fuzz targets, made from the data of the tests.

python tests/fuzz/corpora.py FOLDER: writes FOLDER/TARGET/, a folder of small inputs for each target. Inputs that once
broke something are in tests/data/fuzz/TARGET/, and are seeds too.
"""

from __future__ import annotations

import gzip
import random
import sys
from collections.abc import Iterator
from pathlib import Path

DATA = Path(__file__).resolve().parents[1] / "data"
LONGEST = 4096

MOVE = b'{"action":{"type":"move","value":{"color":%d,"point":{"x":%d,"y":%d}}}}'
WEI7 = (
    b'{"format":"wei7","version":"3.0","tree":{}}',
    b'{"format":"wei7","version":"3.0","size":9,"tree":{"steps":[' + MOVE % (1, 0, 0) + b"]}}",
    b'{"format":"wei7","version":"3.0","size":{"width":5,"height":3},"info":{"id":"a","participants":[{"name":"b"}]},'
    b'"tree":{"pre":{"stones":[{"color":1,"point":{"x":0,"y":0}}],"marks":[{"symbol":"a","point":{"x":1,"y":1}}],'
    b'"problem":2},"steps":[' + MOVE % (2, 1, 0) + b"," + MOVE % (2, 0, 1) + b',{"action":'
    b'{"type":"takeback","value":1},"time":3.5,"actor":0,"comment":"\\u4e00"},{"action":{"type":"message","value":"m"}}],'
    b'"branches":[{"title":"t","steps":[' + MOVE % (1, 4, 2) + b']},{"steps":[]}]}}',
)
SGF = (
    b"(;GM[1])",
    b"(;FF[4]GM[1]CA[UTF-8]SZ[9]AB[aa][bb:cc]AW[dd]PB[a]PW[b]RE[B+R];B[ee]C[x\\]y];W[];B[tt](;W[ff])(;W[gg]LB[gg:1]))",
    b"(;GM[1]SZ[5:3]CA[GBK]GN[\x81]\x95\\];Black[aa];White[ba]AE[aa:bb])",
)
# A text with second bytes that look like brackets and backslashes where the encoding has such, and what CA says of it.
TEXTS = {
    "gb18030": ("柯洁九段张跃𠀀巷", "GBK"),
    "big5": ("周俊勳功許蓋繼", "Big5"),
    "cp932": ("井山ソ表十予黒ｿ", "sjis"),
    "euc_jp": ("井山裕太名人黒", "EUC-JP"),
    "cp949": ("이세돌 똠 흑", "EUC-KR"),
    "cp1251": ("Черные", "cp1251"),
    "cp1252": ("Problème", "Latin1"),
    "utf-8": ("野狐", "UTF-8"),
}


def encoded() -> Iterator[bytes]:
    """Yield games in every encoding: that name it, that name none, and with a character cut."""
    for encoding, (words, name) in TEXTS.items():
        text = words.encode(encoding)
        for said in (b"CA[%s]" % name.encode(), b""):
            yield b"(;%sSZ[9]GN[%s];B[aa]C[%s](;W[bb])(;W[zz]N[x]))" % (said, text, text)
        yield b"(;CA[%s]GN[%s];B[aa]C[%s];W[bb])" % (name.encode(), text, text[:-1])


def texts(suffixes: set[str]) -> Iterator[bytes]:
    """Yield the texts of examples, cut where they are long."""
    for path in sorted(DATA.rglob("*")):
        if path.suffix in suffixes and path.is_file() and "fuzz" not in path.parts:
            yield path.read_bytes()[:LONGEST]


def boards() -> Iterator[bytes]:
    """Yield calls to a board: games of random moves, with what else there is to call between them."""
    choose = random.Random(7)
    for sides in ((0, 0), (1, 2), (4, 4), (6, 3), (8, 8), (10, 10), (11, 11), (13, 4), (14, 9), (15, 15)):
        for kind in range(4):
            calls = bytearray(sides)
            for _ in range(40):
                call = choose.choice((7, 7, 7, 7, 7, choose.randrange(7))) if kind else 7
                calls += bytes([call, choose.randrange(2), choose.randrange(250), choose.randrange(250)])
            if kind == 3:
                calls += bytes([5, choose.randrange(4), 150])
                calls += bytes(choose.randrange(250) for _ in range(450))
            yield bytes(calls)


def seeds() -> dict[str, list[bytes]]:
    """Return the inputs of each target."""
    wei7 = [*WEI7, *texts({".wei7"})]
    with gzip.open(DATA / "random-rules-sample.jsonl.gz") as file:
        wei7 += [line[:LONGEST] for line, _ in zip(file, range(20), strict=False)]
    legacy = list(encoded())
    sgf = [*SGF, *legacy, *texts({".sgf"})]
    lines = [b"\n".join(WEI7), b"\r\n \n".join(WEI7), b"\n\n" + WEI7[0] + b"\n"]
    split = [bytes([how, 128]) + text for how in (0, 0x43, 0x10, 0x20) for text in (*lines, *SGF, b"\n".join(SGF))]
    split += [b"\x80\x80" + text for text in (*legacy, b"\n".join(legacy), *(text * 3 for text in legacy))]
    found = {"wei7": wei7, "sgf": sgf, "split": split, "board": list(boards())}
    for name in found:
        kept = DATA / "fuzz" / name
        found[name] += [path.read_bytes() for path in sorted(kept.iterdir())] if kept.is_dir() else []
    return found


def write(folder: Path) -> None:
    """Write the seeds of each target to a folder of its own."""
    for name, inputs in seeds().items():
        (folder / name).mkdir(parents=True, exist_ok=True)
        for number, data in enumerate(inputs):
            (folder / name / f"seed-{number:03}").write_bytes(data)


if __name__ == "__main__":
    write(Path(sys.argv[1]))
