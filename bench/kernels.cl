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

kernel void scan(global const float *a, global const float *b, global float *c, uint n)
{
    local float two[2][256];
    uint lid = get_local_id(0), from = 0;
    two[0][lid] = a[get_global_id(0)];
    for (uint s = 1; s < 256; s *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        two[1 - from][lid] = lid >= s ? two[from][lid] + two[from][lid - s] : two[from][lid];
        from = 1 - from;
    }
    c[get_global_id(0)] = two[from][lid];
}

kernel void histogram_global(global const uint *a, global const uint *b, global uint *c, uint n)
{
    atomic_inc(&c[b[get_global_id(0)] & 255]);
}

kernel void histogram_local(global const uint *a, global const uint *b, global uint *c, uint n)
{
    local uint bins[256];
    uint lid = get_local_id(0);
    bins[lid] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(&bins[b[get_global_id(0)] & 255]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (bins[lid]) atomic_add(&c[lid], bins[lid]);
}

kernel void stencil_2d(global const float *a, global const float *b, global float *c, uint n)
{
    uint x = get_global_id(0), y = get_global_id(1);
    if (x == 0 || y == 0 || x == n - 1 || y == n - 1) return;
    uint i = y * n + x;
    c[i] = 0.5f * a[i] + 0.125f * (a[i - 1] + a[i + 1] + a[i - n] + a[i + n]);
}

// Planes one after the other, each with its halo in local memory; the values below and above stay in registers.
kernel void stencil_3d(global const float *a, global const float *b, global float *c, uint n)
{
    local float tile[TILE + 2][TILE + 2];
    uint x = get_global_id(0), y = get_global_id(1), lx = get_local_id(0) + 1, ly = get_local_id(1) + 1;
    bool inside = x > 0 && y > 0 && x < n - 1 && y < n - 1;
    float below = a[y * n + x], here = a[(n + y) * n + x];
    for (uint z = 1; z < n - 1; z++) {
        uint i = (z * n + y) * n + x;
        float above = a[i + n * n];
        tile[ly][lx] = here;
        if (lx == 1 && x > 0) tile[ly][0] = a[i - 1];
        if (lx == TILE && x < n - 1) tile[ly][TILE + 1] = a[i + 1];
        if (ly == 1 && y > 0) tile[0][lx] = a[i - n];
        if (ly == TILE && y < n - 1) tile[TILE + 1][lx] = a[i + n];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (inside)
            c[i] = 0.4f * here + 0.1f * (below + above + tile[ly][lx - 1] + tile[ly][lx + 1] + tile[ly - 1][lx] +
                                         tile[ly + 1][lx]);
        barrier(CLK_LOCAL_MEM_FENCE);
        below = here;
        here = above;
    }
}

kernel void transpose(global const float *a, global const float *b, global float *c, uint n)
{
    local float tile[TILE][TILE + 1];
    uint lx = get_local_id(0), ly = get_local_id(1), gx = get_group_id(0) * TILE, gy = get_group_id(1) * TILE;
    tile[ly][lx] = a[(gy + ly) * n + gx + lx];
    barrier(CLK_LOCAL_MEM_FENCE);
    c[(gx + ly) * n + gy + lx] = tile[lx][ly];
}

// 256 points for each group of 128 work-items, radix 2, bits reversed on the way in.
kernel void fft(global const float2 *a, global const float *b, global float2 *c, uint n)
{
    local float2 v[256];
    uint lid = get_local_id(0), first = get_group_id(0) * 256;
    for (uint i = lid; i < 256; i += 128) {
        uint r = i;
        r = (r & 0x55) << 1 | (r & 0xaa) >> 1;
        r = (r & 0x33) << 2 | (r & 0xcc) >> 2;
        r = (r & 0x0f) << 4 | (r & 0xf0) >> 4;
        v[r] = a[first + i];
    }
    for (uint half_size = 1; half_size < 256; half_size *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        uint k = lid & (half_size - 1), i = (lid - k) * 2 + k;
        float angle = -M_PI_F * k / half_size, s = sin(angle), t = cos(angle);
        float2 p = v[i], q = v[i + half_size];
        float2 w = (float2)(q.x * t - q.y * s, q.x * s + q.y * t);
        v[i] = p + w;
        v[i + half_size] = p - w;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = lid; i < 256; i += 128) c[first + i] = v[i];
}

kernel void bitonic_sort(global const uint *a, global const uint *b, global uint *c, uint n)
{
    local uint v[512];
    uint lid = get_local_id(0), first = get_group_id(0) * 512;
    v[lid] = b[first + lid];
    v[lid + 256] = b[first + lid + 256];
    for (uint size = 2; size <= 512; size *= 2)
        for (uint step = size / 2; step > 0; step /= 2) {
            barrier(CLK_LOCAL_MEM_FENCE);
            uint i = 2 * lid - (lid & (step - 1));
            uint p = v[i], q = v[i + step];
            if ((p > q) == !(i & size)) {
                v[i] = q;
                v[i + step] = p;
            }
        }
    barrier(CLK_LOCAL_MEM_FENCE);
    c[first + lid] = v[lid];
    c[first + lid + 256] = v[lid + 256];
}

// Rows of 1 to 16 entries; b has the columns.
kernel void spmv(global const float *a, global const uint *b, global float *c, uint n)
{
    uint row = get_global_id(0), first = row * 16, end = first + 1 + (b[first] >> 9) % 16;
    float sum = 0;
    for (uint k = first; k < end; k++) sum += a[k] * a[b[k] % n];
    c[row] = sum;
}

// One step of a breadth-first search: a quarter of the nodes is in the frontier, each with up to 8 neighbors.
kernel void bfs_step(global const uint *a, global const uint *b, global uint *c, uint n)
{
    uint node = get_global_id(0);
    if (b[node] & 3) return;
    uint degree = b[node] >> 4 & 7;
    for (uint k = 0; k < degree; k++) {
        uint neighbor = b[node * 8 + k] % n;
        if (!(b[neighbor] & 3)) continue;
        atomic_min(&c[neighbor], 7u - (b[node] >> 8 & 3));
        atomic_max(&c[neighbor + n], node);
    }
}

#define ROTR(x, k) rotate(x, (uint)(32 - k))
#define ROUND(a, b, c, d, e, f, g, h, i)                                                                            \
    {                                                                                                               \
        uint t = h + (ROTR(e, 6) ^ ROTR(e, 11) ^ ROTR(e, 25)) + ((e & f) ^ (~e & g)) + K[r + i] + w[i];               \
        d += t;                                                                                                     \
        h = t + (ROTR(a, 2) ^ ROTR(a, 13) ^ ROTR(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));                             \
    }
#define MIX(i)                                                                                                      \
    {                                                                                                               \
        uint x = w[(i + 1) & 15], y = w[(i + 14) & 15];                                                             \
        w[i] += (ROTR(x, 7) ^ ROTR(x, 18) ^ x >> 3) + w[(i + 9) & 15] + (ROTR(y, 17) ^ ROTR(y, 19) ^ y >> 10);        \
    }
constant uint K[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98,
    0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
    0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8,
    0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
    0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819,
    0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
    0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
    0xc67178f2};

// The compression of one block of 64 bytes for each work-item: 16 rounds written out, four times.
kernel void sha256(global const uint *a, global const uint *b, global uint *c, uint n)
{
    uint w[16], id = get_global_id(0);
    for (uint i = 0; i < 16; i++) w[i] = b[id * 16 + i];
    uint s0 = 0x6a09e667, s1 = 0xbb67ae85, s2 = 0x3c6ef372, s3 = 0xa54ff53a;
    uint s4 = 0x510e527f, s5 = 0x9b05688c, s6 = 0x1f83d9ab, s7 = 0x5be0cd19;
    for (uint r = 0; r < 64; r += 16) {
        if (r) {
            MIX(0) MIX(1) MIX(2) MIX(3) MIX(4) MIX(5) MIX(6) MIX(7)
            MIX(8) MIX(9) MIX(10) MIX(11) MIX(12) MIX(13) MIX(14) MIX(15)
        }
        ROUND(s0, s1, s2, s3, s4, s5, s6, s7, 0)
        ROUND(s7, s0, s1, s2, s3, s4, s5, s6, 1)
        ROUND(s6, s7, s0, s1, s2, s3, s4, s5, 2)
        ROUND(s5, s6, s7, s0, s1, s2, s3, s4, 3)
        ROUND(s4, s5, s6, s7, s0, s1, s2, s3, 4)
        ROUND(s3, s4, s5, s6, s7, s0, s1, s2, 5)
        ROUND(s2, s3, s4, s5, s6, s7, s0, s1, 6)
        ROUND(s1, s2, s3, s4, s5, s6, s7, s0, 7)
        ROUND(s0, s1, s2, s3, s4, s5, s6, s7, 8)
        ROUND(s7, s0, s1, s2, s3, s4, s5, s6, 9)
        ROUND(s6, s7, s0, s1, s2, s3, s4, s5, 10)
        ROUND(s5, s6, s7, s0, s1, s2, s3, s4, 11)
        ROUND(s4, s5, s6, s7, s0, s1, s2, s3, 12)
        ROUND(s3, s4, s5, s6, s7, s0, s1, s2, 13)
        ROUND(s2, s3, s4, s5, s6, s7, s0, s1, 14)
        ROUND(s1, s2, s3, s4, s5, s6, s7, s0, 15)
    }
    c[id * 8] = s0 + 0x6a09e667;
    c[id * 8 + 1] = s1 + 0xbb67ae85;
    c[id * 8 + 2] = s2 + 0x3c6ef372;
    c[id * 8 + 3] = s3 + 0xa54ff53a;
    c[id * 8 + 4] = s4 + 0x510e527f;
    c[id * 8 + 5] = s5 + 0x9b05688c;
    c[id * 8 + 6] = s6 + 0x1f83d9ab;
    c[id * 8 + 7] = s7 + 0x5be0cd19;
}

kernel void image_filter(global const float4 *a, global const float4 *b, global float4 *c, uint n)
{
    int x = get_global_id(0), y = get_global_id(1), last = n - 1;
    float4 sum = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) {
            float weight = (2 - abs(dx)) * (2 - abs(dy)) / 16.0f;
            sum += weight * a[clamp(y + dy, 0, last) * n + clamp(x + dx, 0, last)];
        }
    c[y * n + x] = clamp(sum, 0.0f, 1.0f);
}

