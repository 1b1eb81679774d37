"""Conversion of documents between formats, with a list of losses.

`to_sgf` makes a document for SGF, `to_giseong` one for Giseong, `to_wei7` one of valid wei7 3.0, `to_wei7xml` one of
2.2; `convert_document` chooses by name. They work on documents, do not change their input and support any nesting
depth. `encode_document` continues to bytes. Any thread may call them while no other changes the document.
"""

from .converting import convert_document, encode_document, encode_record
from .from_wei7xml import has_fields_of_wei7xml
from .to_giseong import to_giseong
from .to_sgf import to_sgf
from .to_wei7 import to_wei7
from .to_wei7xml import to_wei7xml

__all__ = [
    "convert_document",
    "encode_document",
    "encode_record",
    "has_fields_of_wei7xml",
    "to_giseong",
    "to_sgf",
    "to_wei7",
    "to_wei7xml",
]
