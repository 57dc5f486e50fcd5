// SPDX-License-Identifier: MIT
// One work-item's instructions, one after the other. A bit that was never written makes of a
// result: exact for the bit operations and comparisons, upwards from the lowest such bit for sums
// and products, everything elsewhere.
#include "walker.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint64_t ones(unsigned bits) { return bits >= 64 ? ~0ull : (1ull << bits) - 1; }
static int64_t sign(uint64_t v, unsigned bits)
{
    return bits >= 64 ? (int64_t)v : (int64_t)(v << (64 - bits)) >> (64 - bits);
}
static struct sc *get(const struct frame *f, const struct operand *o)
{
    return o->k ? o->k : f->regs + o->reg;
}

static struct sc origin(struct sc r, const struct sc *a, const struct sc *b)
{
    r.path = !r.u ? 0 : !b->u ? a->path : !a->u ? b->path : path_joined(a->path, b->path);
    return r;
}

static uint64_t upwards(uint64_t u) { return u | -u; }

static uint64_t whole_bytes(uint64_t u)
{
    uint64_t r = 0;
    for (unsigned i = 0; i < 64; i += 8)
        if (u >> i & 0xff) r |= 0xffull << i;
    return r;
}

static struct sc integer_op(const struct insn *in, struct sc a, struct sc b, unsigned bits)
{
    const uint64_t all = ones(bits);
    const bool clean = !a.u && !b.u;
    struct sc r = {0};
    switch (in->op) {
    case LLVMAdd: r = (struct sc){.v = a.v + b.v, .u = upwards(a.u | b.u)}; break;
    case LLVMSub: r = (struct sc){.v = a.v - b.v, .u = upwards(a.u | b.u)}; break;
    case LLVMMul:
        r = (struct sc){.v = a.v * b.v, .u = upwards(a.u | b.u)};
        if ((!a.u && !a.v) || (!b.u && !b.v)) r.u = 0;
        else if (!b.u) r.u = upwards(a.u) << __builtin_ctzll(b.v);
        else if (!a.u) r.u = upwards(b.u) << __builtin_ctzll(a.v);
        break;
    case LLVMAnd:
        r = (struct sc){.v = a.v & b.v, .u = (a.u & b.u) | (a.u & b.v) | (b.u & a.v)};
        break;
    case LLVMOr:
        r = (struct sc){.v = a.v | b.v, .u = (a.u & b.u) | (a.u & ~b.v) | (b.u & ~a.v)};
        break;
    case LLVMXor: r = (struct sc){.v = a.v ^ b.v, .u = a.u | b.u}; break;
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr: {
        const uint64_t s = b.v % bits;
        if (in->op == LLVMShl) r = (struct sc){.v = a.v << s, .u = a.u << s};
        else if (in->op == LLVMLShr) r = (struct sc){.v = a.v >> s, .u = a.u >> s};
        else
            r = (struct sc){.v = (uint64_t)(sign(a.v, bits) >> s),
                            .u = (uint64_t)(sign(a.u, bits) >> s)};
        if (b.u) r.u = all;
        break;
    }
    case LLVMUDiv:
    case LLVMURem:
    case LLVMSDiv:
    case LLVMSRem: {
        const bool s = in->op == LLVMSDiv || in->op == LLVMSRem,
                   rem = in->op == LLVMURem || in->op == LLVMSRem;
        const int64_t x = sign(a.v, bits), y = sign(b.v, bits);
        const bool overflow = s && a.v == 1ull << (bits - 1) && y == -1;
        if (!b.v || overflow) {
            finding("division-by-zero", in, NULL, "warning");
            r.v = overflow && !rem ? a.v : 0;
        } else if (s) r.v = (uint64_t)(rem ? x % y : x / y);
        else r.v = rem ? a.v % b.v : a.v / b.v;
        if (!clean) r.u = all;
        break;
    }
    default: give_up("operation %d", in->op);
    }
    if (L.by_bytes) r.u = whole_bytes(r.u);
    if (L.by_bytes && in->op == LLVMMul && !clean) r.u = all;
    r.v &= all;
    r.u &= all;
    return origin(r, &a, &b);
}

