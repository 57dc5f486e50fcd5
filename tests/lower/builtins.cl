// SPDX-License-Identifier: MIT
// Builtins that check themselves, see test_builtins.c. Operands are computed from the work-item's id `t`
// or read from memory, so that they are varying; `u` is 0 and uniform.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
#define ARGS global int *fails, global uchar *scratch
#define CHECK(x)                                                                                   \
    do {                                                                                           \
        if (!(x)) {                                                                                \
            int at = atomic_inc(fails);                                                            \
            if (at < 32) fails[1 + at] = __LINE__;                                                 \
        }                                                                                          \
    } while (0)
#define ALL(x) CHECK(all(x))
#define SETUP const int t = get_local_id(0), u = get_global_offset(0); (void)t; (void)u
#define NEAR(a, b) (fabs((a) - (b)) <= 4 * FLT_EPSILON * fabs(b))

kernel void work_items(ARGS)
{
    SETUP;
    CHECK(get_global_id(0) == t && get_local_size(0) == 64 && get_global_size(0) == 64);
    CHECK(get_num_groups(0) == 1 && get_group_id(0) == 0 && get_work_dim() == 1);
    CHECK(get_global_id(1) == 0 && get_local_size(1) == 1 && get_global_size(2) == 1);
    CHECK(get_global_id(3) == 0 && get_local_size(3) == 1 && get_num_groups(7) == 1 && get_global_offset(9) == 0);
    uint d = t & 3; // not a constant
    CHECK(get_local_id(d) == (d == 0 ? t : 0));
    CHECK(get_local_size(d) == (d == 0 ? 64 : 1));
}

kernel void integers(ARGS)
{
    SETUP;
    int m = -1 - u;
    CHECK(abs(-5 - t) == 5 + t && abs(INT_MIN + u) == 0x80000000u);
    ALL(abs((char4)(-128, 127, -1, 0) + (char)u) == (uchar4)(128, 127, 1, 0));
    CHECK(abs_diff(-2000000000 + u, 2000000000) == 4000000000u && abs_diff((uchar)3, (uchar)250) == 247);
    CHECK(add_sat(INT_MAX - t, 100) == INT_MAX && add_sat((uchar)200, (uchar)100) == 255 && add_sat((char)-100, (char)-100) == -128);
    CHECK(sub_sat((uint)t, 100u) == 0 && sub_sat(LONG_MIN + u, 1L) == LONG_MIN);
    CHECK(hadd(INT_MAX + u, INT_MAX - 1) == INT_MAX - 1 && rhadd(INT_MAX + u, INT_MAX - 1) == INT_MAX && hadd((char)-3, (char)-2) == -3);
    CHECK(mul_hi(0x40000000 + u, 16) == 4 && mul_hi(0xffffffffu + u, 0xffffffffu) == 0xfffffffeu && mul_hi(m, 2) == -1);
    CHECK(mul_hi(0x4000000000000000L + u, 16L) == 4 && mul_hi((short)-32768, (short)2) == -1);
    CHECK(mad_hi(0x40000000 + u, 16, t) == 4 + t);
    CHECK(mad_sat(0x40000000 + u, 4, 0) == INT_MAX && mad_sat(0x40000000 + u, -4, 0) == INT_MIN && mad_sat(3, 4, t) == 12 + t);
    CHECK(mad_sat(0x40000000u + u, 4u, 0u) == UINT_MAX && mad_sat((uchar)15, (uchar)17, (uchar)u) == 255 && mad_sat((char)10, (char)-13, (char)3) == -127);
    CHECK(mad_sat(LONG_MAX + u, 2L, 5L) == LONG_MAX && mad_sat(LONG_MAX, -2L + u, 5L) == LONG_MIN && mad_sat(-3L, 7L, 20L + t) == t - 1);
    CHECK(mad_sat(LONG_MAX + u, 1L, 1L) == LONG_MAX && mad_sat(LONG_MIN, 1L + u, -1L) == LONG_MIN && mad_sat(LONG_MIN + u, 1L, 1L) == LONG_MIN + 1);
    CHECK(mad_sat(ULONG_MAX + u, 1UL, 1UL) == ULONG_MAX && mad_sat(ULONG_MAX, 1UL, (ulong)u) == ULONG_MAX && mad_sat(2UL, 3UL, 4UL + t) == 10 + t);
    CHECK(rotate(0x80000001u + u, 4u) == 0x18 && rotate((uchar)0x81, (uchar)(1 + 8)) == 3 && rotate(1L + u, 65L) == 2);
    CHECK(clz(1 + u) == 31 && clz(0 + u) == 32 && clz((uchar)(1 + u)) == 7 && clz((ulong)(16 + u)) == 59);
    CHECK(popcount(0xf0f0 + u) == 8 && popcount((char)-1) == 8);
    CHECK(mul24(-3 + u, 5) == -15 && mad24(3u + u, 5u, 7u) == 22);
    CHECK(upsample((char)-2, (uchar)0xff) == (short)0xfeff && upsample((uint)t, 5u) == ((ulong)t << 32 | 5));
    ALL(upsample((ushort2)(1, 2), (ushort2)(3, 4)) == (uint2)(0x10003, 0x20004));
    CHECK(min(t, 5) == (t < 5 ? t : 5) && max(-1 - t, -3) == (t < 2 ? -1 - t : -3) && max(0xffffffffu + u, 1u) == 0xffffffffu);
    ALL(min((int4)(1, 2, 3, 4) + t, 3 + t) == (int4)(1, 2, 3, 3) + t);
    CHECK(clamp(t, 10, 20) == (t < 10 ? 10 : t > 20 ? 20 : t));
    ALL(clamp((char3)(-100, 0, 100), (char)-7, (char)7) == (char3)(-7, 0, 7));
}

