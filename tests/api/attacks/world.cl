// SPDX-License-Identifier: MIT
// options: -cl-std=CL3.0
// pipes
//= out-of-bounds null-dereference address-space
kernel void pipe_index_write(write_only pipe int p, global ulong *out)
{
    int x = 7;
    reserve_id_t r = reserve_write_pipe(p, 1);
    if (is_valid_reserve_id(r)) {
        write_pipe(p, r, 0x40000000u, &x);
        write_pipe(p, r, ~0u, &x);
        commit_write_pipe(p, r);
    }
}
//= anything
kernel void pipe_count(write_only pipe int p, global ulong *out)
{
    int x = 7;
    for (uint n = 1; n; n <<= 1) {
        reserve_id_t r = reserve_write_pipe(p, n - 1);
        if (is_valid_reserve_id(r)) write_pipe(p, r, n, &x);
        r = reserve_write_pipe(p, ~0u - n);
        if (is_valid_reserve_id(r)) write_pipe(p, r, n, &x);
    }
}
//= out-of-bounds null-dereference address-space
kernel void pipe_committed(write_only pipe int p, global ulong *out)
{
    int x = 7;
    reserve_id_t r = reserve_write_pipe(p, 1);
    if (is_valid_reserve_id(r)) {
        commit_write_pipe(p, r);
        commit_write_pipe(p, r);
        write_pipe(p, r, 0, &x);
    }
}
//= out-of-bounds null-dereference address-space
kernel void pipe_forged(read_only pipe int p, global ulong *out, ulong host)
{
    union { reserve_id_t r; ulong n; } u;
    u.n = host;
    int x;
    read_pipe(p, u.r, 0, &x);
    u.n = 1UL << 62 | 0x3fffffffUL << 32 | 0xffffffffu;
    read_pipe(p, u.r, 5, &x);
    commit_read_pipe(p, u.r);
}
//= out-of-bounds null-dereference address-space
kernel void pipe_to_host(read_only pipe int p, global ulong *out, ulong host)
{
    read_pipe(p, (int *)host);
    reserve_id_t r = reserve_read_pipe(p, 1);
    read_pipe(p, r, 0, (int *)host);
    *(int *)host = 3;
}
// what only may be read
//= read-only-write
kernel void fixed_store(const global int *fixed, global ulong *out) { ((global int *)fixed)[get_local_id(0)] = 1; }
//= read-only-write
kernel void fixed_atomic(const global int *fixed, global ulong *out) { atomic_inc((global int *)fixed); atomic_cmpxchg((global int *)fixed, 0, 0); atomic_or((global int *)fixed, 0); }
//= read-only-write
kernel void fixed_block(const global int *fixed, global ulong *out) { int a[4] = {1, 2, 3, 4}; __builtin_memcpy((void *)fixed, (void *)a, 16); __builtin_memset((void *)fixed, 0, 16); }
//= read-only-write
kernel void fixed_async(const global int *fixed, global ulong *out)
{
    local int t[16];
    t[get_local_id(0)] = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    event_t e = async_work_group_copy((global int *)fixed, t, 16, 0);
    e = async_work_group_strided_copy((global int *)fixed, t, 4, 2, e);
    wait_group_events(1, &e);
}
//= read-only-write
kernel void fixed_vector(const global int *fixed, global ulong *out) { vstore4((int4)1, 0, (global int *)fixed); vstore_half4((float4)1, 0, (global half *)fixed); ((global int4 *)fixed)->z = 1; }
//= read-only-write
kernel void fixed_through_number(const global int *fixed, global ulong *out) { ulong a = (ulong)fixed; *(global int *)a = 1; *(int *)a = 1; }
//= read-only-write
kernel void fixed_through_out(const global int *fixed, global ulong *out) { if (get_global_id(0) == 0) { out[0] = (ulong)fixed; *(global int *)out[0] = 1; } }
//= read-only-write address-space
kernel void constant_argument(constant int *c, global ulong *out) { *(int *)(ulong)c = 1; *(global int *)(ulong)c = 1; }
constant int table[4] = {1, 2, 3, 4};
//= read-only-write address-space
kernel void constant_table(global ulong *out, ulong host) { *(int *)(ulong)table = 5; *(global int *)(ulong)table = 6; atomic_inc((global int *)(ulong)table); }
//= read-only-write address-space
kernel void constant_text(global ulong *out, ulong host) { constant char *s = "text"; *(global char *)(ulong)s = 'T'; }
// shared virtual memory
//= out-of-bounds address-space
kernel void svm_behind(global char *svm, global ulong *out) { svm[64 + get_global_id(0)] = 1; svm[-1] = 1; }
//= out-of-bounds address-space
kernel void svm_by_number(global char *svm, global ulong *out) { *(global char *)((ulong)svm + 64 + get_global_id(0)) = 1; *(global ulong *)((ulong)svm + 60) = 1; }
//= out-of-bounds address-space
kernel void svm_to_host(global char *svm, global ulong *out, ulong host) { svm[host - (ulong)svm] = 1; }
//= out-of-bounds address-space
kernel void svm_block(global char *svm, global ulong *out) { local char t[16]; async_work_group_copy(svm + 60, t, 16, 0); char a[200]; __builtin_memcpy((void *)a, (void *)svm, 200); out[0] = a[199]; }
// variables of the program
global ulong kept_number;
global int *global kept_pointer;
global int cells[4];
//= out-of-bounds address-space null-dereference
kernel void program_pointer(global ulong *out, ulong host) { kept_pointer = (global int *)host; barrier(CLK_GLOBAL_MEM_FENCE); *kept_pointer = 3; }
//= out-of-bounds address-space null-dereference
kernel void program_bytes(global ulong *out, ulong host) { *(global ulong *)&kept_pointer = host; *kept_pointer = 3; }
//= out-of-bounds
kernel void program_index(global ulong *out, ulong host) { cells[4 + get_global_id(0)] = 1; cells[-1] = 3; cells[host] = 1; }
//= out-of-bounds address-space null-dereference
kernel void program_later(global ulong *out, ulong host) { out[0] = *kept_pointer; *kept_pointer = 8; }
// of another work-item
//= address-space
kernel void private_of_another(global ulong *out, ulong host)
{
    local ulong p;
    int x = 3;
    if (get_local_id(0) == 0) p = (ulong)&x;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 1) *(private int *)p = 99;
    if (get_local_id(0) == 2) *(int *)(p + 4096) = 99;
}
int *leave(int n) { int a[40]; a[n & 31] = n; return a; }
int other(int n) { int b[40]; b[n & 31] = 5; return b[n & 31]; }
//= anything
kernel void frame_that_ended(global ulong *out, ulong host) { int *p = leave(3); int k = other(4); p[3] = 77; p[1000] = 1; out[0] = p[3] + k; }
//= out-of-bounds address-space
kernel void local_neighbor(global ulong *out, local char *tiny, local char *other, ulong host)
{
    local int t[16];
    t[get_local_id(0)] = 1;
    tiny[9 + get_local_id(0)] = 1;
    *(local int *)((ulong)t + 64) = 2;
    vstore16((char16)1, 0, other);
}
// generic pointers
//= out-of-bounds address-space null-dereference
kernel void generic_casts(global ulong *out, ulong host)
{
    void *g = (void *)host;
    local int *l = to_local((int *)g);
    private int *p = to_private((int *)g);
    global int *q = to_global((int *)g);
    *l = 1;
    *p = 1;
    *q = 1;
    *(int *)g = 1;
}
//= out-of-bounds address-space null-dereference
kernel void wrong_space(global ulong *out, ulong host)
{
    int x = 1;
    local int t;
    *(local int *)(ulong)&x = 1;
    *(global int *)(ulong)&t = 1;
    *(private int *)(ulong)out = 1;
    *(constant volatile int *)(ulong)&t;
    out[0] = *(constant int *)(ulong)out + *(local int *)(ulong)out;
}
// of a buffer a part
//= out-of-bounds
kernel void part_index(global int *part, global ulong *out) { part[16 + get_local_id(0)] = 1; part[-1 - (int)get_local_id(0)] = 1; ((global char *)part)[64] = 1; }
//= out-of-bounds
kernel void part_vector(global int *part, global ulong *out) { vstore16((int16)7, 1, part); vstore16((int16)7, 0, part + 1); vstore4((int4)7, -1L, part); *(global int8 *)(part + 12) = (int8)3; }
//= out-of-bounds
kernel void part_block(global int *part, global ulong *out) { int a[32] = {5, 6, 7}; __builtin_memcpy((void *)part, (void *)a, 128); __builtin_memset((void *)(part - 4), 1, 32); }
//= out-of-bounds
kernel void part_atomic(global int *part, global ulong *out) { atomic_inc(part + 16); atomic_xchg(part - 1, 7); atomic_add((global int *)((global char *)part + 62), 1); }
//= out-of-bounds
kernel void part_async(global int *part, global ulong *out)
{
    local int t[64];
    for (int i = get_local_id(0); i < 64; i += 16) t[i] = 9;
    barrier(CLK_LOCAL_MEM_FENCE);
    event_t e = async_work_group_copy(part, t, 32, 0);
    e = async_work_group_strided_copy(part, t, 16, 2, e);
    wait_group_events(1, &e);
}
