"""Every pair of formats: what docs/formats.md says survives a round trip does, and all else is listed."""

import contextlib
import json
import random

import pytest
from helpers.effort import every, examples
from helpers.pairs import READ_ONLY, ROWS, WRITTEN, Contents
from helpers.there_and_back import there_and_back
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from samples import giseong_texts, server_texts
from samples.sgf_documents import sgf_documents
from samples.wei7_documents import documents
from samples.wei7xml_documents import SIZES, xml_documents

import wei7core as w7
from wei7core.formats.sgf.write import document_to_sgf

SEEDS = st.integers(0, 2**32)
quick = settings(
    max_examples=examples(8),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)


def game_of(data, format):
    """The game of a text, which has no error, unless it is of SGF, where a move may be on an occupied point."""
    revision = 2 if format == "wei7-rev2" else 7
    return w7.loads(data, format=format.removesuffix("-rev2"), revision=revision, strict=format != "sgf")


def texts(format, sizes):
    """Texts of a format on boards of these sizes."""
    if format in ("wei7", "wei7-rev2"):
        revision = 2 if format == "wei7-rev2" else 7
        return documents(revision=revision, sizes=[(size, size) for size in sizes]).map(
            lambda obj: json.dumps(obj, ensure_ascii=False).encode("utf-8", "replace")
        )
    if format == "wei7-2.2":
        return xml_documents(sizes=[size for size in sizes if size in SIZES])
    if format == "sgf":
        boards = st.tuples(st.sampled_from(sizes), st.booleans())
        return boards.flatmap(lambda two: sgf_documents(two[0], info=True, edits=two[1])).map(document_to_sgf)
    if format == "giseong":
        return SEEDS.map(lambda seed: giseong_texts.record(random.Random(seed)).encode())
    return SEEDS.map(lambda seed: getattr(server_texts, format)(random.Random(seed)).encode())


def sizes_for(format):
    return {"giseong": [19], "wei7-2.2": [7, 9, 19]}.get(format, [3, 9, 19])


INFO = {
    "name": "Final",
    "place": "Seoul",
    "time": "2013-03-06T10:10:59.5Z",
    "rules": {"komi": 6.5, "type": "Korean", "scoring": "area"},
    "participants": [
        {"name": "Kim", "rank": "3d", "title": "Meijin", "id": "7", "domain": "d"},
        {"name": "Lee"},
        {"name": "Referee"},
    ],
    "players": [{"participant": 0, "color": 1}, {"participant": 1, "color": 2}],
    "result": {"winner": None, "margin": 0.5},
}
FULL = {
    "wei7": json.dumps({"format": "wei7", "version": "3.0", "info": INFO, "tree": {}}).encode(),
    "wei7-2.2": b"<wei7 version='2.2'><!-- said --><size>19</size><game><rules komi='6.5' scoring='area'/>"
    b"<black name='Kim' title='Meijin'/><result winner='neither' margin='0.5'/></game><moves><pre/></moves></wei7>",
}
"""Texts of all that chance seldom makes."""


def go_there_and_back(data, source, target):
    """Convert a text there and back, and check the table."""
    assert there_and_back(game_of(data, source), source, target) == []


@pytest.mark.parametrize("target", WRITTEN)
@pytest.mark.parametrize("source", every(2, [*WRITTEN, *READ_ONLY]))
def test_a_pair_keeps_what_the_table_says(source, target):
    sizes = [size for size in sizes_for(target) if size in sizes_for(source)]

    @given(texts(source, sizes))
    @quick
    def there_and_back(data):
        go_there_and_back(data, source, target)

    if source in FULL:
        go_there_and_back(FULL[source], source, target)
    there_and_back()


@pytest.mark.exhaustive
def test_there_are_records_that_say_what_each_row_is_about():
    covered = {
        row.what for source, data in FULL.items() for row in ROWS if row.facts(Contents(game_of(data, source).document))
    }

    wanted = {row.what for row in ROWS}

    class EnoughError(Exception):
        """Every row was covered by some record."""

    @given(st.tuples(*(texts(source, [19]) for source in WRITTEN)))
    @settings(parent=quick, max_examples=1000, phases=[Phase.generate], database=None)
    def gather(several):
        for source, data in zip(WRITTEN, several, strict=True):
            contents = Contents(game_of(data, source).document)
            covered.update(row.what for row in ROWS if row.what not in covered and row.facts(contents))
        if covered == wanted:
            raise EnoughError

    with contextlib.suppress(EnoughError):
        gather()
    assert covered == wanted
