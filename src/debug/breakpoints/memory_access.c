// SPDX-License-Identifier: MIT
// Memory accesses of an instruction before its execution, for the history and for watchpoints.
#include "debug/breakpoints/memory_access.h"

#include <string.h>

bool dbg_writes(const struct bc_insn *i) { return bc_ops[i->op].effects & BC_WRITES; }
bool dbg_reads(const struct bc_insn *i) { return bc_ops[i->op].effects & BC_READS; }

uint64_t dbg_operand(const struct vm_gang *g, uint32_t op, unsigned size, uint32_t lane)
{
    const struct vm_fn *fn = g->frame->fn;
    uint64_t v = 0;
    if (op != BC_NONE)
        memcpy(&v,
               g->r + (op & BC_V ? fn->varying_off[op & ~BC_V] + size * lane
                                 : fn->uniform_off + 8 * op),
               size);
    return v;
}

unsigned dbg_result_size(const struct vm_gang *g, const struct bc_insn *i)
{
    return i->dst & BC_V ? g->frame->fn->bc->vsize[i->dst & ~BC_V] : 8;
}

/** The pointer p + move in the same object. */
static inline uint64_t moved_by(uint64_t p, int64_t move)
{
    const int64_t far = BC_MAX_OBJECT, // outside of every object
        within = move < -far  ? -far
                 : move > far ? far
                              : move,
                  off = vm_offset_of(p) + within;
    return BC_PTR(p >> BC_PTR_ID_SHIFT, off < -far ? -far : off > far ? far : off);
}

/** The same as the access uses it: without its signature, or an address of the app. */
static uint64_t moved(const struct vm_gang *g, uint32_t lane, uint64_t p, int64_t move)
{
    return moved_by(vm_is_raw(p) ? vm_svm_resolve((struct vm_gang *)g, p, p + (uint64_t)move)
                                 : vm_authenticated(g, lane, p),
                    move);
}

void dbg_async_copy_of(const struct vm_gang *g, const struct bc_insn *i, uint32_t lane,
                       struct dbg_async_copy *out)
{
    const uint32_t *ext = g->frame->fn->bc->ext + i->ext;
    const uint64_t elem = ext[0], stride = ext[2] == BC_NONE ? 1 : dbg_operand(g, ext[2], 8, lane);
    *out = (struct dbg_async_copy){.to = moved(g, lane, dbg_operand(g, i->a, 8, lane), 0),
                                   .from = moved(g, lane, dbg_operand(g, i->b, 8, lane), 0),
                                   .count = dbg_operand(g, i->c, 8, lane),
                                   .elem = elem,
                                   .step_to = elem * (ext[3] ? stride : 1),
                                   .step_from = elem * (ext[3] ? 1 : stride)};
    const struct vm_object *o = vm_object_of((struct vm_gang *)g, out->to);
    const int64_t off = vm_offset_of(out->to);
    const uint64_t left = off < 0 || (uint64_t)off >= o->size ? 0 : o->size - (uint64_t)off,
                   step = out->step_to ? out->step_to : 1, most = left / step + (left % step != 0);
    if (out->count > most) out->count = most;
}

bool dbg_access_of(const struct vm_gang *g, const struct bc_insn *i, uint32_t lane, bool reads,
                   uint64_t *address, uint64_t *size)
{
    const uint64_t a = dbg_operand(g, i->a, 8, lane);
    switch ((enum bc_op)i->op) {
    case BC_LOAD:
    case BC_STORE:
    case BC_ATOMIC: {
        const struct bc_mem *m = &g->code->module->sites[i->site];
        const uint64_t b = dbg_operand(g, i->b, m->index_kind == BC_IDX_I64 ? 8 : 4, lane);
        const int64_t index = m->index_kind == BC_IDX_NONE  ? 0
                              : m->index_kind == BC_IDX_S32 ? (int32_t)b
                                                            : (int64_t)b;
        *address = moved(g, lane, a, index * m->scale + m->disp);
        *size = (uint64_t)m->elem * m->ncomp;
        return vm_offset_of(*address) >= 0;
    }
    case BC_COPY:
    case BC_SET:
        *address = moved(g, lane, reads ? dbg_operand(g, i->b, 8, lane) : a, 0);
        *size = dbg_operand(g, i->c, 8, lane);
        return true;
    case BC_ASYNC_COPY:
    case BC_IMAGE:
        *address = BC_PTR(moved(g, lane, a, 0) >> BC_PTR_ID_SHIFT, 0);
        *size = UINT64_MAX;
        return !reads;
    default: return false;
    }
}

