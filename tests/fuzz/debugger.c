// SPDX-License-Identifier: MIT
// The debugger's agent with a kernel stopped, in one process with its client: what a user types,
// and what an editor sends. After every input the kernel that was launched is still there to be
// debugged.
//
//   lines       commands, a line each, as `evaluate` in the context `repl`
//   messages    `COMMAND JSON` a line: requests with these arguments; another line is a message as
//               it is
//
// usage: debugger NAME FILE|FOLDER...     each file once; linked with libFuzzer the target is that
//                                         of the variable FUZZ
#include "api/dispatch.h"
#include "base/mem.h"
#include "cli/dap_client.h"

#include <dirent.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

// In the order of their lines everything that there is to look at.
static const char kernel[] =
    "struct point { int x; float w[3]; uchar4 c; };\n"
    "constant float factors[] = { 1, 2, 3 };\n"
    "int twice(int a)\n"
    "{\n"
    "    int b = 2 * a;\n"
    "    return b;\n"
    "}\n"
    "kernel void k(global int *o, local float *t, int n)\n"
    "{\n"
    "    int i = get_global_id(0), l = get_local_id(0);\n"
    "    struct point p[2] = {{i, {1, 2, 3}, (uchar4)(1, 2, 3, 4)}, {n, {4, 5, 6}, (uchar4)i}};\n"
    "    float4 v = (float4)(i, l, n, factors[l % 3]);\n"
    "    local int shared[8];\n"
    "    shared[l] = twice(i);\n"
    "    t[l] = v.x;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    for (int s = 1; s < 4; s <<= 1)\n"
    "        if (l >= s) o[i] += shared[l - s] + (int)t[l - s] + p[s & 1].x;\n"
    "}\n";

enum { PATIENCE = 90 }; // seconds for an answer (clang comes first)
static struct dap_stream client;
static bool stopped; // as the last answer to a typed line said

/** The app: it launches the kernel forever. */
static void *app(void *unused)
{
    const struct _cl_icd_dispatch *cl = cldbg_dispatch();
    cl_platform_id platform;
    cl_device_id device;
    cl_int e;
    const char *text = kernel;
    if (cl->clGetPlatformIDs(1, &platform, NULL) ||
        cl->clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL))
        abort();
    cl_context c = cl->clCreateContext(NULL, 1, &device, NULL, NULL, &e);
    cl_command_queue q = cl->clCreateCommandQueueWithProperties(c, device, NULL, &e);
    cl_program p = cl->clCreateProgramWithSource(c, 1, &text, NULL, &e);
    if (cl->clBuildProgram(p, 1, &device, "", NULL, NULL)) abort();
    cl_kernel k = cl->clCreateKernel(p, "k", &e);
    cl_mem m = cl->clCreateBuffer(c, CL_MEM_READ_WRITE, 16 * 4, NULL, &e);
    const cl_int n = 5;
    const size_t global = 16, local = 8;
    if (cl->clSetKernelArg(k, 0, sizeof m, &m) || cl->clSetKernelArg(k, 1, 8 * 4, NULL) ||
        cl->clSetKernelArg(k, 2, sizeof n, &n))
        abort();
    while (!cl->clEnqueueNDRangeKernel(q, k, 1, NULL, &global, &local, 0, NULL, NULL))
        cl->clFinish(q);
    abort();
}

/**
 * Seconds since the program began, without those in which its threads waited for a processor:
 * others may have them all.
 */
static double seconds(void)
{
    struct timespec now;
    double longest = 0;
    clock_gettime(CLOCK_MONOTONIC, &now);
    DIR *d = opendir("/proc/self/task");
    for (struct dirent *f; d && (f = readdir(d));) {
        char path[300];
        unsigned long long waited;
        snprintf(path, sizeof path, "/proc/self/task/%s/schedstat", f->d_name);
        FILE *stat = fopen(path, "r");
        if (stat && fscanf(stat, "%*u %llu", &waited) == 1 && (double)waited / 1e9 > longest)
            longest = (double)waited / 1e9;
        if (stat) fclose(stat);
    }
    if (d) closedir(d);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9 - longest;
}

/** The next message; without one for so long: the end. */
static json_t *next(void)
{
    const double begun = seconds();
    json_t *m;
    while (!(m = dap_take(&client, NULL))) {
        struct pollfd p = {.fd = client.in, .events = POLLIN};
        if (poll(&p, 1, 1000) > 0 && !dap_read(&client)) abort(); // disconnected
        if (seconds() > begun + PATIENCE) abort();
    }
    return m;
}

