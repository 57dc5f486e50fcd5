// SPDX-License-Identifier: MIT
// Registers are followed within the work-item, through calls and returns, to the loads, ids and
// constants that they were computed from. So the events of the slice are those of the source:
// writes to variables and memory, and branches.
#include "debug/history/dynamic_slice.h"

#include "bytecode/operands.h"
#include "debug/history/control_dependence.h"
#include "debug/history/repeated_launch.h"
#include "debug/session/focus.h"
#include "interp/definedness/undef.h"

#include <string.h>

#define H dbg_timeline

enum { MOST_PIECES = 16 }; // of a value with several writers

static const struct bc_module *module_of(const struct vm_group *grp)
{
    return grp->gangs[0]->code->module;
}

// ---- the last write of bytes
struct finder {
    const struct bc_module *m;
    uint32_t item;   // private: its owner; otherwise UINT32_MAX
    uint32_t object; // private: index in bc_module.objects
    uint64_t place, size;
    struct dbg_event event;
    struct dbg_segment *segment;
    uint64_t from, to; // the overlap, relative to place
    uint8_t bytes[DBG_MAX_BYTES], written[DBG_MAX_BYTES];
    bool known, undefined;
};

/** Does the event begin the life of the private object? */
static bool declares(const struct finder *f, const struct dbg_event *e)
{
    const struct bc_object *o = &f->m->objects[f->object];
    if (e->insn->op == BC_FORGET) return e->insn->ext == f->object;
    return e->insn->op == BC_CALL && e->fn->ext[e->insn->ext] == o->fn && !o->is_param;
}

static bool visit_write(void *ctx, const struct dbg_trace *t, const struct dbg_event *e)
{
    struct finder *f = ctx;
    const bool is_private = f->item != UINT32_MAX;
    if (is_private && e->item != f->item) return false;
    const bool begins = is_private && declares(f, e);
    if (!begins &&
        (!e->address || e->place >= f->place + f->size || f->place >= e->place + e->size ||
         !(bc_effects(f->m->sites, e->fn->ext, e->insn) & BC_WRITES)))
        return false;
    f->event = *e;
    f->segment = t->segment;
    f->from = begins || e->place < f->place ? 0 : e->place - f->place;
    f->to = begins || e->place + e->size > f->place + f->size ? f->size
                                                              : e->place + e->size - f->place;
    uint64_t n = f->to - f->from;
    if (begins) return true;
    if (n > sizeof f->bytes) n = sizeof f->bytes;
    const uint64_t skip = f->place + f->from - e->place;
    dbg_event_bytes(t, e, skip, f->bytes, n);
    f->undefined = dbg_event_missing(t, e, skip, f->written, n);
    f->known = dbg_event_has(e, skip, n);
    return true;
}

/** The last assignment of the user to the bytes in the group, up to its time `until`. */
static const struct dbg_by_hand *assigned(struct vm_group *grp, const struct finder *f,
                                          const struct dbg_past_group *p, uint64_t until)
{
    for (size_t i = p->writes.len; i-- > 0;) {
        const struct dbg_by_hand *w = &p->writes.data[i];
        const uint64_t place = dbg_place_of(grp->gangs[w->item], w->address);
        if (w->time <= until && (f->item == UINT32_MAX || w->item == f->item) &&
            place < f->place + f->size && f->place < place + w->size)
            return w;
    }
    return NULL;
}

static enum dbg_cause_kind kind_of_failure(enum dbg_searched r)
{
    return r == DBG_SEARCH_CLOSED        ? DBG_IS_CLOSED
           : r == DBG_SEARCH_INTERRUPTED ? DBG_IS_INTERRUPTED
                                         : DBG_IS_LOST;
}

static enum dbg_cause_kind kind_of_write(const struct dbg_event *e)
{
    return e->insn->op == BC_FORGET || e->insn->op == BC_CALL ? DBG_BY_DECLARATION
           : e->vague                                         ? DBG_BY_VAGUE
                                                              : DBG_BY_WRITE;
}

/** Where bytes come from that the launch has not written. */
static enum dbg_cause_kind origin(const struct vm_object *o, const struct finder *f)
{
    switch (o->kind) {
    case VM_OBJ_CONSTANT: return DBG_BY_CONSTANT;
    case VM_OBJ_LOCAL: return DBG_BY_NOTHING;
    case VM_OBJ_PRIVATE: break;
    default: return H.forgotten ? DBG_IS_FORGOTTEN : DBG_BY_HOST;
    }
    if (f->m->objects[f->object].is_param) return DBG_BY_ARGUMENT;
    for (uint32_t i = 0; i < f->m->nvars; i++)
        if (f->m->vars[i].object == f->object && f->m->vars[i].is_param) return DBG_BY_ARGUMENT;
    return DBG_BY_NOTHING;
}

