// SPDX-License-Identifier: MIT
// Memory lane by lane: the general form of every access, in plain arithmetic that cannot overflow.
// It handles the accesses that access.c does not vectorize, and classifies invalid accesses.
#include "interp/core/lane_access.h"

#include "interp/calls/sys.h"
#include "interp/core/access_watch.h"
#include "interp/core/fault.h"
#include "interp/core/gang.h"
#include "interp/core/host_address.h"
#include "interp/core/lane_operand.h"
#include "interp/core/memory_object.h"
#include "interp/core/signing.h"
#include "interp/decode/code.h"
#include "interp/launch/run.h"
#include "interp/launch/worker.h"

#include <string.h>

/** The error of an access to `size` bytes at `off` of an object; 0: it is valid. */
static enum chk_fault_kind wrong(const struct vm_object *o, uint16_t spaces, uint32_t align,
                                 __int128 off, uint64_t size, bool write)
{
    if (o->kind == VM_OBJ_NULL) return CHK_NULL;
    if (o->kind == VM_OBJ_NONE) return CHK_WILD;
    if (o->flags & VM_GONE) return CHK_RELEASED;
    if (!(spaces & o->spaces)) return CHK_SPACE;
    if (off < 0 || off > (__int128)o->size - (__int128)size) return CHK_BOUNDS;
    if (off & (align - 1)) return CHK_ALIGN;
    if (write && o->flags & VM_READ_ONLY) return CHK_READ_ONLY;
    if (!write && o->flags & VM_WRITE_ONLY) return CHK_WRITE_ONLY;
    return CHK_NO_FAULT;
}

static int64_t clamp_offset(__int128 off)
{
    const __int128 far = (__int128)1 << 62;
    return off > far ? INT64_MAX : off < -far ? INT64_MIN : (int64_t)off;
}

/**
 * The pointer that a lane uses, without the signature if it is the lane's own. `used_at`: see
 * vm_svm_resolve.
 */
static uint64_t resolved(struct vm_gang *g, uint32_t lane, uint64_t p, uint64_t used_at)
{
    return vm_is_raw(p) ? vm_svm_resolve(g, p, used_at) : vm_authenticated(g, lane, p);
}

/** A fault of an access, `at` bytes from the object's beginning; p is resolved. */
static struct chk_fault access_fault(struct vm_gang *g, enum chk_fault_kind k, uint64_t p,
                                     uint16_t spaces, __int128 at, uint64_t size)
{
    struct chk_fault f = {.kind = k,
                          .object = (uint32_t)(p >> BC_PTR_ID_SHIFT),
                          .detail.access = {clamp_offset(at), size, 0}};
    const struct vm_signed x = vm_signed_of(g->worker->run, p);
    if (!x.object) return f;
    f.kind = spaces & g->objects[x.object].spaces ? CHK_FOREIGN : CHK_SPACE;
    f.object = x.object;
    f.detail.access.owner = x.owner;
    return f;
}

/**
 * Accesses that are invalid but harmless here are reported and performed, so that the app continues
 * as on a device: a plain misaligned access, a write to a buffer declared read-only, a read of a
 * write-only buffer.
 */
static bool is_only_by_name(const struct vm_object *o, enum chk_fault_kind k)
{
    return k == CHK_WRITE_ONLY || (k == CHK_READ_ONLY && o->flags & VM_WRITABLE);
}
static bool is_done_all_the_same(const struct vm_object *o, const struct vm_access *x,
                                 enum chk_fault_kind k)
{
    if (is_only_by_name(o, k)) return true;
    return k == CHK_ALIGN && o->kind != VM_OBJ_PRIVATE &&
           (x->src->op == BC_LOAD || x->src->op == BC_STORE);
}

/** vm_check_lanes where all lanes access one place and nothing is the matter; else 0. */
static uint32_t check_place(struct vm_gang *g, const struct vm_access *x, bool write)
{
    const uint64_t p = *(const uint64_t *)(g->r + x->base_off);
    if (x->base_varying || x->index_varying || vm_is_raw(p)) return 0;
    const struct vm_object *const o = vm_object_of(g, p);
    const __int128 off = vm_offset_of(p) + (__int128)vm_lane_index(g, x, 0) * x->scale + x->disp;
    if (wrong(o, x->spaces, x->align, off, x->bytes, write) || o->flags & VM_WRITE_ONLY) return 0;
    memcpy(g->ok_mask, g->mask, g->n);
    for (uint32_t i = 0; i < g->nlanes; i++) g->offsets[i] = (uint64_t)off;
    for (uint32_t i = 0; i < g->nlanes; i++) g->lane_ids[i] = (uint16_t)(o - g->objects);
    return g->isa->count(g->ok_mask, g->n).n;
}

