// SPDX-License-Identifier: MIT
// Images: the pixels of a gang at a time, in loops over lanes. An access computes texel coordinates
// (by addressing mode and filter: OpenCL C section 6.15.15, and chapter 8 of the specification),
// turns those inside the image into byte offsets, and reads or writes there. Outside, the border
// color applies if the sampler says so (CLAMP); otherwise the access is reported, a read gives
// zeros, and a write is dropped. The race check gets the bytes of a pixel.
#include "base/mem.h"
#include "interp/calls/image_access.h"
#include "interp/calls/sys.h"
#include "interp/core/access_watch.h"
#include "interp/core/call_paths.h"
#include "interp/core/fault.h"
#include "interp/core/gang.h"
#include "interp/core/group.h"
#include "interp/core/lane_operand.h"
#include "interp/core/memory_object.h"
#include "interp/decode/code.h"
#include "interp/definedness/undef.h"
#include "interp/images/image_fences.h"
#include "interp/images/pixel.h"
#include "interp/images/texel.h"
#include "interp/launch/run.h"
#include "interp/launch/worker.h"
#include "interp/vm.h"

#include <math.h>
#include <string.h>

struct texels {
    int32_t at[3][VM_MAX_WIDTH]; // x, y, then z or the layer
};

/**
 * Scratch of an access, owned by the gang: too large for a stack; thread-local memory would take it
 * from the stacks of the app's threads.
 */
struct room {
    struct texels t[2];
    float weight[3][VM_MAX_WIDTH];
    struct vm_pixels p;
};

static struct room *room_of(struct vm_gang *g)
{
    enum { ALIGN = _Alignof(struct room) };
    if (!g->image_room) g->image_room = mem_alloc(sizeof(struct room) + ALIGN);
    return (struct room *)(((uintptr_t)g->image_room + ALIGN - 1) / ALIGN * ALIGN);
}

static int32_t size_of(const struct vm_image_access *x, unsigned k)
{
    return (int32_t)(k < x->ndims ? x->image->size[k] : x->image->layers);
}

/** An operand of 32 bits by lane: its row, or `same` filled with the uniform value. */
static const uint32_t *row_of(const struct vm_image_access *x, uint32_t off, bool varying,
                              uint32_t *same)
{
    const uint32_t *const row = (const uint32_t *)(x->g->r + off);
    if (varying) return row;
    for (uint32_t i = x->from; i < x->to; i++) same[i] = *row;
    return same;
}

static const uint32_t *coordinates(const struct vm_image_access *x, unsigned k, uint32_t *same)
{
    return row_of(x, x->q->coord[k], x->q->varying >> k & 1, same);
}

static void layer_of(const struct vm_image_access *x, struct texels *t, unsigned k)
{
    const int32_t last = size_of(x, k) - 1;
    uint32_t same[VM_MAX_WIDTH];
    const uint32_t *const bits = coordinates(x, k, same);
    for (uint32_t i = x->from; i < x->to; i++) {
        int32_t v = x->q->what & BC_IMAGE_FLOAT_COORDS
                        ? vm_texel_int(rintf(vm_pixel_float(bits[i])))
                        : (int32_t)bits[i];
        if (x->q->has_sampler) v = v < 0 ? 0 : v > last ? last : v;
        t->at[2][i] = v;
    }
}

/**
 * Texel coordinates of all lanes; t[1] and the weights are for linear filters. The layer, if any,
 * is the third coordinate.
 */
