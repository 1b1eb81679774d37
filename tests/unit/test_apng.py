"""Animations: the chunks of APNG, frames that are read back, lines of games."""

from __future__ import annotations

import io
import struct
import sys
import zlib
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
import pytest
from helpers.cases import in_groups

import wei7core as w7
from wei7core.board import draw
from wei7core.board.drawing.apng import MAX_FRAMES, apng_of
from wei7core.board.drawing.png import png_of

SIGNATURE = b"\x89PNG\r\n\x1a\n"
Pixels = npt.NDArray[np.uint8]


def chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def png(pixels: Pixels, parts: int = 1, extra: bytes = b"") -> bytes:
    """A PNG of gray values, its data in several chunks."""
    height, width = pixels.shape
    data = zlib.compress(b"".join(b"\0" + row.tobytes() for row in pixels))
    step = -(-len(data) // parts)
    cut = [data[begin : begin + step] for begin in range(0, len(data), step)]
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    middle = b"".join(chunk(b"IDAT", part) for part in cut)
    return SIGNATURE + chunk(b"IHDR", header) + extra + middle + chunk(b"IEND", b"")


def chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    assert data.startswith(SIGNATURE)
    at = len(SIGNATURE)
    while at < len(data):
        size, name = struct.unpack_from(">I4s", data, at)
        content = data[at + 8 : at + 8 + size]
        assert struct.unpack_from(">I", data, at + 8 + size) == (zlib.crc32(name + content),)
        yield name, content
        at += 12 + size
    assert at == len(data)


def frames(data: bytes) -> list[tuple[float, bytes]]:
    """The seconds and the decompressed rows of each frame; the numbers of its chunks are checked."""
    found: list[tuple[float, list[bytes]]] = []
    expected = 0
    for name, content in chunks(data):
        if name in (b"fcTL", b"fdAT"):
            assert struct.unpack_from(">I", content) == (expected,)
            expected += 1
        if name == b"fcTL":
            width, height, x, y, one, two, dispose, blend = struct.unpack(">IIIIHHBB", content[4:])
            assert (x, y, dispose, blend) == (0, 0, 0, 0)
            assert (width, height) == struct.unpack_from(">II", data, 16)
            found.append((one / two, []))
        elif name == b"IDAT":
            assert len(found) == 1
            found[-1][1].append(content)
        elif name == b"fdAT":
            assert len(found) > 1
            found[-1][1].append(content[4:])
    return [(seconds, zlib.decompress(b"".join(parts))) for seconds, parts in found]


def some_pictures(count: int, shape: tuple[int, int] = (5, 7)) -> list[Pixels]:
    choose = np.random.default_rng(3)
    return [choose.integers(0, 256, shape, dtype=np.uint8) for _ in range(count)]


@pytest.mark.parametrize("parts", [1, 3])
@pytest.mark.parametrize("count", [1, 2, 5])
def test_frames_are_read_back(count: int, parts: int) -> None:
    pictures = some_pictures(count)
    seconds = [0.5, 1 / 3, 0.0, 2.25, 65_535.0][:count]
    data = apng_of([png(picture, parts) for picture in pictures], seconds, loops=4)
    names = [name for name, _ in chunks(data)]
    assert names[:3] == [b"IHDR", b"acTL", b"fcTL"] and names[-1] == b"IEND" and names.count(b"IHDR") == 1
    assert dict(chunks(data))[b"acTL"] == struct.pack(">II", count, 4)
    shown = frames(data)
    assert [rows for _, rows in shown] == [b"".join(b"\0" + row.tobytes() for row in one) for one in pictures]
    assert [time for time, _ in shown] == pytest.approx(seconds, abs=1e-4)


def test_other_chunks_of_the_first_frame_are_kept() -> None:
    one, two = some_pictures(2)
    data = apng_of([png(one, extra=chunk(b"pHYs", b"123456789")), png(two, extra=chunk(b"pHYs", b"987654321"))], [1, 1])
    assert [content for name, content in chunks(data) if name == b"pHYs"] == [b"123456789"]


def test_pillow_sees_the_frames() -> None:
    image = pytest.importorskip("PIL.Image", reason="pillow is not installed")
    pictures = some_pictures(4)
    opened = image.open(io.BytesIO(apng_of([png(one) for one in pictures], [0.25, 0.5, 1, 2], loops=2)))
    assert (opened.n_frames, opened.info["loop"]) == (4, 2)
    for number, (picture, seconds) in enumerate(zip(pictures, [0.25, 0.5, 1, 2], strict=True)):
        opened.seek(number)
        assert opened.info["duration"] == 1000 * seconds
        assert np.array_equal(np.asarray(opened.convert("L")), picture)


@in_groups(
    ("made", "delays", "loops", "words"),
    [
        ([], [], 0, "one frame or more"),
        ([b"GIF89a"], [1], 0, "is a PNG file"),
        ([png(some_pictures(1)[0])[:-20]], [1], 0, "cut or damaged"),
        ([SIGNATURE + chunk(b"IEND", b"")], [1], 0, "cut or damaged"),
        ([png(some_pictures(1)[0])], [-1], 0, "0 to 65,535 seconds, not -1"),
        ([png(some_pictures(1)[0])], [float("nan")], 0, "0 to 65,535 seconds, not nan"),
        ([png(some_pictures(1)[0])], [1], -1, "number of loops"),
        ([png(np.zeros((2, 3), np.uint8)), png(np.zeros((3, 2), np.uint8))], [1, 1], 0, "3 x 2 and 2 x 3 pixels"),
    ],
)
def test_what_is_no_animation(made: list[bytes], delays: list[float], loops: int, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        apng_of(made, delays, loops)


def test_every_cut_of_a_frame_is_refused() -> None:
    whole = png(some_pictures(1)[0])
    for end in range(len(whole)):
        with pytest.raises(ValueError, match="PNG file"):
            apng_of([whole[:end]], [1])


# --- lines of games: the renderer is replaced by one that draws the text of the picture -----------------


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    seen: list[str] = []

    def picture(svg: str) -> bytes:
        seen.append(svg)
        return png(np.full((2, 2), len(seen), np.uint8))

    monkeypatch.setattr("wei7core.board.drawing.apng.png_of", picture)
    return seen


def test_a_line_has_a_frame_for_each_position(drawn: list[str]) -> None:
    game = w7.loads(b"(;SZ[5];B[bb];W[cc]C[a comment];B[];W[dd](;B[aa])(;B[ee];W[ea]))")
    data = game.apng(delay=0.5, hold=2)
    nodes = [node for node in game.main_line() if node.step is not None or node.parent is None]
    assert drawn == [node.svg() for node in nodes]
    assert [seconds for seconds, _ in frames(data)] == [0.5] * 5 + [2]
    drawn.clear()
    end = game.root.next.next.next.next.children[1]
    game.apng(node=end, first=3, theme="wood")
    assert [svg.count("<") > 0 for svg in drawn] == [True] * 3
    assert drawn[-1] == end.svg(theme="wood")
    drawn.clear()
    game.apng(node=game.root)
    assert drawn == [game.root.svg()]


def test_messages_are_no_frames_and_equal_pictures_are_one(drawn: list[str]) -> None:
    game = w7.Game(5)
    game.root.play("A1")
    game.tree.steps.append(w7.Step(w7.Message("hello"), actor=0))
    game.info.participants.append(w7.Participant())
    game.tree.steps.append(w7.Step(w7.Takeback(1)))
    assert len(frames(game.apng())) == 3
    board = w7.Board(5)
    data = draw.apng([board.svg(), board.svg(), board.svg(theme="dark")], delay=1, hold=1)
    assert [seconds for seconds, _ in frames(data)] == [2, 1]


def test_what_a_line_refuses(drawn: list[str], tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = w7.Game(5)
    with pytest.raises(ValueError, match="another game"):
        game.apng(node=w7.Game(5).root)
    with pytest.raises(ValueError, match="one frame or more"):
        game.apng(first=3)
    with pytest.raises(ValueError, match="seconds, not -1"):
        game.apng(tmp_path / "a.png", delay=-1)
    with pytest.raises(TypeError, match="no option colour"):
        game.apng(colour="red")  # type: ignore[call-arg]  # what is refused
    assert list(tmp_path.iterdir()) == []
    monkeypatch.setattr("wei7core.board.drawing.apng.MAX_FRAMES", 2)
    with pytest.raises(ValueError, match="at most 2 frames"):
        draw.apng(["a", "b", "c"])
    assert MAX_FRAMES == 10_000


def test_the_extra_is_named_where_it_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(ImportError, match=r"wei7core\[png\]"):
        w7.Game(5).apng()


def test_a_game_as_the_renderer_draws_it(tmp_path) -> None:
    pytest.importorskip("resvg_py", reason="the renderer of the extra png is not installed")
    game = w7.Game(5)
    game.add_line("C3 B2 pass D4")
    path = tmp_path / "game.png"
    data = game.apng(path, size=120)
    assert path.read_bytes() == data
    assert len(frames(data)) == 5
    with pytest.raises(ValueError, match="choose a region"):
        w7.loads(b"(;SZ[19];B[dd];W[pp])").apng(region="stones")
    image = pytest.importorskip("PIL.Image", reason="pillow is not installed")
    opened = image.open(io.BytesIO(data))
    assert (opened.n_frames, opened.size) == (5, (120, 120))
    for number, node in enumerate(game.main_line()):
        opened.seek(number)
        alone = image.open(io.BytesIO(png_of(node.svg(size=120))))
        assert np.array_equal(np.asarray(opened.convert("RGBA")), np.asarray(alone.convert("RGBA")))
