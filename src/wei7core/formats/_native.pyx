# cython: language_level=3, freethreading_compatible=True, binding=False, always_allow_keywords=False
# cython: embedsignature=True, embedsignature.format=clinic
"""The border of the C code of the formats: records of a text, bytes to `Record` and back, places of offsets.

NumPy is imported on first use, because the command line starts with this module.
"""

from cpython.buffer cimport PyBuffer_FillInfo
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from cpython.mem cimport PyMem_Free, PyMem_Malloc
from cpython.unicode cimport PyUnicode_AsUTF8AndSize, PyUnicode_Decode, PyUnicode_DecodeUTF8
from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.stdlib cimport free
from libc.string cimport memcmp, memcpy, memset, strlen

from wei7core._util.cpu import ISA as _ISA
from wei7core._util.lazy_numpy import np
from wei7core._util._native cimport View
from wei7core.record.record cimport Record, w7_record, w7_record_free, w7_record_init, w7_span

include "located.pxi"
include "split.pxi"
include "join_texts.pxi"
include "sgf/decoder.pxi"
include "sgf/writing.pxi"
include "wei7/decoder.pxi"


cdef extern from "_util/glue_for_size.h":
    pass
