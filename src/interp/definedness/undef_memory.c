// SPDX-License-Identifier: MIT
// Definedness of memory: loads copy V bits from the shadow to registers, stores copy those of
// registers to the shadow. Of these, only stores to global memory report. Planned accesses do this
// for all lanes at once (definedness_clean.inc, definedness_undef.inc); this file handles the
// others, lane by lane.
//
// Every object that is tracked counts its undefined bytes. Once an object is fully initialized, as
// most tiles and arrays are early, the count is 0 and an access costs one test.
#include "interp/calls/sys.h"
#include "interp/core/fault.h"
#include "interp/core/gang.h"
#include "interp/core/group.h"
#include "interp/core/host_address.h"
#include "interp/core/lane_operand.h"
#include "interp/core/memory_object.h"
#include "interp/decode/code.h"
#include "interp/definedness/undef.h"
#include "interp/definedness/written_sets.h"
#include "interp/launch/run.h"
#include "interp/launch/worker.h"

#include <string.h>

static uint8_t *byte_of(struct vm_gang *g, const struct vm_object *o, uint32_t lane, uint64_t off)
{
    if (o->kind != VM_OBJ_PRIVATE) return o->shadow->bytes + vm_own_copy(g, o, lane) + off;
    return o->shadow->bytes + ((off >> 2) * g->code->width + lane) * 4 + (off & 3);
}

/**
 * The undefined ones of up to 8 bytes, as bits. first: the shadow value (enum vm_byte) of the first
 * one.
 */
static uint8_t read_bits(struct vm_gang *g, const struct vm_lane_range *r, uint8_t *first)
{
    uint8_t bits = 0;
    for (unsigned i = 0; i < r->size; i++) {
        const uint8_t s = *byte_of(g, r->o, r->lane, r->at + i) ^ r->o->shadow->flip;
        if (s != VM_WRITTEN && !bits) *first = s;
        bits |= (uint8_t)((s != VM_WRITTEN) << i);
    }
    return bits;
}

uint8_t vm_undef_mark_of(struct vm_gang *g, uint64_t from)
{
    struct vm_origin o = vm_origin_unpack(from);
    o.rewritten = true;
    if (o.object) o.offset = 0, o.size = 1;
    const uint64_t origin = vm_origin_pack(o);
    uint64_t *const known = g->worker->run->origins;
    for (unsigned i = 1; i < VM_ORIGINS; i++) {
        uint64_t is = __atomic_load_n(&known[i], __ATOMIC_RELAXED);
        if (!is && __atomic_compare_exchange_n(&known[i], &is, origin, false, __ATOMIC_RELAXED,
                                               __ATOMIC_RELAXED))
            return (uint8_t)i;
        if (is == origin) return (uint8_t)i;
    }
    return VM_ORIGINS;
}

/**
 * The shadow value of bytes copied from undefined bytes: the mark of the source, or one that names
 * the source object.
 */
static uint8_t mark_through(struct vm_gang *g, const struct vm_object *from, uint8_t mark)
{
    if (mark != VM_NEVER_WRITTEN) return mark;
    return vm_undef_mark_of(
        g, vm_origin_pack((struct vm_origin){.object = (uint32_t)(from - g->objects), .size = 1}));
}

/**
 * Stores up to 8 bytes, of which `bits` are undefined and get the shadow value `mark`. In memory
 * that the host tracks they stay "never written".
 */
