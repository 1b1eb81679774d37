"""Whether Python code runs in several threads at once here, as it does on free-threaded Python."""

cdef extern from *:
    """
    #ifdef Py_GIL_DISABLED
    enum { W7_THREADS_RUN_FREE = 1 };
    #else
    enum { W7_THREADS_RUN_FREE = 0 };
    #endif
    """
    enum:
        W7_THREADS_RUN_FREE
