// SPDX-License-Identifier: MIT
// Restores the arguments of a captured launch: the same memory for the same arguments, with bytes
// that were never written still unwritten.
#include "cli/host.h"

#include <stdlib.h>
#include <string.h>

enum { ACCESS = CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY | CL_MEM_READ_WRITE };

static struct err *failed(struct cmd_kernel *k, const struct dev_capture_arg *a, cl_int code)
{
    char what[300];
    snprintf(what, sizeof what, "argument '%s' of the capture", a->name);
    return cmd_call_failed(k, what, code);
}

/** The object that is created for memory of the capture. */
struct root {
    cl_mem mem;
    char *shared; // or this
};

static cl_int write_bytes(struct cmd_kernel *k, const struct root *to, bool is_pipe, uint64_t at,
                          const char *bytes, uint64_t n)
{
    if (is_pipe) return cmd_pipe_bytes(k, to->mem, at, bytes, n);
    return to->shared ? k->cl->clEnqueueSVMMemcpy(k->queue, CL_TRUE, to->shared + at, bytes, n, 0,
                                                  NULL, NULL)
                      : k->cl->clEnqueueWriteBuffer(k->queue, to->mem, CL_TRUE, at, n, bytes, 0,
                                                    NULL, NULL);
}

/** Writes the bytes that were written, run by run. */
static cl_int fill(struct cmd_kernel *k, const struct root *root,
                   const struct dev_capture_memory *m, bool is_pipe)
{
    cl_int code = CL_SUCCESS;
    for (uint64_t from = 0, to; from < m->size && !code; from = to) {
        const bool written = !m->written || m->written[from];
        to = m->written ? from + 1 : m->size;
        while (to < m->size && !m->written[to] == !written) to++;
        if (written)
            code = write_bytes(k, root, is_pipe, from, (const char *)m->data + from, to - from);
    }
    return code;
}

static cl_mem keep(struct cmd_kernel *k, cl_mem mem)
{
    if (mem) vec_push(&k->made, mem);
    return mem;
}

/**
 * All shared virtual memory: elsewhere than it was, but kernels know it by the addresses of then.
 */
static struct err *share(struct cmd_kernel *k, const struct dev_capture *c, struct root *roots)
{
    void (*set_address)(const void *p, uint64_t address); // api/svm.h
    *(void **)&set_address = k->cl->clGetExtensionFunctionAddress("cldbgSvmAddress");
    // only this memory is known to be unwritten
    clDeviceMemAllocINTEL_fn allocate;
    *(void **)&allocate = k->cl->clGetExtensionFunctionAddress("clDeviceMemAllocINTEL");
    for (uint32_t i = 0; i < c->nmemory; i++) {
        const struct dev_capture_memory *m = &c->memory[i];
        if (!m->address) continue;
        roots[i].shared = m->written ? allocate(k->context, k->device, NULL, m->size, 0, NULL)
                                     : k->cl->clSVMAlloc(k->context, CL_MEM_READ_WRITE, m->size, 0);
        if (!roots[i].shared)
            return err_new("no memory for %llu bytes of shared virtual memory",
                           (unsigned long long)m->size);
        vec_push(&k->shared, roots[i].shared);
        const cl_int bad = fill(k, &roots[i], m, false);
        if (bad) return cmd_call_failed(k, "the shared virtual memory of the capture", bad);
        set_address(roots[i].shared, m->address);
    }
    void (*set_gone)(const struct vm_gone *g);
    *(void **)&set_gone = k->cl->clGetExtensionFunctionAddress("cldbgSvmGone");
    for (uint32_t i = 0; i < c->ngone; i++) set_gone(&c->gone[i]);
    return NULL;
}

/** Removes the handle from a list of handles to release at the end. False: it is not in the list.
 */
static bool take_out(void *list, size_t *len, const void *handle)
{
    void **all = list;
    for (size_t i = *len; i--;) {
        if (all[i] != handle) continue;
        all[i] = all[--*len];
        return true;
    }
    return false;
}

/**
 * What the app had released when it launched the kernel is released here, too: nothing of it can be
 * dumped.
 */