static struct sc float_op(const struct insn *in, struct sc a, struct sc b, unsigned bits)
{
    const double x = as_double(a.v, bits), y = as_double(b.v, bits);
    double d;
    switch (in->op) {
    case LLVMFAdd: d = x + y; break;
    case LLVMFSub: d = x - y; break;
    case LLVMFMul: d = x * y; break;
    case LLVMFDiv: d = x / y; break;
    case LLVMFRem: d = fmod(x, y); break;
    default: give_up("operation %d", in->op);
    }
    return origin((struct sc){.v = from_double(d, bits), .u = a.u | b.u ? ones(bits) : 0}, &a, &b);
}

static struct sc icmp(int pred, struct sc a, struct sc b, unsigned bits)
{
    const bool s = pred >= LLVMIntSGT;
    if (s) { // moved, so that the order is that of unsigned numbers
        const uint64_t top = 1ull << (bits - 1);
        a.v ^= top;
        b.v ^= top;
    }
    bool known = true, yes;
    const uint64_t alo = a.v & ~a.u, ahi = a.v | a.u, blo = b.v & ~b.u, bhi = b.v | b.u;
    switch (pred) {
    case LLVMIntEQ:
    case LLVMIntNE:
        yes = (a.v == b.v) == (pred == LLVMIntEQ);
        known = !(a.u | b.u);
        if ((a.v ^ b.v) & ~(a.u | b.u)) known = true, yes = pred == LLVMIntNE;
        break;
    case LLVMIntUGT:
    case LLVMIntSGT: yes = a.v > b.v, known = alo > bhi || ahi <= blo; break;
    case LLVMIntUGE:
    case LLVMIntSGE: yes = a.v >= b.v, known = alo >= bhi || ahi < blo; break;
    case LLVMIntULT:
    case LLVMIntSLT: yes = a.v < b.v, known = ahi < blo || alo >= bhi; break;
    default: yes = a.v <= b.v, known = ahi <= blo || alo > bhi; break;
    }
    if (L.by_bytes && (a.u || b.u)) known = false;
    return origin((struct sc){.v = yes, .u = !known}, &a, &b);
}

static struct sc fcmp(int pred, struct sc a, struct sc b, unsigned bits)
{
    const double x = as_double(a.v, bits), y = as_double(b.v, bits);
    const bool nan = isnan(x) || isnan(y);
    bool yes = false;
    if (pred == LLVMRealORD) yes = !nan;
    else if (pred == LLVMRealUNO) yes = nan;
    else if (pred == LLVMRealPredicateTrue) yes = true;
    else if (nan) yes = pred >= LLVMRealUNO;
    else switch (pred & 7) { // the bits: less, greater, equal
        case 1: yes = x == y; break;
        case 2: yes = x > y; break;
        case 3: yes = x >= y; break;
        case 4: yes = x < y; break;
        case 5: yes = x <= y; break;
        case 6: yes = x != y; break;
        default: break;
        }
    return origin((struct sc){.v = yes, .u = a.u || b.u}, &a, &b);
}

