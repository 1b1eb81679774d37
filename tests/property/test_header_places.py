"""Findings about the header have the places of its members, whatever else is in it, as found by a parser that keeps
places.
"""

import json
import random
from json.decoder import JSONDecoder

from helpers.effort import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from wei7core import check

SPACE = " \t\r\n"
KOMI, RESULT = "7.5", '{"winner": null}'


def members(text: str, at: int) -> dict[str, int]:
    """Where the value of each member of the object at a place begins."""
    found: dict[str, int] = {}

    def skip(at: int) -> int:
        while text[at] in SPACE:
            at += 1
        return at

    at = skip(at + 1)
    while text[at] != "}":
        name, at = JSONDecoder(strict=False).raw_decode(text, at)
        begin = skip(skip(at) + 1)
        found.setdefault(name, begin)
        _, at = JSONDecoder(strict=False).raw_decode(text, begin)
        at = skip(at)
        at = skip(at + 1) if text[at] == "," else at
    return found


def record_of(chance: random.Random) -> str:
    def space() -> str:
        return "".join(chance.choices(SPACE, k=chance.choice([0, 0, 0, 1, 2])))

    def name_of(name: str) -> str:
        place = chance.randrange(len(name))
        spelled = f"{name[:place]}\\u{ord(name[place]):04x}{name[place + 1 :]}"
        return f'"{chance.choice([name, name, name, spelled])}"'

    def object_of(*rows: tuple[str, str]) -> str:
        inside = ",".join(f"{space()}{name_of(name)}{space()}:{space()}{value}{space()}" for name, value in rows)
        return "{" + inside + "}"

    odd = [KOMI, RESULT, '"komi"', '"rules"', f'"\\"komi\\":{KOMI}"', '"{"', '"}"', "[]", "{}", '"\\u007d,"', "null"]
    odd += [object_of(("komi", KOMI)), object_of(("result", RESULT), ("rules", object_of(("komi", KOMI)))), "[7.5]"]

    def others(*names: str) -> list[tuple[str, str]]:
        return [(name, chance.choice(odd)) for name in chance.sample(names, chance.randint(0, len(names)))]

    def shuffled(rows: list[tuple[str, str]]) -> list[tuple[str, str]]:
        chance.shuffle(rows)
        return rows

    rules = object_of(*shuffled([("komi", KOMI), *others("x", "komis", "kom", "handicap", "info")]))
    info = object_of(*shuffled([("rules", rules), ("result", RESULT), *others("a", "results", "komi", "z")]))
    move = '{"action":{"type":"move","value":{"color":1,"point":{"x":0,"y":0}}}}'
    step = object_of(*shuffled([("action", move[10:-1]), *[("odd", info)] * chance.randint(0, 1)]))
    rows = [
        ("format", '"wei7"'),
        ("version", '"3.0"'),
        ("size", "9"),
        ("info", info),
        ("tree", f'{{"steps":[{step}]}}'),
    ]
    rows += [(name, info) for name in ("another", "inf", "infos") if chance.random() < 0.3]
    return object_of(*shuffled(rows))


@settings(max_examples=examples(300), deadline=None)
@given(st.integers(0, 1 << 32))
def test_places_of_results(seed: int) -> None:
    text = record_of(random.Random(seed))
    assert json.loads(text)["info"]["rules"]["komi"] == 7.5
    expected = members(text, members(text, 0)["info"])["result"]
    (found,) = check(text.encode(), select="draw-impossible")
    assert found.offset == expected