static void let_go(struct cmd_kernel *k, const struct dev_capture *c, const struct root *roots,
                   const cl_mem *given, struct cmd_arg *args)
{
    for (unsigned i = 0; i < c->nargs; i++) {
        const struct dev_capture_arg *a = &c->args[i];
        if (!a->released) continue;
        cl_mem m = given[i];
        args[i].mem = NULL;
        if (a->kind != DEV_CAPTURE_SVM) {
            if (take_out(k->made.data, &k->made.len, m)) k->cl->clReleaseMemObject(m);
        } else if (take_out(k->shared.data, &k->shared.len, roots[a->memory].shared)) {
            if (take_out(k->made.data, &k->made.len, m)) k->cl->clReleaseMemObject(m);
            k->cl->clSVMFree(k->context, roots[a->memory].shared);
        }
    }
}

/** The buffer that an argument is, or that its image is on: the root, or a part of it. */
static cl_mem buffer(struct cmd_kernel *k, const struct dev_capture *c,
                     const struct dev_capture_arg *a, bool is_pipe, struct root *roots,
                     cl_int *code)
{
    const struct dev_capture_memory *m = &c->memory[a->memory];
    cl_mem *root = &roots[a->memory].mem;
    *code = CL_SUCCESS;
    if (m->address)
        return keep(k, k->cl->clCreateBuffer(k->context, (a->flags & ACCESS) | CL_MEM_USE_HOST_PTR,
                                             a->size, roots[a->memory].shared + a->offset, code));
    if (!*root) {
        *root = is_pipe ? cmd_pipe_captured(k, m, code)
                        : keep(k, k->cl->clCreateBuffer(k->context, m->flags & ACCESS, m->size,
                                                        NULL, code));
        if (!*code) *code = fill(k, &roots[a->memory], m, is_pipe);
        if (*code) return NULL;
    }
    if (a->offset == 0 && a->size == m->size) return *root;
    const cl_buffer_region part = {a->offset, a->size};
    return keep(k, k->cl->clCreateSubBuffer(*root, a->flags & ACCESS, CL_BUFFER_CREATE_TYPE_REGION,
                                            &part, code));
}

/**
 * Do rows and slices with these pitches lie one after another in `size` bytes? The pitches are a
 * file's word.
 */
static bool pixels_fit(uint64_t row_bytes, uint64_t rows, uint64_t slices, uint64_t row_pitch,
                       uint64_t slice_pitch, uint64_t size)
{
    uint64_t slice, all;
    return row_bytes && row_pitch >= row_bytes &&
           !__builtin_mul_overflow(row_pitch, rows, &slice) && slice_pitch >= slice &&
           !__builtin_mul_overflow(slice_pitch, slices, &all) && all <= size;
}

/**
 * Writes the pixels of an image that were written, run by run. Nothing is read outside m->data,
 * whatever the capture says of the image.
 */
static cl_int fill_image(struct cmd_kernel *k, cl_mem mem, const struct dev_capture_memory *m,
                         const struct dev_capture_image *i)
{
    size_t pixel;
    cl_int code = k->cl->clGetImageInfo(mem, CL_IMAGE_ELEMENT_SIZE, sizeof pixel, &pixel, NULL);
    if (code) return code;
    const bool lines = i->type == CL_MEM_OBJECT_IMAGE1D_ARRAY; // layers are counted where rows are
    const uint64_t rows = i->height ? i->height : 1, slices = i->layers  ? i->layers
                                                              : i->depth ? i->depth
                                                                         : 1;
    const uint64_t row_pitch = i->row_pitch ? i->row_pitch : i->width * pixel,
                   slice_pitch = i->slice_pitch ? i->slice_pitch : row_pitch * rows;
    if (!pixels_fit(i->width * pixel, rows, slices, row_pitch, slice_pitch, m->size))
        return CL_INVALID_IMAGE_SIZE;
    for (uint64_t row = 0; row < rows * slices && !code; row++) {
        const uint64_t y = row % rows, z = row / rows, at = z * slice_pitch + y * row_pitch;
        for (uint64_t from = 0, to; from < i->width && !code; from = to) {
            const bool written = !m->written || m->written[at + from * pixel];
            for (to = m->written ? from + 1 : i->width;
                 to < i->width && !m->written[at + to * pixel] == !written;)
                to++;
            const size_t origin[3] = {from, lines ? z : y, lines ? 0 : z},
                         region[3] = {to - from, 1, 1};
            if (written)
                code = k->cl->clEnqueueWriteImage(k->queue, mem, CL_TRUE, origin, region, 0, 0,
                                                  (const char *)m->data + at + from * pixel, 0,
                                                  NULL, NULL);
        }
    }
    return code;
}