static struct sc convert(const struct insn *in, struct sc a, const struct cell *from,
                         const struct cell *to)
{
    struct sc r = a;
    const uint64_t all = ones(to->bits);
    switch (in->op) {
    case LLVMTrunc:
    case LLVMZExt:
    case LLVMPtrToInt:
    case LLVMIntToPtr:
    case LLVMAddrSpaceCast: break;
    case LLVMSExt:
        r.v = (uint64_t)sign(a.v, from->bits), r.u = (uint64_t)sign(a.u, from->bits);
        break;
    case LLVMFPTrunc:
    case LLVMFPExt: r.v = from_double(as_double(a.v, from->bits), to->bits); break;
    case LLVMSIToFP:
        r.v = to->bits == 32 ? from_double((double)(float)sign(a.v, from->bits), 32)
                             : from_double((double)sign(a.v, from->bits), to->bits);
        break;
    case LLVMUIToFP:
        r.v = to->bits == 32 ? from_double((double)(float)a.v, 32)
                             : from_double((double)a.v, to->bits);
        break;
    case LLVMFPToSI:
    case LLVMFPToUI: {
        const bool s = in->op == LLVMFPToSI;
        const double d = trunc(as_double(a.v, from->bits)), lo = s ? -ldexp(1, to->bits - 1) : 0,
                     hi = ldexp(1, to->bits - s);
        const bool fits = d >= lo && d < hi;
        if (!fits && !a.u) finding("invalid-conversion", in, NULL, "warning");
        r.v = !fits ? (isnan(d) ? 0
                       : d < lo ? (uint64_t)(int64_t)lo
                                : ones(to->bits - s))
              : s   ? (uint64_t)(int64_t)d
                    : (uint64_t)d;
        break;
    }
    default: give_up("conversion %d", in->op);
    }
    if (in->op >= LLVMFPToUI && in->op <= LLVMFPExt && a.u) r.u = all;
    r.v &= all;
    r.u &= all;
    return r;
}

static void bitcast(const struct insn *in, const struct sc *a, struct sc *out)
{
    unsigned at = 0;
    for (unsigned i = 0; i < in->type->n; i++) {
        out[i] = (struct sc){0};
        for (unsigned b = 0; b < in->type->cells[i].bits; b++, at++) {
            const unsigned w = in->from->cells[0].bits;
            const struct sc *s = &a[at / w];
            out[i].v |= (s->v >> (at % w) & 1) << b;
            out[i].u |= (s->u >> (at % w) & 1) << b;
            if (s->u) out[i].path = s->path;
        }
    }
}

// ---- frames

static void push(struct item *w, struct function *fn, const struct insn *call)
{
    if (w->nframes >= MAX_CALLS) give_up("deep recursion");
    w->frames = realloc(w->frames, (w->nframes + 1) * sizeof *w->frames);
    struct frame *f = &w->frames[w->nframes++];
    *f = (struct frame){.fn = fn, .block = fn->blocks, .call = call};
    f->regs = calloc(fn->nregs + 1, sizeof *f->regs);
    f->turns = calloc(fn->nblocks, sizeof *f->turns);
    for (unsigned i = 0; i < fn->nnumbers; i++)
        f->regs[fn->numbers[i].reg].v = published(w, fn->numbers[i].address);
}

/** A variable of the work-item, in its last frame. */
static struct object *own(struct item *w, const char *name, uint64_t size, bool defined)
{
    struct frame *f = &w->frames[w->nframes - 1];
    struct object *o = object_new(name, PRIVATE, size, defined);
    o->owner = w->number;
    f->objects = realloc(f->objects, (f->nobjects + 1) * sizeof *f->objects);
    f->objects[f->nobjects++] = o->id;
    return o;
}

static void pop(struct item *w)
{
    struct frame *f = &w->frames[--w->nframes];
    for (unsigned i = 0; i < f->nobjects; i++) {
        int64_t off;
        object_free(object_at(w, ((uint64_t)f->objects[i] << 40) + (1ull << 39), &off));
    }
    free(f->regs);
    free(f->turns);
    free(f->objects);
    if (!w->nframes) w->state = DONE;
}

void walk_start(struct item *w)
{
    push(w, L.kernel, NULL);
    struct frame *f = w->frames;
    for (unsigned i = 0; i < L.kernel->nargs; i++) {
        const unsigned reg = L.kernel->arg_reg[i];
        if (!L.kernel->arg_byval[i]) {
            memcpy(f->regs + reg, L.args + reg, L.kernel->arg_type[i]->n * sizeof *f->regs);
            continue;
        }
        int64_t off;
        struct object *given = object_at(w, L.args[reg].v, &off),
                      *o = own(w, L.kernel->arg_name[i], given->size, true);
        memcpy(o->bytes, given->bytes, given->size);
        f->regs[reg] = (struct sc){.v = object_address(o)};
    }
}

