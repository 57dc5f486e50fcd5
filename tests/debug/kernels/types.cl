// SPDX-License-Identifier: MIT
typedef struct { int a; float4 f; half h; short s[3]; } P;
constant float table[3] = {1.5f, 2.5f, 3.5f};
#define SCALE 3
inline float helper(float x, int k) { float y = x * k; y += 1; return y; }
float outer(float q, local float *t) { float z = helper(q, 2); t[get_local_id(0) + 4 * get_local_id(1)] = z; return z; }
const sampler_t smp = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
kernel void im(read_only image2d_t src, write_only image2d_t dst, global float *o, global half *hh, global P *ps)
{
    local float t[64];
    int2 xy = (int2)(get_global_id(0), get_global_id(1));
    float4 px = read_imagef(src, smp, xy);
    float w = outer(px.x, t);
    P p = {0};
    p.a = SCALE; p.f = px * SCALE; p.s[1] = 7;
    float hv = vload_half(get_global_id(0), hh);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < 3; i++) {
        int inner = i * 2;
        o[xy.y * 4 + xy.x] += table[i] * w + inner + hv;
    }
    write_imagef(dst, xy, px * 0.5f);
    ps[xy.y * 4 + xy.x] = p;
}