/** Reads bytes in the present moment of the replay. */
static void read_now(struct vm_group *grp, struct dbg_cause *c)
{
    struct vm_gang *g = grp->gangs[c->item];
    const uint64_t n = c->size < DBG_MAX_BYTES ? c->size : DBG_MAX_BYTES;
    struct err *e = dbg_read(g, c->address, c->bytes, n);
    c->known = !e;
    c->undefined = !e && dbg_is_uninitialized(g, c->address, n);
    if (c->undefined) dbg_read_written(g, c->address, c->written, n);
    err_free(e);
}

/**
 * The contents that a byte of global memory had when the launch began: that of the oldest saved
 * page; NULL: no page was saved, so the byte was not written.
 */
static const char *first_contents(uint64_t place)
{
    for (size_t at = 0; at < H.groups.len; at++)
        for (size_t k = 0; k < H.groups.data[at]->segments.len; k++) {
            const struct dbg_segment *s = H.groups.data[at]->segments.data[k];
            for (size_t i = 0; i < s->pages.len; i++) {
                const uint64_t from = (uint64_t)(uintptr_t)s->pages.data[i].at;
                if (place >= from && place - from < s->pages.data[i].size)
                    return s->pages.data[i].bytes + (place - from);
            }
        }
    return NULL;
}

/** Is nothing recorded after the moment? */
static bool is_latest(struct dbg_moment m)
{
    return m.group == vec_last(&H.groups) && dbg_moment_time(m) == m.group->length;
}

/** Reads bytes that are written after the cause's moment, if at all. */
static void read_origin(struct vm_group *grp, const struct dbg_bytes_at *b, struct dbg_cause *c)
{
    const uint64_t place = dbg_place_of(grp->gangs[c->item], c->address);
    if (c->kind == DBG_BY_ARGUMENT && !b->value)
        dbg_history_rewind(grp, dbg_moment_at(b->moment), 0);
    read_now(grp, c);
    for (uint64_t i = 0; c->kind == DBG_BY_HOST && i < c->size && i < sizeof c->bytes; i++) {
        const char *was = first_contents(place + i);
        if (was) memcpy(c->bytes + i, was, 1);
        c->is_later |= was && !is_latest(b->moment);
    }
    if (b->value) memcpy(c->bytes, b->value, c->size);
    c->known |= b->value != NULL;
}

/** Global memory that was not written in this launch: who wrote the first bytes? *to: how many. */
static void find_earlier(struct dbg_cause *c, uint64_t place, uint64_t *to)
{
    const uint64_t n = c->size < sizeof c->bytes ? c->size : sizeof c->bytes;
    c->place = dbg_repeated_place(place);
    if (!dbg_repeat_find_earlier(c->place, n, c->known ? c->bytes : NULL, &c->earlier)) {
        c->kind = dbg_history_is_unwanted() ? DBG_IS_INTERRUPTED : DBG_IS_NOT_KEPT;
        *to = c->size;
        return;
    }
    *to = c->earlier.size < n ? c->earlier.size : c->size;
    if (c->earlier.mark.writer) c->kind = DBG_BY_EARLIER;
}

/** The cause is the write that was found. */
static void take_event(struct dbg_cause *c, const struct finder *f)
{
    c->kind = kind_of_write(&f->event);
    c->event = f->event;
    c->item = f->event.item;
    c->moment.segment = f->segment;
    c->moment.after = f->event.after;
    memcpy(c->bytes, f->bytes, sizeof c->bytes);
    memcpy(c->written, f->written, sizeof c->written);
    c->known = c->kind == DBG_BY_WRITE && f->known;
    c->undefined = f->undefined;
}