kernel void common(ARGS)
{
    SETUP;
    float x = t * 0.25f - 4;
    CHECK(fabs(x) == (x < 0 ? -x : x) && fmin(x, 1.0f) == (x < 1 ? x : 1) && fmax(NAN, x) == x && fmin(x, NAN) == x);
    CHECK(floor(x) <= x && ceil(x) >= x && trunc(-1.5f + u) == -1 && rint(2.5f + u) == 2 && round(2.5f + u) == 3);
    CHECK(clamp(x, -1.0f, 1.0f) >= -1 && clamp(x, -1.0f, 1.0f) <= 1);
    CHECK(degrees(M_PI_F + u) == 180 && NEAR(radians(180.0f + u), M_PI_F) && NEAR(degrees(M_PI + u), 180.0));
    CHECK(mix(1.0f, 3.0f, 0.5f + u) == 2);
    ALL(mix((float2)(1, 2), (float2)(3, 6), 0.25f + u) == (float2)(1.5f, 3));
    CHECK(sign(x) == (x > 0 ? 1 : x < 0 ? -1 : 0) && sign(NAN + x) == 0 && signbit(sign(-0.0f * (1 + u))));
    CHECK(step(0.5f, x) == (x < 0.5f ? 0 : 1));
    ALL(step(1.5f, (float3)(1, 2, 3) + u) == (float3)(0, 1, 1));
    CHECK(smoothstep(0.0f, 2.0f, 1.0f + u) == 0.5f && smoothstep(0.0f, 2.0f, 5.0f + u) == 1);
    CHECK(mad(2.0f, 3.0f, x) == 6 + x && fma(2.0f, 3.0f, x) == 6 + x && fma(1 + FLT_EPSILON, 1 - FLT_EPSILON + u, -1.0f) == -FLT_EPSILON * FLT_EPSILON);
    CHECK(copysign(3.0f, x) == (signbit(x) ? -3 : 3));
    CHECK(half_recip(4.0f + u) == 0.25f && native_divide(3.0f + u, 2.0f) == 1.5f && native_sqrt(16.0f + u) == 4);
    CHECK(isnan(nan(0u + u)) && (as_uint(nan(5u + u)) & 0x3fffff) == 5 && isnan(nan(0ul + u)));
}