// Random walks of 16 steps: the middle one of their positions in order.
kernel void monte_carlo(global const uint *a, global const uint *b, global float *c, uint n)
{
    float path[16];
    uint id = get_global_id(0), seed = b[id] | 1;
    float total = 0;
    for (uint walk = 0; walk < 4; walk++) {
        float at = 0;
        for (uint i = 0; i < 16; i++) {
            seed = seed * 1664525 + 1013904223;
            at += (seed >> 9) / 4194304.0f - 1;
            uint k = i;
            for (; k > 0 && path[k - 1] > at; k--) path[k] = path[k - 1];
            path[k] = at;
        }
        total += path[8];
    }
    c[id] = total / 4;
}

constant float cosine[64] = {
    0.353553f, 0.353553f,  0.353553f,  0.353553f,  0.353553f,  0.353553f,  0.353553f,  0.353553f,
    0.490393f, 0.415735f,  0.277785f,  0.097545f,  -0.097545f, -0.277785f, -0.415735f, -0.490393f,
    0.461940f, 0.191342f,  -0.191342f, -0.461940f, -0.461940f, -0.191342f, 0.191342f,  0.461940f,
    0.415735f, -0.097545f, -0.490393f, -0.277785f, 0.277785f,  0.490393f,  0.097545f,  -0.415735f,
    0.353553f, -0.353553f, -0.353553f, 0.353553f,  0.353553f,  -0.353553f, -0.353553f, 0.353553f,
    0.277785f, -0.490393f, 0.097545f,  0.415735f,  -0.415735f, -0.097545f, 0.490393f,  -0.277785f,
    0.191342f, -0.461940f, 0.461940f,  -0.191342f, -0.191342f, 0.461940f,  -0.461940f, 0.191342f,
    0.097545f, -0.277785f, 0.415735f,  -0.490393f, 0.490393f,  -0.415735f, 0.277785f,  -0.097545f};

kernel void dct_8x8(global const float *a, global const float *b, global float *c, uint n)
{
    local float tile[8][8], half_done[8][8];
    uint x = get_local_id(0), y = get_local_id(1), i = get_global_id(1) * n + get_global_id(0);
    tile[y][x] = a[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = 0;
    for (uint k = 0; k < 8; k++) sum += cosine[x * 8 + k] * tile[y][k];
    half_done[y][x] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    sum = 0;
    for (uint k = 0; k < 8; k++) sum += cosine[y * 8 + k] * half_done[k][x];
    c[i] = sum;
}

kernel void one_item(global const float *a, global const float *b, global float *c, uint n)
{
    float sum = 0;
    for (uint i = 0; i < n; i++) sum = sum * 0.5f + a[i];
    c[0] = sum;
}

kernel void empty(global const float *a, global const float *b, global float *c, uint n)
{
}
