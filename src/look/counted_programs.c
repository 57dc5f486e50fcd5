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
static json_t *past; // files of the programs that were unloaded, or NULL
static uint64_t past_fresh;
static pid_t owner; // whose counts these are

static void forget_counts(struct vm_coverage *c)
{
    memset(c->blocks, 0, c->nblocks * sizeof *c->blocks);
    memset(c->loops, 0, c->nloops * sizeof *c->loops);
    c->fresh = 0;
}

/** In a forked child: the parent's counts are the parent's. */
static void see_process(void)
{
    if (owner == getpid()) return;
    if (owner) {
        for (struct program *p = programs; p; p = p->next) forget_counts(p->coverage);
        json_decref(past);
        past = NULL;
        past_fresh = 0;
    }
    owner = getpid();
}

void look_program_load(const struct bc_module *m)
{
    struct program *const p = mem_alloc(sizeof *p);
    p->module = m;
    p->coverage = vm_coverage_create(m);
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

json_t *look_coverage(void *unused)
{
    json_t *const coverage = json_object();
    pthread_mutex_lock(&lock);
    see_process();
    json_t *const files = past ? json_deep_copy(past) : json_object();
    for (struct program *p = programs; p; p = p->next) {
        pthread_mutex_lock(&p->coverage->lock);
        look_add_coverage(files, p->module, p->coverage);
        pthread_mutex_unlock(&p->coverage->lock);
    }
    pthread_mutex_unlock(&lock);
    json_object_set_new(coverage, "files", files);
    return coverage;
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
