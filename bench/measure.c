// SPDX-License-Identifier: MIT
// Measures one workload on the OpenCL it finds: CPU time (user and system, all threads of the
// process) and wall time of the launches alone, so that building programs and filling buffers does
// not count.
//   measure KERNELS.cl WORK SIZE WARM-UPS REPEATS [GROUP]
// prints a line a repeat: CPU seconds, wall seconds, checksum of the output, CPU seconds of the
// thread that worked most. GROUP: work-items of a group (1-D works).
#include <CL/cl.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

struct work {
    const char *name;
    unsigned dims; // of the NDRange; every side is SIZE work-items but for `per`
    size_t local[2];
    unsigned bytes; // of each buffer, for each point
    char data,
        out;      // of the second input, of the output: 'f' floats (below 1), 'u' unsigned numbers
    unsigned per; // points for each work-item along the first side; 0: one work-item for all
    unsigned points;            // the points are SIZE to this power
    unsigned launches_per_size; // 0: one launch of SIZE; 1: SIZE launches of one group
};
static const struct work works[] = {
    {"vector_add", 1, {256, 1}, 4, 'f', 'f', 1, 1, 0},
    {"matmul_naive", 2, {16, 16}, 4, 'f', 'f', 1, 2, 0},
    {"matmul_tiled", 2, {16, 16}, 4, 'f', 'f', 1, 2, 0},
    {"reduction", 1, {256, 1}, 4, 'f', 'f', 1, 1, 0},
    {"scan", 1, {256, 1}, 4, 'f', 'f', 1, 1, 0},
    {"nbody", 1, {64, 1}, 16, 'f', 'f', 1, 1, 0},
    {"mandelbrot", 2, {16, 16}, 4, 'f', 'f', 1, 2, 0},
    {"histogram_global", 1, {256, 1}, 4, 'u', 'u', 1, 1, 0},
    {"histogram_local", 1, {256, 1}, 4, 'u', 'u', 1, 1, 0},
    {"stencil_2d", 2, {16, 16}, 4, 'f', 'f', 1, 2, 0},
    {"stencil_3d", 2, {16, 16}, 4, 'f', 'f', 1, 3, 0},
    {"transpose", 2, {16, 16}, 4, 'f', 'f', 1, 2, 0},
    {"fft", 1, {128, 1}, 8, 'f', 'f', 2, 1, 0},
    {"bitonic_sort", 1, {256, 1}, 4, 'u', 'u', 2, 1, 0},
    {"spmv", 1, {64, 1}, 64, 'u', 'f', 1, 1, 0},
    {"bfs_step", 1, {256, 1}, 32, 'u', 'u', 1, 1, 0},
    {"sha256", 1, {64, 1}, 64, 'u', 'u', 1, 1, 0},
    {"image_filter", 2, {16, 16}, 16, 'f', 'f', 1, 2, 0},
    {"monte_carlo", 1, {64, 1}, 4, 'u', 'f', 1, 1, 0},
    {"dct_8x8", 2, {8, 8}, 4, 'f', 'f', 1, 2, 0},
    {"gpu_matmul", 2, {16, 16}, 4, 'f', 'f', 1, 2, 0},
    {"gpu_matmul_naive", 2, {16, 16}, 4, 'f', 'f', 1, 2, 0},
    {"gpu_differences_3d", 2, {16, 16}, 4, 'f', 'f', 1, 3, 0},
    {"gpu_stencil_2d", 2, {16, 16}, 4, 'f', 'f', 1, 2, 0},
    {"gpu_dct", 2, {8, 8}, 4, 'f', 'f', 1, 2, 0},
    {"gpu_nbody", 1, {64, 1}, 16, 'f', 'f', 1, 1, 0},
    {"gpu_exp", 1, {64, 1}, 16, 'f', 'f', 1, 1, 0},
    {"gpu_sin", 1, {64, 1}, 16, 'f', 'f', 1, 1, 0},
    {"gpu_sqrt", 1, {64, 1}, 16, 'f', 'f', 1, 1, 0},
    {"one_item", 1, {1, 1}, 4, 'f', 'f', 0, 1, 0},
    {"empty", 1, {1, 1}, 4, 'f', 'f', 1, 1, 1},
};

static void check(cl_int status, const char *call)
{
    if (status == CL_SUCCESS) return;
    fprintf(stderr, "measure: %s failed: error %d\n", call, status);
    exit(1);
}

static const struct work *find_work(const char *name)
{
    for (size_t i = 0; i < sizeof works / sizeof works[0]; i++)
        if (!strcmp(works[i].name, name)) return &works[i];
    fprintf(stderr, "measure: there is no workload '%s'\n", name);
    exit(2);
}

static char *read_file(const char *path)
{
    FILE *f = fopen(path, "r");
    if (!f) {
        perror(path);
        exit(2);
    }
    char *text = calloc(1, 1 << 16);
    if (!fread(text, 1, (1 << 16) - 1, f)) exit(2);
    fclose(f);
    return text;
}

static double cpu_seconds(void)
{
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    return u.ru_utime.tv_sec + u.ru_stime.tv_sec + (u.ru_utime.tv_usec + u.ru_stime.tv_usec) * 1e-6;
}

