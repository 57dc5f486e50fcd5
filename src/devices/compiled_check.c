// SPDX-License-Identifier: MIT
// --engine=check: both engines run each launch that can be proved, and must agree: a launch that an
// earlier one proved is clean, and machine code leaves the same bytes in memory (NaNs may differ in
// their bits, as OpenCL allows). The proof engine (src/proof), too, is asked about each launch, and
// must not have proved one in which something is found.
#include "devices/compiled_device.h"

#include "devices/launch_question.h"
#include "devices/native_device.h"
#include "devices/native_shadow.h"

#include "base/mem.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** Of an allocation that the kernel may write: what it held before the launch. */
struct before {
    const struct vm_buffer *buffer;
    char *data;
    struct vm_written written; // bytes NULL: it was wholly written
};

static void report(const struct compiled_program *p, const struct vm_launch *l, const char *what)
{
    fprintf(dev_report_out(),
            "cldbg: internal error: --engine=check: launch %llu of kernel '%s': %s\n",
            (unsigned long long)l->number, bc_str(p->module, l->kernel->name), what);
    rep_count(&rep_totals(l->rep)->internal_errors, 1);
}

static unsigned find_root(const struct before *list, unsigned n, const void *root)
{
    unsigned k = 0;
    while (k < n && list[k].buffer->root != root) k++;
    return k;
}

struct err *compiled_ask(const struct compiled_program *p, const struct proof_question *q,
                         struct arena *a, struct proof_answer *out)
{
    const struct dev_build b = {
        .kind = DEV_BUILD, .options = "", .objects = &p->bitcode, .nobjects = 1};
    return p->bitcode.size ? dev_prove(&b, q, a, out) : err_new("no bitcode");
}

bool compiled_prove(const struct compiled_program *p, const struct proof_question *q)
{
    struct arena a = {0};
    struct proof_answer answer;
    struct err *e = compiled_ask(p, q, &a, &answer);
    const bool proved = !e && proof_all_proved(&answer);
    err_free(e);
    arena_deinit(&a);
    return proved;
}

bool compiled_is_proved(const struct compiled_program *p, const struct vm_launch *l)
{
    struct arena a = {0};
    const struct proof_question q = dev_launch_question(l, p->module, &a, false);
    const bool proved = compiled_prove(p, &q);
    arena_deinit(&a);
    return proved;
}

void compiled_check_found(const struct compiled_program *p, const struct vm_launch *l,
                          bool is_proved)
{
    // Proofs do not say that a launch ends.
    if (is_proved && rep_has_found_wrong(l->rep, l->number))
        report(p, l, "the proof engine proved it, and the interpreter found something");
}

/** Copies all allocations that the kernel may write; false: there is no memory. */
static bool copy_all(const struct compiled_program *p, const struct vm_launch *l,
                     struct before *list, unsigned *n)
{
    for (uint32_t i = 0; i < l->kernel->nargs; i++) {
        const struct bc_arg *decl = &p->module->args[l->kernel->first_arg + i];
        const struct vm_buffer *b = &l->args[i].buffer;
        if (decl->kind != BC_ARG_BUFFER || !decl->may_write || !b->host) continue;
        if (find_root(list, *n, b->root) < *n) continue;
        struct before *to = &list[*n];
        *to = (struct before){b, mem_try_alloc(b->root_size + 1, 128), {0}};
        if (!to->data) return false;
        ++*n;
        memcpy(to->data, b->host, b->root_size);
        if (b->written) to->written.bytes = mem_dup(b->written->bytes, b->root_size);
    }
    return true;
}

/** Whether the elements around the first byte that differs are both NaN: then it is past them. */
static bool skip_nan(const char *a, const char *b, uint64_t size, uint64_t *at)
{
    float f, g;
    double d, e;
    const uint64_t four = *at / 4 * 4, eight = *at / 8 * 8;
    if (eight + 8 <= size) {
        memcpy(&d, a + eight, 8);
        memcpy(&e, b + eight, 8);
        if (isnan(d) && isnan(e)) {
            *at = eight + 8;
            return true;
        }
    }
    if (four + 4 > size) return false;
    memcpy(&f, a + four, 4);
    memcpy(&g, b + four, 4);
    *at = four + 4;
    return isnan(f) && isnan(g);
}

static bool differ(const char *a, const char *b, uint64_t size, uint64_t *at)
{
    for (*at = 0; *at < size;) {
        if (a[*at] == b[*at]) ++*at;
        else if (!skip_nan(a, b, size, at)) return true;
    }
    return false;
}

