"""Items of lists by number, against statements of Python that do the same."""

import random

import pytest
from helpers.cases import in_groups

from wei7core._util._native import cells_of, joined_items, numbers_with

LETTERS = bytes("abcdefghij".find(chr(code)) & 255 for code in range(128))


@pytest.mark.parametrize("separator", ["", " ", ", "])
def test_texts_are_joined_as_by_python(separator):
    chosen = random.Random(3)
    texts = ["", "a", "bc", "D" * 300]
    for count in (1, 2, 7, 400):
        numbers = [chosen.randrange(len(texts)) for _ in range(count)]
        assert joined_items(texts, numbers, separator) == separator.join(texts[at] for at in numbers)


@in_groups(
    ("texts", "numbers", "separator"),
    [
        (["a"], [], " "),
        (["a", "\xe9"], [0, 1], " "),
        (["a", "十"], [1], " "),
        (["a"], [0], "、"),
        (["a", 5], [1], " "),
        (["a"], [1], " "),
        (["a"], [-1], " "),
        (["a"], [1 << 70], " "),
        (["a"], ["0"], " "),
        (["a"], [True], " "),
    ],
)
def test_what_is_no_plain_text_is_left_to_python(texts, numbers, separator):
    assert joined_items(texts, numbers, separator) is None


def test_numbers_with_a_value():
    values = bytes(random.Random(4).choices(range(3), k=361))
    for value in (0, 1, 2, 200):
        assert numbers_with(values, value) == [at for at, found in enumerate(values) if found == value]
    assert numbers_with(b"", 0) == []


@pytest.mark.parametrize(("width", "height"), [(10, 10), (3, 7), (1, 1)])
def test_cells_as_pairs_and_as_letters(width, height):
    pairs = random.Random(5).choices([(x, y) for x in range(width) for y in range(height)], k=40)
    numbers = [y * width + x for x, y in pairs]
    bits = sum(1 << number for number in set(numbers))
    for cells in (pairs, [f"{'abcdefghij'[x]}{'abcdefghij'[y]}" for x, y in pairs]):
        found = cells_of(cells, width, height, LETTERS)
        assert found is not None
        assert found[0] == numbers
        assert int.from_bytes(found[1], "little") == bits
    assert cells_of([], width, height, b"") == ([], bytes((width * height + 7) // 8))


@pytest.mark.parametrize(
    "cell",
    [
        *[
            (3, 0),
            (0, 2),
            (-1, 0),
            (1 << 70, 0),
            (0, -(1 << 70)),
            (0,),
            (0, 0, 0),
            (0.0, 0),
            (True, 0),
            [0, 0],
            None,
            3,
        ],
        *["", "a", "aaa", "da", "ac", "ab:bb", "\xe9a", "十a", "Aa", "a~", "\x7fa"],
    ],
)
def test_other_cells_are_left_to_the_caller(cell):
    assert cells_of([(0, 0), cell], 3, 2, LETTERS) is None


def test_letters_without_a_table_are_no_cells():
    assert cells_of(["aa"], 3, 2, b"") is None
    assert cells_of(["aa"], 3, 2, LETTERS) == ([0], b"\1")
