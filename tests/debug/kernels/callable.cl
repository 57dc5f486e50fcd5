// SPDX-License-Identifier: MIT
typedef struct {
    int a;
    float b;
    int c[40];
} S;

int square(int x) { return x * x; }
float4 scaled(float4 v, float f) { return v * f; }
int3 next3(int3 v, bool up) { return up ? v + 1 : v - 1; }
char negated(char c) { return -c; }
int sum(global const int *p, int n)
{
    int s = 0;
    for (int i = 0; i < n; i++) s += p[i];
    return s;
}
int inner(const int *p, int n)
{
    int s = 0;
    for (int i = 0; i < n; i++) s += square(p[i]);
    return s;
}
int of(S s) { return s.a + s.c[2]; }
S make(int a)
{
    S s = {.a = a, .b = 2};
    s.c[2] = a + 2;
    return s;
}
int neighbor(local int *t, int i) { return t[i + 1]; }
int quotient(int x, int y) { return x / y; }
int half_set(int x)
{
    int y;
    if (x > 1) y = 3;
    return y;
}
int endless(int x)
{
    while (x) x |= 1;
    return x;
}
uint where(void) { return get_global_id(0) * 100 + get_local_id(0); }
// rejected:
void bump(global int *p) { *p += 1; }
int fill(local int *t) { return t[0] = 7; }
int count(global int *p) { return atomic_inc(p); }
int said(int i)
{
    printf("%d\n", i);
    return i;
}
void swap(int *a, int *b)
{
    int t = *a;
    *a = *b;
    *b = t;
}
void through(int *p) { *p = 1; }
int met(int x)
{
    barrier(CLK_LOCAL_MEM_FENCE);
    return x;
}
int by_others(int x) { return x; }

kernel void k(global int *a, global int *o, local int *t)
{
    int i = get_local_id(0);
    S s;
    s.a = i;
    int q[3] = {1, 2, 3};
    t[i] = 10 * i;
    barrier(CLK_LOCAL_MEM_FENCE);
    int r = square(a[get_global_id(0)]);
    o[i] = r + (int)scaled((float4)(1, 2, 3, 4), i).x + inner(q, 3);
    if (i < 0) {
        bump(o), fill(t), swap(&i, &r), through(&i), met(1);
        o[0] = next3((int3)(i), true).x + negated(i) + sum(a, i) + of(make(i)) + neighbor(t, i) + quotient(i, i);
        o[0] += half_set(i) + endless(i) + count(o) + said(i) + where() + of(s);
    }
}
kernel void other(global int *o) { o[0] = by_others(1); }
