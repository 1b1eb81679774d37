"""Results of games in the words of SGF, servers and newspapers."""

from __future__ import annotations

import dataclasses
from decimal import Decimal

import pytest
from helpers.cases import in_groups
from hypothesis import given
from hypothesis import strategies as st
from samples.characters import UNICODE

from wei7core import Ending, GameResult, Result

# What the result is in SGF: how it is written.
WRITTEN = {
    "B+3.5": [
        "B+3.5", "b+3.50", "B + 3.5", "Ｂ＋３．５", "B+3,5", "B+7/2", "B+3 1/2", "Black+3.5", "B+3.5 points",
        "B+1.75子", "Black wins by 3.5 points", "黑3.5目胜", "黑胜3目半", "黑勝三目半", "黒三目半勝ち",
        "黒3目半勝", "흑 3집반승", "흑 3.5집승", "黑胜1又3/4子", "黑胜一又四分之三子", "黑胜1¾子", "黑胜 1.75 子",
        "黑方胜1 3/4子", "白负1又3/4子", "白負3目半", "黑3目半胜", "B+3目半",
    ],
    "W+12": [
        "W+12", "W+12.", "白胜十二目", "白12目勝ち", "백 12집승", "白胜6子",
    ],
    "W+121.5": [
        "W+121.5", "白胜一百二十一目半", "白百二十一目半勝ち",
    ],
    "B+0.5": [
        "B+0.5", "B+1/2", "黑胜半目", "黒半目勝ち", "흑반집승", "흑 반집 승", "黑胜1/4子", "黑胜¼子",
    ],
    "W+1.5": [
        "白胜3/4子", "白胜四分之三子", "백 1집반승",
    ],
    "B+1/3": [
        "B+1/3", "黑胜1/6子",
    ],
    "B+R": [
        "B+R", "B+Resign", "b+resign", "B+中盘胜", "黑中盘胜", "黑中盤勝", "黒中押し勝ち", "黒中押し勝",
        "黒中押勝", "흑불계승", "흑 불계승", "黑不计点胜", "白认输", "白認輸", "白投了", "白中盘负",
        "White resigns", "White resigned.", "Black wins by resignation",
    ],
    "W+T": [
        "W+T", "W+Time", "W+timeout", "白超时胜", "黑超时", "黑超时负", "白時間切れ勝ち", "黒時間切れ負け",
        "백 시간승", "흑 시간패", "White wins on time",
    ],
    "B+F": [
        "B+F", "B+Forfeit", "黑不戦勝", "黒反則勝ち", "白弃权负", "흑 반칙승", "White forfeits",
        "Black wins by forfeit",
    ],
    "W+": [
        "W+", "W+Offline", "W+J", "W+0", "W+0.0", "白胜", "白勝ち", "백승", "黑负", "White wins",
    ],
    "0": [
        "0", "Draw", "draw", "Jigo", "和棋", "和局", "平局", "持碁", "ジゴ", "빅", "무승부", " 0 ",
    ],
    "Void": [
        "Void", "void", "No Result", "無勝負", "无胜负", "무효",
    ],
    "?": [
        "?", "unknown", "不明",
    ],
}  # fmt: skip


@in_groups(("sgf", "written"), [(sgf, text) for sgf, texts in WRITTEN.items() for text in texts])
def test_what_people_write(sgf: str, written: str) -> None:
    assert str(GameResult.parse(written)) == sgf


@in_groups("sgf", WRITTEN)
def test_what_is_written_is_read_as_the_same(sgf: str) -> None:
    assert str(GameResult.parse(sgf)) == sgf


@in_groups(
    "text",
    [
        "", " ", "B", "+3", "2.5", "B+-3", "B+3/0", "B++3", "B+3.5.5", "B+3;W+2", "黑", "胜", "黑胜白", "3目半",
        "B+" + "9" * 21, "Black resigns. W 133.5 B 81.0", "? (No further moves known)", "BW+3", "B+٣", "B+1/2/3",
        "00", "黑胜子", "B+R" * 100,
    ],
)  # fmt: skip
def test_what_is_no_result(text: str) -> None:
    with pytest.raises(ValueError, match="not a result of a game"):
        GameResult.parse(text)


@given(st.text(UNICODE, max_size=30) | st.text("BbWw+0123456789./ 又半目子胜勝黑白흑집승分之一十百RrTt", max_size=20))
def test_any_text_is_a_result_or_refused(text: str) -> None:
    try:
        result = GameResult.parse(text)
    except ValueError:
        return
    assert GameResult.parse(str(result)) == result


@given(st.sampled_from([1, 2]), st.fractions(0, 1000, max_denominator=8).filter(bool))
def test_margins_are_exact(winner: int, margin: object) -> None:
    result = GameResult(Ending.POINTS, winner, margin)  # type: ignore[arg-type]  # a fraction
    assert GameResult.parse(str(result)) == result
    back = result.to_result()
    assert back is None or GameResult.from_result(back) == result


