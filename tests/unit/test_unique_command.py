"""`replay --unique` and `--partition`: each game once, and folders of Parquet by the values of columns."""

from __future__ import annotations

import json
import random

import pytest

import wei7core as w7
from wei7core.cli.main import main

LETTERS = "abcdefghi"


def moves(seed: int, length: int = 20) -> list[tuple[int, int]]:
    points = [(x, y) for x in range(9) for y in range(9)]
    return random.Random(seed).sample(points, length)


def sgf(points: list[tuple[int, int]], *, flip: bool = False, header: str = "") -> str:
    text = "".join(
        f";{'BW'[number % 2]}[{LETTERS[8 - x if flip else x]}{LETTERS[y]}]" for number, (x, y) in enumerate(points)
    )
    return f"(;GM[1]FF[4]SZ[9]{header}{text})"


@pytest.fixture
def folder(tmp_path):
    """Five games, of which one comes three times, once mirrored, and a file that is none."""
    path = tmp_path / "games"
    (path / "deep").mkdir(parents=True)
    one, two, three, four = map(moves, range(4))
    (path / "a.sgf").write_text(sgf(one) + "\n" + sgf(two, header="PB[two]"))
    (path / "b.sgf").write_text(sgf(one, flip=True, header="PB[copy]"))
    (path / "deep" / "c.sgf").write_text(sgf(three, header="C[ein\nzwei]"))
    steps = [
        {"action": {"type": "move", "value": {"color": 1 + number % 2, "point": {"x": x, "y": y}}}}
        for number, (x, y) in enumerate(four)
    ]
    record = {"format": "wei7", "version": "3.0", "size": 9, "tree": {"steps": steps}}
    (path / "d.wei7").write_text(json.dumps(record, indent=1))
    (path / "e.sgf").write_text(sgf(one))
    (path / "f.sgf").write_text("no game")
    return path


def keys(paths) -> list[int]:
    return sorted(row.canonical_hash for row in w7.replay(paths) if row.error is None)


@pytest.mark.parametrize("name", ["once", "once.sgf", "once.jsonl"])
def test_each_game_is_written_once(folder, tmp_path, capsys, name):
    target = tmp_path / name
    main(["replay", str(folder), "-o", str(tmp_path / "rows.csv"), "--unique", str(target), "--jobs", "2"])
    errors = capsys.readouterr().err
    assert "2 copies left out" in errors
    rows = [row for row in w7.replay(str(target)) if row.error is None]
    assert sorted(row.canonical_hash for row in rows) == sorted(set(keys(str(folder))))
    assert len(rows) == 4
    if name == "once.jsonl":
        assert len(target.read_text().splitlines()) == 4
    if name == "once":
        assert sum(path.is_file() for path in target.rglob("*")) == len(rows)


def test_losses_and_refusals_of_unique_are_reported(tmp_path, capsys):
    source = tmp_path / "l.sgf"
    source.write_text("(;SZ[9]EV[cup]KM[6.25];B[aa];W[bb];AB[cc];W[ee];B[ff])")
    assert main(["replay", str(source), "-q", "--unique", str(tmp_path / "l.jsonl")]) == 0
    assert capsys.readouterr().err == ""
    assert main(["replay", str(source), "--unique", str(tmp_path / "l2.jsonl")]) == 0
    unique = capsys.readouterr().err.splitlines()[-1]
    assert main(["convert", str(source), str(tmp_path / "l3.jsonl")]) == 0
    assert unique.partition("; ")[2] == capsys.readouterr().err.splitlines()[-1].partition("; ")[2] != ""
    large = tmp_path / "big.jsonl"
    large.write_text('{"format":"wei7","version":"3.0","size":60,"tree":{}}\n' * 2)
    assert main(["replay", str(large), "-q", "--unique", str(tmp_path / "b.sgf")]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"{large}#0: error: SGF supports boards of 1 to 52 points a side")
    assert main(["replay", str(source), "-q", "--unique", str(tmp_path / "none" / "u.sgf")]) == 2
    assert "u.sgf: no such folder" in capsys.readouterr().err


def test_targets_of_unique_that_make_no_sense(folder, tmp_path, capsys):
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "x").write_text("x")
    for target, problem in (
        (folder / "new", "one of the inputs"),
        (tmp_path / "full", "new or empty"),
        (tmp_path / "x.csv", ".sgf or .jsonl"),
    ):
        assert main(["replay", str(folder), "-o", str(tmp_path / "rows.csv"), "--unique", str(target)]) == 2
        assert problem in capsys.readouterr().err
        assert not (tmp_path / "rows.csv").exists()
    assert main(["replay", "-", "-o", str(tmp_path / "rows.csv"), "--unique", str(tmp_path / "y.sgf")]) == 2


