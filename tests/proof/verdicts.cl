// SPDX-License-Identifier: MIT
// Kernels of tests/proof/verdicts.py, whose verdicts were written first: what they violate, and the options.

// VIOLATES nothing
// OPTIONS --global=256 --local=64 --arg=int[256]=0 --arg=int[256]=0
kernel void alias_two_names(global int *a, global int *b)
{
    int i = get_global_id(0);
    b[i] = a[(i + 1) % 256];
}

// VIOLATES group-races global-races
// OPTIONS --global=256 --local=64 --arg=int[256]=0 --arg=same:0
kernel void alias_same(global int *a, global int *b)
{
    int i = get_global_id(0);
    b[i] = a[(i + 1) % 256];
}

// VIOLATES nothing
// OPTIONS --global=256 --local=64 --arg=int[256]=0 --arg=same:0
kernel void alias_same_ok(global int *a, global int *b)
{
    int i = get_global_id(0);
    b[i] = a[i] + 1;
}

// VIOLATES nothing
// OPTIONS --global=256 --local=64 --arg=int[256]=0 --arg=uint=0..8
kernel void wrap_unsigned_down(global int *a, uint n)
{
    for (uint i = n - 1; i < 300u; i--)
        if (get_global_id(0) == 0) a[i] = 1;
}

// VIOLATES nothing
// OPTIONS --global=256 --local=64 --arg=int[256]=0 --arg=uint=0..256
kernel void wrap_unsigned_down_ok(global int *a, uint n)
{
    if (get_global_id(0) == 0)
        for (uint i = n; i-- > 0;) a[i] = 1;
}

// VIOLATES nothing
// OPTIONS --global=256 --local=64 --arg=int[256]=0
kernel void lid_mask_ok(global int *a)
{
    local int t[64];
    int l = get_local_id(0);
    t[l & 63] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    a[get_global_id(0)] = t[(l + 1) & 63];
}

// VIOLATES local-races
// OPTIONS --global=256 --local=64 --arg=int[256]=0
kernel void lid_mask_race(global int *a)
{
    local int t[64];
    int l = get_local_id(0);
    t[l] = l;
    t[l & 31] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    a[get_global_id(0)] = t[l];
}

// VIOLATES nothing
// OPTIONS --global=256 --local=64 --arg=int[256]=0
kernel void xor_swap_ok(global int *a)
{
    local int t[64];
    int l = get_local_id(0);
    t[l ^ 5] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    a[get_global_id(0)] = t[l ^ 9];
}

// VIOLATES in-bounds
// OPTIONS --global=256 --local=64 --arg=int[256]=0 --arg=int=0..8
kernel void shift_left(global int *a, int s)
{
    int g = get_global_id(0);
    if (g == 0) a[1 << s] = 1;
}

// VIOLATES nothing
// OPTIONS --global=256 --local=64 --arg=int[257]=0 --arg=int=0..8
kernel void shift_left_ok(global int *a, int s)
{
    int g = get_global_id(0);
    if (g == 0) a[1 << s] = 1;
}

// VIOLATES barrier-divergence
// OPTIONS --global=256 --local=64 --arg=int[256]=0 --arg=int=0..256
kernel void early_return(global int *a, int n)
{
    local int t[64];
    int g = get_global_id(0), l = get_local_id(0);
    if (g >= n) return;
    t[l] = a[g];
    barrier(CLK_LOCAL_MEM_FENCE);
    a[g] = t[l] + 1;
}

// VIOLATES nothing
// OPTIONS --global=256 --local=64 --arg=int[256]=0 --arg=int=0..4
kernel void early_return_group_ok(global int *a, int n)
{
    local int t[64];
    int g = get_global_id(0), l = get_local_id(0);
    if (get_group_id(0) >= n) return;
    t[l] = a[g];
    barrier(CLK_LOCAL_MEM_FENCE);
    a[g] = t[l] + 1;
}

