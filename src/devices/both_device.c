// SPDX-License-Identifier: MIT
// --both: each launch is run checked and then, without findings, as machine code on a copy of the
// original memory. Buffers, images and program-scope variables must be equal. The app continues
// with the results of checked execution. If an element differs, the launch is run again on the
// original memory, unchecked, to find the work-item that writes the first differing element last.
//
// Not compared: kernels with atomics (their results may depend on the order of work-items), the
// targets of pointers in memory, kernels that cannot be run as machine code (which is reported),
// and launches that may see different variables in the two forms (variables other than numbers,
// after a launch that did not run on both).
#include "devices/both_variables.h"
#include "devices/dev.h"
#include "devices/snapshot.h"

#include "base/mem.h"
#include "check/check.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct program {
    const struct bc_module *module;
    void *checked, *native;
    struct both_variables variables;
    pthread_mutex_t lock; // serializes launches if the program has variables
    uint64_t apart_since; // number of the first launch that did not run on both; 0: none
};

static void unload(void *program)
{
    struct program *p = program;
    if (p->checked) dev_interp.program_unload(p->checked);
    if (p->native) dev_native.program_unload(p->native);
    both_variables_deinit(&p->variables);
    pthread_mutex_destroy(&p->lock);
    free(p);
}

static void *load(const struct bc_module *m, struct dev_blob native, struct err **e)
{
    struct program *p = mem_alloc(sizeof *p);
    p->module = m;
    pthread_mutex_init(&p->lock, NULL);
    p->checked = dev_interp.program_load(m, native, e);
    if (p->checked) p->native = dev_native.program_load(m, native, e);
    if (p->native && both_variables_find(&p->variables, m, p->checked, p->native)) return p;
    if (p->native) *e = err_new("out of memory");
    unload(p);
    return NULL;
}

// ---- the original memory

struct copy {
    const void *root, *host;
    char *data; // memory of the other run
    uint64_t size;
};

static bool is_memory(const struct bc_arg *decl)
{
    return decl->kind == BC_ARG_BUFFER || decl->kind == BC_ARG_IMAGE;
}

/**
 * Copies each root that the kernel may write; args: those of the launch, with the copies. False: no
 * memory.
 */
static bool copy_memory(const struct vm_launch *l, const struct bc_arg *decl, struct vm_arg *args,
                        struct copy *copies, unsigned *ncopies)
{
    const uint32_t n = l->kernel->nargs;
    memcpy(args, l->args, n * sizeof *args);
    for (uint32_t i = 0; i < n; i++) {
        const struct vm_buffer *b = &l->args[i].buffer;
        bool written = false;
        for (uint32_t k = 0; k < n; k++)
            written |= is_memory(&decl[k]) && decl[k].may_write &&
                       l->args[k].buffer.root == b->root;
        if (!is_memory(&decl[i]) || !b->host || !written) continue;
        unsigned k = 0;
        while (k < *ncopies && copies[k].root != b->root) k++;
        if (k == *ncopies) {
            const uint64_t room = b->root_size ? b->root_size : 1;
            copies[k] = (struct copy){b->root, b->host, mem_try_alloc(room, 128), b->root_size};
            if (!copies[k].data) return false;
            memcpy(copies[k].data, b->host, b->root_size);
            (*ncopies)++;
        }
        args[i].buffer.host = copies[k].data;
    }
    return true;
}

// ---- finding the writer

struct twice { // a launch that ran checked, and then as machine code on copies of its memory
    struct program *p;
    const struct vm_launch *l;
    const struct dev_snapshot *before;
    struct vm_arg *args; // of the second run
    struct copy *copies;
    unsigned ncopies;
};

/**
 * Runs the launch again, watching only the byte at that offset of a root. False: it could not be
 * run.
 */
