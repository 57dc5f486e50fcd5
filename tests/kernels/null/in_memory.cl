// SPDX-License-Identifier: MIT
// RUN: --kernel=in_memory --global=2 --local=2 --arg=ulong[16]=0 --arg=int[2]=0
// A pointer that is not in a variable is called as the source has it, where that can only be one.
struct node {
    global struct node *next;
    global int *items;
    int value, some[4];
};
kernel void in_memory(global struct node *n, global int *out)
{
    int i = get_global_id(0);
    out[i] = n->next->value; // EXPECT null-dereference 'n->next'
    out[i] = n->items[i];    // EXPECT null-dereference 'n->items'
    out[i] = *n->items;      // EXPECT null-dereference 'n->items'
    n[0].items[i] += 2;      // EXPECT null-dereference 'n[0].items'
    global int *pp[2] = {0, 0};
    *pp[i & 1] += 2; // EXPECT null-dereference 'pp[i & 1]'
    pp[i][3] = 1;    // EXPECT null-dereference 'pp[i]'
    global struct node *to = n[0].next;
    struct node copy = *to; // EXPECT null-dereference 'to'
    out[i] = copy.some[3];
}