/** The cause of some of the bytes; *from and *to: of which, relative to the address. */
static struct dbg_cause last_cause(struct vm_group *grp, const struct dbg_bytes_at *b,
                                   uint64_t *from, uint64_t *to)
{
    struct vm_gang *g = grp->gangs[b->item];
    const struct vm_object *o = vm_object_of(g, b->address);
    const bool is_private = o->kind == VM_OBJ_PRIVATE,
               is_global = !is_private && o->kind != VM_OBJ_LOCAL;
    struct finder f = {.m = module_of(grp),
                       .item = is_private ? b->item : UINT32_MAX,
                       .object = (uint32_t)(b->address >> BC_PTR_ID_SHIFT) - 1,
                       .place = dbg_place_of(g, b->address),
                       .size = b->size};
    const struct dbg_search s = {.item = f.item,
                                 .place = f.place,
                                 .size = is_global ? f.size : 0,
                                 .visit = visit_write,
                                 .ctx = &f};
    struct dbg_cause c = {.moment = b->moment, .item = b->item, .address = b->address};
    *from = 0;
    *to = c.size = b->size;
    if (o->kind == VM_OBJ_CONSTANT) {
        c.kind = DBG_BY_CONSTANT;
        read_now(grp, &c);
        return c;
    }
    for (;;) {
        const enum dbg_searched r = dbg_search_back(grp, c.moment, &s);
        struct dbg_past_group *const p = c.moment.group;
        const struct dbg_by_hand *w = assigned(grp, &f, p, dbg_moment_time(c.moment));
        if (w && (r != DBG_SEARCH_FOUND || w->time > f.segment->from + f.event.after)) {
            const uint64_t at = dbg_place_of(grp->gangs[w->item], w->address);
            c.kind = DBG_BY_USER;
            c.item = w->item;
            *from = at > f.place ? at - f.place : 0;
            *to = at + w->size < f.place + f.size ? at + w->size - f.place : f.size;
            for (uint64_t i = *from; i < *to && i - *from < sizeof c.bytes; i++)
                c.bytes[i - *from] = w->bytes[f.place + i - at];
            c.known = true;
            return c;
        }
        if (r == DBG_SEARCH_FOUND) {
            take_event(&c, &f);
            *from = f.from;
            *to = f.to;
            return c;
        }
        if (r != DBG_SEARCH_NONE) {
            c.kind = kind_of_failure(r);
            if (b->value) memcpy(c.bytes, b->value, c.size);
            c.known = b->value != NULL;
            return c;
        }
        const size_t at = dbg_moment_at(c.moment);
        if (!is_global || !at) break;
        c.moment = (struct dbg_moment){.group = H.groups.data[at - 1]};
    }
    c.kind = origin(vm_object_of(g, b->address), &f);
    if (c.kind == DBG_BY_HOST || c.kind == DBG_BY_ARGUMENT ||
        (c.kind == DBG_IS_FORGOTTEN && b->value))
        read_origin(grp, b, &c);
    if (c.kind == DBG_BY_HOST) find_earlier(&c, f.place, to);
    return c;
}

static void add(struct dbg_causes *out, const struct dbg_cause *c)
{
    for (size_t i = 0; i < out->list.len; i++) {
        const struct dbg_cause *x = &out->list.data[i];
        const bool same_event = x->moment.segment == c->moment.segment &&
                                x->moment.after == c->moment.after &&
                                x->event.insn == c->event.insn;
        if (x->kind == c->kind && x->address == c->address && x->size == c->size &&
            x->item == c->item &&
            (same_event ||
             (c->kind > DBG_BY_UNDEF && !memcmp(x->bytes, c->bytes, sizeof c->bytes))))
            return;
    }
    vec_push(&out->list, *c);
}

void dbg_causes_of_bytes(struct vm_group *grp, const struct dbg_bytes_at *b, enum dbg_role role,
                         struct dbg_causes *out)
{
    struct dbg_bytes_at left[MOST_PIECES] = {*b};
    unsigned n = 1;
    while (n) {
        const struct dbg_bytes_at x = left[--n];
        uint64_t from, to;
        struct dbg_cause c = last_cause(grp, &x, &from, &to);
        c.role = role;
        c.address = x.address + from;
        c.size = to - from;
        add(out, &c);
        struct dbg_bytes_at rest = x;
        rest.address = x.address + to;
        rest.size = x.size - to;
        rest.value = x.value ? (const char *)x.value + to : NULL;
        if (rest.size && n < MOST_PIECES) left[n++] = rest;
        rest.address = x.address;
        rest.size = from;
        rest.value = x.value;
        if (rest.size && n < MOST_PIECES) left[n++] = rest;
    }
}

// ---- registers
/** The definition of a register, searched from a moment of the work-item back. */
struct definition {
    const struct bc_module *m;
    const struct bc_fn *fn;
    uint32_t item, reg;
    VEC(struct dbg_event) returns; // seen on the way, the earliest last
    bool found, is_param, is_result;
    unsigned index; // of the parameter or result
    struct dbg_event event;
    struct dbg_segment *segment;
};

