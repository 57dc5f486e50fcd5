// SPDX-License-Identifier: MIT
// Kernels of other shapes than those of kernels.cl: groups of sixteen work-items, tables in local memory, bytes, rows and columns
// that many work-groups read, wavefronts in a tile, guards at the edge. wider.py has their arguments.

float cumulated_normal(float d)
{
    const float k = 1 / (1 + 0.2316419f * fabs(d));
    const float p = k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
    const float tail = 0.3989422804f * exp(-0.5f * d * d) * p;
    return d > 0 ? 1 - tail : tail;
}

// Options' prices in closed form: long arithmetic, a loop over the range.
kernel void black_scholes(global float *call, global float *put, global const float *price, global const float *strike,
                          global const float *years, float rate, float volatility, uint n)
{
    for (uint i = get_global_id(0); i < n; i += get_global_size(0)) {
        const float root = sqrt(years[i]);
        const float d1 = (log(price[i] / strike[i]) + (rate + 0.5f * volatility * volatility) * years[i]) / (volatility * root);
        const float c1 = cumulated_normal(d1), c2 = cumulated_normal(d1 - volatility * root);
        const float later = strike[i] * exp(-rate * years[i]);
        call[i] = price[i] * c1 - later * c2;
        put[i] = later * (1 - c2) - price[i] * (1 - c1);
    }
}

// Heat in a plate: a tile of 16 x 16 with a halo that shrinks by one in each of `steps` steps.
#define TILE 16
kernel void heat(global const float *from, global float *to, global const float *power, int n, int steps)
{
    local float now[TILE][TILE], next[TILE][TILE];
    const int lx = get_local_id(0), ly = get_local_id(1), inner = TILE - 2 * steps;
    const int x = (int)get_group_id(0) * inner - steps + lx, y = (int)get_group_id(1) * inner - steps + ly;
    const bool inside = x >= 0 && x < n && y >= 0 && y < n;
    if (inside) now[ly][lx] = from[y * n + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    const int west = x > 0 ? lx - 1 : lx, east = x < n - 1 ? lx + 1 : lx;
    const int north = y > 0 ? ly - 1 : ly, south = y < n - 1 ? ly + 1 : ly;
    bool mine = false;
    for (int s = 1; s <= steps; s++) {
        mine = inside && lx >= s && lx < TILE - s && ly >= s && ly < TILE - s;
        if (mine)
            next[ly][lx] = now[ly][lx] + 0.1f * (now[ly][west] + now[ly][east] + now[north][lx] + now[south][lx] -
                                                 4 * now[ly][lx] + power[y * n + x]);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (s == steps) break;
        if (mine) now[ly][lx] = next[ly][lx];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (mine) to[y * n + x] = next[ly][lx];
}

// Alignment of two sequences: the anti-diagonals of a tile, one work-group of 16 for each tile of a diagonal of tiles.
kernel void align_tiles(global int *score, global const int *match, int columns, int gap, int tiles)
{
    local int t[17][17], m[16][16];
    const int l = get_local_id(0), left = get_group_id(0), top = tiles - 1 - left;
    const int base = columns * 16 * top + 16 * left;
    for (int y = 0; y < 16; y++) m[y][l] = match[base + columns * (y + 1) + l + 1];
    if (l == 0) t[0][0] = score[base];
    t[l + 1][0] = score[base + columns * (l + 1)];
    t[0][l + 1] = score[base + l + 1];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int d = 0; d < 31; d++) {
        const int x = l + 1, y = d - l + 1;
        if (y >= 1 && y <= 16) t[y][x] = max(max(t[y - 1][x - 1] + m[y - 1][x - 1], t[y][x - 1] - gap), t[y - 1][x] - gap);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int y = 0; y < 16; y++) score[base + columns * (y + 1) + l + 1] = t[y + 1][l + 1];
}

// Each point's nearest center: features of a point lie apart, those of a center together.
kernel void nearest_center(global const float *feature, global const float *center, global int *which, int n, int features,
                           int centers)
{
    const int p = get_global_id(0);
    if (p >= n) return;
    int best = 0;
    float least = FLT_MAX;
    for (int c = 0; c < centers; c++) {
        float sum = 0;
        for (int f = 0; f < features; f++) {
            const float d = feature[f * n + p] - center[c * features + f];
            sum += d * d;
        }
        if (sum < least) {
            least = sum;
            best = c;
        }
    }
    which[p] = best;
}

// A step of an elimination: the pivot's row and column are read by all.
kernel void eliminate(global float *a, global const float *factor, int n, int pivot)
{
    const int x = get_global_id(0), y = get_global_id(1);
    if (y > pivot && x > pivot) a[y * n + x] -= factor[y] * a[pivot * n + x];
}

// All shortest paths, one pass: a row and a column of what is written is read by all.
kernel void shortest_paths(global uint *distance, global uint *via, uint n, uint pass)
{
    const uint x = get_global_id(0), y = get_global_id(1);
    const uint longer = distance[y * n + pass] + distance[pass * n + x];
    if (x != pass && y != pass && longer < distance[y * n + x]) {
        distance[y * n + x] = longer;
        via[y * n + x] = pass;
    }
}

// A step of Walsh's transform in place.
kernel void walsh_step(global float *x, uint step)
{
    const uint i = get_global_id(0), a = 2 * step * (i / step) + i % step, b = a + step;
    const float xa = x[a], xb = x[b];
    x[a] = xa + xb;
    x[b] = xa - xb;
}

// 256 counters of a byte for each work-item in local memory, then their sums.
kernel void count_bytes(global const uint *data, global uint *bins, local uchar *own)
{
    const uint l = get_local_id(0), size = get_local_size(0), group = get_group_id(0);
    local uint *words = (local uint *)own;
    for (uint i = 0; i < 64; i++) words[i * size + l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = 0; i < 128; i++) own[(data[(group * 128 + i) * size + l] & 255) * size + l]++;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint bin = l; bin < 256; bin += size) {
        uint sum = 0;
        for (uint i = 0; i < size; i++) sum += own[bin * size + i];
        bins[group * 256 + bin] = sum;
    }
}