/** An operand of all lanes. */
struct lanes_operand {
    const char *at;
    unsigned step;
};

static struct lanes_operand operand_of_lanes(const struct vm_gang *g, uint32_t op, unsigned size)
{
    static const uint64_t none;
    const struct vm_fn *fn = g->frame->fn;
    if (op == BC_NONE) return (struct lanes_operand){(const char *)&none, 0};
    if (op & BC_V) return (struct lanes_operand){g->r + fn->varying_off[op & ~BC_V], size};
    return (struct lanes_operand){g->r + fn->uniform_off + 8 * (size_t)op, 0};
}

static inline int64_t index_of_lane(struct lanes_operand x, unsigned kind, uint32_t lane)
{
    const char *const at = x.at + (size_t)x.step * lane;
    int64_t wide;
    int32_t narrow;
    if (kind == BC_IDX_NONE) return 0;
    memcpy(&narrow, at, sizeof narrow);
    if (kind == BC_IDX_S32) return narrow;
    if (kind != BC_IDX_I64) return (int64_t)(uint32_t)narrow;
    memcpy(&wide, at, sizeof wide);
    return wide;
}

/** Do all lanes have the same pointer, of one object? */
static bool is_one_pointer(struct lanes_operand a, uint32_t n, uint64_t *p)
{
    const uint64_t *const at = (const void *)a.at;
    uint64_t other = 0;
    *p = *at;
    for (uint32_t i = 0; a.step && i < n; i++) other |= at[i] ^ *at;
    return !other && !vm_is_raw(*p) && !vm_is_signed(*p);
}

/** Is lane i's index that of lane 0 plus i, without wrapping? */
static bool is_counting(struct lanes_operand x, unsigned kind, uint32_t n)
{
    const int64_t first = index_of_lane(x, kind, 0);
    uint64_t bad = 0;
    if (!x.step || first > INT32_MAX - (int64_t)n || first < INT32_MIN) return false;
    if (x.step == sizeof(uint64_t)) {
        const uint64_t *const at = (const void *)x.at;
        for (uint32_t i = 0; i < n; i++) bad |= at[i] ^ ((uint64_t)first + i);
        return !bad;
    }
    const uint32_t *const at = (const void *)x.at;
    for (uint32_t i = 0; i < n; i++) bad |= at[i] ^ ((uint32_t)first + i);
    return !bad;
}

/** All lanes write side by side: the most frequent case, at the cost of two vector loops. */
static bool write_side_by_side(const struct vm_gang *g, const struct bc_mem *m,
                               struct lanes_operand a, struct lanes_operand b, struct dbg_run *r)
{
    uint64_t p;
    if (g->nactive != g->nlanes || m->scale != (int64_t)r->size || m->index_kind == BC_IDX_NONE ||
        !is_counting(b, m->index_kind, g->nlanes) || !is_one_pointer(a, g->nlanes, &p))
        return false;
    p = moved_by(p, index_of_lane(b, m->index_kind, 0) * m->scale + m->disp);
    *r = (struct dbg_run){p, r->size, 0, vm_offset_of(p) >= 0 ? g->nlanes : 0};
    return r->n;
}

