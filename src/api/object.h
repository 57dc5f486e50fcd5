// SPDX-License-Identifier: MIT
#ifndef API_OBJECT_H
#define API_OBJECT_H
#include "api/dispatch.h"
#include "base/vec.h"
#include "interp/vm.h"

#include <pthread.h>

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/**
 * The common part of all API objects. Objects live in a slab (object.c), so that any value that an
 * app passes as a handle can be checked without accessing foreign memory.
 *
 * Counts: `refs` are all references, `user_refs` those that the app owns (which it may release, and
 * which CL_*_REFERENCE_COUNT returns). An object lives while `refs` is not 0.
 */
enum api_type {
    API_PLATFORM,
    API_DEVICE,
    API_CONTEXT,
    API_QUEUE,
    API_MEM,
    API_PROGRAM,
    API_KERNEL,
    API_EVENT,
    API_SAMPLER,
    API_COMMAND_BUFFER,
    API_COMMAND, // of a command buffer
    API_SEMAPHORE,
    API_TYPE_COUNT
};

struct api_object {
    const struct _cl_icd_dispatch *dispatch; // first: the ICD loader reads it
    uint32_t magic;
    uint32_t type;
    _Atomic uint32_t refs, user_refs;
    const void *site; // where the app created it
    struct api_object *next_free;
};

struct _cl_platform_id {
    struct api_object obj;
};
/** The device, or a part of it (sub_device.c). */
struct _cl_device_id {
    struct api_object obj;
    cl_device_id parent; // referenced; NULL: the root device
    cl_uint units;       // of a sub-device
    cl_device_partition_property
        *partition; // its partition properties, with the final 0; NULL: the root device
    unsigned npartition;
};
/** The devices of an object: each once, referenced. */
struct api_devices {
    cl_device_id *list;
    unsigned n;
};
extern struct _cl_platform_id api_platform;
extern struct _cl_device_id api_device;

/** Sets the dispatch table of all objects, before any is created. */
void api_objects_init(const struct _cl_icd_dispatch *dispatch);
/** A new object: zeroed, with one reference, owned by the app. NULL: no memory. */
void *api_new(enum api_type type, size_t size);
void api_delete(void *object); // frees the storage; only with refs == 0
/** Is it a live object of that type? Any value is allowed. */
bool api_is(const void *handle, enum api_type type);
bool api_was_released(const void *handle, enum api_type type); // it was such an object before

static inline void api_ref(void *o)
{
    atomic_fetch_add_explicit(&((struct api_object *)o)->refs, 1, memory_order_relaxed);
}
/** True: that was the last one, and the caller must destroy the object. */
static inline bool api_unref(void *o)
{
    return atomic_fetch_sub_explicit(&((struct api_object *)o)->refs, 1, memory_order_acq_rel) == 1;
}
/** The app's clRetain…, clRelease…: release returns false if the app has no reference left. */
void api_user_retain(void *o);
bool api_user_release(void *o);
static inline cl_uint api_user_refs(const void *o)
{
    return ((const struct api_object *)o)->user_refs;
}

/**
 * Calls `fn` for every live object, in any order (leak reports). No other thread may create objects
 * meanwhile.
 */
void api_each_object(void (*fn)(const struct api_object *o, void *arg), void *arg);
const char *api_type_name(enum api_type type); // "buffer"

/**
 * Records the current entry point of this thread and its call site. Every entry point begins with
 * it.
 */
#define API_ENTER() api_enter(__func__ + 4, __builtin_return_address(0))
void api_enter(const char *function, const void *site);
/**
 * The same for work of a call in another thread; `place` is the result of api_call_site() in the
 * call.
 */
void api_enter_later(const char *function, const void *place);
/** The place where the app called the entry point (api/caller.h). */
const void *api_call_site(void);
const char *api_function(void); // its name
/**
 * "enqueued at main.c:42 (main)", or "… main+0x1c (app)", for a place (api/caller.h), and so on;
 * NULL for NULL. Cached, never freed.
 */
const char *api_call_site_enqueued(const void *site);
const char *api_call_site_called(const void *site);
const char *api_call_site_created(const void *site);
/**
 * Is the file among the sources of the program or library that made the call, by its debug
 * information?
 */
bool api_call_site_has_source(const void *place, const char *path);

/** Notes, for an app that launches nothing, the unknown extension function that it asks for. */
void api_note_missing_function(const char *name);
/**
 * Rejects a call: informs the context's callback (ctx may be NULL) and, with --check-api, the
 * report, and returns `code`. The text describes the error with the values of the arguments.
 */
cl_int api_fail(cl_context ctx, cl_int code, const char *fmt, ...)
    __attribute__((format(printf, 3, 4), cold));
/** The same for a handle that is not a live object of that type; knows the code. */
cl_int api_bad_handle(cl_context ctx, const void *handle, enum api_type type) __attribute__((cold));
const char *api_error_name(cl_int code); // "CL_INVALID_VALUE"

/** Answers a clGet…Info call with n bytes. */
cl_int api_reply(const void *answer, size_t n, size_t size, void *value, size_t *size_ret);
#define REPLY_BYTES(p, n) api_reply((p), (n), param_value_size, param_value, param_value_size_ret)
#define REPLY(T, ...)     REPLY_BYTES((&(T){__VA_ARGS__}), sizeof(T))
#define REPLY_STR(s)      api_reply_str((s), param_value_size, param_value, param_value_size_ret)
static inline cl_int api_reply_str(const char *s, size_t size, void *value, size_t *size_ret)
{
    return api_reply(s, strlen(s) + 1, size, value, size_ret);
}