static void enter(struct frame *f, struct block *to)
{
    f->from = f->block;
    f->block = to;
    f->pc = to->first;
    const bool *in = f->fn->in_loop[to->number];
    if (in) f->turns[to->number] = in[f->from->number] ? f->turns[to->number] + 1 : 0;
    // all phis at once
    struct sc now[256];
    unsigned n = 0, pc = f->pc;
    for (; f->fn->code[pc].op == LLVMPHI; pc++) {
        const struct insn *phi = &f->fn->code[pc];
        unsigned k = 0;
        while (phi->to[k] != f->from) k++;
        if (n + phi->type->n > 256) give_up("many phis");
        memcpy(now + n, get(f, &phi->ops[k]), phi->type->n * sizeof *now);
        n += phi->type->n;
    }
    n = 0;
    for (pc = f->pc; f->fn->code[pc].op == LLVMPHI; pc++) {
        const struct insn *phi = &f->fn->code[pc];
        memcpy(f->regs + phi->dst, now + n, phi->type->n * sizeof *now);
        n += phi->type->n;
    }
    f->pc = pc;
}

static bool is_collective(const struct insn *in)
{
    static const char *const names[] = {"barrier", "work_group_barrier", "wait_group_events",
                                        "async_work_group_copy", "async_work_group_strided_copy"};
    for (size_t i = 0; in->builtin && i < sizeof names / sizeof *names; i++)
        if (!strcmp(in->builtin, names[i])) return true;
    return in->builtin &&
           (!strncmp(in->builtin, "work_group_", 11) || sub_group_all(in) || sub_group_some(in));
}

/** Of what work-items of a work-group or sub-group have: computed of all their values. */
static bool is_of_values(const struct insn *in)
{
    return !strstr(in->builtin, "barrier") &&
           (sub_group_all(in) || !strncmp(in->builtin, "work_group_", 11));
}

static void wait_events(struct item *w, const struct insn *in, uint64_t n, struct sc p)
{
    struct type *t = code_type(LLVMInt64TypeInContext(LLVMGetModuleContext(L.module)));
    const uint64_t before = w->waited;
    for (uint64_t i = 0; i < n && i < 64; i++, p.v += 8) {
        struct sc e;
        int64_t off;
        const struct object *o = object_at(w, p.v, &off);
        const bool is_inside = o && !o->freed && off >= 0 && (uint64_t)off + 8 <= o->size;
        bool any = !is_inside || w->group->events_differ || L.parted;
        load(w, in, p, t, 1, 8, GENERIC + 1, &e);
        for (uint32_t k = 0; k < w->ncopies; k++)
            any |= w->group->copies[k].event == e.v && !(before >> k & 1);
        if (!any) finding("invalid-event", in, NULL, "error");
        for (uint32_t k = 0; k < w->ncopies; k++) {
            const struct copy *c = &w->group->copies[k];
            if (c->event != e.v || w->waited >> k & 1) continue;
            copy_waited(w, c);
            w->waited |= 1ull << k;
            w->group->waited |= 1ull << k;
        }
    }
}

unsigned walk_collective_args(const struct item *w, uint64_t *out)
{
    const struct frame *f = &w->frames[w->nframes - 1];
    const struct insn *in = &f->fn->code[f->pc];
    if (is_of_values(in)) { // the value is each work-item's own; the ids of a broadcast are not
        for (unsigned i = 1; i < in->nops; i++) out[i] = get(f, &in->ops[i])->v;
        out[0] = 0;
        return in->nops;
    }
    for (unsigned i = 0; i < in->nops; i++) out[i] = get(f, &in->ops[i])->v;
    if (strcmp(in->builtin, "wait_group_events")) return in->nops;
    const uint64_t n = out[0];
    uint64_t p = out[1];
    unsigned k = 1;
    for (uint64_t i = 0; i < n && i < 60; i++, p += 8) { // the events, not their addresses
        int64_t off;
        const struct object *o = object_at(w, p, &off);
        const uint64_t event = o && !o->freed && off >= 0 && (uint64_t)off + 8 <= o->size
                                   ? object_get(o, (uint64_t)off, 8).v
                                   : 0;
        unsigned at = k++; // in whatever order
        for (; at > 1 && out[at - 1] > event; at--) out[at] = out[at - 1];
        out[at] = event;
    }
    return k;
}