static void write_bits(struct vm_gang *g, const struct vm_lane_range *r, uint8_t bits, uint8_t mark)
{
    const struct vm_object *const o = r->o;
    uint64_t more = 0;
    if (o->shadow->flip) mark = VM_NEVER_WRITTEN;
    if (o->shadow->flip && bits)
        __atomic_store_n(&g->worker->run->chk.stored_undefined[o - g->objects], true,
                         __ATOMIC_RELAXED);
    for (unsigned i = 0; i < r->size; i++) {
        uint8_t *p = byte_of(g, o, r->lane, r->at + i);
        const uint8_t now = bits >> i & 1 ? mark : VM_WRITTEN;
        more += (uint64_t)(now != VM_WRITTEN) - (uint64_t)((*p ^ o->shadow->flip) != VM_WRITTEN);
        *p = now ^ o->shadow->flip;
    }
    if (o->kind == VM_OBJ_LOCAL) vm_new_written_set(o);
    if (!more) return;
    if (o->kind == VM_OBJ_BUFFER) __atomic_fetch_add(o->shadow->count, more, __ATOMIC_RELAXED);
    else *o->shadow->count += more;
}

/** A pointer into an object, for one that may be a host address. */
static uint64_t resolved(struct vm_gang *g, uint64_t p, uint64_t used_at)
{
    return vm_is_raw(p) ? vm_svm_resolve(g, p, used_at) : p;
}

/** Bytes at an offset of a pointer; without an object if the access will fail. */
static struct vm_lane_range range_at(struct vm_gang *g, uint32_t lane, uint64_t p, __int128 move,
                                     uint64_t size)
{
    p = resolved(g, p, p + (uint64_t)move);
    const struct vm_object *o = vm_object_of(g, p);
    const __int128 at = vm_offset_of(p) + move;
    const bool fails = o->kind <= VM_OBJ_NONE || o->flags & VM_GONE || at < 0 ||
                       at > (__int128)o->size - (__int128)size;
    return (struct vm_lane_range){fails ? NULL : o, lane, (uint64_t)at, size};
}

/** The bytes that a lane accesses. */
static struct vm_lane_range place_of(struct vm_gang *g, const struct vm_access *x, uint32_t lane)
{
    const uint64_t p = vm_operand_bits(g, x->base_off, x->base_varying, 3, lane);
    struct vm_lane_range r =
        range_at(g, lane, p, x->disp + (__int128)vm_lane_index(g, x, lane) * x->scale, x->bytes);
    if (r.o && !(x->spaces & r.o->spaces)) r.o = NULL;
    return r;
}

/** Component j of the access. */
static struct vm_lane_range component_of(const struct vm_access *x, const struct vm_lane_range *r,
                                         unsigned j)
{
    return vm_part_of(r, (uint64_t)j << x->elog, 1u << x->elog);
}

/** One base for all lanes, with an object that is not tracked? */
static bool is_known_written(struct vm_gang *g, const struct vm_access *x)
{
    if (x->base_varying) return false;
    const uint64_t p = *(const uint64_t *)(g->r + x->base_off);
    return !vm_is_raw(p) && !vm_is_followed(vm_object_of(g, p)); // (a host address may be anywhere)
}

uint64_t vm_undef_origin_of(struct vm_gang *g, const struct vm_object *o, uint64_t off,
                            uint8_t bits, uint8_t is)
{
    if (is == VM_ORIGINS) return vm_origin_pack((struct vm_origin){.rewritten = true});
    if (is != VM_NEVER_WRITTEN)
        return __atomic_load_n(&g->worker->run->origins[is], __ATOMIC_RELAXED);
    const unsigned first = (unsigned)__builtin_ctz(bits),
                   n = (unsigned)__builtin_ctz(~((unsigned)bits >> first));
    return vm_origin_pack(
        (struct vm_origin){.object = (uint32_t)(o - g->objects), .offset = off + first, .size = n});
}

void vm_undef_load_one(struct vm_gang *g, const struct vm_access *x, const struct vm_object *o,
                       uint64_t off)
{
    const struct vm_undef_access *q = x->undef;
    const struct vm_lane_range all = {o, 0, off, x->bytes};
    uint8_t now[VM_MAX_WIDTH];
    for (unsigned j = 0; j < x->ncomp; j++) {
        if (!q->rows[j]) continue;
        uint8_t is = 0;
        const struct vm_lane_range r = component_of(x, &all, j);
        const uint8_t bits = read_bits(g, &r, &is);
        if (!bits) {
            vm_undef_put_set(g, q->rows[j], NULL, VM_NO_SET, q->how[j]);
            continue;
        }
        memset(now, bits, g->n);
        const uint32_t set = vm_undef_take_same(g, vm_undef_origin_of(g, o, r.at, bits, is));
        vm_undef_put_set(g, q->rows[j], now, set, q->how[j]);
        vm_undef_drop(g->undef, set);
    }
}

