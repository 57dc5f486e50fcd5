// SPDX-License-Identifier: MIT
// Commands that read, write, copy and fill images: boxes of rows as for buffers, but in pixels.
#include "api/image.h"

#include "api/command_buffer.h"

#include "base/mem.h"

#include <string.h>

cl_int api_check_image(cl_command_queue q, cl_mem m)
{
    if (!api_is(m, API_MEM)) return api_bad_handle(q->ctx, m, API_MEM);
    if (!api_is_image(m))
        return api_fail(q->ctx, CL_INVALID_MEM_OBJECT, "the memory object is a %s, not an image",
                        api_is_pipe(m) ? "pipe" : "buffer");
    if (m->ctx != q->ctx)
        return api_fail(q->ctx, CL_INVALID_CONTEXT,
                        "the image belongs to another context than the queue");
    return CL_SUCCESS;
}

static struct transfer *box_new(struct side from, struct side to, cl_mem image,
                                const size_t *region)
{
    struct transfer *t = api_transfer_new(from, to, region[0] * image->image.format.size);
    t->region[1] = region[1];
    t->region[2] = region[2];
    return t;
}

/** The host's side of a transfer. */
static cl_int host_box(cl_mem m, const void *ptr, const size_t *region, size_t row, size_t slice,
                       struct side *at)
{
    cl_context ctx = m->ctx;
    const size_t tight = region[0] * m->image.format.size;
    const bool lines = m->type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
    if (!ptr) return api_fail(ctx, CL_INVALID_VALUE, "ptr is NULL");
    if (row && row < tight)
        return api_fail(ctx, CL_INVALID_VALUE, "the row pitch is %zu, less than a row of %zu bytes",
                        row, tight);
    if (api_image_is_flat(m) && slice)
        return api_fail(ctx, CL_INVALID_VALUE, "the slice pitch is %zu: the image has no slices",
                        slice);
    *at = (struct side){.first = (uint8_t *)(uintptr_t)ptr, .row = row ? row : tight};
    const size_t plane = lines ? at->row : at->row * region[1];
    if (slice && slice < plane)
        return api_fail(ctx, CL_INVALID_VALUE,
                        "the slice pitch is %zu, less than a slice of %zu bytes", slice, plane);
    at->slice = slice ? slice : plane;
    if (lines) at->row = at->slice; // each row is a separate image
    return CL_SUCCESS;
}

/** Reads or writes an image. `host`: pointer and pitches from the app. */
static cl_int enqueue_box(const struct api_request *r, cl_mem image, const size_t *origin,
                          const size_t *region, struct side host)
{
    const bool is_write = r->type == CL_COMMAND_WRITE_IMAGE;
    cl_int bad;
    struct side at;
    if ((bad = api_check_enqueue(r->queue, r->n, r->list)) ||
        (bad = api_check_image(r->queue, image)) ||
        (bad = api_check_host_access(image, is_write ? HOST_WRITES : HOST_READS)) ||
        (bad = api_image_box(image, origin, region, &at)) ||
        (bad = host_box(image, host.first, region, host.row, host.slice, &host)))
        return bad;
    struct transfer *t = is_write ? box_new(host, at, image, region)
                                  : box_new(at, host, image, region);
    api_transfer_accesses(t);
    if (is_write) api_transfer_watch(t, r->blocking);
    return api_enqueue(r, &t->cmd);
}

cl_int api_clEnqueueReadImage(cl_command_queue command_queue, cl_mem image, cl_bool blocking_read,
                              const size_t *origin, const size_t *region, size_t row_pitch,
                              size_t slice_pitch, void *ptr, cl_uint num_events_in_wait_list,
                              const cl_event *event_wait_list, cl_event *event)
{
    API_ENTER();
    return enqueue_box(&(struct api_request){command_queue, CL_COMMAND_READ_IMAGE,
                                             API_ORDER_COMMAND, num_events_in_wait_list,
                                             event_wait_list, blocking_read, event},
                       image, origin, region, (struct side){NULL, ptr, row_pitch, slice_pitch});
}

cl_int api_clEnqueueWriteImage(cl_command_queue command_queue, cl_mem image, cl_bool blocking_write,
                               const size_t *origin, const size_t *region, size_t input_row_pitch,
                               size_t input_slice_pitch, const void *ptr,
                               cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                               cl_event *event)
{
    API_ENTER();
    return enqueue_box(
        &(struct api_request){command_queue, CL_COMMAND_WRITE_IMAGE, API_ORDER_COMMAND,
                              num_events_in_wait_list, event_wait_list, blocking_write, event},
        image, origin, region,
        (struct side){NULL, (uint8_t *)(uintptr_t)ptr, input_row_pitch, input_slice_pitch});
}

static bool overlap(const size_t *a, const size_t *b, const size_t *region)
{
    for (unsigned k = 0; k < 3; k++)
        if (a[k] + region[k] <= b[k] || b[k] + region[k] <= a[k]) return false;
    return true;
}

