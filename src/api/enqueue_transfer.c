// SPDX-License-Identifier: MIT
// Commands that read, write, copy and fill buffers. All but fills are the copy of a box of rows
// between buffers or host memory; a plain copy has one row.
#include "api/transfer.h"

#include "api/command_buffer.h"
#include "api/limits.h"
#include "base/map.h"
#include "base/mem.h"

/** Records the accesses for host-race, when the box is known. */
void api_transfer_accesses(struct transfer *t)
{
    struct api_access_set *d = t->cmd.accesses = api_access_set_new();
    for (size_t z = 0; d && z < t->region[2]; z++)
        for (size_t y = 0; y < t->region[1]; y++) {
            const uint8_t *from =
                t->pattern_size ? NULL : t->from.first + z * t->from.slice + y * t->from.row;
            const uint8_t *to = t->to.first + z * t->to.slice + y * t->to.row;
            if (t->from.mem) api_access_range(d, t->from.mem, from, t->region[0], API_READS);
            if (t->to.mem) api_access_range(d, t->to.mem, to, t->region[0], API_WRITES);
            if (t->pattern_size || from == to)
                continue; // a buffer in the same host memory: nothing is copied
            if (!t->from.mem) api_access_host_range(d, from, t->region[0], API_READS);
            if (!t->to.mem) api_access_host_range(d, to, t->region[0], API_WRITES);
        }
}

enum { MAX_WATCHED = 16 << 20 }; // bytes; for these, reading them twice costs little

static uint64_t source_hash(const struct transfer *t)
{
    uint64_t h = 1;
    for (size_t z = 0; z < t->region[2]; z++)
        for (size_t y = 0; y < t->region[1]; y++)
            h = hash_bytes(t->from.first + z * t->from.slice + y * t->from.row, t->region[0], h);
    return h | 1;
}

void api_transfer_watch(struct transfer *t, bool blocking)
{
    if (blocking || !t->cmd.accesses || t->from.mem ||
        t->region[0] * t->region[1] * t->region[2] > MAX_WATCHED)
        return;
    t->source_hash = source_hash(t);
}

static void transfer_destroy(struct api_command *c)
{
    struct transfer *t = (struct transfer *)c;
    if (t->from.mem) api_mem_put(t->from.mem);
    if (t->to.mem) api_mem_put(t->to.mem);
    free(t);
}

static cl_int copy_run(struct api_command *c, cl_event e)
{
    const struct transfer *t = (const struct transfer *)c;
    if (t->source_hash && t->source_hash != source_hash(t))
        api_conflict_source_changed(e->accesses);
    for (size_t z = 0; z < t->region[2]; z++)
        for (size_t y = 0; y < t->region[1]; y++) {
            uint8_t *to = t->to.first + z * t->to.slice + y * t->to.row;
            const uint8_t *from = t->from.first + z * t->from.slice + y * t->from.row;
            memmove(to, from, t->region[0]);
            if (!t->to.mem) continue;
            api_mem_written(t->to.mem, to, t->region[0], t->from.mem, from);
            api_command_wrote(c, to, t->region[0], t->from.mem ? from : NULL);
        }
    return CL_SUCCESS;
}

static cl_int fill_run(struct api_command *c, cl_event e)
{
    const struct transfer *t = (const struct transfer *)c;
    uint8_t *to = t->to.first;
    size_t n = t->region[0], have = t->pattern_size;
    memcpy(to, t->pattern, have);
    while (have < n) { // doubles the filled part
        size_t more = have < n - have ? have : n - have;
        memcpy(to + have, to, more);
        have += more;
    }
    api_mem_written(t->to.mem, to, n, NULL, NULL);
    api_command_wrote(c, to, n, NULL);
    return CL_SUCCESS;
}

static struct side host_side(const void *p) { return (struct side){.first = (uint8_t *)p}; }

cl_int api_check_buffer(cl_command_queue q, cl_mem m)
{
    if (!api_is(m, API_MEM)) return api_bad_handle(q->ctx, m, API_MEM);
    const cl_int other = api_need_buffer(q->ctx, m);
    if (other) return other;
    if (m->ctx != q->ctx)
        return api_fail(q->ctx, CL_INVALID_CONTEXT,
                        "the buffer belongs to another context than the queue");
    return CL_SUCCESS;
}

