"""Objects that the garbage collector does not walk."""

cdef extern from "Python.h":
    bint PyObject_IS_GC(object value)
    void PyObject_GC_UnTrack(PyObject *value)


def untrack(value):
    """Let the garbage collector pass by an object from now on: in a cycle of references it is never freed."""
    if PyObject_IS_GC(value):
        PyObject_GC_UnTrack(<PyObject *>value)