def test_games_of_all_encodings_are_apart_in_one_file(tmp_path, capsys):
    """One in UTF-16, one of legacy bytes and one that breaks off take none of the others along."""
    texts = {
        "a": sgf(moves(1), header="PB[王立誠]").encode("utf-16"),
        "b": sgf(moves(2), header="PB[古力]C[这是一个注释]").encode("gb18030"),
        "c": sgf(moves(3), header="CA[Shift_JIS]PB[石田芳夫]").encode("shift_jis"),
        "d": b"\xef\xbb\xbf" + sgf(moves(4), header="PB[é]").encode(),
        "e": sgf(moves(5), header="PB[broken off]").encode()[:-1],
        "f": sgf(moves(6), header="PB[as it is]XX[y]\n").encode(),
        "g": sgf(moves(7), header="C[(;]PB[last]").encode(),
    }
    folder = tmp_path / "games"
    folder.mkdir()
    for name, text in texts.items():
        (folder / f"{name}.sgf").write_bytes(text)
    for name in ("once.sgf", "once.jsonl"):
        target = tmp_path / name
        main(["replay", str(folder), "-o", str(tmp_path / "rows.csv"), "--unique", str(target)])
        assert "7 games written" in capsys.readouterr().err
        names = w7.replay(str(target), metadata=True).to_numpy()["black"].tolist()
        assert names == ["王立誠", "古力", "石田芳夫", "é", "broken off", "as it is", "last"]
        assert keys(str(target)) == keys(str(folder))
    assert texts["f"] in (tmp_path / "once.sgf").read_bytes()


def test_partitions_are_those_of_a_column(tmp_path, capsys):
    parquet = pytest.importorskip("pyarrow.parquet")
    texts = [sgf(moves(seed), header=f"RE[{'BW'[seed % 2]}+R]EV[{'ab'[seed // 4]}]") for seed in range(8)]
    source = tmp_path / "games.sgf"
    source.write_text("\n".join([*texts, sgf(moves(9))]))
    target = tmp_path / "parts"
    arguments = ["replay", str(source), "-o", str(target), "--metadata", "--partition", "winner,event"]
    assert main(arguments) == 0
    found = {
        (path.parent.parent.name, path.parent.name): parquet.ParquetFile(path).metadata.num_rows
        for path in target.rglob("*.parquet")
    }
    wanted = {(f"winner={winner}", f"event={event}"): 2 for winner in (1, 2) for event in "ab"}
    assert found == wanted | {("winner=__HIVE_DEFAULT_PARTITION__", "event=__HIVE_DEFAULT_PARTITION__"): 1}
    capsys.readouterr()
    assert main(arguments) == 2
    assert "new or empty" in capsys.readouterr().err
    assert main([*arguments[:3], str(tmp_path / "other"), "--partition", "title"]) == 2
    assert "no column title" in capsys.readouterr().err
    assert main([*arguments[:3], str(tmp_path / "other"), "--partition", "winner,event,winner"]) == 2
    assert "the column winner is named twice" in capsys.readouterr().err
    assert main([*arguments[:3], str(tmp_path / "rows.parquet"), "--partition", "winner"]) == 2
    assert not (tmp_path / "other").exists()


def test_values_longer_than_the_name_of_a_folder_stop_no_batch(tmp_path, capsys):
    dataset = pytest.importorskip("pyarrow.dataset")
    reserved = "__HIVE_DEFAULT_PARTITION__"
    names = ["short", "x" * 249, "x" * 250, "x" * 300, "围" * 27, "围" * 28, "é/" * 90, "𠀀" * 25, reserved, None]
    source = tmp_path / "games.sgf"
    source.write_text("".join(sgf(moves(0), header=f"PB[{name}]PW[b]" if name else "") for name in names))
    target = tmp_path / "parts"
    assert main(["replay", str(source), "-o", str(target), "--partition", "black"]) == 0
    assert "6 values that no folder can be named by: changed" in capsys.readouterr().err
    assert all(len(path.name.encode()) <= 255 for path in target.iterdir())
    rows = dataset.dataset(target, partitioning="hive").sort_by("record").to_table(["black", "white"]).to_pylist()
    cut = ["short", "x" * 249, "x" * 240 + "…", "x" * 240 + "…", "围" * 27, "围" * 26 + "…", "é/" * 26 + "é…"]
    cut += ["𠀀" * 20 + "…", reserved + "…", None]
    assert [row["black"] for row in rows] == cut
    assert [row["white"] for row in rows] == ["b"] * 9 + [None]
    many = "black,white,event,round,place,date_raw,rules_raw,result_raw,error_message,source"
    texts = ("PB", "PW", "EV", "RO", "PC", "DT", "RU", "RE")
    source.write_text(sgf(moves(0), header="".join(f"{name}[{'围' * 200}]" for name in texts)))
    assert main(["replay", str(source), "-o", str(tmp_path / "deep"), "--partition", many]) == 0
