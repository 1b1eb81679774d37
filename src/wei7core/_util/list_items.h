/* Items of lists by number: texts joined, and the numbers of the cells of a table. */
#ifndef W7_UTIL_LIST_ITEMS_H
#define W7_UTIL_LIST_ITEMS_H

#include <Python.h>
#include <string.h>

/* The text with a number, if it is a plain one of ASCII; else NULL, without an exception. */
static inline PyObject *w7_plain_item(PyObject *texts, PyObject *number)
{
    Py_ssize_t at = PyLong_CheckExact(number) ? PyLong_AsSsize_t(number) : -1;
    PyObject *text = at >= 0 && at < PyList_GET_SIZE(texts) ? PyList_GET_ITEM(texts, at) : NULL;
    return text && PyUnicode_CheckExact(text) && PyUnicode_IS_COMPACT_ASCII(text) ? text : NULL;
}

/* The texts with these numbers, joined; None where one of them is no plain text of ASCII or not there. */
static PyObject *w7_joined_items(PyObject *texts, PyObject *numbers, PyObject *separator)
{
    Py_ssize_t count = PyList_GET_SIZE(numbers), gap = PyUnicode_GET_LENGTH(separator), total = 0, index;
    PyObject *joined, *text;
    Py_UCS1 *to;
    if (count == 0 || !PyUnicode_IS_COMPACT_ASCII(separator))
        Py_RETURN_NONE;
    for (index = 0; index < count; index++) {
        text = w7_plain_item(texts, PyList_GET_ITEM(numbers, index));
        if (text == NULL) {
            PyErr_Clear();
            Py_RETURN_NONE;
        }
        total += PyUnicode_GET_LENGTH(text) + gap;
    }
    joined = PyUnicode_New(total - gap, 127);
    if (joined == NULL)
        return NULL;
    to = PyUnicode_1BYTE_DATA(joined);
    for (index = 0; index < count; index++) {
        text = w7_plain_item(texts, PyList_GET_ITEM(numbers, index));
        if (index) {
            memcpy(to, PyUnicode_1BYTE_DATA(separator), (size_t)gap);
            to += gap;
        }
        memcpy(to, PyUnicode_1BYTE_DATA(text), (size_t)PyUnicode_GET_LENGTH(text));
        to += PyUnicode_GET_LENGTH(text);
    }
    return joined;
}

/* The numbers of the bytes that have a value. */
static PyObject *w7_numbers_with(const unsigned char *values, Py_ssize_t count, unsigned char value)
{
    Py_ssize_t index, found = 0;
    PyObject *numbers;
    for (index = 0; index < count; index++)
        found += values[index] == value;
    numbers = PyList_New(found);
    for (index = found = 0; numbers != NULL && index < count; index++) {
        PyObject *number;
        if (values[index] != value)
            continue;
        number = PyLong_FromSsize_t(index);
        if (number == NULL)
            Py_CLEAR(numbers);
        else
            PyList_SET_ITEM(numbers, found++, number);
    }
    return numbers;
}

/* The number of a cell of a table, row by row; -1, perhaps with an exception, for what is none. */
static inline Py_ssize_t w7_cell_number(PyObject *cell, Py_ssize_t width, Py_ssize_t height, const signed char *letters)
{
    Py_ssize_t x, y;
    if (PyTuple_CheckExact(cell)) {
        if (PyTuple_GET_SIZE(cell) != 2 || !PyLong_CheckExact(PyTuple_GET_ITEM(cell, 0)) ||
            !PyLong_CheckExact(PyTuple_GET_ITEM(cell, 1)))
            return -1;
        x = PyLong_AsSsize_t(PyTuple_GET_ITEM(cell, 0));
        y = PyLong_AsSsize_t(PyTuple_GET_ITEM(cell, 1));
    } else {
        if (letters == NULL || !PyUnicode_CheckExact(cell) || !PyUnicode_IS_COMPACT_ASCII(cell) ||
            PyUnicode_GET_LENGTH(cell) != 2)
            return -1;
        x = letters[PyUnicode_1BYTE_DATA(cell)[0]];
        y = letters[PyUnicode_1BYTE_DATA(cell)[1]];
    }
    return x >= 0 && x < width && y >= 0 && y < height ? y * width + x : -1;
}

/* The numbers of cells and, as bytes, the bit of each; None if any of them is no cell of the table. */
static PyObject *w7_cell_numbers(PyObject *cells, Py_ssize_t width, Py_ssize_t height, PyObject *letters)
{
    const signed char *known =
        PyBytes_GET_SIZE(letters) == 128 ? (const signed char *)PyBytes_AS_STRING(letters) : NULL;
    Py_ssize_t count = PyList_GET_SIZE(cells), size = (width * height + 7) / 8, index;
    PyObject *bits = PyBytes_FromStringAndSize(NULL, size), *numbers = bits ? PyList_New(count) : NULL;
    if (numbers == NULL) {
        Py_XDECREF(bits);
        return NULL;
    }
    memset(PyBytes_AS_STRING(bits), 0, (size_t)size);
    for (index = 0; index < count; index++) {
        Py_ssize_t number = w7_cell_number(PyList_GET_ITEM(cells, index), width, height, known);
        PyObject *value = number < 0 ? NULL : PyLong_FromSsize_t(number);
        if (value == NULL) {
            Py_DECREF(numbers);
            Py_DECREF(bits);
            PyErr_Clear();
            Py_RETURN_NONE;
        }
        PyBytes_AS_STRING(bits)[number / 8] |= (char)(1 << number % 8);
        PyList_SET_ITEM(numbers, index, value);
    }
    return Py_BuildValue("(NN)", numbers, bits);
}

#endif