static void find(const struct vm_image_access *x, struct texels t[2], float weight[3][VM_MAX_WIDTH])
{
    const uint32_t from = x->from, to = x->to;
    uint32_t same[VM_MAX_WIDTH];
    for (unsigned k = 0; k < 3; k++) {
        int32_t *const at = t[0].at[k];
        if (k >= x->ndims) {
            memset(at + from, 0, (to - from) * sizeof *at);
            continue;
        }
        const struct vm_texels_axis axis = {&x->s, to - from, size_of(x, k)};
        const uint32_t *const bits = coordinates(x, k, same) + from;
        if (!(x->q->what & BC_IMAGE_FLOAT_COORDS)) vm_texels_wrap(&axis, bits, at + from);
        else vm_texels_sample(&axis, bits, at + from, t[1].at[k] + from, weight[k] + from);
    }
    if (x->q->what & BC_IMAGE_ARRAY) layer_of(x, t, x->q->ncoord - 1);
    if (x->s.linear && x->ndims < 3)
        memcpy(t[1].at[2] + from, t[0].at[2] + from, (to - from) * sizeof(int32_t));
}

/**
 * Whether a corner of a linear filter's footprint has a nonzero weight for the lane. At the center
 * of a pixel, only one corner has.
 */
static bool counts(const struct vm_image_access *x, float weight[3][VM_MAX_WIDTH], unsigned corner,
                   uint32_t lane)
{
    for (unsigned k = 0; k < x->ndims; k++)
        if (weight[k][lane] == (corner >> k & 1 ? 0 : 1)) return false;
    return true;
}

void vm_image_report(struct vm_image_access *x, uint32_t lane, enum chk_fault_kind kind,
                     const int32_t *const at[3], bool is_filtered)
{
    vm_fault_lane(x->g, &x->faults, lane,
                  &(struct chk_fault){
                      .kind = kind,
                      .site = x->src->site,
                      .object = (uint32_t)(x->o - x->g->objects),
                      .insn = x->src,
                      .detail.pixel = {{at[0][lane], at[1][lane], at[2][lane]}, is_filtered}});
}

/**
 * Computes ok_mask, the lanes whose texels are inside the image, and their offsets (0 for the
 * others). Reports the other lanes, except those whose corner has no weight (NULL: no linear
 * filter). False: some lanes are outside.
 */
static bool place(struct vm_image_access *x, const int32_t *const at[3],
                  float weight[3][VM_MAX_WIDTH], unsigned corner, bool report)
{
    struct vm_gang *g = x->g;
    const uint32_t from = x->from;
    const int32_t *const own[3] = {at[0] + from, at[1] + from, at[2] + from};
    const bool all = vm_texels_offsets(x->image, own, x->mask + from, x->to - from,
                                       g->ok_mask + from, g->offsets + from);
    if (all || !report) return all;
    for (uint32_t i = x->from; i < x->to; i++) {
        if (!x->mask[i] || g->ok_mask[i] || (weight && !counts(x, weight, corner, i))) continue;
        vm_image_report(x, i, CHK_BOUNDS, at, weight != NULL);
    }
    return false;
}

void vm_image_watch(struct vm_image_access *x, const void *values)
{
    struct vm_gang *g = x->g;
    if (!(x->o->flags & VM_WATCH_GLOBAL)) return;
    const struct race_op op = {
        .site = vm_race_site(g, x->src->site),
        .object = (unsigned)(x->o - g->objects),
        .is_write = values != NULL,
        .shape = RACE_INDEXED,
        .size = x->format.size,
        .offsets = g->offsets + x->from,
        .mask = g->ok_mask + x->from,
        .first_item = g->first_item + x->from,
        .n = x->to - x->from,
        .values = values,
    };
    if (x->o->touched) vm_note_touched(x->o, &op);
    vm_note_writer(g, x->o, &op, x->src);
    if (!g->group->race) return;
    race_global(g->group->race, &op);
}

/**
 * Reads the texels at the coordinates into p: outside, the border color, or zeros and a finding.
 */
static void fetch(struct vm_image_access *x, const int32_t *const at[3],
                  float weight[3][VM_MAX_WIDTH], unsigned corner, struct vm_pixels *p)
{
    struct vm_gang *g = x->g;
    const bool all = place(x, at, weight, corner, x->s.mode != VM_CLAMP);
    vm_image_watch(x, NULL);
    vm_pixels_read(&x->format, x->o->base, g->offsets, x->from, x->to, p);
    if (all) return;
    const uint32_t alpha = x->s.mode != VM_CLAMP || x->format.alpha ? 0
                           : x->format.kind == VM_PIXEL_F           ? vm_pixel_bits(1.0f)
                                                                    : 1;
    for (unsigned k = 0; k < 4; k++)
        for (uint32_t i = x->from; i < x->to; i++)
            p->c[k][i] = g->ok_mask[i] ? p->c[k][i] : k == 3 ? alpha : 0;
}

