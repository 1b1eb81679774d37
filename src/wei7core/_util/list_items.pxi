"""Items of lists by number: texts joined, and the numbers of the cells of a table."""

cimport cython

cdef extern from "_util/list_items.h":
    object w7_joined_items(list texts, list numbers, str separator)
    object w7_numbers_with(const unsigned char *values, Py_ssize_t count, unsigned char value)
    object w7_cell_numbers(list cells, Py_ssize_t width, Py_ssize_t height, bytes letters)

# `list_items.py` says what each does: here the words would be in the wheel a second time.


@cython.binding(False)
def joined_items(list texts not None, list numbers not None, str separator not None, /):
    return w7_joined_items(texts, numbers, separator)


@cython.binding(False)
def numbers_with(bytes values not None, unsigned char value, /):
    return w7_numbers_with(values, len(values), value)


@cython.binding(False)
def cells_of(list cells not None, Py_ssize_t width, Py_ssize_t height, bytes letters not None, /):
    return w7_cell_numbers(cells, width, height, letters)