const struct vm_insn *vm_undef_load(struct vm_gang *g, const struct vm_access *x)
{
    vm_widen(g);
    const struct vm_undef_access *q = x->undef;
    uint8_t now[VM_MAX_COMPS][VM_MAX_WIDTH];
    uint64_t from[VM_MAX_COMPS][VM_MAX_WIDTH];
    uint32_t any = 0; // components
    if (!is_known_written(g, x)) {
        const struct vm_object *one =
            x->base_varying || x->index_varying
                ? NULL
                : vm_object_of(g, *(const uint64_t *)(g->r + x->base_off));
        const bool once = one && one->kind != VM_OBJ_PRIVATE && !one->step;
        bool cleared = false;
        for (uint32_t i = 0; i < g->nlanes; i++) {
            if (!g->mask[i]) continue;
            const struct vm_lane_range all = place_of(g, x, i);
            if (!all.o || !vm_is_followed(all.o)) continue;
            for (unsigned j = 0; j < x->ncomp; j++) {
                uint8_t first = 0;
                const struct vm_lane_range r = component_of(x, &all, j);
                const uint8_t bits = read_bits(g, &r, &first);
                if (!bits) continue;
                if (q->clean) return vm_undef_switch(g, q->resume);
                if (!cleared) memset(now, 0, sizeof now[0] * x->ncomp);
                cleared = true;
                from[j][i] = vm_undef_origin_of(g, r.o, r.at, bits, first);
                any |= 1u << j;
                now[j][i] = bits;
                for (uint32_t k = 0; once && k < g->n; k++) {
                    now[j][k] = bits;
                    from[j][k] = from[j][i];
                }
            }
            if (once) break;
        }
    }
    if (q->clean) return NULL;
    for (unsigned j = 0; j < x->ncomp; j++)
        if (q->rows[j])
            vm_undef_put(g, q->rows[j], any >> j & 1 ? now[j] : NULL, from[j], q->how[j]);
    return NULL;
}

void vm_undef_loaded(struct vm_gang *g, const struct vm_access *x)
{
    const struct vm_undef_access *q = x->undef;
    for (unsigned j = 0; j < x->ncomp; j++)
        if (g->undef->flags[q->rows[j]]) vm_undef_put(g, q->rows[j], NULL, NULL, q->how[j]);
}

void vm_undef_report_store(struct vm_gang *g, const struct vm_access *x)
{
    struct vm_fault_run run = {.rows = x->undef->rows};
    const struct chk_fault use = {.kind = CHK_UNDEF_STORE, .site = x->src->site, .insn = x->src};
    for (unsigned j = 0; j < x->ncomp; j++) {
        run.nrows = j;
        if (g->undef->flags[x->undef->rows[j]])
            vm_undef_report_row(g, &run, &use, x->undef->rows[j], g->mask);
        if (g->nlanes > 1)
            vm_fault_end(g, &run); // the first lane is the example, for any component
    }
    vm_fault_end(g, &run);
}

enum vm_marks vm_undef_marks(struct vm_gang *g, uint32_t row, uint8_t *mark)
{
    const uint64_t *const from = vm_undef_origins(g, row);
    const uint8_t *const bits = vm_undef_row(g, row), *const mask = g->mask;
    uint32_t first = 0, count;
    while (first < g->n && !(bits[first] & mask[first])) first++;
    if (first == g->n) return VM_NO_MARK;
    uint64_t last = from[first];
    uint8_t is = vm_undef_mark_of(g, last);
    memset(mark, is, g->n);
    if (vm_undef_is_one(g, row, mask, first, g->n, &count)) return VM_ONE_MARK;
    for (uint32_t i = first; i < g->n; i++) {
        if (!(bits[i] & mask[i])) continue;
        if (from[i] != last) last = from[i], is = vm_undef_mark_of(g, last);
        mark[i] = is;
    }
    return VM_MARKS;
}