/** The weighted sum of 2, 4 or 8 texels. */
static void filter(struct vm_image_access *x, const struct texels t[2],
                   float weight[3][VM_MAX_WIDTH], struct vm_pixels *p)
{
    struct vm_pixels texel;
    for (unsigned k = 0; k < 4; k++)
        memset(p->c[k] + x->from, 0, (x->to - x->from) * sizeof(uint32_t));
    for (unsigned corner = 0; corner < 1u << x->ndims; corner++) {
        const int32_t *const at[3] = {t[corner & 1].at[0], t[corner >> 1 & 1].at[1],
                                      t[corner >> 2 & 1].at[2]};
        fetch(x, at, weight, corner, &texel);
        vm_texels_add(&(struct vm_texels_corner){corner, x->ndims, weight, x->from, x->to}, &texel,
                      p);
    }
}

/**
 * Reports that the lanes of mask access the pixels t of an image that does not permit the access.
 */
static void report_pixels(struct vm_image_access *x, const struct texels *t, const uint8_t *mask,
                          enum chk_fault_kind k)
{
    const int32_t *const at[3] = {t->at[0], t->at[1], t->at[2]};
    for (uint32_t i = x->from; i < x->to; i++)
        if (mask[i]) vm_image_report(x, i, k, at, false);
}

/**
 * Reports the pixels given by ok_mask and the offsets that the work-item itself wrote without a
 * fence since.
 */
static void report_unfenced(struct vm_image_access *x, const struct texels *t)
{
    uint8_t unfenced[VM_MAX_WIDTH] = {0};
    for (uint32_t i = x->from; i < x->to; i++)
        unfenced[i] = x->g->ok_mask[i] &&
                      vm_image_is_unfenced(x->g, i, x->o->base + x->g->offsets[i]);
    report_pixels(x, t, unfenced, CHK_UNFENCED);
}

static void read(struct vm_image_access *x)
{
    struct vm_gang *g = x->g;
    const struct vm_image_op *q = x->q;
    struct room *const room = room_of(g);
    struct texels *const t = room->t;
    struct vm_pixels *const p = &room->p;
    find(x, t, room->weight);
    if (x->s.linear) {
        filter(x, t, room->weight, p);
    } else {
        const int32_t *const at[3] = {t[0].at[0], t[0].at[1], t[0].at[2]};
        fetch(x, at, NULL, 0, p);
        if (g->group->image_fences.writers.len && vm_image_is_read_write(x->o))
            report_unfenced(x, &t[0]);
    }
    if (x->o->flags & VM_WRITE_ONLY) report_pixels(x, &t[0], x->mask, CHK_WRITE_ONLY);
    for (unsigned k = 0; k < q->nvalue; k++) {
        if (q->varying >> (4 + k) & 1) {
            uint32_t *const row = (uint32_t *)(g->r + q->value[k]);
            vm_texels_store(p->c[k] + x->from, x->mask + x->from, x->to - x->from, row + x->from);
            continue;
        }
        for (uint32_t i = x->from; i < x->to; i++)
            if (x->mask[i]) vm_set_operand(g, q->value[k], false, 2, i, p->c[k][i]);
    }
}

void vm_image_define(const struct vm_image_access *x)
{
    const struct vm_shadow *s = x->o->shadow;
    uint64_t n = 0;
    for (uint32_t i = x->from; i < x->to; i++) {
        for (unsigned k = 0; x->g->ok_mask[i] && k < x->format.size; k++) {
            uint8_t *const p = s->bytes + x->g->offsets[i] + k;
            n += (*p ^ s->flip) != VM_WRITTEN;
            *p = VM_WRITTEN ^ s->flip;
        }
    }
    __atomic_fetch_sub(s->count, n, __ATOMIC_RELAXED);
}

