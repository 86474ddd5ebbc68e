# Written by tests/engine/pxd.py from policy.py, where it is said what each of these is; a test compares the two.
cimport cython
from stationmaster.engine.core cimport State
from stationmaster.planner.leftovers cimport Leftovers
from stationmaster.planner.train cimport Trains


@cython.final
cdef class Planner:
    cdef Trains trains
    cdef Leftovers leftovers
    cdef int kinds[14]
    cdef int per_tile
    cdef int own
    cdef int elsewhere
    cdef int opening
    cdef int marker
    cdef int covered
    cdef int half_covered
    cdef int bare
    cdef int bare_own
    cdef int shows_plan
    cdef int shows_dead_end
    cdef int urgent
    cdef int plan_end[14]
    cdef int plan_total[14]
    cdef unsigned int plan[280]
    cdef int train
    cdef int attached
    cdef int exposed
    cdef int score
    cdef int rated
    cdef int rated_train[640]
    cdef int rated_attached[640]
    cdef int rated_exposed[640]
    cdef int rated_score[640]
    cdef int end_of_fields
    cdef void forget(self) noexcept nogil
    cdef void copy_plans(self, Planner other, int players) noexcept nogil
    cdef void make_plan(self, State state, int seat) noexcept nogil
    cdef int loss(self, State state, int train, int a, int b, int most) noexcept nogil
    cdef bint leads_on(self, int base, int a, int b) noexcept nogil
    cdef bint keeps_plan(self, int base, bint own, int a, int b) noexcept nogil
    cdef void note(self, State state, int seat, int train, int a, int b) noexcept nogil
    cdef void choose(self, State state) noexcept nogil
    cdef void take(self, int train, int a, int b, int score) noexcept nogil
    cdef void take_nth(self, State state, int k) noexcept nogil
    cdef void choose_heaviest(self, State state) noexcept nogil
    cdef void choose_by_plan(self, State state) noexcept nogil
    cdef void seek_better(self, State state) noexcept nogil
    cdef int rate(self, State state, int base, int train, int a, int b) noexcept nogil
    cdef int hurry(self, State state, int a, int b) noexcept nogil
    cdef int lag(self, State state, int train, int a, int b) noexcept nogil
    cdef void rate_all(self, State state) noexcept nogil
    cdef void move(self, State state) noexcept nogil
    cdef void play_out(self, State state) noexcept nogil