static const struct bc_fn *callee_of(const struct bc_module *m, const struct dbg_event *e)
{
    return &m->fns[e->fn->ext[e->insn->ext]];
}

/** A call in the caller: does the callee's result become the register? */
static bool is_result_of(struct definition *d, const struct dbg_event *e)
{
    const uint32_t *x = e->fn->ext + e->insn->ext, nargs = x[1], nrets = x[2 + nargs];
    for (uint32_t k = 0; k < nrets; k++) {
        if (x[3 + nargs + k] != d->reg) continue;
        const struct bc_fn *callee = callee_of(d->m, e);
        d->index = k;
        for (size_t i = d->returns.len; i-- > 0;)
            if (d->returns.data[i].fn == callee) {
                d->event = d->returns.data[i];
                d->is_result = true;
                return true;
            }
    }
    return false;
}

static bool visit_definition(void *ctx, const struct dbg_trace *t, const struct dbg_event *e)
{
    struct definition *d = ctx;
    if (e->item != d->item) return false;
    d->segment = t->segment;
    d->event = *e;
    if (e->insn->op == BC_RET) vec_push(&d->returns, *e);
    if (e->insn->op == BC_CALL && callee_of(d->m, e) == d->fn) { // its beginning
        for (uint32_t k = 0; k < d->fn->nparams; k++)
            if (d->fn->params[k] == d->reg) d->found = d->is_param = true, d->index = k;
        return true;
    }
    if (e->fn != d->fn) return false;
    if (e->insn->op == BC_CALL) return d->found = is_result_of(d, e);
    BC_EACH_OPERAND(o, d->m->sites, e->fn->ext, e->insn, BC_USE_OUT)
        if (*o.at == d->reg) return d->found = true;
    return false;
}

struct slicing {
    struct vm_group *grp;
    uint32_t item;
    struct dbg_causes *out;
    VEC(struct {
        struct dbg_segment *segment;
        uint64_t after;
        uint32_t reg;
    })
    seen;
    VEC(struct dbg_cause) defined; // events in other blocks, whose control dependence counts
};

static void follow(struct slicing *s, struct dbg_moment m, const struct bc_fn *fn, uint32_t reg,
                   enum dbg_role role);

/** Follows the registers that the event reads; only: of role data, the one with this index. */
static void follow_operands(struct slicing *s, struct dbg_moment m, const struct dbg_event *e,
                            enum dbg_role role)
{
    BC_EACH_OPERAND(o, module_of(s->grp)->sites, e->fn->ext, e->insn, BC_USE_IN)
        follow(s, m, e->fn, *o.at, o.use & BC_USE_WHERE ? DBG_ADDRESS : role);
}

/** Is it a write to a compiler's temporary? Its causes take its place. */
static bool is_temporary(const struct vm_group *grp, const struct dbg_cause *c)
{
    const struct bc_module *m = module_of(grp);
    const uint64_t id = c->address >> BC_PTR_ID_SHIFT;
    return c->kind == DBG_BY_WRITE && id && id <= m->nobjects && !m->objects[id - 1].name;
}

static void add_through(struct slicing *s, const struct dbg_cause *c, enum dbg_role role)
{
    struct dbg_causes behind = {{0}};
    dbg_causes_of_event(s->grp, c, &behind);
    for (size_t i = 0; i < behind.list.len; i++) {
        struct dbg_cause *x = &behind.list.data[i];
        if (x->role == DBG_DATA) x->role = role;
        if (x->role == role) add(s->out, x);
    }
    vec_free(&behind.list);
}

static void add_bytes(struct slicing *s, const struct dbg_bytes_at *b, enum dbg_role role)
{
    struct dbg_causes found = {{0}};
    if (!b->address || !b->size) return;
    dbg_causes_of_bytes(s->grp, b, role, &found);
    for (size_t i = 0; i < found.list.len; i++) {
        if (is_temporary(s->grp, &found.list.data[i])) add_through(s, &found.list.data[i], role);
        else add(s->out, &found.list.data[i]);
    }
    vec_free(&found.list);
}

static void add_event(struct slicing *s, struct dbg_moment m, const struct dbg_event *e,
                      enum dbg_cause_kind kind, enum dbg_role role)
{
    struct dbg_cause c = {.kind = kind, .role = role, .moment = m, .event = *e, .item = s->item};
    memcpy(c.bytes, &e->value, sizeof e->value);
    add(s->out, &c);
}

