"""Sets of points, for the modules that find them."""

from libc.stdint cimport int32_t, int64_t, uint64_t


cdef extern from "board/kernel/point_rows.h" nogil:
    ctypedef struct w7_point_words:
        uint64_t *words
        size_t row_words
        int32_t width
        int32_t height

    size_t w7_points_word_count(const w7_point_words *points) noexcept
    void w7_points_put(w7_point_words *points, int32_t x, int32_t y) noexcept
    bint w7_points_has(const w7_point_words *points, int64_t x, int64_t y) noexcept
    int64_t w7_points_count(const w7_point_words *points) noexcept
    bint w7_points_equal(const w7_point_words *a, const w7_point_words *b) noexcept
    uint64_t w7_points_columns(const w7_point_words *points, size_t index) noexcept
    void w7_points_dilate(const w7_point_words *points, w7_point_words *wider) noexcept


cdef class PointSet:
    cdef w7_point_words c
    cdef Py_hash_t known_hash


# An empty set; whoever makes it may put points in it until it is handed on.
cdef PointSet empty_point_set(int32_t width, int32_t height)
