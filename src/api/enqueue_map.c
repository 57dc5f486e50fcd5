// SPDX-License-Identifier: MIT
// Mapping: buffers are host memory, so a mapped pointer points into the buffer, and mapping and
// unmapping copy nothing. They are still commands with an order and errors.
#include "api/image.h"
#include "api/transfer.h"

#include "base/mem.h"

struct map_command {
    struct api_command cmd;
    cl_mem mem;
    struct api_map_region region;
};

static bool regions_overlap(const struct api_map_region *a, const struct api_map_region *b)
{
    for (unsigned k = 0; k < 3; k++)
        if (a->origin[k] + a->size[k] <= b->origin[k] || b->origin[k] + b->size[k] <= a->origin[k])
            return false;
    return true;
}

/** Adds a map. Error: a part of the region is already mapped for writing. */
static cl_int region_add(cl_mem m, struct api_map_region r)
{
    bool overlaps = false;
    pthread_mutex_lock(&m->lock);
    for (size_t i = 0; i < m->maps.len && r.for_writing; i++)
        overlaps |= m->maps.data[i].for_writing && regions_overlap(&m->maps.data[i], &r);
    if (!overlaps) vec_push(&m->maps, r);
    pthread_mutex_unlock(&m->lock);
    return overlaps
               ? api_fail(
                     m->ctx, CL_INVALID_OPERATION,
                     "a part of the region is mapped for writing already, and was not unmapped")
               : CL_SUCCESS;
}

static bool region_remove(cl_mem m, const void *ptr)
{
    bool found = false;
    pthread_mutex_lock(&m->lock);
    for (size_t i = m->maps.len; i-- && !found;)
        if (m->maps.data[i].ptr == ptr) {
            m->maps.data[i] = vec_last(&m->maps);
            m->maps.len--;
            found = true;
        }
    pthread_mutex_unlock(&m->lock);
    return found;
}

static cl_int nothing_run(struct api_command *c, cl_event e) { return CL_SUCCESS; }

static void map_destroy(struct api_command *c)
{
    struct map_command *m = (struct map_command *)c;
    api_mem_put(m->mem);
    free(m);
}

static struct map_command *map_command_new(cl_mem mem)
{
    struct map_command *m = mem_alloc(sizeof *m);
    m->cmd.run = nothing_run;
    m->cmd.destroy = map_destroy;
    m->mem = mem;
    api_ref(mem);
    return m;
}

static cl_int check_map_flags(cl_mem m, cl_map_flags flags)
{
    const cl_map_flags writes = CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION;
    if ((flags & ~(CL_MAP_READ | writes)) ||
        ((flags & CL_MAP_WRITE_INVALIDATE_REGION) && (flags & (CL_MAP_READ | CL_MAP_WRITE))))
        return api_fail(m->ctx, CL_INVALID_VALUE, "map_flags 0x%llx", (unsigned long long)flags);
    if ((flags & CL_MAP_READ) && (m->flags & (CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS)))
        return api_fail(m->ctx, CL_INVALID_OPERATION,
                        "mapped for reading, but the host may not read it");
    if ((flags & writes) && (m->flags & (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS)))
        return api_fail(m->ctx, CL_INVALID_OPERATION,
                        "mapped for writing, but the host may not write it");
    return CL_SUCCESS;
}

static cl_int check_map(cl_mem m, cl_map_flags flags, size_t offset, size_t size)
{
    if (size == 0) return api_fail(m->ctx, CL_INVALID_VALUE, "the size is 0");
    if (offset > m->size || size > m->size - offset)
        return api_fail(m->ctx, CL_INVALID_VALUE, "bytes %zu to %zu leave the buffer of %zu bytes",
                        offset, offset + size, m->size);
    return check_map_flags(m, flags);
}

