// SPDX-License-Identifier: MIT
// RUN: --global=1 --local=1 --arg=int[2]=0
// DUMP 0: [0, 492]
// as_type of a constant, of every type to every type of its size, is as_type of the same value in memory.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define K1 (3)
#define K2 (3, 90)
#define K3 (3, 90, 17)
#define K4 (3, 90, 17, 66)
#define K8 (3, 90, 17, 66, 5, 120, 1, 0)
#define K16 (3, 90, 17, 66, 5, 120, 1, 0, 99, 2, 33, 4, 77, 8, 11, 111)

#define V(T, K, U, BYTES)                                                                          \
    {                                                                                              \
        U a = as_##U((T)K), b = as_##U(m);                                                       \
        _Pragma("clang loop unroll(disable)") for (int i = 0; i < BYTES; i++) wrong += ((uchar *)&a)[i] != ((uchar *)&b)[i];             \
        all++;                                                                                     \
    }
#define TO1(T, K) V(T, K, char, 1) V(T, K, uchar, 1)
#define TO2(T, K) V(T, K, char2, 2) V(T, K, uchar2, 2) V(T, K, short, 2) V(T, K, ushort, 2) V(T, K, half, 2)
#define TO3(T, K) V(T, K, char3, 3) V(T, K, uchar3, 3)
#define TO4(T, K)                                                                                  \
    V(T, K, char4, 4) V(T, K, uchar4, 4) V(T, K, short2, 4) V(T, K, ushort2, 4) V(T, K, half2, 4)  \
    V(T, K, int, 4) V(T, K, uint, 4) V(T, K, float, 4)
#define TO6(T, K) V(T, K, short3, 6) V(T, K, ushort3, 6) V(T, K, half3, 6)
#define TO8(T, K)                                                                                  \
    V(T, K, char8, 8) V(T, K, uchar8, 8) V(T, K, short4, 8) V(T, K, ushort4, 8) V(T, K, half4, 8)  \
    V(T, K, int2, 8) V(T, K, uint2, 8) V(T, K, float2, 8) V(T, K, long, 8) V(T, K, ulong, 8)       \
    V(T, K, double, 8)
#define TO12(T, K) V(T, K, int3, 12) V(T, K, uint3, 12) V(T, K, float3, 12)
#define TO16(T, K)                                                                                 \
    V(T, K, char16, 16) V(T, K, uchar16, 16) V(T, K, short8, 16) V(T, K, ushort8, 16)              \
    V(T, K, half8, 16) V(T, K, int4, 16) V(T, K, uint4, 16) V(T, K, float4, 16)                    \
    V(T, K, long2, 16) V(T, K, ulong2, 16) V(T, K, double2, 16)
#define TO24(T, K) V(T, K, long3, 24) V(T, K, ulong3, 24) V(T, K, double3, 24)
#define TO32(T, K)                                                                                 \
    V(T, K, short16, 32) V(T, K, ushort16, 32) V(T, K, half16, 32) V(T, K, int8, 32)               \
    V(T, K, uint8, 32) V(T, K, float8, 32) V(T, K, long4, 32) V(T, K, ulong4, 32)                  \
    V(T, K, double4, 32)
#define TO64(T, K)                                                                                 \
    V(T, K, int16, 64) V(T, K, uint16, 64) V(T, K, float16, 64) V(T, K, long8, 64)                 \
    V(T, K, ulong8, 64) V(T, K, double8, 64)
#define TO128(T, K) V(T, K, long16, 128) V(T, K, ulong16, 128) V(T, K, double16, 128)
#define FROM(T, K, TO)                                                                             \
    {                                                                                              \
        volatile T m = (T)K;                                                                     \
        TO(T, K)                                                                                   \
    }
#define EACH(T, A, B, C, D, E, F)                                                                  \
    FROM(T, K1, A) FROM(T##2, K2, B) FROM(T##3, K3, C) FROM(T##4, K4, D) FROM(T##8, K8, E)         \
    FROM(T##16, K16, F)

kernel void k(global int *out)
{
    int wrong = 0, all = 0;
    EACH(char, TO1, TO2, TO3, TO4, TO8, TO16)
    EACH(uchar, TO1, TO2, TO3, TO4, TO8, TO16)
    EACH(short, TO2, TO4, TO6, TO8, TO16, TO32)
    EACH(ushort, TO2, TO4, TO6, TO8, TO16, TO32)
    EACH(half, TO2, TO4, TO6, TO8, TO16, TO32)
    EACH(int, TO4, TO8, TO12, TO16, TO32, TO64)
    EACH(uint, TO4, TO8, TO12, TO16, TO32, TO64)
    EACH(float, TO4, TO8, TO12, TO16, TO32, TO64)
    EACH(long, TO8, TO16, TO24, TO32, TO64, TO128)
    EACH(ulong, TO8, TO16, TO24, TO32, TO64, TO128)
    EACH(double, TO8, TO16, TO24, TO32, TO64, TO128)
    out[0] = wrong;
    out[1] = all;
}
