"""Reading and writing of every format: loads, loads_all, load, load_all, dumps, dump, convert."""

import gzip
import pickle
import warnings
from pathlib import Path

import pytest

import wei7core as w7
from wei7core.errors import RecordError

DATA = Path(__file__).parents[1] / "data"
SGF = DATA / "examples" / "sgf"
COLLECTION = DATA / "sgf" / "collection.sgf"
ONE = b"(;FF[4]CA[UTF-8]GM[1]SZ[9];B[aa];W[bb])"


def moves(game):
    """The moves in force at the end of the main line."""
    *_, end = game.main_line()
    return end.board.moves()


def test_errors_of_records_go_to_a_list(tmp_path):
    for name, data in (
        ("a.sgf", ONE),
        ("b.sgf", b""),
        ("c.jsonl", b"[]\n{}\n"),
        ("d.sgf", ONE + b"(;SZ[9];B[zz])" + ONE),
    ):
        (tmp_path / name).write_bytes(data)
    with pytest.raises(RecordError, match="the data is empty"):
        list(w7.load_all(tmp_path, strict=False))
    failed = []
    assert len(list(w7.load_all(tmp_path, failed=failed))) == 3
    assert [(Path(error.source).name, error.problem.code) for error in failed] == [
        ("b.sgf", "format-unknown"),
        ("c.jsonl", "type-mismatch"),
        ("c.jsonl", "missing-member"),
        ("d.sgf", "point-off-board"),
    ]
    failed.clear()
    assert len(list(w7.loads_all(ONE + b"(;SZ[9];B[zz])" + ONE, failed=failed))) == 2
    assert [(error.source, error.problem.code) for error in failed] == [(None, "point-off-board")]


def test_the_content_decides():
    assert w7.loads(ONE).format == "sgf"
    assert w7.loads(b'{"format":"wei7","version":"3.0","tree":{}}').format == "wei7"
    assert w7.loads(ONE.decode()).size == (9, 9)
    with pytest.raises(w7.RecordSyntaxError):
        w7.loads(ONE, format="wei7")
    with pytest.raises(ValueError, match="cannot be read"):
        w7.loads(ONE, format="gtp")
    with pytest.raises(w7.RecordError):
        w7.loads(b"neither")


def test_a_str_needs_no_encoding():
    game = w7.loads("(;GM[1]FF[4]CA[gb2312]SZ[9]PB[黑];B[aa]C[許功蓋\\]])")
    assert game.problems == ()
    assert game.info.black_name == "黑"
    assert game.tree.steps[0].comment == "許功蓋]"


@pytest.mark.parametrize("name", ["gbk.sgf", "big5.sgf", "shift-jis.sgf", "utf-16.sgf"])
def test_encodings_that_are_named(name):
    game = w7.load(SGF / name)
    assert game.problems == ()
    assert len(moves(game)) == len([step for step in game.tree.steps if isinstance(step.action, w7.Move)]) >= 2
    assert "\ufffd" not in (game.tree.steps[0].comment or "")
    again = w7.loads(w7.dumps(game, format="sgf"))
    assert again.tree == game.tree
    assert again.info == game.info


def test_an_encoding_that_is_given():
    game = w7.load(SGF / "no-charset.sgf", encoding="windows-1251")
    assert game.info.white_name == "Илья Шикшин"
    assert [problem.code for problem in game.problems] == ["charset-assumed"]