void vm_undef_store_one(struct vm_gang *g, const struct vm_access *x, const struct vm_object *o,
                        uint64_t off)
{
    const struct vm_lane_range all = {o, 0, off, x->bytes};
    uint32_t last = g->n - 1; // the last lane's value remains
    while (!g->mask[last]) last--;
    for (unsigned j = 0; j < x->ncomp; j++) {
        const uint32_t row = x->undef->rows[j];
        const uint8_t bits = g->undef->flags[row] ? vm_undef_row(g, row)[last] : 0;
        const struct vm_lane_range r = component_of(x, &all, j);
        write_bits(g, &r, bits, bits ? vm_undef_mark_of(g, vm_undef_origins(g, row)[last]) : 0);
    }
}

void vm_undef_store(struct vm_gang *g, const struct vm_access *x)
{
    vm_widen(g);
    const struct vm_undef_access *q = x->undef;
    const bool any = vm_undef_stores(g, x);
    if (!any && is_known_written(g, x)) return;
    struct vm_fault_run run = {.rows = q->rows};
    for (uint32_t i = 0; i < g->nlanes; i++) {
        if (!g->mask[i]) continue;
        const struct vm_lane_range all = place_of(g, x, i);
        const struct vm_object *const o = all.o;
        if (!o || (!any && !vm_is_followed(o))) continue;
        const bool global = o->kind == VM_OBJ_BUFFER || o->kind == VM_OBJ_PROGRAM;
        for (unsigned j = 0; j < x->ncomp; j++) {
            const uint32_t row = q->rows[j];
            uint8_t bits = g->undef->flags[row] ? vm_undef_row(g, row)[i] : 0;
            uint8_t mark = 0;
            if (bits && !global) mark = vm_undef_mark_of(g, vm_undef_origins(g, row)[i]);
            if (bits && global) {
                run.nrows = j;
                vm_undef_fault(
                    g, &run,
                    &(struct chk_fault){.kind = CHK_UNDEF_STORE, .site = x->site, .insn = x->src},
                    i, vm_undef_origins(g, row)[i]);
                bits = 0;
            }
            const struct vm_lane_range r = component_of(x, &all, j);
            if (o->shadow && (bits || vm_is_followed(o))) write_bits(g, &r, bits, mark);
        }
    }
    vm_fault_end(g, &run);
}

/**
 * The old value is as undefined as the memory. The new value is as undefined as the operand or the
 * old value.
 */
const struct vm_insn *vm_undef_atomic(struct vm_gang *g, const struct vm_insn *ip)
{
    const struct vm_undef_access *q = ip->p;
    const struct vm_access *x = q->x;
    const bool replaces = x->m->kind == BC_ATOMIC_STORE ||
                          (x->m->kind == BC_ATOMIC_RMW && x->m->atomic_op == BC_XCHG);
    uint8_t now[VM_MAX_WIDTH];
    const bool updates = x->m->kind == BC_ATOMIC_RMW && !replaces;
    struct vm_fault_run run = {0};
    uint64_t from[VM_MAX_WIDTH];
    bool any = false;
    if (!is_known_written(g, x)) {
        if (!q->clean) memset(now, 0, g->n);
        for (uint32_t i = 0; i < g->nlanes; i++) {
            if (!g->mask[i]) continue;
            const struct vm_lane_range r = place_of(g, x, i);
            if (!r.o || !vm_is_followed(r.o)) continue;
            uint8_t first = 0;
            const uint8_t bits = read_bits(g, &r, &first);
            if (!bits) continue;
            if (q->clean) return vm_undef_switch(g, q->resume);
            from[i] = vm_undef_origin_of(g, r.o, r.at, bits, first);
            if (replaces || (updates && r.o->kind == VM_OBJ_BUFFER)) write_bits(g, &r, 0, 0);
            if (updates && r.o->kind == VM_OBJ_BUFFER) { // an update of an uninitialized value,
                                                         // visible to all
                vm_undef_fault(
                    g, &run,
                    &(struct chk_fault){.kind = CHK_UNDEF_ATOMIC, .site = x->site, .insn = ip->src},
                    i, from[i]);
                continue;
            }
            any = true;
            now[i] = bits;
        }
    }
    vm_fault_end(g, &run);
    if (!q->clean && q->rows[0]) vm_undef_put(g, q->rows[0], any ? now : NULL, from, q->how[0]);
    return ip + 1;
}

