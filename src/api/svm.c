// SPDX-License-Identifier: MIT
// Shared virtual memory: allocations with the same addresses for host and kernels. A memory object
// represents each of them. All memory is host memory, so mapping and migrating copy nothing.
#include "api/svm.h"

#include "api/cmdgraph.h"
#include "api/command_buffer.h"
#include "api/access_set.h"
#include "api/program.h"
#include "base/mem.h"
#include "devices/mapped_memory.h"

cl_mem api_svm_new(cl_context ctx, cl_mem_flags flags, size_t size)
{
    cl_mem m = api_mem_new(ctx, flags, size);
    if (m && !(m->data = dev_memory_alloc(size))) {
        api_user_release(m);
        api_mem_put(m);
        m = NULL;
    }
    if (!m) return NULL;
    m->owns_data = true;
    m->address = (uint64_t)(uintptr_t)m->data;
    api_svm_add(m);
    return m;
}

void *api_clSVMAlloc(cl_context context, cl_svm_mem_flags flags, size_t size,
                     unsigned int alignment)
{
    API_ENTER();
    if (!api_is(context, API_CONTEXT)) return api_bad_handle(NULL, context, API_CONTEXT), NULL;
    const cl_svm_mem_flags access = CL_MEM_READ_WRITE | CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY,
                           way = flags & access;
    const char *why = NULL;
    if (flags & ~(access | CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS))
        why = "flags hold unknown bits";
    else if (way & (way - 1))
        why = "CL_MEM_READ_WRITE, _READ_ONLY and _WRITE_ONLY exclude one another";
    else if (flags & CL_MEM_SVM_ATOMICS)
        why = "the device has no atomics between host and kernels (CL_DEVICE_SVM_ATOMICS)";
    else if (!size || size > dev_settings()->max_alloc_size)
        why = "the size is 0 or more than CL_DEVICE_MAX_MEM_ALLOC_SIZE";
    else if (alignment & (alignment - 1) || alignment > 128)
        why = "the alignment is not a power of two, or is more than 128, the alignment of long16";
    if (why) {
        api_fail(context, CL_INVALID_VALUE, "%s (flags 0x%llx, %zu bytes, alignment %u)", why,
                 (unsigned long long)flags, size, alignment);
        return NULL;
    }
    cl_mem m = api_svm_new(context, flags & (access | CL_MEM_SVM_FINE_GRAIN_BUFFER), size);
    if (!m)
        return api_fail(context, CL_MEM_OBJECT_ALLOCATION_FAILURE, "no memory for %zu bytes", size),
               NULL;
    return m->data;
}

cl_int api_svm_free(cl_context ctx, void *p, const void *site, const char *call, uint64_t later)
{
    if (!p) return CL_SUCCESS;
    cl_mem m = api_svm_take(p);
    if (!m)
        return api_fail(ctx, CL_INVALID_VALUE,
                        "%p is not the beginning of an allocation, or was freed before", p);
    m->released = site;
    m->released_by = call;
    m->released_later = later;
    api_svm_freed(&(struct vm_gone){m->address, m->size, api_call_site_created(m->obj.site), call,
                                    api_call_site_called(site)});
    api_user_release(m);
    api_mem_put(m);
    return CL_SUCCESS;
}

void api_clSVMFree(cl_context context, void *svm_pointer)
{
    API_ENTER();
    api_svm_free(api_is(context, API_CONTEXT) ? context : NULL, svm_pointer, api_call_site(),
                 "clSVMFree", 0);
}

// ---- commands

struct svm_command {
    struct api_command cmd;
    cl_command_queue queue;
    const void *site; // of the call
    cl_mem held[2];   // the allocations of `to` and `from`: memory that the app frees stays until
                      // the command has ended
    void *to;
    const void *from;
    size_t size, pattern_size;
    uint8_t pattern[128];
    cl_uint n; // FREE
    void(CL_CALLBACK *fn)(cl_command_queue, cl_uint, void **, void *);
    void *data;
    void *pointers[];
};

static cl_int nothing_run(struct api_command *c, cl_event e) { return CL_SUCCESS; }

static cl_int copy_run(struct api_command *c, cl_event e)
{
    const struct svm_command *s = (const struct svm_command *)c;
    memmove(s->to, s->from, s->size);
    if (s->held[0]) api_mem_written(s->held[0], s->to, s->size, s->held[1], s->from);
    if (s->held[0]) api_command_wrote(c, s->to, s->size, s->held[1] ? s->from : NULL);
    return CL_SUCCESS;
}

