// SPDX-License-Identifier: MIT
// Block reads and writes of images (cl_intel_subgroups, section 6.13.X "Sub-group Read and Write
// Functions"): bytes of a row, without conversion. Each lane accesses a value of 1, 2 or 4 bytes.
//
// Outside an image whose pixels have 4 bytes, a read returns the nearest pixel at the edge, byte by
// byte, and a write is ignored. The bounds of images with smaller pixels are checked too late, so
// accesses outside are reported. Larger pixels are not allowed.
//
// Values that are all inside and at a multiple of their size are accessed as wholes, others byte by
// byte.
#include "interp/calls/image_access.h"
#include "interp/core/access_watch.h"
#include "interp/core/group.h"
#include "interp/core/lane_operand.h"
#include "interp/core/memory_object.h"
#include "interp/definedness/undef.h"
#include "interp/images/image_fences.h"
#include "interp/images/texel.h"
#include "interp/launch/worker.h"

#include <string.h>

struct block {
    struct vm_image_access *x;
    bool write;
    unsigned elem;  // bytes of a pixel
    unsigned value; // bytes of a lane's value
    unsigned unit;  // bytes that are accessed at a time: value, or 1
};

static int32_t coordinate(const struct vm_image_access *x, unsigned k, uint32_t lane)
{
    return (int32_t)vm_operand_bits(x->g, x->q->coord[k], x->q->varying >> k & 1, 2, lane);
}

static void position(const struct block *b, uint32_t lane, struct vm_image_byte *at)
{
    const struct vm_image_access *x = b->x;
    *at = (struct vm_image_byte){(int64_t)coordinate(x, 0, lane) + coordinate(x, 2, lane),
                                 coordinate(x, 1, lane)};
}

static void report(const struct block *b, uint32_t lane, enum chk_fault_kind kind,
                   const struct vm_image_byte *p)
{
    const int64_t pixel = (p->x - (p->x < 0 ? b->elem - 1 : 0)) / b->elem;
    int32_t x[VM_MAX_WIDTH], y[VM_MAX_WIDTH], z[VM_MAX_WIDTH];
    x[lane] = (int32_t)pixel;
    y[lane] = (int32_t)p->y;
    z[lane] = 0;
    vm_image_report(b->x, lane, kind, (const int32_t *const[]){x, y, z}, false);
}

/** The first and the last byte of a lane's value. */
static void ends_of(const struct block *b, uint32_t lane, struct vm_image_byte *first,
                    struct vm_image_byte *last)
{
    position(b, lane, first);
    *last = *first;
    last->x += b->value - 1;
}

/** Whether each lane's value is inside the image, at a multiple of its size. */
static bool are_wholes(const struct block *b)
{
    const struct vm_image_access *x = b->x;
    for (uint32_t i = x->from; i < x->to; i++) {
        struct vm_image_byte first, last;
        if (!x->mask[i]) continue;
        ends_of(b, i, &first, &last);
        if (!vm_image_has_byte(x->image, &first) || !vm_image_has_byte(x->image, &last) ||
            vm_image_byte_offset(x->image, &first) % b->value)
            return false;
    }
    return true;
}

static struct block block_of(struct vm_image_access *x)
{
    struct block b = {.x = x,
                      .write = x->q->what & BC_IMAGE_WRITE,
                      .elem = x->image->format.size,
                      .value = 1u << (x->q->what >> BC_IMAGE_BLOCK_LOG)};
    // (writers of read-write images are kept by pixel)
    b.unit = !vm_image_is_read_write(x->o) && are_wholes(&b) ? b.value : 1;
    x->format.size = (uint8_t)b.unit;
    return b;
}

/** Finds byte k of each lane's value: ok_mask, and the offsets in the image. */
static void locate(const struct block *b, unsigned k)
{
    const struct vm_image_access *x = b->x;
    struct vm_gang *g = x->g;
    for (uint32_t i = x->from; i < x->to; i++) {
        struct vm_image_byte at;
        g->ok_mask[i] = 0;
        g->offsets[i] = 0;
        if (!x->mask[i]) continue;
        position(b, i, &at);
        at.x += k;
        if (!b->write) vm_image_clamp_byte(x->image, &at);
        if (!vm_image_has_byte(x->image, &at)) continue;
        g->ok_mask[i] = 0xff;
        g->offsets[i] = vm_image_byte_offset(x->image, &at);
    }
}

