// SPDX-License-Identifier: MIT
// RUN: --global=37 --local=37 --arg=int[11]=100,100,-1,0x40,0x55,1000,-1000,1000,0,9,0 --arg=int[407]=0
// DUMP 0: [list(itertools.accumulate([f(i) for i in range(37)], g, initial=z))[-1] for f, g, z in ((lambda i: i, lambda o, v: o + v, 100), (lambda i: i, lambda o, v: o - v, 100), (lambda i: ~(1 << (i * 5 % 32)), lambda o, v: i32(o & v), -1), (lambda i: i * i, lambda o, v: o | v, 0x40), (lambda i: i * 37, lambda o, v: o ^ v, 0x55), (lambda i: i * 7 % 37 * 3 - 20, min, 1000), (lambda i: i * 7 % 37 * 3 - 20, max, -1000), (lambda i: 50 + i * 7 % 37, min, 1000), (lambda i: 50 + i * 7 % 37, max, 0), (lambda i: i, lambda o, v: v, 9), (lambda i: i, lambda o, v: v + 1 if o == v else o, 0))]
// DUMP 1: [x for f, g, z in ((lambda i: i, lambda o, v: o + v, 100), (lambda i: i, lambda o, v: o - v, 100), (lambda i: ~(1 << (i * 5 % 32)), lambda o, v: i32(o & v), -1), (lambda i: i * i, lambda o, v: o | v, 0x40), (lambda i: i * 37, lambda o, v: o ^ v, 0x55), (lambda i: i * 7 % 37 * 3 - 20, min, 1000), (lambda i: i * 7 % 37 * 3 - 20, max, -1000), (lambda i: 50 + i * 7 % 37, min, 1000), (lambda i: 50 + i * 7 % 37, max, 0), (lambda i: i, lambda o, v: v, 9), (lambda i: i, lambda o, v: v + 1 if o == v else o, 0)) for x in list(itertools.accumulate([f(i) for i in range(37)], g, initial=z))[:-1]]
// All work-items at one place: what each saw is what those before it left.
kernel void one_place(global int *p, global int *old)
{
    int i = get_global_id(0), v = i * 7 % 37 * 3 - 20;
    old[i] = atomic_add(&p[0], i);
    old[i + 37] = atomic_sub(&p[1], i);
    old[i + 74] = atomic_and(&p[2], ~(1 << (i * 5 % 32)));
    old[i + 111] = atomic_or(&p[3], i * i);
    old[i + 148] = atomic_xor(&p[4], i * 37);
    old[i + 185] = atomic_min(&p[5], v);
    old[i + 222] = atomic_max(&p[6], v);
    old[i + 259] = atomic_min((global uint *)&p[7], 50 + i * 7 % 37);
    old[i + 296] = atomic_max((global uint *)&p[8], 50 + i * 7 % 37);
    old[i + 333] = atomic_xchg(&p[9], i);
    old[i + 370] = atomic_cmpxchg(&p[10], i, i + 1);
}