// VIOLATES nothing
// OPTIONS --global=256 --local=64 --arg=int[256]=0 --arg=int=0..4
kernel void early_return_mult_ok(global int *a, int n)
{
    local int t[64];
    int g = get_global_id(0), l = get_local_id(0);
    if (g >= n * 64) return;
    t[l] = a[g];
    barrier(CLK_LOCAL_MEM_FENCE);
    a[g] = t[l] + 1;
}

// VIOLATES nothing
// OPTIONS --global=256 --local=64 --arg=int[256]=0 --arg=ro:int[4]=3
kernel void data_uniform_loop_ok(global int *a, global const int *c)
{
    local int t[64];
    int l = get_local_id(0), g = get_global_id(0);
    for (int i = 0; i < c[get_group_id(0)]; i++) {
        t[l] = i;
        barrier(CLK_LOCAL_MEM_FENCE);
        a[g] = t[63 - l];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

// VIOLATES barrier-divergence local-races
// OPTIONS --global=256 --local=64 --arg=int[256]=0 --arg=ro:int[256]=iota
kernel void data_varying_loop(global int *a, global const int *c)
{
    local int t[64];
    int l = get_local_id(0), g = get_global_id(0);
    for (int i = 0; i < (c[g] & 3); i++) {
        t[l] = i;
        barrier(CLK_LOCAL_MEM_FENCE);
        a[g] = t[63 - l];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

// VIOLATES barrier-divergence group-races global-races
// OPTIONS --global=256 --local=64 --arg=int[256]=iota
kernel void data_loop_written(global int *a)
{
    local int t[64];
    int l = get_local_id(0), g = get_global_id(0);
    for (int i = 0; i < (a[0] & 7); i++) {
        t[l] = i;
        barrier(CLK_LOCAL_MEM_FENCE);
        a[g] = t[l];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

// VIOLATES nothing
// OPTIONS --global=256 --local=64 --arg=int[256]=0
static void sync(local int *p, int v)
{
    *p = v;
    barrier(CLK_LOCAL_MEM_FENCE);
}
kernel void called_barrier_ok(global int *a)
{
    local int t[64];
    int l = get_local_id(0);
    sync(t + l, l);
    a[get_global_id(0)] = t[63 - l];
}

// VIOLATES barrier-divergence
// OPTIONS --global=256 --local=64 --arg=int[256]=0
void sync(local int *p, int v)
{
    *p = v;
    barrier(CLK_LOCAL_MEM_FENCE);
}
kernel void called_barrier_div(global int *a)
{
    local int t[64];
    int l = get_local_id(0);
    t[l] = 0;
    if (l < 63) sync(t + l, l);
    a[get_global_id(0)] = t[l];
}

// VIOLATES barrier-divergence
// OPTIONS --global=256 --local=64 --arg=int[256]=0
void s() { barrier(CLK_LOCAL_MEM_FENCE); }
kernel void called_barrier_bothpaths(global int *a)
{
    int l = get_local_id(0);
    if (l < 32) s();
    else s();
    a[get_global_id(0)] = l;
}

// VIOLATES nothing
// OPTIONS --global=256 --local=64 --arg=int[256]=0 --arg=int[1]=0
kernel void ticket_ok(global int *a, global int *c)
{
    int i = atomic_inc(c);
    if (i >= 0 && i < 256) a[i] = 1;
}

// VIOLATES group-races global-races
// OPTIONS --global=256 --local=64 --arg=int[256]=0 --arg=int[1]=0
kernel void ticket_init_race(global int *a, global int *c)
{
    if (get_global_id(0) == 0) *c = 0;
    int i = atomic_inc(c);
    if (i >= 0 && i < 256) atomic_inc(a + i);
}

// VIOLATES nothing
// OPTIONS --global=64,64 --local=16,16 --arg=float[4096]=0 --arg=float[4096]=0
kernel void tile_pad_ok(global float *a, global float *b)
{
    local float t[16][17];
    int x = get_local_id(0), y = get_local_id(1);
    t[y][x] = a[get_global_id(1) * 64 + get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    int ox = get_group_id(1) * 16 + x, oy = get_group_id(0) * 16 + y;
    b[oy * 64 + ox] = t[x][y];
}

// VIOLATES local-races initialized
// OPTIONS --global=64,64 --local=16,16 --arg=float[4096]=0 --arg=float[4096]=0
kernel void tile_pad_bug(global float *a, global float *b)
{
    local float t[16 * 17];
    int x = get_local_id(0), y = get_local_id(1);
    t[y * 15 + x] = a[get_global_id(1) * 64 + get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    int ox = get_group_id(1) * 16 + x, oy = get_group_id(0) * 16 + y;
    b[oy * 64 + ox] = t[x * 17 + y];
}

// VIOLATES nothing
// OPTIONS --global=32,32 --local=8,8 --arg=float[1156]=0 --arg=float[1024]=0
kernel void tile_halo_ok(global float *a, global float *b)
{
    local float t[10][10];
    int x = get_local_id(0), y = get_local_id(1);
    for (int j = y; j < 10; j += 8)
        for (int i = x; i < 10; i += 8)
            t[j][i] = a[(get_group_id(1) * 8 + j) * 34 + get_group_id(0) * 8 + i];
    barrier(CLK_LOCAL_MEM_FENCE);
    b[get_global_id(1) * 32 + get_global_id(0)] = t[y][x] + t[y + 2][x + 2];
}

// VIOLATES in-bounds
// OPTIONS --global=256 --local=64 --arg=int[256]=0 --arg=int=any
kernel void signed_overflow(global int *a, int n)
{
    int g = get_global_id(0);
    if (n > 0 && n + g < 256) a[n + g] = 1;
}

// VIOLATES nothing
// OPTIONS --global=256 --local=64 --arg=int[256]=0 --arg=int=any
kernel void signed_overflow_ok(global int *a, int n)
{
    int g = get_global_id(0);
    if (g == 0 && n >= 0 && n < 255) a[n + 1] = 1;
}

// VIOLATES nothing
// OPTIONS --global=256 --local=64 --arg=int[1024]=0 --arg=int[256]=0
kernel void vload_ok(global int *a, global int *b)
{
    int g = get_global_id(0);
    int4 v = vload4(g, a);
    b[g] = v.x + v.w;
}

// VIOLATES in-bounds
// OPTIONS --global=256 --local=64 --arg=int[1023]=0 --arg=int[256]=0
kernel void vload_oob(global int *a, global int *b)
{
    int g = get_global_id(0);
    int4 v = vload4(g, a);
    b[g] = v.x + v.w;
}

// VIOLATES group-races global-races
// OPTIONS --global=256 --local=64 --arg=int[1026]=0
kernel void vstore3_race(global int *a)
{
    int g = get_global_id(0);
    vstore4((int4)(g), 0, a + 3 * g);
}

// VIOLATES nothing
// OPTIONS --global=256 --local=64 --arg=int[768]=0
kernel void vstore3_ok(global int *a)
{
    int g = get_global_id(0);
    vstore3((int3)(g), g, a);
}

// VIOLATES group-races global-races
// OPTIONS --global=256 --local=64 --arg=int[1025]=0
kernel void int3_store_race(global int *a)
{
    int g = get_global_id(0);
    a[4 * g] = 1;
    vstore2((int2)(g), 0, a + 4 * g + 3);
}

// VIOLATES nothing
// OPTIONS --global=256 --local=64 --arg=int[256]=0 --arg=local:int[64]
int rd(local int *p, int i) { return p[i]; }
kernel void localptr_fn_ok(global int *a, local int *t)
{
    int l = get_local_id(0);
    t[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    a[get_global_id(0)] = rd(t, 63 - l) + rd(t + 1, l < 63 ? l : 0);
}

// VIOLATES local-races in-bounds
// OPTIONS --global=256 --local=64 --arg=int[256]=0 --arg=local:int[64]
void wr(local int *p, int i) { p[i] = 1; }
kernel void localptr_fn_race(global int *a, local int *t)
{
    int l = get_local_id(0);
    wr(t + 1, l);
    wr(t, l);
    a[get_global_id(0)] = l;
}

// VIOLATES initialized
// OPTIONS --global=256 --local=64 --arg=int[256]=0 --arg=int=0..9
kernel void zero_trip_init(global int *a, int n)
{
    int s;
    for (int i = 0; i < n; i++) s = i;
    a[get_global_id(0)] = s;
}

// VIOLATES local-races initialized
// OPTIONS --global=256 --local=64 --arg=int[256]=0 --arg=int=0..9
kernel void zero_trip_barrier(global int *a, int n)
{
    local int t[64];
    int l = get_local_id(0);
    t[l] = l;
    for (int i = 0; i < n; i++) barrier(CLK_LOCAL_MEM_FENCE);
    a[get_global_id(0)] = t[63 - l];
}

// VIOLATES nothing
// OPTIONS --global=256 --local=64 --arg=int[256]=0 --arg=int=1..9
kernel void zero_trip_barrier_ok(global int *a, int n)
{
    local int t[64];
    int l = get_local_id(0);
    t[l] = l;
    for (int i = 0; i < n; i++) barrier(CLK_LOCAL_MEM_FENCE);
    a[get_global_id(0)] = t[63 - l];
}

// VIOLATES nothing
// OPTIONS --global=any --local=any --arg=int[n]=0 --arg=int=1..1000000
kernel void guard_any_ok(global int *a, int n)
{
    int g = get_global_id(0);
    if (g < n) a[g] = 1;
}

// VIOLATES nothing
// OPTIONS --global=any --local=any --arg=int[256]=0 --arg=int=any
kernel void guard_any_signed(global int *a, int n)
{
    int g = get_global_id(0);
    if (g < n && g < 256) a[g] = 1;
}

// VIOLATES in-bounds
// OPTIONS --global=any --local=64 --arg=int[n]=0 --arg=int=1..1000000
kernel void guard_any_le(global int *a, int n)
{
    int g = get_global_id(0);
    if (g <= n) a[g] = 1;
}

// VIOLATES divisions
// OPTIONS --global=256 --local=64 --arg=int[256]=0 --arg=int=any
kernel void div_arg(global int *a, int n)
{
    int g = get_global_id(0);
    a[g] = g / n;
}

// VIOLATES divisions
// OPTIONS --global=256 --local=64 --arg=int[256]=iota --arg=int=any
kernel void div_arg_minus1(global int *a, int n)
{
    int g = get_global_id(0);
    if (n != 0) a[g] = a[g] / n;
}

// VIOLATES nothing
// OPTIONS --global=256 --local=64 --arg=int[256]=0 --arg=int=1..64
kernel void div_arg_ok(global int *a, int n)
{
    int g = get_global_id(0);
    a[g] = a[g] / n + g % n;
}

// VIOLATES group-races global-races
// OPTIONS --global=256 --local=64 --arg=int[256]=0 --arg=int=1..64
kernel void div_index_race(global int *a, int n)
{
    int g = get_global_id(0);
    a[g / n] = g;
}

// VIOLATES nothing
// OPTIONS --global=256 --local=64 --arg=int[256]=0 --arg=int=1..256
kernel void modn_ok(global int *a, int n)
{
    int g = get_global_id(0);
    atomic_inc(a + g % n);
}

// VIOLATES nothing
// OPTIONS --global=any --local=64 --arg=int[global]=0 --arg=int[global]=0
kernel void reduce_ok(global int *a, global int *o)
{
    local int t[64];
    int l = get_local_id(0);
    t[l] = a[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = 32; s > 0; s >>= 1) {
        if (l < s) t[l] += t[l + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0) o[get_group_id(0)] = t[0];
}

// VIOLATES barrier-divergence local-races
// OPTIONS --global=256 --local=64 --arg=int[256]=0 --arg=int[256]=0
kernel void reduce_inside_if(global int *a, global int *o)
{
    local int t[64];
    int l = get_local_id(0);
    t[l] = a[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = 32; s > 0; s >>= 1) {
        if (l < s) {
            t[l] += t[l + s];
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    }
    if (l == 0) o[get_group_id(0)] = t[0];
}

// VIOLATES local-races
// OPTIONS --global=any --local=any --arg=int[global]=0 --arg=int[global]=0
kernel void reduce_any_local(global int *a, global int *o)
{
    local int t[1024];
    int l = get_local_id(0), n = get_local_size(0);
    t[l] = a[get_global_id(0)];
    for (int s = n / 2; s > 0; s >>= 1) {
        if (l < s) t[l] += t[l + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0) o[get_group_id(0)] = t[0];
}

// VIOLATES nothing
// OPTIONS --global=any --local=any --arg=int[global]=0 --arg=int[global]=0
kernel void reduce_any_ok(global int *a, global int *o)
{
    local int t[1024];
    int l = get_local_id(0), n = get_local_size(0);
    t[l] = a[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = n / 2; s > 0; s >>= 1) {
        if (l < s) t[l] += t[l + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0) o[get_group_id(0)] = t[0];
}

// VIOLATES group-races
// OPTIONS --global=256 --local=64 --arg=int[256]=0
kernel void wrong_fence(global int *a)
{
    int g = get_global_id(0), l = get_local_id(0), b = g - l;
    a[g] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    int v = a[b + 63 - l];
    barrier(CLK_GLOBAL_MEM_FENCE);
    a[g] = v;
}

// VIOLATES nothing
// OPTIONS --global=256 --local=64 --arg=int[256]=0
kernel void right_fence(global int *a)
{
    int g = get_global_id(0), l = get_local_id(0), b = g - l;
    a[g] = l;
    barrier(CLK_GLOBAL_MEM_FENCE);
    int v = a[b + 63 - l];
    barrier(CLK_GLOBAL_MEM_FENCE);
    a[g] = v;
}

// VIOLATES in-bounds
// OPTIONS --global=256 --local=64 --arg=int[200]=0 --arg=int=0..255
kernel void uchar_counter(global int *a, int n)
{
    if (get_global_id(0) == 0)
        for (uchar i = 0; i < n; i++) a[i] = 1;
}

// VIOLATES global-races
// OPTIONS --global=512 --local=64 --arg=int[512]=0
kernel void uchar_index_wrap(global int *a)
{
    uchar g = get_global_id(0);
    a[g] = 1;
}

// VIOLATES nothing
// OPTIONS --global=512 --local=64 --arg=int[512]=0
kernel void ushort_id_ok(global int *a)
{
    ushort g = get_global_id(0);
    a[g] = 1;
}

// VIOLATES group-races global-races
// OPTIONS --global=any --local=64 --arg=int[1]=0
kernel void mul_wrap(global int *a)
{
    uint g = get_global_id(0);
    if (g * 0x40000000u == 0x40000000u) a[0] = 1;
}

// VIOLATES in-bounds
// OPTIONS --global=256 --local=64 --arg=int[256]=0 --arg=int=-5..5
kernel void neg_mod(global int *a, int n)
{
    int g = get_global_id(0);
    atomic_inc(&a[(g + n) % 256]);
}

// VIOLATES nothing
// OPTIONS --global=256 --local=64 --arg=ro:int[256]=iota --arg=int[256]=0
kernel void bsearch_ok(global const int *x, global int *o)
{
    int g = get_global_id(0), lo = 0, hi = 255;
    while (lo < hi) {
        int m = (lo + hi) / 2;
        if (x[m] < g) lo = m + 1;
        else hi = m;
    }
    o[g] = x[lo];
}

// VIOLATES in-bounds
// OPTIONS --global=256 --local=64 --arg=ro:int[256]=iota --arg=int[256]=0
kernel void bsearch_oob(global const int *x, global int *o)
{
    int g = get_global_id(0), lo = 0, hi = 256;
    while (lo < hi) {
        int m = (lo + hi) / 2;
        if (x[m] < g * 2) lo = m + 1;
        else hi = m;
    }
    o[g] = x[lo];
}

// VIOLATES nothing
// OPTIONS --global=256 --local=64 --arg=int[256]=0
kernel void scan_pingpong_ok(global int *a)
{
    local int t[128];
    int l = get_local_id(0), in = 0, out = 64;
    t[l] = a[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = 1; s < 64; s <<= 1) {
        t[out + l] = l >= s ? t[in + l] + t[in + l - s] : t[in + l];
        barrier(CLK_LOCAL_MEM_FENCE);
        int x = in;
        in = out;
        out = x;
    }
    a[get_global_id(0)] = t[in + l];
}

// VIOLATES local-races
// OPTIONS --global=256 --local=64 --arg=int[256]=0
kernel void scan_inplace(global int *a)
{
    local int t[64];
    int l = get_local_id(0);
    t[l] = a[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = 1; s < 64; s <<= 1) {
        int v = l >= s ? t[l - s] : 0;
        t[l] += v;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    a[get_global_id(0)] = t[l];
}

// VIOLATES local-races
// OPTIONS --global=256 --local=64 --arg=int[256]=0 --arg=int=2..9
kernel void pingpong_toggle_bug(global int *a, int n)
{
    local int t[128];
    int l = get_local_id(0);
    for (int i = 0; i < n; i++) {
        t[(i & 1) * 64 + l] = i;
        barrier(CLK_LOCAL_MEM_FENCE);
        a[get_global_id(0)] = t[((i + 1) & 1) * 64 + 63 - l];
    }
}

// VIOLATES nothing
// OPTIONS --global=256 --local=64 --arg=int[256]=0 --arg=int=2..9
kernel void pingpong_toggle_ok(global int *a, int n)
{
    local int t[128];
    int l = get_local_id(0);
    for (int i = 0; i < n; i++) {
        t[(i & 1) * 64 + l] = i;
        barrier(CLK_LOCAL_MEM_FENCE);
        a[get_global_id(0)] = t[(i & 1) * 64 + 63 - l];
    }
}

// VIOLATES nothing
// OPTIONS --global=any --local=any --arg=int[n]=0 --arg=int=1..100000000
kernel void stride_loop_ok(global int *a, int n)
{
    for (int i = get_global_id(0); i < n; i += get_global_size(0)) a[i] = i;
}

// VIOLATES global-races
// OPTIONS --global=any --local=64 --arg=int[n]=0 --arg=int=1..100000
kernel void stride_loop_bug(global int *a, int n)
{
    for (int i = get_global_id(0); i < n; i += get_local_size(0)) a[i] = i;
}

// VIOLATES barrier-divergence
// OPTIONS --global=256 --local=64 --arg=int[256]=iota
kernel void break_barrier(global int *a)
{
    int g = get_global_id(0);
    int v = a[g];
    for (int i = 0; i < 8; i++) {
        if (v == i) break;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    a[g] = v;
}

// VIOLATES nothing
// OPTIONS --global=64 --local=64 --arg=char[1024]=0
typedef struct {
    int a;
    char b;
    int c[2];
} S;
kernel void struct_ok(global S *s)
{
    int g = get_global_id(0);
    s[g].a = g;
    s[g].c[g & 1] = s[g].b;
}

// VIOLATES other-checks
// OPTIONS --global=64 --local=64 --arg=char[2048]=0
typedef struct {
    int a;
    char b;
    int c[2];
} S;
kernel void struct_oob_field(global S *s)
{
    int g = get_global_id(0);
    s[g].c[g & 3] = 1;
}
