# Written by tests/engine/pxd.py from search.py, where it is said what each of these is; a test compares the two.
cimport cython
from stationmaster.bots.evidence cimport Evidence
from stationmaster.bots.goal cimport Goal
from stationmaster.engine.core cimport State, Worlds
from stationmaster.planner.policy cimport Planner


@cython.final
cdef class Search:
    cdef Worlds worlds
    cdef Evidence evidence
    cdef bint believing
    cdef int steps
    cdef Planner planner
    cdef Planner plans
    cdef State state
    cdef int seat
    cdef Goal goal
    cdef int count
    cdef int train[32]
    cdef int attached[32]
    cdef int exposed[32]
    cdef int gap[32]
    cdef bint open[32]
    cdef int deals[32]
    cdef double total[32]
    cdef double squares[32]
    cdef long long playouts
    cdef int end_of_fields
    cdef void deal(self) noexcept nogil
    cdef double play_out(self, int i) noexcept nogil