/** Returns an object and sets *errcode_ret. */
#define API_RETURN(code, object)                                                                   \
    do {                                                                                           \
        const cl_int code_ =                                                                       \
            (code); /* evaluated also without errcode_ret, because it reports the reason */        \
        if (errcode_ret) *errcode_ret = code_;                                                     \
        return (object);                                                                           \
    } while (0)

struct api_callback { // of the destructor of a context or a memory object
    union {
        void(CL_CALLBACK *context)(cl_context, void *);
        void(CL_CALLBACK *memory)(cl_mem, void *);
    } of;
    void *data;
};

struct _cl_context {
    struct api_object obj;
    struct api_devices devices;
    cl_context_properties *properties; // 0-ended, or NULL
    unsigned nproperties;              // with the 0
    void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *);
    void *notify_data;
    void(CL_CALLBACK *print)(const char *text, size_t n, size_t complete,
                             void *notify_data); // cl_arm_printf; NULL: stdout
    _Atomic unsigned nqueues;                    // of the host: whether commands may run at once
    pthread_mutex_t lock;                        // guards what follows
    VEC(struct api_callback) callbacks;
    VEC(cl_command_queue) device_queues;    // on the device; guarded by lock, as is
    struct vm_device_events *device_events; // NULL: not needed yet
};
void api_context_put(cl_context c);

struct api_map_region {
    void *ptr;
    size_t origin[3], size[3]; // bytes of a buffer, or pixels
    bool for_writing;
};
struct _cl_sampler {
    struct api_object obj;
    cl_context ctx;
    cl_bool normalized;
    cl_addressing_mode addressing;
    cl_filter_mode filter;
    cl_sampler_properties *properties;
    unsigned nproperties;
};
void api_sampler_put(cl_sampler s);
uint64_t api_sampler_bits(const struct _cl_sampler *s); // as enum bc_image defines

enum { API_MOST_NOTED = 4 };
struct _cl_mem {
    struct api_object obj;
    cl_context ctx;
    cl_mem_flags flags;
    size_t size;
    void *host_ptr;          // as given
    uint8_t *data;           // first byte (of the sub-buffer)
    cl_mem_object_type type; // 0: a buffer; else an image or a pipe
    cl_image_format format;
    struct vm_image image; // the layout of pixels in data
    cl_mem parent;         // sub-buffer, image on a buffer: the buffer (referenced)
    size_t origin;         // in the parent
    bool owns_data;
    _Atomic bool was_mapped;      // of a root: the host may keep a pointer to data
    _Atomic uint32_t watchable;   // of a root: number of launches since then (host_visibility.c)
    uint64_t address;             // shared virtual memory: address of data in kernels; otherwise 0
    _Atomic uint32_t kernel_refs; // the references by kernels' arguments
    const void *_Atomic released; // place where the app released it (other threads may read it
                                  // meanwhile),
    const char *_Atomic released_by;   // and the function; NULL: not released
    uint64_t released_later;           // the time when the release was enqueued; 0: the call itself
                                       // released it
    struct api_access_log *access_log; // of a root, or NULL: see access_set.h
    cl_unified_shared_memory_type_intel usm; // of cl_intel_unified_shared_memory; 0: other memory
    cl_mem_alloc_flags_intel usm_flags;
    cl_device_id usm_device;    // borrowed; NULL: host memory
    struct vm_written *written; // bytes that were ever written; NULL: all. For a sub-buffer: its
                                // buffer's
    struct api_noted {
        uint64_t from, to;
    } noted[API_MOST_NOTED]; // ranges that are written, too, but not in `written` yet, because no
                             // kernel needed it
    unsigned nnoted;         // the ranges are disjoint
    cl_mem_properties *properties;
    unsigned nproperties;
    pthread_mutex_t lock; // guards maps, callbacks and noted ranges
    VEC(struct api_map_region) maps;
    VEC(struct api_callback) callbacks;
};
void api_mem_put(cl_mem m);
/** Starts tracking the written bytes of memory that starts undefined. */
void api_mem_follow(cl_mem m);
/**
 * A reference by a kernel's argument. It keeps the memory, but does not delay destructor callbacks,
 * which are called when there are no other references.
 */
void api_mem_ref_argument(cl_mem m);
void api_mem_put_argument(cl_mem m);
/** Must be called before a root's `written` is read: adds the noted ranges. */
void api_mem_settle(cl_mem root);
/**
 * Marks bytes as written: by the host, or (from not NULL) by a copy, where those of `from` are.
 */
void api_mem_written(cl_mem m, const uint8_t *first, size_t size, cl_mem from,
                     const uint8_t *from_first);
/** The object that owns the memory: for an image on a sub-buffer, the buffer. */
static inline cl_mem api_mem_root(cl_mem m)
{
    while (m->parent) m = m->parent;
    return m;
}
static inline bool api_is_pipe(const struct _cl_mem *m) { return m->type == CL_MEM_OBJECT_PIPE; }
static inline bool api_is_image(const struct _cl_mem *m) { return m->type != 0 && !api_is_pipe(m); }
/** Rejects any other object than a buffer, for a call of that context. */
cl_int api_need_buffer(cl_context ctx, const struct _cl_mem *m);
/** A memory object with the app's flags, without memory yet. */
cl_mem api_mem_new(cl_context ctx, cl_mem_flags flags, size_t size);
/** Allocates its memory, which is undefined. */
cl_int api_mem_allocate(cl_mem m);
cl_int api_check_mem_flags(cl_context ctx, cl_mem_flags flags, const void *host_ptr);
/**
 * The flags of an object in the memory of another one: missing flags are inherited; additional
 * access is an error.
 */
cl_int api_inherit_flags(const struct _cl_mem *parent, cl_mem_flags *flags);

#endif