/** All active lanes write to one buffer, without an error. */
static bool write_scattered(struct vm_gang *g, const struct bc_insn *i, struct lanes_operand a,
                            struct lanes_operand b, struct dbg_scatter *s)
{
    const struct bc_mem *m = &g->code->module->sites[i->site];
    uint64_t p, first = 0;
    s->buffer = NULL;
    s->n = 0;
    for (uint32_t lane = 0; lane < g->nlanes; lane++) {
        if (!g->mask[lane]) continue;
        memcpy(&p, a.at + (size_t)a.step * lane, sizeof p);
        if (!s->buffer) {
            s->buffer = vm_object_of(g, first = p);
            if (vm_is_raw(p) || vm_is_signed(p) || s->buffer->kind != VM_OBJ_BUFFER ||
                !s->buffer->base ||
                !dbg_is_performed(g, i, BC_PTR(p >> BC_PTR_ID_SHIFT, 0), s->size))
                return false;
        }
        if ((p ^ first) >> BC_PTR_ID_SHIFT) return false;
        p = moved_by(p, index_of_lane(b, m->index_kind, lane) * m->scale + m->disp);
        const int64_t off = vm_offset_of(p);
        if (off < 0 || (uint64_t)off > s->buffer->size - s->size || (uint64_t)off & (m->align - 1))
            return false;
        s->at[s->n].offset = (uint64_t)off;
        s->at[s->n++].lane = lane;
    }
    return s->n;
}

void dbg_lane_writes(struct vm_gang *g, const struct bc_insn *i, const struct dbg_write_visitor *v)
{
    const struct bc_mem *m = &g->code->module->sites[i->site];
    const struct lanes_operand a = operand_of_lanes(g, i->a, 8),
                               b = operand_of_lanes(g, i->b, m->index_kind == BC_IDX_I64 ? 8 : 4);
    struct dbg_run r = {.size = (uint64_t)m->elem * m->ncomp};
    if (write_side_by_side(g, m, a, b, &r)) {
        v->each(g, i, &r);
        return;
    }
    struct dbg_scatter s;
    s.size = r.size;
    if (write_scattered(g, i, a, b, &s)) {
        v->scatter(g, i, &s);
        return;
    }
    uint64_t base;
    memcpy(&base, a.at, sizeof base);
    const bool is_one = !a.step && !vm_is_raw(base) && !vm_is_signed(base); // for all lanes
    for (uint32_t lane = 0; lane < g->nlanes; lane++) {
        if (!g->mask[lane]) continue;
        const int64_t move = index_of_lane(b, m->index_kind, lane) * m->scale + m->disp;
        uint64_t p;
        if (is_one) {
            p = moved_by(base, move);
        } else {
            memcpy(&p, a.at + (size_t)a.step * lane, sizeof p);
            p = moved(g, lane, p, move);
        }
        if (r.n && r.lane + r.n == lane && p == r.address + r.size * r.n) {
            r.n++;
            continue;
        }
        if (r.n) v->each(g, i, &r);
        r = (struct dbg_run){p, r.size, lane, vm_offset_of(p) >= 0};
    }
    if (r.n) v->each(g, i, &r);
}

bool dbg_is_performed(struct vm_gang *g, const struct bc_insn *i, uint64_t address, uint64_t size)
{
    const struct vm_object *o = vm_object_of(g, address);
    const int64_t off = vm_offset_of(address);
    if (o->kind <= VM_OBJ_NONE || o->flags & VM_GONE || off < 0 || size > o->size ||
        (uint64_t)off > o->size - size)
        return false;
    if (dbg_writes(i) && o->flags & VM_READ_ONLY && !(o->flags & VM_WRITABLE)) return false;
    const struct bc_mem *m = &g->code->module->sites[i->site];
    if (!bc_is_access(i->op)) return true;
    return vm_spaces(m->space) & o->spaces &&
           ((i->op != BC_ATOMIC && o->kind != VM_OBJ_PRIVATE) || !((uint64_t)off & (m->align - 1)));
}