static cl_mem image(struct cmd_kernel *k, const struct dev_capture *c,
                    const struct dev_capture_arg *a, struct root *roots, cl_int *code)
{
    const struct dev_capture_image *i = &a->image;
    const cl_image_format format = {i->order, i->channel};
    cl_image_desc d = {.image_type = i->type,
                       .image_width = i->width,
                       .image_height = i->height,
                       .image_depth = i->depth,
                       .image_array_size = i->layers,
                       .image_row_pitch = i->row_pitch,
                       .image_slice_pitch = i->slice_pitch};
    cl_mem_flags flags = a->flags & ACCESS;
    if (i->on_buffer) {
        d.mem_object = buffer(k, c, a, false, roots, code);
        if (*code) return NULL;
        if (i->type == CL_MEM_OBJECT_IMAGE1D_BUFFER) d.image_row_pitch = d.image_slice_pitch = 0;
        return keep(k, k->cl->clCreateImage(k->context, flags, &format, &d, NULL, code));
    }
    // Two arguments may be one image.
    if (roots[a->memory].mem) return roots[a->memory].mem;
    d.image_row_pitch = d.image_slice_pitch = 0;
    cl_mem made = roots[a->memory].mem =
        keep(k, k->cl->clCreateImage(k->context, flags, &format, &d, NULL, code));
    if (made) *code = fill_image(k, made, &c->memory[a->memory], i);
    return *code ? NULL : made;
}

static cl_int set_sampler(struct cmd_kernel *k, unsigned i, const struct dev_capture_arg *a)
{
    cl_int code;
    cl_sampler s =
        k->cl->clCreateSampler(k->context, a->normalized, a->addressing, a->filter, &code);
    if (!code) code = k->cl->clSetKernelArg(k->kernel, i, sizeof s, &s);
    if (s) k->cl->clReleaseSampler(s);
    return code;
}

static struct err *set(struct cmd_kernel *k, const struct dev_capture *c, unsigned i,
                       struct root *roots, struct cmd_arg *arg, cl_mem *given)
{
    const struct dev_capture_arg *a = &c->args[i];
    cl_int code = CL_SUCCESS;
    arg->kind = CMD_ARG_SET;
    switch (a->kind) {
    case DEV_CAPTURE_VALUE: code = k->cl->clSetKernelArg(k->kernel, i, a->size, a->value); break;
    case DEV_CAPTURE_LOCAL: code = k->cl->clSetKernelArg(k->kernel, i, a->size, NULL); break;
    case DEV_CAPTURE_NULL: code = k->cl->clSetKernelArg(k->kernel, i, sizeof(cl_mem), NULL); break;
    case DEV_CAPTURE_SAMPLER: code = set_sampler(k, i, a); break;
    case DEV_CAPTURE_BUFFER:
    case DEV_CAPTURE_SVM: // as a buffer it can be dumped
    case DEV_CAPTURE_IMAGE: {
        const bool is_pipe = k->params[i].is_pipe;
        cl_mem m = a->kind == DEV_CAPTURE_IMAGE ? image(k, c, a, roots, &code)
                                                : buffer(k, c, a, is_pipe, roots, &code);
        if (code) break;
        if (a->kind == DEV_CAPTURE_SVM)
            code =
                k->cl->clSetKernelArgSVMPointer(k->kernel, i, roots[a->memory].shared + a->offset);
        else code = k->cl->clSetKernelArg(k->kernel, i, sizeof m, &m);
        *given = m;
        if (a->kind != DEV_CAPTURE_IMAGE) {
            arg->mem = m;
            arg->size = a->size;
            arg->type = cmd_element_of(k->params[i].type);
            if (is_pipe) cmd_pipe_known(k, k->params[i].type, arg);
            if (!arg->type.scalar) arg->type = cmd_type_find("uchar", 5);
        }
        break;
    }
    case DEV_CAPTURE_KIND_COUNT: break;
    }
    return code ? failed(k, a, code) : NULL;
}

struct err *cmd_capture_args(struct cmd_kernel *k, const struct dev_capture *c,
                             struct cmd_arg *args)
{
    if (c->nargs != k->nparams)
        return err_new("the capture has %u arguments, the kernel takes %u", c->nargs, k->nparams);
    struct root *roots = arena_array(&k->arena, struct root, c->nmemory + 1);
    cl_mem *given = arena_array(&k->arena, cl_mem, c->nargs + 1);
    struct err *e = share(k, c, roots);
    for (unsigned i = 0; i < c->nargs && !e; i++) e = set(k, c, i, roots, &args[i], &given[i]);
    if (!e) let_go(k, c, roots, given, args);
    return e;
}
