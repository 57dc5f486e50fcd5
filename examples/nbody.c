// SPDX-License-Identifier: MIT
// Bodies that attract one another, three steps. With --bug the kernel takes the last tile for a
// full one.
#include "examples/example.h"

#include <string.h>

enum { N = 200, GROUP = 64, STEPS = 3 };
static const cl_float dt = 0.01f;
static cl_float4 position[N], velocity[N], got[N];

/** The same step on the host, in double. */
static void host_step(void)
{
    static cl_float4 moved[N];
    for (int i = 0; i < N; i++) {
        double pull[3] = {0};
        for (int j = 0; j < N; j++) {
            double d[3], r2 = 0.01;
            for (int c = 0; c < 3; c++) {
                d[c] = (double)position[j].s[c] - position[i].s[c];
                r2 += d[c] * d[c];
            }
            for (int c = 0; c < 3; c++) pull[c] += d[c] * position[j].s[3] / (r2 * sqrt(r2));
        }
        for (int c = 0; c < 3; c++) {
            velocity[i].s[c] += pull[c] * dt;
            moved[i].s[c] = position[i].s[c] + velocity[i].s[c] * dt;
        }
        moved[i].s[3] = position[i].s[3];
    }
    memcpy(position, moved, sizeof moved);
}

int main(int argc, char **argv)
{
    struct example e;
    example_begin(&e, argc, argv, 1);
    for (int i = 0; i < N; i++)
        position[i] = (cl_float4){{sinf(i), cosf(2 * i), sinf(3 * i + 1), 0.5f + (i % 3)}};
    cl_mem from = example_buffer(&e, CL_MEM_READ_WRITE, sizeof position, position);
    cl_mem to = example_buffer(&e, CL_MEM_READ_WRITE, sizeof position, NULL);
    cl_mem speed = example_buffer(&e, CL_MEM_READ_WRITE, sizeof velocity, velocity);
    cl_uint n = N;
    cl_kernel k = example_kernel_from_file(&e, "nbody.cl", "move");
    size_t global = (N + GROUP - 1) / GROUP * GROUP, local = GROUP;
    for (int s = 0; s < STEPS; s++) {
        example_args(k, 5, sizeof from, &from, sizeof speed, &speed, sizeof to, &to, sizeof n, &n,
                     sizeof dt, &dt);
        example_launch(&e, k, 1, &global, &local);
        cl_mem t = from;
        from = to;
        to = t;
        host_step();
    }
    example_read(&e, from, sizeof got, got);

    bool right = true;
    for (int i = 0; i < N; i++)
        for (int c = 0; c < 4; c++) right &= fabs(got[i].s[c] - position[i].s[c]) < 1e-3;
    clReleaseMemObject(from);
    clReleaseMemObject(to);
    clReleaseMemObject(speed);
    clReleaseKernel(k);
    return example_end(&e, right, "3 steps of 200 bodies");
}