static void ask(const char *command, json_t *arguments)
{
    const long long seq = dap_request(&client, command, arguments);
    for (bool is_answer = false; !is_answer;) {
        json_t *m = next();
        is_answer = json_integer_value(json_object_get(m, "request_seq")) == seq &&
                    !strcmp(json_string_value(json_object_get(m, "type")), "response");
        const json_t *own = json_object_get(json_object_get(m, "body"), "cldbg");
        if (is_answer && own) stopped = json_is_true(json_object_get(own, "stopped"));
        json_decref(m);
    }
}

/** As a command, whether or not it is an expression, too. */
static void type(const char *line)
{
    ask("evaluate", json_pack("{s:s+, s:s}", "expression", "`", line, "context", "repl"));
}

/** Whatever the input did, the kernel comes to a stop. */
static void come_to_a_stop(void)
{
    const double begun = seconds();
    for (int n = 0; type(""), !stopped; n++) {
        if (seconds() > begun + PATIENCE) abort();
        if (n % 100 == 20) ask("pause", json_pack("{s:i}", "threadId", 1));
        usleep(n < 20 ? 20 : 1000);
    }
}

static void begin(void)
{
    struct dap_listener l;
    struct err *e = dap_listen(&l);
    pthread_t t;
    if (e) abort();
    setenv("CLDBG_DEBUG", l.name, 1);
    setenv("CLDBG_OPTIONS", "--log-file=/dev/null", 1);
    pthread_create(&t, NULL, app, NULL);
    const int fd = accept(l.fd, NULL, NULL);
    dap_listener_close(&l);
    dap_open(&client, fd, fd);
    ask("initialize", json_pack("{s:s}", "clientID", "fuzzer"));
    ask("attach", json_pack("{s:b}", "stopOnEntry", 1));
    ask("configurationDone", NULL);
    come_to_a_stop();
}

// What ends the program or the session is not tried. (`save` and related commands are rejected, as
// nothing allows them.)
static bool is_left_out(const char *line)
{
    static const char *const words[] = {"terminate", "disconnect", "attach", "launch", "\\u"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strstr(line, words[i])) return true;
    return false;
}

static void send_line(const char *line)
{
    const char *blank = strchr(line, ' ');
    json_t *args = blank ? json_loads(blank, 0, NULL) : NULL;
    if (args) {
        char *command = mem_dup(line, (size_t)(blank - line) + 1);
        command[blank - line] = 0;
        json_t *name = json_string(command);
        if (name) ask(command, args);
        else json_decref(args);
        json_decref(name);
        free(command);
    } else {
        char head[64];
        const size_t n = strlen(line);
        snprintf(head, sizeof head, "Content-Length: %zu\r\n\r\n", n);
        if (send(client.out, head, strlen(head), 0) < 0 || (n && send(client.out, line, n, 0) < 0))
            abort();
        ask("threads", NULL); // after it the next one is understood
    }
}

static void one(const char *target, const uint8_t *data, size_t size)
{
    static bool begun;
    if (!begun) begin();
    begun = true;
    char *text = mem_alloc(size + 1);
    if (size) memcpy(text, data, size);
    const bool lines = !strcmp(target, "lines");
    char *rest = text;
    for (unsigned n = 0; n < 40; n++) {
        char *line = strsep(&rest, "\n");
        if (!line) break;
        json_t *is_text = json_string(line); // UTF-8, as all that a client sends
        if (is_text && (lines || !is_left_out(line))) {
            if (lines) type(line);
            else send_line(line);
        }
        json_decref(is_text);
        come_to_a_stop();
    }
    free(text);
    type("delete");
    type("undisplay");
    type("continue");
    come_to_a_stop();
}

#ifdef LIBFUZZER
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    one(getenv("FUZZ"), data, size);
    return 0;
}
#else
static void replay(const char *target, const char *path)
{
    static uint8_t data[1 << 16];
    FILE *f = fopen(path, "r");
    if (!f) exit(2);
    const size_t n = fread(data, 1, sizeof data, f);
    fclose(f);
    one(target, data, n);
}

int main(int argc, char **argv)
{
    unsigned n = 0;
    for (int i = 2; i < argc; i++) {
        DIR *d = opendir(argv[i]);
        if (!d) replay(argv[1], argv[i]), n++;
        for (struct dirent *f; d && (f = readdir(d));) {
            char path[4096];
            snprintf(path, sizeof path, "%s/%s", argv[i], f->d_name);
            if (f->d_name[0] != '.') replay(argv[1], path), n++;
        }
        if (d) closedir(d);
    }
    printf("%s: %u inputs\n", argc > 1 ? argv[1] : "", n);
    return !n;
}
#endif
