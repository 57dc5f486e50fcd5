// SPDX-License-Identifier: MIT
// Kernels for bench/debugger.py: their innermost line, which a condition is put on, ends with `// here`.
kernel void arithmetic(global int *o, int n)
{
    int i = get_global_id(0), s = i;
    for (int k = 0; k < n; k++)
        s += k ^ (s >> 3); // here
    o[i] = s;
}

kernel void floats(global int *o, int n)
{
    float4 v = (float4)(get_global_id(0), 1, 2, 3);
    for (int k = 0; k < n; k++)
        v = v * 0.5f + (float4)(k); // here
    o[get_global_id(0)] = (int)(v.x + v.y + v.z + v.w);
}

kernel void memory(global int *o, int n)
{
    int i = get_global_id(0), s = 0, size = get_global_size(0);
    o[i] = i;
    for (int k = 0; k < n; k++)
        s += k * (int)sizeof(o[0]) + size; // here
    o[i] += s;
}

kernel void tile(global int *o, int n)
{
    local int t[256];
    int l = get_local_id(0), s = get_local_size(0);
    t[l] = l;
    for (int k = 0; k < n / 8; k++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        int x = t[(l + k) % s];
        barrier(CLK_LOCAL_MEM_FENCE);
        t[l] = x + 1; // here
    }
    o[get_global_id(0)] = t[l];
}

int collatz(int x) { return x & 1 ? 3 * x + 1 : x / 2; }
kernel void divergent(global int *o, int n)
{
    int i = get_global_id(0), steps = 0;
    for (int r = 0; r < n / 32; r++)
        for (int x = i + 1; x != 1; x = collatz(x))
            steps++; // here
    o[i] = steps;
}

kernel void histogram(global int *o, int n)
{
    int i = get_global_id(0);
    uint x = i;
    for (int k = 0; k < n; k++) {
        x = x * 1664525u + 1013904223u; // here
        if (k % 8 == 0) atomic_inc(&o[x >> 24]);
    }
}

kernel void local_atomics(global int *o, int n)
{
    local int bins[64];
    int l = get_local_id(0);
    uint x = get_global_id(0);
    if (l < 64) bins[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < n; k++) {
        x = x * 1664525u + 1013904223u; // here
        if (k % 8 == 0) atomic_add(&bins[x >> 26], 1);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 64) atomic_add(&o[l], bins[l]);
}

kernel void append(global int *o, int n)
{
    int s = get_global_id(0);
    for (int k = 0; k < n; k++)
        s += k ^ (s >> 3); // here
    if (s & 1) o[1 + atomic_inc(&o[0]) % 4096] = s | 1;
}

kernel void prints(global int *o, int n)
{
    int i = get_global_id(0), s = i;
    for (int k = 0; k < n; k++)
        s += k ^ (s >> 3); // here
    if (i % 1024 == 0) printf("%d\n", s);
    o[i] = s;
}

kernel void copies(global int *o, int n)
{
    local int t[256];
    int l = get_local_id(0), s = 0;
    event_t e = async_work_group_copy(t, o + get_group_id(0) * 256, 256, 0);
    wait_group_events(1, &e);
    for (int k = 0; k < n; k++)
        s += t[l] + k; // here
    o[get_global_id(0)] = s;
}

kernel void collective(global int *o, int n)
{
    int s = get_local_id(0);
    for (int k = 0; k < n; k++)
        s += k ^ (s >> 3); // here
    o[get_global_id(0)] = work_group_reduce_add(s & 15);
}

kernel void private_array(global int *o, int n)
{
    int a[16], s = 0;
    for (int k = 0; k < 16; k++) a[k] = k * get_global_id(0);
    for (int k = 0; k < n; k++)
        s += a[k & 15]++; // here
    o[get_global_id(0)] = s;
}

kernel void tickets(global int *o, int n)
{
    int s = get_global_id(0), at = 0;
    for (int k = 0; k < n; k++) {
        s = s * 1664525 + 1013904223; // here
        if ((s >> 16 & 63) == 0) at = at * 31 + atomic_inc(&o[0]);
    }
    o[1 + get_global_id(0) % 4096] = at & 1;
}

kernel void ranks(global int *o, int n)
{
    local int next;
    int s = 0;
    if (!get_local_id(0)) next = 0;
    for (int k = 0; k < n / 16; k++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        s = s * 7 + atomic_add(&next, k & 3); // here
    }
    o[get_global_id(0)] = s;
}

// Shapes of launches.
kernel void trivial(global int *o, int n) { o[get_global_id(0)] = get_global_id(0) * n; }
kernel void small_groups(global int *o, int n) { o[get_global_id(0)] = get_local_id(0) + n; }
kernel void loops(global int *o, int n)
{
    int s = get_global_id(0);
    for (int k = 0; k < n; k++) s += k ^ (s >> 3);
    o[get_global_id(0)] = s;
}
kernel void used_atomics(global int *o, int n) { o[1 + atomic_add(&o[0], n)] = get_global_id(0); }
