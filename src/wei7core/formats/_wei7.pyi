from collections.abc import Callable
from typing import Any

from ..limits import Limits
from ..record import Record

NAMES: tuple[str, ...]

def decode(
    source: bytes, revision: int, limits: Limits, describe: Callable[..., Any], origin: tuple[Any, ...]
) -> Record: ...
def locate(source: bytes, offsets: list[int]) -> list[tuple[int, int, str]]: ...