// A row's convolution with a kernel of 17, eight results a work-item, the row in local memory.
kernel void convolve_rows(global float *to, global const float *from, constant float *weight, int width)
{
    local float row[4][16 * 10];
    const int lx = get_local_id(0), ly = get_local_id(1), y = get_global_id(1), x0 = get_group_id(0) * 128 + lx;
    for (int i = 0; i < 10; i++) {
        const int x = x0 + (i - 1) * 16;
        row[ly][i * 16 + lx] = x >= 0 && x < width ? from[y * width + x] : 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 1; i < 9; i++) {
        float sum = 0;
        for (int k = -8; k <= 8; k++) sum += weight[k + 8] * row[ly][i * 16 + lx + k];
        to[y * width + x0 + (i - 1) * 16] = sum;
    }
}

// Noise by a shuffled generator, whose table lies in local memory work-item by work-item.
kernel void noise(global const uchar4 *from, global uchar4 *to, int strength)
{
    local int table[32 * 64];
    const uint i = get_global_id(1) * get_global_size(0) + get_global_id(0), l = get_local_id(0);
    const uchar4 pixel = from[i];
    int s = 1 + (pixel.x + pixel.y + pixel.z + pixel.w >> 2);
    for (int j = 39; j >= 0; j--) {
        s = 16807 * (s % 127773) - 2836 * (s / 127773);
        if (s < 0) s += 2147483647;
        if (j < 32) table[32 * l + j] = s;
    }
    const float f = (table[32 * l + (s & 31)] / 2147483647.0f - 0.5f) * strength;
    to[i] = convert_uchar4_sat(convert_float4(pixel) + f);
}

// Options' prices by a tree of 254 steps in local memory, four at a time; 255 work-items a group.
kernel void price_tree(global const float4 *random, global float4 *price, local float4 *a, local float4 *b, int steps)
{
    const uint l = get_local_id(0), group = get_group_id(0);
    const float4 r = random[group], start = 5 + 25 * r, strike = 1 + 99 * r, dt = (0.25f + 9.75f * r) / steps;
    const float4 vol = 0.3f * sqrt(dt), up = exp(vol), down = 1 / up, grow = exp(0.02f * dt);
    const float4 pu = (grow - down) / (up - down) / grow, pd = 1 / grow - pu;
    a[l] = max(start * exp(vol * (2.0f * l - steps)) - strike, (float4)0);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = steps; j > 0; j -= 2) {
        if (l < j) b[l] = pu * a[l + 1] + pd * a[l];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < j - 1) a[l] = pu * b[l + 1] + pd * b[l];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0) price[group] = a[0];
}

