// SPDX-License-Identifier: MIT
// An OpenCL program for tests that does unusual things: `unusual WHAT`, with the rows at the end of
// this file. Most end with a launch that finds something, so that the test sees it found.
#include <CL/cl.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N = 4096, LOCAL = 64 };

static const char outside[] = "kernel void k(global int *o) { if (get_global_id(0) == 3) o[4096] = "
                              "1; o[get_global_id(0)] = 1; }\n";
static const char loud[] =
    "kernel void k(global int *o) { if (get_global_id(0) == 3) o[4096] = 1;\n"
    "for (int i = 0; i < 64; i++) printf(\"%d: a line of text that fills a pipe in the end\\n\", "
    "i); }\n";
static const char endless[] =
    "kernel void k(global int *o) { if (get_global_id(0) == 3) o[4096] = 1;\n"
    "for (ulong i = 0; i < 1000000000000UL; i++) o[get_global_id(0)] = i; }\n";

static struct {
    cl_context ctx;
    cl_command_queue q;
    cl_kernel k;
    cl_mem m;
} cl;

static void open_device(void)
{
    cl_platform_id platform;
    cl_device_id device;
    cl_int e = clGetPlatformIDs(1, &platform, NULL);
    if (!e) e = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
    if (!e) cl.ctx = clCreateContext(NULL, 1, &device, NULL, NULL, &e);
    if (!e) cl.q = clCreateCommandQueue(cl.ctx, device, 0, &e);
    if (!e) return;
    fprintf(stderr, "no device: %d\n", e);
    exit(4);
}

static void make_kernel(const char *source)
{
    cl_int e;
    cl_program p = clCreateProgramWithSource(cl.ctx, 1, &source, NULL, &e);
    if (!e) e = clBuildProgram(p, 0, NULL, NULL, NULL, NULL);
    if (!e) cl.k = clCreateKernel(p, "k", &e);
    if (!e) cl.m = clCreateBuffer(cl.ctx, CL_MEM_READ_WRITE, N * sizeof(cl_int), NULL, &e);
    if (!e) e = clSetKernelArg(cl.k, 0, sizeof cl.m, &cl.m);
    if (!e) return;
    fprintf(stderr, "no kernel: %d\n", e);
    exit(5);
}

static cl_int enqueue(cl_uint n, const cl_event *list, cl_event *event)
{
    return clEnqueueNDRangeKernel(cl.q, cl.k, 1, NULL, &(size_t){N}, &(size_t){LOCAL}, n, list,
                                  event);
}

