"""Pictures that move: PNG frames in one APNG file (PNG, third edition, chunks acTL, fcTL and fdAT).

APNG and not GIF: frames of the extra `png` are used as they are, with all their colors and without another encoder;
browsers show it, and programs without support for it show the first frame.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import count, groupby
from typing import TYPE_CHECKING, Final

from ..._util.files import write_whole
from .png import png_of

if TYPE_CHECKING:
    from os import PathLike

MAX_FRAMES: Final = 10_000
"""The most frames of one animation."""

_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
_HEADER_BYTES: Final = 13
_MOST_PARTS: Final = 0xFFFF  # of a delay, numerator and denominator
_NO_HEAD: Final = (b"IDAT", b"IEND")


def apng(
    pictures: Iterable[str],
    path: str | PathLike[str] | None = None,
    *,
    delay: float = 0.7,
    hold: float = 3.0,
    loops: int = 0,
) -> bytes:
    """Return the APNG of SVG pictures of one size, and write it to `path` where that is given, whole or not at all.

    Each picture is shown for `delay` seconds, the last one for `hold`; equal ones in a row are one frame. `loops` is
    how often all are shown, 0 for ever. Raises `ImportError` without the extra `png`, `ValueError` for a delay that is
    not 0 to 65,535 seconds, a negative number of loops, pictures of different sizes, none, or more than `MAX_FRAMES`.
    """
    for seconds in (delay, hold):
        _delay(seconds)
    frames: list[bytes] = []
    delays: list[float] = []
    for svg, same in groupby(pictures):
        if len(frames) == MAX_FRAMES:
            raise ValueError(f"an animation has at most {MAX_FRAMES:,} frames")
        frames.append(png_of(svg))
        delays.append(delay * sum(1 for _ in same))
    if delays:
        delays[-1] += hold - delay
    data = apng_of(frames, delays, loops)
    if path is not None:
        with write_whole(path) as file:
            file.buffer.write(data)
    return data


def apng_of(frames: Sequence[bytes], delays: Sequence[float], loops: int = 0) -> bytes:
    """Return one APNG of PNG files of one size and kind; `delays` are the seconds that each is shown.

    The first frame is also the picture for programs that show one. Raises `ValueError` as `apng` does, and for
    what is no PNG.
    """
    if not frames:
        raise ValueError("an animation has one frame or more")
    if not 0 <= loops < 1 << 31:
        raise ValueError(f"the number of loops is 0 (for ever) to {(1 << 31) - 1:,}, not {loops}")
    chunks = list(_chunks(frames[0]))
    header = chunks[0][1]
    parts = [_SIGNATURE, *(_chunk(name, data) for name, data in chunks if name not in _NO_HEAD)]
    parts.append(_chunk(b"acTL", struct.pack(">II", len(frames), loops)))
    sequence = count()  # the chunks fcTL and fdAT are counted together
    for index, (frame, seconds) in enumerate(zip(frames, delays, strict=True)):
        chunks = list(_chunks(frame))
        _require_same(header, chunks[0][1])
        control = (next(sequence), *struct.unpack(">II", header[:8]), 0, 0, *_delay(seconds), 0, 0)
        parts.append(_chunk(b"fcTL", struct.pack(">IIIIIHHBB", *control)))
        for data in (data for name, data in chunks if name == b"IDAT"):
            parts.append(_chunk(b"fdAT", struct.pack(">I", next(sequence)) + data) if index else _chunk(b"IDAT", data))
    parts.append(_chunk(b"IEND", b""))
    return b"".join(parts)


def _require_same(header: bytes, other: bytes) -> None:
    if other == header:
        return
    one, two = struct.unpack(">II", header[:8]), struct.unpack(">II", other[:8])
    if one == two:
        raise ValueError("the frames of an animation are PNG of one kind")
    raise ValueError(
        f"the frames of an animation have one size, not {one[0]} x {one[1]} and {two[0]} x {two[1]} pixels: choose a"
        " region that does not depend on the stones"
    )


def _delay(seconds: float) -> tuple[int, int]:
    """Seconds as the two numbers of a fraction; the nearest one that these can express."""
    if not 0 <= seconds <= _MOST_PARTS:
        raise ValueError(f"a frame is shown for 0 to {_MOST_PARTS:,} seconds, not {seconds!r}")
    whole = Fraction(seconds)
    most = _MOST_PARTS if whole <= 1 else max(1, int(_MOST_PARTS / whole))
    near = whole.limit_denominator(most)
    return min(near.numerator, _MOST_PARTS), near.denominator


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def _chunks(png: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield the names and the data of the chunks of a PNG file, the header first. Raises `ValueError` for another."""
    if not png.startswith(_SIGNATURE):
        raise ValueError("a frame of an animation is a PNG file")
    at = len(_SIGNATURE)
    while at + 12 <= len(png):
        size, name = struct.unpack_from(">I4s", png, at)
        if size > len(png) - at - 12 or (at == len(_SIGNATURE) and (name, size) != (b"IHDR", _HEADER_BYTES)):
            break
        yield name, png[at + 8 : at + 8 + size]
        if name == b"IEND":
            return
        at += 12 + size
    raise ValueError("a frame of an animation is a PNG file that is cut or damaged")