/**
 * A function of the work-group or sub-group: what it gives work-item w, of the values of all in
 * there.
 */
static void of_group(struct item *w, const struct insn *in, struct sc *out)
{
    struct group *g = w->group;
    const uint32_t self = (uint32_t)(w - g->items),
                   first = sub_group_all(in) ? self / L.sub_group * L.sub_group : 0;
    const uint32_t n = sub_group_all(in) && g->nitems - first > L.sub_group ? L.sub_group
                                                                            : g->nitems - first;
    struct sc *values = calloc(n, sizeof *values);
    uint64_t at[3] = {0};
    for (unsigned i = 1; i < in->nops; i++)
        at[i - 1] = get(&w->frames[w->nframes - 1], &in->ops[i])->v;
    for (uint32_t i = 0; i < n; i++) {
        const struct item *x = &g->items[first + i];
        const struct frame *f = x->nframes ? &x->frames[x->nframes - 1] : NULL;
        if (f && &f->fn->code[f->pc] == in) values[i] = *get(f, &in->ops[0]);
        else if (f && f->pc && &f->fn->code[f->pc - 1] == in)
            values[i] = *get(f, &in->ops[0]); // it was here, and goes on
    }
    for (unsigned i = 0; in->nops > 2 && i < in->nops - 1; i++)
        if (at[i] >= g->size[i]) at[2] = UINT32_MAX; // outside, whatever the others make of it
    call_of_group(in, values, n, self - first,
                  at[0] + (uint64_t)g->size[0] * (at[1] + (uint64_t)g->size[1] * at[2]), out);
    free(values);
}

struct insn *walk_here(const struct item *w)
{
    const struct frame *f = &w->frames[w->nframes - 1];
    return &f->fn->code[f->pc];
}

void walk_goes_on(struct item *w, const struct sc *result)
{
    struct frame *f = &w->frames[w->nframes - 1];
    const struct insn *in = &f->fn->code[f->pc++];
    memcpy(f->regs + in->dst, result, in->type->n * sizeof *result);
    w->state = READY;
}

void walk_met(struct item *w)
{
    struct frame *f = &w->frames[w->nframes - 1];
    struct insn *in = &f->fn->code[f->pc];
    struct sc *args[64] = {0};
    for (unsigned i = 0; i < in->nops; i++) args[i] = get(f, &in->ops[i]);
    if (!strcmp(in->builtin, "wait_group_events")) wait_events(w, in, args[0]->v, *args[1]);
    else if (is_of_values(in)) of_group(w, in, f->regs + in->dst);
    else if (!strstr(in->builtin, "barrier")) call_builtin(w, in, args, f->regs + in->dst);
    f->pc++;
    w->state = READY;
}

/** What is returned into memory has no value before. */
static void forget(struct item *w, struct sc p, uint64_t n, const char *name)
{
    int64_t off;
    struct object *o = object_at(w, p.v, &off);
    for (uint64_t i = 0; i < n; i++)
        object_put(o, (uint64_t)off + i, 1, (struct sc){.u = 0xff, .path = path_through(0, name)});
}

