// SPDX-License-Identifier: MIT
// Buffers and sub-buffers: creation, queries, destruction.
#include "api/access_set.h"
#include "api/object.h"

#include "api/limits.h"
#include "api/svm.h"
#include "debug/debug.h"
#include "devices/dev.h"
#include "devices/mapped_memory.h"

static const cl_mem_flags access_flags = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY;
static const cl_mem_flags host_flags = CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY |
                                       CL_MEM_HOST_NO_ACCESS;
static const cl_mem_flags ptr_flags = CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR |
                                      CL_MEM_COPY_HOST_PTR;

// Memory placement hints of other vendors' extensions; they have no observable effect.
static const cl_mem_flags vendor_hints = 1u << 6     // CL_MEM_USE_PERSISTENT_MEM_AMD
                                         | 1u << 18  // CL_MEM_LOCALLY_UNCACHED_RESOURCE_INTEL
                                         | 1u << 20  // CL_MEM_FORCE_HOST_MEMORY_INTEL
                                         | 1u << 21  // CL_MEM_COMPRESSED_HINT_INTEL
                                         | 1u << 22  // CL_MEM_UNCOMPRESSED_HINT_INTEL
                                         | 1u << 23; // CL_MEM_ALLOW_UNRESTRICTED_SIZE_INTEL

static bool at_most_one(cl_mem_flags f) { return (f & (f - 1)) == 0; }

static cl_int check_flags(cl_context ctx, cl_mem_flags flags)
{
    if (flags & ~(access_flags | host_flags | ptr_flags | vendor_hints))
        return api_fail(ctx, CL_INVALID_VALUE, "flags 0x%llx hold unknown bits",
                        (unsigned long long)flags);
    if (!at_most_one(flags & access_flags))
        return api_fail(ctx, CL_INVALID_VALUE,
                        "CL_MEM_READ_WRITE, _READ_ONLY and _WRITE_ONLY exclude one another");
    if (!at_most_one(flags & host_flags))
        return api_fail(ctx, CL_INVALID_VALUE,
                        "CL_MEM_HOST_WRITE_ONLY, _READ_ONLY and _NO_ACCESS exclude one another");
    if ((flags & CL_MEM_USE_HOST_PTR) && (flags & (CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR)))
        return api_fail(
            ctx, CL_INVALID_VALUE,
            "CL_MEM_USE_HOST_PTR excludes CL_MEM_ALLOC_HOST_PTR and CL_MEM_COPY_HOST_PTR");
    return CL_SUCCESS;
}

static cl_int check_host_ptr(cl_context context, cl_mem_flags flags, const void *host_ptr)
{
    bool wants_ptr = flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR);
    if (wants_ptr != (host_ptr != NULL))
        return api_fail(
            context, CL_INVALID_HOST_PTR,
            wants_ptr ? "host_ptr is NULL, but CL_MEM_USE_HOST_PTR or CL_MEM_COPY_HOST_PTR is set"
                      : "host_ptr is given without CL_MEM_USE_HOST_PTR or CL_MEM_COPY_HOST_PTR");
    return CL_SUCCESS;
}

cl_int api_check_mem_flags(cl_context ctx, cl_mem_flags flags, const void *host_ptr)
{
    cl_int bad = check_flags(ctx, flags);
    return bad ? bad : check_host_ptr(ctx, flags, host_ptr);
}

cl_int api_need_buffer(cl_context ctx, const struct _cl_mem *m)
{
    return m->type ? api_fail(ctx, CL_INVALID_MEM_OBJECT, "the memory object is %s, not a buffer",
                              api_is_pipe(m) ? "a pipe" : "an image")
                   : CL_SUCCESS;
}

cl_mem api_mem_new(cl_context ctx, cl_mem_flags flags, size_t size)
{
    cl_mem m = api_new(API_MEM, sizeof *m);
    if (!m) return NULL;
    pthread_mutex_init(&m->lock, NULL);
    api_ref(ctx);
    m->ctx = ctx;
    m->flags = flags & access_flags ? flags : flags | CL_MEM_READ_WRITE;
    m->size = size;
    return m;
}

void api_mem_follow(cl_mem m)
{
    if (!(dev_settings()->checks & VM_CHECK_UNINIT)) return;
    uint8_t *bytes = dev_memory_alloc(m->size);
    if (!bytes) return;
    m->written = mem_alloc(sizeof *m->written);
    *m->written = (struct vm_written){.bytes = bytes, .missing = m->size};
}

