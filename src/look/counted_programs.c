// SPDX-License-Identifier: MIT
// The programs of this process and their counts. The counts of a program that
// is unloaded are kept as counts of lines.
#include "look/look.h"

#include "base/mem.h"
#include "look/module_lines.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct program {
    struct program *next;
    const struct bc_module *module;
    struct vm_coverage *coverage;
};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // guards what follows
static struct program *programs;
static json_t *past, *past_costs, *past_groups,
    *past_barriers; // of the programs that were unloaded, or NULL
static uint64_t past_fresh;
static pid_t owner; // whose counts these are

static void forget_counts(struct vm_coverage *c)
{
    memset(c->blocks, 0, c->nblocks * sizeof *c->blocks);
    memset(c->loops, 0, c->nloops * sizeof *c->loops);
    if (c->waves) memset(c->waves, 0, c->nblocks * sizeof *c->waves);
    if (c->costs) memset(c->costs, 0, c->nsites * sizeof *c->costs);
    vec_clear(&c->sizes);
    if (c->barriers) memset(c->barriers, 0, c->nkernels * sizeof *c->barriers);
    c->fresh = 0;
}

/** In a forked child: the parent's counts are the parent's. */
static void see_process(void)
{
    if (owner == getpid()) return;
    if (owner) {
        for (struct program *p = programs; p; p = p->next) forget_counts(p->coverage);
        json_decref(past);
        json_decref(past_costs);
        json_decref(past_groups);
        json_decref(past_barriers);
        past = past_costs = past_groups = past_barriers = NULL;
        past_fresh = 0;
    }
    owner = getpid();
}

void look_program_load(const struct bc_module *m, const struct vm_device_model *model,
                       bool barriers)
{
    struct program *const p = mem_alloc(sizeof *p);
    p->module = m;
    p->coverage = vm_coverage_create(m, model, barriers);
    pthread_mutex_lock(&lock);
    see_process();
    p->next = programs;
    programs = p;
    pthread_mutex_unlock(&lock);
}

void look_program_unload(const struct bc_module *m)
{
    pthread_mutex_lock(&lock);
    see_process();
    struct program **at = &programs;
    while (*at && (*at)->module != m) at = &(*at)->next;
    struct program *const p = *at;
    if (p) {
        *at = p->next;
        if (!past) past = json_object();
        look_add_coverage(past, m, p->coverage);
        if (!past_costs) past_costs = json_object();
        look_add_costs(past_costs, m, p->coverage);
        if (!past_groups) past_groups = json_object();
        look_add_groups(past_groups, m, p->coverage);
        if (!past_barriers) past_barriers = json_object();
        look_add_barriers(past_barriers, m, p->coverage);
        look_forget_proofs(m);
        past_fresh += p->coverage->fresh;
        vm_coverage_destroy(p->coverage);
        free(p);
    }
    pthread_mutex_unlock(&lock);
}

struct vm_coverage *look_coverage_of(const struct bc_module *m)
{
    pthread_mutex_lock(&lock);
    see_process();
    struct program *p = programs;
    while (p && p->module != m) p = p->next;
    pthread_mutex_unlock(&lock);
    return p ? p->coverage : NULL;
}

typedef void add_fn(json_t *sums, const struct bc_module *m, const struct vm_coverage *c);

/** The sums of all programs; `from`: those of unloaded ones. */
static json_t *sums_of(json_t *const *from, add_fn *add)
{
    pthread_mutex_lock(&lock);
    see_process();
    json_t *const sums = *from ? json_deep_copy(*from) : json_object();
    for (struct program *p = programs; p; p = p->next) {
        pthread_mutex_lock(&p->coverage->lock);
        add(sums, p->module, p->coverage);
        pthread_mutex_unlock(&p->coverage->lock);
    }
    pthread_mutex_unlock(&lock);
    return sums;
}

json_t *look_coverage(void *unused)
{
    return json_pack("{s: o}", "files", sums_of(&past, look_add_coverage));
}

json_t *look_profile(void *ctx)
{
    const struct vm_device_model *const m = ctx;
    return json_pack("{s: {s: i, s: i, s: i, s: i, s: i, s: i, s: i, s: i}, s: o, s: o, s: o}",
                     "model", "simd_width", (int)m->simd_width, "cache_line", 1 << m->line_shift,
                     "local_banks", (int)m->banks, "bank_width", 1 << m->bank_shift, "local_memory",
                     (int)m->local_memory, "registers", (int)m->registers, "resident_waves",
                     (int)m->resident_waves, "resident_groups", (int)m->resident_groups, "files",
                     sums_of(&past_costs, look_add_costs), "groups",
                     sums_of(&past_groups, look_add_groups), "barriers",
                     sums_of(&past_barriers, look_add_barriers));
}

uint64_t look_fresh(void)
{
    pthread_mutex_lock(&lock);
    see_process();
    uint64_t n = past_fresh;
    for (struct program *p = programs; p; p = p->next)
        n += __atomic_load_n(&p->coverage->fresh, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&lock);
    return n;
}