static void call(struct item *w, struct insn *in)
{
    struct frame *f = &w->frames[w->nframes - 1];
    struct sc *args[64] = {0}, zero = {0};
    if (in->nops > 60) give_up("many arguments");
    for (unsigned i = 0; i < in->nops; i++) args[i] = get(f, &in->ops[i]);
    if (is_collective(in)) {
        w->state = WAITING;
        return;
    }
    f->pc++;
    if (!in->callee) {
        call_builtin(w, in, in->nops ? args : (struct sc *[]){&zero}, f->regs + in->dst);
        return;
    }
    push(w, in->callee, in);
    f = &w->frames[w->nframes - 2];
    struct frame *g = f + 1;
    for (unsigned i = 0; i < in->nops; i++) {
        struct sc *to = g->regs + in->callee->arg_reg[i];
        const struct sc *from = get(f, &in->ops[i]);
        memcpy(to, from, in->ops[i].n * sizeof *to);
        if (in->callee->arg_sret[i])
            forget(w, *from, in->callee->arg_sret[i]->size, in->callee->returned);
        if (!in->byval[i]) continue;
        struct object *o = own(w, in->callee->arg_name[i], in->byval[i]->size, false);
        struct sc mine = {.v = object_address(o)};
        copy_bytes(w, in, mine, *from, in->byval[i]->size);
        *to = mine;
    }
}

static void address(const struct frame *f, const struct insn *in, struct sc *out)
{
    struct sc p = *get(f, &in->ops[0]);
    __int128 by = in->offset;
    for (unsigned i = 0; i < in->nsteps; i++) {
        const struct sc *x = get(f, &in->steps[i].index);
        by += (__int128)sign(x->v, in->steps[i].bits) * in->steps[i].scale;
        if (x->u && !p.u) p.path = x->path;
        if (x->u) p.u = ~0ull;
    }
    p.v += (uint64_t)by;
    // the distance to another object, or once round all addresses, is not a way into it
    const struct sc base = *get(f, &in->ops[0]);
    if (base.v >> 40 && (base.v >> 40 != p.v >> 40 || by != (int64_t)by))
        p.v = (base.v >> 40 << 40) + (1ull << 40) - (1 << 20);
    *out = p;
}