kernel void mathematics(ARGS)
{
    SETUP;
    float x = t * 0.125f + 0.5f;
    double d = x;
    CHECK(NEAR(exp(log(x)), x) || fabs(log(x)) > 1);
    CHECK(NEAR(sin(x) * sin(x) + cos(x) * cos(x), 1.0f) && fabs(sin(d) * sin(d) + cos(d) * cos(d) - 1) < 1e-15);
    CHECK(sqrt(x * x) == x && NEAR(pow(x, 2.0f), x * x) && NEAR(pown(x, 3), x * x * x) && NEAR(rootn(x * x * x, 3), x));
    CHECK(NEAR(rsqrt(x * x), 1 / x) && NEAR(native_rsqrt(x * x), 1 / x) && NEAR(half_exp2(x), exp2(x)));
    CHECK(ldexp(x, 3) == 8 * x && ilogb(8.0f + u) == 3 && logb(8.0f + u) == 3 && nextafter(1.0f + u, 2.0f) == 1 + FLT_EPSILON);
    CHECK(fmod(7.5f + u, 2.0f) == 1.5f && remainder(7.5f + u, 2.0f) == -0.5f && hypot(3.0f + u, 4.0f) == 5 && fdim(x, x + 1) == 0);
    CHECK(sinpi(0.5f + t) == (t & 1 ? -1 : 1) && cospi(0.5f + t) == 0 && tgamma(5.0f + u) == 24 && NEAR(erf(x) + erfc(x), 1.0f));
    ALL(ldexp((float4)(1, 2, 3, 4), 2 + u) == (float4)(4, 8, 12, 16));
    ALL(sqrt((float16)(4.0f + u)) == (float16)2.0f);
    float whole;
    CHECK(fract(-1.25f + u, &whole) == 0.75f && whole == -2);
    CHECK(modf(x, &whole) + whole == x && whole == trunc(x));
    float c, s = sincos(x, &c);
    CHECK(s == sin(x) && c == cos(x));
    int e;
    CHECK(frexp(12.0f + u, &e) == 0.75f && e == 4);
    int4 e4;
    double4 m4 = frexp((double4)(1, 2, 3, 4) + u, &e4);
    ALL(m4 == (double4)(0.5, 0.5, 0.75, 0.5));
    ALL(e4 == (int4)(1, 2, 2, 3));
    float3 w3, f3 = fract((float3)(0.25f, 1.5f, -0.5f) + u, &w3);
    ALL(f3 == (float3)(0.25f, 0.5f, 0.5f));
    ALL(w3 == (float3)(0, 1, -1));
    CHECK(remquo(7.5f + u, 2.0f, &e) == -0.5f && e == 4);
    lgamma_r(-0.5f + u, &e);
    CHECK(e == -1);
    local float lw[64];
    fract(t + 0.5f, &lw[t]);
    CHECK(lw[t] == t);
}

kernel void geometry(ARGS)
{
    SETUP;
    float4 a = (float4)(1, 2, 3, 0) + u, b = (float4)(4, 5, 6, 0) + t * (float4)(0, 0, 1, 0);
    CHECK(dot(a, b) == 32 + 3 * t && dot(2.0f + u, 3.0f) == 6);
    ALL(cross(a, (float4)(4, 5, 6, 9)) == (float4)(-3, 6, -3, 0));
    ALL(cross((float3)(1, 0, 0) + u, (float3)(0, 1, 0)) == (float3)(0, 0, 1));
    CHECK(length((float3)(3e30f, 4e30f, 0) + u) == 5e30f && length((float2)(3e-30f, 4e-30f) + u) == 5e-30f && length(-3.0f + u) == 3);
    CHECK(fabs(length((double2)(3e300, 4e300) + u) - 5e300) < 1e285 && distance((float2)(1, 1) + u, (float2)(4, 5)) == 5);
    CHECK(fast_length((float2)(3, 4) + u) == 5 && fast_distance((float2)(1, 1) + u, (float2)(4, 5)) == 5);
    ALL(fabs(normalize((float2)(3, 4) + u) - (float2)(0.6f, 0.8f)) < 1e-7f);
    ALL(fabs(fast_normalize((float2)(3, 4) + u) - (float2)(0.6f, 0.8f)) < 1e-6f);
    ALL(normalize((float4)(0.0f + u)) == (float4)(0.0f));
    ALL(normalize((float3)(INFINITY, 1, 2) + u) == (float3)(1, 0, 0));
    ALL(isnan(normalize((float2)(NAN, 1) + u)));
    ALL(fabs(normalize((double3)(0, -2, 0) + u) - (double3)(0, -1, 0)) < 1e-15);
}