/** A load: the component that the register got. */
static void add_loaded(struct slicing *s, struct dbg_moment m, const struct dbg_event *e,
                       uint32_t reg, enum dbg_role role)
{
    const struct bc_mem *site = &module_of(s->grp)->sites[e->insn->site];
    unsigned k = 0;
    BC_EACH_OPERAND(o, module_of(s->grp)->sites, e->fn->ext, e->insn, BC_USE_OUT) {
        if (*o.at == reg) break;
        k++;
    }
    if (k < site->ncomp)
        add_bytes(s,
                  &(struct dbg_bytes_at){m, s->item, e->address ? e->address + k * site->elem : 0,
                                         site->elem, site->ncomp == 1 ? &e->value : NULL},
                  role);
}

static void follow_definition(struct slicing *s, struct dbg_moment m, const struct dbg_event *e,
                              uint32_t reg, enum dbg_role role)
{
    struct dbg_cause at = {.moment = m, .event = *e};
    vec_push(&s->defined, at);
    switch ((enum bc_op)e->insn->op) {
    case BC_LOAD:
        add_loaded(s, m, e, reg, role);
        follow_operands(s, m, e, role);
        break;
    case BC_ATOMIC: // the old value
        add_bytes(s, &(struct dbg_bytes_at){m, s->item, e->address, e->size, NULL}, role);
        BC_EACH_OPERAND(o, module_of(s->grp)->sites, e->fn->ext, e->insn, BC_USE_IN)
            if (o.use & BC_USE_WHERE) follow(s, m, e->fn, *o.at, DBG_ADDRESS);
        break;
    case BC_WI_I32:
    case BC_WI_I64: add_event(s, m, e, DBG_BY_ID, role); break;
    case BC_UNDEF: add_event(s, m, e, DBG_BY_UNDEF, role); break;
    case BC_IMAGE:
        add_event(s, m, e, DBG_BY_IMAGE, role);
        follow_operands(s, m, e, role);
        break;
    case BC_COLLECT:
        add_event(s, m, e, DBG_BY_OTHERS, role);
        follow_operands(s, m, e, role);
        break;
    default: follow_operands(s, m, e, role);
    }
}

static bool was_seen(struct slicing *s, struct dbg_moment m, uint32_t reg)
{
    for (size_t i = 0; i < s->seen.len; i++)
        if (s->seen.data[i].segment == m.segment && s->seen.data[i].after == m.after &&
            s->seen.data[i].reg == reg)
            return true;
    vec_add(&s->seen);
    vec_last(&s->seen).segment = m.segment;
    vec_last(&s->seen).after = m.after;
    vec_last(&s->seen).reg = reg;
    return false;
}

static void follow(struct slicing *s, struct dbg_moment m, const struct bc_fn *fn, uint32_t reg,
                   enum dbg_role role)
{
    if (!(reg & BC_V) && reg < fn->nconst) return;
    struct definition d = {.m = module_of(s->grp), .fn = fn, .item = s->item, .reg = reg};
    const struct dbg_search search = {.item = s->item, .visit = visit_definition, .ctx = &d};
    dbg_search_back(s->grp, m, &search);
    vec_free(&d.returns);
    const struct dbg_moment at = {m.group, d.segment, d.event.after};
    if (!d.found || was_seen(s, at, reg)) return;
    if (d.is_param)
        follow(s, at, d.event.fn, d.event.fn->ext[d.event.insn->ext + 2 + d.index], role);
    else if (d.is_result && d.event.insn->ext)
        follow(s, at, d.event.fn, d.event.fn->ext[d.event.insn->ext + 1 + d.index], role);
    else if (!d.is_result) follow_definition(s, at, &d.event, reg, role);
}

// ---- control
struct decision {
    const struct bc_module *m;
    uint32_t item;
    const struct bc_fn *fn;
    struct dbg_controls controls;
    bool found, is_call;
    struct dbg_event event;
    struct dbg_segment *segment;
};

static bool visit_branch(void *ctx, const struct dbg_trace *t, const struct dbg_event *e)
{
    struct decision *d = ctx;
    if (e->item != d->item) return false;
    d->is_call = e->insn->op == BC_CALL && callee_of(d->m, e) == d->fn;
    d->found = !d->is_call && e->fn == d->fn && dbg_controls_has(&d->controls, e->insn);
    d->event = *e;
    d->segment = t->segment;
    return d->is_call || d->found;
}

