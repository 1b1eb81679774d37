"""Any JSON value through the writer and the splitter, against the standard library."""

import json
from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from wei7core.formats.wei7.json_text import encode, read_number, split

TEXT = st.text(st.characters(exclude_categories=["Cs"]))
FLOATS = st.floats(allow_nan=False, allow_infinity=False)
SCALARS = st.none() | st.booleans() | st.integers() | FLOATS | TEXT
VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner) | st.dictionaries(TEXT, inner), max_leaves=20)


@given(VALUES)
def test_encode_writes_what_json_reads(value):
    assert json.loads(encode(value)) == value


@given(st.lists(VALUES), st.integers(0, 3))
def test_split_finds_the_elements(values, indent):
    text = json.dumps(values, ensure_ascii=False, indent=indent).encode()
    assert [json.loads(element) for element in split(text)] == values


@given(st.dictionaries(TEXT, VALUES))
def test_split_finds_names_and_values(members):
    parts = [json.loads(part) for part in split(json.dumps(members).encode())]
    assert dict(zip(parts[::2], parts[1::2], strict=True)) == members


@given(st.decimals(allow_nan=False, allow_infinity=False) | st.integers() | FLOATS)
def test_numbers_keep_the_written_value(number):
    text = encode(number).decode()
    read = read_number(text)
    assert Decimal(str(read)) == Decimal(text)
    assert read_number(encode(read).decode()) == read
