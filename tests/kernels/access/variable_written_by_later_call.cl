// SPDX-License-Identifier: MIT
// A pointer that a struct took along.
// RUN: --global=4 --local=2 --arg=int[4]=7
// DUMP 0: [7] * 4
struct list { int *first; };
void fill(struct list *l)
{
    int room[3] = {1, 2, 3};
    l->first = room;
}
void put(struct list *l, int v)
{
    l->first[1] = v; // EXPECT use-after-release
}
kernel void k(global int *out)
{
    struct list l;
    fill(&l);
    put(&l, 5);
}