static cl_int fill_run(struct api_command *c, cl_event e)
{
    const struct svm_command *s = (const struct svm_command *)c;
    for (size_t at = 0; at < s->size; at += s->pattern_size)
        memcpy((char *)s->to + at, s->pattern, s->pattern_size);
    if (s->held[0]) api_mem_written(s->held[0], s->to, s->size, NULL, NULL);
    api_command_wrote(c, s->to, s->size, NULL);
    return CL_SUCCESS;
}

static cl_int free_run(struct api_command *c, cl_event e)
{
    struct svm_command *s = (struct svm_command *)c;
    if (s->fn) s->fn(s->queue, s->n, s->pointers, s->data);
    for (cl_uint i = 0; !s->fn && i < s->n; i++)
        api_svm_free(s->queue->ctx, s->pointers[i], s->site, "clEnqueueSVMFree", e->queued);
    return CL_SUCCESS;
}

static void command_destroy(struct api_command *c)
{
    struct svm_command *s = (struct svm_command *)c;
    for (unsigned i = 0; i < 2; i++)
        if (s->held[i]) api_mem_put(s->held[i]);
    free(s);
}

/** Records what a copy or a fill reads and writes. */
static void set_accesses(struct svm_command *s)
{
    struct api_access_set *const a = s->cmd.accesses = api_access_set_new();
    if (s->held[0]) api_access_range(a, s->held[0], s->to, s->size, API_WRITES);
    else if (s->from) api_access_host_range(a, s->to, s->size, API_WRITES);
    if (s->held[1]) api_access_range(a, s->held[1], s->from, s->size, API_READS);
    else if (s->from) api_access_host_range(a, s->from, s->size, API_READS);
}

static struct api_command *command_repeat(const struct api_command *c, cl_device_id device)
{
    struct svm_command *s = mem_dup(c, sizeof *s);
    for (unsigned i = 0; i < 2; i++)
        if (s->held[i]) api_ref(s->held[i]);
    set_accesses(s);
    return &s->cmd;
}

static struct svm_command *command_new(cl_command_queue q,
                                       cl_int (*run)(struct api_command *, cl_event), cl_uint n)
{
    struct svm_command *s = mem_alloc(sizeof *s + n * sizeof *s->pointers);
    s->cmd.run = run;
    s->cmd.destroy = command_destroy;
    s->cmd.repeat = command_repeat;
    s->queue = q;
    s->site = api_call_site();
    s->n = n;
    return s;
}

/**
 * The allocation that contains p, referenced; NULL: other memory. Error: the bytes exceed the
 * allocation.
 */
static cl_int hold(cl_context ctx, const void *p, size_t size, cl_mem *out)
{
    *out = api_svm_get(NULL, p);
    const size_t at = *out ? (size_t)((const uint8_t *)p - (*out)->data) : 0;
    if (!*out && size <= PTRDIFF_MAX) return CL_SUCCESS;
    if (*out && size <= (*out)->size - at) return CL_SUCCESS;
    const size_t whole = *out ? (*out)->size : 0;
    if (*out) api_mem_put(*out);
    if (!*out) return api_fail(ctx, CL_INVALID_VALUE, "the size is %zu", size);
    *out = NULL;
    return api_fail(ctx, CL_INVALID_VALUE,
                    "%zu bytes at offset %zu go past the end of an allocation of %zu bytes", size,
                    at, whole);
}

cl_int api_clEnqueueSVMFree(cl_command_queue command_queue, cl_uint num_svm_pointers,
                            void **svm_pointers,
                            void(CL_CALLBACK *pfn_free_func)(cl_command_queue queue,
                                                             cl_uint num_svm_pointers, void **svm,
                                                             void *user_data),
                            void *user_data, cl_uint num_events_in_wait_list,
                            const cl_event *event_wait_list, cl_event *event)
{
    API_ENTER();
    cl_int bad = api_check_enqueue(command_queue, num_events_in_wait_list, event_wait_list);
    if (bad) return bad;
    if ((num_svm_pointers == 0) != (svm_pointers == NULL))
        return api_fail(command_queue->ctx, CL_INVALID_VALUE,
                        "num_svm_pointers is %u, svm_pointers %p", num_svm_pointers,
                        (void *)svm_pointers);
    struct svm_command *s = command_new(command_queue, free_run, num_svm_pointers);
    if (num_svm_pointers)
        memcpy(s->pointers, svm_pointers, num_svm_pointers * sizeof *svm_pointers);
    s->fn = pfn_free_func;
    s->data = user_data;
    s->cmd.accesses = api_access_set_new();
    for (cl_uint i = 0; i < num_svm_pointers;
         i++) { // counts as a write: unordered commands may find the memory freed
        cl_mem m = svm_pointers[i] ? api_svm_get(command_queue->ctx, svm_pointers[i]) : NULL;
        if (!m) continue;
        api_access_range(s->cmd.accesses, m, m->data, m->size, API_WRITES);
        api_mem_put(m);
    }
    return api_enqueue(&(struct api_request){command_queue, CL_COMMAND_SVM_FREE, API_ORDER_COMMAND,
                                             num_events_in_wait_list, event_wait_list, false,
                                             event},
                       &s->cmd);
}

