// SPDX-License-Identifier: MIT
// The host program of `cldbg run`. The driver is loaded as an ICD loader would, and knows no
// difference.
#include "cli/host.h"
#include "cli/run_ranks.h"

#include "base/io.h"
#include "base/spirv.h"
#include "report/sink.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void CL_CALLBACK take_notice(const char *text, const void *info, size_t size, void *kernel)
{
    struct cmd_kernel *k = kernel;
    str_clear(&k->notice);
    str_put(&k->notice, text);
}

/** The names of the errors that a launch of one kernel can meet. */
static const char *error_name(cl_int code)
{
    static const struct {
        cl_int code;
        const char *name;
    } names[] = {
#define NAME(n) {n, #n}
        NAME(CL_MEM_OBJECT_ALLOCATION_FAILURE),
        NAME(CL_OUT_OF_RESOURCES),
        NAME(CL_OUT_OF_HOST_MEMORY),
        NAME(CL_BUILD_PROGRAM_FAILURE),
        NAME(CL_COMPILER_NOT_AVAILABLE),
        NAME(CL_INVALID_VALUE),
        NAME(CL_INVALID_BUILD_OPTIONS),
        NAME(CL_INVALID_KERNEL_NAME),
        NAME(CL_INVALID_ARG_INDEX),
        NAME(CL_INVALID_ARG_VALUE),
        NAME(CL_INVALID_ARG_SIZE),
        NAME(CL_INVALID_KERNEL_ARGS),
        NAME(CL_INVALID_WORK_DIMENSION),
        NAME(CL_INVALID_WORK_GROUP_SIZE),
        NAME(CL_INVALID_WORK_ITEM_SIZE),
        NAME(CL_INVALID_GLOBAL_OFFSET),
        NAME(CL_INVALID_BUFFER_SIZE),
        NAME(CL_INVALID_GLOBAL_WORK_SIZE),
        NAME(CL_INVALID_OPERATION),
        NAME(CL_INVALID_PROGRAM_EXECUTABLE),
#undef NAME
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].code == code) return names[i].name;
    return NULL;
}

struct err *cmd_call_failed(struct cmd_kernel *k, const char *what, cl_int code)
{
    const char *name = error_name(code);
    struct err *e = k->notice.len
                        ? err_new("%s: %s", what, str_text(&k->notice)) // it names the error
                    : name ? err_new("%s: %s", what, name)
                           : err_new("%s: error %d", what, (int)code);
    str_clear(&k->notice);
    return e;
}

static int given_totals = -1;

void cmd_use_totals(int fd) { given_totals = fd; }

bool cmd_has_parent(void) { return given_totals >= 0; }

/** Other processes run a part of the launch. */
static void set_ranks(struct cmd_kernel *k)
{
    void (*set)(const struct dev_ranks *);
    *(void **)&set = k->cl->clGetExtensionFunctionAddress("cldbgSetRanks");
    set(run_ranks());
}

static struct err *begin_reports_and_load(struct cmd_kernel *k, const struct dev_option_set *s)
{
    struct cmd_home home = {0};
    struct err *e = cmd_home_find(&home);
    if (e) return e;
    int fd = given_totals >= 0 ? given_totals : rep_totals_create();
    k->totals = fd < 0 ? NULL : rep_totals_map(fd);
    if (!k->totals) return err_new("no shared memory is available: %m");
    k->totals->first_pid = getpid();
    e = cmd_reports_begin(s);
    if (e) {
        cmd_home_free(&home);
        return e;
    }
    cmd_set_own_environment(&home, s, fd);
    void *lib = dlopen(home.driver, RTLD_NOW | RTLD_LOCAL);
    const struct _cl_icd_dispatch *(*dispatch)(void) = NULL;
    if (lib) *(void **)&dispatch = dlsym(lib, "cldbg_dispatch");
    if (!dispatch) e = err_new("the driver cannot be loaded: %s", dlerror());
    else k->cl = dispatch();
    cmd_home_free(&home);
    if (!e)
        *(void **)&k->set_last_words = k->cl->clGetExtensionFunctionAddress("cldbgSetLastWords");
    if (!e) k->set_last_words(cmd_last_words);
    if (!e && run_ranks()) set_ranks(k);
    return e;
}

