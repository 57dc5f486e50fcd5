// SPDX-License-Identifier: MIT
// Events of device-side enqueue: a table by number. Kernels keep the numbers in their memory, so
// any number may come back.
#include "base/mem.h"
#include "interp/enqueued.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { NOT_RUN = 2 }; // CL_SUBMITTED
struct event {
    int status;
    uint32_t refs, holds; // of kernels, of launches
    bool is_user, is_set;
    uint64_t times[2];
    uint32_t reuse; // of its place in the table
};
struct vm_device_events {
    pthread_mutex_t lock; // guards the rest; no other lock is taken inside
    VEC(struct event) all;
    VEC(uint32_t) unused; // places
};
// An event's number: a mark (it is not a pointer, and not a small number), how often its place was
// used, the place.
static const uint64_t MARK = 0xc1e7, PLACES = 0xffff;

struct vm_device_events *vm_device_events_create(void)
{
    struct vm_device_events *t = mem_alloc(sizeof *t);
    pthread_mutex_init(&t->lock, NULL);
    return t;
}

void vm_device_events_destroy(struct vm_device_events *t)
{
    if (!t) return;
    pthread_mutex_destroy(&t->lock);
    vec_free(&t->all);
    vec_free(&t->unused);
    free(t);
}

/** The event, or NULL. The lock is held. */
static struct event *find_any(struct vm_device_events *t, uint64_t event)
{
    const uint64_t i = event & PLACES;
    return event >> 48 == MARK && i < t->all.len && t->all.data[i].reuse == (uint32_t)(event >> 16)
               ? &t->all.data[i]
               : NULL;
}

/** The event if it exists for kernels. */
static struct event *find(struct vm_device_events *t, uint64_t event)
{
    struct event *e = find_any(t, event);
    return e && e->refs ? e : NULL;
}

static void drop(struct vm_device_events *t, struct event *e, uint32_t *count)
{
    if (!*count || --*count || e->refs || e->holds) return;
    e->reuse++;
    vec_push(&t->unused, (uint32_t)(e - t->all.data));
}

uint64_t vm_device_event_new(struct vm_device_events *t, bool is_user)
{
    uint64_t event = 0;
    pthread_mutex_lock(&t->lock);
    if (!t->unused.len && t->all.len < VM_MAX_DEVICE_EVENTS) {
        vec_push(&t->unused, (uint32_t)t->all.len);
        vec_push(&t->all, (struct event){0});
    }
    if (t->unused.len) {
        const uint32_t place = vec_pop(&t->unused), reuse = t->all.data[place].reuse;
        t->all.data[place] =
            (struct event){.status = NOT_RUN, .refs = 1, .is_user = is_user, .reuse = reuse};
        event = MARK << 48 | (uint64_t)reuse << 16 | place;
    }
    pthread_mutex_unlock(&t->lock);
    return event;
}

bool vm_device_event_exists(struct vm_device_events *t, uint64_t event)
{
    pthread_mutex_lock(&t->lock);
    const bool is = find(t, event);
    pthread_mutex_unlock(&t->lock);
    return is;
}

bool vm_device_event_retain(struct vm_device_events *t, uint64_t event)
{
    pthread_mutex_lock(&t->lock);
    struct event *e = find(t, event);
    if (e) e->refs++;
    pthread_mutex_unlock(&t->lock);
    return e;
}

bool vm_device_event_release(struct vm_device_events *t, uint64_t event)
{
    pthread_mutex_lock(&t->lock);
    struct event *e = find(t, event);
    if (e) drop(t, e, &e->refs);
    pthread_mutex_unlock(&t->lock);
    return e;
}

void vm_device_event_hold(struct vm_device_events *t, uint64_t event)
{
    pthread_mutex_lock(&t->lock);
    struct event *e = find_any(t, event);
    if (e) e->holds++;
    pthread_mutex_unlock(&t->lock);
}

void vm_device_event_let_go(struct vm_device_events *t, uint64_t event)
{
    pthread_mutex_lock(&t->lock);
    struct event *e = find_any(t, event);
    if (e) drop(t, e, &e->holds);
    pthread_mutex_unlock(&t->lock);
}

int vm_device_event_status(struct vm_device_events *t, uint64_t event)
{
    pthread_mutex_lock(&t->lock);
    const struct event *e = find_any(t, event);
    const int status = e ? e->status : 0;
    pthread_mutex_unlock(&t->lock);
    return status;
}

void vm_device_event_complete(struct vm_device_events *t, uint64_t event, int status,
                              const uint64_t times[2])
{
    pthread_mutex_lock(&t->lock);
    struct event *e = find_any(t, event);
    if (e) {
        e->status = status;
        e->is_set = true;
        memcpy(e->times, times, sizeof e->times);
    }
    pthread_mutex_unlock(&t->lock);
}

bool vm_device_event_times(struct vm_device_events *t, uint64_t event, uint64_t times[2])
{
    pthread_mutex_lock(&t->lock);
    const struct event *e = find(t, event);
    const bool ok = e && e->is_set;
    if (ok) memcpy(times, e->times, sizeof e->times);
    pthread_mutex_unlock(&t->lock);
    return ok;
}

bool vm_device_event_set(struct vm_device_events *t, uint64_t event, int status)
{
    pthread_mutex_lock(&t->lock);
    struct event *e = find(t, event);
    const bool ok = e && !e->is_set && e->is_user;
    if (ok) {
        e->status = status;
        e->is_set = true;
    }
    pthread_mutex_unlock(&t->lock);
    return ok;
}

void vm_enqueued_free(struct vm_enqueued *e)
{
    if (!e) return;
    free(e->block);
    vec_free(&e->locals);
    vec_free(&e->waits);
    free(e);
}
