# Written by tests/engine/pxd.py from evidence.py, where it is said what each of these is; a test compares the two.
cimport cython
from stationmaster.engine.core cimport State, Worlds
from stationmaster.planner.policy cimport Planner


@cython.final
cdef class Evidence:
    cdef Worlds worlds
    cdef State state
    cdef Planner planner
    cdef unsigned int hidden
    cdef double scale
    cdef double most
    cdef double oddity[14]
    cdef double fresh[14]
    cdef double ways
    cdef double fresh_ways
    cdef int kept[190]
    cdef unsigned int steps
    cdef long long tried
    cdef long long taken
    cdef int end_of_fields
    cdef bint weigh(self, unsigned int seats, double most) noexcept nogil
    cdef void step(self, bint ring) noexcept nogil
    cdef void begin(self, int steps) noexcept nogil
    cdef void go_on(self, int steps) noexcept nogil
