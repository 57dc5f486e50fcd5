// SPDX-License-Identifier: MIT
// --both: each launch is run checked, and then, where nothing was found, as machine code on a copy of what memory held before;
// the buffers must be equal. The app goes on with what checked execution computed.
//
// Not compared: kernels with atomics (their results may depend on the order of work-items), and what pointers within memory lead to.
#include "devices/dev.h"

#include "base/mem.h"
#include "check/check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct program {
    const struct bc_module *module;
    void *checked, *native;
};

static void unload(void *program)
{
    struct program *p = program;
    if (p->checked) dev_interp.program_unload(p->checked);
    if (p->native) dev_native.program_unload(p->native);
    free(p);
}

static void *load(const struct bc_module *m, struct dev_blob native, struct err **e)
{
    struct program *p = mem_alloc(sizeof *p);
    p->module = m;
    p->checked = dev_interp.program_load(m, native, e);
    if (p->checked) p->native = dev_native.program_load(m, native, e);
    if (p->native) return p;
    unload(p);
    return NULL;
}

// ---- memory as it was

struct copy {
    const void *root;
    char *data;
};

/** A copy of each root that the kernel may write; args: those of the launch, with the copies. False: there is no memory. */
static bool copy_memory(const struct vm_launch *l, const struct bc_arg *decl, struct vm_arg *args, struct copy *copies, unsigned *ncopies)
{
    const uint32_t n = l->kernel->nargs;
    memcpy(args, l->args, n * sizeof *args);
    for (uint32_t i = 0; i < n; i++) {
        const struct vm_buffer *b = &l->args[i].buffer;
        bool written = false;
        for (uint32_t k = 0; k < n; k++)
            written |= decl[k].kind == BC_ARG_BUFFER && decl[k].may_write && l->args[k].buffer.root == b->root;
        if (decl[i].kind != BC_ARG_BUFFER || !b->host || !written) continue;
        unsigned k = 0;
        while (k < *ncopies && copies[k].root != b->root) k++;
        if (k == *ncopies) {
            copies[k] = (struct copy){b->root, mem_try_alloc(b->root_size ? b->root_size : 1, 128)};
            if (!copies[k].data) return false;
            memcpy(copies[(*ncopies)++].data, b->host, b->root_size);
        }
        args[i].buffer.host = copies[k].data;
    }
    return true;
}

// ---- comparing

enum form { BYTES, FLOATS, DOUBLES };

static enum form form_of(const char *type)
{
    if (strstr(type, "float")) return FLOATS;
    return strstr(type, "double") ? DOUBLES : BYTES;
}

static unsigned size_of(const char *type, enum form form)
{
    if (form == FLOATS) return 4;
    if (form == DOUBLES || strstr(type, "long")) return 8;
    return strstr(type, "int") ? 4 : strstr(type, "short") || strstr(type, "half") ? 2 : 1;
}

static double number(const char *p, enum form form)
{
    float f;
    double d;
    memcpy(&f, p, sizeof f);
    if (form == FLOATS) return f;
    memcpy(&d, p, sizeof d);
    return d;
}

// The same steps in the same order give the same bits; a compiler may contract or reassociate within these bounds.
static bool equal(const char *a, const char *b, unsigned size, enum form form)
{
    if (!memcmp(a, b, size)) return true;
    if (form == BYTES) return false;
    const double x = number(a, form), y = number(b, form), least = form == FLOATS ? 1e-30 : 1e-290;
    if (x != x || y != y) return x != x && y != y;
    return fabs(x - y) <= fmax(fabs(x), fabs(y)) * (form == FLOATS ? 1e-5 : 1e-12) || fmax(fabs(x), fabs(y)) < least;
}

static void show(char *text, size_t n, const char *p, unsigned size, enum form form, bool is_signed)
{
    uint64_t bits = 0;
    memcpy(&bits, p, size);
    if (is_signed) snprintf(text, n, "%lld", (long long)(int64_t)(bits << (64 - 8 * size)) >> (64 - 8 * size));
    else if (form != BYTES) snprintf(text, n, form == FLOATS ? "%.9g" : "%.17g", number(p, form));
    else snprintf(text, n, "%llu (0x%llx)", (unsigned long long)bits, (unsigned long long)bits);
}

static void compare(const struct vm_launch *l, const struct bc_module *m, const struct vm_arg *native, uint32_t arg)
{
    const struct vm_buffer *b = &l->args[arg].buffer;
    const struct bc_arg *decl = &m->args[l->kernel->first_arg + arg];
    const char *type = bc_str(m, decl->type), *was = (const char *)b->host + b->offset, *is = (const char *)native[arg].buffer.host + b->offset;
    if (was == is || !memcmp(was, is, b->size)) return;
    const enum form form = form_of(type);
    const unsigned size = size_of(type, form);
    const bool is_signed = form == BYTES && (str_starts(type, "int") || str_starts(type, "long") || str_starts(type, "short") || str_starts(type, "char"));
    struct chk_mismatch x = {.arg = arg, .total = b->size / size};
    char checked[64], other[64];
    for (uint64_t k = 0; k < x.total; k++) {
        if (equal(was + k * size, is + k * size, size, form) || x.count++) continue;
        x.element = k;
        show(checked, sizeof checked, was + k * size, size, form, is_signed);
        show(other, sizeof other, is + k * size, size, form, is_signed);
    }
    if (!x.count) return;
    x.checked = checked;
    x.native = other;
    const struct chk_launch c = {.module = m, .kernel = l->kernel, .rep = l->rep, .number = l->number, .host_site = l->host_site, .dims = l->dims};
    chk_report_mismatch(&c, &x);
}

static struct err *launch(void *program, const struct vm_launch *l)
{
    struct program *p = program;
    const uint32_t n = l->kernel->nargs;
    const struct bc_arg *decl = p->module->args + l->kernel->first_arg;
    struct vm_arg *args = mem_alloc((n + 1) * sizeof *args);
    struct copy *copies = mem_alloc((n + 1) * sizeof *copies);
    unsigned ncopies = 0;
    bool compared = l->rep && !l->kernel->uses_atomics && copy_memory(l, decl, args, copies, &ncopies);
    struct err *e = dev_interp.launch(p->checked, l);
    if (!e && compared) {
        rep_flush(l->rep);
        compared = !rep_has_shown(l->rep, l->number); // what is wrong may do anything
    }
    if (!e && compared) {
        struct vm_launch again = *l;
        again.args = args;
        again.out = fopen("/dev/null", "w"); // it was printed already
        e = dev_native.launch(p->native, &again);
        if (again.out) fclose(again.out);
        for (uint32_t i = 0; i < n && !e; i++)
            if (decl[i].kind == BC_ARG_BUFFER && l->args[i].buffer.host) compare(l, p->module, args, i);
    }
    for (unsigned k = 0; k < ncopies; k++) free(copies[k].data);
    free(copies);
    free(args);
    return e;
}

const struct dev_device_ops dev_both = {
    .name = "both",
    .program_load = load,
    .program_unload = unload,
    .launch = launch,
};