cl_int api_check_host_access(cl_mem m, enum host_access a)
{
    if (m->flags & CL_MEM_HOST_NO_ACCESS)
        return api_fail(m->ctx, CL_INVALID_OPERATION,
                        "the buffer was created with CL_MEM_HOST_NO_ACCESS");
    if (a == HOST_READS && (m->flags & CL_MEM_HOST_WRITE_ONLY))
        return api_fail(m->ctx, CL_INVALID_OPERATION,
                        "the buffer was created with CL_MEM_HOST_WRITE_ONLY");
    if (a == HOST_WRITES && (m->flags & CL_MEM_HOST_READ_ONLY))
        return api_fail(m->ctx, CL_INVALID_OPERATION,
                        "the buffer was created with CL_MEM_HOST_READ_ONLY");
    return CL_SUCCESS;
}

static cl_int check_range(cl_mem m, size_t offset, size_t size)
{
    if (offset > m->size || size > m->size - offset)
        return api_fail(m->ctx, CL_INVALID_VALUE, "bytes %zu to %zu leave the buffer of %zu bytes",
                        offset, offset + size, m->size);
    return CL_SUCCESS;
}

static struct api_command *transfer_repeat(const struct api_command *c, cl_device_id device)
{
    struct transfer *t = mem_dup(c, sizeof *t);
    if (t->from.mem) api_ref(t->from.mem);
    if (t->to.mem) api_ref(t->to.mem);
    api_transfer_accesses(t);
    return &t->cmd;
}

struct transfer *api_transfer_new(struct side from, struct side to, size_t bytes)
{
    struct transfer *t = mem_alloc(sizeof *t);
    t->cmd.run = copy_run;
    t->cmd.destroy = transfer_destroy;
    t->cmd.repeat = transfer_repeat;
    t->from = from;
    t->to = to;
    t->region[0] = bytes;
    t->region[1] = t->region[2] = 1;
    if (from.mem) api_ref(from.mem);
    if (to.mem) api_ref(to.mem);
    return t;
}

// ---- between a buffer and the host's memory: reading and writing exchange the two sides

struct host_call {
    cl_command_queue queue;
    cl_mem buffer;
    enum host_access access;
    cl_command_type type;
    cl_bool blocking;
    const void *ptr;
    cl_uint n; // of the wait list
    const cl_event *list;
    cl_event *event;
};

static cl_int check_host_call(const struct host_call *h)
{
    cl_int bad;
    if ((bad = api_check_enqueue(h->queue, h->n, h->list)) ||
        (bad = api_check_buffer(h->queue, h->buffer)))
        return bad;
    return api_check_host_access(h->buffer, h->access);
}

static cl_int enqueue_host_call(const struct host_call *h, struct transfer *t)
{
    api_transfer_accesses(t);
    if (h->access == HOST_WRITES) api_transfer_watch(t, h->blocking);
    return api_enqueue(&(struct api_request){h->queue, h->type, API_ORDER_COMMAND, h->n, h->list,
                                             h->blocking, h->event},
                       &t->cmd);
}

static cl_int host_range(const struct host_call *h, size_t offset, size_t size)
{
    cl_int bad;
    if ((bad = check_host_call(h)) || (bad = check_range(h->buffer, offset, size))) return bad;
    if (!h->ptr) return api_fail(h->buffer->ctx, CL_INVALID_VALUE, "ptr is NULL");
    if (size == 0) // no bytes, but still a command
        return api_enqueue(&(struct api_request){h->queue, h->type, API_ORDER_COMMAND, h->n,
                                                 h->list, h->blocking, h->event},
                           NULL);
    const struct side in = {.mem = h->buffer, .first = h->buffer->data + offset},
                      out = host_side(h->ptr);
    const bool reads = h->access == HOST_READS;
    return enqueue_host_call(h, api_transfer_new(reads ? in : out, reads ? out : in, size));
}