uint32_t vm_check_lanes(struct vm_gang *g, const struct vm_access *x, bool write)
{
    uint32_t ok = check_place(g, x, write);
    if (ok) return ok;
    struct vm_fault_run run = {0};
    memset(g->ok_mask, 0, g->n);
    for (uint32_t i = 0; i < g->nlanes; i++) {
        if (!g->mask[i]) continue;
        uint64_t p = vm_operand_bits(g, x->base_off, x->base_varying, 3, i);
        const __int128 move = (__int128)vm_lane_index(g, x, i) * x->scale + x->disp;
        p = resolved(g, i, p, p + (uint64_t)move);
        const struct vm_object *o = vm_object_of(g, p);
        const __int128 off = vm_offset_of(p) + move;
        enum chk_fault_kind k = wrong(o, x->spaces, x->align, off, x->bytes, write);
        if (!k && o->flags & VM_WRITE_ONLY && x->m->kind == BC_ATOMIC_RMW)
            k = CHK_WRITE_ONLY; // an atomic also reads
        if (k) {
            struct chk_fault f = access_fault(g, k, p, x->spaces, off, x->bytes);
            f.site = x->site;
            f.insn = x->src;
            vm_fault_lane(g, &run, i, &f);
            if (!is_done_all_the_same(o, x, k)) continue;
        }
        g->offsets[i] = (uint64_t)off;
        g->lane_ids[i] = (uint16_t)(o - g->objects);
        g->ok_mask[i] = 0xff;
        ok++;
    }
    vm_fault_end(g, &run);
    return ok;
}

void vm_watch_lanes(struct vm_gang *g, const struct vm_access *x, bool write)
{
    uint8_t *const ok = g->ok_mask;
    const uint8_t *const mask = g->mask;
    memcpy(g->fail_mask, ok, g->n); // lanes to be reported
    for (uint32_t i = 0; i < g->nlanes; i++) {
        if (!g->fail_mask[i]) continue;
        const uint32_t id = g->lane_ids[i];
        const struct vm_object *o = &g->objects[id];
        memset(g->spare_mask, 0, g->n);
        for (uint32_t j = i; j < g->nlanes; j++)
            if (g->fail_mask[j] && g->lane_ids[j] == id) {
                g->spare_mask[j] = 0xff;
                g->fail_mask[j] = 0;
            }
        if (!(o->flags & (VM_WATCH_LOCAL | VM_WATCH_GLOBAL))) continue;
        g->mask = g->spare_mask;
        vm_watch(g, x, o, write, RACE_INDEXED, 0);
        g->mask = mask;
    }
}

const struct vm_insn *vm_load_slow(struct vm_gang *g, const struct vm_insn *ip)
{
    const struct vm_access *x = ip->p;
    vm_widen(g);
    vm_check_lanes(g, x, false);
    vm_watch_lanes(g, x, false);
    // All addresses are computed: a destination may be the register of the index.
    for (uint32_t j = 0; j < x->ncomp; j++)
        for (uint32_t i = 0; i < g->nlanes; i++) {
            if (!g->mask[i]) continue;
            uint64_t v = 0;
            if (g->ok_mask[i])
                v = vm_lane_read(g, &g->objects[g->lane_ids[i]], i, g->offsets[i] + (j << x->elog),
                                 1u << x->elog);
            vm_set_operand(g, x->val[j], x->val_varying >> j & 1, x->elog, i, v);
        }
    return ip + 1;
}

const struct vm_insn *vm_store_slow(struct vm_gang *g, const struct vm_insn *ip)
{
    const struct vm_access *x = ip->p;
    vm_widen(g);
    vm_check_lanes(g, x, true);
    vm_watch_lanes(g, x, true);
    for (uint32_t i = 0; i < g->nlanes; i++) {
        if (!g->ok_mask[i]) continue;
        const struct vm_object *o = &g->objects[g->lane_ids[i]];
        for (uint32_t j = 0; j < x->ncomp; j++)
            vm_lane_write(g, o, i, g->offsets[i] + (j << x->elog), 1u << x->elog,
                          vm_operand_bits(g, x->val[j], x->val_varying >> j & 1, x->elog, i));
    }
    return ip + 1;
}