static int launch(void)
{
    const cl_int e = enqueue(0, NULL, NULL);
    const char *begun = getenv("UNUSUAL_BEGUN"); // a file that the test waits for
    if (begun) close(open(begun, O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
    const cl_int f = clFinish(cl.q);
    return e || f ? fprintf(stderr, "the launch failed: %d, %d\n", e, f), 6 : 0;
}

static int work(const char *source)
{
    open_device();
    make_kernel(source);
    return launch();
}

// ---- what blocks

static int do_print(void) { return work(loud); }

static int do_event(void)
{
    if (work("kernel void k(global int *o) { o[get_global_id(0)] = 1; }\n")) return 1;
    cl_int e;
    const cl_event never = clCreateUserEvent(cl.ctx, &e);
    return enqueue(1, &never, NULL) || clFinish(cl.q);
}

static int do_finish(void)
{
    open_device();
    make_kernel(endless);
    if (enqueue(0, NULL, NULL) || clFlush(cl.q)) return 1;
    usleep(200000); // a thread of the driver's has it
    return launch();
}

static void *print(void *status)
{
    *(int *)status = work(loud);
    return NULL;
}

static int do_stuck(void) // stdout belongs to this thread, while a kernel in another one prints
{
    int status = 5;
    pthread_t t;
    flockfile(stdout);
    if (pthread_create(&t, NULL, print, &status)) return 5;
    pthread_join(t, NULL);
    return status;
}

static void on_term(int sig)
{
    static const char text[] = "SIGTERM came\n";
    _exit(write(STDOUT_FILENO, text, sizeof text - 1) > 0 ? 3 : 4);
}

static int do_handler(void)
{
    signal(SIGTERM, on_term);
    return work(endless);
}

// ---- at the end of the process

static void at_end(void)
{
    const int e = enqueue(0, NULL, NULL), f = clFinish(cl.q);
    printf("at the end: %d, %d\n", e, f);
    fflush(stdout);
}

/** OpenCL is used before, so that the handlers of cldbg's own stand among the app's. */
static int used(void)
{
    if (work("kernel void k(global int *o) { o[get_global_id(0)] = 1; }\n")) return 1;
    make_kernel(outside);
    return 0;
}

static int do_atexit_before(void) // the app's handler was there first: it runs last
{
    atexit(at_end);
    return used();
}

static int do_atexit_after(void)
{
    const int status = used();
    atexit(at_end);
    return status;
}

static int is_destructed;
__attribute__((destructor)) static void destructor(void)
{
    if (is_destructed) at_end();
}
static int do_destructor(void)
{
    is_destructed = 1;
    return used();
}

static int do_failed_event(void)
{
    open_device();
    make_kernel(outside);
    cl_int e;
    const cl_event failed = clCreateUserEvent(cl.ctx, &e);
    enqueue(1, &failed, NULL);
    clSetUserEventStatus(failed, -7);
    clFinish(cl.q);
    return 0;
}

// ---- the process

static void *run_work(void *status)
{
    *(int *)status = work(outside);
    return NULL;
}

static int do_small_stack(void)
{
    int status = 5;
    pthread_t t;
    pthread_attr_t a;
    pthread_attr_init(&a);
    pthread_attr_setstacksize(&a, PTHREAD_STACK_MIN);
    if (pthread_create(&t, &a, run_work, &status)) return 5;
    pthread_join(t, NULL);
    return status;
}

static void *run_work_later(void *arg)
{
    static int status;
    usleep(200000);
    return run_work(&status);
}

/** The process ends with its last thread. */
static int do_main_leaves(void)
{
    pthread_t t;
    if (pthread_create(&t, NULL, run_work_later, NULL)) return 5;
    pthread_exit(NULL);
}

static int do_main_leaves_last(void)
{
    int status = 5;
    pthread_t t;
    if (pthread_create(&t, NULL, run_work, &status)) return 5;
    pthread_join(t, NULL);
    pthread_exit(NULL);
}

static int do_clearenv(void)
{
    clearenv();
    return work(outside);
}

static int do_mlockall(void)
{
    if (mlockall(MCL_CURRENT | MCL_FUTURE)) return fprintf(stderr, "mlockall: %m\n"), 77;
    const int status = work(outside);
    char line[200];
    FILE *f = fopen("/proc/self/status", "r");
    while (f && fgets(line, sizeof line, f))
        if (!strncmp(line, "VmHWM:", 6)) fputs(line, stdout);
    return status;
}

static int do_address_space(void)
{
    const rlim_t most = 2ull << 30;
    if (setrlimit(RLIMIT_AS, &(struct rlimit){most, most})) return 77;
    return work(outside);
}

static int do_closed_streams(void)
{
    for (int i = 0; i < 3; i++) close(i);
    return work(outside);
}

static int do_closed_all(void) // as daemons do
{
    close_range(3, ~0u, 0);
    return work(outside);
}

static int do_closed_all_later(void)
{
    open_device();
    make_kernel(outside);
    close_range(3, ~0u, 0);
    make_kernel(outside); // (a compiler waits from the second program on)
    close_range(3, ~0u, 0);
    make_kernel(outside);
    return launch();
}

static int do_daemon(void)
{
    if (daemon(1, 0)) return 1;
    close_range(3, ~0u, 0);
    usleep(2000000); // the command has seen the app's end
    return work(outside);
}

static int in_child(int (*fn)(void))
{
    const pid_t child = fork();
    int status = 0;
    if (!child) _exit(fn());
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 99;
}

static int whole(void) { return work(outside); }
static int do_fork_before(void) { return in_child(whole); }
static int do_fork_after(void)
{
    open_device();
    make_kernel(outside);
    return in_child(launch) | launch();
}

static int do_exec(void)
{
    open_device();
    execl("/proc/self/exe", "unusual", "plain", NULL);
    return 1;
}

static int do_plain(void) { return work(outside); }

/** Without calls that sandboxes forbid. */
static int do_seccomp(void)
{
    enum { AT = offsetof(struct seccomp_data, nr) };
    static const int no[] = {SYS_socketpair, SYS_memfd_create, SYS_prlimit64, SYS_timer_create,
                             SYS_sigaltstack};
    struct sock_filter f[3 + 2 * (sizeof no / sizeof *no)];
    unsigned n = 0;
    f[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, AT);
    for (size_t i = 0; i < sizeof no / sizeof *no; i++) {
        f[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)no[i], 0, 1);
        f[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM);
    }
    f[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    struct sock_fprog p = {(unsigned short)n, f};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &p))
        return 77;
    return work(outside);
}

static const struct {
    const char *name;
    int (*run)(void);
} rows[] = {
    {"plain", do_plain},
    // what blocks
    {"print", do_print},
    {"event", do_event},
    {"finish", do_finish},
    {"stuck", do_stuck},
    {"handler", do_handler},
    // the end of the process
    {"atexit-before", do_atexit_before},
    {"atexit-after", do_atexit_after},
    {"destructor", do_destructor},
    {"failed-event", do_failed_event},
    // the process
    {"small-stack", do_small_stack},
    {"main-leaves", do_main_leaves},
    {"main-leaves-last", do_main_leaves_last},
    {"clearenv", do_clearenv},
    {"mlockall", do_mlockall},
    {"address-space", do_address_space},
    {"closed-streams", do_closed_streams},
    {"closed-all", do_closed_all},
    {"closed-all-later", do_closed_all_later},
    {"daemon", do_daemon},
    {"fork-before", do_fork_before},
    {"fork-after", do_fork_after},
    {"exec", do_exec},
    {"seccomp", do_seccomp},
};

int main(int argc, char **argv)
{
    for (size_t i = 0; argc > 1 && i < sizeof rows / sizeof *rows; i++)
        if (!strcmp(rows[i].name, argv[1])) return rows[i].run();
    return 2;
}
