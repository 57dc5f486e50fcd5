// SPDX-License-Identifier: MIT
// What bench/measure.c runs; the kernels are written the plain way, as an application would.
#define TILE 16

kernel void matmul_naive(global const float *a, global const float *b, global float *c, uint n)
{
    uint column = get_global_id(0), row = get_global_id(1);
    float sum = 0;
    for (uint k = 0; k < n; k++) sum += a[row * n + k] * b[k * n + column];
    c[row * n + column] = sum;
}

kernel void matmul_tiled(global const float *a, global const float *b, global float *c, uint n)
{
    local float ta[TILE][TILE], tb[TILE][TILE];
    uint x = get_local_id(0), y = get_local_id(1);
    uint column = get_global_id(0), row = get_global_id(1);
    float sum = 0;
    for (uint t = 0; t < n; t += TILE) {
        ta[y][x] = a[row * n + t + x];
        tb[y][x] = b[(t + y) * n + column];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint k = 0; k < TILE; k++) sum += ta[y][k] * tb[k][x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[row * n + column] = sum;
}

kernel void mandelbrot(global const float *a, global const float *b, global float *c, uint n)
{
    uint x = get_global_id(0), y = get_global_id(1);
    float cx = 3.0f * x / n - 2.25f, cy = 2.5f * y / n - 1.25f, zx = 0, zy = 0;
    uint i = 0;
    while (i < 1000 && zx * zx + zy * zy <= 4) {
        float t = zx * zx - zy * zy + cx;
        zy = 2 * zx * zy + cy;
        zx = t;
        i++;
    }
    c[y * n + x] = i;
}

kernel void vector_add(global const float *a, global const float *b, global float *c, uint n)
{
    uint i = get_global_id(0);
    if (i < n) c[i] = a[i] + b[i];
}

kernel void reduction(global const float *a, global const float *b, global float *c, uint n)
{
    local float tmp[256];
    uint lid = get_local_id(0);
    tmp[lid] = a[get_global_id(0)];
    for (uint s = 128; s > 0; s /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lid < s) tmp[lid] += tmp[lid + s];
    }
    if (lid == 0) c[get_group_id(0)] = tmp[0];
}

kernel void nbody(global const float4 *a, global const float *b, global float4 *c, uint n)
{
    local float4 tile[64];
    uint i = get_global_id(0), lid = get_local_id(0);
    float4 self = a[i], pull = 0;
    for (uint first = 0; first < n; first += 64) {
        tile[lid] = a[first + lid];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint j = 0; j < 64; j++) {
            float4 d = tile[j] - self;
            float r = rsqrt(d.x * d.x + d.y * d.y + d.z * d.z + 0.01f);
            pull += d * (tile[j].w * r * r * r);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[i] = pull;
}

kernel void empty(global const float *a, global const float *b, global float *c, uint n)
{
}
