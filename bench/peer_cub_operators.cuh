// Operators as CUB takes them, with their identities.
#ifndef CLSCAN_BENCH_PEER_CUB_OPERATORS_CUH
#define CLSCAN_BENCH_PEER_CUB_OPERATORS_CUH

#include <limits>
#include <type_traits>

struct sum {
    template <class T> __host__ __device__ T operator()(T a, T b) const
    {
        return a + b;
    }
    template <class T> static T identity()
    {
        return T(0);
    }
};

struct smaller {
    template <class T> __host__ __device__ T operator()(T a, T b) const
    {
        return b < a ? b : a;
    }
    template <class T> static T identity()
    {
        using limits = std::numeric_limits<T>;
        return limits::has_infinity ? limits::infinity() : limits::max();
    }
};

struct larger {
    template <class T> __host__ __device__ T operator()(T a, T b) const
    {
        return a < b ? b : a;
    }
    template <class T> static T identity()
    {
        using limits = std::numeric_limits<T>;
        return limits::has_infinity ? -limits::infinity() : limits::lowest();
    }
};

// Sums of unsigned integers are those of signed ones, bit for bit.
template <class T, bool = std::is_integral<T>::value> struct sum_type {
    using type = typename std::make_signed<T>::type;
};
template <class T> struct sum_type<T, false> {
    using type = T;
};

#endif