// ---- ranges
/** The range of a copy or fill at a lane's pointer. */
static struct vm_lane_range range_of(struct vm_gang *g, uint32_t site, uint32_t lane, uint64_t p,
                                     uint64_t size)
{
    return range_at(g, lane, p, g->code->module->sites[site].disp, size);
}

static void copy_range(struct vm_gang *g, const struct vm_lane_range *to,
                       const struct vm_lane_range *from)
{
    const bool reads = from->o && vm_is_followed(from->o),
               backwards = from->o == to->o && from->at < to->at;
    if (!to->o->shadow || (!reads && !vm_is_followed(to->o))) return;
    uint8_t last = 0, mark = 0;
    for (uint64_t k = 0; k < to->size; k++) {
        const uint64_t i = backwards ? to->size - 1 - k : k;
        const struct vm_lane_range put = vm_part_of(to, i, 1), get = vm_part_of(from, i, 1);
        uint8_t first = 0;
        const uint8_t bits = reads ? read_bits(g, &get, &first) : 0;
        if (bits && first != last) last = first, mark = mark_through(g, from->o, first);
        write_bits(g, &put, bits, mark);
    }
}

/** What a lane copies to a buffer. */
struct copied {
    struct vm_lane_range r;
    const char *members; // by byte: 'm' is a byte of a member; NULL: all are
};

/** Up to 8 bytes from k on that are members without a value, all marked as the first one. */
static uint8_t missing_bytes(struct vm_gang *g, const struct copied *c, uint64_t k, uint8_t *is)
{
    uint8_t bits = 0;
    for (unsigned i = 0; k + i < c->r.size && i < 8 - k % 8; i++) {
        uint8_t now = VM_WRITTEN;
        const struct vm_lane_range one = vm_part_of(&c->r, k + i, 1);
        if (c->members && c->members[k + i] != 'm') break;
        if (!read_bits(g, &one, &now) || (i && now != *is)) break;
        *is = now;
        bits |= (uint8_t)(1u << i);
    }
    return bits;
}

/**
 * Reports what a copy to a buffer lacks: a finding for each place that it comes from. Whether it
 * lacks anything.
 */
static bool report_missing(struct vm_gang *g, struct vm_fault_run *run, const struct chk_fault *use,
                           const struct copied *c)
{
    const struct vm_object *const o = c->r.o;
    uint64_t seen[256 / 64] = {0}; // of enum vm_byte
    bool any = false, of_itself = false;
    for (uint64_t k = 0; k < c->r.size && !(c->members && !c->members[k]); k++) {
        uint8_t is = VM_WRITTEN;
        const uint8_t bits = missing_bytes(g, c, k, &is);
        if (!bits || seen[is / 64] >> is % 64 & 1) continue;
        seen[is / 64] |= 1ull << is % 64;
        any = true;
        const uint64_t origin = vm_undef_origin_of(g, o, c->r.at + k, bits, is);
        const bool is_itself = vm_origin_unpack(origin).object == o - g->objects;
        if (is_itself && of_itself) continue;
        of_itself |= is_itself;
        vm_undef_fault(g, run, use, c->r.lane, origin);
    }
    return any;
}