kernel void relations(ARGS)
{
    SETUP;
    float x = t - 3, n = NAN;
    CHECK(isequal(x, x) == 1 && isequal(n, n) == 0 && isnotequal(n, x) == 1 && isgreater(x + 1, x) == 1 && isgreater(n, x) == 0);
    CHECK(isless(x, x + 1) == 1 && islessequal(x, x) == 1 && isgreaterequal(x, x) == 1 && islessgreater(x, x + 1) == 1 && islessgreater(x, n) == 0);
    CHECK(isordered(x, n) == 0 && isunordered(x, n) == 1 && isordered(x, x) == 1);
    ALL(isless((float2)(1, 2) + u, (float2)(2, 1)) == (int2)(-1, 0));
    ALL(isequal((double2)(1, 2) + u, (double2)(1, 1)) == (long2)(-1, 0));
    CHECK(isequal((double)x, (double)x) == 1);
    CHECK(isfinite(x) == 1 && isfinite(INFINITY + u) == 0 && isinf(-INFINITY + u) == 1 && isnan(n + u) == 1 && isnormal(x + 10) == 1);
    CHECK(isnormal(1e-40f + u) == 0 && isnormal(0.0f + u) == 0 && signbit(-0.0f * (1 + u)) == 1 && isnan(n + t) && !isnan(x));
    ALL(signbit((float4)(-1, 1, -0.0f, INFINITY)) == (int4)(-1, 0, -1, 0));
    CHECK(any((int4)(0, 0, u - 1, 0)) && !any((int4)(1, 2, 3, u)) && !all((char2)(-1, u)) && all((char2)(-1, -128)) && any((short)(u - 5)));
    CHECK(select(t, -t, u) == t && select(1.5f, x, t + 1) == x && select((uchar)1, (uchar)2, (char)t) == (t ? 2 : 1));
    ALL(select((float4)(1), (float4)(2), (int4)(-1, 0, INT_MAX, INT_MIN)) == (float4)(2, 1, 1, 2));
    CHECK(bitselect(0xff00 + u, 0x1234, 0xff) == 0xff34 && bitselect(1.0f + u, -2.0f, 0.0f) == 1);
}

kernel void conversions(ARGS)
{
    SETUP;
    float x = t - 10.5f;
    CHECK(convert_int(x) == (int)x && convert_int_rtn(x) == (int)floor(x) && convert_int_rtp(x) == (int)ceil(x) && convert_int_rte(2.5f + u) == 2);
    CHECK(convert_uchar_sat(300.7f + u) == 255 && convert_uchar_sat(-5 - t) == 0 && convert_char_sat(200u + u) == 127 && convert_char_sat(-200 - t) == -128);
    CHECK(convert_uint_sat(-1L - t) == 0 && convert_int_sat(0x100000000L + u) == INT_MAX && convert_int_sat(-0x100000000L + u) == INT_MIN);
    CHECK(convert_long_sat(ULONG_MAX + u) == LONG_MAX && convert_ulong_sat(-1 - t) == 0 && convert_ulong_sat((char)-7) == 0);
    CHECK(convert_ushort_sat(70000 + u) == 65535 && convert_ushort_sat((char)(t - 64)) == 0 && convert_short_sat((uchar)200) == 200);
    CHECK(convert_int_sat(NAN + x) == 0 && convert_int_sat(1e20f + u) == INT_MAX && convert_long_sat(-1e30 + u) == LONG_MIN && convert_uint_sat(5e9f + u) == UINT_MAX);
    CHECK(convert_uchar(257 + u) == 1 && convert_short(-1 - u) == -1 && convert_long((char)-5) == -5 && convert_ulong((uchar)(251 + u)) == 251);
    CHECK(convert_float(16777217 + u) == 16777216.0f && convert_float_rtp(16777217 + u) == 16777218.0f && convert_float_rtz(-16777217 - u) == -16777216.0f);
    CHECK(convert_float_rtn(-16777217 - u) == -16777218.0f && convert_float_rtz(ULONG_MAX + u) == 0x1.fffffep63f && convert_double_rtn(LONG_MAX + u) == 0x1.fffffffffffffp62);
    CHECK(convert_float_rtz(0.1 + u) < 0.1 && convert_float_rtp(0.1 + u) > 0.1 && convert_double(0.1f + u) == 0.1f && convert_float(0.1 + u) == 0.1f);
    ALL(convert_int4((float4)(1.9f, -1.9f, 3, 0) + u) == (int4)(1, -1, 3, 0));
    ALL(convert_uchar16_sat((int16)(-1 - t)) == (uchar16)0);
    ALL(convert_float3((uchar3)(1, 255, 3)) == (float3)(1, 255, 3));
    ALL(convert_double2((float2)(1.5f, t)) == (double2)(1.5, t));
    CHECK(as_int(1.0f + u) == 0x3f800000 && as_float(0x40000000 + u) == 2);
    ALL(as_uchar4(0x04030201 + u) == (uchar4)(1, 2, 3, 4));
    CHECK(as_uint((uchar4)(1, 2, 3, 4 + u)) == 0x04030201 && as_double(as_long2((double2)(2.5, t)).x) == 2.5);
    ALL(as_short8((int4)(0x20001, 0x40003, -1, t)).s0123 == (short4)(1, 2, 3, 4));
}