static void write(struct vm_image_access *x)
{
    struct vm_gang *g = x->g;
    const struct vm_image_op *q = x->q;
    struct room *const room = room_of(g);
    struct texels *const t = room->t;
    struct vm_pixels *const p = &room->p;
    find(x, t, NULL);
    const int32_t *const at[3] = {t[0].at[0], t[0].at[1], t[0].at[2]};
    const size_t bytes = (x->to - x->from) * sizeof(uint32_t);
    for (unsigned k = 0; k < 4; k++) {
        if (k >= q->nvalue) {
            memset(p->c[k] + x->from, 0, bytes);
            continue;
        }
        const uint32_t *const row = row_of(x, q->value[k], q->varying >> (4 + k) & 1, p->c[k]);
        if (row != p->c[k]) memcpy(p->c[k] + x->from, row + x->from, bytes);
    }
    place(x, at, NULL, 0, true);
    if (x->o->flags & VM_READ_ONLY) {
        report_pixels(x, &t[0], g->ok_mask, CHK_READ_ONLY);
        return;
    }
    vm_pixels_encode(&x->format, p, x->from, x->to, g->values);
    vm_image_watch(x, g->values);
    const unsigned size = x->format.size;
    for (uint32_t i = x->from; i < x->to; i++) {
        if (!g->ok_mask[i]) continue;
        char *to = x->o->base + g->offsets[i];
        if (vm_image_is_read_write(x->o)) vm_image_writes(g, i, to);
        const char *from = g->values + (size_t)(i - x->from) * size;
        if (vm_asks_for_change(g) && memcmp(to, from, size)) *g->worker_changed = true;
        memcpy(to, from, size);
    }
    if (vm_is_followed(x->o)) vm_image_define(x);
}

static const struct vm_image *image_of(struct vm_gang *g, const struct vm_object *o)
{
    return &g->worker->run->l->args[(uint32_t)(o - g->objects) - g->code->module->nobjects - 1]
                .image;
}

/** The first lane of a mask from `i` on; n or more: none. */
static uint32_t next_lane(const uint8_t *mask, uint32_t i, uint32_t n)
{
    for (; i < n && !mask[i]; i++) {
        uint64_t eight = 1;
        while (i + 8 <= n && (memcpy(&eight, mask + i, 8), !eight)) i += 8;
        if (i >= n || mask[i]) break;
    }
    return i;
}

/**
 * Removes the lanes with the same image and sampler as `first` from `left`, and prepares their
 * access.
 */
static bool take(struct vm_image_access *x, uint8_t *left, uint32_t first)
{
    struct vm_gang *g = x->g;
    const struct vm_image_op *q = x->q;
    const uint64_t p = vm_operand_bits(g, q->image, q->image_varying, 3, first);
    const uint64_t s = q->has_sampler ? vm_operand_bits(g, q->sampler, q->sampler_varying, 3, first)
                                      : 0;
    uint32_t last = first;
    if (!q->image_varying && !(q->has_sampler && q->sampler_varying)) {
        memcpy(x->mask, left, g->n);
        memset(left, 0, g->n);
        for (uint32_t i = first; i < g->nlanes; i = next_lane(x->mask, i + 1, g->nlanes)) last = i;
    } else {
        memset(x->mask, 0, g->n);
        for (uint32_t i = first; i < g->nlanes; i = next_lane(left, i + 1, g->nlanes)) {
            if (vm_operand_bits(g, q->image, q->image_varying, 3, i) != p) continue;
            if (q->has_sampler && vm_operand_bits(g, q->sampler, q->sampler_varying, 3, i) != s)
                continue;
            x->mask[i] = 0xff;
            left[i] = 0;
            last = i;
        }
    }
    x->from = first & ~15u;
    x->to = last + 16 - last % 16 < g->nlanes ? last + 16 - last % 16 : g->nlanes;
    x->o = vm_object_of(g, p);
    if (x->o->kind != VM_OBJ_IMAGE) return false;
    x->image = image_of(g, x->o);
    x->format = x->image->format;
    x->ndims = q->ncoord - !!(q->what & BC_IMAGE_ARRAY);
    x->s = vm_sampling_of(s, q->what & BC_IMAGE_FLOAT_COORDS, x->format.kind == VM_PIXEL_F);
    return true;
}