def test_a_collection_is_read_game_by_game():
    with pytest.raises(RecordError) as caught:
        w7.loads(COLLECTION.read_bytes())
    games = list(w7.load_all(COLLECTION, strict=False))
    assert [game.size for game in games] == [(9, 9), (13, 13), (19, 19), (8, 8), (9, 9)]
    assert [[problem.code for problem in game.problems] for game in games] == [
        ["text-outside-tree"],
        ["tree-unclosed"],
        ["move-occupied"],
        ["game-not-go"],
        ["point-off-board"],
    ]
    data = COLLECTION.read_bytes()
    third = games[2].problems[0]
    assert data[third.offset : third.offset + 3] == b"pd]"
    assert data[: third.offset].count(b"\n") + 1 == third.line
    with pytest.raises(RecordError) as caught:
        list(w7.load_all(COLLECTION))
    assert caught.value.source == str(COLLECTION)
    assert len(list(w7.loads_all(data, strict=False))) == 5
    assert [game.size for game in w7.loads_all(ONE)] == [(9, 9)]


def test_one_game_is_asked_for_where_there_are_several():
    two = ONE + b"\n" + ONE
    with pytest.raises(RecordError) as caught:
        w7.loads(two)
    assert caught.value.code == "more-games"
    assert moves(w7.loads(two, strict=False)) == [(1, (0, 0)), (2, (1, 1))]


def test_several_records_in_a_file(tmp_path):
    path = tmp_path / "two.sgf"
    path.write_bytes(ONE + b"\n" + ONE)
    with pytest.raises(RecordError) as caught:
        w7.load(path)
    assert (caught.value.code, caught.value.source) == ("more-games", str(path))
    assert w7.load(path, strict=False).size == (9, 9)


def test_a_compressed_file(tmp_path):
    path = tmp_path / "one.sgf.gz"
    path.write_bytes(gzip.compress(ONE))
    assert moves(w7.load(path)) == [(1, (0, 0)), (2, (1, 1))]


def test_what_is_not_there_is_no_record(tmp_path):
    with pytest.raises(FileNotFoundError):
        w7.load(tmp_path / "none.sgf")
    with pytest.raises(FileNotFoundError):
        list(w7.load_all(tmp_path / "none.sgf"))


def test_writing_by_suffix(tmp_path):
    game = w7.loads(ONE)
    w7.dump(game, tmp_path / "a.sgf")
    assert w7.load(tmp_path / "a.sgf").tree == game.tree
    w7.dump(game, tmp_path / "B.SGF")
    assert (tmp_path / "B.SGF").read_bytes() == (tmp_path / "a.sgf").read_bytes()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        w7.dump(game, tmp_path / "a.wei7", losses=[])
    assert moves(w7.load(tmp_path / "a.wei7")) == moves(game)
    with pytest.raises(RecordError) as caught:
        w7.dump(game, tmp_path / "a.txt")
    assert caught.value.code == "file-suffix"
    with pytest.raises(ValueError, match="unknown output format"):
        w7.dumps(game, format="gib")


def test_the_suffix_of_sgf_in_capitals(tmp_path):
    game = w7.loads(ONE)
    w7.dump(game, tmp_path / "A.SGF")
    assert w7.load(tmp_path / "A.SGF").tree == game.tree


@pytest.mark.parametrize("format", ["wei7", "wei7-rev2"])
def test_wei7_is_not_written_under_another_suffix(tmp_path, format):
    with pytest.raises(RecordError) as caught:
        w7.dump(w7.loads(ONE), tmp_path / "a.sgf", format=format)
    assert caught.value.code == "file-suffix"
    assert list(tmp_path.iterdir()) == []


def test_a_damaged_file_of_one_record_is_reported_as_such(tmp_path):
    path = tmp_path / "one.sgf.gz"
    path.write_bytes(gzip.compress(ONE)[:-10])
    with pytest.raises(RecordError) as caught:
        w7.load(path)
    assert caught.value.code == "archive-invalid"
    assert w7.load(path, strict=False).problems[0].code == "archive-invalid"
    path.write_bytes(gzip.compress(ONE + ONE)[:-4])
    with pytest.raises(RecordError, match="several records"):
        w7.load(path)