kernel void shuffles(ARGS)
{
    SETUP;
    float4 v = (float4)(10, 11, 12, 13) + t;
    ALL(shuffle(v, (uint4)(3, 2, 1, 0)) == v.wzyx);
    ALL(shuffle(v, (uint4)(t, t + 1, 7, 4)) - t == (float4)(10 + (t & 3), 10 + ((t + 1) & 3), 13, 10));
    ALL(shuffle(v, (uint2)(t >> 1 & 3, 9)) - t == (float2)(10 + (t >> 1 & 3), 11));
    ALL(shuffle2(v, v + 100, (uint4)(t & 7, 4, 0, 15)) - t == (float4)((t & 7) < 4 ? 10 + (t & 7) : 106 + (t & 7), 110, 10, 113));
    uchar16 a = (uchar16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15), b = a + (uchar)16, k = (uchar16)(uchar)t + a;
    ALL(shuffle2(a, b, k) == (k & (uchar)31));
    ALL(shuffle((long2)(5, 6) + t, (ulong8)(t & 1)) == (long8)(5 + (t & 1) + t));
    CHECK(vec_step(v) == 4 && vec_step((char3)0) == 4 && vec_step(t) == 1);
}

kernel void memory(ARGS)
{
    SETUP;
    global float *f = (global float *)scratch + t * 64;
    global short *s = (global short *)scratch + t * 128;
    global half *h = (global half *)scratch + t * 128;
    vstore4((float4)(1, 2, 3, 4) + t, 2, f + 1);
    CHECK(f[9] == 1 + t && f[12] == 4 + t);
    ALL(vload4(2, f + 1) == (float4)(1, 2, 3, 4) + t);
    ALL(vload3(3, f) == (float3)(1, 2, 3) + t);
    f[5] = 77;
    vstore3((float3)(5, 6, 7), 0, f + 2);
    CHECK(f[2] == 5 && f[4] == 7 && f[5] == 77);
    vstore16((short16)(t), 1, s);
    CHECK(s[16] == t && s[31] == t && vload8(2, s).s7 == t && vload2(u + 10, s).y == t);
    vstore_half(1.5f + t, 3, h);
    CHECK(vload_half(3, h) == 1.5f + t && ((global ushort *)h)[3] == (t == 0 ? 0x3e00 : ((global ushort *)h)[3]));
    vstore_half4_rtz((float4)(1.0009f, -1.0009f, 65520, 0.1f) + u, 1, h);
    ALL(vload_half4(1, h) == (float4)(1, -1, 65504, 0x1.998p-4f));
    vstore_half2_rtp((double2)(1.0001, -1.0001) + u, 0, h);
    ALL(vload_half2(0, h) == (float2)(1 + 0x1p-10f, -1));
    h += 64;
    ((global ushort *)h)[7] = 0x1234;
    vstorea_half3((float3)(1, 2, 3) + t, 1, h);
    ALL(vloada_half3(1, h) == (float3)(1, 2, 3) + t);
    CHECK(vload_half(6, h) == 3 + t && ((global ushort *)h)[7] == 0x1234);
    float priv[8];
    vstore8((float8)(0, 1, 2, 3, 4, 5, 6, 7) + t, 0, priv);
    ALL(vload4(1, priv) == (float4)(4, 5, 6, 7) + t);
    prefetch(f, 4);
}