/** A signal comes before the reports are begun, or when the last words are known. */
static struct err *load_driver(struct cmd_kernel *k, const struct dev_option_set *s)
{
    io_hold_signals(true);
    struct err *e = begin_reports_and_load(k, s);
    io_hold_signals(false);
    return e;
}

/** What it runs comes from a file, which may be a stranger's: it names no files elsewhere. */
static void set_reach(struct cmd_kernel *k, enum dev_reach reach)
{
    void (*set)(enum dev_reach);
    *(void **)&set = k->cl->clGetExtensionFunctionAddress("cldbgSetReach");
    set(reach);
}

static struct err *open_device(struct cmd_kernel *k)
{
    cl_platform_id platform;
    cl_int code = k->cl->clGetPlatformIDs(1, &platform, NULL);
    if (!code) code = k->cl->clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &k->device, NULL);
    if (code) return cmd_call_failed(k, "no device", code);
    k->context = k->cl->clCreateContext(NULL, 1, &k->device, take_notice, k, &code);
    if (code) return cmd_call_failed(k, "no context", code);
    k->queue = k->cl->clCreateCommandQueue(k->context, k->device, 0, &code);
    if (code) return cmd_call_failed(k, "no queue", code);
    const cl_queue_properties on_device[] = {CL_QUEUE_PROPERTIES,
                                             CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT |
                                                 CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
                                             0};
    k->device_queue =
        k->cl->clCreateCommandQueueWithProperties(k->context, k->device, on_device, &code);
    return code ? cmd_call_failed(k, "no queue on the device", code) : NULL;
}

/**
 * The compiler's words: errors, and with --verbose what it said all the same. Whether there were
 * any.
 */
static bool print_log(struct cmd_kernel *k)
{
    size_t n = 0;
    k->cl->clGetProgramBuildInfo(k->program, k->device, CL_PROGRAM_BUILD_LOG, 0, NULL, &n);
    char *log = arena_alloc(&k->arena, n + 1);
    k->cl->clGetProgramBuildInfo(k->program, k->device, CL_PROGRAM_BUILD_LOG, n, log, NULL);
    if (!*log) return false;
    rep_write_safe(stderr, log);
    if (!str_ends(log, "\n")) rep_write_safe(stderr, "\n");
    return true;
}

/** Builds the program object that was created from the file; code: the result of its creation. */
static struct err *build_program(struct cmd_kernel *k, const char *path, cl_int code,
                                 const char *options, bool verbose)
{
    if (!code) code = k->cl->clBuildProgram(k->program, 1, &k->device, options, NULL, NULL);
    const bool printed = k->program && (code || verbose) && print_log(k);
    if (code && printed)
        return err_new("%s: the kernel does not compile; the messages of the compiler are above",
                       path);
    return code ? cmd_call_failed(k, path, code) : NULL;
}

static struct err *build_source(struct cmd_kernel *k, const char *path, const char *source,
                                size_t size, const char *options, bool verbose)
{
    cl_int code;
    k->program = k->cl->clCreateProgramWithSource(k->context, 1, &source, &size, &code);
    return build_program(k, path, code,
                         arena_printf(&k->arena, "%s -cl-kernel-arg-info", options ? options : ""),
                         verbose);
}

static struct err *build_binary(struct cmd_kernel *k, const char *path, const char *data,
                                size_t size, const char *options, bool verbose)
{
    cl_int code, status;
    const unsigned char *binary = (const unsigned char *)data;
    const bool is_spirv = spirv_is_module(data, size);
    if (is_spirv) k->program = k->cl->clCreateProgramWithIL(k->context, data, size, &code);
    else
        k->program = k->cl->clCreateProgramWithBinary(k->context, 1, &k->device, &size, &binary,
                                                      &status, &code);
    return build_program(k, path, code, options, verbose);
}

