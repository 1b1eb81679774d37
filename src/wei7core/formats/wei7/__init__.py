"""wei7 3.0 (JSON), revisions 7 and 2: `decode.h` reads bytes into a record, `to_document` and `write` do the rest.

`template.h`, `speculate.h` and the `step_run*.h` files read steps by the layout of the steps before them.
"""

from ..._util.lazy_import import lazy_attributes

# Pickles of release 0.1.0 name it here.
__getattr__, __dir__ = lazy_attributes(__name__, {"decode": ("_decode_again",)})