struct corner { // of a box in an image
    cl_mem image;
    const size_t *origin;
};

static cl_int copy_image(const struct api_request *r, struct corner src, struct corner dst,
                         const size_t *region)
{
    cl_int bad;
    struct side from, to;
    if ((bad = api_check_request(r)) || (bad = api_check_image(r->queue, src.image)) ||
        (bad = api_check_image(r->queue, dst.image)) ||
        (bad = api_image_box(src.image, src.origin, region, &from)) ||
        (bad = api_image_box(dst.image, dst.origin, region, &to)))
        return bad;
    if (memcmp(&src.image->format, &dst.image->format, sizeof src.image->format))
        return api_fail(r->queue->ctx, CL_IMAGE_FORMAT_MISMATCH,
                        "the images have different formats");
    if (src.image == dst.image && overlap(src.origin, dst.origin, region))
        return api_fail(r->queue->ctx, CL_MEM_COPY_OVERLAP, "source and destination overlap");
    struct transfer *t = box_new(from, to, src.image, region);
    api_transfer_accesses(t);
    return api_enqueue(r, &t->cmd);
}

cl_int api_clEnqueueCopyImage(cl_command_queue command_queue, cl_mem src_image, cl_mem dst_image,
                              const size_t *src_origin, const size_t *dst_origin,
                              const size_t *region, cl_uint num_events_in_wait_list,
                              const cl_event *event_wait_list, cl_event *event)
{
    API_ENTER();
    return copy_image(&(struct api_request){command_queue, CL_COMMAND_COPY_IMAGE, API_ORDER_COMMAND,
                                            num_events_in_wait_list, event_wait_list, false, event},
                      (struct corner){src_image, src_origin},
                      (struct corner){dst_image, dst_origin}, region);
}

cl_int api_clCommandCopyImageKHR(cl_command_buffer_khr command_buffer,
                                 cl_command_queue command_queue, const api_properties *properties,
                                 cl_mem src_image, cl_mem dst_image, const size_t *src_origin,
                                 const size_t *dst_origin, const size_t *region,
                                 cl_uint num_sync_points_in_wait_list,
                                 const cl_sync_point_khr *sync_point_wait_list,
                                 cl_sync_point_khr *sync_point,
                                 cl_mutable_command_khr *mutable_handle)
{
    RECORD(CL_COMMAND_COPY_IMAGE);
    return copy_image(request, (struct corner){src_image, src_origin},
                      (struct corner){dst_image, dst_origin}, region);
}

/** The buffer's side of a copy: contiguous rows. */
static cl_int buffer_box(cl_mem b, size_t offset, cl_mem image, const size_t *region,
                         struct side *at)
{
    if (image->type == CL_MEM_OBJECT_IMAGE1D_BUFFER && image->parent == b)
        return api_fail(b->ctx, CL_INVALID_MEM_OBJECT,
                        "the image was created from the buffer: there is nothing to copy");
    const size_t row = region[0] * image->image.format.size, bytes = row * region[1] * region[2];
    if (offset > b->size || bytes > b->size - offset)
        return api_fail(b->ctx, CL_INVALID_VALUE, "bytes %zu to %zu leave the buffer of %zu bytes",
                        offset, offset + bytes, b->size);
    *at = (struct side){.mem = b, .first = b->data + offset, .row = row, .slice = row * region[1]};
    return CL_SUCCESS;
}

/** A copy between an image and a buffer; r->type says in which direction. */
static cl_int copy_mixed(const struct api_request *r, struct corner at, const size_t *region,
                         cl_mem buffer, size_t offset)
{
    cl_int bad;
    struct side of_image, of_buffer;
    if ((bad = api_check_request(r)) || (bad = api_check_image(r->queue, at.image)) ||
        (bad = api_check_buffer(r->queue, buffer)) ||
        (bad = api_image_box(at.image, at.origin, region, &of_image)) ||
        (bad = buffer_box(buffer, offset, at.image, region, &of_buffer)))
        return bad;
    struct transfer *t = r->type == CL_COMMAND_COPY_IMAGE_TO_BUFFER
                             ? box_new(of_image, of_buffer, at.image, region)
                             : box_new(of_buffer, of_image, at.image, region);
    api_transfer_accesses(t);
    return api_enqueue(r, &t->cmd);
}

cl_int api_clEnqueueCopyImageToBuffer(cl_command_queue command_queue, cl_mem src_image,
                                      cl_mem dst_buffer, const size_t *src_origin,
                                      const size_t *region, size_t dst_offset,
                                      cl_uint num_events_in_wait_list,
                                      const cl_event *event_wait_list, cl_event *event)
{
    API_ENTER();
    return copy_mixed(&(struct api_request){command_queue, CL_COMMAND_COPY_IMAGE_TO_BUFFER,
                                            API_ORDER_COMMAND, num_events_in_wait_list,
                                            event_wait_list, false, event},
                      (struct corner){src_image, src_origin}, region, dst_buffer, dst_offset);
}

