// SPDX-License-Identifier: MIT
// Builtin functions of OpenCL C that other builtins and operators compose, in OpenCL C: the rows
// LIBRARY of builtins/builtins.def. expand_calls.c copies a function's instructions to each call, for
// the interpreter and for machine code.
//
// A function named cl_NAME is the builtin NAME for arguments of its types. Where a call has vectors
// and there is no function of vectors, that of their components serves, made wide: vec_NAME if it
// exists, else cl_NAME. half is computed as float unless there is a function of half.
//
// Each function is straight-line code without memory, in the order of operations in which values
// are rounded (-ffp-contract=off): the values of every builtin are the same bits everywhere.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define FN __attribute__((overloadable, always_inline))

// X(T, signed and unsigned integer of T's size, bits)
#define EACH_SIGNED(X)                                                                             \
    X(char, char, uchar, 8)                                                                        \
    X(short, short, ushort, 16)                                                                    \
    X(int, int, uint, 32)                                                                          \
    X(long, long, ulong, 64)
#define EACH_UNSIGNED(X)                                                                           \
    X(uchar, char, uchar, 8)                                                                       \
    X(ushort, short, ushort, 16)                                                                   \
    X(uint, int, uint, 32)                                                                         \
    X(ulong, long, ulong, 64)
#define EACH_FLOAT(X)                                                                              \
    X(float, int, uint, 32)                                                                        \
    X(double, long, ulong, 64)
#define EACH_INTEGER(X) EACH_SIGNED(X) EACH_UNSIGNED(X)
#define EACH_NUMBER(X)  EACH_INTEGER(X) EACH_FLOAT(X)
#define EACH_BITS(X)    EACH_NUMBER(X) X(half, short, ushort, 16)

// ---- common and mathematical functions

#define NUMBER(T, S, U, BITS)                                                                      \
    FN T cl_clamp(T x, T low, T high) { return min(max(x, low), high); }                           \
    FN T cl_mad(T x, T y, T z) { return x * y + z; }                                               \
    FN T cl_mad24(T x, T y, T z) { return x * y + z; }
EACH_NUMBER(NUMBER)

