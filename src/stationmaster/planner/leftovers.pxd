# Written by tests/engine/pxd.py from leftovers.py, where it is said what each of these is; a test compares the two.
cimport cython
from stationmaster.planner.pairing cimport Pairing
from stationmaster.planner.train cimport Trains


@cython.final
cdef class Leftovers:
    cdef Pairing pairing
    cdef int double[19]
    cdef int start
    cdef bint covered
    cdef bint engine
    cdef bint yard
    cdef int place
    cdef int last
    cdef unsigned int half_wild
    cdef int letters
    cdef int wilds
    cdef unsigned int rows[1273]
    cdef unsigned int must[1273]
    cdef unsigned char changes[1273]
    cdef unsigned int between[1273]
    cdef unsigned int numbers[65]
    cdef unsigned int bare[65]
    cdef int free[65]
    cdef int best
    cdef int bound
    cdef bint proven
    cdef unsigned int laid_bare
    cdef int nodes
    cdef int limit
    cdef int end_of_fields
    cdef void solve(self, Trains hand, int end, int limit, int at_least) noexcept nogil
    cdef void run(self, Trains hand, int at_least, int limit) noexcept nogil
    cdef unsigned int reach(self, int at, int start) noexcept nogil
    cdef int ways(self, int at, int v) noexcept nogil
    cdef bint is_odd(self, int at, int v) noexcept nogil
    cdef int worth(self, int at, unsigned int numbers, unsigned int bare) noexcept nogil
    cdef void turn_over(self, int at, int a, int b) noexcept nogil
    cdef void split(self, int depth, int above) noexcept nogil
    cdef unsigned int linked(self) noexcept nogil
    cdef unsigned int link_islands(self, unsigned int lost, int spare, unsigned int bare) noexcept nogil
    cdef int lone(self, unsigned int kept, unsigned int bare) noexcept nogil
    cdef unsigned int snag(self) noexcept nogil
    cdef bint comes_back(self) noexcept nogil
    cdef unsigned int at(self, int v) noexcept nogil
    cdef int ways_out(self, unsigned int piece) noexcept nogil
    cdef bint is_void(self, int v) noexcept nogil
    cdef void split_at(self, int depth, unsigned int island, int bound) noexcept nogil
    cdef void lay_one_between(self, int depth, int bound) noexcept nogil
    cdef void put_back(self, int at) noexcept nogil
    cdef void split_by_changes(self, int depth, unsigned int island, int bound) noexcept nogil
    cdef void split_at_double(self, int depth, int v, int bound) noexcept nogil
    cdef void split_at_leftovers(self, int depth, int bound) noexcept nogil
    cdef void copy_case(self, int depth) noexcept nogil
    cdef int leave_over(self, int depth, unsigned int whole, int most) noexcept nogil
