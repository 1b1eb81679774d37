"""Files in folders whose names say nothing: what starts as a record is read, everything else is passed over."""

import os

import pytest

import wei7core as w7
from wei7core.sources.sources import Sources

RECORDS = [
    b"(;GM[1]SZ[9];B[aa])",
    b"\xef\xbb\xbf\n( ;\nFF[4]SZ[9];B[aa])",
    b'{"format": "wei7", "version": "3.0", "size": 9, "tree": {}}',
    b'<wei7 version="2.2"><size>9</size><moves><pre/></moves></wei7>',
    b'<?xml version="1.0"?>\n<wei7 version="2.2"><size>9</size><moves><pre/></moves></wei7>',
    b"\\HS\r\n\\[GAMEBLACKNAME=a\\]\r\n\\HE\r\n\\GS\r\nSTO 0 2 1 0 0\r\n\\GE\r\n",
    b"[Header]\r\nLang=SJIS\r\nSize=19\r\nHdcp=0,5.50\r\nCoordinateType=IGS\r\n[Data]\r\nQP,B1,1,0\r\n",
    b'{"game_id": 1, "width": 9, "height": 9, "moves": [[2, 2, 300], [3, 3, 1]]}',
    b'{"id": 1, "gamedata": {"height": 9, "width": 9, "moves": [[2, 2, 300], [3, 3, 1]]}}',
]
OTHERS = [
    b"",
    b"an SGF game looks so: (;GM[1]SZ[9];B[aa])",
    b"# (;B[aa])",
    b'{"format": "other"}',
    b'{"moves": [[2, 2, 300]]}',
    b'{"width": 5, "gamedata": 1}',
    b"[Header]\nname = x\n[Data]\nPlayer=1\n",
    b"(define x 1)",
    b"( ; a comment)",
    b"<html>(;GM[1])</html>",
    b"\x00" * 600,
]


@pytest.mark.parametrize("name", ["game", "game.txt", "game.sgf.bak", "GAME.XYZ"])
@pytest.mark.parametrize("data", RECORDS)
def test_records_are_read(tmp_path, name, data):
    (tmp_path / name).write_bytes(data)
    (row,) = w7.replay(tmp_path)
    assert (row.source, row.error) == (str(tmp_path / name), None)
    sources = Sources(tmp_path)
    assert [text.data for text in sources] == [data]
    assert (sources.passed_over, sources.files_read) == (0, 0)


@pytest.mark.parametrize("data", OTHERS)
def test_other_files_are_passed_over(tmp_path, data):
    (tmp_path / "a.txt").write_bytes(data)
    sources = Sources(tmp_path)
    assert list(sources) == []
    assert sources.passed_over == 1


def test_collections_of_katago_are_read_in_folders_and_archives(tmp_path):
    import zipfile

    text = b"(;SZ[9];B[aa])\n(;SZ[9];B[bb])\n"
    (tmp_path / "games.sgfs").write_bytes(text)
    with zipfile.ZipFile(tmp_path / "more.zip", "w") as archive:
        archive.writestr("inner/games.sgfs", text)
    assert [row.record for row in w7.replay(tmp_path)] == [0, 1, 0, 1]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
def test_a_pipe_is_not_opened(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    assert list(Sources(tmp_path)) == []