cl_int api_svm_copy(const struct api_request *r, void *dst_ptr, const void *src_ptr, size_t size)
{
    cl_int bad = api_check_request(r);
    if (bad) return bad;
    cl_context ctx = r->queue->ctx;
    const uintptr_t to = (uintptr_t)dst_ptr, from = (uintptr_t)src_ptr;
    if (!dst_ptr || !src_ptr)
        return api_fail(ctx, CL_INVALID_VALUE, "%s is NULL", dst_ptr ? "src_ptr" : "dst_ptr");
    cl_mem into, of = NULL;
    if ((bad = hold(ctx, dst_ptr, size, &into)) || (bad = hold(ctx, src_ptr, size, &of))) {
    } else if (to < from + size && from < to + size) {
        bad = api_fail(ctx, CL_MEM_COPY_OVERLAP, "source and destination overlap");
    }
    if (bad) {
        if (of) api_mem_put(of);
        if (into) api_mem_put(into);
        return bad;
    }
    struct svm_command *s = command_new(r->queue, copy_run, 0);
    s->held[0] = into;
    s->held[1] = of;
    s->to = dst_ptr;
    s->from = src_ptr;
    s->size = size;
    set_accesses(s);
    return api_enqueue(r, &s->cmd);
}

cl_int api_clEnqueueSVMMemcpy(cl_command_queue command_queue, cl_bool blocking_copy, void *dst_ptr,
                              const void *src_ptr, size_t size, cl_uint num_events_in_wait_list,
                              const cl_event *event_wait_list, cl_event *event)
{
    API_ENTER();
    return api_svm_copy(&(struct api_request){command_queue, CL_COMMAND_SVM_MEMCPY,
                                              API_ORDER_COMMAND, num_events_in_wait_list,
                                              event_wait_list, blocking_copy, event},
                        dst_ptr, src_ptr, size);
}

cl_int api_clCommandSVMMemcpyKHR(cl_command_buffer_khr command_buffer,
                                 cl_command_queue command_queue, const api_properties *properties,
                                 void *dst_ptr, const void *src_ptr, size_t size,
                                 cl_uint num_sync_points_in_wait_list,
                                 const cl_sync_point_khr *sync_point_wait_list,
                                 cl_sync_point_khr *sync_point,
                                 cl_mutable_command_khr *mutable_handle)
{
    RECORD(CL_COMMAND_SVM_MEMCPY);
    return api_svm_copy(request, dst_ptr, src_ptr, size);
}

cl_int api_svm_fill(const struct api_request *r, void *svm_ptr, const void *pattern,
                    size_t pattern_size, size_t size)
{
    cl_int bad = api_check_request(r);
    if (bad) return bad;
    cl_context ctx = r->queue->ctx;
    if (!svm_ptr || !pattern)
        return api_fail(ctx, CL_INVALID_VALUE, "%s is NULL", svm_ptr ? "pattern" : "svm_ptr");
    if (!pattern_size || pattern_size > 128 || pattern_size & (pattern_size - 1))
        return api_fail(ctx, CL_INVALID_VALUE, "a pattern of %zu bytes; it has 1, 2, 4 … 128",
                        pattern_size);
    if (size % pattern_size || (uintptr_t)svm_ptr % pattern_size)
        return api_fail(ctx, CL_INVALID_VALUE, "%zu bytes at %p are not whole patterns of %zu",
                        size, svm_ptr, pattern_size);
    cl_mem into;
    if ((bad = hold(ctx, svm_ptr, size, &into))) return bad;
    struct svm_command *s = command_new(r->queue, fill_run, 0);
    s->held[0] = into;
    s->to = svm_ptr;
    s->size = size;
    s->pattern_size = pattern_size;
    memcpy(s->pattern, pattern, pattern_size);
    set_accesses(s);
    return api_enqueue(r, &s->cmd);
}