cl_int api_clEnqueueReadBuffer(cl_command_queue command_queue, cl_mem buffer, cl_bool blocking_read,
                               size_t offset, size_t cb, void *ptr, cl_uint num_events_in_wait_list,
                               const cl_event *event_wait_list, cl_event *event)
{
    API_ENTER();
    return host_range(&(struct host_call){command_queue, buffer, HOST_READS, CL_COMMAND_READ_BUFFER,
                                          blocking_read, ptr, num_events_in_wait_list,
                                          event_wait_list, event},
                      offset, cb);
}

cl_int api_clEnqueueWriteBuffer(cl_command_queue command_queue, cl_mem buffer,
                                cl_bool blocking_write, size_t offset, size_t cb, const void *ptr,
                                cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                                cl_event *event)
{
    API_ENTER();
    return host_range(&(struct host_call){command_queue, buffer, HOST_WRITES,
                                          CL_COMMAND_WRITE_BUFFER, blocking_write, ptr,
                                          num_events_in_wait_list, event_wait_list, event},
                      offset, cb);
}

// The bytes of the root allocation that a part of a buffer covers: sub-buffers of one buffer
// overlap there.
static uint8_t *root_data(cl_mem m) { return api_mem_root(m)->data; }

struct part { // of a buffer
    cl_mem buffer;
    size_t offset;
};

static cl_int copy_buffer(const struct api_request *r, struct part src, struct part dst, size_t cb)
{
    cl_int bad;
    if ((bad = api_check_request(r)) || (bad = api_check_buffer(r->queue, src.buffer)) ||
        (bad = api_check_buffer(r->queue, dst.buffer)) ||
        (bad = check_range(src.buffer, src.offset, cb)) ||
        (bad = check_range(dst.buffer, dst.offset, cb)))
        return bad;
    if (cb == 0) return api_enqueue(r, NULL); // no bytes, but still a command
    uint8_t *from = src.buffer->data + src.offset, *to = dst.buffer->data + dst.offset;
    if (root_data(src.buffer) == root_data(dst.buffer) && from < to + cb && to < from + cb)
        return api_fail(r->queue->ctx, CL_MEM_COPY_OVERLAP, "source and destination overlap");
    struct transfer *t = api_transfer_new((struct side){.mem = src.buffer, .first = from},
                                          (struct side){.mem = dst.buffer, .first = to}, cb);
    api_transfer_accesses(t);
    return api_enqueue(r, &t->cmd);
}

cl_int api_clEnqueueCopyBuffer(cl_command_queue command_queue, cl_mem src_buffer, cl_mem dst_buffer,
                               size_t src_offset, size_t dst_offset, size_t cb,
                               cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                               cl_event *event)
{
    API_ENTER();
    return copy_buffer(
        &(struct api_request){command_queue, CL_COMMAND_COPY_BUFFER, API_ORDER_COMMAND,
                              num_events_in_wait_list, event_wait_list, false, event},
        (struct part){src_buffer, src_offset}, (struct part){dst_buffer, dst_offset}, cb);
}

cl_int api_clCommandCopyBufferKHR(cl_command_buffer_khr command_buffer,
                                  cl_command_queue command_queue, const api_properties *properties,
                                  cl_mem src_buffer, cl_mem dst_buffer, size_t src_offset,
                                  size_t dst_offset, size_t size,
                                  cl_uint num_sync_points_in_wait_list,
                                  const cl_sync_point_khr *sync_point_wait_list,
                                  cl_sync_point_khr *sync_point,
                                  cl_mutable_command_khr *mutable_handle)
{
    RECORD(CL_COMMAND_COPY_BUFFER);
    return copy_buffer(request, (struct part){src_buffer, src_offset},
                       (struct part){dst_buffer, dst_offset}, size);
}

struct pattern { // of a fill
    const void *bytes;
    size_t size;
};