const struct vm_insn *vm_undef_copy(struct vm_gang *g, const struct vm_insn *ip)
{
    const struct vm_operands *q = ip->p;
    const struct bc_module *m = g->code->module;
    const char *members = bc_str(m, m->sites[ip->src->site].members);
    const struct chk_fault use = {.kind = CHK_UNDEF_STORE, .site = ip->src->site, .insn = ip->src};
    struct vm_fault_run run = {0};
    for (uint32_t i = 0; i < g->nlanes; i++) {
        if (!g->mask[i]) continue;
        const uint64_t size = vm_operand_bits(g, q->off[2], q->varying & 4, 3, i);
        const struct vm_lane_range to = range_of(
            g, ip->src->site, i, vm_operand_bits(g, q->off[0], q->varying & 1, 3, i), size);
        struct copied c = {
            range_of(g, ip->src->ext, i, vm_operand_bits(g, q->off[1], q->varying & 2, 3, i), size),
            members};
        if (!to.o) continue;
        if (to.o->kind == VM_OBJ_BUFFER && c.r.o && vm_is_followed(c.r.o) &&
            report_missing(g, &run, &use, &c))
            c.r.o = NULL; // reported: it counts as written
        copy_range(g, &to, &c.r);
    }
    vm_fault_end(g, &run);
    return ip + 1;
}

const struct vm_insn *vm_undef_set(struct vm_gang *g, const struct vm_insn *ip)
{
    const struct vm_operands *q = ip->p;
    const uint32_t row = q->n;
    for (uint32_t i = 0; i < g->nlanes; i++) {
        if (!g->mask[i]) continue;
        const uint64_t size = vm_operand_bits(g, q->off[2], q->varying & 4, 3, i);
        const uint8_t bits = g->undef->flags[row] ? vm_undef_row(g, row)[i] & 1 : 0;
        const uint8_t mark = bits ? vm_undef_mark_of(g, vm_undef_origins(g, row)[i]) : 0;
        const struct vm_lane_range to = range_of(
            g, ip->src->site, i, vm_operand_bits(g, q->off[0], q->varying & 1, 3, i), size);
        if (!to.o || !to.o->shadow || (!bits && !vm_is_followed(to.o))) continue;
        for (uint64_t k = 0; k < size; k++) {
            const struct vm_lane_range one = vm_part_of(&to, k, 1);
            write_bits(g, &one, bits, mark);
        }
    }
    return ip + 1;
}

/**
 * Has an element bytes that were never written? Not if only its last quarter lacks one, which may
 * be padding (int3).
 */
static bool lacks_element(struct vm_gang *g, const struct vm_lane_range *r)
{
    uint8_t is;
    for (uint64_t k = 0; k < (r->size >= 4 ? r->size / 4 * 3 : r->size); k++) {
        const struct vm_lane_range one = vm_part_of(r, k, 1);
        if (read_bits(g, &one, &is)) return true;
    }
    return false;
}

