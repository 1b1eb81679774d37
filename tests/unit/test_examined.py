"""Records replayed together, with their problems, and converted together, against each of them alone."""

import itertools
import json
import random
import re
from collections import Counter
from pathlib import Path

import pytest
from helpers.effort import every, examples
from samples import sgf_mutations, sgf_server_texts
from samples.encoded_sgf import encoded_games
from samples.malformed import DOCUMENTS

import wei7core as w7
from wei7core.batch.examined import examine
from wei7core.batch.options import Options
from wei7core.batch.single_records import positions_of_record, replay_raw_record
from wei7core.cli.console import _cells, result_cells
from wei7core.cli.convert_plain import PlainRun, outcomes
from wei7core.errors import ERROR, Problem, Wei7Error
from wei7core.formats import _native
from wei7core.game.conversion import encode_record
from wei7core.game.conversion.plain_records import moved_losses
from wei7core.game.conversion.reading_losses import reading_losses
from wei7core.game.load import Guesses
from wei7core.sources.sources import Sources

DATA = Path(__file__).parent.parent / "data"
GAMES = [path.read_bytes() for path in sorted(DATA.glob("examples/*/*")) if path.suffix in (".sgf", ".wei7")]


POINTS = [{"x": k % 9, "y": k // 9} for k in range(20)]
STEPS = [
    json.dumps(
        {
            "format": "wei7",
            "version": "3.0",
            "size": 9,
            "tree": {
                "steps": [
                    {"action": {"type": "move", "value": {"color": 1 + k % 2, "point": point}}}
                    for k, point in enumerate([*POINTS[:9], end, *POINTS[9:]])
                ]
            },
        }
    ).encode()
    for end in (POINTS[9], {"x": 9, "y": 0}, POINTS[0], 7, {"x": 1})
]
MEMBERS = [b'"x":1,', b'"a\\u0041":[{}],', b'"komi":99.3,', b'"color":3,', b'"result":5,', b'"type":"normal",']


def early_end(chance: random.Random, data: bytes) -> bytes:
    """A record with moves of SGF that cannot be played, with members that wei7 does not have, or without its end."""
    for _ in range(chance.randrange(4) if data[:1] == b"{" else 0):
        at = chance.choice([found.start() for found in re.finditer(rb'"[a-z]+" *:', data)])
        data = data[:at] + chance.choice(MEMBERS) + data[at:]
    if data[:1] == b"{" and chance.random() < 0.6:
        return data
    for _ in range(chance.randrange(3) if data[:1] == b"(" else 0):
        at = data.find(b";", chance.randrange(2, len(data)))
        data = data if at < 0 else data[:at] + chance.choice([b";B[!!]C[x]", b";W[zz]", b";B[aa]"]) + data[at:]
    return data.rstrip() if chance.random() < 0.3 else data[: -chance.choice([2, 3, 4, chance.randrange(2, len(data))])]


def corpora() -> dict[str, list[bytes]]:
    chance = random.Random(5)
    encoded = list(encoded_games(chance, most=2))
    wei7 = [data for data in GAMES if data[:1] == b"{" and len(data) < 5000]
    found = {
        "examples": GAMES,
        "damaged": [*sgf_mutations.mutations(examples(20), 7), *map(sgf_server_texts.text, range(examples(20)))],
        "encoded": chance.sample(encoded, 60),
        "damaged encoded": [sgf_mutations.mutated(chance, chance.choice(encoded)) for _ in range(examples(120))],
        "malformed": [data for _, data, _ in DOCUMENTS][::4],
        "damaged wei7": [sgf_mutations.mutated(chance, chance.choice(wei7)) for _ in range(max(20, examples(60)))],
    }
    found["early ends"] = [early_end(chance, chance.choice([*GAMES, *STEPS])) for _ in range(examples(90))]
    found["collection"] = [b"\n".join(data for data in found["encoded"] if b"\0" not in data)]
    found["lines"] = [b"\n".join(data.replace(b"\n", b" ") for data in found["damaged wei7"])]
    return found


CORPORA = corpora()
OPTIONS = [
    Options(),
    Options(strict=True, limits=w7.Limits(max_problems=2)),
    Options(encoding="gbk", revision=2),
    Options(positions=True, limits=w7.Limits(max_positions=60, max_points=100)),
    Options(limits=w7.Limits(max_moves=3, max_steps=20)),
]


@pytest.mark.parametrize(("name", "options"), every(2, itertools.product(CORPORA, OPTIONS), 2))
def test_together_as_alone(name, options):
    def make(records):
        found = [records.problems(place) for place in range(len(records))]
        together = [(place, Problem(*fields)) for place, fields in records.all_problems()]
        assert together == [(place, problem) for place, problems in enumerate(found) for problem in problems]
        table = list(records.positions()) if options.positions else []
        return found, list(records.labels()), result_cells(records), records.counts(), table

    wanted = [replay_raw_record(text, options) for text in Sources(CORPORA[name], limits=options.limits)]
    errors = Counter(outcome.row.error for outcome in wanted if outcome.row.error is not None)
    found = Counter((one.severity, one.code) for outcome in wanted for one in outcome.problems)
    for jobs in (1, 2):
        made = list(examine(Sources(CORPORA[name], limits=options.limits), options, jobs, make))
        problems, labels, cells, positions = ([one for some in made for one in some[part]] for part in (0, 1, 2, 4))
        assert problems == [outcome.problems for outcome in wanted]
        assert labels == [outcome.label for outcome in wanted]
        assert list(map(tuple, cells)) == [_cells(outcome) for outcome in wanted]
        counts = [some[3] for some in made]
        assert sum(count[0] for count in counts) == len(wanted)
        assert sum(count[1] for count in counts) == sum(outcome.row.moves for outcome in wanted)
        assert sum((count[2] for count in counts), Counter()) == errors
        assert sum((count[3] for count in counts), Counter()) == found
        if options.positions:
            rows = [len(positions_of_record(outcome, options)["step"]) for outcome in wanted]
            assert len(positions) == sum(rows)


def converted_alone(texts, format, options):
    """What becomes of each record, and its losses; None where it cannot be converted."""
    guesses = Guesses()
    for text in texts:
        outcome = replay_raw_record(text, options)
        if outcome.record is None or not len(outcome.record.trees) or outcome.row.error == "game-not-go":
            yield None
            continue
        problems = guesses.doubted(outcome.row.source, outcome.record.encoding, outcome.problems)
        try:
            data, losses = encode_record(outcome.record, format, outcome.problems, options.limits)
        except (Wei7Error, ValueError):
            yield None
        else:
            yield data, reading_losses(problems) + losses, outcome


@pytest.mark.parametrize(
    ("format", "name", "options"), every(2, itertools.product(["sgf", "wei7"], CORPORA, OPTIONS[:3]), 3)
)
def test_converted_together_as_alone(name, options, format):
    wanted = list(converted_alone(Sources(CORPORA[name]), format, options))
    guesses, place, taken, with_errors = Guesses(), 0, 0, 0
    for outcome in outcomes(Sources(CORPORA[name]), 0, format, options):
        if not isinstance(outcome, PlainRun):
            problems = outcome.problems
            if wanted[place] is not None:
                guesses.doubted(outcome.row.source, outcome.record.encoding, problems)
            place += 1
            continue
        alone = wanted[place : place + len(outcome.data)]
        assert outcome.data == [one[0] for one in alone]
        rows = [(k, one[2].row.error, one[2].problems) for k, one in enumerate(alone) if one[2].row.error is not None]
        assert outcome.errors() == [(k, next(one for one in some if one.code == error)) for k, error, some in rows]
        assert outcome.moves == sum(one[2].row.moves for one in alone)
        assert outcome.problems == Counter((p.severity, p.code) for one in alone for p in one[2].problems)
        for k, one in enumerate(alone):
            row = one[2].row
            assert outcome.origin(k) == (row.source, row.record, row.id, one[2].text.one_of_many)
            problems = guesses.doubted(row.source, outcome.guesses.get(k, ""), outcome.problems_of(k))
            lost = reading_losses(problems)
            assert lost + list(moved_losses(outcome.moved[k])) == one[1]
            assert k in outcome.lossy or k in outcome.guesses or not lost
        place += len(outcome.data)
        taken += len(outcome.data)
        with_errors += sum(any(problem.severity == ERROR for problem in one[2].problems) for one in alone)
    assert place == len(wanted)
    assert taken > 0 or name not in ("examples", "encoded", "early ends") or options.encoding
    assert with_errors > 0 or name != "early ends" or options.strict


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be", "utf-32"])
def test_collections_of_wide_characters_are_converted_by_the_engine(encoding):
    text = "".join(f"(;GN[{k}]PB[古力]CA[UTF-16];B[aa]C[{k}])" for k in range(300)).encode(encoding)
    wanted = [one[:2] for one in converted_alone(Sources([text]), "sgf", Options())]
    found = list(outcomes(Sources([text]), 0, "sgf", Options()))
    assert all(isinstance(one, PlainRun) for one in found)
    made = [(data, list(moved_losses(moved))) for one in found for data, moved in zip(one.data, one.moved, strict=True)]
    assert made == wanted


def test_second_values_of_ca_that_end_in_half_a_character():
    texts = [
        b"(;CA[Big5][\xa9];B[aa])",
        b"(;PB[\xb1]CA[Big5]C[a\xb1])",
        b"(CA[Big5][\xa9]",
        b"(;CA[Big5][\xa9]N[\xb1]C[a\xb1])",
    ]
    (found,) = examine(Sources(texts), Options(), 1, lambda records: [records.problems(k) for k in range(len(records))])
    assert found == [replay_raw_record(text, Options()).problems for text in Sources(texts)]
    assert all("text-undecodable" in [problem.code for problem in problems] for problems in found)


def test_encodings_are_converted_together():
    games = [data for data in CORPORA["encoded"] if b"\0" not in data]
    runs = [one for one in outcomes(Sources(games), 0, "sgf", Options()) if isinstance(one, PlainRun)]
    assert sum(len(run.data) for run in runs) > len(games) // 2


def test_files(tmp_path: Path):
    for number, data in enumerate(CORPORA["encoded"][:20]):
        (tmp_path / f"{number}.sgf").write_bytes(data)
    (run, *_) = (one for one in outcomes(Sources(str(tmp_path)), 0, "sgf", Options()) if isinstance(one, PlainRun))
    assert run.origin(0).source == run.source(0) == str(tmp_path / "0.sgf")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_what_a_replay_finds_is_located_in_one_pass(encoding, monkeypatch):
    text = ("(;SZ[9];B[aa]" + ";W[bb](;B[aa])(;B[bb]" * 20 + ")" * 20 + ")").encode(encoding)
    located = []
    for name in ("locate_sgf", "locate_each"):
        locate = getattr(_native, name)
        monkeypatch.setattr(_native, name, lambda *args, locate=locate: located.append(len(args[1])) or locate(*args))
    (problems,) = examine(Sources([text]), Options(), 1, lambda records: (list(records.all_problems()), Counter()))
    assert len(problems[0]) > 20
    assert len(located) <= 2
    alone = replay_raw_record(next(iter(Sources([text]))), Options()).problems
    assert [Problem(*fields) for _, fields in problems[0]] == list(alone)
