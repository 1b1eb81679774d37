"""The Python surface on bytes of strangers: nothing but the package's own errors comes out, JSON is judged as the
standard library judges it and records as the oracle of the tests does, and what was read can be written, read again and
replayed.

python tests/fuzz/surface.py COUNT [SEED]: so many mutations of the seeds. Where atheris is installed,
`python tests/fuzz/surface.py --atheris FOLDER [OPTIONS OF LIBFUZZER]` is guided by the coverage of the Python modules;
it starts from the seeds, which it puts into FOLDER, and keeps there what reaches more.
"""

from __future__ import annotations

import json
import random
import sys
import warnings
from collections import Counter
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

if "--atheris" in sys.argv:
    import atheris

    with atheris.instrument_imports(include=["wei7core"]):
        import wei7core as w7
        import wei7core.batch.run
        import wei7core.checking.check
        import wei7core.game.conversion
        import wei7core.game.dump
        import wei7core.game.load
else:
    import wei7core as w7

import corpora  # noqa: E402 - needs the path above
from oracles import wei7 as wei7_oracle  # noqa: E402 - needs the path above
from samples import giseong_texts, server_texts, wei7xml_texts  # noqa: E402 - needs the path above
from samples.sgf_mutations import mutated  # noqa: E402 - needs the path above

from wei7core.errors import PROBLEM_CODES  # noqa: E402 - needs the path above

SYNTAX = {code.name for code in PROBLEM_CODES if code.syntax}
FORMATS = (None, "wei7", "wei7-2.2", "sgf", "giseong", "gib", "ngf", "ugf", "ogs")
WRITTEN = {"wei7": 7, "wei7-rev2": 2, "wei7-2.2": 7, "sgf": 7, "giseong": 7}  # format -> revision to read it by
LIMITS = w7.Limits(max_steps=20_000, max_points=1 << 14)
OF_EACH = 20


def judge_json(data: bytes, errors: set[str]) -> None:
    """Compare a reading of wei7 with the standard library, and with the oracle where it applies."""
    try:
        text = data.decode("utf-8-sig")
        json.loads(text, parse_constant=int)  # int refuses NaN and Infinity, which Python alone takes for numbers
    except (ValueError, RecursionError) as error:
        assert errors & SYNTAX or isinstance(error, RecursionError), "broken JSON is reported"
        return
    assert not errors & SYNTAX, "JSON is read as JSON"
    try:
        validator = wei7_oracle.local(text, 7)
    except (ValueError, ZeroDivisionError, OverflowError, RecursionError):  # numbers beyond what it is made for
        return
    if not errors:
        assert not validator.errors, f"the oracle finds {validator.errors}"
    elif validator.errors:
        assert errors, "the reader finds something too"


def write_in_every_way(game: w7.Game) -> None:
    """Write a game in each format; what says all of it is read without an error, and then written as before."""
    for format, revision in WRITTEN.items():
        losses: list[w7.Loss] = []
        try:
            written = w7.dumps(game, format=format, validate=False, losses=losses)
        except (w7.Wei7Error, ValueError):
            continue
        again = w7.loads(written, format=format.removesuffix("-rev2"), strict=False, revision=revision)
        if not game.problems:
            wrong = [problem for problem in again.problems if problem.severity == "error"]
            assert losses or not wrong, f"{format} is written with {wrong[0]}"
            assert w7.dumps(again, format=format, validate=False, losses=[]) == written, f"{format} is written again"


def one_input(data: bytes) -> None:
    """Read, judge, write, replay and check one input; its first byte says as what it is read."""
    if not data:
        return
    format, data = FORMATS[data[0] % len(FORMATS)], data[1:]
    try:
        game = w7.loads(data, format=format, strict=False, limits=LIMITS)
    except w7.Wei7Error:
        game = None
    if game is not None:
        errors = {problem.code for problem in game.problems if problem.severity == "error"}
        if game.format == "wei7" and not any(code.startswith("limit-") for code in errors):
            judge_json(data, errors)
        offsets = [problem.offset for problem in game.problems]
        assert offsets == sorted(offsets) and all(0 <= offset <= len(data) for offset in offsets)
        write_in_every_way(game)
    results = w7.replay(data, limits=LIMITS, positions=data[:1] == b"(")
    assert [row.source for row in results] == [results[0].source] * len(results) if len(results) else not data.strip()
    check = w7.check(data, severity="info", limits=LIMITS)
    assert all(finding.record < len(results) for finding in check)
    assert check.records == len(results)


def inputs() -> list[bytes]:
    """The seeds: records of each format, with the byte that says as what they are read."""
    found, chance = corpora.seeds(), random.Random(1)
    texts = {
        "wei7": found["wei7"],
        "sgf": found["sgf"],
        "wei7-2.2": [wei7xml_texts.example(name)[: corpora.LONGEST] for name in wei7xml_texts.NAMES],
        "giseong": [path.read_bytes() for path in sorted((corpora.DATA / "examples" / "giseong").iterdir())],
    }
    texts["giseong"] += [giseong_texts.record(chance).encode(chance.choice(("utf-8", "cp949"))) for _ in range(OF_EACH)]
    for name in ("gib", "ngf", "ugf", "ogs"):
        record = getattr(server_texts, name)
        texts[name] = [record(chance).encode() for _ in range(OF_EACH)]
    named = [bytes([FORMATS.index(name)]) + text for name, kind in texts.items() for text in kind]
    return named + [b"\0" + text[1:] for text in named]


def mutations(count: int, seed: int) -> Counter[int]:
    """Try so many damaged seeds, as many of each format, and return how many of each there were."""
    chance, done = random.Random(seed), Counter[int]()
    texts: dict[int, list[bytes]] = {}
    for text in inputs():
        texts.setdefault(text[0], []).append(text)
    for number in range(count):
        of_one = texts[chance.choice(sorted(texts))]
        data, other = chance.choice(of_one), chance.choice(of_one)
        if chance.random() < 0.3:  # a part of another one of the same format
            place, begin = chance.randint(1, len(data)), chance.randint(1, len(other))
            data = data[:place] + other[begin : begin + chance.randint(1, 60)] + data[place:]
        data = data[:1] + mutated(chance, data[1:])
        try:
            one_input(data)
        except BaseException:
            Path("surface-input").write_bytes(data)
            print(f"input {number} of seed {seed} is in surface-input", file=sys.stderr)
            raise
        done[data[0]] += 1
    return done


def main() -> None:
    warnings.simplefilter("ignore")
    if "--atheris" in sys.argv:
        sys.argv.remove("--atheris")
        folder = Path(sys.argv[1])
        folder.mkdir(parents=True, exist_ok=True)
        for number, text in enumerate(inputs()):
            (folder / f"seed-{number:03}").write_bytes(text)
        atheris.Setup(sys.argv, one_input)
        atheris.Fuzz()
    else:
        done = mutations(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1)
        print(
            f"{done.total()} mutations: " + ", ".join(f"{FORMATS[of] or 'any'} {count}" for of, count in done.items())
        )


if __name__ == "__main__":
    main()