const struct vm_insn *vm_op_image(struct vm_gang *g, const struct vm_insn *ip)
{
    const struct vm_image_op *q = ip->p;
    struct vm_image_access x = {.g = g, .q = q, .src = ip->src};
    uint8_t left[VM_MAX_WIDTH];
    memcpy(left, g->mask, g->n);
    for (uint32_t i = next_lane(left, 0, g->nlanes); i < g->nlanes;
         i = next_lane(left, i, g->nlanes)) {
        if (!take(&x, left, i)) {
            for (uint32_t j = i; j < g->nlanes; j++) {
                if (!x.mask[j]) continue;
                vm_fault_lane(
                    g, &x.faults, j,
                    &(struct chk_fault){.kind = x.o->kind == VM_OBJ_NULL ? CHK_NULL : CHK_WILD,
                                        .site = ip->src->site,
                                        .object = (uint32_t)(x.o - g->objects),
                                        .insn = ip->src,
                                        .detail.access.size = 1});
                for (unsigned k = 0; k < q->nvalue && !(q->what & BC_IMAGE_WRITE); k++)
                    vm_set_operand(g, q->value[k], q->varying >> (4 + k) & 1, 2, j, 0);
            }
        } else if (q->what & BC_IMAGE_BLOCK) {
            vm_image_block(&x);
        } else if (q->what & BC_IMAGE_WRITE) {
            write(&x);
        } else {
            read(&x);
        }
    }
    vm_fault_end(g, &x.faults);
    return ip + 1;
}

// ---- definedness of values read: a pixel with a byte that was never written is undefined

/** Is component k in memory? Otherwise it is the same for every pixel. */
static bool has_component(const struct vm_pixel_format *f, unsigned k)
{
    if (f->spread) return k < 3 || f->order == VM_INTENSITY;
    for (unsigned c = 0; c < f->nchannel; c++)
        if (f->of[c] == k) return true;
    return false;
}

/**
 * Finds lanes whose texels have undefined bytes: sets now[component] for them, and `from` to their
 * source. Returns their number.
 */
static uint32_t lacking(struct vm_image_access *x, const int32_t *const at[3],
                        float weight[3][VM_MAX_WIDTH], unsigned corner,
                        uint8_t now[4][VM_MAX_WIDTH], uint64_t *from)
{
    const struct vm_gang *g = x->g;
    const struct vm_shadow *s = x->o->shadow;
    uint32_t found = 0;
    place(x, at, weight, corner, false);
    for (uint32_t i = x->from; i < x->to; i++) {
        const bool matters = g->ok_mask[i] && (!x->s.linear || counts(x, weight, corner, i));
        bool written = true;
        for (unsigned k = 0; matters && k < x->format.size; k++)
            written &= (s->bytes[g->offsets[i] + k] ^ s->flip) == VM_WRITTEN;
        if (written) continue;
        found++;
        from[i] =
            vm_origin_pack((struct vm_origin){.object = (uint32_t)(x->o - g->objects),
                                              .offset = g->offsets[i],
                                              .size = x->format.size < 8 ? x->format.size : 8});
        for (unsigned k = 0; k < 4; k++)
            if (has_component(&x->format, k)) now[k][i] = 0xf;
    }
    return found;
}

