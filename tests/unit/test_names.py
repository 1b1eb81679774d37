"""`wei7core.names`: names made comparable; the names themselves stay as they are."""

from helpers.cases import in_groups
from hypothesis import given
from hypothesis import strategies as st
from samples.characters import UNICODE

import wei7core as w7
from wei7core import names
from wei7core.record.names import normalized, normalized_all, split_rank


@in_groups(
    ("name", "expected"),
    [
        ("Lee Sedol 9p", ("Lee Sedol", "9p")),
        ("lee (3d)", ("lee", "3d")),
        ("lee(3D)", ("lee", "3D")),
        ("lee [12k?]", ("lee", "12k?")),
        ("Cho Chikun 9 dan", ("Cho Chikun", "9 dan")),
        ("柯洁九段", ("柯洁", "九段")),
        ("柯洁 9段", ("柯洁", "9段")),
        ("이세돌 9단", ("이세돌", "9단")),
        ("林海峰 （九段）", ("林海峰", "九段")),
        (" plain ", ("plain", None)),
        ("9p", ("9p", None)),
        ("九段", ("九段", None)),
        ("dragon5d", ("dragon5d", None)),
        ("bot 2019", ("bot 2019", None)),
        ("阿十九段", ("阿十九段", None)),
        ("", ("", None)),
        ("x" * 5000 + " 9p", ("x" * 5000 + " 9p", None)),
    ],
)
def test_ranks_behind_names(name, expected):
    assert split_rank(name) == expected


@in_groups(
    ("name", "expected"),
    [
        ("ＬＥＥ  Sedol (9p)", "lee sedol"),
        ("Lee\tSedol", "lee sedol"),
        ("STRASSE", "strasse"),
        ("Straße", "strasse"),
        ("é", "é"),
        ("e\u0301", "é"),
        ("ｶﾄｳ", "カトウ"),
        ("柯洁九段", "柯洁"),
        ("  ", ""),
    ],
)
def test_normal_forms(name, expected):
    assert normalized(name) == expected


def test_a_table_has_the_last_word():
    table = {"이세돌 9단": "Lee Sedol", "LEE  SEDOL": "Lee Sedol", "lee sedol": "another"}
    assert normalized("이세돌", table) == "Lee Sedol"
    assert normalized("lee sedol 9p", table) == "Lee Sedol"
    assert normalized("Gu Li", table) == "gu li"


def test_many_names():
    table = {"b": "B!"}
    assert normalized_all(["A", None, "b 3k", "A"], table) == ["a", None, "B!", "a"]
    assert w7.names is names
    assert names.normalized is normalized


@given(st.text(UNICODE, max_size=30))
def test_a_normal_form_is_stable(name):
    plain = normalized(name)
    assert plain == " ".join(plain.split())
    assert normalized_all([name, None, name]) == [plain, None, plain]