cl_int api_clEnqueueSVMMemFill(cl_command_queue command_queue, void *svm_ptr, const void *pattern,
                               size_t pattern_size, size_t size, cl_uint num_events_in_wait_list,
                               const cl_event *event_wait_list, cl_event *event)
{
    API_ENTER();
    return api_svm_fill(&(struct api_request){command_queue, CL_COMMAND_SVM_MEMFILL,
                                              API_ORDER_COMMAND, num_events_in_wait_list,
                                              event_wait_list, false, event},
                        svm_ptr, pattern, pattern_size, size);
}

cl_int api_clCommandSVMMemFillKHR(cl_command_buffer_khr command_buffer,
                                  cl_command_queue command_queue, const api_properties *properties,
                                  void *svm_ptr, const void *pattern, size_t pattern_size,
                                  size_t size, cl_uint num_sync_points_in_wait_list,
                                  const cl_sync_point_khr *sync_point_wait_list,
                                  cl_sync_point_khr *sync_point,
                                  cl_mutable_command_khr *mutable_handle)
{
    RECORD(CL_COMMAND_SVM_MEMFILL);
    return api_svm_fill(request, svm_ptr, pattern, pattern_size, size);
}

cl_int api_svm_touch(const struct api_request *r, const void *p, size_t size, bool writes)
{
    cl_int bad = api_check_enqueue(r->queue, r->n, r->list);
    cl_mem m = NULL;
    if (bad || (bad = hold(r->queue->ctx, p, size, &m))) return bad;
    struct svm_command *s = command_new(r->queue, nothing_run, 0);
    s->held[0] = m;
    s->cmd.accesses = api_access_set_new();
    if (m) api_access_range(s->cmd.accesses, m, p, size, writes ? API_WRITES : API_READS);
    return api_enqueue(r, &s->cmd);
}

static cl_int check_part(cl_context ctx, const void *p, size_t size)
{
    cl_mem m = p ? api_svm_get(ctx, p) : NULL;
    const bool inside = m && size <= m->size - (size_t)((const uint8_t *)p - m->data);
    if (m) api_mem_put(m);
    return inside ? CL_SUCCESS
                  : api_fail(ctx, CL_INVALID_VALUE,
                             "%zu bytes at %p are not inside an allocation of clSVMAlloc", size, p);
}

/**
 * The allocation, referenced, if the host must map it for access; NULL for fine-grained memory.
 */
static cl_mem must_map(cl_context ctx, const void *p)
{
    cl_mem m = api_svm_get(ctx, p);
    if (!m || !(m->flags & CL_MEM_SVM_FINE_GRAIN_BUFFER)) return m;
    api_mem_put(m);
    return NULL;
}

cl_int api_clEnqueueSVMMap(cl_command_queue command_queue, cl_bool blocking_map,
                           cl_map_flags map_flags, void *svm_ptr, size_t size,
                           cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                           cl_event *event)
{
    API_ENTER();
    cl_int bad = api_check_enqueue(command_queue, num_events_in_wait_list, event_wait_list);
    if (bad) return bad;
    if (!size) return api_fail(command_queue->ctx, CL_INVALID_VALUE, "the size is 0");
    if ((map_flags &
         ~(cl_map_flags)(CL_MAP_READ | CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION)) ||
        ((map_flags & CL_MAP_WRITE_INVALIDATE_REGION) &&
         map_flags != CL_MAP_WRITE_INVALIDATE_REGION))
        return api_fail(command_queue->ctx, CL_INVALID_VALUE, "map_flags 0x%llx",
                        (unsigned long long)map_flags);
    if ((bad = check_part(command_queue->ctx, svm_ptr, size))) return bad;
    struct svm_command *s = command_new(command_queue, nothing_run, 0);
    if ((s->held[0] = must_map(command_queue->ctx, svm_ptr))) {
        s->cmd.accesses = api_access_set_new();
        api_access_map(s->cmd.accesses, s->held[0], svm_ptr, size, map_flags != CL_MAP_READ);
        if (map_flags != CL_MAP_READ) // as the host will write it, at some time
            api_mem_written(s->held[0], svm_ptr, size, NULL, NULL);
    }
    return api_enqueue(&(struct api_request){command_queue, CL_COMMAND_SVM_MAP, API_ORDER_COMMAND,
                                             num_events_in_wait_list, event_wait_list, blocking_map,
                                             event},
                       &s->cmd);
}