static struct err *build(struct cmd_kernel *k, const char *path, const char *options, bool verbose)
{
    const char *with = cmd_with_folder(&k->arena, path, options);
    char *source;
    size_t size;
    struct err *e = cmd_read_file(&k->arena, path, &source, &size);
    if (!e && !io_is_text(source, size)) {
        e = build_binary(k, path, source, size, with, verbose);
    } else if (!e) {
        e = build_source(k, path, source, size, with, verbose);
    }
    return e;
}

static const char *string_info(struct cmd_kernel *k, unsigned i, cl_kernel_arg_info what)
{
    size_t n = 0;
    if (k->cl->clGetKernelArgInfo(k->kernel, i, what, 0, NULL, &n) || !n) return "?";
    char *text = arena_alloc(&k->arena, n + 1);
    k->cl->clGetKernelArgInfo(k->kernel, i, what, n, text, NULL);
    return text;
}

/** "add;other" as people write lists. */
static const char *listed(struct cmd_kernel *k, const char *names)
{
    struct str s = {0};
    for (; *names; names++) *names == ';' ? str_put(&s, ", ") : str_put_char(&s, *names);
    const char *text = arena_strdup(&k->arena, str_text(&s));
    str_deinit(&s);
    return text;
}

static struct err *make_kernel(struct cmd_kernel *k, const char *path, const char *name)
{
    size_t n = 0;
    k->cl->clGetProgramInfo(k->program, CL_PROGRAM_KERNEL_NAMES, 0, NULL, &n);
    char *names = arena_alloc(&k->arena, n + 1);
    k->cl->clGetProgramInfo(k->program, CL_PROGRAM_KERNEL_NAMES, n, names, NULL);
    if (!*names) return err_new("%s has no kernel", path);
    if (!name && strchr(names, ';'))
        return err_new("%s has several kernels; use --kernel=… (%s)", path, listed(k, names));
    k->name = name ? name : names;
    cl_int code;
    k->kernel = k->cl->clCreateKernel(k->program, k->name, &code);
    if (code == CL_INVALID_KERNEL_NAME)
        return err_new("%s has no kernel '%s'; it has %s", path, k->name, listed(k, names));
    if (code) return cmd_call_failed(k, k->name, code);
    cl_uint count = 0;
    k->cl->clGetKernelInfo(k->kernel, CL_KERNEL_NUM_ARGS, sizeof count, &count, NULL);
    k->nparams = count;
    k->params = arena_array(&k->arena, struct cmd_param, count + 1);
    for (unsigned i = 0; i < count; i++) {
        struct cmd_param *p = &k->params[i];
        p->space = CL_KERNEL_ARG_ADDRESS_PRIVATE;
        k->cl->clGetKernelArgInfo(k->kernel, i, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof p->space,
                                  &p->space, NULL);
        p->name = string_info(k, i, CL_KERNEL_ARG_NAME);
        if (!*p->name) p->name = arena_printf(&k->arena, "%u", i); // SPIR-V need not have names
        p->type = string_info(k, i, CL_KERNEL_ARG_TYPE_NAME);
        cl_kernel_arg_type_qualifier qualifier = 0;
        k->cl->clGetKernelArgInfo(k->kernel, i, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof qualifier,
                                  &qualifier, NULL);
        p->is_pipe = qualifier & CL_KERNEL_ARG_TYPE_PIPE;
    }
    return NULL;
}

struct err *cmd_kernel_open(struct cmd_kernel *k, const struct dev_option_set *s, const char *path,
                            const char *name, const char *build_options)
{
    *k = (struct cmd_kernel){0};
    struct err *e = access(path, R_OK) ? err_new("%s: %s", path, strerror(errno)) : NULL;
    if (!e) e = load_driver(k, s);
    if (!e) set_reach(k, DEV_REACH_FOLDERS);
    if (!e) e = open_device(k);
    if (!e) e = build(k, path, build_options, s->v[DEV_OPT_VERBOSE].given);
    if (!e) e = make_kernel(k, path, name);
    return e;
}

