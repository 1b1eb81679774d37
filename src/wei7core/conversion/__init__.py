"""Documents of one format as documents of another, with a list of what could not be carried.

`to_sgf` makes a document that SGF can hold, `to_wei7` one that is valid wei7
3.0. Both leave what they are given as it is and work at any nesting depth.
Neither knows bytes. Any thread may call them while no other changes the document.
"""

from .to_sgf import to_sgf
from .to_wei7 import to_wei7

__all__ = ["to_sgf", "to_wei7"]
