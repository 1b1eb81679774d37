"""Items of lists by number: texts joined, and the numbers of the cells of a table."""

cimport cython

cdef extern from "_util/list_items.h":
    object w7_joined_items(list texts, list numbers, str separator)
    object w7_numbers_with(const unsigned char *values, Py_ssize_t count, unsigned char value)
    object w7_cell_numbers(list cells, Py_ssize_t width, Py_ssize_t height, bytes letters)

# Comments, which are not in the wheel. Thread safety: while no thread changes the lists.
#
# `joined_items(texts, numbers, separator)`: the texts with these numbers, joined, if all are of ASCII and there are
# some; else None.
#
# `numbers_with(values, value)`: the numbers of the bytes that have a value.
#
# `cells_of(cells, width, height, letters)`: the numbers of cells of a table, row by row, and bytes with the bit of
# each, the least one first. A cell is a pair (column, row), or two letters; `letters` has the column or row of each of
# the 128 of ASCII, 255 for none, or is empty. None if any of the cells is something else, or not in the table.


@cython.binding(False)
def joined_items(list texts not None, list numbers not None, str separator not None, /):
    return w7_joined_items(texts, numbers, separator)


@cython.binding(False)
def numbers_with(bytes values not None, unsigned char value, /):
    return w7_numbers_with(values, len(values), value)


@cython.binding(False)
def cells_of(list cells not None, Py_ssize_t width, Py_ssize_t height, bytes letters not None, /):
    return w7_cell_numbers(cells, width, height, letters)
