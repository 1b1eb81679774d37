"""Runs of plain stones and steps are read many at once; the same text spelled otherwise, which is not, is the twin."""

import random
import re

import pytest
from helpers.cases import in_groups

import wei7core as w7
from wei7core.formats.registry import decode

STEP = re.compile(r'<(black|white) x="(\d+)" y="(\d+)" ?/>')


def tables(record):
    names = ("steps", "details", "pres", "stones", "marks", "trees", "kept")
    return {name: getattr(record, name).tobytes() for name in names}


def problems(record):
    return [(one.code, one.offset, one.path, one.message.replace("'", '"')) for one in record.problems]


def xml_text(chance):
    def steps(most):
        return "".join(
            f'<{chance.choice(["black", "white"])} x="{chance.randrange(11 if chance.random() < 0.01 else 9)}" '
            f'y="{chance.randrange(9)}"{chance.choice(["", " "])}/>{chance.choice(["", " ", chr(10)])}'
            for _ in range(chance.randrange(most))
        )

    parts = ["<moves>" + steps(30) + "</moves>", f"<!--{steps(30)}-->", f'<pre comment="">{steps(12)}</pre>', steps(9)]
    parts += ['<black x="1" y="1" comment="c"/>', f"<other>{steps(20)}</other>", f"<![CDATA[{steps(20)}]]>", "word"]
    body = "".join(steps(40) + (chance.choice(parts) if chance.random() < 0.7 else "") for _ in range(8))
    return f'<wei7 version="2.2"><size>9</size><moves>{body}</moves></wei7>'


@in_groups("seed", range(15))
@pytest.mark.parametrize("limits", [w7.Limits(), w7.Limits(max_steps=50), w7.Limits(max_depth=3)], ids=str)
def test_runs_of_xml_steps_are_read_as_step_by_step(seed, limits):
    chance = random.Random(seed)
    text = xml_text(chance)[: chance.choice([None, chance.randrange(60, 2000)])]
    twin = STEP.sub(lambda found: found[0].replace('"', "'"), text)
    assert len(twin) == len(text)
    record, expected = (decode(one.encode(), "wei7-2.2", limits=limits) for one in (text, twin))
    assert tables(record) == tables(expected)
    assert problems(record) == problems(expected)


def test_steps_of_a_long_run_have_their_offsets():
    text = '<wei7 version="2.2"><size>19</size><moves>' + '<black x="1" y="10"/>\n<white x="18" y="0" />' * 2000
    record = decode((text + "</moves></wei7>").encode(), "wei7-2.2")
    steps = record.steps
    assert steps["offset"].tolist() == [found.start() for found in STEP.finditer(text)]
    assert [tuple(step) for step in steps[["color", "x", "y"]].tolist()] == [(1, 1, 10), (2, 18, 0)] * 2000


def giseong_text(chance, spelled):
    size = chance.choice([2, 3, 5, 19])
    text = ["&[1w"]
    for _ in range(12):
        text += [
            f"&[{spelled}{chance.choice('23')};{chance.randint(1, size)};{chance.randint(1, size)}@"
            for _ in range(chance.randrange(15))
        ]
        text.append(chance.choice(["말", "{{", "}}", "&[8@", "&[9@", "&[10@", "&[0;1;2@", "&[20;31w"]))
        label = chance.randrange(20)
        text.append(f"&[{chance.randint(4, 7)};{chance.randint(1, size)};{chance.randint(1, size)};{label}@")
    return chance.choice(["", "\n", "\r\n"]).join(text) + "&[2w"


@pytest.mark.parametrize("first_row", ["top", "bottom"])
@pytest.mark.parametrize("limits", [w7.Limits(), w7.Limits(max_steps=50), w7.Limits(max_moves=70)], ids=str)
@in_groups("seed", range(8))
def test_runs_of_giseong_stones_are_read_as_stone_by_stone(seed, limits, first_row):
    text, twin = (giseong_text(random.Random(seed), spelled) for spelled in ("", "0"))
    found = []
    for one in (text, twin):
        record = decode(one.encode(), "giseong", limits=limits, first_row=first_row)
        heads = [one.encode()[:offset] for offset in record.steps["offset"].tolist()]
        offsets = [len(re.sub(rb"&\[0(?=[2-7])", b"&[", head)) for head in heads]
        steps = [record.steps[name].tolist() for name in ("x", "y", "kind", "color")]
        game = w7.loads(one, strict=False, format="giseong", limits=limits, first_row=first_row)
        noted = [(problem.code, problem.path) for problem in game.problems]
        found.append((offsets, steps, noted, repr(game.document)))
    assert found[0] == found[1]
