// SPDX-License-Identifier: MIT
// A program with MPI and OpenCL, for mpi.sh: mpi_app WHAT. Each rank launches a kernel.
#include <CL/cl.h>
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char source[] =
    "kernel void clean(global int *out) { out[get_global_id(0)] = 1; }\n"
    "kernel void race(global int *out) { out[get_global_id(0) & ~1] = get_global_id(0); }\n"
    "kernel void outside(global int *out) { out[get_global_id(0) + 4] = 1; }\n";

static void launch(const char *name)
{
    cl_platform_id platform;
    cl_device_id device;
    clGetPlatformIDs(1, &platform, NULL);
    clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, NULL);
    const char *text = source;
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, NULL);
    clBuildProgram(program, 1, &device, "", NULL, NULL);
    cl_kernel kernel = clCreateKernel(program, name, NULL);
    cl_mem out = clCreateBuffer(context, CL_MEM_READ_WRITE, 8 * sizeof(cl_int), NULL, NULL);
    const size_t n = 8;
    clSetKernelArg(kernel, 0, sizeof out, &out);
    clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &n, NULL, 0, NULL, NULL);
    clFinish(queue);
    clReleaseMemObject(out);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
}

int main(int argc, char **argv)
{
    const char *const what = argc > 1 ? argv[1] : "clean";
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (!strcmp(what, "all")) launch("race");
    else if (rank == 1 && strcmp(what, "clean")) launch("outside");
    else launch("clean");
    if (rank == 1 && !strcmp(what, "abort")) MPI_Abort(MPI_COMM_WORLD, 7);
    if (rank == 1 && !strcmp(what, "kill-app")) raise(SIGKILL);
    if (rank == 1 && !strcmp(what, "kill-cldbg")) kill(getppid(), SIGKILL);
    if (rank == 1 && !strcmp(what, "unfinished")) exit(0);
    if (rank == 1 && !strcmp(what, "exit")) exit(3);
    if (rank != 1 && (!strncmp(what, "kill", 4) || !strcmp(what, "exit"))) sleep(60);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
