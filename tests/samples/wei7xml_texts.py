"""Texts of wei7 2.x for tests: the examples, small documents, and when two texts mean the same."""

from pathlib import Path
from xml.etree.ElementTree import canonicalize

EXAMPLES = Path(__file__).parents[1] / "data" / "wei7-2.2"
SCHEMA = EXAMPLES / "wei7-2.2.xsd"
NAMES = ("simple", "tutorial", "lg-cup")


def example(name: str) -> bytes:
    """The bytes of an example."""
    return (EXAMPLES / f"{name}.wei7").read_bytes()


def xml(moves: str, *, size: object = 19, game: str = "", version: str = "2.2") -> str:
    """A document with this content of `moves` (and of `game`, with its tag)."""
    return f'<wei7 version="{version}"><size>{size}</size>{game}<moves>{moves}</moves></wei7>'


def canonical(text: bytes) -> str:
    """Canonical XML, without white space between elements."""
    return canonicalize(text.decode("utf-8-sig"), strip_text=True)