/**
 * Sets bytes (0 or 0xff) to 0xff. Returns how many were 0. The cost for a large buffer is mostly
 * page faults, so each page is written once.
 */
static uint64_t mark(uint8_t *to, size_t size)
{
    uint64_t had = 0;
    size_t i = 0;
    for (; i + 8 <= size; i += 8) {
        uint64_t eight;
        memcpy(&eight, to + i, 8);
        had += (uint64_t)__builtin_popcountll(eight) / 8;
    }
    for (; i < size; i++) had += to[i] & 1;
    memset(to, 0xff, size);
    return size - had;
}

/** The bytes of a copy are written where its source is. Returns how many more than before. */
static int64_t mark_copied(uint8_t *to, const uint8_t *has, size_t size)
{
    int64_t n = 0;
    for (size_t i = 0; i < size; i++) {
        n += (has[i] & 1) - (to[i] & 1);
        to[i] = has[i];
    }
    return n;
}

/** Moves the recorded ranges into the bytes. */
static void settle(cl_mem root)
{
    uint64_t n = 0;
    for (unsigned k = 0; k < root->nnoted; k++)
        n += mark(root->written->bytes + root->noted[k].from,
                  root->noted[k].to - root->noted[k].from);
    root->nnoted = 0;
    __atomic_fetch_sub(&root->written->missing, n, __ATOMIC_RELAXED);
}

/** Records a written range, merged with adjacent ones. */
static void note(cl_mem root, struct api_noted now)
{
    for (unsigned k = 0; k < root->nnoted;) {
        const struct api_noted was = root->noted[k];
        if (was.to < now.from || now.to < was.from) {
            k++;
            continue;
        }
        now = (struct api_noted){was.from < now.from ? was.from : now.from,
                                 was.to > now.to ? was.to : now.to};
        root->noted[k] = root->noted[--root->nnoted];
    }
    if (now.from == 0 && now.to == root->size) {
        __atomic_store_n(&root->written->whole, true, __ATOMIC_RELAXED);
        return;
    }
    if (root->nnoted == API_MOST_NOTED) settle(root);
    root->noted[root->nnoted++] = now;
}

void api_mem_settle(cl_mem root)
{
    pthread_mutex_lock(&root->lock);
    if (vm_lacks_bytes(root->written)) settle(root);
    pthread_mutex_unlock(&root->lock);
}

/** Memory that is wholly written, and of which the host cannot write parts unseen. */
static bool can_lose_bytes(cl_mem root) { return root->owns_data && !root->address; }

/**
 * Bytes of the root will be unwritten again: its map may be absent or not kept. False: there is no
 * memory for a map, so all of it counts as written.
 */
static bool begin_losing(cl_mem root)
{
    if (!root->written) api_mem_follow(root);
    else if (!root->written->whole) return true;
    if (!root->written) return false;
    memset(root->written->bytes, 0xff, root->size);
    root->nnoted = 0;
    root->written->missing = 0;
    root->written->whole = false;
    return true;
}

void api_mem_written(cl_mem m, const uint8_t *first, size_t size, cl_mem from,
                     const uint8_t *from_first)
{
    const cl_mem root = api_mem_root(m), source = from ? api_mem_root(from) : NULL;
    const uint8_t *has = NULL; // of a source of which bytes are missing
    if (source && vm_lacks_bytes(source->written)) {
        api_mem_settle(source);
        has = source->written->bytes + (from_first - source->data);
        if (!memchr(has, 0, size)) has = NULL;
    }
    if (!vm_lacks_bytes(root->written) && !(has && can_lose_bytes(root))) return;
    const uint64_t at = (uint64_t)(first - root->data);
    pthread_mutex_lock(&root->lock);
    if (has && begin_losing(root)) {
        settle(root);
        struct vm_written *const w = root->written;
        __atomic_fetch_sub(&w->missing, (uint64_t)mark_copied(w->bytes + at, has, size),
                           __ATOMIC_RELAXED);
    } else if (!has) {
        note(root, (struct api_noted){at, at + size});
    }
    pthread_mutex_unlock(&root->lock);
}

