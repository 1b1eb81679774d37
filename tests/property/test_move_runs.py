"""Records that were not edited are written without an object for each move: in the same bytes as their documents."""

import random

import pytest
from helpers.cases import in_groups
from helpers.effort import every
from helpers.failures import cases, data_of
from hypothesis import given
from samples import corpus, encoded_sgf, wei7_documents
from samples.sgf_documents import sgf_documents

import wei7core as w7
from wei7core.formats.registry import read_document, write_document
from wei7core.record.move_runs import MoveRun
from wei7core.sources.sources import Sources

EXAMPLES = [path for path in sorted((corpus.TESTS / "data" / "examples").rglob("*")) if path.is_file()]
FORMATS = ("sgf", "wei7-rev7", "wei7-rev2", "wei7-2.2", "giseong")


def written(game, format):
    """The bytes and the losses, or what is raised."""
    losses = []
    try:
        return w7.dumps(game, format=format, validate=False, losses=losses), list(map(str, losses))
    except ValueError as error:
        return type(error), str(error)


def agree(data, *, revision=7, formats=FORMATS):
    edited = w7.loads(data, strict=False, revision=revision)
    assert edited.document is not None  # from now on the document is what is written
    for format in formats:
        record = w7.loads(data, strict=False, revision=revision)
        assert edited.record is None and record.record is not None
        assert written(record, format) == written(edited, format), format


@pytest.mark.parametrize("path", every(4, EXAMPLES), ids=lambda path: f"{path.parent.name}-{path.name}")
def test_examples(path):
    agree(path.read_bytes(), revision=2 if path.parent.name == "rev2" else 7)


@pytest.mark.exhaustive
def test_records_that_other_tools_fail_on():
    for case in cases():
        if not case.get("bad"):
            agree(data_of(case))


@given(sgf_documents(info=True))
def test_generated_sgf(document):
    agree(write_document(document, "sgf"))


@given(wei7_documents.documents())
def test_generated_wei7(document):
    agree(wei7_documents.write(document).encode())


def test_encodings():
    for data in encoded_sgf.encoded_games(random.Random(20261124), most=2):
        try:
            agree(data, formats=("sgf", "wei7-rev7"))
        except w7.RecordError as error:
            assert error.code in ("charset-unknown", "no-game")


@in_groups(
    "text",
    [
        "(;SZ[9]B[aa];W[])",
        "(;SZ[9];B[];W[ba];B[aa]N[first]C[x];W[ca](;B[da];W[ea])(;W[fa];B[ga]LB[aa:1]))",
        "(;SZ[9]AB[cc][gg]HA[2];W[ee];B[aa];W[ba])",
        "(;SZ[9]AB[cc]AW[gg]PL[B]C[solve](;B[ee]C[RIGHT])(;B[aa];W[bb]))",  # a problem: its moves are judged
        "(;SZ[3]AB[aa][ba][ab][bb]AW[ca][cb][ac][bc][cc];W[aa])",
        "(;SZ[9];B[aa];AE[aa];W[aa])",
        "(;SZ[9];B[aa];W[aa];B[bb])",
        "(;SZ[9];B[ab]BM[1];W[ba];B[aa];W[ab]TE[1]W[cc];B[ba])",
        "(;SZ[60];B[aa];W[bb])",
        "(;SZ[9:13];B[am];W[ia];B[];W[])",
        "(;GM[1]SZ[9]XX[y]xX[z](;B[aa](;W[bb])(;W[cc]))(;B[dd]))",
    ],
)
def test_what_ends_a_run(text):
    agree(text.encode())


def test_most_moves_of_real_records_are_in_runs():
    rows = runs = 0
    for text in Sources([str(corpus.TESTS / "data" / "examples" / "sgf")]):
        record = w7.loads(text.data, strict=False).record
        document = read_document(record, runs=True)
        rows += len(record.steps)
        runs += sum(len(one) for branch in document.tree.walk() for one in branch.steps if isinstance(one, MoveRun))
    assert runs > rows / 2
