// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=0
// DUMP 0: [sum(k * (i + 1) for k in range(4)) for i in range(8)]
struct node {
    int value;
    struct node *next;
};
kernel void list(global int *out)
{
    int i = get_global_id(0), sum = 0;
    struct node n[4];
    for (int k = 0; k < 4; k++) {
        n[k].value = k * (i + 1);
        n[k].next = k < 3 ? &n[k + 1] : 0;
    }
    for (struct node *p = n; p; p = p->next)
        sum += p->value;
    out[i] = sum;
}