static struct err *build_captured(struct cmd_kernel *k, const struct dev_capture *c, bool verbose)
{
    cl_int code, status;
    const unsigned char *binary = c->binary;
    size_t size = c->binary_size;
    k->program =
        k->cl->clCreateProgramWithBinary(k->context, 1, &k->device, &size, &binary, &status, &code);
    if (!code) code = k->cl->clBuildProgram(k->program, 1, &k->device, "", NULL, NULL);
    if (!code) return NULL;
    if (!*c->source) return cmd_call_failed(k, "the program of the capture", code);
    if (k->program) k->cl->clReleaseProgram(k->program);
    if (verbose) cmd_say("the program of the capture is rebuilt: %s", str_text(&k->notice));
    str_clear(&k->notice);
    return build_source(k, "the program of the capture", c->source, strlen(c->source),
                        c->build_options, verbose);
}

struct err *cmd_kernel_open_capture(struct cmd_kernel *k, const struct dev_option_set *s,
                                    const struct dev_capture *c)
{
    *k = (struct cmd_kernel){0};
    struct err *e = load_driver(k, s);
    if (!e) set_reach(k, DEV_REACH_NONE);
    if (!e) e = open_device(k);
    if (!e) e = build_captured(k, c, s->v[DEV_OPT_VERBOSE].given);
    return e ? e : make_kernel(k, "the program of the capture", c->kernel);
}

void cmd_kernel_close(struct cmd_kernel *k)
{
    if (k->kernel) k->cl->clReleaseKernel(k->kernel);
    if (k->program) k->cl->clReleaseProgram(k->program);
    for (size_t i = 0; i < k->made.len; i++) k->cl->clReleaseMemObject(k->made.data[i]);
    vec_free(&k->made);
    for (size_t i = 0; i < k->shared.len; i++) k->cl->clSVMFree(k->context, k->shared.data[i]);
    vec_free(&k->shared);
    if (k->queue) k->cl->clReleaseCommandQueue(k->queue);
    if (k->device_queue) k->cl->clReleaseCommandQueue(k->device_queue);
    if (k->context) k->cl->clReleaseContext(k->context);
    arena_deinit(&k->arena);
    str_deinit(&k->notice);
}

static struct err *set_arg(struct cmd_kernel *k, unsigned i, struct cmd_arg *args)
{
    struct cmd_arg *a = &args[i];
    cl_int code = CL_SUCCESS;
    char what[128];
    snprintf(what, sizeof what, "argument %u ('%s')", i, k->params[i].name);
    if (a->kind == CMD_ARG_BUFFER) {
        cl_mem_flags flags = a->read_only    ? CL_MEM_READ_ONLY
                             : a->write_only ? CL_MEM_WRITE_ONLY
                                             : CL_MEM_READ_WRITE;
        a->mem = k->cl->clCreateBuffer(k->context, flags, a->size, NULL, &code);
        if (!code) vec_push(&k->made, a->mem);
        if (!code && a->data)
            code = k->cl->clEnqueueWriteBuffer(k->queue, a->mem, CL_TRUE, 0, a->size, a->data, 0,
                                               NULL, NULL);
        if (code) return cmd_call_failed(k, what, code);
    }
    if (a->kind == CMD_ARG_SAME) {
        a->mem = args[a->same].mem;
        a->size = args[a->same].size;
    }
    if (a->kind == CMD_ARG_IMAGE) code = cmd_image_make(k, k->params[i].type, a);
    if (a->kind == CMD_ARG_PIPE) code = cmd_pipe_make(k, a);
    if (code) return cmd_call_failed(k, what, code);
    if (!strcmp(k->params[i].type, "queue_t")) { // whatever the argument is
        code = k->cl->clSetKernelArg(k->kernel, i, sizeof k->device_queue, &k->device_queue);
        return code ? cmd_call_failed(k, what, code) : NULL;
    }
    switch (a->kind) {
    case CMD_ARG_SET: break;
    case CMD_ARG_SAMPLER: code = cmd_sampler_set(k, i, &a->sampler); break;
    case CMD_ARG_VALUE: code = k->cl->clSetKernelArg(k->kernel, i, a->size, a->data); break;
    case CMD_ARG_LOCAL: code = k->cl->clSetKernelArg(k->kernel, i, a->size, NULL); break;
    case CMD_ARG_BUFFER:
    case CMD_ARG_IMAGE:
    case CMD_ARG_PIPE:
    case CMD_ARG_SAME:
    case CMD_ARG_NULL:
        code = k->cl->clSetKernelArg(k->kernel, i, sizeof a->mem, a->mem ? &a->mem : NULL);
        break;
    }
    return code ? cmd_call_failed(k, what, code) : NULL;
}