/** Before a write. Components that the image format does not have are ignored. */
const struct vm_insn *vm_undef_image_write(struct vm_gang *g, const struct vm_insn *ip)
{
    const struct vm_undef_image *q = ip->p;
    struct vm_image_access x = {.g = g, .q = q->op, .src = ip->src};
    uint8_t left[VM_MAX_WIDTH], any = 0;
    for (unsigned k = 0; k < q->op->nvalue; k++) any |= q->rows[k] && g->undef->flags[q->rows[k]];
    if (!any) return ip + 1;
    memcpy(left, g->mask, g->n);
    for (uint32_t i = next_lane(left, 0, g->nlanes); i < g->nlanes;
         i = next_lane(left, i, g->nlanes)) {
        if (!take(&x, left, i)) continue;
        for (unsigned k = 0; k < q->op->nvalue; k++)
            if (q->rows[k] &&
                (x.format.spread || q->op->what & BC_IMAGE_BLOCK ? !k
                                                                 : has_component(&x.format, k)))
                vm_undef_report(g, ip->src, q->rows[k], x.mask, CHK_UNDEF_STORE);
    }
    return ip + 1;
}

/**
 * Before a read. The clean stream switches to the other one if the result is undefined.
 */
const struct vm_insn *vm_undef_image(struct vm_gang *g, const struct vm_insn *ip)
{
    const struct vm_undef_image *q = ip->p;
    struct vm_image_access x = {.g = g, .q = q->op, .src = ip->src};
    struct room *const room = room_of(g);
    struct texels *const t = room->t;
    float(*const weight)[VM_MAX_WIDTH] = room->weight;
    uint8_t left[VM_MAX_WIDTH], now[4][VM_MAX_WIDTH];
    uint64_t from[VM_MAX_WIDTH];
    uint32_t found = 0;
    memcpy(left, g->mask, g->n);
    for (uint32_t i = next_lane(left, 0, g->nlanes); i < g->nlanes;
         i = next_lane(left, i, g->nlanes)) {
        if (!take(&x, left, i) || !vm_is_followed(x.o)) continue;
        if (!found) memset(now, 0, sizeof now);
        if (q->op->what & BC_IMAGE_BLOCK) {
            found += vm_image_block_undefined(&x, now[0], from);
            if (found && q->clean) return vm_undef_switch(g, q->resume);
            continue;
        }
        find(&x, t, weight);
        for (unsigned corner = 0; corner < (x.s.linear ? 1u << x.ndims : 1); corner++) {
            const int32_t *const at[3] = {t[corner & 1].at[0], t[corner >> 1 & 1].at[1],
                                          t[corner >> 2 & 1].at[2]};
            found += lacking(&x, at, weight, corner, now, from);
        }
        if (found && q->clean) return vm_undef_switch(g, q->resume);
    }
    for (unsigned k = 0; k < q->op->nvalue && !q->clean; k++)
        if (q->rows[k]) vm_undef_put(g, q->rows[k], found ? now[k] : NULL, from, q->how[k]);
    return ip + 1;
}

const struct vm_insn *vm_op_image_query(struct vm_gang *g, const struct vm_insn *ip)
{
    const struct vm_operands *q = ip->p;
    for (uint32_t i = 0; i < (q->varying & 1 ? g->nlanes : 1); i++) {
        if (q->varying & 1 && !g->mask[i]) continue;
        const struct vm_object *o =
            vm_object_of(g, vm_operand_bits(g, q->off[1], q->varying & 2, 3, i));
        uint64_t v = 0;
        if (o->kind == VM_OBJ_IMAGE) {
            const struct vm_image *m = image_of(g, o);
            const uint64_t answers[] = {
                [BC_IMAGE_WIDTH] = m->size[0],    [BC_IMAGE_HEIGHT] = m->size[1],
                [BC_IMAGE_DEPTH] = m->size[2],    [BC_IMAGE_LAYERS] = m->layers,
                [BC_IMAGE_TYPE] = m->format.type, [BC_IMAGE_ORDER] = m->format.order,
            };
            v = answers[q->n];
        }
        vm_set_operand(g, q->off[0], q->varying & 1, 2, i, v);
    }
    return ip + 1;
}
