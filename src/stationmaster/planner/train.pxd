# Written by tests/engine/pxd.py from train.py, where it is said what each of these is; a test compares the two.
cimport cython
from stationmaster.engine.core cimport State


@cython.final
cdef class Trains:
    cdef unsigned int hand[20]
    cdef int weight[640]
    cdef bint covered
    cdef int left
    cdef int lightest
    cdef unsigned int odd
    cdef int nodes
    cdef int limit
    cdef unsigned char now_a[192]
    cdef unsigned char now_b[192]
    cdef int best
    cdef int length
    cdef unsigned char path_a[192]
    cdef unsigned char path_b[192]
    cdef int end_of_fields
    cdef void take_hand(self, State state, int seat) noexcept nogil
    cdef void lift(self, int a, int b) noexcept nogil
    cdef void put(self, int a, int b) noexcept nogil
    cdef int most(self, int end) noexcept nogil
    cdef void follow(self, int end, bint on_double, int depth, int total) noexcept nogil
    cdef void follow_number(self, int v, int depth, int total) noexcept nogil
    cdef void step(self, int a, int b, int depth, int total) noexcept nogil
