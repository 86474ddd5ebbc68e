# Written by tests/engine/pxd.py from pairing.py, where it is said what each of these is; a test compares the two.
cimport cython


@cython.final
cdef class Pairing:
    cdef int weight[361]
    cdef unsigned int near[19]
    cdef int odd[19]
    cdef unsigned int unpaired
    cdef int dist[361]
    cdef unsigned char via[361]
    cdef int cost[524288]
    cdef unsigned int taken[19]
    cdef int end_of_fields
    cdef int at_least(self, int count, int free) noexcept nogil
    cdef void measure(self, unsigned int whole) noexcept nogil
    cdef int pair(self, int count, int paired) noexcept nogil
    cdef void take_out(self, unsigned int chosen) noexcept nogil
