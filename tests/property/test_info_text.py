"""The info object of wei7: where every member is known it is read at once, as its members are one by one."""

import pytest
from hypothesis import given
from samples import wei7_documents

from wei7core.formats.wei7 import info as reading
from wei7core.record.document import Info


def one_by_one(text):
    info = reading._fill(Info(), text, reading._INFO)
    named = {reading._name(quoted) for quoted in reading.split(text)[::2]} - info.extra.keys()
    info.kept_empty = frozenset(name for name in ("participants", "players") if name in named)
    return info


def at_once(text):
    try:
        return reading._known(text)
    except (ValueError, RecursionError):
        return None


def agree(text):
    quick, slow = at_once(text), one_by_one(text)
    assert quick is None or (repr(quick), quick.kept_empty) == (repr(slow), slow.kept_empty)
    assert reading.read_info(text) == slow
    return quick is not None


@given(wei7_documents.documents())
def test_valid_records(document):
    if "info" in document:
        agree(wei7_documents.write(wei7_documents.plain(document["info"])).encode())


@pytest.mark.parametrize(
    ("text", "is_known"),
    [
        ('{"name":"a","rules":{"komi":6.5,"scoring":"area"},"players":[],"participants":[{"rank":"9d"}]}', True),
        ('{"players":[{"participant":1.0,"color":2}],"result":{"winner":null,"margin":0.50}}', True),
        ('{"result":{"winner":1,"margin":0.10000000000000000000001}}', True),
        ('{"name":"\\ud800"}', True),
        ('{"name":5}', False),
        ('{"rules":{"komi":true}}', False),
        ('{"rules":{"komi":1e999999999}}', True),
        ('{"name":"a","name":"b"}', False),
        ('{"name":"a","other":[1,{"b":null}]}', False),
        ('{"players":[{"color":1}]}', False),
        ('{"players":[{"participant":-1}]}', False),
        ('{"players":[5]}', False),
        ('{"players":{"participant":1}}', False),
        ('{"result":{"winner":-1}}', False),
        ('{"result":{"margin":1}}', False),
        ('{"participants":[[]]}', False),
        pytest.param('{"participants":' + "[" * 100_000 + "]" * 100_000 + "}", False, marks=pytest.mark.exhaustive),
    ],
)
def test_members(text, is_known):
    assert agree(text.encode()) == is_known