static cl_int fill_buffer(const struct api_request *r, struct part at, struct pattern p, size_t cb)
{
    cl_int bad;
    if ((bad = api_check_request(r)) || (bad = api_check_buffer(r->queue, at.buffer)) ||
        (bad = check_range(at.buffer, at.offset, cb)))
        return bad;
    cl_context ctx = at.buffer->ctx;
    if (!p.bytes) return api_fail(ctx, CL_INVALID_VALUE, "pattern is NULL");
    if (p.size == 0 || p.size > 128 || (p.size & (p.size - 1)))
        return api_fail(ctx, CL_INVALID_VALUE, "pattern_size is %zu; it must be 1, 2, 4 … 128",
                        p.size);
    if (at.offset % p.size || cb % p.size)
        return api_fail(ctx, CL_INVALID_VALUE,
                        "offset %zu and size %zu must be multiples of pattern_size, %zu", at.offset,
                        cb, p.size);
    if (cb == 0) return api_enqueue(r, NULL); // no bytes, but still a command
    struct transfer *t =
        api_transfer_new((struct side){0},
                         (struct side){.mem = at.buffer, .first = at.buffer->data + at.offset}, cb);
    t->cmd.run = fill_run;
    memcpy(t->pattern, p.bytes, p.size);
    t->pattern_size = p.size;
    api_transfer_accesses(t);
    return api_enqueue(r, &t->cmd);
}

cl_int api_clEnqueueFillBuffer(cl_command_queue command_queue, cl_mem buffer, const void *pattern,
                               size_t pattern_size, size_t offset, size_t cb,
                               cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                               cl_event *event)
{
    API_ENTER();
    return fill_buffer(&(struct api_request){command_queue, CL_COMMAND_FILL_BUFFER,
                                             API_ORDER_COMMAND, num_events_in_wait_list,
                                             event_wait_list, false, event},
                       (struct part){buffer, offset}, (struct pattern){pattern, pattern_size}, cb);
}

cl_int api_clCommandFillBufferKHR(cl_command_buffer_khr command_buffer,
                                  cl_command_queue command_queue, const api_properties *properties,
                                  cl_mem buffer, const void *pattern, size_t pattern_size,
                                  size_t offset, size_t size, cl_uint num_sync_points_in_wait_list,
                                  const cl_sync_point_khr *sync_point_wait_list,
                                  cl_sync_point_khr *sync_point,
                                  cl_mutable_command_khr *mutable_handle)
{
    RECORD(CL_COMMAND_FILL_BUFFER);
    return fill_buffer(request, (struct part){buffer, offset},
                       (struct pattern){pattern, pattern_size}, size);
}

// ---- boxes

struct box {
    size_t row, slice;   // pitches
    size_t first, after; // offsets of the first byte of the box, and of its end
};

static cl_int check_region(cl_context ctx, const size_t *region)
{
    if (!region) return api_fail(ctx, CL_INVALID_VALUE, "region is NULL");
    if (!region[0] || !region[1] || !region[2])
        return api_fail(ctx, CL_INVALID_VALUE, "region (%zu, %zu, %zu) is empty", region[0],
                        region[1], region[2]);
    return CL_SUCCESS;
}

// b = a * b + c, or false on overflow
static bool mul_add(size_t a, size_t b, size_t c, size_t *out)
{
    size_t p;
    return !__builtin_mul_overflow(a, b, &p) && !__builtin_add_overflow(p, c, out);
}

struct place { // of a box, as the app gives it
    const size_t *origin;
    size_t row, slice;
};

static cl_int make_box(cl_context ctx, const char *what, struct place at, const size_t *region,
                       struct box *b)
{
    if (!at.origin) return api_fail(ctx, CL_INVALID_VALUE, "the origin in the %s is NULL", what);
    if (at.row && at.row < region[0])
        return api_fail(ctx, CL_INVALID_VALUE,
                        "the row pitch of the %s is %zu, less than a row of %zu bytes", what,
                        at.row, region[0]);
    b->row = at.row ? at.row : region[0];
    size_t plane = 0, t;
    bool ok = mul_add(region[1], b->row, 0, &plane);
    if (at.slice && (!ok || at.slice < plane || at.slice % b->row))
        return api_fail(ctx, CL_INVALID_VALUE,
                        "the slice pitch of the %s is %zu: less than a slice, or not a multiple of "
                        "the row pitch %zu",
                        what, at.slice, b->row);
    b->slice = at.slice ? at.slice : plane;
    ok = ok && mul_add(at.origin[2], b->slice, at.origin[0], &t) &&
         mul_add(at.origin[1], b->row, t, &b->first) &&
         mul_add(region[2] - 1, b->slice, b->first, &t) && mul_add(region[1] - 1, b->row, t, &t) &&
         !__builtin_add_overflow(t, region[0], &b->after);
    return ok ? CL_SUCCESS
              : api_fail(ctx, CL_INVALID_VALUE, "the box in the %s is larger than memory", what);
}

