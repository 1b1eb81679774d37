"""Items of lists by number. Thread safety: while no thread changes the lists.

`joined_items(texts, numbers, separator)`: the texts with these numbers, joined, if all are of ASCII and there are some;
else None.

`numbers_with(values, value)`: the numbers of the bytes that have a value.

`cells_of(cells, width, height, letters)`: the numbers of cells of a table, row by row, and bytes with the bit of each,
the least one first. A cell is a pair (column, row), or two letters; `letters` has the column or row of each of the 128
of ASCII, 255 for none, or is empty. None if any of the cells is something else, or not in the table.
"""

from ._native import cells_of, joined_items, numbers_with

__all__ = ["cells_of", "joined_items", "numbers_with"]