#define FLOAT(T, S, U, BITS)                                                                       \
    FN T cl_degrees(T x) { return x * (T)(180 / M_PI); }                                           \
    FN T cl_radians(T x) { return x * (T)(M_PI / 180); }                                           \
    FN T cl_mix(T x, T y, T a) { return x + (y - x) * a; }                                         \
    FN T cl_sign(T x)                                                                              \
    {                                                                                              \
        const T not_nan = x == x ? x : 0, negative = x < 0 ? -1 : not_nan;                         \
        return 0 < x ? 1 : negative;                                                               \
    }                                                                                              \
    FN T cl_step(T edge, T x) { return as_##T(x < edge ? (S)0 : as_##S((T)1)); }                   \
    FN T cl_smoothstep(T edge0, T edge1, T x)                                                      \
    {                                                                                              \
        const T t = min(max((x - edge0) / (edge1 - edge0), (T)0), (T)1);                           \
        return t * t * (3 - 2 * t);                                                                \
    }                                                                                              \
    FN T cl_half_recip(T x) { return 1 / x; }                                                      \
    FN T cl_native_recip(T x) { return 1 / x; }
EACH_FLOAT(FLOAT)

FN half cl_nan(ushort code) { return as_half((ushort)((code & 0x1ff) | 0x7e00)); }
FN float cl_nan(uint code) { return as_float((code & 0x3fffff) | 0x7fc00000); }
FN double cl_nan(ulong code) { return as_double((code & 0x7ffffffffffff) | 0x7ff8000000000000); }

// The product is exact. The sum is rounded to odd: if it is inexact and its last bit is 0, the float
// on the other side of the exact sum is taken. So it is rounded once, to half (Boldo and Melquiond,
// IEEE Transactions on Computers 2008). `rest` is the error (Knuth's TwoSum); of NaN and infinity it
// is NaN.
FN half cl_fma(half x, half y, half z)
{
    const float product = (float)x * (float)y, sum = product + (float)z, part = sum - product;
    const float rest = (product - (sum - part)) + ((float)z - part);
    const int bits = as_int(sum), inexact = (rest < 0) | (rest > 0),
              step = (rest < 0) == (sum < 0) ? 1 : -1;
    return (half)as_float(bits + (inexact & ~bits & 1) * step);
}

// In the order of the numbers, halves are integers of 16 bits.
FN half cl_nextafter(half x, half y)
{
    const short from = as_short(x), to = as_short(y);
    const short a = from < 0 ? (short)(0x8000 - from) : from, b = to < 0 ? (short)(0x8000 - to) : to;
    const short next = a < b ? (short)(a + 1) : (short)(a - 1);
    const short negative = from < 0 ? (short)0x8000 : next; // up to -0
    const short bits = next < 0 ? (short)(0x8000 - next) : next == 0 ? negative : next;
    const short result = a == b ? to : bits;
    return x != x || y != y ? as_half((short)0x7e00) : as_half(result);
}

// ---- integers

#define INTEGER(T, S, U, BITS)                                                                     \
    FN T cl_mad_hi(T x, T y, T z) { return mul_hi(x, y) + z; }                                     \
    FN T cl_bitfield_insert(T base, T insert, uint offset, uint count)                             \
    {                                                                                              \
        const U field = (U)((U) ~(U)0 >> ((BITS - count) & (BITS - 1))) << (offset & (BITS - 1));  \
        const U mask = count ? field : 0;                                                          \
        return (T)(((U)base & ~mask) | ((U)((U)insert << (offset & (BITS - 1))) & mask));          \
    }                                                                                              \
    FN S cl_bitfield_extract_signed(T base, uint offset, uint count)                               \
    {                                                                                              \
        const uint rest = BITS - count;                                                            \
        const S top = (S)((U)base << ((rest - offset) & (BITS - 1)));                              \
        return count ? (S)(top >> (rest & (BITS - 1))) : (S)0;                                     \
    }                                                                                              \
    FN U cl_bitfield_extract_unsigned(T base, uint offset, uint count)                             \
    {                                                                                              \
        const uint rest = BITS - count;                                                            \
        const U top = (U)((U)base << ((rest - offset) & (BITS - 1)));                              \
        return count ? (U)(top >> (rest & (BITS - 1))) : (U)0;                                     \
    }
EACH_INTEGER(INTEGER)

// In a type in which x * y + z does not overflow.
#define MAD_SAT(T, WIDE, LOWEST, HIGHEST)                                                          \
    FN T cl_mad_sat(T x, T y, T z)                                                                 \
    {                                                                                              \
        return (T)max(min((WIDE)x * (WIDE)y + (WIDE)z, (WIDE)HIGHEST), (WIDE)LOWEST);              \
    }
MAD_SAT(char, int, CHAR_MIN, CHAR_MAX)
MAD_SAT(short, int, SHRT_MIN, SHRT_MAX)
MAD_SAT(int, long, INT_MIN, INT_MAX)
#define MAD_SAT_UNSIGNED(T, WIDE, HIGHEST)                                                         \
    FN T cl_mad_sat(T x, T y, T z)                                                                 \
    {                                                                                              \
        return (T)min((WIDE)x * (WIDE)y + (WIDE)z, (WIDE)HIGHEST);                                 \
    }
MAD_SAT_UNSIGNED(uchar, uint, UCHAR_MAX)
MAD_SAT_UNSIGNED(ushort, uint, USHRT_MAX)
MAD_SAT_UNSIGNED(uint, ulong, UINT_MAX)

// The sum's high half, with the sign of z and the carry, must be the extension of its low half.
FN long cl_mad_sat(long x, long y, long z)
{
    const ulong low = (ulong)x * (ulong)y, sum = low + (ulong)z;
    const long high = (long)((ulong)mul_hi(x, y) + (sum < low) + (ulong)(z >> 63));
    return high == (long)sum >> 63 ? (long)sum : (high >> 63) ^ LONG_MAX;
}
FN ulong cl_mad_sat(ulong x, ulong y, ulong z)
{
    const ulong low = x * y, sum = low + z;
    return (mul_hi(x, y) + (sum < low)) ? ULONG_MAX : sum;
}

#define UPSAMPLE(T, LOW, WIDE, UWIDE, BITS)                                                        \
    FN WIDE cl_upsample(T high, LOW low) { return (WIDE)((UWIDE)high << BITS | (UWIDE)low); }
#define UPSAMPLES(S, WIDE, BITS)                                                                   \
    UPSAMPLE(S, u##S, WIDE, u##WIDE, BITS)                                                         \
    UPSAMPLE(u##S, u##S, u##WIDE, u##WIDE, BITS)
UPSAMPLES(char, short, 8)
UPSAMPLES(short, int, 16)
UPSAMPLES(int, long, 32)

// Products of four 8-bit integers, of vectors or packed in an uint.
#define BYTE_DOT(X, Y, R)                                                                          \
    FN R cl_dot(X##4 x, Y##4 y)                                                                    \
    {                                                                                              \
        return (R)x.s0 * (R)y.s0 + (R)x.s1 * (R)y.s1 + (R)x.s2 * (R)y.s2 + (R)x.s3 * (R)y.s3;      \
    }                                                                                              \
    FN R cl_dot_acc_sat(X##4 x, Y##4 y, R z) { return add_sat(cl_dot(x, y), z); }
BYTE_DOT(uchar, uchar, uint)
BYTE_DOT(char, char, int)
BYTE_DOT(uchar, char, int)
BYTE_DOT(char, uchar, int)
#define PACKED_DOT(NAME, X, Y, R)                                                                  \
    FN R cl_dot_4x8packed_##NAME(uint x, uint y) { return cl_dot(as_##X##4(x), as_##Y##4(y)); }    \
    FN R cl_dot_acc_sat_4x8packed_##NAME(uint x, uint y, R z)                                      \
    {                                                                                              \
        return cl_dot_acc_sat(as_##X##4(x), as_##Y##4(y), z);                                      \
    }
PACKED_DOT(uu_uint, uchar, uchar, uint)
PACKED_DOT(ss_int, char, char, int)
PACKED_DOT(us_int, uchar, char, int)
PACKED_DOT(su_int, char, uchar, int)

// ---- relations: a truth is 1 for scalars, all bits for the components of vectors

#define RELATION(NAME, T, S, IS)                                                                   \
    FN int cl_##NAME(T x, T y) { return IS; }                                                      \
    FN S vec_##NAME(T x, T y) { return (S)((IS) ? -1 : 0); }
#define CLASS(NAME, T, S, IS)                                                                      \
    FN int cl_##NAME(T x) { return IS; }                                                           \
    FN S vec_##NAME(T x) { return (S)((IS) ? -1 : 0); }
#define RELATIONS(T, S, U, BITS)                                                                   \
    RELATION(isequal, T, S, x == y)                                                                \
    RELATION(isnotequal, T, S, x != y)                                                             \
    RELATION(isgreater, T, S, x > y)                                                               \
    RELATION(isgreaterequal, T, S, x >= y)                                                         \
    RELATION(isless, T, S, x < y)                                                                  \
    RELATION(islessequal, T, S, x <= y)                                                            \
    RELATION(islessgreater, T, S, (x < y) | (y < x))                                               \
    RELATION(isordered, T, S, (x == x) & (y == y))                                                 \
    RELATION(isunordered, T, S, (x != x) | (y != y))                                               \
    CLASS(isnan, T, S, x != x)                                                                     \
    CLASS(signbit, T, S, as_##S(x) < 0)
// Of a number's bits without its sign: subnormal numbers lie below LEAST, NaNs above INF.
#define CLASSES(T, S, U, INF, LEAST)                                                               \
    CLASS(isfinite, T, S, (U)(as_##U(x) << 1) < (U)(INF << 1))                                     \
    CLASS(isinf, T, S, (U)(as_##U(x) << 1) == (U)(INF << 1))                                       \
    CLASS(isnormal, T, S, (U)((as_##U(x) << 1) - (LEAST << 1)) < (U)((INF - LEAST) << 1))
EACH_FLOAT(RELATIONS)
RELATIONS(half, short, ushort, 16)
CLASSES(half, short, ushort, 0x7c00, 0x400)
CLASSES(float, int, uint, 0x7f800000u, 0x800000u)
CLASSES(double, long, ulong, 0x7ff0000000000000ul, 0x10000000000000ul)

// The most significant bits of all components.
#define ANY_ALL_OF(NAME, OP, T)                                                                    \
    FN int cl_##NAME(T x) { return x < 0; }                                                        \
    FN int cl_##NAME(T##2 x) { return (T)(x.x OP x.y) < 0; }                                       \
    FN int cl_##NAME(T##3 x) { return (T)(x.x OP x.y OP x.z) < 0; }                                \
    FN int cl_##NAME(T##4 x) { return (T)(x.x OP x.y OP x.z OP x.w) < 0; }                         \
    FN int cl_##NAME(T##8 x)                                                                       \
    {                                                                                              \
        return (T)(x.s0 OP x.s1 OP x.s2 OP x.s3 OP x.s4 OP x.s5 OP x.s6 OP x.s7) < 0;              \
    }                                                                                              \
    FN int cl_##NAME(T##16 x)                                                                      \
    {                                                                                              \
        return (T)(x.s0 OP x.s1 OP x.s2 OP x.s3 OP x.s4 OP x.s5 OP x.s6 OP x.s7 OP x.s8 OP x       \
                       .s9 OP x.sa OP x.sb OP x.sc OP x.sd OP x.se OP x.sf) < 0;                   \
    }
#define ANY_ALL(T, S, U, BITS) ANY_ALL_OF(any, |, T) ANY_ALL_OF(all, &, T)
EACH_SIGNED(ANY_ALL)

#define BITS_OF(T, S, U, BITS)                                                                     \
    FN T cl_bitselect(T x, T y, T z)                                                               \
    {                                                                                              \
        return as_##T((U)((as_##U(x) & ~as_##U(z)) | (as_##U(y) & as_##U(z))));                    \
    }                                                                                              \
    FN T cl_select(T x, T y, S c) { return c ? y : x; }                                            \
    FN T cl_select(T x, T y, U c) { return c ? y : x; }                                            \
    FN T vec_select(T x, T y, S c) { return c < 0 ? y : x; }                                       \
    FN T vec_select(T x, T y, U c) { return (S)c < 0 ? y : x; }
EACH_BITS(BITS_OF)

// ---- geometry. Lengths neither overflow nor vanish on the way: those of float are computed in
// double, those of double as a chain of hypot. The fast_ ones may.

#define GEOMETRY(T, N, DOT, FAST_LENGTH, LENGTH)                                                   \
    FN T cl_dot(T##N x, T##N y) { return DOT; }                                                    \
    FN T cl_fast_length(T##N x) { return FAST_LENGTH; }                                            \
    FN T cl_length(T##N x) { return LENGTH; }                                                      \
    FN T cl_distance(T##N x, T##N y) { return cl_length(x - y); }                                  \
    FN T cl_fast_distance(T##N x, T##N y) { return cl_fast_length(x - y); }                        \
    FN T##N cl_fast_normalize(T##N x)                                                              \
    {                                                                                              \
        const T length = cl_fast_length(x);                                                        \
        return x / (length == 0 ? 1 : length);                                                     \
    }
#define GEOMETRIES(T, LENGTH1, LENGTH2, LENGTH3, LENGTH4)                                          \
    GEOMETRY(T, , x *y, fabs(x), LENGTH1)                                                          \
    GEOMETRY(T, 2, x.x *y.x + x.y * y.y, sqrt(cl_dot(x, x)), LENGTH2)                              \
    GEOMETRY(T, 3, x.x *y.x + x.y * y.y + x.z * y.z, sqrt(cl_dot(x, x)), LENGTH3)                  \
    GEOMETRY(T, 4, x.x *y.x + x.y * y.y + x.z * y.z + x.w * y.w, sqrt(cl_dot(x, x)), LENGTH4)
GEOMETRIES(double, fabs(x), hypot(x.x, x.y), hypot(hypot(x.x, x.y), x.z),
           hypot(hypot(hypot(x.x, x.y), x.z), x.w))
#define AS_DOUBLE(N) cl_fast_length(__builtin_convertvector(x, double##N))
GEOMETRIES(float, fabs(x), (float)AS_DOUBLE(2), (float)AS_DOUBLE(3), (float)AS_DOUBLE(4))

// A vector with an infinite component is taken for one with ±1 there and ±0 elsewhere (OpenCL C,
// 7.5.1); a zero vector stays what it is.
#define NORMALIZE(T, N, WIDE, TURNED, RESULT, LENGTH)                                              \
    FN T##N cl_normalize(T##N x)                                                                   \
    {                                                                                              \
        double##N v = WIDE;                                                                        \
        const double##N turned = TURNED;                                                           \
        v = LENGTH(v) == INFINITY ? turned : v;                                                    \
        const double length = LENGTH(v);                                                           \
        v = v / (length == 0 ? 1 : length);                                                        \
        return RESULT;                                                                             \
    }
// A length that only overflows: a quarter of the vector has the same direction. (hypot is infinite
// even if the other argument is a NaN; a square root of squares is not.)
#define QUARTER          (x * (cl_length(x) == INFINITY ? 0.25 : 1.0))
#define TURN(N)          copysign(fabs(v) == INFINITY ? (double##N)1 : (double##N)0, v)
#define TURN_OR_NAN(N)   (fabs(v) == INFINITY ? copysign((double##N)1, v) : v * 0)
#define NORMALIZES(N)                                                                              \
    NORMALIZE(float, N, __builtin_convertvector(x, double##N), TURN(N),                            \
              __builtin_convertvector(v, float##N), cl_fast_length)                                \
    NORMALIZE(double, N, QUARTER, TURN_OR_NAN(N), v, cl_length)
NORMALIZES(2)
NORMALIZES(3)
NORMALIZES(4)

#define NORMALIZE_SCALAR(T, S, U, BITS)                                                            \
    FN T cl_normalize(T x)                                                                         \
    {                                                                                              \
        const T one = copysign((T)1, x);                                                           \
        return fabs(x) > 0 ? one : x;                                                              \
    }
EACH_FLOAT(NORMALIZE_SCALAR)

#define CROSS(T, S, U, BITS)                                                                       \
    FN T##3 cl_cross(T##3 x, T##3 y) { return x.yzx * y.zxy - x.zxy * y.yzx; }                     \
    FN T##4 cl_cross(T##4 x, T##4 y) { return (T##4)(cl_cross(x.xyz, y.xyz), 0); }
EACH_FLOAT(CROSS)

// ---- ballots: a bit for each lane, the first 32 in the first component of a uint4

__attribute__((overloadable)) uint get_sub_group_local_id(void);
__attribute__((overloadable)) uint get_sub_group_size(void);
__attribute__((overloadable)) uint get_max_sub_group_size(void);

#define ONES(n)   ((uint)((1ul << (n)) - 1)) // n: 0 to 32
#define LANE      get_sub_group_local_id()
FN int bit(uint x, uint n)
{
    const int found = (int)(x >> (n & 31) & 1);
    return n < 32 ? found : 0;
}
FN uint4 cl_get_sub_group_eq_mask() { return (uint4)(1u << LANE, 0, 0, 0); }
FN uint4 cl_get_sub_group_ge_mask() { return (uint4)(ONES(get_sub_group_size()) & ~ONES(LANE), 0, 0, 0); }
FN uint4 cl_get_sub_group_gt_mask() { return (uint4)(ONES(get_sub_group_size()) & ~ONES(LANE + 1), 0, 0, 0); }
FN uint4 cl_get_sub_group_le_mask() { return (uint4)(ONES(LANE + 1), 0, 0, 0); }
FN uint4 cl_get_sub_group_lt_mask() { return (uint4)(ONES(LANE), 0, 0, 0); }
FN int cl_sub_group_inverse_ballot(uint4 x) { return bit(x.x, LANE); }
FN int cl_sub_group_ballot_bit_extract(uint4 x, uint n) { return bit(x.x, n); }
#define HERE (x.x & ONES(get_max_sub_group_size()))
FN uint cl_sub_group_ballot_bit_count(uint4 x) { return popcount(HERE); }
FN uint cl_sub_group_ballot_inclusive_scan(uint4 x) { return popcount(x.x & ONES(LANE + 1)); }
FN uint cl_sub_group_ballot_exclusive_scan(uint4 x) { return popcount(x.x & ONES(LANE)); }
FN uint cl_sub_group_ballot_find_lsb(uint4 x) { return ctz(HERE); }
FN uint cl_sub_group_ballot_find_msb(uint4 x) { return 31 - clz(HERE); }
