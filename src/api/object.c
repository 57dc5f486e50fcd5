// SPDX-License-Identifier: MIT
// Objects live in one reserved range of address space, in slots of one size. A handle is checked by
// range, alignment and tag, so any garbage value is rejected without accessing foreign memory, and
// a released object is recognized until its slot is reused (slots are reused oldest first). The
// range is only reserved; pages are used as slots are. A process with limited address space gets a
// smaller range.
#include "api/object.h"

#include <assert.h>
#include <sys/mman.h>

enum { SLOT = 512, LIVE = 0x5dbc1a55, DEAD = 0x5dbcdead };

static struct {
    pthread_mutex_t lock; // guards everything but base and end, which never change once set
    _Atomic uintptr_t base;
    uintptr_t end;
    _Atomic uintptr_t next; // first slot never used
    struct api_object *free_first, *free_last;
    size_t nfree;
} slab = {.lock = PTHREAD_MUTEX_INITIALIZER};

struct _cl_platform_id api_platform = {
    {.magic = LIVE, .type = API_PLATFORM, .refs = 1, .user_refs = 1}};
struct _cl_device_id api_device = {
    .obj = {.magic = LIVE, .type = API_DEVICE, .refs = 1, .user_refs = 1}};

// The number of freed slots that are withheld from reuse.
enum { QUARANTINE = 64 };

void api_objects_init(const struct _cl_icd_dispatch *dispatch)
{
    api_platform.obj.dispatch = api_device.obj.dispatch = dispatch;
}

static bool slab_reserve(void)
{
    for (size_t size = (size_t)64 << 30; size >= (size_t)16 << 20; size >>= 2) {
        void *p = mem_reserve(size);
        if (!p) continue;
        madvise(p, size, MADV_DONTDUMP);
        slab.end = (uintptr_t)p + size;
        slab.next = (uintptr_t)p;
        slab.base = (uintptr_t)p;
        return true;
    }
    return false;
}

void *api_new(enum api_type type, size_t size)
{
    assert(size <= SLOT);
    struct api_object *o = NULL;
    pthread_mutex_lock(&slab.lock);
    if (slab.nfree > QUARANTINE) {
        o = slab.free_first;
        slab.free_first = o->next_free;
        slab.nfree--;
    } else if ((slab.base || slab_reserve()) && slab.next + SLOT <= slab.end) {
        o = (struct api_object *)slab.next;
        slab.next += SLOT;
    }
    pthread_mutex_unlock(&slab.lock);
    if (!o) return NULL;
    memset(o, 0, size);
    o->dispatch = api_platform.obj.dispatch;
    o->type = type;
    o->refs = o->user_refs = 1;
    o->site = api_call_site();
    __atomic_store_n(&o->magic, LIVE, __ATOMIC_RELEASE);
    return o;
}

void api_delete(void *object)
{
    struct api_object *o = object;
    assert(o->refs == 0 && o->magic == LIVE);
    __atomic_store_n(&o->magic, DEAD, __ATOMIC_RELEASE);
    pthread_mutex_lock(&slab.lock);
    o->next_free = NULL;
    if (slab.nfree++) slab.free_last->next_free = o;
    else slab.free_first = o;
    slab.free_last = o;
    pthread_mutex_unlock(&slab.lock);
}

static const struct api_object *slot_of(const void *handle)
{
    uintptr_t p = (uintptr_t)handle, base = slab.base;
    if (!base || p < base || p >= slab.next || (p - base) % SLOT) return NULL;
    return handle;
}

bool api_is(const void *handle, enum api_type type)
{
    if (type == API_PLATFORM) return handle == &api_platform;
    if (type == API_DEVICE && handle == &api_device) return true;
    const struct api_object *o = slot_of(handle);
    return o && __atomic_load_n(&o->magic, __ATOMIC_ACQUIRE) == LIVE && o->type == type;
}

bool api_was_released(const void *handle, enum api_type type)
{
    const struct api_object *o = slot_of(handle);
    return o && o->magic == DEAD && o->type == type;
}

void api_user_retain(void *object)
{
    struct api_object *o = object;
    atomic_fetch_add(&o->user_refs, 1);
    api_ref(o);
}

bool api_user_release(void *object)
{
    struct api_object *o = object;
    uint32_t n = o->user_refs;
    do
        if (n == 0) return false;
    while (!atomic_compare_exchange_weak(&o->user_refs, &n, n - 1));
    return true;
}

void api_each_object(void (*fn)(const struct api_object *o, void *arg), void *arg)
{
    for (uintptr_t p = slab.base; p < slab.next; p += SLOT) {
        const struct api_object *o = (const struct api_object *)p;
        if (o->magic == LIVE) fn(o, arg);
    }
}

const char *api_type_name(enum api_type type)
{
    static const char *const names[API_TYPE_COUNT] = {
        [API_PLATFORM] = "platform",
        [API_DEVICE] = "device",
        [API_CONTEXT] = "context",
        [API_QUEUE] = "command queue",
        [API_MEM] = "memory object",
        [API_PROGRAM] = "program",
        [API_KERNEL] = "kernel",
        [API_EVENT] = "event",
        [API_SAMPLER] = "sampler",
        [API_COMMAND_BUFFER] = "command buffer",
        [API_COMMAND] = "recorded command",
        [API_SEMAPHORE] = "semaphore",
    };
    return names[type];
}

cl_int api_reply(const void *answer, size_t n, size_t size, void *value, size_t *size_ret)
{
    if (value && size < n)
        return api_fail(NULL, CL_INVALID_VALUE, "param_value_size is %zu; the answer has %zu bytes",
                        size, n);
    if (value && n) memcpy(value, answer, n);
    if (size_ret) *size_ret = n;
    return CL_SUCCESS;
}
