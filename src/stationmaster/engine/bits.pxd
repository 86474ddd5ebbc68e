cdef extern from *:
    int popcount "__builtin_popcount" (unsigned int mask) nogil
    int lowest "__builtin_ctz" (unsigned int mask) nogil