static void one(struct item *w)
{
    struct frame *f = &w->frames[w->nframes - 1];
    struct insn *in = &f->fn->code[f->pc];
    struct sc *out = f->regs + in->dst, *a = in->nops ? get(f, &in->ops[0]) : NULL,
              *b = in->nops > 1 ? get(f, &in->ops[1]) : NULL;
    w->steps++;
    if (in->op != LLVMCall) f->pc++;
    switch (in->op) {
    case LLVMAlloca:
        *out = (struct sc){.v = object_address(own(w, in->name, in->alloca_size, false))};
        return;
    case LLVMLoad: load(w, in, *a, in->type, in->mask, in->align, in->space, out); return;
    case LLVMStore: {
        uint64_t mask = in->mask;
        if (in->at) mask = 1ull << (get(f, in->at)->v % in->from->n);
        store(w, in, *b, in->from, mask, in->align, in->space, a);
        return;
    }
    case LLVMGetElementPtr: address(f, in, out); return;
    case LLVMCall: call(w, in); return;
    case LLVMRet:
        if (w->nframes > 1) {
            struct frame *up = f - 1;
            if (in->nops) memcpy(up->regs + f->call->dst, a, in->ops[0].n * sizeof *a);
        }
        pop(w);
        return;
    case LLVMBr:
        if (a && a->u) undefined(w, in, *a, "branch");
        enter(f, in->to[a && !(a->v & 1)]);
        return;
    case LLVMSwitch: {
        if (a->u) undefined(w, in, *a, "branch");
        unsigned to = 0;
        for (unsigned i = 1; i < in->nshuffle; i++)
            if (in->cases[i] == a->v) to = i;
        enter(f, in->to[to]);
        return;
    }
    case LLVMUnreachable:
        finding("unreachable", in, NULL, "error");
        pop(w);
        return;
    case LLVMICmp:
        for (unsigned i = 0; i < in->type->n; i++)
            out[i] = icmp(in->pred, a[i], b[i], in->from->cells[i].bits);
        return;
    case LLVMFCmp:
        for (unsigned i = 0; i < in->type->n; i++)
            out[i] = fcmp(in->pred, a[i], b[i], in->from->cells[i].bits);
        return;
    case LLVMSelect: {
        const struct sc *c = get(f, &in->ops[2]);
        for (unsigned i = 0; i < in->type->n; i++) {
            const struct sc k = a[in->ops[0].n == 1 ? 0 : i];
            struct sc r = k.v & 1 ? b[i] : c[i];
            if (k.u && (b[i].v != c[i].v || b[i].u || c[i].u))
                r.u = ones(in->type->cells[i].bits), r.path = k.path;
            out[i] = r;
        }
        return;
    }
    case LLVMExtractElement:
        if (!b->u && b->v >= in->ops[0].n) {
            finding("out-of-bounds", in, NULL, "error");
            *out = (struct sc){0};
        } else if (in->lazy) {
            struct sc all[MAX_SCALARS];
            const uint64_t k = b->v % in->lazy->type->n;
            if (b->u) undefined(w, in, *b, "address");
            load(w, in->lazy, *get(f, &in->lazy->ops[0]), in->lazy->type, 1ull << k,
                 in->lazy->align, in->lazy->space, all);
            *out = all[k];
        } else {
            *out = a[b->v % in->ops[0].n];
            if (b->u) out->u = ones(in->type->cells[0].bits), out->path = b->path;
        }
        return;
    case LLVMInsertElement: {
        const struct sc *k = get(f, &in->ops[2]);
        struct sc r[MAX_SCALARS];
        memcpy(r, a, in->type->n * sizeof *r);
        if (k->v < in->type->n) r[k->v] = *b;
        else if (!k->u) finding("out-of-bounds", in, NULL, "error");
        if (k->u)
            for (unsigned i = 0; i < in->type->n; i++)
                r[i].u = ones(in->type->cells[i].bits), r[i].path = k->path;
        memcpy(out, r, in->type->n * sizeof *r);
        return;
    }
    case LLVMShuffleVector: {
        struct sc r[MAX_SCALARS];
        const unsigned n = in->from->n;
        for (unsigned i = 0; i < in->nshuffle; i++) {
            const int m = in->shuffle[i];
            r[i] = m < 0             ? (struct sc){.u = ones(in->type->cells[i].bits)}
                   : (unsigned)m < n ? a[m]
                                     : b[(unsigned)m - n];
        }
        memcpy(out, r, in->nshuffle * sizeof *r);
        return;
    }
    case LLVMFNeg:
        for (unsigned i = 0; i < in->type->n; i++)
            out[i] = a[i], out[i].v ^= 1ull << (in->type->cells[i].bits - 1);
        return;
    case LLVMBitCast: {
        struct sc r[MAX_SCALARS];
        bitcast(in, a, r);
        memcpy(out, r, in->type->n * sizeof *r);
        return;
    }
    case LLVMFreeze: memcpy(out, a, in->type->n * sizeof *a); return;
    case LLVMFAdd:
    case LLVMFSub:
    case LLVMFMul:
    case LLVMFDiv:
    case LLVMFRem:
        for (unsigned i = 0; i < in->type->n; i++)
            out[i] = float_op(in, a[i], b[i], in->type->cells[i].bits);
        return;
    default: break;
    }
    if ((in->op >= LLVMTrunc && in->op <= LLVMIntToPtr) || in->op == LLVMAddrSpaceCast)
        for (unsigned i = 0; i < in->type->n; i++) {
            out[i] = convert(in, a[i], &in->from->cells[i], &in->type->cells[i]);
            if (in->op == LLVMPtrToInt) out[i].v = published(w, out[i].v);
            if (in->op == LLVMIntToPtr) out[i].v = received(w, out[i].v);
        }
    else
        for (unsigned i = 0; i < in->type->n; i++)
            out[i] = integer_op(in, a[i], b[i], in->type->cells[i].bits);
}

void walk(struct item *w, uint64_t steps)
{
    for (uint64_t i = 0; i < steps && w->state == READY; i++) {
        one(w);
        if (++L.steps > L.limit)
            give_up("more than %llu instructions", (unsigned long long)L.limit);
    }
}