void *api_clEnqueueMapBuffer(cl_command_queue command_queue, cl_mem buffer, cl_bool blocking_map,
                             cl_map_flags map_flags, size_t offset, size_t cb,
                             cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                             cl_event *event, cl_int *errcode_ret)
{
    API_ENTER();
    cl_int bad = api_check_enqueue(command_queue, num_events_in_wait_list, event_wait_list);
    if (bad) API_RETURN(bad, NULL);
    if (!api_is(buffer, API_MEM))
        API_RETURN(api_bad_handle(command_queue->ctx, buffer, API_MEM), NULL);
    if (buffer->ctx != command_queue->ctx)
        API_RETURN(api_fail(command_queue->ctx, CL_INVALID_CONTEXT,
                            "the buffer belongs to another context than the queue"),
                   NULL);
    const bool for_writing = map_flags != CL_MAP_READ;
    bad = api_need_buffer(command_queue->ctx, buffer);
    if (!bad) bad = check_map(buffer, map_flags, offset, cb);
    void *ptr = bad ? NULL : buffer->data + offset;
    if (!bad)
        bad = region_add(buffer, (struct api_map_region){ptr, {offset}, {cb, 1, 1}, for_writing});
    if (bad) API_RETURN(bad, NULL);
    if (for_writing) api_mem_written(buffer, ptr, cb, NULL, NULL); // as the host will, at some time
    struct map_command *m = map_command_new(buffer);
    m->cmd.accesses = api_access_set_new();
    api_access_map(m->cmd.accesses, buffer, ptr, cb, for_writing);
    bad = api_enqueue(&(struct api_request){command_queue, CL_COMMAND_MAP_BUFFER, API_ORDER_COMMAND,
                                            num_events_in_wait_list, event_wait_list, blocking_map,
                                            event},
                      &m->cmd);
    if (bad) {
        region_remove(buffer, ptr);
        ptr = NULL;
    }
    API_RETURN(bad, ptr);
}

/**
 * Bytes between the rows of a part of an image are not mapped, so only gapless maps are tracked
 * until the unmap.
 */
static void map_accesses(struct api_access_set *d, cl_mem image, const struct side *at,
                         const size_t *region, bool for_writing)
{
    const bool lines = image->type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
    const struct vm_image *v = &image->image;
    const size_t bytes = region[0] * v->format.size, row = lines ? v->slice_pitch : v->row_pitch;
    const size_t rows = (region[1] - 1) * row + (region[2] - 1) * v->slice_pitch + bytes;
    const bool whole = (region[1] * region[2] == 1 || region[0] == v->size[0]) &&
                       (region[2] == 1 || lines || region[1] == v->size[1]);
    if (whole) {
        api_access_map(d, image, at->first, rows, for_writing);
        return;
    }
    for (size_t z = 0; z < region[2]; z++)
        for (size_t y = 0; y < region[1]; y++)
            api_access_range(d, image, at->first + z * v->slice_pitch + y * row, bytes,
                             for_writing ? API_WRITES : API_READS);
}

void *api_clEnqueueMapImage(cl_command_queue command_queue, cl_mem image, cl_bool blocking_map,
                            cl_map_flags map_flags, const size_t *origin, const size_t *region,
                            size_t *image_row_pitch, size_t *image_slice_pitch,
                            cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                            cl_event *event, cl_int *errcode_ret)
{
    API_ENTER();
    struct side at;
    cl_int bad;
    if ((bad = api_check_enqueue(command_queue, num_events_in_wait_list, event_wait_list)) ||
        (bad = api_check_image(command_queue, image)) ||
        (bad = api_image_box(image, origin, region, &at)) ||
        (bad = check_map_flags(image, map_flags)))
        API_RETURN(bad, NULL);
    const bool is_flat = api_image_is_flat(image);
    if (!image_row_pitch || (!is_flat && !image_slice_pitch))
        API_RETURN(api_fail(command_queue->ctx, CL_INVALID_VALUE, "%s is NULL",
                            image_row_pitch ? "image_slice_pitch" : "image_row_pitch"),
                   NULL);
    const bool for_writing = map_flags != CL_MAP_READ;
    void *ptr = at.first;
    bad = region_add(image, (struct api_map_region){ptr,
                                                    {origin[0], origin[1], origin[2]},
                                                    {region[0], region[1], region[2]},
                                                    for_writing});
    if (bad) API_RETURN(bad, NULL);
    *image_row_pitch = image->image.row_pitch;
    if (image_slice_pitch) *image_slice_pitch = is_flat ? 0 : image->image.slice_pitch;
    if (for_writing)
        api_mem_written(image, image->data, image->size, NULL,
                        NULL); // as the host will, at some time
    struct map_command *m = map_command_new(image);
    m->cmd.accesses = api_access_set_new();
    map_accesses(m->cmd.accesses, image, &at, region, for_writing);
    bad = api_enqueue(&(struct api_request){command_queue, CL_COMMAND_MAP_IMAGE, API_ORDER_COMMAND,
                                            num_events_in_wait_list, event_wait_list, blocking_map,
                                            event},
                      &m->cmd);
    if (bad) {
        region_remove(image, ptr);
        ptr = NULL;
    }
    API_RETURN(bad, ptr);
}

