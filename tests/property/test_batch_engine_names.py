"""What records are called: names that C reads are those that the readers of single records find."""

import json

from helpers.effort import examples
from hypothesis import given, settings
from hypothesis import strategies as st

import wei7core
from wei7core.batch.options import Options
from wei7core.batch.single_records import replay_raw_record
from wei7core.sources.sources import Sources

WORDS = st.text(st.sampled_from('ab{}[],:"\\/\n\t]é围😀\u2028\x7f\0id'), max_size=8)
SGF_PARTS = st.lists(
    st.sampled_from(
        ["a", "\\", "]", "[", "\\]", "\\\n", "\\\r\n", "\n\r", "\r", "\t", "\v\\\f", "围", "\\围", "\0", ":"]
    ),
    max_size=8,
)


def compare(data):
    (text,) = Sources(data)
    one = replay_raw_record(text, Options())
    (row,) = wei7core.replay(data)
    assert row == one.row
    return row


@settings(max_examples=examples(300))
@given(st.data())
def test_ids_of_wei7(data):
    info = {}
    for name in data.draw(st.permutations(["id", "name", "domain", "participants", "rules"])):
        if data.draw(st.booleans()):
            info[name] = data.draw(WORDS)
    if "participants" in info:
        info["participants"] = [{"id": info["participants"], "name": "id"}, {}]
    if "rules" in info:
        info["rules"] = {"scoring": "area", "komi": 7.5}
    text = json.dumps(
        {"format": "wei7", "version": "3.0", "size": 3, "info": info, "tree": {}},
        ensure_ascii=data.draw(st.booleans()),
        indent=data.draw(st.sampled_from([None, 1, "\t"])),
    )
    if data.draw(st.booleans()):
        text = text.replace('"id"', data.draw(st.sampled_from(['"\\u0069d"', '"i\\u0064"', '"id" '])))
    row = compare(text.encode())
    assert row.id == info.get("id")


@settings(max_examples=examples(300))
@given(SGF_PARTS, st.sampled_from(["CA[UTF-8]", ""]), st.sampled_from(["GN", "GameName", "gn", "N"]), SGF_PARTS)
def test_names_of_sgf(first, charset, name, second):
    compare(f"(;{charset}{name}[{''.join(first)}][{''.join(second)}]SZ[3];B[aa])".encode())
