"""Any JSON value through the writer and the splitter, against the standard library."""

import json
from decimal import Decimal

from helpers import draws
from hypothesis import given
from hypothesis import strategies as st

from wei7core.formats.wei7.json_text import encode, read_number, split

TEXT = draws.text(draws.characters(), max_size=20)
SCALARS = draws.sampled_from([None, True, False]) | draws.any_integers() | draws.finite_floats() | TEXT
VALUES = draws.recursive(
    SCALARS,
    lambda inner: draws.lists(inner, max_size=6) | draws.dictionaries(TEXT, inner, max_size=6),
    max_leaves=20,
)


@given(draws.drawn(VALUES))
def test_encode_writes_what_json_reads(value):
    assert json.loads(encode(value)) == value


@given(draws.drawn(draws.lists(VALUES, max_size=10)), st.integers(0, 3))
def test_split_finds_the_elements(values, indent):
    text = json.dumps(values, ensure_ascii=False, indent=indent).encode()
    assert [json.loads(element) for element in split(text)] == values


@given(draws.drawn(draws.dictionaries(TEXT, VALUES, max_size=10)))
def test_split_finds_names_and_values(members):
    parts = [json.loads(part) for part in split(json.dumps(members).encode())]
    assert dict(zip(parts[::2], parts[1::2], strict=True)) == members


@given(
    st.decimals(allow_nan=False, allow_infinity=False)
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
)
def test_numbers_keep_the_written_value(number):
    text = encode(number).decode()
    read = read_number(text)
    assert Decimal(str(read)) == Decimal(text)
    assert read_number(encode(read).decode()) == read
