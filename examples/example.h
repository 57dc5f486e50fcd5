// SPDX-License-Identifier: MIT
#ifndef EXAMPLES_EXAMPLE_H
#define EXAMPLES_EXAMPLE_H
#include <CL/cl.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

/**
 * Common code of the examples: a device, a program, the end of main. Plain OpenCL 1.2, without
 * anything specific to cldbg. If an OpenCL call fails, the program ends with a message and exit
 * status 1.
 */
struct example {
    const char *name;
    char folder[4096]; // where the program stands: its .cl files stand beside it
    int bug;           // 0, or which planted bug was asked for: --bug is 1, --bug=2 is 2
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    cl_program program; // the last one made
};

/** Reads `--bug[=N]`, N at most `nbugs`; takes the first device of the first platform. */
void example_begin(struct example *e, int argc, char **argv, int nbugs);

/** Builds the file `file` in the example's folder, with BUG defined when a bug was asked for. */
cl_kernel example_kernel_from_file(struct example *e, const char *file, const char *kernel);
/** The same from a string. */
cl_kernel example_kernel(struct example *e, const char *source, const char *kernel);

/** A buffer of `size` bytes that starts as `data`, or unwritten when that is NULL. */
cl_mem example_buffer(struct example *e, cl_mem_flags flags, size_t size, const void *data);
void example_read(struct example *e, cl_mem m, size_t size, void *data);

/** Sets argument after argument: example_args(k, 2, sizeof a, &a, sizeof b, &b). */
void example_args(cl_kernel k, unsigned n, ...);
/** Launches and waits. */
void example_launch(struct example *e, cl_kernel k, unsigned dims, const size_t *global,
                    const size_t *local);

/**
 * Releases `e`, prints whether the result is right, and returns the exit status: 1 if it is wrong.
 * With --bug a wrong result is not a failure, since many apps do not look at their results
 * either.
 */
int example_end(struct example *e, bool right, const char *what);

void example_check(cl_int status, const char *call);
#endif
