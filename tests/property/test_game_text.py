"""Any JSON value through the writer and the splitter, against the standard library."""

import json

from hypothesis import given
from hypothesis import strategies as st

from wei7core.formats.json_text import encode, read_number, split

TEXT = st.text(st.characters(exclude_categories=["Cs"]))
SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXT
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
    assert dict(zip(parts[::2], parts[1::2])) == members


# Above 1e16 the repr of a float is not its exact value; no number of a record is near that.
@given(st.decimals(allow_nan=False, allow_infinity=False) | st.integers() | st.floats(-1e16, 1e16))
def test_numbers_come_back(number):
    assert read_number(encode(number).decode()) == number