cl_int api_mem_allocate(cl_mem m)
{
    m->data = dev_memory_alloc(m->size);
    m->owns_data = m->data != NULL;
    if (m->data) api_mem_follow(m);
    return m->data ? CL_SUCCESS
                   : api_fail(m->ctx, CL_MEM_OBJECT_ALLOCATION_FAILURE, "no memory for %zu bytes",
                              m->size);
}

static cl_mem create(cl_context context, const cl_mem_properties *properties, cl_mem_flags flags,
                     size_t size, void *host_ptr, cl_int *errcode_ret)
{
    if (!api_is(context, API_CONTEXT)) API_RETURN(api_bad_handle(NULL, context, API_CONTEXT), NULL);
    if (properties && properties[0])
        API_RETURN(api_fail(context, CL_INVALID_PROPERTY, "buffer property 0x%llx is not known",
                            (unsigned long long)properties[0]),
                   NULL);
    cl_int bad = check_flags(context, flags);
    if (bad) API_RETURN(bad, NULL);
    if (size == 0) API_RETURN(api_fail(context, CL_INVALID_BUFFER_SIZE, "the size is 0"), NULL);
    if (size > dev_settings()->max_alloc_size)
        API_RETURN(api_fail(context, CL_INVALID_BUFFER_SIZE,
                            "%zu bytes are more than CL_DEVICE_MAX_MEM_ALLOC_SIZE, %llu", size,
                            (unsigned long long)dev_settings()->max_alloc_size),
                   NULL);
    bad = check_host_ptr(context, flags, host_ptr);
    if (bad) API_RETURN(bad, NULL);
    cl_mem svm = host_ptr ? api_svm_get(NULL, host_ptr) : NULL;
    const size_t room = svm ? svm->size - (size_t)((uint8_t *)host_ptr - svm->data) : size;
    if (svm) api_mem_put(svm);
    if (size > room)
        API_RETURN(api_fail(context, CL_INVALID_BUFFER_SIZE,
                            "%zu bytes are more than the %zu that clSVMAlloc gave there", size,
                            room),
                   NULL);
    cl_mem m = api_mem_new(context, flags, size);
    if (!m) API_RETURN(CL_OUT_OF_HOST_MEMORY, NULL);
    if (flags & CL_MEM_USE_HOST_PTR) {
        m->data = m->host_ptr = host_ptr;
    } else {
        m->data = dev_memory_alloc(size);
        m->owns_data = true;
        if (!m->data) {
            m->obj.refs = 1;
            api_mem_put(m);
            API_RETURN(api_fail(context, CL_MEM_OBJECT_ALLOCATION_FAILURE,
                                "no memory for %zu bytes", size),
                       NULL);
        }
        if (flags & CL_MEM_COPY_HOST_PTR) memcpy(m->data, host_ptr, size);
        else api_mem_follow(m);
    }
    if (properties) {
        m->nproperties = 1;
        m->properties = mem_alloc(sizeof *properties);
    }
    API_RETURN(CL_SUCCESS, m);
}

cl_mem api_clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size, void *host_ptr,
                          cl_int *errcode_ret)
{
    API_ENTER();
    return create(context, NULL, flags, size, host_ptr, errcode_ret);
}

cl_mem api_clCreateBufferWithProperties(cl_context context, const cl_mem_properties *properties,
                                        cl_mem_flags flags, size_t size, void *host_ptr,
                                        cl_int *errcode_ret)
{
    API_ENTER();
    return create(context, properties, flags, size, host_ptr, errcode_ret);
}