def test_results_of_records() -> None:
    for result in (Result(1, 2.5), Result(2, 3), Result(1), Result(None)):
        assert GameResult.from_result(result).to_result() == result
    assert GameResult.from_result(Result(2)).ending is Ending.RESIGNATION
    assert [GameResult.parse(text).to_result() for text in ("Void", "?", "B+1/3")] == [None] * 3
    assert GameResult.parse("W+T").to_result() == GameResult.parse("W+").to_result() == Result(2)
    for wrong in (Result(3), Result(1, -1), Result(1, float("nan"))):
        with pytest.raises(ValueError, match=r"winner|margin|number of points"):
            GameResult.from_result(wrong)


@in_groups(
    ("ending", "winner", "margin"),
    [
        ("DRAW", 1, None),
        ("TIME", None, None),
        ("TIME", 3, None),
        ("POINTS", 1, None),
        ("POINTS", 1, -1),
        ("TIME", 1, 2),
    ],
)
def test_values_that_do_not_belong_together(ending: str, winner: int | None, margin: int | None) -> None:
    with pytest.raises(ValueError, match=r"winner|margin"):
        GameResult(Ending[ending], winner, margin)  # type: ignore[arg-type]  # values of a table of cases


@pytest.mark.parametrize("language", ["en", "zh", "zh-zi", "ja", "ko"])
@in_groups("sgf", [*WRITTEN, "W+3", "B+1", "W+2.25", "W+10.5"])
def test_words_are_read_as_what_they_tell(sgf: str, language: str) -> None:
    result = GameResult.parse(sgf)
    assert GameResult.parse(result.text(language)) == result


@pytest.mark.parametrize("text", ["Black wins by 3 zi", "B+3zi", "黑胜3子"])
def test_margins_in_stones_are_twice_as_many_points(text: str) -> None:
    assert GameResult.parse(text) == GameResult.parse("B+6")


def test_texts_of_results_are_short() -> None:
    assert GameResult.parse("B+R" + " " * 197) == GameResult.parse("B+R")
    with pytest.raises(ValueError, match="is not a result of a game"):
        GameResult.parse("B+R" + " " * 198)


@pytest.mark.parametrize("text", ["黑胜1\u20444子", "黑胜\u00bc子", "黑胜1/4子"])
def test_fractions_are_written_in_several_ways(text: str) -> None:
    assert GameResult.parse(text) == GameResult.parse("B+0.5")
    assert GameResult.parse("黑胜\u215c子") == GameResult.parse("黑胜3/8子")


def test_words() -> None:
    result = GameResult.parse("B+3.5")
    assert [result.text(language) for language in ("en", "zh", "zh-zi", "ja", "ko")] == [
        "Black wins by 3.5 points", "黑胜3目半", "黑胜1又3/4子", "黒3目半勝ち", "흑 3집반승",
    ]  # fmt: skip
    assert GameResult.parse("W+F").text("zh") == "黑弃权负"
    with pytest.raises(ValueError, match=r"'fr' .choose from en, zh, zh-zi, ja, ko"):
        result.text("fr")
    assert [GameResult.parse(text).text("en") for text in ("B+1", "W+2", "B+0.5")] == [
        "Black wins by 1 point", "White wins by 2 points", "Black wins by 0.5 points",
    ]  # fmt: skip
    half = GameResult.parse("B+0.5")
    assert [half.text(language) for language in ("zh", "ja", "ko")] == ["黑胜半目", "黒半目勝ち", "흑 반집승"]
    assert GameResult.parse("W+").text("en") == "White wins"


def test_the_names_of_endings_are_those_that_people_store():
    names = ["points", "resignation", "time", "forfeit", "other", "draw", "void", "unknown"]
    assert [ending.value for ending in Ending] == names


def test_a_margin_is_the_number_that_json_has_for_it():
    for text, kind in [("4", int), ("3.5", float), ("0.10000000000000000001", Decimal)]:
        margin = GameResult.parse(f"B+{text}").to_result().margin
        assert type(margin) is kind and margin == kind(text)


def test_results_are_frozen():
    with pytest.raises(dataclasses.FrozenInstanceError):
        GameResult.parse("B+4").winner = 2


@in_groups(
    ("numeral", "number"),
    [*zip("一二三四五六七八九十", range(1, 11), strict=True), ("两", 2), ("百", 100), ("二一", 21), ("一三", 13)],
)
def test_each_numeral(numeral, number):
    assert GameResult.parse(f"黑胜{numeral}目").margin == number


def test_an_ending_of_another_type_is_refused():
    with pytest.raises(TypeError, match="expected an Ending, got 1"):
        GameResult(1, 2)


def test_what_is_no_text_is_refused():
    with pytest.raises(TypeError, match="a result is parsed from text, not from 5"):
        GameResult.parse(5)
