from collections.abc import Callable
from typing import Any

from ...limits import Limits
from ...record.record import Record

MEMBER_NAMES: tuple[str, ...]

def decode(
    source: bytes,
    revision: int,
    limits: Limits,
    describe: Callable[..., Any],
    read_text: Callable[[Record, bytes], str],
    origin: tuple[Any, ...],
    *,
    general_only: bool = False,
    isa: int = ...,
) -> Record: ...
def find_in_step(source: bytes, step: int, name: bytes) -> int: ...
def locate(source: bytes, offsets: list[int]) -> list[tuple[int, int, str]]: ...