const struct vm_insn *vm_op_lea_slow(struct vm_gang *g, const struct vm_insn *ip)
{
    const struct vm_access *x = ip->p;
    vm_widen(g);
    const bool varying = x->val_varying & 1;
    for (uint32_t i = 0; i < (varying ? g->nlanes : 1); i++) {
        const uint64_t p = vm_operand_bits(g, x->base_off, x->base_varying, 3, i);
        __int128 s = (__int128)(p & VM_PTR_MASK) + (__int128)vm_lane_index(g, x, i) * x->scale +
                     x->disp;
        if (s < 0) s = 0;
        if (s > (__int128)VM_PTR_MASK) s = VM_PTR_MASK;
        vm_set_operand(g, x->val[0], varying, 3, i, (p & ~VM_PTR_MASK) | (uint64_t)s);
    }
    return ip + 1;
}

/** p: the operands, with a bit for each varying one, as decode.c makes them. */
const struct vm_insn *vm_op_space(struct vm_gang *g, const struct vm_insn *ip)
{
    const struct vm_operands *q = ip->p;
    for (uint32_t i = 0; i < (q->varying & 1 ? g->nlanes : 1); i++) {
        const uint64_t p = vm_operand_bits(g, q->off[1], q->varying & 2, 3, i);
        const uint64_t to = resolved(g, i, p, p);
        const uint32_t foreign = vm_signed_of(g->worker->run, to).object;
        const struct vm_object *o = foreign ? &g->objects[foreign] : vm_object_of(g, to);
        const bool in = o->spaces >> q->n & 1;
        vm_set_operand(g, q->off[0], q->varying & 1, 3, i, in ? p : 0);
    }
    return ip + 1;
}

/** Operands as for vm_op_space. Most launches have no arguments with the same bytes. */
const struct vm_insn *vm_op_canonical(struct vm_gang *g, const struct vm_insn *ip)
{
    const struct vm_operands *q = ip->p;
    const uint32_t n = q->varying & 1 ? g->nlanes : 1;
    uint64_t *to = vm_reg(g, q->off[0]);
    if (!g->worker->run->shares_arguments && !(q->varying & 1) == !(q->varying & 2)) {
        memcpy(to, vm_reg(g, q->off[1]), n * sizeof *to);
        return ip + 1;
    }
    for (uint32_t i = 0; i < n; i++)
        vm_set_operand(
            g, q->off[0], q->varying & 1, 3, i,
            vm_canonical_pointer(g, vm_operand_bits(g, q->off[1], q->varying & 2, 3, i)));
    return ip + 1;
}

enum {
    MOST_READ = 1 << 20,
    MOST_WRITTEN = 8 * VM_MAX_COMPS
}; // bytes at a time; g->values holds written values

/** The bytes that are written to a range: those of another range of the lane, or a word repeatedly.
 */
struct source {
    const struct vm_lane_range *from; // NULL: the word
    uint64_t word;
};

/** Bytes [at, at + size) that a lane writes; size is at most MOST_WRITTEN. */
static void get_written(struct vm_gang *g, const struct source *v, uint64_t at, uint32_t size,
                        uint8_t *to)
{
    const struct vm_lane_range *const from = v->from;
    for (uint32_t done = 0; done < size;) {
        const unsigned n = size - done < 8 ? 1 : 8;
        const uint64_t word = !from ? v->word
                              : from->o
                                  ? vm_lane_read(g, from->o, from->lane, from->at + at + done, n)
                                  : 0;
        memcpy(to + done, &word, n);
        done += n;
    }
}

/** Passes a range to the race check; `written` NULL: it is read. */
static void watch_range(struct vm_gang *g, uint32_t site, const struct vm_lane_range *r,
                        const struct source *written)
{
    if (!(r->o->flags & (VM_WATCH_LOCAL | VM_WATCH_GLOBAL)) || !r->size) return;
    struct vm_access x = {
        .m = &g->code->module->sites[site], .site = site, .ncomp = 1, .packed = written};
    const uint32_t most = written ? MOST_WRITTEN : MOST_READ;
    const uint64_t first = r->at + vm_own_copy(g, r->o, r->lane);
    for (uint64_t at = 0; at < r->size; at += x.bytes) {
        x.bytes = r->size - at < most ? (uint32_t)(r->size - at) : most;
        if (written)
            get_written(g, written, at, x.bytes, (uint8_t *)g->values + (size_t)r->lane * x.bytes);
        vm_watch_part(
            g, &x, r->o, written,
            &(struct race_op){
                .shape = RACE_UNIFORM, .layout_lane = r->lane, .n = 1, .offset0 = first + at});
    }
}