static cl_int check_box(cl_mem m, const struct box *b)
{
    if (b->after > m->size)
        return api_fail(m->ctx, CL_INVALID_VALUE,
                        "the box ends at byte %zu and leaves the buffer of %zu bytes", b->after,
                        m->size);
    return CL_SUCCESS;
}

static struct transfer *rect_new(struct side from, const struct box *fb, struct side to,
                                 const struct box *tb, const size_t *region)
{
    from.first += fb->first;
    from.row = fb->row;
    from.slice = fb->slice;
    to.first += tb->first;
    to.row = tb->row;
    to.slice = tb->slice;
    struct transfer *t = api_transfer_new(from, to, region[0]);
    t->region[1] = region[1];
    t->region[2] = region[2];
    return t;
}

static struct side mem_side(cl_mem m) { return (struct side){.mem = m, .first = m->data}; }

static cl_int host_box(const struct host_call *h, struct place in_buffer, struct place in_host,
                       const size_t *region)
{
    cl_int bad;
    struct box mb, hb;
    if ((bad = check_host_call(h)) || (bad = check_region(h->buffer->ctx, region)) ||
        (bad = make_box(h->buffer->ctx, "buffer", in_buffer, region, &mb)) ||
        (bad = make_box(h->buffer->ctx, "host memory", in_host, region, &hb)) ||
        (bad = check_box(h->buffer, &mb)))
        return bad;
    if (!h->ptr) return api_fail(h->buffer->ctx, CL_INVALID_VALUE, "ptr is NULL");
    const struct side in = mem_side(h->buffer), out = host_side(h->ptr);
    const bool reads = h->access == HOST_READS;
    return enqueue_host_call(h, reads ? rect_new(in, &mb, out, &hb, region)
                                      : rect_new(out, &hb, in, &mb, region));
}

cl_int api_clEnqueueReadBufferRect(cl_command_queue command_queue, cl_mem buffer,
                                   cl_bool blocking_read, const size_t *buffer_origin,
                                   const size_t *host_origin, const size_t *region,
                                   size_t buffer_row_pitch, size_t buffer_slice_pitch,
                                   size_t host_row_pitch, size_t host_slice_pitch, void *ptr,
                                   cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                                   cl_event *event)
{
    API_ENTER();
    return host_box(&(struct host_call){command_queue, buffer, HOST_READS,
                                        CL_COMMAND_READ_BUFFER_RECT, blocking_read, ptr,
                                        num_events_in_wait_list, event_wait_list, event},
                    (struct place){buffer_origin, buffer_row_pitch, buffer_slice_pitch},
                    (struct place){host_origin, host_row_pitch, host_slice_pitch}, region);
}

cl_int api_clEnqueueWriteBufferRect(cl_command_queue command_queue, cl_mem buffer,
                                    cl_bool blocking_write, const size_t *buffer_origin,
                                    const size_t *host_origin, const size_t *region,
                                    size_t buffer_row_pitch, size_t buffer_slice_pitch,
                                    size_t host_row_pitch, size_t host_slice_pitch, const void *ptr,
                                    cl_uint num_events_in_wait_list,
                                    const cl_event *event_wait_list, cl_event *event)
{
    API_ENTER();
    return host_box(&(struct host_call){command_queue, buffer, HOST_WRITES,
                                        CL_COMMAND_WRITE_BUFFER_RECT, blocking_write, ptr,
                                        num_events_in_wait_list, event_wait_list, event},
                    (struct place){buffer_origin, buffer_row_pitch, buffer_slice_pitch},
                    (struct place){host_origin, host_row_pitch, host_slice_pitch}, region);
}

