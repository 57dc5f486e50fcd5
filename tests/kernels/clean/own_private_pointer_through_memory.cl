// SPDX-License-Identifier: MIT
// Pointers to a work-item's own variables are stored in local, global and private memory, as pointers, numbers, halves
// and members, and used by the same work-item.
// RUN: --global=64 --local=16 --arg=int[64]=0 --arg=ulong[64]=0
// RUN: --global=7 --local=7 --arg=int[7]=0 --arg=ulong[7]=0 --build-options=-cl-std=CL2.0
// RUN: --global=64 --local=1 --arg=int[64]=0 --arg=ulong[64]=0
// DUMP 0: [8 * (i + 3) + 7 for i in range(N)]
struct node {
    int v;
    private int *at;
};
union both {
    private int *p;
    uint2 halves;
};
int get(const struct node *n) { return n->at[1] + n->v; }
void put(private int **to, private int *what) { *to = what; }
int of_union(private union both *u) { return *u->p; }
kernel void k(global int *o, global ulong *numbers)
{
    private int *local slots[16];
    local struct node nodes[16];
    local uint2 halves[16];
    const int l = get_local_id(0), i = get_global_id(0);
    int a[3] = {i, i + 3, 0}, r = 0;
    private int *p;
    put(&p, a + 1);
    slots[l] = a + 1;
    numbers[i] = (ulong)(a + 1);
    struct node n = {0, a};
    nodes[l] = n;
    union both u;
    u.p = a + 1;
    halves[l] = u.halves;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    r += *p;
    r += *slots[l];
    r += *(private int *)numbers[i];
    r += *(private int *)(numbers[i] + 4) + i + 3; // a[2]
    struct node own = nodes[l];
    r += get(&own);
    union both w;
    w.halves = halves[l];
    r += of_union(&w);
    r += slots[l] == a + 1 && slots[l] != a && slots[l] > a;
    r += slots[l] - a == 1;
    r += ((ulong)slots[l] & 3) == 0;
    r += numbers[i] == (ulong)(a + 1);
    r += (private int *)numbers[i] == slots[l];
    r += (int)((ulong)slots[l] - (ulong)a) / 4;
    r += *(private int *)((ulong)a | 4) == i + 3 || (ulong)a & 4;
    private int *both[2] = {a, a + 1};
    r += *both[1];
    r += *both[l & 1] - a[l & 1] + i + 3;
    o[i] = r;
}
