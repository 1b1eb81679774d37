"""Places of findings: of how a record starts, of several branches that are given up, of records amid a block."""

import numpy as np
import pytest
from samples.checking_cases import sgf, step, wei7

from wei7core import check
from wei7core.batch.options import Options
from wei7core.checking.prescreen import BatchChecker
from wei7core.checking.selection import Selection
from wei7core.sources.chunks import Chunk, RawRecord, Run

BLACK, WHITE = 1, 2


def stone(color: int, x: int, y: int) -> str:
    return f'{{"color":{color},"point":{{"x":{x},"y":{y}}}}}'


@pytest.mark.parametrize("space", [b"", b" \n"])
@pytest.mark.parametrize("id", [None, "one"])
def test_how_a_record_of_wei7_starts(space, id):
    stones = f'"pre":{{"stones":[{stone(1, 4, 4)},{stone(2, 3, 3)}]}},'.encode()
    steps = [step(1, 0, 0), step(2, 1, 1)]
    plain = wei7(steps) if id is None else wei7(steps, id=id)
    text = space + plain.replace(b'"tree":{', b'"tree":{' + stones)
    (found,) = check(text, select="start-position-mismatch")
    assert (found.offset, found.path, found.branch, found.id) == (text.index(stones) + 6, "$.tree.pre", "-", id)


@pytest.mark.parametrize("before", [b"", b"\n", b"  \n "])
def test_how_a_record_of_sgf_starts(before):
    text = b"(" + before + b";GM[1]SZ[5]KM[6.5]RE[B+R]C[;]AB[aa]AW[ee]\n;B[cc];W[cb])"
    (found,) = check(text, select="start-position-mismatch")
    assert (found.offset, found.path, found.branch) == (1 + len(before), "-;0", "-")


@pytest.mark.parametrize("end", [b"", b"(;C[a])(;C[b])", b"(;B[zz])(;W[aa])"])
@pytest.mark.parametrize("before", [b"", b" \n "])
def test_findings_about_a_game_of_sgf_are_at_its_root(before, end):
    text = b"(" + before + b";GM[1]SZ[5]KM[6.5];B[cc];W[cb]" + end + b")"
    (found,) = check(text, select="result-missing")
    assert (found.offset, found.line, found.column) == (1 + len(before), *((1, 2) if not before else (2, 2)))
    assert (found.path, found.branch) == ("-;0", None)


def test_each_branch_is_given_up_where_it_cannot_go_on():
    text = sgf("Bcc Wcb")[:-1] + b"(;B[cc])(;B[aa];W[aa])(;B[zz])(;B[bb](;W[bb])(;W[cb]))(;B[ab];W[ba]))"
    found = list(check(text, severity="error", ignore="games"))
    assert [(one.code, one.branch, one.move_number, one.color, one.point, one.path) for one in found] == [
        ("move-occupied", "0", 3, BLACK, (2, 2), "0;0.B"),
        ("move-occupied", "1", 4, WHITE, (0, 0), "1;1.W"),
        ("move-off-board", "2", 3, None, None, "2;0.B"),
        ("move-occupied", "3.0", 4, WHITE, (1, 1), "3.0;0.W"),
        ("move-occupied", "3.1", 4, WHITE, (2, 1), "3.1;0.W"),
    ]
    places = [text.index(move) for move in (b"cc])(", b"aa])(", b"zz]", b"bb])", b"cb])")]
    assert [one.offset for one in found] == places


def test_errors_of_the_record_are_not_those_of_a_branch():
    text = wei7([step(1, 0, 0), step(2, 0, 0)]).replace(b'"version":"3.0",', b"")
    found = check(text, severity="error", ignore="games")
    assert [(one.code, one.branch, one.move_number) for one in found] == [
        ("format-breach", None, None),
        ("move-occupied", "-", 2),
    ]


@pytest.mark.parametrize(
    ("komi", "code"), [("12", "komi-out-of-range"), ("3.75", "komi-out-of-range"), ('"6"', "format-breach")]
)
def test_a_komi_of_wei7_is_reported_at_its_place(komi, code):
    text = wei7([step(1, 0, 0), step(2, 1, 1)]).replace(b'"komi":6.5', f'"komi": {komi}'.encode())
    (found,) = [one for one in check(text, ignore="games") if one.path.endswith("komi")]
    assert (found.code, found.offset, found.path) == (code, text.index(b": ") + 2, "$.info.rules.komi")
    chinese = text.replace(b'"rules":{', b'"rules":{"type":"Chinese",')
    dialect = list(check(chinese, select="komi-dialect"))
    assert [(one.offset, one.path) for one in dialect] == (
        [(chinese.index(b": ") + 2, "$.info.rules.komi")] if komi == "3.75" else []
    )


def block_of(texts: list[bytes]) -> Chunk:
    ends = np.cumsum([len(text) + 1 for text in texts]) - 1
    begins = ends - [len(text) for text in texts]
    runs = (Run("here.sgf", len(texts), 10, True),)
    return Chunk(b"\n".join(texts), begins, ends, "sgf", runs, np.zeros(1, np.int64))


def judged(block: Chunk, begin: int, end: int, pieces: int = 1) -> list[tuple[int, str, str | None, int]]:
    screen = BatchChecker(None, Selection.of(None, None, "info"), Options())
    screened = list(screen.screened(block, begin, end))
    assert len(screened) == (pieces if begin < end else 0)
    return [(one.record, one.code, one.id, one.offset) for each in screened for one in each.findings]


def test_records_amid_a_block():
    block = block_of(
        [
            sgf("Bcc Wcb Bbb", head="GN[0]"),
            sgf("Bcc Wcb Wbb", result="W+R", head="GN[1]"),
            sgf("Bcc Wcb Bbb Wbb", head="GN[2]"),
            sgf("Bcc Wcb", head="GN[3]"),
            sgf("Bcc Wcb Bbb", result="", head="GN[4]"),
            sgf("Bcc Wcb Bbb", head="GN[5]")[:-1] + b"(;W[aa];B[ab])(;W[ab];B[aa]))",
            sgf("Bcc Wcb Bbb", komi="650", head="GN[6]"),
        ]
    )
    whole = judged(block, 0, len(block))
    assert {number for number, *_ in whole} == {11, 12, 13, 14, 16}
    for number, _, id, offset in whole:
        assert id == str(number - 10) and block.begins[number - 10] <= offset < block.ends[number - 10]
    for begin in range(len(block)):
        for end in range(begin, len(block) + 1):
            assert judged(block, begin, end) == [one for one in whole if begin <= one[0] - 10 < end]


@pytest.mark.exhaustive
def test_records_whose_boards_take_more_memory_than_one_piece_has():
    texts = [sgf("Bcc Wcb", size="52", result="", head=f"GN[{number}]") for number in range(14000)]
    found = judged(block_of(texts), 0, len(texts), pieces=3)
    assert [(number, code, id) for number, code, id, _ in found] == [
        (10 + number, "result-missing", str(number)) for number in range(14000)
    ]


def test_what_is_compared_names_the_record():
    screen = BatchChecker(None, Selection.of("games", None, "info"), Options())
    for text, id in ((sgf("Bcc Wcb", head="GN[one]"), "one"), (sgf("Bcc Wcc", head="GN[two]"), "two"), (b"(;)", None)):
        record = screen.judged(RawRecord("here.sgf", 0, text, format="sgf"))
        assert record.id == id
    assert screen.judged(RawRecord("here.sgf", 0, None)).id is None
