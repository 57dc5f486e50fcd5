// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --arg=int[16]=iota --build-options="-DSCALE=3 -D OFFSET=(1+1)"
// DUMP 0: [i * i * 3 + 2 for i in range(16)]
#define SQ(x) ((x) * (x))
#define AT(p, i) (p)[(i)]
static inline int scale(int x) { return x * SCALE; }
inline int plain(int x) { return x; } // no `static`: C99 gives it no body of its own, OpenCL's compilers do
extern inline int given(int x) { return x; } // (and of gnu89 this one has none)
extern inline int __attribute__((overloadable)) either(int x) { return given(x); }
extern inline float __attribute__((overloadable)) either(float x) { return x + 1; }
__attribute__((always_inline)) int always(int x) { return either(plain(x)); }
kernel void macros(global int *a)
{
    int i = get_global_id(0);
    AT(a, i) = always(scale(SQ(AT(a, i)))) + OFFSET;
}