cl_int api_inherit_flags(const struct _cl_mem *parent, cl_mem_flags *flags)
{
    cl_mem_flags f = *flags, p = parent->flags;
    cl_context ctx = parent->ctx;
    if (f & ptr_flags)
        return api_fail(ctx, CL_INVALID_VALUE,
                        "an object that is created from a memory object takes no "
                        "CL_MEM_…_HOST_PTR flag: it inherits those of that object");
    cl_int bad = check_flags(ctx, f);
    if (bad) return bad;
    if (((p & CL_MEM_WRITE_ONLY) && (f & (CL_MEM_READ_WRITE | CL_MEM_READ_ONLY))) ||
        ((p & CL_MEM_READ_ONLY) && (f & (CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY))))
        return api_fail(ctx, CL_INVALID_VALUE,
                        "flags 0x%llx allow the kernel more than those of the memory object that "
                        "it is created from, 0x%llx",
                        (unsigned long long)f, (unsigned long long)p);
    if (((p & CL_MEM_HOST_WRITE_ONLY) && (f & CL_MEM_HOST_READ_ONLY)) ||
        ((p & CL_MEM_HOST_READ_ONLY) && (f & CL_MEM_HOST_WRITE_ONLY)) ||
        ((p & CL_MEM_HOST_NO_ACCESS) && (f & (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY))))
        return api_fail(ctx, CL_INVALID_VALUE,
                        "flags 0x%llx allow the host more than those of the memory object that it "
                        "is created from, 0x%llx",
                        (unsigned long long)f, (unsigned long long)p);
    if (!(f & access_flags)) f |= p & access_flags;
    if (!(f & host_flags)) f |= p & host_flags;
    *flags = f | (p & ptr_flags);
    return CL_SUCCESS;
}

cl_mem api_clCreateSubBuffer(cl_mem buffer, cl_mem_flags flags,
                             cl_buffer_create_type buffer_create_type,
                             const void *buffer_create_info, cl_int *errcode_ret)
{
    API_ENTER();
    if (!api_is(buffer, API_MEM)) API_RETURN(api_bad_handle(NULL, buffer, API_MEM), NULL);
    cl_context ctx = buffer->ctx;
    const cl_int other = api_need_buffer(ctx, buffer);
    if (other) API_RETURN(other, NULL);
    if (buffer->parent)
        API_RETURN(api_fail(ctx, CL_INVALID_MEM_OBJECT, "the buffer is itself a sub-buffer"), NULL);
    cl_int bad = api_inherit_flags(buffer, &flags);
    if (bad) API_RETURN(bad, NULL);
    if (buffer_create_type != CL_BUFFER_CREATE_TYPE_REGION)
        API_RETURN(api_fail(ctx, CL_INVALID_VALUE, "buffer_create_type 0x%x", buffer_create_type),
                   NULL);
    const cl_buffer_region *r = buffer_create_info;
    if (!r) API_RETURN(api_fail(ctx, CL_INVALID_VALUE, "buffer_create_info is NULL"), NULL);
    if (r->size == 0)
        API_RETURN(api_fail(ctx, CL_INVALID_BUFFER_SIZE, "the size of the region is 0"), NULL);
    if (r->origin > buffer->size || r->size > buffer->size - r->origin)
        API_RETURN(api_fail(ctx, CL_INVALID_VALUE,
                            "the region (origin %zu, %zu bytes) leaves the buffer of %zu bytes",
                            r->origin, r->size, buffer->size),
                   NULL);
    if (r->origin % API_BASE_ALIGN)
        API_RETURN(
            api_fail(ctx, CL_MISALIGNED_SUB_BUFFER_OFFSET,
                     "origin %zu is not a multiple of %d bytes (CL_DEVICE_MEM_BASE_ADDR_ALIGN)",
                     r->origin, API_BASE_ALIGN),
            NULL);
    cl_mem m = api_mem_new(ctx, flags, r->size);
    if (!m) API_RETURN(CL_OUT_OF_HOST_MEMORY, NULL);
    api_ref(buffer);
    m->parent = buffer;
    m->origin = r->origin;
    m->data = buffer->data + r->origin;
    m->host_ptr = buffer->host_ptr ? (char *)buffer->host_ptr + r->origin : NULL;
    API_RETURN(CL_SUCCESS, m);
}

static void run_destructor_callbacks(cl_mem m)
{
    pthread_mutex_lock(&m->lock);
    while (m->callbacks.len) { // last registered first
        struct api_callback cb = vec_pop(&m->callbacks);
        pthread_mutex_unlock(&m->lock);
        cb.of.memory(m, cb.data);
        pthread_mutex_lock(&m->lock);
    }
    pthread_mutex_unlock(&m->lock);
}

void api_mem_ref_argument(cl_mem m)
{
    atomic_fetch_add(&m->kernel_refs, 1);
    api_ref(m);
}

void api_mem_put_argument(cl_mem m)
{
    atomic_fetch_sub(&m->kernel_refs, 1);
    api_mem_put(m);
}