/** Does a row at that address share a byte with box b, which begins at b0? */
static bool row_overlaps(uintptr_t row, uintptr_t b0, const struct box *b, const size_t *region)
{
    // In each slice, only the few rows around the quotient can overlap.
    for (size_t w = 0; w < region[2]; w++) {
        const uintptr_t slice = b0 + w * b->slice, last = slice + (region[1] - 1) * b->row;
        if (row >= last + region[0] || slice >= row + region[0]) continue;
        const size_t k = row > slice ? (row - slice) / b->row : 0;
        for (size_t i = k; i <= k + 1 && i < region[1]; i++) {
            const uintptr_t other = slice + i * b->row;
            if (row < other + region[0] && other < row + region[0]) return true;
        }
    }
    return false;
}

// Do two boxes of one allocation share a byte? Boxes of equal pitches interleave, so rows are
// compared.
static bool boxes_overlap(const uint8_t *a, const struct box *ab, const uint8_t *b,
                          const struct box *bb, const size_t *region)
{
    uintptr_t a0 = (uintptr_t)a + ab->first, b0 = (uintptr_t)b + bb->first;
    if (a0 >= (uintptr_t)b + bb->after || b0 >= (uintptr_t)a + ab->after) return false;
    for (size_t z = 0; z < region[2]; z++)
        for (size_t y = 0; y < region[1]; y++)
            if (row_overlaps(a0 + z * ab->slice + y * ab->row, b0, bb, region)) return true;
    return false;
}

static cl_int copy_rect(const struct api_request *r, cl_mem src, struct place from, cl_mem dst,
                        struct place to, const size_t *region)
{
    cl_int bad;
    struct box sb, db;
    if ((bad = api_check_request(r)) || (bad = api_check_buffer(r->queue, src)) ||
        (bad = api_check_buffer(r->queue, dst)) || (bad = check_region(r->queue->ctx, region)) ||
        (bad = make_box(src->ctx, "source", from, region, &sb)) ||
        (bad = make_box(dst->ctx, "destination", to, region, &db)) || (bad = check_box(src, &sb)) ||
        (bad = check_box(dst, &db)))
        return bad;
    if (src == dst && (sb.row != db.row || sb.slice != db.slice))
        return api_fail(r->queue->ctx, CL_INVALID_VALUE,
                        "source and destination are one buffer, but their pitches differ");
    if (root_data(src) == root_data(dst) && boxes_overlap(src->data, &sb, dst->data, &db, region))
        return api_fail(r->queue->ctx, CL_MEM_COPY_OVERLAP, "source and destination overlap");
    struct transfer *t = rect_new(mem_side(src), &sb, mem_side(dst), &db, region);
    api_transfer_accesses(t);
    return api_enqueue(r, &t->cmd);
}

cl_int api_clEnqueueCopyBufferRect(cl_command_queue command_queue, cl_mem src_buffer,
                                   cl_mem dst_buffer, const size_t *src_origin,
                                   const size_t *dst_origin, const size_t *region,
                                   size_t src_row_pitch, size_t src_slice_pitch,
                                   size_t dst_row_pitch, size_t dst_slice_pitch,
                                   cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                                   cl_event *event)
{
    API_ENTER();
    return copy_rect(
        &(struct api_request){command_queue, CL_COMMAND_COPY_BUFFER_RECT, API_ORDER_COMMAND,
                              num_events_in_wait_list, event_wait_list, false, event},
        src_buffer, (struct place){src_origin, src_row_pitch, src_slice_pitch}, dst_buffer,
        (struct place){dst_origin, dst_row_pitch, dst_slice_pitch}, region);
}

cl_int api_clCommandCopyBufferRectKHR(
    cl_command_buffer_khr command_buffer, cl_command_queue command_queue,
    const api_properties *properties, cl_mem src_buffer, cl_mem dst_buffer,
    const size_t *src_origin, const size_t *dst_origin, const size_t *region, size_t src_row_pitch,
    size_t src_slice_pitch, size_t dst_row_pitch, size_t dst_slice_pitch,
    cl_uint num_sync_points_in_wait_list, const cl_sync_point_khr *sync_point_wait_list,
    cl_sync_point_khr *sync_point, cl_mutable_command_khr *mutable_handle)
{
    RECORD(CL_COMMAND_COPY_BUFFER_RECT);
    return copy_rect(request, src_buffer,
                     (struct place){src_origin, src_row_pitch, src_slice_pitch}, dst_buffer,
                     (struct place){dst_origin, dst_row_pitch, dst_slice_pitch}, region);
}
