"""The Python surface on bytes of strangers: nothing but the package's own errors comes out, JSON is judged as the
standard library judges it and records as the oracle of the tests does, and what was read can be written and replayed.

python tests/fuzz/surface.py COUNT [SEED]: so many mutations of the seeds of corpora.py. Where atheris is installed,
`python tests/fuzz/surface.py --atheris [OPTIONS OF LIBFUZZER]` is guided by the coverage of the Python modules.
"""

from __future__ import annotations

import json
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
        import wei7core.batch
        import wei7core.conversion
        import wei7core.reading
        import wei7core.writing
else:
    import wei7core as w7

import corpora  # noqa: E402
import wei7_oracle  # noqa: E402

from wei7core.errors import PROBLEM_CODES  # noqa: E402

SYNTAX = {code.name for code in PROBLEM_CODES if code.syntax}
FORMATS = (None, "wei7", "wei7-2.2", "sgf", "giseong", "gib", "ngf", "ugf")
WRITTEN = ("wei7", "wei7-rev2", "wei7-2.2", "sgf", "giseong")
LIMITS = w7.Limits(max_steps=20_000, max_points=1 << 14)


def judge_json(data: bytes, errors: set[str]) -> None:
    """Compare what a reading of wei7 says with the standard library, and with the oracle where it can tell."""
    try:
        text = data.decode("utf-8-sig")
        json.loads(text, parse_constant=int)  # int refuses NaN and Infinity, which Python alone takes for numbers
    except (ValueError, RecursionError) as error:
        assert errors & SYNTAX or isinstance(error, RecursionError), "broken JSON is told"
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
    for format in WRITTEN:
        try:
            written = w7.dumps(game, format=format, validate=False, losses=[])
        except (w7.Wei7Error, ValueError):
            continue
        if format == "wei7" and game.format == "wei7" and not game.problems:
            assert w7.dumps(w7.loads(written), format="wei7") == written, "what was written is read and written again"


def one_input(data: bytes) -> None:
    """Read, judge, write and replay one input; its first byte says as what it is read."""
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


def inputs() -> list[bytes]:
    found = corpora.seeds()
    texts = [bytes([FORMATS.index("wei7")]) + text for text in found["wei7"]]
    texts += [bytes([FORMATS.index("sgf")]) + text for text in found["sgf"]]
    for name, suffixes in (("giseong", {".giseong"}), ("wei7-2.2", {".wei7"})):
        texts += [bytes([FORMATS.index(name)]) + text for text in corpora.texts(suffixes)]
    return texts + [b"\0" + text[1:] for text in texts]


def main() -> None:
    import random

    from sgf_mutations import mutated

    count, seed = int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1
    chance, texts, done = random.Random(seed), inputs(), Counter[int]()
    for number in range(count):
        data = mutated(chance, chance.choice(texts))
        try:
            one_input(data)
        except BaseException:
            Path("surface-input").write_bytes(data)
            print(f"input {number} of seed {seed} is in surface-input", file=sys.stderr)
            raise
        done[data[0] % len(FORMATS) if data else 0] += 1
    print(f"{done.total()} mutations of {len(texts)} texts")


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    if "--atheris" in sys.argv:
        sys.argv.remove("--atheris")
        atheris.Setup(sys.argv, one_input)
        atheris.Fuzz()
    else:
        main()