struct vm_lane_range vm_check_range(struct vm_gang *g, struct vm_range_operand *q, uint32_t lane,
                                    uint64_t p, uint64_t size)
{
    p = resolved(g, lane, p, p);
    const struct vm_object *o = vm_object_of(g, p);
    const struct bc_mem *m = &g->code->module->sites[q->site];
    const __int128 at = (__int128)vm_offset_of(p) + m->disp;
    const enum chk_fault_kind k = wrong(o, vm_spaces(m->space), 1, at, size, q->is_write);
    struct vm_lane_range r = {o, lane, (uint64_t)at, size};
    if (!k) return r;
    struct chk_fault f = access_fault(g, k, p, vm_spaces(m->space), at, size);
    f.site = q->site;
    f.insn = q->insn;
    vm_fault_lane(g, &q->faults, lane, &f);
    if (!is_only_by_name(o, k)) r.o = NULL;
    return r;
}

void vm_move_range(struct vm_gang *g, const struct vm_lane_range *to,
                   const struct vm_lane_range *from)
{
    const bool backwards = from->o == to->o && from->at < to->at;
    for (uint64_t done = 0; done < to->size;) {
        const uint64_t left = to->size - done,
                       n = left >= 8   ? 8
                           : left >= 4 ? 4
                                       : 1,
                       k = backwards ? left - n : done;
        vm_lane_write(g, to->o, to->lane, to->at + k, (unsigned)n,
                      from->o ? vm_lane_read(g, from->o, from->lane, from->at + k, (unsigned)n)
                              : 0);
        done += n;
    }
}

/** Do the ranges overlap without being the same, which memcpy does not permit? */
static bool overlap(const struct vm_lane_range *a, const struct vm_lane_range *b)
{
    return a->o == b->o && a->at != b->at &&
           (a->at < b->at ? b->at - a->at : a->at - b->at) < a->size;
}

const struct vm_insn *vm_op_copy(struct vm_gang *g, const struct vm_insn *ip)
{
    const struct vm_operands *q = ip->p;
    struct vm_range_operand rd = {.insn = ip->src, .site = ip->src->ext},
                            wr = {.insn = ip->src, .site = ip->src->site, .is_write = true};
    struct vm_fault_run overlaps = {0};
    for (uint32_t i = 0; i < g->nlanes; i++) {
        if (!g->mask[i]) continue;
        const uint64_t size = vm_operand_bits(g, q->off[2], q->varying & 4, 3, i);
        if (!size) continue;
        const struct vm_lane_range from =
            vm_check_range(g, &rd, i, vm_operand_bits(g, q->off[1], q->varying & 2, 3, i), size);
        const struct vm_lane_range to =
            vm_check_range(g, &wr, i, vm_operand_bits(g, q->off[0], q->varying & 1, 3, i), size);
        if (!to.o) continue;
        if (from.o) watch_range(g, rd.site, &from, NULL);
        watch_range(g, wr.site, &to, &(struct source){.from = &from});
        if (overlap(&from, &to))
            vm_fault_lane(
                g, &overlaps, i,
                &(struct chk_fault){.kind = CHK_OVERLAP,
                                    .site = wr.site,
                                    .object = (uint32_t)(to.o - g->objects),
                                    .insn = ip->src,
                                    .detail.overlap = {(int64_t)(to.at - from.at), size}});
        vm_move_range(g, &to, &from);
    }
    vm_fault_end(g, &rd.faults);
    vm_fault_end(g, &wr.faults);
    vm_fault_end(g, &overlaps);
    return ip + 1;
}

const struct vm_insn *vm_op_set(struct vm_gang *g, const struct vm_insn *ip)
{
    const struct vm_operands *q = ip->p;
    struct vm_range_operand wr = {.insn = ip->src, .site = ip->src->site, .is_write = true};
    for (uint32_t i = 0; i < g->nlanes; i++) {
        if (!g->mask[i]) continue;
        const uint64_t word = vm_operand_bits(g, q->off[1], q->varying & 2, 0, i) *
                              0x0101010101010101;
        const uint64_t size = vm_operand_bits(g, q->off[2], q->varying & 4, 3, i);
        if (!size) continue;
        const struct vm_lane_range to =
            vm_check_range(g, &wr, i, vm_operand_bits(g, q->off[0], q->varying & 1, 3, i), size);
        if (!to.o) continue;
        watch_range(g, wr.site, &to, &(struct source){.word = word});
        for (uint64_t done = 0; done < size;) {
            unsigned n = size - done < 8 ? 1 : 8;
            vm_lane_write(g, to.o, i, to.at + done, n, word);
            done += n;
        }
    }
    vm_fault_end(g, &wr.faults);
    return ip + 1;
}