void api_mem_put(cl_mem m)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // guards the decision which reference,
                                                             // not counting kernels', is the last
    pthread_mutex_lock(&lock);
    const bool over = api_unref(m);
    const bool argument = !over && !api_user_refs(m) && m->obj.refs == m->kernel_refs &&
                          m->callbacks.len;
    if (argument) api_ref(m);
    pthread_mutex_unlock(&lock);
    if (argument) {
        run_destructor_callbacks(m);
        api_mem_put(m);
    }
    if (!over) return;
    run_destructor_callbacks(m);
    vec_free(&m->callbacks);
    vec_free(&m->maps);
    api_access_log_close(m->access_log);
    pthread_mutex_destroy(&m->lock);
    if (!m->parent) dbg_memory_freed(m->data, m->size);
    if (m->owns_data && m->data) dev_memory_free(m->data, m->size);
    if (m->written) dev_memory_free(m->written->bytes, m->size);
    free(m->written);
    free(m->properties);
    cl_mem parent = m->parent;
    cl_context ctx = m->ctx;
    api_delete(m);
    if (parent) api_mem_put(parent);
    api_context_put(ctx);
}

cl_int api_clRetainMemObject(cl_mem memobj)
{
    API_ENTER();
    if (!api_is(memobj, API_MEM)) return api_bad_handle(NULL, memobj, API_MEM);
    api_user_retain(memobj);
    return CL_SUCCESS;
}

cl_int api_clReleaseMemObject(cl_mem memobj)
{
    API_ENTER();
    if (!api_is(memobj, API_MEM)) return api_bad_handle(NULL, memobj, API_MEM);
    if (!api_user_release(memobj))
        return api_fail(memobj->ctx, CL_INVALID_MEM_OBJECT,
                        "the memory object is released more often than retained");
    memobj->released = api_call_site();
    memobj->released_by = "clReleaseMemObject";
    api_mem_put(memobj);
    return CL_SUCCESS;
}

cl_int api_clGetMemObjectInfo(cl_mem memobj, cl_mem_info param_name, size_t param_value_size,
                              void *param_value, size_t *param_value_size_ret)
{
    API_ENTER();
    cl_mem m = memobj;
    if (!api_is(m, API_MEM)) return api_bad_handle(NULL, m, API_MEM);
    switch (param_name) {
    case CL_MEM_TYPE: return REPLY(cl_mem_object_type, m->type ? m->type : CL_MEM_OBJECT_BUFFER);
    case CL_MEM_FLAGS: return REPLY(cl_mem_flags, m->flags);
    case CL_MEM_SIZE: return REPLY(size_t, m->size);
    case CL_MEM_HOST_PTR: return REPLY(void *, m->host_ptr);
    case CL_MEM_MAP_COUNT: {
        pthread_mutex_lock(&m->lock);
        cl_uint n = m->maps.len;
        pthread_mutex_unlock(&m->lock);
        return REPLY(cl_uint, n);
    }
    case CL_MEM_REFERENCE_COUNT: return REPLY(cl_uint, api_user_refs(m));
    case CL_MEM_CONTEXT: return REPLY(cl_context, m->ctx);
    case CL_MEM_ASSOCIATED_MEMOBJECT: return REPLY(cl_mem, m->parent);
    case CL_MEM_OFFSET: return REPLY(size_t, m->origin);
    case CL_MEM_USES_SVM_POINTER: {
        return REPLY(cl_bool, m->flags & CL_MEM_USE_HOST_PTR && api_svm_holds(m->data));
    }
    case CL_MEM_PROPERTIES:
        return REPLY_BYTES(m->properties, m->nproperties * sizeof *m->properties);
    }
    return api_fail(m->ctx, CL_INVALID_VALUE, "param_name 0x%x is not a query of memory objects",
                    param_name);
}

cl_int api_clSetMemObjectDestructorCallback(
    cl_mem memobj, void(CL_CALLBACK *pfn_notify)(cl_mem memobj, void *user_data), void *user_data)
{
    API_ENTER();
    if (!api_is(memobj, API_MEM)) return api_bad_handle(NULL, memobj, API_MEM);
    if (!pfn_notify) return api_fail(memobj->ctx, CL_INVALID_VALUE, "pfn_notify is NULL");
    pthread_mutex_lock(&memobj->lock);
    vec_push(&memobj->callbacks, (struct api_callback){.of.memory = pfn_notify, user_data});
    pthread_mutex_unlock(&memobj->lock);
    return CL_SUCCESS;
}
