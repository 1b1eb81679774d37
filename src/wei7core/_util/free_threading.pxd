"""What Python code that runs in several threads at once asks for, as it does on free-threaded Python.

A critical section there is no lock that is held to its end: it is let go of wherever what is in it waits, in 3.13 even
where that asks for the same lock again. What is borrowed in it, or was looked at before a call, may be gone afterwards.
"""

cdef extern from *:
    """
    #ifdef Py_GIL_DISABLED
    enum { W7_THREADS_RUN_FREE = 1 };
    #else
    enum { W7_THREADS_RUN_FREE = 0 };
    #endif

    /* What a dict holds, or None, as a reference of the caller's own; NULL with an exception. */
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

    /* Counting references does not count these. Only where W7_THREADS_RUN_FREE is 0: others may make one meanwhile. */
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
