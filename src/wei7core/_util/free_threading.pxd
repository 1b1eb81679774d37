"""Helpers for free-threaded Python.

On free-threaded builds a critical section may be released whenever the code inside it blocks (in 3.13, even on the same
lock). A borrowed reference, or a value read before a call, may be invalid after that call.
"""

cdef extern from *:
    """
    #ifdef Py_GIL_DISABLED
    enum { W7_THREADS_RUN_FREE = 1 };
    #else
    enum { W7_THREADS_RUN_FREE = 0 };
    #endif

    /* The value of a key in a dict, or None, as a new reference; NULL with an exception. */
    static CYTHON_UNUSED PyObject *w7_dict_get(PyObject *dict, PyObject *key)
    {
        PyObject *value;
    #ifdef Py_GIL_DISABLED
        if (PyDict_GetItemRef(dict, key, &value) < 0)
            return NULL;
        if (value)
            return value;
    #else
        value = PyDict_GetItemWithError(dict, key);
        if (!value && PyErr_Occurred())
            return NULL;
    #endif
        if (!value)
            value = Py_None;
        Py_INCREF(value);
        return value;
    }

    /* Weak references are not in the reference count. Only where W7_THREADS_RUN_FREE is 0: else another thread may
     * create one. */
    static CYTHON_UNUSED int w7_has_weak_references(PyObject *held)
    {
        const Py_ssize_t at = Py_TYPE(held)->tp_weaklistoffset;
        return at != 0 && *(PyObject **)((char *)held + at) != NULL;
    }
    """
    enum:
        W7_THREADS_RUN_FREE

    object w7_dict_get(dict found, object key)
    bint w7_has_weak_references(object held) noexcept
