"""SGF, FF[1] to FF[4]: `decode.h` reads bytes into a record, `to_document` and `write` do the rest."""

from ..._util.lazy_import import lazy_attributes

# Pickles of release 0.1.0 name it here.
__getattr__, __dir__ = lazy_attributes(__name__, {"decode": ("_decode_again",)})
