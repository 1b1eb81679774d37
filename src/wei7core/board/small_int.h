/* The values of integers of Python as most are, without a call. */
#ifndef W7_BOARD_SMALL_INT_H
#define W7_BOARD_SMALL_INT_H

#include <Python.h>
#include <stdint.h>

#include "board/kernel/bits.h"

#if PY_VERSION_HEX < 0x030B0000
#include <longintrepr.h>
#endif

/* Sets *value to that of an `int` of one digit. Returns 0, and sets nothing, for any other object. */
static W7_ALWAYS_INLINE int w7_small_int(PyObject *object, int64_t *value)
{
    if (!PyLong_CheckExact(object))
        return 0;
#if PY_VERSION_HEX >= 0x030C0000
    if (!PyUnstable_Long_IsCompact((PyLongObject *)object))
        return 0;
    *value = PyUnstable_Long_CompactValue((PyLongObject *)object);
#else
    if (Py_SIZE(object) < -1 || Py_SIZE(object) > 1)
        return 0;
    *value = Py_SIZE(object) == 0 ? 0 : Py_SIZE(object) * (int64_t)((PyLongObject *)object)->ob_digit[0];
#endif
    return 1;
}

/* The same of a tuple of two of them. */
static W7_ALWAYS_INLINE int w7_small_pair(PyObject *object, int64_t *x, int64_t *y)
{
    return PyTuple_CheckExact(object) && PyTuple_GET_SIZE(object) == 2 &&
           w7_small_int(PyTuple_GET_ITEM(object, 0), x) && w7_small_int(PyTuple_GET_ITEM(object, 1), y);
}

#endif