constant float table[8] = {0, 1, 2, 3, 4, 5, 6, 7};

kernel void atomics(ARGS)
{
    SETUP;
    local int n[12];
    local uint un[2];
    local float lf;
    local long big[2];
    ALL(vload4(1, table) == (float4)(4, 5, 6, 7));
    if (t == 0) {
        for (int i = 0; i < 12; i++) n[i] = 0;
        n[4] = 1000; n[6] = -1; n[9] = 63;
        un[0] = 5; un[1] = 0xffffffff;
        big[0] = 1L << 40; big[1] = 0;
        lf = -1;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&n[0], t);
    atomic_sub(&n[1], 2);
    int ticket = atomic_inc(&n[2]);
    atomic_dec(&n[3]);
    atomic_min(&n[4], t - 5);
    atomic_max(&n[5], t);
    atomic_and(&n[6], ~(1 << (t & 7)));
    atomic_or(&n[7], 1 << (t & 15));
    atomic_xor(&n[8], t);
    atomic_cmpxchg(&n[9], 63, t + 1000);
    int before = atomic_xchg(&n[10], t + 1);
    atomic_xchg(&lf, (float)t);
    atomic_min(&un[1], 0x80000000u + t);
    atom_add(&big[0], 1L);
    atom_max(&big[1], (long)t << 33);
    barrier(CLK_LOCAL_MEM_FENCE);
    CHECK(ticket >= 0 && ticket < 64 && before != t + 1 && before <= 64);
    CHECK(n[0] == 63 * 32 && n[1] == -128 && n[2] == 64 && n[3] == -64 && n[4] == -5 && n[5] == 63);
    CHECK(n[6] == ~255 && n[7] == 65535 && n[8] == 0 && n[9] >= 1000 && n[10] >= 1 && lf >= 0);
    CHECK(un[1] == 0x80000000u && big[0] == (1L << 40) + 64 && big[1] == 63L << 33);
    mem_fence(CLK_LOCAL_MEM_FENCE);
    read_mem_fence(CLK_GLOBAL_MEM_FENCE);
    write_mem_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
}

kernel void copies(ARGS)
{
    SETUP;
    local int l[64];
    local float4 lv[8];
    global int *g = (global int *)scratch;
    g[t] = t * 3;
    ((global float4 *)scratch)[100 + t] = (float4)(t, 1, 2, 3);
    barrier(CLK_GLOBAL_MEM_FENCE);
    event_t e = async_work_group_copy(l, g, 64, 0);
    e = async_work_group_strided_copy(lv, (global float4 *)scratch + 100, 8, 3, e);
    wait_group_events(1, &e);
    CHECK(l[t] == t * 3);
    ALL(lv[t & 7] == (float4)(3 * (t & 7), 1, 2, 3));
    e = async_work_group_strided_copy(g + 1000, l, 16, 2, 0);
    wait_group_events(1, &e);
    CHECK(g[1000 + 2 * (t & 15)] == 3 * (t & 15));
}

