"""What is written as wei7 2.2 is valid by the schema of the specification, and the reader agrees with it."""

from pathlib import Path

import pytest
from helpers.cases import in_groups
from helpers.effort import examples
from hypothesis import HealthCheck, given, settings
from samples.clauses.wei7xml import ROWS
from samples.wei7xml_documents import xml_documents
from samples.wei7xml_texts import EXAMPLES, NAMES, SCHEMA, example

import wei7core

# What the schema does not look at (section 5 of the specification says so), or what is no matter of a schema.
BEYOND = {
    *("setup-after-move", "setup-point-taken", "setup-no-liberty", "move-occupied", "mark-without-step"),
    *("moves-without-step", "attribute-excluded", "xml-declaration", "doctype-refused", "encoding-invalid"),
}
OTHERS = sorted((EXAMPLES.parent / "examples").glob("*/*.*"))


@pytest.fixture(scope="module")
def schema():
    # Imported here: it takes each worker a third of a second, and one of them runs these tests.
    xmlschema = pytest.importorskip("xmlschema", reason="the schema of wei7 2.2 needs the package xmlschema")
    return xmlschema.XMLSchema(str(SCHEMA))


def is_valid(schema, data: bytes) -> bool:
    return schema.is_valid(data.decode("utf-8-sig"))


@pytest.mark.parametrize("name", NAMES)
def test_examples(schema, name):
    assert is_valid(schema, example(name))
    assert is_valid(schema, wei7core.dumps(wei7core.loads(example(name)), format="wei7-2.2"))


@pytest.mark.parametrize("path", OTHERS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_records_of_other_formats(schema, path: Path):
    game = wei7core.load(path, strict=False, revision=2 if path.parent.name == "rev2" else 7)
    try:
        data = wei7core.dumps(game, format="wei7-2.2", losses=[])
    except wei7core.ConversionError:
        assert game.size == (5, 4)
        return
    assert is_valid(schema, data)


@given(xml_documents())
@settings(max_examples=examples(10), deadline=None, suppress_health_check=list(HealthCheck))
def test_what_is_generated(schema, data):
    assert is_valid(schema, data)
    assert is_valid(schema, wei7core.dumps(wei7core.loads(data), format="wei7-2.2"))


@in_groups("number", [number for number, row in enumerate(ROWS) if row.kind == "accept"])
def test_what_is_accepted_is_valid(schema, number):
    assert is_valid(schema, ROWS[number].data) or "though the schema" in ROWS[number].why


@in_groups("number", [number for number, row in enumerate(ROWS) if row.kind == "reject"])
def test_what_is_rejected_is_not_valid(schema, number):
    row = ROWS[number]
    if row.problems[0].code in BEYOND:
        return
    try:
        valid = is_valid(schema, row.data)
    except Exception:
        valid = False  # no XML
    # The schema looks at points below 19 alone, and not whether they are there; it would let a title hold a reference.
    if "3.17-3" in row.ids.split():
        return
    assert not valid