static struct err *dump(struct cmd_kernel *k, unsigned i, const struct cmd_arg *a,
                        const struct cmd_dump *d)
{
    size_t size = a->size;
    char *data = malloc(size);
    if (!data) return err_new("no memory to dump argument %u", i);
    cl_int code = a->kind == CMD_ARG_IMAGE ? cmd_image_read(k, a, data)
                  : a->packet              ? cmd_pipe_read(k, a, data, &size)
                              : k->cl->clEnqueueReadBuffer(k->queue, a->mem, CL_TRUE, 0, a->size,
                                                           data, 0, NULL, NULL);
    if (code) {
        free(data);
        return cmd_call_failed(k, "a buffer cannot be read", code);
    }
    size_t element = cmd_type_size(d->type);
    if (a->packet)
        printf("\nArgument '%s': %zu of %zu packets\n", k->params[i].name, size / a->packet,
               a->size / a->packet);
    else printf("\nArgument '%s': %zu bytes\n", k->params[i].name, size);
    for (size_t n = 0; n < size / element; n++) {
        printf("  %s[%zu] = ", k->params[i].name, n);
        cmd_value_print(stdout, d->type, data + n * element, d->style);
        putchar('\n');
    }
    putchar('\n');
    free(data);
    return NULL;
}

static struct err *launch(struct cmd_kernel *k, const struct cmd_range *r)
{
    cl_event event = NULL;
    cl_int code = k->cl->clEnqueueNDRangeKernel(k->queue, k->kernel, r->dims, r->offset, r->global,
                                                r->has_local ? r->local : NULL, 0, NULL, &event);
    if (code) return cmd_call_failed(k, "the kernel cannot be launched", code);
    k->cl->clFinish(k->queue);
    cl_int status = CL_COMPLETE;
    k->cl->clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL);
    k->cl->clReleaseEvent(event);
    return status < 0 ? cmd_call_failed(k, "the kernel did not end well", status) : NULL;
}

struct err *cmd_kernel_run(struct cmd_kernel *k, struct cmd_arg *args, const struct cmd_range *r)
{
    struct err *e = NULL;
    for (unsigned i = 0; i < k->nparams && !e; i++) e = set_arg(k, i, args);
    if (!e) e = launch(k, r);
    fflush(stdout); // what the kernel printed comes before the dumps
    for (unsigned i = 0; i < k->nparams && !e; i++)
        for (const struct cmd_dump *d = args[i].dumps; d && !e; d = d->next) {
            if (args[i].mem) e = dump(k, i, &args[i], d);
            else printf("\nArgument '%s': NULL\n\n", k->params[i].name);
        }
    return e;
}

void cmd_debug_idle(void)
{
    struct cmd_home home = {0};
    struct err *e = cmd_home_find(&home);
    void *lib = e ? NULL : dlopen(home.driver, RTLD_NOW | RTLD_LOCAL);
    const struct _cl_icd_dispatch *(*dispatch)(void) = NULL;
    if (lib) *(void **)&dispatch = dlsym(lib, "cldbg_dispatch");
    cl_uint n;
    if (dispatch)
        dispatch()->clGetPlatformIDs(
            0, NULL, &n); // the first call of an app: returns when the client has disconnected
    err_free(e);
    cmd_home_free(&home);
}
