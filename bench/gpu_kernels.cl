// SPDX-License-Identifier: MIT
// Kernels as one writes them for a GPU, with the interface that measure.c wants: inputs a and b, output c, size n. Of the kind that
// Wen et al. (FITEE 2015) transform. Edges of grids go over into the next row, so that no access is outside and none is guarded.
#define TILE 16

kernel void gpu_matmul(global const float *a, global const float *b, global float *c, uint n)
{
    local float ta[TILE][TILE], tb[TILE][TILE];
    int x = get_local_id(0), y = get_local_id(1), column = get_global_id(0), row = get_global_id(1);
    float sum = 0;
    for (int t = 0; t < (int)n; t += TILE) {
        ta[y][x] = a[row * n + t + x];
        tb[y][x] = b[(t + y) * n + column];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < TILE; k++) sum += ta[y][k] * tb[k][x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[row * n + column] = sum;
}

// Planes one after the other, each with its halo in local memory.
kernel void gpu_differences_3d(global const float *a, global const float *b, global float *c, uint n)
{
    local float tile[TILE + 4][TILE + 4];
    const int lx = get_local_id(0) + 2, ly = get_local_id(1) + 2, w = n, plane = n * n;
    int at = get_global_id(1) * w + get_global_id(0) + plane;
    for (int z = 2; z < w - 2; z++) {
        at += plane;
        tile[ly][lx] = a[at];
        if (lx < 4) {
            tile[ly][lx - 2] = a[at - 2];
            tile[ly][lx + TILE] = a[at + TILE];
        }
        if (ly < 4) {
            tile[ly - 2][lx] = a[at - 2 * w];
            tile[ly + TILE][lx] = a[at + TILE * w];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        float sum = 0.5f * tile[ly][lx];
        for (int i = 1; i <= 2; i++)
            sum += 0.05f * (tile[ly][lx - i] + tile[ly][lx + i] + tile[ly - i][lx] + tile[ly + i][lx] + a[at - i * plane] + a[at + i * plane]);
        c[at] = sum;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

// A window of 5 × 5 with weights.
kernel void gpu_stencil_2d(global const float *a, global const float *b, global float *c, uint n)
{
    local float tile[TILE + 4][TILE + 4];
    const int lx = get_local_id(0), ly = get_local_id(1), w = n;
    const int row = min((int)get_group_id(1) * TILE, w - TILE - 5), at = (row + ly) * w + get_global_id(0);
    for (int y = ly; y < TILE + 4; y += TILE)
        for (int x = lx; x < TILE + 4; x += TILE) tile[y][x] = a[(row + y) * w + get_group_id(0) * TILE + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = 0;
    for (int y = 0; y < 5; y++)
        for (int x = 0; x < 5; x++) sum += b[y * 5 + x] * tile[ly + y][lx + x];
    c[at] = sum;
}

// Blocks of 8 × 8; their width is an argument, as it often is.
kernel void gpu_dct(global const float *a, global const float *b, global float *c, uint n)
{
    local float half_done[64];
    const uint x = get_local_id(0), y = get_local_id(1), width = n / 64, corner = get_group_id(1) * 8 * n + get_group_id(0) * 8;
    float sum = 0;
    for (uint k = 0; k < width; k++) sum += b[k * width + y] * a[corner + k * n + x];
    half_done[y * width + x] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    sum = 0;
    for (uint k = 0; k < width; k++) sum += half_done[y * width + k] * b[k * width + x];
    c[corner + y * n + x] = sum;
}

kernel void gpu_nbody(global const float4 *a, global const float *b, global float4 *c, uint n)
{
    local float4 tile[64];
    const int i = get_global_id(0), l = get_local_id(0);
    float4 self = a[i], pull = 0;
    for (int first = 0; first < (int)n; first += 64) {
        tile[l] = a[first + l];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int j = 0; j < 64; j++) {
            float4 d = tile[j] - self;
            float r = rsqrt(d.x * d.x + d.y * d.y + d.z * d.z + 0.01f);
            pull += d * (tile[j].w * r * r * r);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[i] = pull;
}

kernel void gpu_matmul_naive(global const float *a, global const float *b, global float *c, uint n)
{
    int column = get_global_id(0), row = get_global_id(1);
    float sum = 0;
    for (int k = 0; k < (int)n; k++) sum += a[row * n + k] * b[k * n + column];
    c[row * n + column] = sum;
}

// ---- functions over float4: what they cost an element

#define OF_FUNCTION(f) \
    kernel void gpu_##f(global const float4 *a, global const float *b, global float4 *c, uint n) \
    { \
        size_t i = get_global_id(0); \
        float4 x = a[i]; \
        for (int k = 0; k < 16; k++) x = f(x) + 0.5f; \
        c[i] = x; \
    }
OF_FUNCTION(sin)
OF_FUNCTION(sqrt)
kernel void gpu_exp(global const float4 *a, global const float *b, global float4 *c, uint n)
{
    size_t i = get_global_id(0);
    float4 x = a[i];
    for (int k = 0; k < 16; k++) x = exp(-x);
    c[i] = x;
}
