// SPDX-License-Identifier: MIT
// Races of equal values (same-value-race) in launches that run as machine code.
//
// They are warnings, and programs that search graphs have them in each launch. Machine code finds
// them exactly, with the counts of the interpreter, if one instruction stores one value of the
// launch to a buffer that the kernel does not read (NAT_EQUAL): then there is one pair of source
// locations. Only the interpreter describes a race. Once it has, for this kernel and argument,
// machine code counts further launches.
#include "devices/compiled_device.h"

#include "devices/native_shadow.h"

#include "report/finding.h"

#include <string.h>

enum { MOST_SEEN = NAT_MARKS + 1 };

/** The number of the buffer argument with that name, or NAT_MARKS. */
static unsigned argument_of(const struct compiled_program *p, const struct vm_launch *l,
                            const struct rep_seen *s)
{
    const struct rep_finding *f = rep_example(s->finding);
    const struct bc_arg *decl = p->module->args + l->kernel->first_arg;
    if (f->kind != REP_SAME_VALUE_RACE || f->possible || !f->object) return NAT_MARKS;
    for (uint32_t i = 0; i < l->kernel->nargs && i < NAT_MARKS; i++)
        if (decl[i].kind == BC_ARG_BUFFER && !strcmp(bc_str(p->module, decl[i].name), f->object))
            return i;
    return NAT_MARKS;
}

void compiled_learn(struct compiled_program *p, struct compiled_kernel *k,
                    const struct vm_launch *l)
{
    struct rep_seen seen[MOST_SEEN];
    const unsigned n = rep_seen_in(l->rep, l->number, seen, MOST_SEEN);
    pthread_mutex_lock(&p->lock);
    for (unsigned i = 0; i < n && n <= MOST_SEEN; i++) {
        const unsigned arg = argument_of(p, l, &seen[i]);
        if (arg < NAT_MARKS) k->equal[arg] = seen[i].finding;
    }
    pthread_mutex_unlock(&p->lock);
}

/** Cells of the interpreter are as large as the stores, unless the memory is accessed otherwise. */
static bool shares_root(const struct compiled_program *p, const struct vm_launch *l, unsigned arg)
{
    const struct bc_arg *decl = p->module->args + l->kernel->first_arg;
    for (uint32_t i = 0; i < l->kernel->nargs; i++)
        if (i != arg && decl[i].kind == BC_ARG_BUFFER &&
            l->args[i].buffer.root == l->args[arg].buffer.root)
            return true;
    return false;
}

bool compiled_repeat(struct compiled_program *p, const struct compiled_kernel *k,
                     const struct vm_launch *l, const struct native_job *job)
{
    struct rep_record *known[NAT_MARKS];
    bool ok = true;
    pthread_mutex_lock(&p->lock);
    memcpy(known, k->equal, sizeof known);
    pthread_mutex_unlock(&p->lock);
    for (unsigned i = 0; i < NAT_MARKS; i++)
        ok &= !native_job_equal(job, i) || (known[i] && !shares_root(p, l, i));
    for (unsigned i = 0; i < NAT_MARKS && ok; i++) {
        const struct native_equal *e = native_job_equal(job, i);
        if (!e) continue;
        const struct rep_finding again = {.launch = l->number,
                                          .count = e->cells,
                                          .between = e->is_between ? e->cells : 0,
                                          .groups = &e->groups};
        rep_repeat(l->rep, known[i], &again);
    }
    return ok;
}

static bool is_same(const struct native_equal *e, const struct rep_seen *s)
{
    return e && e->cells == s->count && (e->is_between ? e->cells : 0) == s->between &&
           e->groups.n == s->groups;
}

bool compiled_found_same(const struct compiled_program *p, const struct compiled_kernel *k,
                         const struct vm_launch *l, const struct native_job *job)
{
    struct rep_seen seen[MOST_SEEN];
    const unsigned n = rep_seen_in(l->rep, l->number, seen, MOST_SEEN);
    unsigned found = 0;
    for (unsigned i = 0; i < NAT_MARKS; i++) found += native_job_equal(job, i) != NULL;
    if (n != found) return false;
    for (unsigned i = 0; i < n; i++) {
        const unsigned arg = argument_of(p, l, &seen[i]);
        if (arg == NAT_MARKS || k->equal[arg] != seen[i].finding) return false;
        if (!shares_root(p, l, arg) && !is_same(native_job_equal(job, arg), &seen[i])) return false;
    }
    return true;
}
