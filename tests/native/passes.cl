// SPDX-License-Identifier: MIT
// What the passes of --native do and, above all, when they must leave a kernel as it is. Each kernel is run checked and as machine code
// (passes.py): RUN has its options, SAYS a part of a remark, NOT what no remark may say.
#define R 2
#define T 16

// RUN --global=64 --local=16 --arg=float[64]=iota --arg=float[64]=0
// SAYS 'tile' is not used: 'in' is read
// SAYS 1 of 1 barrier taken out
kernel void reversed(global const float *in, global float *out)
{
    local float tile[16];
    int l = get_local_id(0);
    tile[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = tile[15 - l];
}

// RUN --global=32,32 --local=16,16 --arg=float[1296]=rand:1 --arg=float[1296]=0 --arg=int=36
// SAYS 'tile' is not used: 'in' is read
// SAYS 1 of 1 barrier taken out
kernel void halo(global const float *in, global float *out, int w)
{
    local float tile[T + 2 * R][T + 2 * R];
    int lx = get_local_id(0), ly = get_local_id(1), gx = get_global_id(0) + R, gy = get_global_id(1) + R;
    tile[ly + R][lx + R] = in[gy * w + gx];
    if (lx < R) {
        tile[ly + R][lx] = in[gy * w + gx - R];
        tile[ly + R][lx + T + R] = in[gy * w + gx + T];
    }
    if (ly < R) {
        tile[ly][lx + R] = in[(gy - R) * w + gx];
        tile[ly + T + R][lx + R] = in[(gy + T) * w + gx];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    float s = 0;
    for (int d = -R; d <= R; d++) s += tile[ly + R + d][lx + R] + tile[ly + R][lx + R + d];
    out[gy * w + gx] = s;
}

// The column on the right is copied from one further on.
// RUN --global=32,32 --local=16,16 --arg=float[1296]=rand:1 --arg=float[1296]=0 --arg=int=36
// SAYS 'tile' stays: it does not hold a part of the global array as it lies there
// SAYS the barrier stays
kernel void halo_off(global const float *in, global float *out, int w)
{
    local float tile[T][T + 2];
    int lx = get_local_id(0), ly = get_local_id(1), gx = get_global_id(0) + 1, gy = get_global_id(1);
    tile[ly][lx + 1] = in[gy * w + gx];
    if (lx == 0) tile[ly][0] = in[gy * w + gx - 1];
    if (lx == T - 1) tile[ly][T + 1] = in[gy * w + gx + 2];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[gy * w + gx] = tile[ly][lx] + tile[ly][lx + 2];
}

// RUN --global=256 --local=64 --arg=float[300]=rand:1 --arg=float[256]=0 --arg=local:float[80]
// SAYS 't' is not used: 'in' is read
kernel void copied_in_a_loop(global const float *in, global float *out, local float *t)
{
    size_t l = get_local_id(0), g = get_group_id(0) * get_local_size(0);
    for (size_t i = l; i < 80; i += 64) t[i] = in[g + i];
    barrier(CLK_LOCAL_MEM_FENCE);
    float s = 0;
    for (int k = 0; k <= 16; k++) s += t[l + k];
    out[get_global_id(0)] = s;
}

// RUN --global=32,32 --local=16,16 --arg=float[20000]=rand:1 --arg=float[20000]=0 --arg=int=34 --arg=int=8
// SAYS 'tile' is not used: 'in' is read
// SAYS 2 of 2 barriers taken out
kernel void planes(global const float *in, global float *out, int w, int n)
{
    local float tile[T + 2][T + 2];
    const int lx = get_local_id(0) + 1, ly = get_local_id(1) + 1, plane = w * w;
    int at = (get_global_id(1) + 1) * w + get_global_id(0) + 1;
    float below = in[at], here = in[at + plane];
    for (int z = 1; z < n - 1; z++) {
        at += plane;
        float above = in[at + plane];
        tile[ly][lx] = in[at];
        if (lx == 1) tile[ly][0] = in[at - 1];
        if (lx == T) tile[ly][T + 1] = in[at + 1];
        if (ly == 1) tile[0][lx] = in[at - w];
        if (ly == T) tile[T + 1][lx] = in[at + w];
        barrier(CLK_LOCAL_MEM_FENCE);
        out[at] = 0.4f * here + 0.1f * (below + above + tile[ly][lx - 1] + tile[ly][lx + 1] + tile[ly - 1][lx] + tile[ly + 1][lx]);
        barrier(CLK_LOCAL_MEM_FENCE);
        below = here;
        here = above;
    }
}

// RUN --global=64,32 --local=16,16 --arg=float[2048]=rand:1 --arg=float[4096]=rand:2 --arg=float[2048]=0 --arg=uint=64
// SAYS 'ta' is not used: 'a' is read
// SAYS 'tb' is not used: 'b' is read
// SAYS 2 of 2 barriers taken out
kernel void product(global const float *a, global const float *b, global float *c, uint n)
{
    local float ta[T][T], tb[T][T];
    uint x = get_local_id(0), y = get_local_id(1), column = get_global_id(0), row = get_global_id(1);
    float sum = 0;
    for (uint t = 0; t < n; t += T) {
        ta[y][x] = a[row * n + t + x];
        tb[y][x] = b[(t + y) * n + column];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint k = 0; k < T; k++) sum += ta[y][k] * tb[k][x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[row * n + column] = sum;
}

// RUN --global=64 --local=16 --arg=float[64]=iota --arg=float[64]=0
// SAYS 'tile' stays: what is stored is not just a value
// SAYS the barrier stays
kernel void changed(global const float *in, global float *out)
{
    local float tile[16];
    int l = get_local_id(0);
    tile[l] = in[get_global_id(0)] * 2;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = tile[15 - l];
}

// RUN --global=64 --local=16 --arg=float[50]=iota --arg=float[64]=0 --arg=int=50
// SAYS 'tile' stays
kernel void zero_beyond_the_end(global const float *in, global float *out, int n)
{
    local float tile[16];
    int l = get_local_id(0), g = get_global_id(0);
    tile[l] = g < n ? in[g] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = tile[15 - l];
}

// RUN --global=64 --local=16 --arg=float[50]=iota --arg=float[64]=0 --arg=int=50 --check=-uninitialized-read
// SAYS 'tile' stays: not all that is read is known to be stored
kernel void guarded(global const float *in, global float *out, int n)
{
    local float tile[16];
    int l = get_local_id(0), g = get_global_id(0);
    if (g < n) tile[l] = in[g];
    barrier(CLK_LOCAL_MEM_FENCE);
    float other = tile[15 - l]; // also of what was not stored
    out[g] = select(-1.0f, other, g + 15 - 2 * l < n ? -1 : 0);
}

// RUN --global=64 --local=16 --arg=float[50]=iota --arg=float[64]=0 --arg=int=50
// SAYS 'tile' is not used: 'in' is read
kernel void guarded_alike(global const float *in, global float *out, int n)
{
    local float tile[16];
    int l = get_local_id(0), g = get_global_id(0);
    if (g < n) tile[l] = in[g];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (g < n && l > 0) out[g] = tile[l - 1];
}

// RUN --global=64 --local=16 --arg=float[64]=iota --arg=float[64]=0 --arg=int[16]=3,2,1,0,7,6,5,4,11,10,9,8,15,14,13,12
// SAYS 'tile' stays
// SAYS the barrier stays
kernel void by_a_table(global const float *in, global float *out, global const int *to)
{
    local float tile[16];
    int l = get_local_id(0);
    tile[to[l]] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = tile[l];
}

// l * 20 goes round at 256.
// RUN --global=64 --local=64 --arg=float[64]=iota --arg=float[64]=0
// SAYS 'tile' stays
// SAYS the barrier stays
kernel void goes_round(global const float *in, global float *out)
{
    local float tile[256];
    int l = get_local_id(0);
    tile[(uchar)(l * 20)] = in[l];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = tile[(uchar)(l * 20 + 20)];
}

// Unsigned differences below zero: large numbers, of which only the lower bits are used.
// RUN --global=64 --local=16 --arg=float[64]=iota --arg=float[64]=0
// NOT is not used
kernel void below_zero(global const float *in, global float *out)
{
    local float tile[16];
    uint l = get_local_id(0);
    tile[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = tile[(l - 3) & 15];
}

// RUN --global=64 --local=16 --arg=float[64]=iota --arg=float[64]=0
// SAYS 'p' is not used: 'in' is read
// SAYS 'q' stays
// SAYS the barrier stays
kernel void one_of_two(global const float *in, global float *out)
{
    local float p[16], q[16];
    int l = get_local_id(0);
    p[l] = in[get_global_id(0)];
    q[l] = l * 0.5f;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = p[15 - l] + q[(l + 1) & 15];
}

// RUN --global=64 --local=16 --arg=float[64]=iota
// SAYS 'tile' stays: the kernel may write the global array
// SAYS the barrier stays
kernel void in_place(global float *x)
{
    local float tile[16];
    int l = get_local_id(0);
    tile[l] = x[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    x[get_global_id(0)] = tile[15 - l];
}

// RUN --global=60 --local=16 --build-options=-cl-std=CL2.0 --arg=float[64]=iota --arg=float[64]=0
// SAYS 'tile' stays: work-groups may be cut short
kernel void cut_short(global const float *in, global float *out)
{
    local float tile[16];
    int l = get_local_id(0), last = get_local_size(0) - 1;
    tile[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = tile[last - l];
}

// RUN --global=32,32 --local=16,16 --arg=float[1024]=iota --arg=float[1024]=0 --arg=int=32
// SAYS 'tile' stays: it does not hold a part
kernel void transposed(global const float *in, global float *out, int w)
{
    local float tile[T][T + 1];
    int lx = get_local_id(0), ly = get_local_id(1), gx = get_group_id(0) * T, gy = get_group_id(1) * T;
    tile[ly][lx] = in[(gy + ly) * w + gx + lx];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[(gx + ly) * w + gy + lx] = tile[lx][ly];
}

// What is read was stored in the iteration before.
// RUN --global=64 --local=16 --arg=float[256]=iota --arg=float[64]=0
// SAYS 'tile' stays
kernel void one_ahead(global const float *in, global float *out)
{
    local float tile[16];
    int l = get_local_id(0), g = get_group_id(0) * 64;
    float sum = 0;
    tile[l] = in[g + l];
    for (int k = 1; k < 4; k++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        sum += tile[15 - l];
        barrier(CLK_LOCAL_MEM_FENCE);
        tile[l] = in[g + k * 16 + l];
    }
    out[get_global_id(0)] = sum;
}

// RUN --global=64 --local=16 --arg=float[64]=iota --arg=float[64]=iota --arg=float[64]=0
// SAYS 'tile' stays: it holds elements of several global arrays
kernel void two_sources(global const float *a, global const float *b, global float *out)
{
    local float tile[32];
    int l = get_local_id(0);
    tile[l] = a[get_global_id(0)];
    tile[16 + l] = b[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = tile[15 - l] + tile[31 - l];
}

// RUN --global=64 --local=16 --arg=float[64]=iota --arg=float[64]=0
// SAYS 'tile' stays
kernel void in_pieces(global const float *in, global float *out)
{
    local float tile[16];
    int l = get_local_id(0);
    tile[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = ((local uchar *)tile)[l * 4 + 3];
}

// RUN --global=64 --local=16 --arg=int[64]=0
// SAYS all barriers stay
kernel void through_global(global int *x)
{
    int l = get_local_id(0), g = get_global_id(0) - l;
    x[g + l] = l;
    barrier(CLK_GLOBAL_MEM_FENCE);
    int other = x[g + (l + 1) % 16];
    barrier(CLK_GLOBAL_MEM_FENCE);
    x[g + l] += other;
}

// RUN --global=64 --local=16 --arg=int[64]=0
// SAYS 1 of 1 barrier taken out
kernel void own_places(global int *x)
{
    int g = get_global_id(0);
    x[g] = g;
    barrier(CLK_GLOBAL_MEM_FENCE);
    x[g] += 5;
}

// The barrier between two rows of a loop: work-item 0 reads what all wrote.
// RUN --global=64 --local=16 --arg=int[4]=0
// SAYS all barriers stay
kernel void collected(global int *out)
{
    local int part[16];
    int l = get_local_id(0), sum = 0;
    for (int k = 0; k < 3; k++) {
        part[l] = l * k;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l == 0)
            for (int i = 0; i < 16; i++) sum += part[i];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0) out[get_group_id(0)] = sum;
}

// RUN --native --global=64 --local=16 --arg=int[4]=0
// SAYS all barriers stay
kernel void counted(global int *out)
{
    local int n;
    if (get_local_id(0) == 0) n = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(&n);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) out[get_group_id(0)] = n;
}

// Blocks; a loop that all run in step.
// RUN --global=64,32 --local=16,16 --arg=float[2048]=rand:1 --arg=float[4096]=rand:2 --arg=float[2048]=0 --arg=int=64
// SAYS 1 loop around the loop over work-items
// SAYS run in blocks of 16x8 work-items
kernel void in_blocks(global const float *a, global const float *b, global float *c, int n)
{
    int column = get_global_id(0), row = get_global_id(1);
    float sum = get_local_id(1) * 0.5f + get_local_id(0);
    for (int k = 0; k < n; k++) sum += a[row * n + k] * b[k * n + column];
    c[row * n + column] = sum;
}

// RUN --global=48,6 --local=12,6 --arg=float[288]=rand:1 --arg=float[288]=0 --arg=int=7
kernel void in_blocks_of_no_power(global const float *a, global float *c, int n)
{
    size_t i = get_global_id(1) * 48 + get_global_id(0);
    float x = a[i], y = 1, z = 2;
    for (int k = 0; k < n; k++) {
        float t = x * 0.5f + y;
        y = z - x * 0.25f;
        z = t + get_local_id(0);
        x = y * 0.5f - get_local_id(1);
    }
    c[i] = x + y + z;
}

// RUN --global=63,5 --local=16,2 --build-options=-cl-std=CL2.0 --arg=float[315]=rand:1 --arg=float[315]=0 --arg=int=7
// NOT run in blocks
kernel void blocks_cut_short(global const float *a, global float *c, int n)
{
    size_t i = get_global_id(1) * 63 + get_global_id(0);
    float x = a[i];
    for (int k = 0; k < n; k++) x = x * 0.5f + get_local_size(0) + get_local_id(0) * k;
    c[i] = x;
}

// Indices of 32 bits that are below zero before something is added, or go round and come back.
// RUN --global=64 --local=16 --arg=float[80]=iota --arg=float[64]=0 --arg=uint=4294967290 --arg=int=-7
kernel void roundabout(global const float *a, global float *c, uint far, int back)
{
    uint g = get_global_id(0);
    float sum = a[g + far + 6u] + a[g - far];
    sum += a[(int)g + back + 8] + a[g * 3u - 2u * g];
    if (g > 2) sum += a[g - 3u];
    uint at = g - 5u;
    for (int k = 0; k < 3; k++) {
        at += 5;
        sum += a[at];
    }
    c[g] = sum;
}

// What goes up along the way, differently for each.
// RUN --global=64 --local=16 --arg=float[512]=iota --arg=float[512]=0 --arg=int=64 --arg=int=6
kernel void stepping(global const float *a, global float *c, int step, int n)
{
    int at = get_global_id(0), back = get_local_id(0);
    float sum = 0;
    for (int k = 0; k < n; k++) {
        sum += a[at] + a[at + step - back];
        c[at] = sum;
        at += step;
        back = back + 0;
    }
}

// Neither may loops be exchanged in which work-items part.
// RUN --global=64 --local=16 --arg=int[64]=rand:3 --arg=int[64]=0
// NOT around the loop over work-items
kernel void parting(global const int *a, global int *c)
{
    int g = get_global_id(0), n = a[g] & 31, sum = 0;
    for (int k = 0; k < n; k++) sum += a[(g + k) & 63] ^ k;
    c[g] = sum;
}

// From the last element to the first.
// RUN --global=64 --local=16 --arg=float[64]=iota --arg=float[64]=0
// SAYS 'tile' stays: it does not hold a part of the global array as it lies there
kernel void backwards(global const float *in, global float *out)
{
    local float tile[16];
    int l = get_local_id(0), g = get_global_id(0);
    tile[15 - l] = in[63 - g];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = tile[(l * 5 + 3) % 16];
}

// The tile begins where an argument says, of either sign.
// RUN --global=32 --local=16 --arg=float[64]=iota --arg=float[32]=0 --arg=int=-7 --arg=int=20
// SAYS 'tile' is not used: 'in' is read
kernel void begins_elsewhere(global const float *in, global float *out, int back, int by)
{
    local float tile[18];
    int l = get_local_id(0), g = get_global_id(0) + by + back;
    tile[l + 1] = in[g];
    if (l == 0) tile[0] = in[g - 1];
    if (l == 15) tile[17] = in[g + 1];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = tile[l] + tile[l + 2];
}

// RUN --global=64 --local=16 --arg=float[64]=iota --arg=float[64]=0
// SAYS 'tile' stays
kernel void watched(global const float *in, global float *out)
{
    volatile local float tile[16];
    int l = get_local_id(0);
    tile[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = tile[15 - l];
}

// Stored twice: what is read is of the second.
// RUN --global=64 --local=16 --arg=float[128]=iota --arg=float[64]=0
// SAYS 'tile' stays
kernel void stored_twice(global const float *in, global float *out)
{
    local float tile[16];
    int l = get_local_id(0), g = get_global_id(0);
    tile[l] = in[g];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 8) tile[l] = in[g + 64];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = tile[15 - l];
}

// RUN --native --global=64 --local=16 --arg=int[64]=iota --arg=int[64]=0
// SAYS 'tile' stays
kernel void counted_in(global const int *in, global int *out)
{
    local int tile[16];
    int l = get_local_id(0);
    tile[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&tile[15 - l], 1);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = tile[l];
}

void step(local float *tile, global const float *in, int l, int at)
{
    barrier(CLK_LOCAL_MEM_FENCE);
    tile[l] = in[at];
    barrier(CLK_LOCAL_MEM_FENCE);
}

// Barriers of a callee, in a loop; each round reads what its own stored.
// RUN --global=64 --local=16 --arg=float[256]=iota --arg=float[64]=0 --arg=int=4
// SAYS 'tile' is not used: 'in' is read
// SAYS 2 of 2 barriers taken out
kernel void in_a_callee(global const float *in, global float *out, int n)
{
    local float tile[16];
    int l = get_local_id(0), g = get_group_id(0) * 64;
    float sum = 0;
    for (int k = 0; k < n; k++) {
        step(tile, in, l, g + k * 16 + l);
        sum += tile[15 - l] * k;
    }
    out[get_global_id(0)] = sum;
}

// The same tile, but read before the round's own barrier, too: what the last round left.
// RUN --global=64 --local=16 --arg=float[256]=iota --arg=float[64]=0 --arg=int=4 --check=-uninitialized-read
// SAYS 'tile' stays
// NOT barriers taken out
kernel void of_the_last_round(global const float *in, global float *out, int n)
{
    local float tile[16];
    int l = get_local_id(0), g = get_group_id(0) * 64;
    float sum = 0;
    for (int k = 0; k < n; k++) {
        if (k > 0) sum += tile[15 - l];
        step(tile, in, l, g + k * 16 + l);
        sum += tile[l ^ 1] * k;
    }
    out[get_global_id(0)] = sum;
}

// Another array may hold the same: what is stored comes from memory that the kernel writes through a pointer of its own.
// RUN --global=64 --local=16 --arg=float[64]=iota --arg=float[64]=0 --arg=int=1
// SAYS 'tile' stays: the kernel may write the global array
kernel void through_either(global float *a, global float *b, int which)
{
    local float tile[16];
    int l = get_local_id(0), g = get_global_id(0);
    global float *to = which ? a : b;
    tile[l] = a[g];
    barrier(CLK_LOCAL_MEM_FENCE);
    to[g] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    b[g] = tile[15 - l];
}

// Rows of its own for each work-item, nothing carried from round to round: the loop stays the inner one.
// RUN --global=64 --local=16 --arg=int[4096]=iota --arg=int[4096]=0 --arg=int=64
// NOT around the loop over work-items
kernel void own_rows(global const int *in, global int *out, int n)
{
    int row = get_global_id(0) * n;
    for (int i = 0; i < n; i++) out[row + i] = in[row + i] * 3;
}

// The same in columns: there it becomes the outer one.
// RUN --global=64 --local=16 --arg=int[4096]=iota --arg=int[4096]=0 --arg=int=64
// SAYS 1 loop around the loop over work-items
kernel void own_columns(global const int *in, global int *out, int n)
{
    int column = get_global_id(0);
    for (int i = 0; i < n; i++) out[i * n + column] = in[i * n + column] * 3;
}

// ---- guards

// All groups go in but the last of each row and column, of which some do and some do not.
// RUN --global=40,24 --local=8,4 --arg=float[700]=rand:1 --arg=float[700]=rand:1 --arg=float[700]=0 --arg=int=26
// SAYS decided for all
// SAYS 1 loop around the loop over work-items
kernel void guard_of_a_product(global const float *a, global const float *b, global float *c, int n)
{
    const int i = get_global_id(0), j = get_global_id(1);
    if (i >= n || j >= n - 5) return;
    float s = 0;
    for (int k = 0; k < n; k++) s += a[j * n + k] * b[k * n + i];
    c[j * n + i] = s;
}

// A loop on either side, and a value that comes from both, used after a barrier; groups at the end are smaller.
// RUN --global=100 --local=16 --build-options=-cl-std=CL3.0 --arg=float[128]=rand:1 --arg=float[128]=0 --arg=int=50 --arg=int=70
// SAYS decided for all
kernel void guard_with_an_else(global const float *a, global float *o, int n, int m)
{
    local float all[16];
    const int i = get_global_id(0), l = get_local_id(0);
    float s = 1;
    int last = -1;
    if (i < n) {
        for (int k = 0; k < m; k++) s += a[(i + k) & 127] * k, last = k + i;
    } else {
        for (int k = m; k > 0; k--) s = s * 0.5f + a[(i + 3 * k) & 127], last -= k;
    }
    all[l] = s + last;
    barrier(CLK_LOCAL_MEM_FENCE);
    o[i] = all[get_local_size(0) - 1 - l] + s;
}

// One guard in another, in a loop with barriers; of the inner one no group is of one mind.
// RUN --global=96 --local=32 --arg=int[128]=iota --arg=int[128]=0 --arg=int=64 --arg=int=67 --arg=int=5
// SAYS decided for all
kernel void guards_in_steps(global const int *a, global int *o, int n, int m, int steps)
{
    local int tile[32];
    const int i = get_global_id(0), l = get_local_id(0);
    int sum = 0;
    for (int t = 0; t < steps; t++) {
        tile[l] = a[(i + t) & 127];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (i < n) {
            for (int k = 0; k < m; k++) sum += tile[k & 31] ^ k;
            if (tile[(l + 1) & 31] & 1)
                for (int k = 0; k < m; k++) sum ^= tile[(l + k) & 31] << (k & 7);
            sum += t;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    o[i] = sum;
}

// Two conditions one after the other, and a switch after them.
// RUN --global=64 --local=16 --arg=int[64]=iota --arg=int[64]=0 --arg=int=48 --arg=int=90
// SAYS decided for all
kernel void guard_and_switch(global const int *a, global int *o, int n, int m)
{
    const int i = get_global_id(0);
    int s = i;
    if (i < n && a[i] != 12345)
        for (int k = 0; k < m; k++)
            switch (k % 3) {
            case 0: s += a[(i + k) & 63]; break;
            case 1: s ^= k; break;
            default: s -= a[k & 63];
            }
    o[i] = s;
}

// There is nothing to decide: the loop itself ends at another time for each.
// RUN --global=64 --local=16 --arg=int[64]=iota --arg=int[64]=0 --arg=int=48
// NOT decided for all
kernel void guard_of_a_search(global const int *a, global int *o, int n)
{
    const int i = get_global_id(0);
    if (i >= n) return;
    int k = 0;
    while (k < 100 && a[(i + k) & 63] & 1) k++;
    o[i] = k;
}

// A sum over the range, a part for each work-item; some begin after the end.
// RUN --global=96 --local=32 --arg=int[1000]=iota --arg=int[96]=0 --arg=int=75 --arg=int=1
// RUN --global=96 --local=32 --arg=int[1000]=iota --arg=int[96]=0 --arg=int=1000 --arg=int=3
// SAYS decided for all
kernel void stride_over_a_range(global const int *a, global int *o, int n, int odd)
{
    local int all[32];
    const int l = get_local_id(0);
    int sum = 0, last = -1;
    for (int i = get_global_id(0); i < n; i += get_global_size(0)) {
        sum += a[i] * odd;
        if (n & 1) last = i;
    }
    all[l] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    o[get_global_id(0)] = all[31 - l] + last;
}

// Tiles filled by steps of the group's size, in a loop with barriers; counted down above the end.
// RUN --global=64 --local=16 --arg=float[256]=rand:1 --arg=float[64]=0 --arg=int=5 --arg=int=50
// SAYS decided for all
kernel void strides_in_steps(global const float *a, global float *o, int steps, int n)
{
    local float tile[64];
    const int l = get_local_id(0);
    float s = 0;
    for (int t = 0; t < steps; t++) {
        for (uint k = l; k < n; k += get_local_size(0)) tile[k] = a[(k * 3 + t) & 255];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = n - 1 - l; 0 <= k; k += -16) s = s * 0.75f + tile[k];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    o[get_global_id(0)] = s;
}

// A way out in the middle, which some take.
// RUN --global=64 --local=16 --arg=int[512]=iota --arg=int[64]=0 --arg=int=512
// NOT decided for all
kernel void stride_of_a_search(global const int *a, global int *o, int n)
{
    int found = -1;
    for (int i = get_global_id(0); i < n; i += 64) {
        found = i;
        if (a[i] % 77 == 5) break;
    }
    o[get_global_id(0)] = found;
}

// Branches of their own inside a loop that all run in step.
// RUN --global=64 --local=32 --arg=int[512]=iota --arg=float[64]=0 --arg=int=70 --arg=int=45
// SAYS 1 loop around the loop over work-items
kernel void branches_in_step(global const int *a, global float *o, int n, int m)
{
    const int i = get_global_id(0);
    float s = 0;
    for (int k = 0; k < n; k++) {
        const int x = a[(k * 7 + i * 3) & 511];
        if (x % 3 == 0) s += exp(-0.01f * x);
        else if (i < m) o[i] = s, s *= 0.5f;
    }
    o[i] += s;
}

// The same with something that cannot be done for several at once.
// RUN --global=64 --local=32 --arg=int[512]=iota --arg=int[64]=0 --arg=int=70
// NOT around the loop over work-items
kernel void atomics_in_step(global const int *a, global int *o, int n)
{
    const int i = get_global_id(0);
    int s = 0;
    for (int k = 0; k < n; k++) {
        const int x = a[(k * 7 + i * 3) & 511];
        if (x % 3 == 0) atomic_add(&o[x & 63], x);
        else s ^= x;
    }
    atomic_add(&o[i], s);
}

// RUN --global=64,32 --local=16,16 --arg=float[2048]=0 --arg=int=64
// RUN --global=60,30 --local=10,15 --arg=float[2048]=0 --arg=int=64
// SAYS 1 loop that work-items leave at different times runs in step
kernel void escape(global float *out, int w)
{
    float x = 0, y = 0, cx = get_global_id(0) / 20.0f - 2, cy = get_global_id(1) / 15.0f - 1;
    int i = 0;
    while (i < 200 && x * x + y * y <= 4) {
        const float t = x * x - y * y + cx;
        y = 2 * x * y + cy;
        x = t;
        i++;
    }
    out[get_global_id(1) * w + get_global_id(0)] = i + x;
}

// Euclid: the variables change places. The guard is decided once for work-items that agree.
// RUN --global=256 --local=64 --arg=uint[300]=0 --arg=int=300
// RUN --global=320 --local=64 --arg=uint[300]=0 --arg=int=300
// SAYS runs in step, with masks
kernel void greatest_common_divisor(global uint *out, int n)
{
    const int i = get_global_id(0);
    if (i < n) {
        uint a = i * 2654435761u >> 12 | 1, b = i * 40503u + 1;
        while (a != b) {
            const uint more = a > b ? a - b : b - a, less = a > b ? b : a;
            a = more;
            b = less;
            if (a > 3 * b) a -= 2 * b;
        }
        out[i] = a + b;
    }
}

// Two ways out, with different values; some work-items make no trip.
// RUN --global=128 --local=32 --arg=int[128]=0
// SAYS 1 loop that work-items leave at different times runs in step
kernel void two_ways_out(global int *out)
{
    const int i = get_global_id(0);
    int found = -1;
    uint x = i * 2654435761u;
    for (int k = 0; k < i % 40; k++) {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
        if (x % 64 == 7) {
            found = k * 100;
            break;
        }
        if ((x & 31) == 3) {
            found = k;
            break;
        }
    }
    out[i] = found + (int)(x >> 20);
}

// The inner loop of two; the outer one is the same for all work-items.
// RUN --global=64 --local=16 --arg=float[64]=0 --arg=int=9
// SAYS 1 loop that work-items leave at different times runs in step
kernel void newton_of_each(global float *out, int n)
{
    const float v = get_global_id(0) + 1;
    float s = 0;
    for (int k = 1; k <= n; k++) {
        float x = v * k, last;
        do {
            last = x;
            x = 0.5f * (x + v * k / x);
        } while (fabs(x - last) > 1e-3f * x);
        s += x;
    }
    out[get_global_id(0)] = s;
}

// Memory in the loop.
// RUN --global=64 --local=16 --arg=int[64]=0 --arg=int[64]=iota
// NOT with masks
kernel void walk(global int *out, global const int *next)
{
    int i = get_global_id(0), n = 0;
    while (i > 3) i = next[i / 2] + (i & 1), n++;
    out[get_global_id(0)] = n;
}

// Whole groups run together, not blocks.
// RUN --global=64 --local=16 --arg=int[64]=0
// NOT with masks
kernel void beside_a_barrier(global int *out)
{
    local int t[16];
    uint x = get_global_id(0) * 2654435761u | 1;
    int n = 0;
    while (x % 32) x = x * 5 + 7 ^ x >> 3, n++;
    t[get_local_id(0)] = n;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = t[15 - get_local_id(0)];
}