const struct vm_insn *vm_undef_async(struct vm_gang *g, const struct vm_insn *ip)
{
    const struct vm_async *q = ip->p;
    const struct bc_mem *const sites = g->code->module->sites;
    const struct chk_fault use = {.kind = CHK_UNDEF_STORE, .site = q->write_site, .insn = ip->src};
    struct vm_fault_run run = {0};
    for (uint32_t i = 0; i < g->nlanes; i++) {
        if (!g->mask[i]) continue;
        const uint64_t to = vm_operand_bits(g, q->arg[0], q->varying & 1, 3, i);
        const uint64_t from = vm_operand_bits(g, q->arg[1], q->varying >> 1 & 1, 3, i);
        const uint64_t count = vm_operand_bits(g, q->arg[2], q->varying >> 2 & 1, 3, i);
        const uint64_t stride =
            q->has_stride ? vm_operand_bits(g, q->arg[3], q->varying >> 3 & 1, 3, i) : 1;
        const struct vm_object *ot = vm_object_of(g, resolved(g, to, to)),
                               *of = vm_object_of(g, resolved(g, from, from));
        if (!vm_is_followed(ot) && !vm_is_followed(of)) continue;
        for (uint64_t k = g->first_item + i; k < count; k += g->group->items) {
            const unsigned __int128 bytes_to =
                (unsigned __int128)k * (q->has_stride && q->stride_is_to ? stride : 1) * q->elem;
            const unsigned __int128 bytes_from =
                (unsigned __int128)k * (q->has_stride && !q->stride_is_to ? stride : 1) * q->elem;
            if (bytes_to >> 46 || bytes_from >> 46) break;
            const struct vm_lane_range written =
                range_at(g, i, to, sites[q->write_site].disp + (__int128)bytes_to, q->elem);
            struct copied c = {
                range_at(g, i, from, sites[q->read_site].disp + (__int128)bytes_from, q->elem),
                NULL};
            if (!written.o) break;
            if (written.o->kind == VM_OBJ_BUFFER && c.r.o && vm_is_followed(c.r.o) &&
                lacks_element(g, &c.r) && report_missing(g, &run, &use, &c))
                c.r.o = NULL; // reported: it counts as written
            copy_range(g, &written, &c.r);
        }
    }
    vm_fault_end(g, &run);
    return ip + 1;
}

const struct vm_insn *vm_undef_forget(struct vm_gang *g, const struct vm_insn *ip)
{
    const struct vm_object *o = &g->objects[ip->imm];
    struct vm_shadow *s = o->shadow;
    if (!s || o->kind != VM_OBJ_PRIVATE) return ip + 1;
    const uint32_t w = g->code->width;
    if (g->nactive == g->nlanes) {
        memset(s->bytes, VM_NEVER_WRITTEN, (o->size + 3) / 4 * 4 * w);
        s->own_count = o->size * g->nlanes;
        return ip + 1;
    }
    uint64_t more = 0;
    for (uint64_t at = 0; at < o->size; at += 4) {
        uint8_t *row = s->bytes + at * w;
        const unsigned n = o->size - at < 4 ? (unsigned)(o->size - at) : 4;
        for (uint32_t i = 0; i < g->nlanes; i++)
            for (unsigned k = 0; g->mask[i] && k < n; k++) {
                more += row[4 * i + k] == VM_WRITTEN;
                row[4 * i + k] = VM_NEVER_WRITTEN;
            }
    }
    s->own_count += more;
    return ip + 1;
}

void vm_undef_define_private(struct vm_gang *g, uint32_t id)
{
    struct vm_shadow *s = g->objects[id].shadow;
    memset(s->bytes, VM_WRITTEN, (g->objects[id].size + 3) / 4 * 4 * g->code->width);
    s->own_count = 0;
}

enum vm_byte vm_undef_byte(struct vm_gang *g, const struct vm_object *o, uint32_t lane,
                           uint64_t off)
{
    return vm_is_followed(o) ? *byte_of(g, o, lane, off) ^ o->shadow->flip : VM_WRITTEN;
}

bool vm_undef_any(struct vm_gang *g, const struct vm_object *o, uint32_t lane, uint64_t off,
                  uint64_t size)
{
    if (!vm_is_followed(o)) return false;
    for (uint64_t i = 0; i < size; i++)
        if ((*byte_of(g, o, lane, off + i) ^ o->shadow->flip) != VM_WRITTEN) return true;
    return false;
}

void vm_undef_define(struct vm_gang *g, const struct vm_object *o, uint32_t lane, uint64_t off,
                     uint64_t size)
{
    for (uint64_t i = 0; vm_is_followed(o) && i < size; i++)
        write_bits(g, &(struct vm_lane_range){o, lane, off + i, 1}, 0, 0);
}