@pytest.mark.parametrize("strict", [True, False])
def test_a_folder_or_archive_without_a_record(tmp_path, strict):
    archive = tmp_path / "empty.zip"
    archive.write_bytes(b"PK\5\6" + bytes(18))
    (tmp_path / "folder").mkdir()
    for path in (archive, tmp_path / "folder"):
        with pytest.raises(RecordError, match="contains no records") as caught:
            w7.load(path, strict=strict)
        assert caught.value.source == str(path)
        assert list(w7.load_all(path)) == []


def test_a_path_of_bytes(tmp_path):
    path = tmp_path / "a.sgf"
    path.write_bytes(ONE)
    assert w7.load(bytes(path)).size == (9, 9)
    assert len(list(w7.load_all(bytes(path)))) == 1


@pytest.mark.parametrize("data", [ONE, b'{"format":"wei7","version":"3.0","tree":{}}'])
def test_what_is_not_known_is_a_value_error(data):
    for options in ({"revision": 3}, {"encoding": "nope"}, {"encoding": "idna"}, {"encoding": "cp037"}):
        with pytest.raises(ValueError, match="not known"):
            w7.loads(data, **options)
        with pytest.raises(ValueError, match=r"unknown|must be"):
            w7.replay(data, **options)


def test_losses_are_reported_where_they_happen(tmp_path):
    game = w7.loads(b"(;FF[4]GM[1]SZ[9];B[aa];AW[cc];B[dd])")
    for lose in (
        lambda: w7.dumps(game),
        lambda: w7.dump(game, tmp_path / "a.wei7"),
        lambda: w7.convert(game, "wei7"),
    ):
        with pytest.warns(w7.LossWarning) as reported:
            lose()
        assert [warning.filename for warning in reported] == [__file__]


def test_losses_are_reported():
    game = w7.loads(b"(;FF[4]GM[1]SZ[9];B[aa];AW[cc];B[dd])")
    with pytest.warns(w7.LossWarning, match="setup-after-move"):
        w7.dumps(game)
    losses = []
    converted = w7.convert(game, "wei7", losses=losses)
    assert [loss.code for loss in losses] == ["setup-after-move"]
    assert converted.format == "wei7"
    assert moves(converted) == [(1, (0, 0))]
    assert game.format == "sgf"


def test_setup_in_the_game_is_exact():
    game = w7.load(SGF / "setup-in-the-game.sgf")
    ends = {node.path: str(node.board) for node in game.leaves()}
    assert len(ends) == 2
    results = w7.replay(SGF / "setup-in-the-game.sgf", board=True, positions=True)
    row = results[0]
    assert (row.width, row.height, row.moves, row.error) == (5, 4, 3, None)
    *_, end = game.main_line()
    assert f"{end.board.hash:016x}" == f"{row.hash:016x}"


def test_takebacks_become_variations():
    game = w7.Game(9)
    game.tree.play(w7.BLACK, (0, 0))
    game.tree.play(w7.WHITE, (1, 1))
    game.tree.take_back()
    game.tree.play(w7.WHITE, (2, 2))
    losses = []
    converted = w7.convert(game, "sgf", losses=losses)
    assert "takeback-as-variation" in {loss.code for loss in losses}
    assert moves(converted) == moves(game)
    assert [len(list(line)) for line in [converted.leaves()]] == [2]


def test_a_game_of_sgf_is_pickled_and_checked():
    game = w7.load(SGF / "variations.sgf")
    again = pickle.loads(pickle.dumps(game))
    assert again == game
    assert again.format == "sgf"
    assert game.check() == ()
    with pytest.raises(ValueError, match="convert"):
        game.to_obj()
    game.tree.steps.append(w7.Step(w7.Move(w7.BLACK, (99, 99))))
    with pytest.raises(ValueError):
        w7.dumps(game, format="sgf")


def test_names_of_files_may_be_bytes(tmp_path):
    name = bytes(tmp_path / "a.sgf")
    w7.dump(w7.loads(ONE), name)
    assert moves(w7.load(name)) == moves(w7.loads(ONE))