cl_int api_clEnqueueSVMUnmap(cl_command_queue command_queue, void *svm_ptr,
                             cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                             cl_event *event)
{
    API_ENTER();
    cl_int bad = api_check_enqueue(command_queue, num_events_in_wait_list, event_wait_list);
    if (bad || (bad = check_part(command_queue->ctx, svm_ptr, 0))) return bad;
    struct svm_command *s = command_new(command_queue, nothing_run, 0);
    if ((s->held[0] = must_map(command_queue->ctx, svm_ptr))) {
        s->cmd.accesses = api_access_set_new();
        api_access_unmap(s->cmd.accesses, s->held[0], svm_ptr);
    }
    return api_enqueue(&(struct api_request){command_queue, CL_COMMAND_SVM_UNMAP, API_ORDER_COMMAND,
                                             num_events_in_wait_list, event_wait_list, false,
                                             event},
                       &s->cmd);
}

cl_int api_clEnqueueSVMMigrateMem(cl_command_queue command_queue, cl_uint num_svm_pointers,
                                  const void **svm_pointers, const size_t *sizes,
                                  cl_mem_migration_flags flags, cl_uint num_events_in_wait_list,
                                  const cl_event *event_wait_list, cl_event *event)
{
    API_ENTER();
    cl_int bad = api_check_enqueue(command_queue, num_events_in_wait_list, event_wait_list);
    if (bad) return bad;
    cl_context ctx = command_queue->ctx;
    if (!num_svm_pointers || !svm_pointers)
        return api_fail(ctx, CL_INVALID_VALUE, "there are no pointers");
    if (flags & ~(cl_mem_migration_flags)(CL_MIGRATE_MEM_OBJECT_HOST |
                                          CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED))
        return api_fail(ctx, CL_INVALID_VALUE, "flags 0x%llx", (unsigned long long)flags);
    for (cl_uint i = 0; i < num_svm_pointers; i++)
        if ((bad = check_part(ctx, svm_pointers[i], sizes ? sizes[i] : 0))) return bad;
    struct svm_command *s = command_new(command_queue, nothing_run, 0);
    s->cmd.accesses = api_access_set_new();
    for (cl_uint i = 0; i < num_svm_pointers; i++) {
        cl_mem m = api_svm_get(ctx, svm_pointers[i]);
        if (!m) continue;
        api_access_range(s->cmd.accesses, m, svm_pointers[i],
                         sizes && sizes[i]
                             ? sizes[i]
                             : m->size - (size_t)((const uint8_t *)svm_pointers[i] - m->data),
                         flags & CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED ? API_WRITES : API_READS);
        api_mem_put(m);
    }
    return api_enqueue(&(struct api_request){command_queue, CL_COMMAND_SVM_MIGRATE_MEM,
                                             API_ORDER_COMMAND, num_events_in_wait_list,
                                             event_wait_list, false, event},
                       &s->cmd);
}

// ---- kernels

cl_int api_clSetKernelExecInfo(cl_kernel kernel, cl_kernel_exec_info param_name,
                               size_t param_value_size, const void *param_value)
{
    API_ENTER();
    return api_kernel_exec_info(kernel, param_name, param_value_size, param_value);
}

cl_int api_kernel_exec_info(cl_kernel kernel, cl_kernel_exec_info param_name,
                            size_t param_value_size, const void *param_value)
{
    if (!api_is(kernel, API_KERNEL)) return api_bad_handle(NULL, kernel, API_KERNEL);
    cl_context ctx = kernel->program->ctx;
    if (!param_value && param_value_size)
        return api_fail(ctx, CL_INVALID_VALUE, "param_value is NULL");
    switch (param_name) {
    case CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL:
    case CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL:
    case CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL: // they always may
        if (!param_value || param_value_size != sizeof(cl_bool))
            return api_fail(ctx, CL_INVALID_VALUE, "param_value_size is %zu", param_value_size);
        return CL_SUCCESS;
    case CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL:
    case CL_KERNEL_EXEC_INFO_SVM_PTRS: // kernels may follow pointers into all allocations of their
                                       // context
        if (param_value_size % sizeof(void *)) // 0: clears the list
            return api_fail(ctx, CL_INVALID_VALUE, "param_value_size is %zu, no number of pointers",
                            param_value_size);
        return CL_SUCCESS;
    case CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM:
        if (!param_value || param_value_size != sizeof(cl_bool))
            return api_fail(ctx, CL_INVALID_VALUE, "param_value_size is %zu", param_value_size);
        if (*(const cl_bool *)param_value)
            return api_fail(
                ctx, CL_INVALID_OPERATION,
                "the device does not share the system's memory (CL_DEVICE_SVM_FINE_GRAIN_SYSTEM)");
        return CL_SUCCESS;
    }
    return api_fail(ctx, CL_INVALID_VALUE,
                    "param_name 0x%x is not a parameter of clSetKernelExecInfo", param_name);
}
