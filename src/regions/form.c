// SPDX-License-Identifier: MIT
#include "regions/form.h"

#include "llvm/ir.h"

#include <string.h>

struct builder {
    const struct rg_fn *f;
    unsigned flags;
    struct arena *a;
    VEC(struct rg_bar) bars;
    int *at_end, *at_start; // by block: the barrier there, or -1
};

static int add(struct builder *s, enum rg_mark mark, unsigned block)
{
    vec_push(&s->bars, (struct rg_bar){.mark = mark, .block = block});
    return (int)s->bars.len - 1;
}

static bool has_inner(const struct rg_fn *f, const struct rg_loop *l)
{
    for (unsigned k = 0; k < f->nloops; k++)
        if (f->loops[k].parent == (int)(l - f->loops)) return true;
    return false;
}

// Is the loop a b-loop? Horizontal: also an innermost loop that all work-items enter together and
// run equally often, on one path.
bool rg_is_b_loop(const struct rg_fn *f, const struct rg_loop *l, unsigned flags)
{
    if (l->has_barrier) return true;
    if (!(flags & RG_HORIZONTAL) || l->divergent || f->may_part || has_inner(f, l) ||
        f->varying_control[l->header])
        return false;
    for (unsigned b = l->header; b <= l->last; b++)
        if (f->divergent_branch[b]) return false;
    return true;
}

static void place(struct builder *s)
{
    const struct rg_fn *f = s->f;
    add(s, RG_ENTRY, 0);
    for (unsigned b = 0; b < f->nblocks; b++) {
        s->at_end[b] = s->at_start[b] = -1;
        if (f->blocks[b].end == RG_BARRIER) s->at_end[b] = add(s, RG_SOURCE, b);
    }
    for (unsigned l = 0; l < f->nloops; l++) {
        const struct rg_loop *L = &f->loops[l];
        if (!rg_is_b_loop(f, L, s->flags)) continue;
        size_t first = s->bars.len;
        s->at_start[L->header] = add(s, RG_LOOP_HEADER, L->header);
        for (unsigned k = 0; k < f->blocks[L->header].npred; k++) {
            unsigned p = f->blocks[L->header].pred[k];
            if (s->at_end[p] >= 0) continue; // a barrier of the source is already there
            s->at_end[p] = add(s, rg_in_loop(L, p) ? RG_LOOP_LATCH : RG_LOOP_ENTRY, p);
        }
        for (size_t k = first; k < s->bars.len; k++) s->bars.data[k].horizontal = !L->has_barrier;
    }
    add(s, RG_EXIT, 0);
}

static void judge(struct builder *s)
{
    const struct rg_fn *f = s->f;
    for (size_t i = 0; i < s->bars.len; i++) {
        struct rg_bar *b = &s->bars.data[i];
        if (b->mark == RG_ENTRY || b->mark == RG_EXIT) {
            b->unconditional = true;
            continue;
        }
        b->varying = f->varying_control[b->block];
        b->unconditional = !b->varying;
        for (unsigned x = 0; x < f->nblocks; x++)
            if (f->blocks[x].end == RG_RETURN && !rg_dominates(f, b->block, x))
                b->unconditional = false;
    }
}