bool dbg_branch_of(struct vm_group *grp, const struct dbg_cause *c, struct dbg_cause *out)
{
    struct decision d = {.m = module_of(grp), .item = c->event.item, .fn = c->event.fn};
    struct dbg_moment m = c->moment;
    const struct bc_insn *insn = c->event.insn;
    do {
        d.is_call = false;
        d.controls = dbg_controls_of(d.fn, insn);
        const struct dbg_search search = {.item = d.item, .visit = visit_branch, .ctx = &d};
        if (dbg_controls_any(&d.controls) || d.fn != grp->gangs[0]->code->fns[0].bc)
            dbg_search_back(grp, m, &search);
        dbg_controls_free(&d.controls);
        m = (struct dbg_moment){m.group, d.segment, d.event.after};
        insn = d.event.insn;
        d.fn = d.event.fn;
    } while (d.is_call);
    if (d.found)
        *out = (struct dbg_cause){.kind = DBG_BY_BRANCH,
                                  .role = DBG_CONTROL,
                                  .moment = m,
                                  .event = d.event,
                                  .item = d.item};
    return d.found;
}

static void add_branch(struct slicing *s, const struct dbg_cause *c)
{
    struct dbg_cause branch;
    if (dbg_branch_of(s->grp, c, &branch)) add(s->out, &branch);
}

// ---- events
/** Follows the components of a store that overlap with the bytes [from, to) of it. */
static void follow_stored(struct slicing *s, const struct dbg_cause *c, uint64_t from, uint64_t to)
{
    const struct bc_mem *site = &module_of(s->grp)->sites[c->event.insn->site];
    uint64_t at = 0;
    BC_EACH_OPERAND(o, module_of(s->grp)->sites, c->event.fn->ext, c->event.insn, BC_USE_IN) {
        if (o.use & BC_USE_WHERE) continue;
        if (at < to && from < at + site->elem) follow(s, c->moment, c->event.fn, *o.at, DBG_DATA);
        at += site->elem;
    }
}

static void follow_addresses(struct slicing *s, const struct dbg_cause *c)
{
    BC_EACH_OPERAND(o, module_of(s->grp)->sites, c->event.fn->ext, c->event.insn, BC_USE_IN)
        if (o.use & BC_USE_WHERE) follow(s, c->moment, c->event.fn, *o.at, DBG_ADDRESS);
}

void dbg_causes_of_event(struct vm_group *grp, const struct dbg_cause *c, struct dbg_causes *out)
{
    const struct dbg_event *e = &c->event;
    struct slicing s = {.grp = grp, .item = e->item, .out = out};
    const uint64_t place = dbg_place_of(grp->gangs[e->item], c->address),
                   skip = c->size && c->kind == DBG_BY_WRITE ? place - e->place : 0;
    switch ((enum bc_op)e->insn->op) {
    case BC_STORE:
        follow_stored(&s, c, skip, skip + c->size);
        follow_addresses(&s, c);
        break;
    case BC_LOAD:
        add_bytes(&s,
                  &(struct dbg_bytes_at){c->moment, s.item, c->address, c->size,
                                         c->known ? c->bytes : NULL},
                  DBG_DATA);
        follow_addresses(&s, c);
        break;
    case BC_COPY:
    case BC_ASYNC_COPY:
        add_bytes(&s, &(struct dbg_bytes_at){c->moment, s.item, e->from + skip, c->size, NULL},
                  DBG_DATA);
        follow_addresses(&s, c);
        break;
    case BC_ATOMIC: {
        const struct bc_mem *site = &module_of(grp)->sites[e->insn->site];
        if (site->kind == BC_ATOMIC_RMW && site->atomic_op != BC_XCHG)
            add_bytes(&s, &(struct dbg_bytes_at){c->moment, s.item, e->address, e->size, NULL},
                      DBG_DATA);
        follow_operands(&s, c->moment, e, DBG_DATA);
        break;
    }
    default: follow_operands(&s, c->moment, e, DBG_DATA);
    }
    add_branch(&s, c);
    for (size_t i = 0; i < s.defined.len; i++) {
        const struct dbg_cause d = s.defined.data[i];
        if (d.event.fn == e->fn &&
            dbg_block_of(e->fn, d.event.insn) != dbg_block_of(e->fn, e->insn))
            add_branch(&s, &d);
    }
    vec_free(&s.seen);
    vec_free(&s.defined);
}
