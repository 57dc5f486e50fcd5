// SPDX-License-Identifier: MIT
// Values from memory as indices, divisors, shift counts and bounds of loops: what machine code cannot know before it runs. Each goes through
// `out`, so that no compiler knows it.

//= out-of-bounds
kernel void data_far_read(global uint *out)
{
    const uint x = get_global_id(0);
    out[x] = 0x30000000;
    out[x] = out[out[x]];
}

//= out-of-bounds
kernel void data_far_write(global uint *out)
{
    const uint x = get_global_id(0);
    out[x] = 0x3fffffff - x;
    out[out[x]] = 1;
}

//= out-of-bounds
kernel void data_negative(global uint *out)
{
    const uint x = get_global_id(0);
    out[x] = 0u - 1 - x;
    out[(int)out[x]] = 1;
}

//= out-of-bounds
kernel void data_wraps(global ulong *out)
{
    const uint x = get_global_id(0) & 15;
    out[x] = 0x2000000000000000ul + 0x1000000000000ul; // times 8 it wraps around
    ((global uchar *)out)[out[x] * 8] = 1;
}

//= out-of-bounds
kernel void data_straddles(global uint *out)
{
    const uint x = get_global_id(0);
    out[x] = 62;
    vstore4((uint4)(1), 0, out + out[x]);
}

//= misaligned-access out-of-bounds
kernel void data_misaligned(global uint *out)
{
    const uint x = get_global_id(0);
    out[x] = 253;
    *(global ulong *)((global uchar *)out + out[x]) = 1;
}

//= out-of-bounds
kernel void data_part(global uint *part, global uint *out)
{
    const uint x = get_global_id(0);
    out[x] = 16 + x;
    part[out[x]] = 1;
    part[0u - out[x]] = 1;
}

//= out-of-bounds
kernel void data_local(global uint *out)
{
    local uint t[16];
    const uint x = get_global_id(0);
    out[x] = 0x1000000 + x;
    t[get_local_id(0)] = x;
    t[out[x]] = 1;
    out[x] = t[get_local_id(0)];
}

//= out-of-bounds
kernel void data_private(global uint *out)
{
    const uint x = get_global_id(0);
    uint p[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    out[x] = 0x100000 + x;
    p[out[x]] = 1;
    out[x] = p[x & 7];
}

//= out-of-bounds
kernel void data_private_back(global uint *out)
{
    const uint x = get_global_id(0);
    uint p[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    out[x] = 0u - 40 - x;
    p[(int)out[x]] = 0x41414141;
    out[x] = p[x & 7];
}

//= out-of-bounds
kernel void data_advances(global uint *out)
{
    const uint x = get_global_id(0);
    global uint *p = out;
    out[x] = 300;
    for (uint k = 0, n = out[x]; k < n; k++) p++;
    *p = 1;
}

//= out-of-bounds
kernel void data_chosen(global uint *out)
{
    const uint x = get_global_id(0);
    out[x] = 0x20000001;
    const uint d = out[x];
    *(d & 1 ? out + d : out + 1) = 1;
}

//= invalid-conversion out-of-bounds
kernel void data_conversion(global uint *out)
{
    const uint x = get_global_id(0);
    out[x] = as_uint(3e9f + x);
    const uchar i = (uchar)as_float(out[x]);
    if (i < 200) out[i & 63] = 1;
    out[(int)as_float(out[x])] = 1;
}

//= out-of-bounds
kernel void data_shift(global uint *out)
{
    const uint x = get_global_id(0);
    out[x] = 29 + (x & 1);
    out[1u << out[x]] = 1;
}

//= division-by-zero
kernel void data_division(global uint *out)
{
    const uint x = get_global_id(0);
    out[x] = 0;
    out[x] = 7 / out[x];
}

//= division-by-zero
kernel void data_overflow(global int *out)
{
    const uint x = get_global_id(0);
    out[x] = 0x80000000;
    out[x] = out[x] / (out[x] >> 31);
}

//= out-of-bounds
kernel void data_atomic(global uint *out)
{
    const uint x = get_global_id(0);
    out[x] = 0x10000000 + x;
    atomic_add(&out[out[x]], 1);
}

//= data-race
kernel void data_race(global uint *out)
{
    const uint x = get_global_id(0);
    out[x] = x * 3 % 64;
    out[out[x] % 64] = 7;
}

//= instruction-limit no-progress
kernel void data_endless(global uint *out)
{
    const uint x = get_global_id(0);
    out[x] = 1;
    uint s = x;
    for (uint k = out[x]; k != 0; k += 2) s += k;
    out[x] = s;
}

//= instruction-limit no-progress
kernel void data_long(global uint *out)
{
    const uint x = get_global_id(0);
    out[x] = 0xffffffff;
    ulong s = x;
    for (ulong k = 0, n = out[x] * 0x100000000ul; k < n; k++) s = s * 3 / 5 + k;
    out[x] = s;
}