// Algorithm 1: the blocks reachable from the barrier without passing another one.
static void region(struct builder *s, unsigned from, struct rg_region *r)
{
    const struct rg_fn *f = s->f;
    const struct rg_bar *bar = &s->bars.data[from];
    bool *in = mem_alloc(f->nblocks), *out = mem_alloc(s->bars.len);
    VEC(unsigned) work = {0};
    r->from = from;
    if (bar->mark == RG_ENTRY) vec_push(&work, 0);
    else if (bar->mark == RG_LOOP_HEADER) vec_push(&work, bar->block);
    else if (bar->mark != RG_EXIT)
        for (unsigned k = 0; k < f->blocks[bar->block].nsucc; k++)
            vec_push(&work, f->blocks[bar->block].succ[k]);
    bool own_header = bar->mark == RG_LOOP_HEADER;
    while (work.len) {
        unsigned b = vec_pop(&work);
        if (s->at_start[b] >= 0 && !(own_header && b == bar->block && !in[b])) {
            if (!in[b]) out[s->at_start[b]] = true;
            continue;
        }
        if (in[b]) continue;
        in[b] = true;
        if (s->at_end[b] >= 0) out[s->at_end[b]] = true;
        else if (f->blocks[b].nsucc == 0) out[s->bars.len - 1] = true;
        else
            for (unsigned k = 0; k < f->blocks[b].nsucc; k++) vec_push(&work, f->blocks[b].succ[k]);
    }
    r->blocks = arena_array(s->a, unsigned, f->nblocks);
    r->to = arena_array(s->a, unsigned, s->bars.len);
    for (unsigned b = 0; b < f->nblocks; b++)
        if (in[b]) r->blocks[r->nblocks++] = b;
    for (unsigned b = 0; b < s->bars.len; b++)
        if (out[b]) r->to[r->nto++] = b;
    free(in);
    free(out);
    vec_free(&work);
}

static void judge_form(struct rg_workgroup *w, struct arena *a)
{
    unsigned *copies = mem_alloc((w->fn->nblocks + 1) * sizeof *copies);
    w->is_regions = !w->fn->irreducible;
    if (w->fn->irreducible) w->why_not = arena_strdup(a, rg_split_why_not(w->fn->fn));
    for (unsigned r = 0; r < w->nregions; r++) {
        w->regions[r].peeled = w->regions[r].nto > 1;
        for (unsigned k = 0; k < w->regions[r].nblocks; k++)
            w->duplicated += copies[w->regions[r].blocks[k]]++ > 0;
    }
    for (unsigned b = 0; b < w->nbars && w->is_regions; b++)
        if (w->bars[b].varying && w->bars[b].mark == RG_SOURCE) {
            w->is_regions = false;
            w->why_not = arena_printf(a, "barrier B%u is reached under control that varies", b);
        }
    free(copies);
}

// A value crosses if some block that uses it shares no region with the defining block.
bool rg_crosses(const struct rg_workgroup *w, unsigned def, unsigned use)
{
    for (unsigned r = 0; r < w->nregions; r++) {
        bool has_def = false, has_use = false;
        for (unsigned k = 0; k < w->regions[r].nblocks; k++) {
            has_def |= w->regions[r].blocks[k] == def;
            has_use |= w->regions[r].blocks[k] == use;
        }
        if (has_use && !has_def) return true;
    }
    return false;
}

/** Is the value, defined in b, used in a block of another region? */
static bool is_used_beyond(const struct rg_workgroup *w, LLVMValueRef i, unsigned b)
{
    if (LLVMGetInstructionOpcode(i) == LLVMAlloca) return false;
    for (LLVMUseRef u = LLVMGetFirstUse(i); u; u = LLVMGetNextUse(u)) {
        const int user = rg_block_of(w->fn, LLVMGetUser(u));
        if (user >= 0 && rg_crosses(w, b, (unsigned)user)) return true;
    }
    return false;
}