static double wall_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

enum { MAX_THREADS = 64 };
struct threads {
    unsigned n;
    int id[MAX_THREADS];
    double cpu[MAX_THREADS];
};

/** Processor seconds of each thread of the process, as Linux counts them. */
static struct threads thread_seconds(void)
{
    struct threads t = {0};
    DIR *d = opendir("/proc/self/task");
    for (struct dirent *e; d && t.n < MAX_THREADS && (e = readdir(d));) {
        char path[300];
        double ns;
        snprintf(path, sizeof path, "/proc/self/task/%s/schedstat", e->d_name);
        FILE *f = e->d_name[0] == '.' ? NULL : fopen(path, "r");
        if (!f) continue;
        if (fscanf(f, "%lf", &ns) == 1) {
            t.id[t.n] = atoi(e->d_name);
            t.cpu[t.n++] = ns * 1e-9;
        }
        fclose(f);
    }
    if (d) closedir(d);
    return t;
}

/** The most that one thread worked between the two. */
static double busiest(const struct threads *before, const struct threads *after)
{
    double most = 0;
    for (unsigned i = 0; i < after->n; i++) {
        double cpu = after->cpu[i];
        for (unsigned k = 0; k < before->n; k++)
            if (before->id[k] == after->id[i]) cpu -= before->cpu[k];
        most = cpu > most ? cpu : most;
    }
    return most;
}

int main(int argc, char **argv)
{
    if (argc != 6 && argc != 7) {
        fprintf(stderr, "usage: measure KERNELS.cl WORK SIZE WARM-UPS REPEATS [GROUP]\n");
        return 2;
    }
    const struct work *w = find_work(argv[2]);
    cl_uint n = atoi(argv[3]);
    int warm_ups = atoi(argv[4]), repeats = atoi(argv[5]);
    char *source = read_file(argv[1]);

    cl_platform_id platform;
    cl_device_id device;
    cl_int status;
    check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "clGetDeviceIDs");
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    check(status, "clCreateContext");
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &status);
    check(status, "clCreateCommandQueue");
    cl_program program =
        clCreateProgramWithSource(context, 1, (const char **)&source, NULL, &status);
    check(status, "clCreateProgramWithSource");
    check(clBuildProgram(program, 1, &device, "", NULL, NULL), "clBuildProgram");
    cl_kernel kernel = clCreateKernel(program, w->name, &status);
    check(status, "clCreateKernel");

    size_t launches = w->launches_per_size ? n : 1, side = w->launches_per_size ? w->local[0] : n;
    size_t local[2] = {argc > 6 ? (size_t)atoi(argv[6]) : w->local[0], w->local[1]};
    size_t global[2] = {w->per ? side / w->per : 1, side}, points = 1, warm = 0;
    for (unsigned d = 0; d < w->points; d++) points *= side;
    const size_t size = points * w->bytes, words = size / 4;
    cl_uint *host = malloc(size);
    cl_mem m[3];
    for (int i = 0; i < 3; i++) {
        for (size_t k = 0; k < words; k++) {
            const cl_uint hash = (cl_uint)(k + 1 + warm) * 2654435761u,
                          mixed = (hash ^ hash >> 15) * 2246822519u;
            const float f = (mixed >> 8 & 0xffff) / 65536.0f;
            if (i == 1 && w->data == 'u') host[k] = mixed >> 7;
            else memcpy(&host[k], &f, 4);
        }
        warm += words;
        if (i == 2) memset(host, 0, size);
        m[i] = clCreateBuffer(context,
                              (i < 2 ? CL_MEM_READ_ONLY : CL_MEM_READ_WRITE) | CL_MEM_COPY_HOST_PTR,
                              size, host, &status);
        check(status, "clCreateBuffer");
        check(clSetKernelArg(kernel, i, sizeof m[i], &m[i]), "clSetKernelArg");
    }
    check(clSetKernelArg(kernel, 3, sizeof n, &n), "clSetKernelArg");

    for (int r = -warm_ups; r < repeats; r++) {
        const struct threads before = thread_seconds();
        double cpu = cpu_seconds(), wall = wall_seconds();
        for (size_t l = 0; l < launches; l++)
            check(
                clEnqueueNDRangeKernel(queue, kernel, w->dims, NULL, global, local, 0, NULL, NULL),
                "clEnqueueNDRangeKernel");
        check(clFinish(queue), "clFinish");
        cpu = cpu_seconds() - cpu;
        wall = wall_seconds() - wall;
        const struct threads after = thread_seconds();
        if (r < 0) continue;
        check(clEnqueueReadBuffer(queue, m[2], CL_TRUE, 0, size, host, 0, NULL, NULL),
              "clEnqueueReadBuffer");
        double sum = 0; // of weighted words: places count
        for (size_t k = 0; k < words; k++) {
            float f;
            memcpy(&f, &host[k], 4);
            sum += (1 + k % 7) * (w->out == 'f' ? f : host[k] & 0xffffff);
        }
        printf("%.9f %.9f %.9g %.9f\n", cpu, wall, sum, busiest(&before, &after));
    }
    return 0;
}
