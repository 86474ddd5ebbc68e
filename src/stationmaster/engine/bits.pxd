cdef extern from *:
    """
    static CYTHON_INLINE int nth_bit(unsigned int mask, int k) {
    #ifdef __BMI2__
        return __builtin_ctz(__builtin_ia32_pdep_si(1u << k, mask));
    #else
        while (k-- > 0) mask &= mask - 1;
        return __builtin_ctz(mask);
    #endif
    }
    """
    const unsigned int FULL "0xFFFFFFFFu"
    int popcount "__builtin_popcount" (unsigned int mask) nogil
    int lowest "__builtin_ctz" (unsigned int mask) nogil
    int nth "nth_bit" (unsigned int mask, int k) nogil