cl_int api_clCommandCopyImageToBufferKHR(
    cl_command_buffer_khr command_buffer, cl_command_queue command_queue,
    const api_properties *properties, cl_mem src_image, cl_mem dst_buffer, const size_t *src_origin,
    const size_t *region, size_t dst_offset, cl_uint num_sync_points_in_wait_list,
    const cl_sync_point_khr *sync_point_wait_list, cl_sync_point_khr *sync_point,
    cl_mutable_command_khr *mutable_handle)
{
    RECORD(CL_COMMAND_COPY_IMAGE_TO_BUFFER);
    return copy_mixed(request, (struct corner){src_image, src_origin}, region, dst_buffer,
                      dst_offset);
}

cl_int api_clEnqueueCopyBufferToImage(cl_command_queue command_queue, cl_mem src_buffer,
                                      cl_mem dst_image, size_t src_offset, const size_t *dst_origin,
                                      const size_t *region, cl_uint num_events_in_wait_list,
                                      const cl_event *event_wait_list, cl_event *event)
{
    API_ENTER();
    return copy_mixed(&(struct api_request){command_queue, CL_COMMAND_COPY_BUFFER_TO_IMAGE,
                                            API_ORDER_COMMAND, num_events_in_wait_list,
                                            event_wait_list, false, event},
                      (struct corner){dst_image, dst_origin}, region, src_buffer, src_offset);
}

cl_int api_clCommandCopyBufferToImageKHR(
    cl_command_buffer_khr command_buffer, cl_command_queue command_queue,
    const api_properties *properties, cl_mem src_buffer, cl_mem dst_image, size_t src_offset,
    const size_t *dst_origin, const size_t *region, cl_uint num_sync_points_in_wait_list,
    const cl_sync_point_khr *sync_point_wait_list, cl_sync_point_khr *sync_point,
    cl_mutable_command_khr *mutable_handle)
{
    RECORD(CL_COMMAND_COPY_BUFFER_TO_IMAGE);
    return copy_mixed(request, (struct corner){dst_image, dst_origin}, region, src_buffer,
                      src_offset);
}

static cl_int fill_run(struct api_command *c, cl_event e)
{
    const struct transfer *t = (const struct transfer *)c;
    for (size_t z = 0; z < t->region[2]; z++)
        for (size_t y = 0; y < t->region[1]; y++) {
            uint8_t *row = t->to.first + z * t->to.slice + y * t->to.row;
            for (size_t x = 0; x < t->region[0]; x += t->pattern_size)
                memcpy(row + x, t->pattern, t->pattern_size);
            api_mem_written(t->to.mem, row, t->region[0], NULL, NULL);
            api_command_wrote(c, row, t->region[0], NULL);
        }
    return CL_SUCCESS;
}

static cl_int fill_image(const struct api_request *r, struct corner at, const void *fill_color,
                         const size_t *region)
{
    cl_int bad;
    struct side to;
    if ((bad = api_check_request(r)) || (bad = api_check_image(r->queue, at.image)) ||
        (bad = api_image_box(at.image, at.origin, region, &to)))
        return bad;
    if (!fill_color) return api_fail(r->queue->ctx, CL_INVALID_VALUE, "fill_color is NULL");
    const cl_mem image = at.image;
    struct vm_pixels *p = mem_alloc(sizeof *p);
    for (unsigned k = 0; k < (image->format.image_channel_order == CL_DEPTH ? 1 : 4); k++)
        memcpy(&p->c[k][0], (const char *)fill_color + 4 * k, 4);
    struct transfer *t = box_new((struct side){0}, to, image, region);
    t->cmd.run = fill_run;
    t->pattern_size = image->image.format.size;
    vm_pixels_encode(&image->image.format, p, 0, 1, (char *)t->pattern);
    free(p);
    api_transfer_accesses(t);
    return api_enqueue(r, &t->cmd);
}

cl_int api_clEnqueueFillImage(cl_command_queue command_queue, cl_mem image, const void *fill_color,
                              const size_t *origin, const size_t *region,
                              cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                              cl_event *event)
{
    API_ENTER();
    return fill_image(&(struct api_request){command_queue, CL_COMMAND_FILL_IMAGE, API_ORDER_COMMAND,
                                            num_events_in_wait_list, event_wait_list, false, event},
                      (struct corner){image, origin}, fill_color, region);
}

cl_int api_clCommandFillImageKHR(cl_command_buffer_khr command_buffer,
                                 cl_command_queue command_queue, const api_properties *properties,
                                 cl_mem image, const void *fill_color, const size_t *origin,
                                 const size_t *region, cl_uint num_sync_points_in_wait_list,
                                 const cl_sync_point_khr *sync_point_wait_list,
                                 cl_sync_point_khr *sync_point,
                                 cl_mutable_command_khr *mutable_handle)
{
    RECORD(CL_COMMAND_FILL_IMAGE);
    return fill_image(request, (struct corner){image, origin}, fill_color, region);
}
