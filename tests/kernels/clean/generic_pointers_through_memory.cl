// SPDX-License-Identifier: MIT
// A list through private, local and global memory by generic pointers; each work-item follows its own.
// RUN: --global=32 --local=8 --arg=int[32]=0 --arg=int[32]=iota --build-options=-cl-std=CL2.0
// RUN: --global=32 --local=8 --arg=int[32]=0 --arg=int[32]=iota --build-options=-cl-std=CL3.0
// DUMP 0: [i + (i % L + 100) + 1000 + i + 3 for i in range(N)]
struct node {
    int *value;
    struct node *next;
};
int sum(struct node *n)
{
    int s = 0;
    for (; n; n = n->next) s += *n->value;
    return s;
}
int kinds(struct node *n)
{
    int s = 0;
    for (; n; n = n->next)
        s += to_global(n->value) != 0 || to_local(n->value) != 0 || to_private(n->value) != 0;
    return s;
}
kernel void k(global int *o, global int *values)
{
    local int shared[8];
    local struct node nodes[8];
    const int i = get_global_id(0), l = get_local_id(0);
    shared[l] = l + 100;
    int own = 1000 + i;
    struct node last = {&own, 0};
    nodes[l].value = &shared[l];
    nodes[l].next = &last;
    struct node first = {values + i, (struct node *)&nodes[l]};
    o[i] = sum(&first) + kinds(&first);
}
