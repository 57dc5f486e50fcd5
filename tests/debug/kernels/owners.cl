// SPDX-License-Identifier: MIT
// Pointers in memory that belong to work-items.
struct node {
    int v;
    private int *at;
};
void put(private int **to, private int *what) { *to = what; }
kernel void owners(global int *o)
{
    local struct node nodes[4];
    local ulong numbers[4];
    int l = get_local_id(0), x = 10 * l;
    private int *p;
    put(&p, &x);
    nodes[l].v = l;
    nodes[l].at = &x;
    numbers[l] = (ulong)&x;
    barrier(CLK_LOCAL_MEM_FENCE);
    o[l] = *p + nodes[l].v;
}