static void find_carried(struct rg_workgroup *w, struct arena *a)
{
    const struct rg_fn *f = w->fn;
    VEC(struct rg_carried) out = {0};
    VEC(unsigned) *defs = mem_alloc((f->nwebs + 1) * sizeof *defs);
    bool *is_carried = mem_alloc(f->nwebs + 1);
    for (unsigned b = 0; b < f->nblocks; b++)
        for (LLVMValueRef i = f->blocks[b].first; i && i != f->blocks[b].stop;
             i = LLVMGetNextInstruction(i))
            if (rg_web_of(f, i) >= 0 && LLVMGetInstructionOpcode(i) == LLVMStore)
                vec_push(&defs[rg_web_of(f, i)], b);
    for (unsigned b = 0; b < f->nblocks; b++)
        for (LLVMValueRef i = f->blocks[b].first; i && i != f->blocks[b].stop;
             i = LLVMGetNextInstruction(i)) {
            int web = rg_web_of(f, i);
            if (web >= 0 && LLVMGetInstructionOpcode(i) == LLVMLoad) {
                bool crosses = false;
                for (size_t k = 0; k < defs[web].len && !is_carried[web] && !crosses; k++)
                    crosses = rg_crosses(w, defs[web].data[k], b);
                if (crosses)
                    vec_push(&out,
                             (struct rg_carried){.web = web, .uniform = !f->webs[web].divergent});
                is_carried[web] |= crosses;
                continue;
            }
            if (is_used_beyond(w, i, b))
                vec_push(&out, (struct rg_carried){
                                   .web = -1, .value = i, .uniform = !rg_is_divergent(f, i)});
        }
    for (size_t k = 0; k < out.len; k++) {
        struct rg_carried *c = &out.data[k];
        LLVMTypeRef t = c->web >= 0 ? f->vars[f->webs[c->web].variable].type : LLVMTypeOf(c->value);
        const uint64_t align = l_align(LLVMGetGlobalParent(f->fn), t);
        uint64_t *end = c->uniform ? &w->group_bytes : &w->item_bytes;
        c->size = l_size(LLVMGetGlobalParent(f->fn), t);
        c->offset = (*end + align - 1) / align * align;
        *end = c->offset + c->size;
    }
    w->ncarried = (unsigned)out.len;
    w->carried = arena_dup(a, out.data, out.len * sizeof *out.data);
    vec_free(&out);
    for (unsigned k = 0; k < f->nwebs; k++) vec_free(&defs[k]);
    free(defs);
    free(is_carried);
}

static void add_local(LLVMValueRef v, unsigned depth, struct map *seen, LLVMValueRef *list,
                      unsigned *n)
{
    enum { DEEPEST = 16 }; // nesting of constant expressions
    if (LLVMIsAGlobalVariable(v)) {
        bool is_new;
        map_put_ptr(seen, v, &is_new);
        if (!is_new || LLVMGetPointerAddressSpace(LLVMTypeOf(v)) != 3) return;
        if (list) list[*n] = v;
        ++*n;
    } else if (LLVMIsAConstantExpr(v) && depth < DEEPEST) {
        for (int k = 0; k < LLVMGetNumOperands(v); k++)
            add_local(LLVMGetOperand(v, (unsigned)k), depth + 1, seen, list, n);
    }
}

static void find_locals(struct rg_workgroup *w, struct arena *a)
{
    for (int fill = 0; fill < 2; fill++) {
        struct map seen = {0};
        if (fill) w->locals = arena_array(a, LLVMValueRef, w->nlocals);
        w->nlocals = 0;
        l_each_block(w->fn->fn, b)
            l_each_insn(b, i)
                for (int k = 0; k < LLVMGetNumOperands(i); k++)
                    add_local(LLVMGetOperand(i, (unsigned)k), 0, &seen, w->locals, &w->nlocals);
        map_deinit(&seen);
    }
}

void rg_form(const struct rg_fn *f, unsigned flags, struct arena *a, struct rg_workgroup *out)
{
    struct builder s = {.f = f,
                        .flags = flags,
                        .a = a,
                        .at_end = arena_array(a, int, f->nblocks),
                        .at_start = arena_array(a, int, f->nblocks)};
    *out = (struct rg_workgroup){.fn = f, .flags = flags};
    place(&s);
    judge(&s);
    out->nbars = out->nregions = (unsigned)s.bars.len;
    out->bars = arena_dup(a, s.bars.data, s.bars.len * sizeof *s.bars.data);
    out->regions = arena_array(a, struct rg_region, out->nregions);
    for (unsigned r = 0; r < out->nregions; r++) region(&s, r, &out->regions[r]);
    vec_free(&s.bars);
    judge_form(out, a);
    find_carried(out, a);
    find_locals(out, a);
}
