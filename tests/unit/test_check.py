"""`wei7core.check` from Python: what it counts, what it hands on, and records in files of lines that are read apart."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from helpers.cases import in_groups
from helpers.effort import first
from samples.checking_cases import CASES, GAME, GAMES, MOVES, sgf, step, wei7

from wei7core.checking.check import check
from wei7core.checking.legality import latest_early_pass
from wei7core.limits import Limits
from wei7core.rules import Ko, Rules
from wei7core.sources import byte_ranges as line_ranges
from wei7core.sources import sources

DATA = Path(__file__).parent.parent / "data"
OCCUPIED = sgf(f"{MOVES} Wbb")
TWICE = wei7([step(1, 0, 0), step(1, 0, 0)])
CLEAN = wei7([step(1, 0, 0), step(2, 1, 1)])


def test_what_is_counted():
    found = check([GAME + OCCUPIED + OCCUPIED, OCCUPIED], select="moves")
    assert (found.records, found.offending, found.shown.total()) == (0, 0, 0)
    assert [(one.source, one.record) for one in found] == [("<bytes>", 1), ("<bytes>", 2), ("<bytes>", 3)]
    assert (found.records, found.offending, dict(found.shown)) == (4, 3, {"move-occupied": 3})


def test_findings_of_one_record_are_one_record():
    found = check([TWICE, TWICE], select="moves")
    assert [(one.code, one.record) for one in found] == [
        ("move-occupied", 0), ("turn-order", 0), ("move-occupied", 1), ("turn-order", 1),
    ]  # fmt: skip
    assert (found.records, found.offending) == (2, 2)


LISTED = [{}, {"select": "games"}, {"severity": "info", "rules": "tromp-taylor"}, {"jobs": 2}]
WITH_PREFETCHED = [(options, turn != k % 2) for turn in (0, 1) for k, options in enumerate(LISTED)]


@pytest.mark.parametrize(("options", "prefetched"), first(4, WITH_PREFETCHED, 2))
def test_lists_are_the_findings_one_by_one(options, prefetched):
    texts = [case.offending for case in CASES if isinstance(case.offending, bytes)] * 2
    found, listed = (check(texts, **options) for _ in range(2))
    if prefetched:
        listed.prefetch()
    lists = list(listed.lists())
    assert [one for some in lists for one in some] == list(found)
    assert lists and all(lists)
    assert (listed.records, listed.offending, listed.shown) == (found.records, found.offending, found.shown)


def test_what_judges_is_loaded_when_records_are_there():
    code = "import sys, wei7core.cli.check; print(*sorted(set(sys.modules) & {'wei7core.checking.' + name for name in"
    code += " ('judge', 'prescreen', 'duplicates')}), 'wei7core.game.game' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_records_that_are_read_one_by_one_are_counted():
    old = (DATA / "wei7-2.2" / "simple.wei7").read_bytes()
    found = check([old, old, old], select="game-too-short")
    assert [(one.code, one.record) for one in found] == [("game-too-short", number) for number in range(3)]
    assert (found.records, found.offending) == (3, 3)


def test_stones_that_wei7_sets_up_after_a_move_are_an_error():
    stones = {"pre": {"stones": [{"color": 1, "point": {"x": 0, "y": 0}}]}}
    record = {"format": "wei7", "version": "3.0", "tree": {"steps": [step(1, 3, 3)], "branches": [stones]}}
    black = "<black x='3' y='3'/>"
    old = f"<wei7 version='2.2'><size>19</size><moves>{black}<moves><pre>{black}</pre></moves></moves></wei7>"
    for text in (json.dumps(record), old):
        (found,) = check(text.encode(), severity="error")
        assert (found.code, found.severity) == ("setup-mid-game", "error")
        assert found.evidence["problem"] == "setup-after-move"
    (found,) = check(b"(;GM[1]FF[4]SZ[5];B[dd];AB[aa])", select="setup-mid-game", severity="info")
    assert found.severity == "warning"


def test_stones_put_by_hand():
    edited = b"(;GM[1]FF[4]SZ[5]RU[Japanese];B[cc];W[dd];AB[be]AW[ae][bd][ce]AE[cc])"
    found = {one.code: one for one in check(edited, select="header")}
    assert list(found) == ["setup-mid-game", "setup-no-liberties"]
    assert found["setup-mid-game"].message == "setup after move 2: 4 stones added, 1 removed"
    assert found["setup-mid-game"].evidence == {"put": 4, "emptied": 1}
    assert (found["setup-no-liberties"].point, found["setup-no-liberties"].evidence) == ((1, 4), {"stones": 1})
    message = "the block of black (1, 4), which was set up after a move, has no liberty"
    assert found["setup-no-liberties"].message == message
    assert list(check(b"(;GM[1]FF[4]SZ[5];B[cc];W[dd];C[nothing set])", select="header")) == []
    assert list(check(b"(;GM[1]FF[4]SZ[5];C[first];AB[aa];W[dd])", select="setup-mid-game")) == []
    (found,) = check(b"(;GM[1]FF[4]SZ[5];B[aa];W[dd];AB[aa][bb]AW[dd]AE[cc])", select="setup-mid-game")
    assert found.message == "setup after move 2: 3 stones added, 1 removed, 2 of those added were already there"
    assert found.evidence == {"put": 3, "emptied": 1, "repeated": 2}


@in_groups(
    ("record", "message"),
    [
        ("HA[2];B[aa](;B[ee];W[cc])(;W[bb])", None),
        (
            "HA[2];B[aa](;W[bb])(;B[ee];W[cc])",
            "the stated handicap is 2, but Black has 1 stone before White's first move",
        ),
        ("HA[3];B[aa](;B[ee])", "the stated handicap is 3, but Black has 2 stones before White's first move"),
        ("HA[2];B[];W[];B[aa];W[];B[ee];W[cc]", None),
        ("HA[2];B[aa];B[bb];B[cc];W[dd]", None),
        ("HA[1];W[aa]", None),
        ("HA[1]AB[aa];W[bb]", None),
        ("HA[1]AB[aa][bb];W[cc]", "the stated handicap is 1, but Black has 2 stones"),
        ("HA[0]AB[aa];W[cc]", "the stated handicap is 0, but Black has 1 stone"),
        ("HA[0];B[aa];B[bb];W[cc]", None),
        ("HA[2]AB[aa]AW[bb];W[cc]", None),
    ],
)
def test_stones_of_a_handicap(record, message):
    found = list(check(f"(;GM[1]FF[4]SZ[5]{record})".encode(), select="handicap-count-mismatch"))
    assert [one.message for one in found] == ([] if message is None else [message])
    for one in found:
        stones = int(message.split("has ")[1].split()[0])
        assert one.evidence == {"handicap": int(message.split()[4].strip(",")), "stones": stones}


def test_codes_between_games_that_were_not_chosen_are_not_shown():
    (case,) = [case for case in GAMES if case.code == "duplicate-game"]
    assert [one.code for one in check(case.offending, select="duplicate-game")] == ["duplicate-game"]
    assert list(check(case.offending, select="duplicate-id")) == []
    found = check(case.offending * 2, select="games")
    shown = [one.code for one in found]
    assert dict(found.shown) == {code: shown.count(code) for code in set(shown)}
    assert max(found.shown.values()) > 1


def test_progress_is_reported_for_the_same_check():
    seen = []
    found = check([GAME, OCCUPIED], progress=lambda one: seen.append((one, one.records)), ignore="games")
    assert len(list(found)) == 1
    assert seen and all(one is found for one, _ in seen) and seen[-1][1] == 2


def test_arguments_reach_the_reading():
    with pytest.raises(ValueError, match="revision"):
        check(GAME, revision=3)
    with pytest.raises(ValueError, match="encoding"):
        check(GAME, encoding="nonesuch")
    with pytest.raises(ValueError, match="row"):
        check(GAME, first_row="left")
    with pytest.raises(ValueError, match="at least 1"):
        check(GAME, jobs=0)
    name = "(;GM[1]FF[4]SZ[9]PB[囲碁]RE[B+R];B[aa])"
    read = {"select": "file", "severity": "info"}
    (asked,) = check(name.encode("cp932"), encoding="cp932", **read)
    (guessed,) = check(name.encode("cp932"), **read)
    assert asked.message.endswith("read as cp932: it was asked for")
    assert guessed.message.endswith("read as cp932: it gives the most probable characters")
    (limited,) = [case for case in CASES if case.code == "record-limit"]
    assert [one.code for one in check(limited.offending, limits=limited.limits)] == ["record-limit"]
    assert "record-limit" not in [one.code for one in check(limited.offending)]
    assert [one.code for one in check([GAME], limits=Limits(max_bytes=10))][:1] != []


def test_replays_in_advance_give_the_same_findings(tmp_path):
    records = [case.offending for case in CASES if isinstance(case.offending, bytes)]
    for number, record in enumerate(records):
        (tmp_path / f"{number:03}.txt").write_bytes(record)
    (tmp_path / "many.sgf").write_bytes(b"".join(GAMES[0].offending) + OCCUPIED * 50)
    plain, prefetched = check([tmp_path, *records]), check([tmp_path, *records])
    prefetched.prefetch()
    assert list(prefetched) == list(plain) != []
    assert (prefetched.records, prefetched.offending, prefetched.shown) == (plain.records, plain.offending, plain.shown)
    assert check([tmp_path / "many.sgf"]).sources.bytes_in_all == (tmp_path / "many.sgf").stat().st_size
    half = check(tmp_path)
    half.prefetch()
    next(half)
    half.close()
    assert list(half) == []


@pytest.mark.skipif(not line_ranges.CAN_READ_RANGES, reason="files are read in one piece here")
@pytest.mark.parametrize("jobs", [1, 2])
def test_records_of_a_file_of_lines_count_through_its_ranges(tmp_path, monkeypatch, jobs):
    monkeypatch.setattr(sources, "LEAST_BYTES", 0)
    monkeypatch.setattr(line_ranges.LineFile.ranges, "__defaults__", (2_000,))
    lines = [TWICE if number % 7 == 3 else CLEAN for number in range(100)]
    for name in ("a.jsonl", "b.jsonl"):
        (tmp_path / name).write_bytes(b"".join(line.replace(b"\n", b" ") + b"\n" for line in lines))
    (tmp_path / "c.sgf").write_bytes(OCCUPIED)
    wanted = [number for number in range(100) if number % 7 == 3]
    found = check(tmp_path, select="move-occupied, duplicate-bytes", jobs=jobs)
    reported = list(found)
    occupied = [(os.path.basename(one.source), one.record) for one in reported if one.code == "move-occupied"]
    assert occupied == [("a.jsonl", n) for n in wanted] + [("b.jsonl", n) for n in wanted] + [("c.sgf", 0)]
    again = {(os.path.basename(one.source), one.record) for one in reported if one.code == "duplicate-bytes"}
    first = {("a.jsonl", 0), ("a.jsonl", 3)}
    assert again == {(name, n) for name in ("a.jsonl", "b.jsonl") for n in range(100)} - first
    assert (found.records, found.offending) == (201, 29)


def with_info(steps, info):
    """A record of wei7 with this text as its `info`."""
    return b'{"format":"wei7","version":"3.0","size":5,"info":%s,"tree":{"steps":%s}}' % (
        info,
        json.dumps(steps).encode(),
    )


def reported(data, **options):
    found = check(data, **{"select": "result, header", "severity": "info", **options})
    return [(one.code, data[one.offset :].split(b",")[0]) for one in found]


def test_members_of_a_header_in_json_are_found_where_they_stand():
    steps = [step(1 + number % 2, number % 5, number // 5) for number in range(12)]
    rules = b'"rules":{"type":"Japanese","komi":6.5}'
    for info, place in (
        (b'{%s,"result":{"winner":1,"margin":2}}' % rules, b'{"winner":1'),
        (b'{ "result" : {"winner" : 1, "margin":2},%s}' % rules, b'{"winner" : 1'),
        (b'{"r\\u0065sult":{"winner":1,"margin":2},%s}' % rules, b'{"winner":1'),
    ):
        data = with_info(steps, info)
        assert ("result-parity-impossible", place) in reported(data)
        # The same text precedes it, in a member that nobody knows.
        twice = data.replace(b'"info"', b'"before":%s,"info"' % info)
        offsets = {one.offset for one in check(twice, select="result-parity-impossible")}
        assert offsets == {twice.index(place, twice.index(b'"info"'))}


def test_headers_that_make_no_sense():
    for info, code in {
        b'{"result":{"winner":9}}': "result-syntax",
        b'{"result":{"winner":null},"rules":{"komi":6.5}}': "draw-impossible",
        b'{"rules":{"komi":"x"}}': "result-missing",
        b'{"result":{"winner":1},"rules":{"komi":12}}': "komi-out-of-range",
    }.items():
        assert code in [one for one, _ in reported(with_info([step(1, 0, 0)], info))]
    for text, code in {
        b"(;GM[1]FF[4]SZ[9]KM[6,5]RE[B+R];B[aa])": "komi-out-of-range",
        b"(;GM[1]FF[4]SZ[9]PL[W]RE[B+R];B[cc])": "first-player-mismatch",
        b"(;GM[1]FF[4]SZ[9]PL[Black]RE[B+R];W[cc])": "first-player-mismatch",
        b"(;GM[1]FF[4]SZ[9]PL[2]RE[B+R];B[cc])": "first-player-mismatch",
    }.items():
        assert code in [one for one, _ in reported(text)]
    assert reported(b"(;GM[1]FF[4]SZ[9]PL[B]RE[B+R];B[cc];W[dd];B[ee];W[ff])", select="first-player-mismatch") == []


PLAIN = b""
BRANCHED = b"(;C[a])(;C[b])"  # what is not plain is judged in another way, and alike
WALLS = b";B[ba];W[da];B[bb];W[db];B[bc];W[dc];B[bd];W[dd];B[be];W[de];B[];W[]"


@pytest.mark.parametrize("end", [PLAIN, BRANCHED])
@in_groups(
    ("result", "komi", "rules", "message"),
    [
        (b"0", b"0", b"Tromp-Taylor", None),
        (b"W+0.5", b"0.5", b"Tromp-Taylor", None),
        (b"W+1", b"0", b"Tromp-Taylor", "the last position is 0 by tromp-taylor rules: the stated result is W+1"),
        (b"B+2", b"0", b"Tromp-Taylor", "the last position is 0 by tromp-taylor rules: the stated result is B+2"),
        (b"B+1", b"1", b"Tromp-Taylor", "the last position is W+1 by tromp-taylor rules: the stated result is B+1"),
        (b"W+2", b"1", b"Tromp-Taylor", "the last position is W+1 by tromp-taylor rules: the stated result is W+2"),
        (b"W+R", b"0", b"Tromp-Taylor", None),
        (b"B+R", b"0", b"Tromp-Taylor", "White resigned after its own move: the stated result is B+R"),
        (b"0", b"0", b"ing", "ing rules have no draws: Black wins a tie"),
        (b"B+R" * 13 + b"x", b"0", b"ing", "B+R" * 13 + "x is not a result of a game"),
        (b"B+R" * 14, b"0", b"ing", "B+R" * 12 + " ... is not a result of a game"),
        (b"B+R" * 13 + b"xy", b"0", b"ing", "B+R" * 12 + " ... is not a result of a game"),
        (b"a\tb", b"0", b"ing", "a b is not a result of a game"),
        (b"a\x07b", b"0", b"ing", "a b is not a result of a game"),
    ],
)
def test_the_end_of_a_game(result, komi, rules, message, end):
    game = b"(;GM[1]FF[4]SZ[5]KM[%s]RU[%s]RE[%s]%s%s)" % (komi, rules, result, WALLS, end)
    found = list(check(game, select="result", severity="info"))
    assert [one.message for one in found] == ([] if message is None else [message])


@pytest.mark.parametrize("end", [PLAIN, BRANCHED])
@pytest.mark.parametrize(("result", "codes"), [(b"W+3", []), (b"B+3", ["result-winner-mismatch"])])
def test_stones_that_cannot_be_captured_count(result, codes, end):
    alive = b"AW[ab][bb][cb][db][eb][ac][bc][cc][dc][ec][ba][da][bd][dd]"
    game = b"(;GM[1]FF[4]SZ[5]KM[0.5]RU[Chinese]RE[%s]%s;B[ee];W[];B[];W[]%s)" % (result, alive, end)
    found = list(check(game, select="result-winner-mismatch, result-score-mismatch"))
    assert [one.code for one in found if one.code == "result-winner-mismatch"] == codes
    for one in found:
        if one.code == "result-winner-mismatch":
            assert one.message == "White has enough certain points to win: the stated result is B+3"


@pytest.mark.parametrize("end", [PLAIN, BRANCHED])
@pytest.mark.parametrize(("color", "other"), [(b"B", b"W"), (b"W", b"B")])
def test_what_both_hold_for_certain(color, other, end):
    """Five stones and two eyes of one color along the side, with the points after them."""
    alive = b"A%s[ab][bb][cb][db][eb][ba][da]" % color
    game = b"(;GM[1]FF[4]SZ[5]KM[0.5]RU[Chinese]RE[%s+24.5]%s;%s[ee];%s[];%s[])" % (other, alive, other, color, other)
    (found,) = check(game[:-1] + end + b")", select="result-winner-mismatch, result-score-mismatch")
    points = {b"B": "Black has 10 certain points, White 0", b"W": "Black has 0 certain points, White 10"}
    message = f"no count of the last position gives {other.decode()}+24.5: {points[color]}"
    assert (found.code, found.message) == ("result-score-mismatch", message)


def test_rules_by_which_one_pass_or_three_end_the_game():
    passes = {count: Rules(name="some", ko=Ko.SIMPLE, suicide=False, passes=count) for count in (1, 2, 3)}
    for count, reported in ((1, [2, 3]), (2, [3]), (3, [])):
        found = check(b"(;GM[1]FF[4]SZ[5];B[];W[aa];B[])", rules=passes[count], select="move-after-end")
        assert [one.move_number for one in found] == ([2] if count == 1 else [])
        found = check(b"(;GM[1]FF[4]SZ[5];B[];W[];B[aa];W[bb])", rules=passes[count], select="move-after-end")
        assert [one.move_number for one in found] == [number for number in reported if number == 3]
        assert all(one.evidence == {} for one in found)


@pytest.mark.parametrize("end", [PLAIN, BRANCHED])
def test_places_of_the_header_in_other_spellings(end):
    (found,) = check(b"(;GM[1]FF[3]SZ[5]KoMi[650]RE[B+R];B[aa];W[bb]%s)" % end, select="komi-dialect")
    assert found.offset == 21
    branches = b',"branches":[{"steps":[]},{"steps":[]}]' if end else b""
    text = wei7([step(1, 0, 0, comment="a; b")]).replace(b'"size":5', b'"size":19')
    assert text.endswith(b"]}}")
    (found,) = check(b"  " + text[:-2] + branches + b"}}", select="game-too-short")
    assert (found.offset, found.path) == (0, "$")


@pytest.mark.parametrize("end", [PLAIN, BRANCHED])
@in_groups(
    ("game", "code", "message"),
    [
        ("SZ[19];B[];W[aa]", "pass-early", "move 1, black, is a pass too early in the game"),
        ("SZ[19];B[aa];W[]", "pass-early", "move 2, white, is a pass too early in the game"),
        ("SZ[5];B[aa];B[bb]", "turn-order", "move 2, black (1, 1), has the color of the previous move"),
        ("SZ[5];B[aa];W[bb];W[]", "turn-order", "move 3, white pass, has the color of the previous move"),
        ("SZ[5];W[aa]", "first-player-mismatch", "white makes the first move, where black should"),
        ("SZ[5]PL[W];B[aa]", "first-player-mismatch", "black makes the first move, where white should"),
        ("SZ[5]PL[B];W[aa]", "first-player-mismatch", "white makes the first move, where black should"),
        ("SZ[5]HA[2]AB[aa][ee];B[bb]", "first-player-mismatch", "black makes the first move, where white should"),
        ("SZ[5]HA[2]AB[aa][ee];W[bb]", "first-player-mismatch", None),
        ("SZ[5]AB[aa];B[bb]", "first-player-mismatch", None),
        ("SZ[5]AB[aa]AW[ee];B[bb]", "first-player-mismatch", None),
    ],
)
def test_who_plays_and_passes(game, code, message, end):
    found = list(check(b"(;GM[1]FF[4]" + game.encode() + end + b")", select=code, severity="info"))
    assert [one.message for one in found] == ([] if message is None else [message])


@pytest.mark.parametrize("end", [PLAIN, BRANCHED])
@pytest.mark.parametrize("size", [5, 9, 19])
def test_the_last_pass_that_is_early(size, end):
    last = latest_early_pass(size * size)
    points = [f"{chr(97 + k % size)}{chr(97 + k // size)}" for k in range(last + 2)]
    for number, reported in ((last, True), (last + 1, False)):
        moves = [*points[: number - 1], ""]
        text = "".join(f";{'BW'[k % 2]}[{point}]" for k, point in enumerate(moves))
        found = list(check(b"(;GM[1]FF[4]SZ[%d]%s%s)" % (size, text.encode(), end), select="pass-early"))
        assert [one.move_number for one in found] == ([number] if reported else [])


def test_codes_of_problems_of_the_format():
    xml = (DATA / "wei7-2.2" / "simple.wei7").read_bytes()
    cut, odd = xml[: len(xml) // 2], xml.replace(b"</", b"<<", 1)
    fractions = wei7([step(1, 0, 0), step(2, 1, 1)], rules={"komi": 6.3})
    upper = b"(;GM[1]FF[4]SZ[5]RE[B+R];B[AA];W[bb])"
    codes = [[one.code for one in check(text, select="file, komi-out-of-range")] for text in (cut, odd, fractions)]
    assert codes == [["truncated"], ["syntax-error"], ["komi-out-of-range"]]
    assert "format-breach" not in {one.code for one in check(upper)}


@pytest.mark.exhaustive
def test_more_headers_than_there_is_room_for_at_first():
    """Records are judged as alone however many headers came before."""
    texts = [sgf(MOVES, komi=f"{k}.5", result=("B+R", "W+3.5", "W+R", "0")[k % 4]) for k in range(300)]
    alone = [[(one.code, one.message) for one in check(text, severity="info")] for text in texts]
    found = [[] for _ in texts]
    for one in check(b"".join(texts), severity="info", ignore="games"):
        found[one.record].append((one.code, one.message))
    assert found == alone and any(found)


def test_places_of_findings_in_a_collection():
    for between, line in ((b"\n  ", 3), (b"  ", 2), (b"\n\n", 4)):
        second = b"(;GM[1]SZ[5]RE[?];B[aa]\n ;W[aa]%s)" % BRANCHED
        (found,) = check(b"(;GM[1]SZ[5]RE[?];B[bb])" + between + second, select="moves", severity="warning")
        assert (found.record, found.line, found.column) == (1, line, 5)
    (found,) = check(b"(;GM[1]SZ[5];B[bb])  (;GM[1]SZ[5];B[aa];W[aa]%s)" % BRANCHED, select="move-occupied")
    assert (found.line, found.column) == (1, found.offset + 1)


@pytest.mark.parametrize("end", [PLAIN, BRANCHED])
def test_lines_and_columns_are_those_of_the_offset(end):
    heads = [
        b"(;GM[1]SZ[5]GN[one]KM[650]RE[W+R]HA[2]",
        b"(;GM[1]\n SZ[5]GN[two]\n\nKM[77]RE[none]HA[x]",
        b"(\n;GM[1]GN[three]SZ[19]RU[Chinese]\nRE[0]KM[7.5]",
        b"(;GM[1]SZ[5]GN[four]KM[6.3]RE[W+2]HA[2]",
    ]
    moves = b"AB[aa]AW[bb];B[cc];B[dd]\n;W[dd];B[]" + end + b")"
    for between in (b"", b" ", b"\n", b"  \n\n ", b"\n\t"):
        text = between.join(head + moves for head in heads)
        found = list(check(text, severity="info", ignore="games"))
        assert {one.record for one in found} == {0, 1, 2, 3} and len({one.code for one in found}) > 8
        for one in found:
            before = text[: one.offset]
            assert (one.line, one.column) == (before.count(b"\n") + 1, one.offset - before.rfind(b"\n"))
            assert one.id == ("one", "two", "three", "four")[one.record]


@pytest.mark.parametrize("end", ["", ',"branches":[{"steps":[]},{"steps":[]}]'])
def test_a_problem_to_be_solved_has_no_end(end):
    plain = wei7([step(1, 0, 0), step(2, 1, 1)])[:-2] + end.encode() + b"}}"
    (found,) = check(plain, severity="info", ignore="games")
    assert found.message == "White resigned after its own move: the stated result is B+R"
    solved = plain.replace(b'"tree":{', b'"tree":{"pre":{"problem":{"color":1}},')
    solved = solved.replace(b'"value":{', b'"value":{"evaluation":"good",')
    assert solved != plain and list(check(solved, severity="info", ignore="games")) == []


@pytest.mark.parametrize("end", [PLAIN, BRANCHED])
@pytest.mark.parametrize(("passes", "ending"), [("", "no pass"), ("W", "one pass"), ("W B", None), ("W B W", None)])
def test_passes_at_the_end_of_a_counted_game(passes, ending, end):
    text = sgf(f"Bcc Wcb Baa {passes}", result="B+3.5", head="RU[Chinese]")[:-1] + end + b")"
    found = list(check(text, select="end-without-two-passes", severity="info"))
    expected = f"the game was counted, but ends with {ending}, where chinese rules require 2"
    assert [one.message for one in found] == ([expected] if ending else [])


def test_findings_name_the_record():
    (found,) = check(wei7([step(1, 0, 0), step(1, 1, 0)], id="the one"), select="turn-order")
    assert found.id == "the one"
    (found,) = check(wei7([step(1, 0, 0), step(2, 0, 0)], id="the one"), select="move-occupied")
    assert found.id == "the one"


@pytest.mark.parametrize("end", [PLAIN, BRANCHED])
def test_what_a_move_repeats(end):
    game = b"(;GM[1]FF[4]SZ[2:1]RU[Tromp-Taylor]RE[?];B[aa];W[ba];B[aa]%s)" % end
    assert [one.message for one in check(game, select="superko, ko-recapture")] == [
        "move 3, black (0, 0), is an immediate ko recapture: it restores the position after move 1",
        "move 3, black (0, 0), repeats the position after move 1",
    ]
    game = b"(;GM[1]FF[4]SZ[1:3]RU[Tromp-Taylor]RE[?];B[aa];B[ab];B[ac]%s)" % end
    (found,) = check(game, select="superko, ko-recapture")
    assert (found.message, found.evidence) == ("move 3, black (0, 2), repeats the start", {"repeats_move": 0})