static void compare(const struct compiled_program *p, const struct vm_launch *l,
                    const struct before *list, unsigned n, bool marked)
{
    for (unsigned k = 0; k < n; k++) {
        uint64_t at;
        if (marked && list[k].written.bytes &&
            memcmp(list[k].written.bytes, list[k].buffer->written->bytes,
                   list[k].buffer->root_size) != 0)
            report(p, l, "machine code and the interpreter marked different bytes as written");
        if (!memcmp(list[k].buffer->host, list[k].data, list[k].buffer->root_size) ||
            !differ(list[k].buffer->host, list[k].data, list[k].buffer->root_size, &at))
            continue;
        struct str s = {0};
        str_printf(&s,
                   "machine code and the interpreter wrote different bytes to a buffer of argument "
                   "%u, near byte %llu",
                   (unsigned)((const struct vm_arg *)((const char *)list[k].buffer -
                                                      offsetof(struct vm_arg, buffer)) -
                              l->args),
                   (unsigned long long)at);
        report(p, l, str_text(&s));
        str_deinit(&s);
    }
}

/** If the interpreter found something, a check of the code must fail, or it must find the same. */
static void judge(const struct compiled_program *p, const struct compiled_kernel *k,
                  const struct vm_launch *l, const struct native_job *job)
{
    if (!native_job_is_anomalous(job) && !compiled_found_same(p, k, l, job))
        report(p, l, "the interpreter found something else than machine code with its checks");
}

static void free_copies(struct before *list, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        free(list[i].data);
        free(list[i].written.bytes);
    }
    free(list);
}

struct copies {
    struct before *list;
    unsigned n;
};

static void run_compiled(struct compiled_program *p, struct compiled_kernel *k,
                         const struct vm_launch *l, struct copies copies, uint32_t checks)
{
    const char *why;
    struct before *const list = copies.list;
    const unsigned n = copies.n;
    const struct bc_arg *decl = p->module->args + l->kernel->first_arg;
    struct nat_shape shape = compiled_shape(p, k, l, checks);
    const struct compiled_code *c =
        compiled_marks(l, &shape.marks) ? compiled_code_for(p, k, &shape, &why) : NULL;
    if (!c) {
        shape.marks = 0;
        c = compiled_code_for(p, k, &shape, &why);
    }
    if (!c || (checks && native_why_not_checked(l, decl, &c->info, checks))) return;
    struct vm_arg *args = mem_dup(l->args, (l->kernel->nargs + 1) * sizeof *args);
    for (uint32_t i = 0; i < l->kernel->nargs; i++) {
        const unsigned b = find_root(list, n, args[i].buffer.root);
        if (b == n) continue;
        args[i].buffer.host = list[b].data;
        if (args[i].buffer.written) args[i].buffer.written = &list[b].written;
    }
    struct vm_launch again = *l;
    again.args = args;
    struct native_job *job =
        native_job_create(p->module, &again, c->code, &c->info, &shape, k->depends.ninsns);
    struct err *e = native_job_run(job);
    const bool ok = !e && !(l->cancel && *l->cancel);
    if (ok) judge(p, k, l, job);
    if (ok && !native_job_is_anomalous(job)) compare(p, l, list, n, shape.marks);
    native_job_destroy(job);
    err_free(e);
    free(args);
}

struct err *compiled_check(struct compiled_program *p, struct compiled_kernel *k,
                           const struct vm_launch *l, bool is_proved,
                           compiled_interpret_fn *interpret, const struct str *key)
{
    struct before *list = mem_alloc((l->kernel->nargs + 1) * sizeof *list);
    unsigned n = 0;
    bool clean = false;
    const bool copied = copy_all(p, l, list, &n);
    struct err *e = interpret(p, k, l, key, &clean);
    if (!e && is_proved && !clean && !(l->cancel && *l->cancel))
        report(p, l,
               "it was proved by an earlier launch, and the interpreter does not find it clean");
    if (!e && clean && copied) run_compiled(p, k, l, (struct copies){list, n}, 0);
    free_copies(list, n);
    return e;
}

struct err *compiled_check_obliged(struct compiled_program *p, struct compiled_kernel *k,
                                   const struct vm_launch *l, uint32_t checks)
{
    // code of both forms, if there are two
    const uint32_t forms[] = {checks, checks | NAT_CHECK_STAMPS};
    const unsigned n = !checks ? 0 : checks & PROOF_CHECK_GLOBAL ? 2 : 1;
    struct copies copies[2];
    bool ok[2];
    for (unsigned i = 0; i < n; i++) {
        copies[i] = (struct copies){mem_alloc((l->kernel->nargs + 1) * sizeof *copies->list), 0};
        ok[i] = copy_all(p, l, copies[i].list, &copies[i].n);
    }
    struct err *e = dev_interp.launch(p->checked, l);
    rep_flush(l->rep);
    compiled_learn(p, k, l);
    for (unsigned i = 0; i < n; i++) {
        if (!e && ok[i]) run_compiled(p, k, l, copies[i], forms[i]);
        free_copies(copies[i].list, copies[i].n);
    }
    return e;
}
