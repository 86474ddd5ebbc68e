# Written by tests/engine/pxd.py from goal.py, where it is said what each of these is; a test compares the two.
cimport cython
from stationmaster.engine.core cimport State


@cython.final
cdef class Goal:
    cdef int players
    cdef bint money
    cdef int pot
    cdef int fee
    cdef bint shared
    cdef bint match
    cdef int to_come
    cdef bint zeros_decide
    cdef double spread
    cdef double besides
    cdef double noise
    cdef int total[14]
    cdef int zeros[14]
    cdef int lowest[14]
    cdef double brought[14]
    cdef double value[14]
    cdef int end_of_fields
    cdef void count(self, State state) noexcept nogil
    cdef bint takes(self, State state, int seat) noexcept nogil
    cdef void judge(self, State state) noexcept nogil
    cdef double worth(self, State state, int seat) noexcept nogil
    cdef double weigh(self, State state, int seat) noexcept nogil
    cdef double ahead(self, int seat) noexcept nogil
    cdef double chance(self, State state, int seat) noexcept nogil
    cdef int by_zeros(self, State state, int one, int other) noexcept nogil
