// SPDX-License-Identifier: MIT
struct part { int id; float2 pos; char tag[4]; int more[60]; }; // 4 bytes of padding after id
int weigh(int a, global struct part *p) { return a + p->id; }
void fill(global struct part *p, int i)
{
    struct part q;
    q.id = i;
    q.pos.x = i + 0.5f;
    q.tag[0] = 'a';
    q.more[40] = 7 * i;
    p[i] = q;
}
kernel void k(global struct part *p, global int *o)
{
    int i = get_global_id(0);
    fill(p, i);
    o[i] = weigh(1, p + i);
}
