"""Real and generated games as wei7 JSON, replayed by command and library, against results of other programs."""

import csv
import gzip
import json
import re

import pytest
from samples import corpus

from wei7core import replay
from wei7core.cli.main import main

pytestmark = pytest.mark.exhaustive


def move(color, point):
    where = None if point is None else {"x": point[0], "y": point[1]}
    return {"action": {"type": "move", "value": {"color": color, "point": where}}}


def document(width, height, steps, **info):
    size = width if width == height else {"width": width, "height": height}
    text = {"format": "wei7", "version": "3.0", "size": size, "info": info, "tree": {"steps": steps}}
    return json.dumps(text, separators=(",", ":"))


def documents_of_real_games(folder):
    """Real games as JSON; the texts of moves are put together, because there are millions of them."""
    made = [(color, point) for color in (1, 2) for point in [None, *((x, y) for x in range(19) for y in range(19))]]
    texts = {f"{'BW'[color - 1]}[{corpus.letters(point)}]": json.dumps(move(color, point)) for color, point in made}
    for id, moves in corpus.tygem_texts(folder):
        yield document(19, 19, [], id=id).replace("[]", f"[{','.join(map(texts.__getitem__, moves))}]")


def write_lines(path, documents):
    with open(path, "w", encoding="utf-8") as file:
        for text in documents:
            file.write(text + "\n")


def replayed_lines(tmp_path, documents):
    """The rows of `wei7core replay --board` for one file of lines, with the checks every row must pass."""
    write_lines(tmp_path / "games.jsonl", documents)
    assert (
        main(["replay", str(tmp_path / "games.jsonl"), "-o", str(tmp_path / "rows.csv"), "--board", "--jobs", "2"]) == 0
    )
    with open(tmp_path / "rows.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["record"] for row in rows] == [str(number) for number in range(len(rows))]
    assert {(row["error"], row["problems"]) for row in rows} <= {("", "0")}
    return rows


def test_real_games_come_out_as_two_other_programs_found(tmp_path):
    folder = corpus.require()
    rows = replayed_lines(tmp_path, documents_of_real_games(folder))
    figures = ["id", "moves", "black_captured", "white_captured", "passes", "suicides", "ko_recaptures"]
    got = [[*(row[name] for name in figures), corpus.sha16(row["board"])] for row in rows]
    names = ["id", "moves", "black_captured", "white_captured", "passes", "suicides", "ko_retakes", "final_sha16"]
    assert got == [[row[name] for name in names] for row in corpus.tygem_expected(folder)]
    assert len(got) == 20_000


SGF_FIGURES = ["id", "moves", "black_captured", "white_captured", "passes", "suicides", "ko_recaptures"]
EXPECTED_FIGURES = ["id", "played", "black_captured", "white_captured", "passes", "suicides", "ko_retakes"]


@pytest.mark.parametrize(
    ("name", "count", "jobs"),
    [("tygem-dev", 20_000, 1), ("tygem-dev", 20_000, 2), ("tygem-tom-irregular", 35, 1)],
)
def test_sgf_collections_come_out_as_two_other_programs_found(tmp_path, name, count, jobs):
    folder = corpus.require()
    source = folder / f"{name}.sgf.gz"
    output = tmp_path / "rows.csv"
    status = main(["replay", str(source), "-o", str(output), "--board", "--jobs", str(jobs)])
    with open(output, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    with gzip.open(folder / f"{name}.expected.csv.gz", "rt", encoding="utf-8", newline="") as file:
        expected = list(csv.DictReader(file))
    assert len(rows) == count
    assert [row["record"] for row in rows] == [str(number) for number in range(count)]
    assert {(row["source"], row["format"], row["width"], row["height"]) for row in rows} == {
        (str(source), "sgf", "19", "19")
    }
    # The corpus stops before a move on an occupied point; FF[4] replaces the stone and continues.
    whole = [(row, said) for row, said in zip(rows, expected, strict=True) if not said["first_occupied"]]
    assert [[*(row[figure] for figure in SGF_FIGURES), corpus.sha16(row["board"])] for row, _ in whole] == [
        [*(said[figure] for figure in EXPECTED_FIGURES), said["final_sha16"]] for _, said in whole
    ]
    assert [row["moves"] for row in rows] == [said["moves"] for said in expected]
    assert [(row["error"], row["problems"]) for row in rows] == [
        ("", "1" if said["first_occupied"] else "0") for said in expected
    ]
    assert status == 0
    for row in rows:
        if row["error"]:
            with gzip.open(source) as file:
                file.seek(int(row["error_offset"]))
                assert re.match(rb"[a-s]{2}\]", file.read(3))


def steps_of(game):
    """The steps of a machine-made game, takebacks as steps of their own."""
    for kind, *value in game["steps"]:
        if kind == "takeback":
            yield {"action": {"type": "takeback", "value": value[0]}}
        else:
            yield move(corpus.COLORS[kind], None if value == [None] else value)


def test_machine_made_games_of_every_shape_come_out_as_a_flood_fill_found(tmp_path):
    games = list(corpus.random_rules_games(corpus.random_rules_file()))
    rows = replayed_lines(tmp_path, (document(game["width"], game["height"], list(steps_of(game))) for game in games))
    assert [(row["board"], [int(row["black_captured"]), int(row["white_captured"])]) for row in rows] == [
        (game["final"], game["captured"]) for game in games
    ]
    assert [int(row["takebacks"]) for row in rows] == [
        sum(step[0] == "takeback" for step in game["steps"]) for game in games
    ]


def test_games_split_into_branches_keep_their_main_line():
    """The same games, each step in a branch below the one before, with a variation of every branch."""
    side = {"steps": [move(1, None), move(2, None), {"action": {"type": "takeback", "value": 2}}]}
    for game in list(corpus.random_rules_games(corpus.RANDOM_RULES_SAMPLE))[:100]:
        tree = {}
        for step in reversed(list(steps_of(game))[:200]):
            tree = {"steps": [step], "branches": [tree, side]}
        straight = document(game["width"], game["height"], list(steps_of(game))[:200])
        branched = json.loads(straight)
        branched["tree"] = tree
        one, two = replay([straight.encode(), json.dumps(branched).encode()], board=True)
        assert two[3:16] == one[3:16]
        assert two.error is None