/** Reports the accesses that the extension does not allow. False: no lane may write. */
static bool check(const struct block *b)
{
    struct vm_image_access *x = b->x;
    bool may_write = true;
    for (uint32_t i = x->from; i < x->to; i++) {
        struct vm_image_byte first, last;
        if (!x->mask[i]) continue;
        ends_of(b, i, &first, &last);
        if (b->write && coordinate(x, 0, i) & 3) {
            report(b, i, CHK_BLOCK_ALIGN, &first);
            may_write = false;
        }
        if (b->elem > 4) report(b, i, CHK_PIXEL_SIZE, &first);
        else if (b->elem < 4 && !vm_image_has_byte(x->image, &first))
            report(b, i, CHK_BOUNDS, &first);
        else if (b->elem < 4 && !vm_image_has_byte(x->image, &last))
            report(b, i, CHK_BOUNDS, &last);
        if (b->write && x->o->flags & VM_READ_ONLY) {
            report(b, i, CHK_READ_ONLY, &first);
            may_write = false;
        }
        if (!b->write && x->o->flags & VM_WRITE_ONLY) report(b, i, CHK_WRITE_ONLY, &first);
    }
    return may_write;
}

/** The pixel that has the byte at the lane's offset. */
static char *pixel_of(const struct block *b, uint32_t lane)
{
    const uint64_t offset = b->x->g->offsets[lane], row = b->x->image->row_pitch;
    return b->x->o->base + offset / row * row + offset % row / b->elem * b->elem;
}

static void read(const struct block *b)
{
    struct vm_image_access *x = b->x;
    struct vm_gang *g = x->g;
    uint32_t value[VM_MAX_WIDTH] = {0};
    uint8_t unfenced[VM_MAX_WIDTH] = {0};
    const bool may_lack_fence = g->group->image_fences.writers.len && vm_image_is_read_write(x->o);
    for (unsigned k = 0; k < b->value; k += b->unit) {
        locate(b, k);
        vm_image_watch(x, NULL);
        for (uint32_t i = x->from; i < x->to; i++) {
            uint32_t part = 0;
            if (!g->ok_mask[i]) continue;
            memcpy(&part, x->o->base + g->offsets[i], b->unit);
            value[i] |= part << 8 * k;
            unfenced[i] |= may_lack_fence && vm_image_is_unfenced(g, i, pixel_of(b, i));
        }
    }
    for (uint32_t i = x->from; i < x->to; i++) {
        struct vm_image_byte at;
        if (!x->mask[i]) continue;
        position(b, i, &at);
        if (unfenced[i]) report(b, i, CHK_UNFENCED, &at);
        vm_set_operand(g, x->q->value[0], x->q->varying >> 4 & 1, 2, i, value[i]);
    }
}

static void write(const struct block *b)
{
    struct vm_image_access *x = b->x;
    struct vm_gang *g = x->g;
    for (unsigned k = 0; k < b->value; k += b->unit) {
        locate(b, k);
        for (uint32_t i = x->from; i < x->to; i++) {
            if (!x->mask[i]) continue;
            const uint32_t part =
                (uint32_t)vm_operand_bits(g, x->q->value[0], x->q->varying >> 4 & 1, 2, i) >> 8 * k;
            memcpy(g->values + (size_t)(i - x->from) * b->unit, &part, b->unit);
        }
        vm_image_watch(x, g->values);
        for (uint32_t i = x->from; i < x->to; i++) {
            if (!g->ok_mask[i]) continue;
            char *to = x->o->base + g->offsets[i];
            const char *from = g->values + (size_t)(i - x->from) * b->unit;
            if (vm_image_is_read_write(x->o)) vm_image_writes(g, i, pixel_of(b, i));
            if (vm_asks_for_change(g) && memcmp(to, from, b->unit)) *g->worker_changed = true;
            memcpy(to, from, b->unit);
        }
        if (vm_is_followed(x->o)) vm_image_define(x);
    }
}

void vm_image_block(struct vm_image_access *x)
{
    const struct block b = block_of(x);
    const bool may_write = check(&b);
    if (!b.write) read(&b);
    else if (may_write) write(&b);
}

uint32_t vm_image_block_undefined(struct vm_image_access *x, uint8_t *now, uint64_t *from)
{
    const struct block b = block_of(x);
    const struct vm_shadow *s = x->o->shadow;
    uint32_t found = 0;
    for (unsigned k = 0; k < b.value; k++) {
        locate(&b, k);
        for (uint32_t i = x->from; i < x->to; i++) {
            if (!x->g->ok_mask[i] || (s->bytes[x->g->offsets[i]] ^ s->flip) == VM_WRITTEN) continue;
            from[i] = vm_origin_pack((struct vm_origin){
                .object = (uint32_t)(x->o - x->g->objects), .offset = x->g->offsets[i], .size = 1});
            now[i] |= (uint8_t)(1u << k);
            found++;
        }
    }
    return found;
}