cl_int api_clEnqueueUnmapMemObject(cl_command_queue command_queue, cl_mem memobj, void *mapped_ptr,
                                   cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                                   cl_event *event)
{
    API_ENTER();
    cl_int bad = api_check_enqueue(command_queue, num_events_in_wait_list, event_wait_list);
    if (bad) return bad;
    if (!api_is(memobj, API_MEM)) return api_bad_handle(command_queue->ctx, memobj, API_MEM);
    if (api_is_pipe(memobj))
        return api_fail(command_queue->ctx, CL_INVALID_MEM_OBJECT, "a pipe is never mapped");
    if (memobj->ctx != command_queue->ctx)
        return api_fail(command_queue->ctx, CL_INVALID_CONTEXT,
                        "the memory object belongs to another context than the queue");
    if (!region_remove(memobj, mapped_ptr))
        return api_fail(command_queue->ctx, CL_INVALID_VALUE,
                        "%p was not returned by a map of this memory object", mapped_ptr);
    struct map_command *m = map_command_new(memobj);
    m->cmd.accesses = api_access_set_new();
    api_access_unmap(m->cmd.accesses, memobj, mapped_ptr);
    return api_enqueue(&(struct api_request){command_queue, CL_COMMAND_UNMAP_MEM_OBJECT,
                                             API_ORDER_COMMAND, num_events_in_wait_list,
                                             event_wait_list, false, event},
                       &m->cmd);
}

// Migration copies nothing. It still counts as an access: a read, or a write if the contents become
// undefined.
cl_int api_clEnqueueMigrateMemObjects(cl_command_queue command_queue, cl_uint num_mem_objects,
                                      const cl_mem *mem_objects, cl_mem_migration_flags flags,
                                      cl_uint num_events_in_wait_list,
                                      const cl_event *event_wait_list, cl_event *event)
{
    API_ENTER();
    cl_int bad = api_check_enqueue(command_queue, num_events_in_wait_list, event_wait_list);
    if (bad) return bad;
    cl_context ctx = command_queue->ctx;
    if (num_mem_objects == 0 || !mem_objects)
        return api_fail(ctx, CL_INVALID_VALUE, "the list of memory objects is empty");
    if (flags & ~(cl_mem_migration_flags)(CL_MIGRATE_MEM_OBJECT_HOST |
                                          CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED))
        return api_fail(ctx, CL_INVALID_VALUE, "flags 0x%llx", (unsigned long long)flags);
    for (cl_uint i = 0; i < num_mem_objects; i++) {
        if (!api_is(mem_objects[i], API_MEM)) return api_bad_handle(ctx, mem_objects[i], API_MEM);
        if (mem_objects[i]->ctx != ctx)
            return api_fail(ctx, CL_INVALID_CONTEXT,
                            "memory object %u belongs to another context than the queue", i);
    }
    struct map_command *m = map_command_new(mem_objects[0]);
    m->cmd.accesses = api_access_set_new();
    for (cl_uint i = 0; i < num_mem_objects; i++)
        api_access_range(m->cmd.accesses, mem_objects[i], mem_objects[i]->data,
                         mem_objects[i]->size,
                         flags & CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED ? API_WRITES : API_READS);
    return api_enqueue(&(struct api_request){command_queue, CL_COMMAND_MIGRATE_MEM_OBJECTS,
                                             API_ORDER_COMMAND, num_events_in_wait_list,
                                             event_wait_list, false, event},
                       &m->cmd);
}
