// SPDX-License-Identifier: MIT
// Builds many programs as `cldbg run` does, so that the cache has them: in one process a program
// takes a tenth of the time. Reads lines on stdin: the file, a tab, and build options. Errors are
// left to the test.
#include <CL/cl.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static cl_context ctx;
static cl_device_id device;

/** As cli/host.c: the file's folder is searched for headers. */
static void build(const char *path, const char *options)
{
    static char text[1 << 20], all[1 << 14];
    const char *source = text;
    FILE *f = fopen(path, "r");
    if (!f) return;
    size_t n = fread(text, 1, sizeof text, f);
    fclose(f);
    snprintf(all, sizeof all, "-I %.*s %s -cl-kernel-arg-info", (int)(strrchr(path, '/') - path),
             path, options);
    cl_int e;
    cl_program p = clCreateProgramWithSource(ctx, 1, &source, &n, &e);
    clBuildProgram(p, 1, &device, all, NULL, NULL);
    clReleaseProgram(p);
}

int main(void)
{
    cl_platform_id platform;
    cl_int e = CL_SUCCESS;
    if (clGetPlatformIDs(1, &platform, NULL) ||
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL))
        return fprintf(stderr, "no device\n"), 1;
    void (*set_reach)(int);
    *(void **)&set_reach = clGetExtensionFunctionAddressForPlatform(platform, "cldbgSetReach");
    if (!set_reach) return fprintf(stderr, "not cldbg's device\n"), 1;
    set_reach(1); // files below the folders of -I, as `cldbg run` has it
    ctx = clCreateContext(NULL, 1, &device, NULL, NULL, &e);
    char *line = NULL;
    size_t room = 0;
    while (!e && getline(&line, &room, stdin) > 0) {
        line[strcspn(line, "\n")] = 0;
        char *options = strchr(line, '\t');
        if (!options) return 1;
        *options++ = 0;
        build(line, options);
    }
    free(line);
    return e != CL_SUCCESS;
}
