// SPDX-License-Identifier: MIT
#include "interp/core/idle_gangs.h"

#include "interp/core/gang.h"
#include "interp/launch/shared_program.h"

enum { KEEP_GANGS = 64, KEEP_BYTES = 32 << 20 }; // of one code; of all programs

static struct {
    // Guards the following, vm_program.idle and the codes' idle gangs; before a program's lock.
    pthread_mutex_t lock;
    struct vm_program *oldest, *newest;
    size_t bytes;
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER};

/** Roughly: the shadow of undefined bytes is as large as the values. */
static size_t bytes_of(const struct vm_gang *g) { return g->block_size * (g->undef ? 2 : 1); }

static void unlist(struct vm_program *p)
{
    struct vm_idle_gangs *i = &p->idle;
    if (!i->is_listed) return;
    *(i->older ? &i->older->idle.newer : &pool.oldest) = i->newer;
    *(i->newer ? &i->newer->idle.older : &pool.newest) = i->older;
    i->is_listed = false;
}

static void make_newest(struct vm_program *p)
{
    unlist(p);
    p->idle.newer = NULL;
    p->idle.older = pool.newest;
    p->idle.is_listed = true;
    *(pool.newest ? &pool.newest->idle.newer : &pool.oldest) = p;
    pool.newest = p;
}

static struct vm_gang *take(struct vm_program *p, struct vm_code *c)
{
    struct vm_gang *g = c->free_gangs;
    if (!g) return NULL;
    c->free_gangs = g->next;
    c->nfree--;
    p->idle.bytes -= bytes_of(g);
    pool.bytes -= bytes_of(g);
    return g;
}

/** Takes all of the program's and puts them in front of `list`. */
static struct vm_gang *take_all(struct vm_program *p, struct vm_gang *list)
{
    pthread_mutex_lock(&p->lock);
    for (uint32_t k = 0; k < p->module->nkernels + p->module->nvariants; k++)
        for (struct vm_code *c = p->codes[k]; c; c = c->next)
            for (struct vm_gang *g; (g = take(p, c)); list = g) g->next = list;
    pthread_mutex_unlock(&p->lock);
    unlist(p);
    return list;
}

static void free_list(struct vm_gang *g)
{
    for (struct vm_gang *next; g; g = next) {
        next = g->next;
        vm_gang_free(g);
    }
}

struct vm_gang *vm_gang_get(struct vm_program *p, struct vm_code *c)
{
    pthread_mutex_lock(&pool.lock);
    struct vm_gang *g = take(p, c);
    pthread_mutex_unlock(&pool.lock);
    return g ? g : vm_gang_create(c);
}

void vm_gang_put(struct vm_program *p, struct vm_code *c, struct vm_gang *g)
{
    struct vm_gang *surplus = NULL;
    pthread_mutex_lock(&pool.lock);
    make_newest(p);
    if (c->nfree < KEEP_GANGS) {
        g->next = c->free_gangs;
        c->free_gangs = g;
        c->nfree++;
        p->idle.bytes += bytes_of(g);
        pool.bytes += bytes_of(g);
    } else {
        g->next = NULL;
        surplus = g;
    }
    while (pool.bytes > KEEP_BYTES && pool.oldest != p) surplus = take_all(pool.oldest, surplus);
    pthread_mutex_unlock(&pool.lock);
    free_list(surplus);
}

void vm_idle_gangs_free(struct vm_program *p)
{
    pthread_mutex_lock(&pool.lock);
    struct vm_gang *all = take_all(p, NULL);
    pthread_mutex_unlock(&pool.lock);
    free_list(all);
}
