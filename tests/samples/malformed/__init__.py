"""Hand-picked bad documents, as tables of (name, bytes, codes that are right answers)."""

from .structures import STRUCTURES
from .texts import TEXTS

DOCUMENTS = [*TEXTS, *STRUCTURES]
