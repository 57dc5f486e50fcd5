// SPDX-License-Identifier: MIT
typedef struct { int a, b, c; float4 v; } wide;
typedef struct { char x; } small;
int whole(int a) { int r = a * 7; return r; }
float4 vec(float x) { float4 r = (float4)(x, x + 1, x + 2, x + 3); return r; }
float3 three(float x) { float3 r = (float3)(x, x * 2, x * 3); return r; }
double real(int n) { double d = n / 4.0; return d; }
bool odd(int n) { bool b = n & 1; return b; }
global int *place(global int *p, int i) { global int *q = p + i; return q; }
wide structure(int a) { wide w = {a, a + 1, a + 2, (float4)(a)}; return w; }
small tiny(char c) { small s = {c}; return s; }
short2 pair(short s) { short2 p = (short2)(s, -s); return p; }
void nothing(global int *p) { p[0] = 1; p[1] = 2; }
int deep(int n) { int r = n ? 1 : 0; return whole(r + n); }
kernel void k(global int *o)
{
    int i = get_global_id(0) + 3;
    int a = whole(i);
    float4 b = vec(i);
    float3 c = three(i);
    double d = real(i);
    bool e = odd(i);
    global int *f = place(o, i);
    wide g = structure(i);
    small h = tiny('x');
    short2 p = pair(5);
    nothing(o);
    int q = deep(i);
    *f = a + (int)b.x + (int)c.y + (int)d + e + g.b + h.x + p.x + q;
}