static bool find_writer(const struct twice *t, const void *root, uint64_t offset,
                        struct vm_writer *w)
{
    struct program *const p = t->p;
    const struct vm_launch *const l = t->l;
    if (p->variables.has_others) return false; // they would be modified twice
    for (unsigned k = 0; k < t->ncopies; k++)
        if (t->copies[k].size)
            memcpy(t->copies[k].data, dev_snapshot_of(t->before, t->copies[k].host),
                   t->copies[k].size);
    *w = (struct vm_writer){.root = root, .offset = offset};
    struct vm_launch again = *l;
    struct vm_arg *own = mem_dup(t->args, (l->kernel->nargs + 1) * sizeof *t->args);
    for (uint32_t i = 0; i < l->kernel->nargs; i++) own[i].buffer.touched = NULL;
    again.args = own;
    again.checks = 0;
    again.rep = NULL;
    again.threads = 1;
    again.debugger = NULL;
    again.writer = w;
    again.variables = NULL;
    again.out = fopen("/dev/null", "w");
    both_variables_repeat(&p->variables, t->before);
    struct err *e = again.out ? dev_interp.launch(p->checked, &again) : NULL;
    both_variables_restore(&p->variables);
    const bool ok = again.out && !e;
    if (again.out) fclose(again.out);
    err_free(e);
    free(own);
    return ok;
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

// Compares with a tolerance: the same operations in the same order give the same bits, but a
// compiler may contract or reassociate.
static bool equal(const char *a, const char *b, unsigned size, enum form form)
{
    if (!memcmp(a, b, size)) return true;
    if (form == BYTES) return false;
    const double x = number(a, form), y = number(b, form), least = form == FLOATS ? 1e-30 : 1e-290;
    if (x != x || y != y) return x != x && y != y;
    return fabs(x - y) <= fmax(fabs(x), fabs(y)) * (form == FLOATS ? 1e-5 : 1e-12) ||
           fmax(fabs(x), fabs(y)) < least;
}

static void show(char *text, size_t n, const char *p, unsigned size, enum form form, bool is_signed)
{
    uint64_t bits = 0;
    memcpy(&bits, p, size);
    if (is_signed)
        snprintf(text, n, "%lld", (long long)(int64_t)(bits << (64 - 8 * size)) >> (64 - 8 * size));
    else if (form != BYTES) snprintf(text, n, form == FLOATS ? "%.9g" : "%.17g", number(p, form));
    else snprintf(text, n, "%llu (0x%llx)", (unsigned long long)bits, (unsigned long long)bits);
}

/** The first element that differs, of an argument or a variable. */
struct difference {
    struct chk_mismatch x;
    char checked[160], native[160];
    const void *root; // the memory that contains it, and the offset
    uint64_t offset;
};

/** False: none. `pixels`: for an image, otherwise NULL. */
static bool differ(const char *was, const char *is, uint64_t bytes, const char *type,
                   const struct vm_image *pixels, struct difference *d)
{
    if (was == is || !memcmp(was, is, bytes)) return false;
    const enum form form = pixels ? pixels->format.type == VM_FLOAT ? FLOATS : BYTES
                                  : form_of(type);
    const unsigned size = pixels ? pixels->format.elem : size_of(type, form);
    const bool is_signed = form == BYTES && !pixels &&
                           (str_starts(type, "int") || str_starts(type, "long") ||
                            str_starts(type, "short") || str_starts(type, "char"));
    *d = (struct difference){.x = {.total = bytes / size, .is_pixel = pixels}};
    for (uint64_t k = 0; k < d->x.total; k++) {
        if (equal(was + k * size, is + k * size, size, form) || d->x.count++) continue;
        d->x.element = k;
        d->offset = k * size;
        show(d->checked, sizeof d->checked, was + k * size, size, form, is_signed);
        show(d->native, sizeof d->native, is + k * size, size, form, is_signed);
    }
    d->x.checked = d->checked;
    d->x.native = d->native;
    return d->x.count != 0;
}

static bool arguments_differ(const struct vm_launch *l, const struct bc_module *m,
                             const struct vm_arg *native, uint32_t arg, struct difference *d)
{
    const struct vm_buffer *b = &l->args[arg].buffer;
    const struct bc_arg *decl = &m->args[l->kernel->first_arg + arg];
    if (!differ((const char *)b->host + b->offset,
                (const char *)native[arg].buffer.host + b->offset, b->size, bc_str(m, decl->type),
                decl->kind == BC_ARG_IMAGE ? &l->args[arg].image : NULL, d))
        return false;
    d->x.name = bc_str(m, decl->name);
    d->root = b->root;
    d->offset += b->offset;
    return true;
}

static bool variables_differ(const struct bc_module *m, const struct both_variable *v,
                             struct difference *d)
{
    if (!differ(v->checked, v->native, v->object->size, bc_str(m, v->object->type), NULL, d))
        return false;
    d->x.name = bc_str(m, v->object->name);
    d->root = v->checked;
    return true;
}

static void compare(const struct twice *t)
{
    const struct program *const p = t->p;
    const struct vm_launch *const l = t->l;
    const struct bc_arg *decl = p->module->args + l->kernel->first_arg;
    struct chk_launch c = {.module = p->module,
                           .kernel = l->kernel,
                           .rep = l->rep,
                           .number = l->number,
                           .host_site = l->host_site,
                           .dims = l->dims};
    for (unsigned k = 0; k < 3; k++) {
        c.global[k] = l->global[k];
        c.local[k] = l->local[k];
        c.offset[k] = l->offset[k];
        c.grid[k] = (l->global[k] + l->local[k] - 1) / l->local[k];
    }
    // find all before analyzing any, which changes the copies
    struct difference *all =
        mem_alloc((l->kernel->nargs + p->variables.numbers.len + 1) * sizeof *all);
    unsigned n = 0;
    for (uint32_t i = 0; i < l->kernel->nargs; i++)
        if (is_memory(&decl[i]) && l->args[i].buffer.host)
            n += arguments_differ(l, p->module, t->args, i, &all[n]);
    for (size_t k = 0; k < p->variables.numbers.len; k++)
        n += variables_differ(p->module, &p->variables.numbers.data[k], &all[n]);
    for (unsigned k = 0; k < n; k++) {
        struct vm_writer w;
        if (find_writer(t, all[k].root, all[k].offset, &w)) {
            all[k].x.writer = w.found ? CHK_WRITER_KNOWN : CHK_WRITER_NONE;
            all[k].x.item = (struct chk_item){w.group, w.item};
            all[k].x.loc = w.loc;
        }
        chk_report_mismatch(&c, &all[k].x);
    }
    free(all);
}

static void not_compared(const struct program *p, const struct vm_launch *l, const struct err *e)
{
    fprintf(dev_report_out(),
            "cldbg: --both: launch %llu of kernel '%s' was checked, but not compared: %s\n",
            (unsigned long long)l->number, bc_str(p->module, l->kernel->name), err_message(e));
}

// A failure is the reason why the launch is not compared.
static struct err *run_native(struct program *p, const struct vm_launch *l,
                              const struct dev_snapshot *before, struct vm_arg *args)
{
    if (p->variables.has_others && p->apart_since)
        return err_new(
            "launch %llu, which ran checked only, may have changed program-scope variables",
            (unsigned long long)p->apart_since);
    both_variables_give(&p->variables, before);
    struct vm_launch again = *l;
    again.args = args;
    again.out = fopen("/dev/null", "w"); // the output was already printed
    struct err *e = again.out ? dev_native.launch(p->native, &again)
                              : err_new("/dev/null cannot be written to");
    if (again.out) fclose(again.out);
    return e;
}

static struct err *launch(void *program, const struct vm_launch *l)
{
    struct program *p = program;
    if (l->root || l->kernel->enqueues) return dev_interp.launch(p->checked, l); // only checked
    const uint32_t n = l->kernel->nargs;
    const struct bc_arg *decl = p->module->args + l->kernel->first_arg;
    struct vm_arg *args = mem_alloc((n + 1) * sizeof *args);
    struct copy *copies = mem_alloc((n + 1) * sizeof *copies);
    unsigned ncopies = 0;
    const bool variables = p->variables.numbers.len || p->variables.has_others;
    if (variables) pthread_mutex_lock(&p->lock);
    struct dev_snapshot *before =
        l->rep && !l->kernel->uses_atomics
            ? dev_snapshot_take(l, p->module, dev_interp.variable, p->checked)
            : NULL;
    bool compared = before && copy_memory(l, decl, args, copies, &ncopies);
    struct err *e = dev_interp.launch(p->checked, l);
    if (!e && compared) {
        rep_flush(l->rep);
        compared = !rep_has_found(l->rep, l->number); // after an error, results are unpredictable
    }
    if (!e && compared) {
        struct err *why = run_native(p, l, before, args);
        if (why) not_compared(p, l, why);
        else compare(&(struct twice){p, l, before, args, copies, ncopies});
        compared = !why;
        err_free(why);
    }
    if (variables && !compared && !p->apart_since) p->apart_since = l->number;
    if (variables) pthread_mutex_unlock(&p->lock);
    for (unsigned k = 0; k < ncopies; k++) free(copies[k].data);
    dev_snapshot_free(before);
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