// What clang makes llvm.* intrinsics of.
kernel void intrinsics(ARGS)
{
    SETUP;
    float e = FLT_EPSILON * (1 + u), one = 1;
    CHECK((one + e) * (one - e) - one == -e * e); // contracted: llvm.fmuladd
    CHECK(__builtin_rotateleft32(0x80000001u + u, 4 + u) == 0x18 && __builtin_rotateright32(0x18u + u, 4 + t * 32) == 0x80000001u);
    CHECK(__builtin_rotateleft8((uchar)(0x81 + u), (uchar)t) == rotate((uchar)0x81, (uchar)t) && __builtin_rotateleft64(1ul + u, 64) == 1);
    CHECK(__builtin_popcount(0xff0f + u) == 12 && __builtin_clz(1 + u) == 31 && __builtin_ctz(8 + u) == 3 && __builtin_bswap32(0x01020304 + u) == 0x04030201);
    CHECK(__builtin_bswap64(1ul + u) == 1ul << 56 && __builtin_bitreverse8((uchar)(1 + u)) == 128);
    int r;
    uint ur;
    long lr;
    CHECK(__builtin_add_overflow(INT_MAX - t, 10, &r) == (t < 10) && r == (int)(INT_MAX - (uint)t + 10));
    CHECK(__builtin_sub_overflow(INT_MIN + t, 10, &r) == (t < 10) && !__builtin_sub_overflow(5 + u, -5, &r) && r == 10);
    CHECK(__builtin_mul_overflow(65536 + u, 32768, &r) && !__builtin_mul_overflow(-65536 - u, 32768, &r) && r == INT_MIN);
    CHECK(__builtin_add_overflow(UINT_MAX - t, 10u, &ur) == (t < 10) && __builtin_sub_overflow((uint)t, 5u, &ur) == (t < 5));
    CHECK(__builtin_mul_overflow(0x10000u + u, 0x10000u, &ur) && !__builtin_mul_overflow(0xffffu + u, 0x10001u, &ur) && ur == UINT_MAX);
    CHECK(__builtin_mul_overflow(1L << 40, (1L << 23) + u, &lr) && !__builtin_mul_overflow(-1L << 40, (1L << 23) + u, &lr) && lr == LONG_MIN);
    ALL(__builtin_elementwise_max((int4)(1, -2, 3, -4) + u, (int4)(0)) == (int4)(1, 0, 3, 0));
    ALL(__builtin_elementwise_min((uint2)(1, 0xffffffff) + (uint)u, (uint2)(2)) == (uint2)(1, 2));
    ALL(__builtin_elementwise_add_sat((char2)(100, -100), (char2)(t)) == add_sat((char2)(100, -100), (char2)(t)));
    ALL(__builtin_elementwise_abs((float2)(-1.5f, t)) == (float2)(1.5f, t));
    CHECK(__builtin_reduce_add((int4)(1, 2, 3, 4) + u) == 10 && __builtin_reduce_max((int4)(t, 5, -1, 0)) == max(t, 5) && __builtin_reduce_xor((int2)(5, 3) + u) == 6);
    CHECK(__builtin_expect(t, 3) == t && __builtin_fabsf(-2.0f - t) == 2 + t && __builtin_elementwise_pow(2.0f + u, 3.0f) == 8);
}

#if __OPENCL_C_VERSION__ >= 200
kernel void c11(ARGS)
{
    SETUP;
    local atomic_int n[4];
    local atomic_uint un;
    local atomic_flag flag;
    local int winners;
    if (t == 0) {
        for (int i = 0; i < 4; i++) atomic_init(&n[i], 0);
        atomic_store(&un, 0xffffffffu);
        atomic_flag_clear(&flag);
        winners = 0;
    }
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    atomic_fetch_add(&n[0], t);
    atomic_fetch_sub_explicit(&n[1], 1, memory_order_relaxed, memory_scope_work_group);
    atomic_fetch_max_explicit(&n[2], t, memory_order_relaxed);
    int expected = 0;
    bool won = atomic_compare_exchange_strong(&n[3], &expected, t + 1);
    CHECK(won ? expected == 0 : expected > 0);
    atomic_fetch_min(&un, 0x80000000u + t);
    if (!atomic_flag_test_and_set(&flag)) atomic_inc(&winners);
    atomic_work_item_fence(CLK_LOCAL_MEM_FENCE, memory_order_acq_rel, memory_scope_work_group);
    work_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_work_group);
    CHECK(atomic_load(&n[0]) == 63 * 32 && atomic_load_explicit(&n[1], memory_order_acquire) == -64 && atomic_load(&n[2]) == 63);
    CHECK(atomic_load(&n[3]) > 0 && atomic_load(&un) == 0x80000000u && winners == 1);
    CHECK(atomic_exchange(&n[3], 5) >= 1);
    int *generic_pointer = (local int *)n;
    CHECK(to_local(generic_pointer) && !to_global(generic_pointer) && get_fence(generic_pointer) == CLK_LOCAL_MEM_FENCE);
    CHECK(get_local_linear_id() == t && get_global_linear_id() == t && get_enqueued_local_size(0) == 64);
    CHECK(ctz(8 + u) == 3 && ctz((uchar)u) == 8);
}
#endif
