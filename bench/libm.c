// SPDX-License-Identifier: MIT
// What scalar calls of the C library's math functions cost, for bench/native.py: a line for each,
// with seconds an element and seconds a cycle of the processor. The same chains as the kernels
// gpu_exp, gpu_sin and gpu_sqrt compute.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { N = 1 << 16, TIMES = 16 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

// Additions that wait for one another take a cycle each.
static double cycle(void)
{
    uint64_t x = 1;
    const double begin = now();
    for (long k = 0; k < 50000000; k++) {
        x += 3;
        __asm__ volatile("" : "+r"(x));
    }
    return (now() - begin) / 50000000;
}

static float the_exp(float x) { return expf(-x); }
static float the_sin(float x) { return sinf(x) + 0.5f; }
static float the_sqrt(float x) { return sqrtf(x) + 0.5f; }

int main(void)
{
    static const struct {
        const char *name;
        float (*f)(float);
    } all[] = {{"exp", the_exp}, {"sin", the_sin}, {"sqrt", the_sqrt}};
    static float v[N];
    const double c = cycle();
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {
        for (unsigned k = 0; k < N; k++) v[k] = (float)(k % 1000) / 1000;
        float (*volatile f)(float) = all[i].f;
        const double begin = now();
        for (unsigned k = 0; k < N; k++)
            for (unsigned t = 0; t < TIMES; t++) v[k] = f(v[k]);
        printf("%s %.4g %.4g\n", all[i].name, (now() - begin) / N / TIMES, c);
    }
    return 0;
}