// Rounds of a cipher by a table in local memory that is read at random.
#define ROUND(a, b, c, d, k) \
    (t[a & 255] ^ rotate(t[b >> 8 & 255], 8u) ^ rotate(t[c >> 16 & 255], 16u) ^ rotate(t[d >> 24], 24u) ^ key[4 * r + k])
kernel void cipher(global const uint4 *from, global uint4 *to, constant uint *table, constant uint *key, int rounds)
{
    local uint t[256];
    for (uint i = get_local_id(0); i < 256; i += get_local_size(0)) t[i] = table[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    uint4 s = from[get_global_id(0)];
    for (int r = 0; r < rounds; r++)
        s = (uint4)(ROUND(s.x, s.y, s.z, s.w, 0), ROUND(s.y, s.z, s.w, s.x, 1), ROUND(s.z, s.w, s.x, s.y, 2),
                    ROUND(s.w, s.x, s.y, s.z, 3));
    to[get_global_id(0)] = s;
}

// Forces between the particles of boxes: 100 particles a box, groups of 128.
kernel void boxes(global const float4 *place, global const float *charge, global float4 *force, int near, int particles)
{
    local float4 other[100];
    local float q[100];
    const int l = get_local_id(0), box = get_group_id(0);
    float4 sum = 0, me = 0;
    if (l < particles) me = place[box * particles + l];
    for (int k = 0; k < near; k++) {
        const int there = (box + k) % (int)get_num_groups(0);
        if (l < particles) {
            other[l] = place[there * particles + l];
            q[l] = charge[there * particles + l];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < particles)
            for (int j = 0; j < particles; j++) {
                const float4 d = me - other[j];
                const float e = exp(-0.5f * dot(d, d));
                sum += q[j] * e * (float4)(1, d.xyz);
            }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l < particles) force[box * particles + l] = sum;
}

// The cheapest way down a grid: 20 rows a launch, a strip with a halo that shrinks.
kernel void cheapest_way(global const int *wall, global const int *from, global int *to, int columns, int rows)
{
    local int now[256], next[256];
    const int l = get_local_id(0), x = (int)get_group_id(0) * (256 - 2 * rows) - rows + l;
    const bool inside = x >= 0 && x < columns;
    const int west = x > 0 ? l - 1 : l, east = x < columns - 1 ? l + 1 : l;
    if (inside) now[l] = from[x];
    barrier(CLK_LOCAL_MEM_FENCE);
    bool mine = false;
    for (int i = 0; i < rows; i++) {
        mine = inside && l > i && l < 255 - i;
        if (mine) next[l] = min(min(now[west], now[l]), now[east]) + wall[columns * i + x];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (i == rows - 1) break;
        if (mine) now[l] = next[l];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (mine) to[x] = next[l];
}

// Digits counted for a radix sort: 256 counters of 16 bits for each of 16 work-items.
kernel void count_digits(global const uint *key, global uint *count, local ushort *own, int shift)
{
    const uint l = get_local_id(0), g = get_global_id(0);
    for (uint i = 0; i < 256; i++) own[l * 256 + i] = 0;
    for (uint i = 0; i < 256; i++) own[l * 256 + (key[g * 256 + i] >> shift & 255)]++;
    for (uint i = 0; i < 256; i++) count[g * 256 + i] = own[l * 256 + i];
}

// Fourier sums over constant samples.
kernel void fourier_sums(global const float *x, global const float *y, global const float *z, global float *re, global float *im,
                         constant float4 *sample, int samples)
{
    const int i = get_global_id(0);
    float r = 0, m = 0;
    for (int k = 0; k < samples; k++) {
        const float a = 6.2831853f * (sample[k].x * x[i] + sample[k].y * y[i] + sample[k].z * z[i]);
        r += sample[k].w * cos(a);
        m += sample[k].w * sin(a);
    }
    re[i] = r;
    im[i] = m;
}

// Sums of absolute differences of 4 x 4 blocks of bytes at nine displacements.
kernel void block_differences(global const uchar *a, global const uchar *b, global ushort *sum, int width)
{
    const int x = get_global_id(0) * 4, y = get_global_id(1) * 4;
    for (int s = 0; s < 9; s++) {
        int d = 0;
        for (int j = 0; j < 4; j++)
            for (int i = 0; i < 4; i++) {
                const int bx = clamp(x + i + s % 3 - 1, 0, width - 1), by = clamp(y + j + s / 3 - 1, 0, width - 1);
                d += abs(a[(y + j) * width + x + i] - b[by * width + bx]);
            }
        sum[(get_global_id(1) * get_global_size(0) + get_global_id(0)) * 9 + s] = d;
    }
}

// A step of a lattice Boltzmann method with constant arrays for its nine directions.
kernel void lattice(global const float *from, global float *to, global const uchar *solid, int nx, int ny, float omega)
{
    const int x = get_global_id(0), y = get_global_id(1), n = nx * ny, at = y * nx + x;
    const int cx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, cy[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
    const int back[9] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
    const float w[9] = {4.f / 9, 1.f / 9, 1.f / 9, 1.f / 9, 1.f / 9, 1.f / 36, 1.f / 36, 1.f / 36, 1.f / 36};
    float f[9], rho = 0, ux = 0, uy = 0;
    for (int i = 0; i < 9; i++) {
        const int px = (x - cx[i] + nx) % nx, py = (y - cy[i] + ny) % ny;
        f[i] = from[i * n + py * nx + px];
        rho += f[i];
        ux += f[i] * cx[i];
        uy += f[i] * cy[i];
    }
    if (solid[at]) {
        for (int i = 0; i < 9; i++) to[i * n + at] = f[back[i]];
        return;
    }
    ux /= rho;
    uy /= rho;
    const float uu = ux * ux + uy * uy;
    for (int i = 0; i < 9; i++) {
        const float cu = cx[i] * ux + cy[i] * uy;
        to[i * n + at] = f[i] + omega * (w[i] * rho * (1 + 3 * cu + 4.5f * cu * cu - 1.5f * uu) - f[i]);
    }
}

// A sparse matrix whose rows are of very different lengths, one a work-item.
kernel void sparse_rows(global const int *row, global const int *col, global const float *val, global const float *x,
                        global float *y, int n)
{
    const int i = get_global_id(0);
    if (i < n) {
        float s = 0;
        const int end = row[i + 1];
        for (int k = row[i]; k < end; k++) s += val[k] * x[col[k]];
        y[i] = s;
    }
}

// Bytes and pairs of them shuffled in long vectors.
kernel void shuffle_bytes(global const uchar16 *a, global uchar16 *o, int n)
{
    const int i = get_global_id(0);
    uchar16 x = a[i];
    for (int k = 0; k < n; k++) {
        x = x.s123456789abcdef0 + (uchar16)(3);
        uint4 y = as_uint4(x);
        y ^= y.wxyz >> 5;
        x = as_uchar16(y);
        ushort8 z = as_ushort8(x);
        z = max(z, z.s76543210) - (ushort8)1;
        x = as_uchar16(z);
    }
    o[i] = x;
}

// A table of states that data steps through.
kernel void state_machine(global const uchar *code, global int *o, int n)
{
    const int i = get_global_id(0);
    int acc = i, x = 1;
    for (int k = 0; k < n; k++)
        switch (code[(k * 7 + i) & 1023] & 7) {
        case 0: acc += x; break;
        case 1: acc -= 3; break;
        case 2: x ^= acc; break;
        case 3: acc = acc * 5 + 1; break;
        case 4: x = x << 1 | (uint)x >> 31; break;
        case 5: acc ^= acc >> 3; break;
        default: x += k;
        }
    o[i] = acc + x;
}

// A step of a breadth-first search: those on the front reach their neighbors; several store the same in the same place.
kernel void visit_neighbors(global const int *row, global const int *col, global const uchar *front, global const uchar *seen,
                             global uchar *next, global int *depth, int n, int d)
{
    const int i = get_global_id(0);
    if (i >= n || !front[i]) return;
    for (int e = row[i]; e < row[i + 1]; e++) {
        const int to = col[e];
        if (seen[to]) continue;
        depth[to] = d;
        next[to] = 1;
    }
}

// Breadth-first search in which the first to reach a vertex counts it: a counted loop around an atomic
kernel void claim_neighbors(global const int *row, global const int *col, global const uchar *front, global int *owner, global int *count,
                            int n)
{
    int v = get_global_id(0);
    if (v >= n || !front[v]) return;
    for (int e = row[v]; e < row[v + 1]; e++)
        if (atomic_cmpxchg(&owner[col[e]], 0, 1) == 0) atomic_inc(count);
}

// A round of shortest paths by edges: the least by atomics, and one place where everybody notes that there was news.
kernel void relax_edges(global const int *row, global const int *col, global const int *cost, global const int *now, global int *then,
                        global int *news, int n)
{
    const int i = get_global_id(0);
    if (i >= n) return;
    for (int e = row[i]; e < row[i + 1]; e++) {
        const int way = now[i] + cost[e];
        if (way >= now[col[e]]) continue;
        atomic_min(&then[col[e]], way);
        *news = 1;
    }
}

// The last step of a pass of a radix sort: keys and what belongs to them go to their places.
kernel void scatter_digits(global const uint *key, global const uint *value, global const uint *place, global uint *key_out,
                           global uint *value_out)
{
    const int i = get_global_id(0);
    key_out[place[i]] = key[i];
    value_out[place[i]] = value[i];
}

// Particles into the cells of a grid: a slot by an atomic, then a store wherever that is.
kernel void bin_particles(global const float2 *at, global int *count, global int *bins, int side, int room)
{
    const int i = get_global_id(0);
    const int cell = (int)(at[i].y * side) * side + (int)(at[i].x * side);
    const int slot = atomic_inc(&count[cell]) % room;
    bins[cell * room + slot] = cell;
}

// Particles move in place, a struct each.
struct particle {
    float4 at, speed;
    int hits;
    float mass, pad[2];
};
kernel void move_particles(global struct particle *all, float dt)
{
    struct particle p = all[get_global_id(0)];
    p.at += p.speed * dt;
    if (p.at.x < 0 || p.at.x > 1) {
        p.speed.x = -p.speed.x;
        p.hits++;
    }
    all[get_global_id(0)] = p;
}

// Tiles of 16 x 16 factored into triangles, a work-item a row: two barriers a step, one place that all read.
kernel void factor_tiles(global const float *from, global float *to)
{
    local float t[16][17];
    const int l = get_local_id(0);
    const int first = get_group_id(0) * 256;
    for (int y = 0; y < 16; y++) t[y][l] = from[first + y * 16 + l];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 15; k++) {
        if (l > k) t[l][k] /= t[k][k];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l > k)
            for (int x = k + 1; x < 16; x++) t[l][x] -= t[l][k] * t[k][x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int y = 0; y < 16; y++) to[first + y * 16 + l] = t[y][l];
}

// A triangle of a product: each work-item's loop is as long as its row's number.
kernel void triangle(global const float *a, global const float *b, global float *c, int n)
{
    const int x = get_global_id(0), y = get_global_id(1);
    float sum = 0;
    for (int k = 0; k <= y; k++) sum += a[y * n + k] * b[k * n + x];
    if (x <= y) c[y * n + x] = sum;
}

// Mean and deviation of a matrix's columns, a work-item a column.
kernel void column_moments(global const float *a, global float *mean, global float *deviation, int n, int m)
{
    const int x = get_global_id(0);
    if (x >= m) return;
    mean[x] = 0;
    for (int y = 0; y < n; y++) mean[x] += a[y * m + x];
    mean[x] /= n;
    deviation[x] = 0;
    for (int y = 0; y < n; y++) deviation[x] += (a[y * m + x] - mean[x]) * (a[y * m + x] - mean[x]);
    deviation[x] = sqrt(deviation[x] / n);
}

// Channels of a cell: few work-items, long straight arithmetic on state that lies in global memory.
#define GATE(k, v0, s) { \
    const float open = 0.1f * (v + v0) / (1 - exp(-0.1f * (v + v0))), shut = 4 * exp(-(v + v0 + s) / 18); \
    y[at + k] += 0.01f * (open * (1 - y[at + k]) - shut * y[at + k]); \
    current += y[at + k] * y[at + k] * y[at + k] * (v - v0); }
kernel void channels(global float *y, int steps)
{
    const int at = get_global_id(0) * 16;
    for (int s = 0; s < steps; s++) {
        const float v = y[at + 15];
        float current = 0;
        GATE(0, 40.5f, 25) GATE(1, 35.5f, 20) GATE(2, 30.5f, 15) GATE(3, 47.5f, 2) GATE(4, 21.5f, 7) GATE(5, 11.5f, 9) GATE(6, 52.5f, 5)
        GATE(7, 44.5f, 25) GATE(8, 36.5f, 20) GATE(9, 33.5f, 15) GATE(10, 49.5f, 2) GATE(11, 26.5f, 7) GATE(12, 15.5f, 9) GATE(13, 58.5f, 5)
        y[at + 14] = current;
        y[at + 15] = v - 0.0001f * current;
    }
}

// Fluxes through the faces of cells that lie anywhere.
kernel void fluxes(global const int *neighbor, global const float *normal, global const float *state, global float *flux, int n)
{
    const int i = get_global_id(0);
    const float d = state[i], px = state[n + i], py = state[2 * n + i], e = state[3 * n + i];
    const float p = 0.4f * (e - 0.5f * (px * px + py * py) / d), c = sqrt(1.4f * fabs(p) / d);
    float fd = 0, fx = 0, fy = 0, fe = 0;
    for (int k = 0; k < 4; k++) {
        const int j = neighbor[k * n + i];
        const float nx = normal[2 * k * n + i], ny = normal[(2 * k + 1) * n + i];
        if (j < 0) {
            fx += nx * p;
            fy += ny * p;
            continue;
        }
        const float dj = state[j], pxj = state[n + j], pyj = state[2 * n + j], ej = state[3 * n + j];
        const float pj = 0.4f * (ej - 0.5f * (pxj * pxj + pyj * pyj) / dj), w = 0.2f * (c + sqrt(1.4f * fabs(pj) / dj));
        fd += w * (d - dj) + 0.5f * (nx * (px + pxj) + ny * (py + pyj));
        fx += w * (px - pxj) + 0.5f * nx * (p + pj);
        fy += w * (py - pyj) + 0.5f * ny * (p + pj);
        fe += w * (e - ej);
    }
    flux[i] = fd;
    flux[n + i] = fx;
    flux[2 * n + i] = fy;
    flux[3 * n + i] = fe;
}

// Ranks of keys by one bit: a scan in a group of 64.
kernel void ranks(global const uint *key, global uint *rank, int bit)
{
    local uint sum[2][64];
    const uint l = get_local_id(0), i = get_global_id(0), mine = key[i] >> bit & 1;
    int from = 0;
    sum[0][l] = mine;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint d = 1; d < 64; d *= 2) {
        sum[1 - from][l] = l >= d ? sum[from][l] + sum[from][l - d] : sum[from][l];
        from = 1 - from;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    const uint zeros = 64 - sum[from][63];
    rank[i] = mine ? zeros + sum[from][l] - 1 : l - sum[from][l];
}

// Neighbors exchange through global memory, three barriers a step, in groups of any size.
kernel void exchange(global int *a, int steps)
{
    const int l = get_local_id(0), n = get_local_size(0), first = get_group_id(0) * n;
    for (int s = 0; s < steps; s++) {
        a[first + l] += s;
        barrier(CLK_GLOBAL_MEM_FENCE);
        const int v = a[first + (l + 1) % n];
        barrier(CLK_GLOBAL_MEM_FENCE);
        a[first + l] = v + 1;
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
}

// The red points of a grid, in place: those of a tile's border are read by its neighbors, too.
kernel void red_points(global float *a, int width, int height)
{
    const int x = get_global_id(0) + 1, y = get_global_id(1) + 1, at = y * width + x;
    if (x < width - 1 && y < height - 1 && ((x + y) & 1) == 0)
        a[at] = 0.25f * (a[at - 1] + a[at + 1] + a[at - width] + a[at + width]);
}

// Each work-item goes along its own row, in place, as implicit methods do.
kernel void sweep_rows(global const float *a, global float *b, global float *x, int n)
{
    const int row = get_global_id(0) * n;
    for (int i = 1; i < n; i++) {
        x[row + i] -= x[row + i - 1] * a[row + i] / b[row + i - 1];
        b[row + i] -= a[row + i] * a[row + i] / b[row + i - 1];
    }
}

// A step of an elimination in place, in tiles that begin anywhere.
kernel void eliminate_below(global float *a, int k, int n)
{
    const int x = get_global_id(0) + k + 1, y = get_global_id(1) + k + 1;
    if (x < n && y < n) a[y * n + x] -= a[y * n + k] * a[k * n + x];
}

// A convolution with nine constants, each pixel guarded.
kernel void convolve_grid(global const float *from, global float *to, int rows, int columns)
{
    const int x = get_global_id(0), y = get_global_id(1);
    if (y > 0 && y < rows - 1 && x > 0 && x < columns - 1)
        to[y * columns + x] = 0.2f * from[(y - 1) * columns + (x - 1)] - 0.3f * from[(y - 1) * columns + x] + 0.4f * from[(y - 1) * columns + (x + 1)] +
                              0.5f * from[y * columns + (x - 1)] + 0.6f * from[y * columns + x] + 0.7f * from[y * columns + (x + 1)] -
                              0.8f * from[(y + 1) * columns + (x - 1)] - 0.9f * from[(y + 1) * columns + x] + 0.1f * from[(y + 1) * columns + (x + 1)];
}

// A step of a field on a staggered grid, in place.
kernel void field_step(global const float *east, global const float *north, global float *up, int rows, int columns)
{
    const int x = get_global_id(0), y = get_global_id(1);
    if (y < rows && x < columns)
        up[y * columns + x] -= 0.7f * (east[y * (columns + 1) + (x + 1)] - east[y * (columns + 1) + x] + north[(y + 1) * columns + x] - north[y * columns + x]);
}

// Sums of four corners, indices of 64 bits.
kernel void corner_sums(global const float *from, global float *to, ulong n)
{
    const size_t x = get_global_id(0), y = get_global_id(1);
    if (x < n - 1 && y < n - 1) to[y * n + x] = from[y * n + x] + from[y * n + x + 1] + from[(y + 1) * n + x] + from[(y + 1) * n + x + 1];
}

// Two outer products are added to a matrix.
kernel void add_products(global float *a, global const float *u, global const float *v, global const float *p, global const float *q, int n)
{
    const int x = get_global_id(0), y = get_global_id(1);
    if (x < n && y < n) a[y * n + x] += u[y] * v[x] + p[y] * q[x];
}

// Bytes of pixels change in place, one color after the other.
kernel void invert_pixels(global uchar *pixels, int n)
{
    const int i = get_global_id(0);
    if (i >= n) return;
    for (int c = 0; c < 3; c++) pixels[3 * i + c] = 255 - pixels[3 * i + c];
}

// Bodies drift, structs of seven doubles of which six change, one member after the other.
struct body {
    double x, y, z, vx, vy, vz, mass;
};
kernel void drift_bodies(global struct body *all, double dt)
{
    global struct body *const b = &all[get_global_id(0)];
    b->x += b->vx * dt;
    b->y += b->vy * dt;
    b->z += b->vz * dt;
    b->vx *= 0.99;
    b->vy *= 0.99;
    b->vz *= 0.99;
}

// Each work-item that has something left to do sets the same flag.
kernel void say_whether_done(global const int *left, global int *again, int n)
{
    const int i = get_global_id(0);
    if (i < n && left[i] & 1) *again = 1;
}

// Numbers go through a table in local memory, as hashes with a scratchpad do. A work-item that is done fences and increments a counter.
kernel void scratch_table(global uint *out, global int *done, uint rounds)
{
    local uint table[1024];
    const uint l = get_local_id(0);
    for (uint i = l; i < 1024; i += get_local_size(0)) table[i] = i * 2654435761u;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint x = get_global_id(0) * 77u + 1;
    for (uint r = 0; r < rounds; r++) x = table[x >> 22] ^ (x * 1664525u + 1013904223u);
    out[get_global_id(0)] = x;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_inc(done);
}

// A table and what comes out of it lie in one buffer.
kernel void table_beside_results(global uint *all, volatile global int *done, uint rounds)
{
    uint x = get_global_id(0) * 77u + 1;
    for (uint r = 0; r < rounds; r++) x = all[x >> 22] ^ (x * 1664525u + 1013904223u);
    all[1024 + get_global_id(0)] = x;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_inc(done);
}

// Counts in local memory, with fences for it.
kernel void count_with_fences(global const uint *in, global uint *counts, int each)
{
    local uint count[256];
    const uint l = get_local_id(0), n = get_local_size(0);
    for (uint i = l; i < 256; i += n) count[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < each; k++) {
        atomic_inc(&count[in[(get_group_id(0) * each + k) * n + l] & 255]);
        mem_fence(CLK_LOCAL_MEM_FENCE);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = l; i < 256; i += n) atomic_add(&counts[i], count[i]);
}
