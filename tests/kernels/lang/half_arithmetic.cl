// SPDX-License-Identifier: MIT
// RUN: --global=12 --local=4 --arg=ushort[12]=0 --arg=float[12]=0 --arg=int[12]=0
// DUMP 0: [0x3c00 + 1, 0x7c00, 0x3555, 0x0001, 0x8000, 0x7bff, 0x3bff, 0x4200, 0x1400, 0x3dff, 0x4248, 0x6400]
// DUMP 1: [math.ldexp(1 + i / 1024, i - 5) for i in range(12)]
// DUMP 2: [1 if i > 4 else 2 for i in range(12)]
// half: each operation rounds once, to nearest even; a result that is too large is infinite, a small one is subnormal.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
half triple(half x) { return x * 3.0h; }

kernel void halves(global half *a, global float *b, global int *c)
{
    int i = get_global_id(0);
    half one = 1.0h;
    half tiny = as_half((ushort)1);
    half2 v = (half2)(one, triple(one));
    switch (i) {
    case 0: a[i] = nextafter(one, 2.0h); break;
    case 1: a[i] = 65504.0h + 16.0h; break;                       // 65520: half way to 65536
    case 2: a[i] = one / 3.0h; break;
    case 3: a[i] = tiny * 0.75h; break;
    case 4: a[i] = -tiny * 0.5h; break;                           // a tie, to even: -0
    case 5: a[i] = convert_half_rtz(1e9f); break;
    case 6: a[i] = fma(as_half((ushort)0x3bff), one, -tiny); break;
    case 7: a[i] = v.y; break;
    case 8: a[i] = fma(as_half((ushort)0x3c01), as_half((ushort)0x3c01), as_half((ushort)0xbc02)) * 1024.0h; break; // 2^-20
    case 9: a[i] = fmin(as_half((ushort)0x3dff), (half)NAN); break;
    case 10: a[i] = dot((half2)(1.5h, 1.0h), (half2)(2.0h, 0.140625h)); break;
    case 11: a[i] = convert_half(1024ul); break;
    }
    b[i] = ldexp((float)as_half((ushort)(0x3c00 + i)), i - 5);
    c[i] = (half)i > 4.5h ? 1 : 2;
}
