// SPDX-License-Identifier: MIT
// `cldbg lint`: barriers that not all work-items of a group may reach, found without running
// anything.
#include "base/err.h"
#include "cc/pipeline.h"
#include "frontend/debug_metadata.h"
#include "llvm/ir.h"
#include "regions/regions.h"
#include "report/finding.h"

#include <string.h>

struct lint {
    struct fe_debug *d;
    struct rep_session *rep;
    struct arena a; // of one finding
    unsigned found;
};

static struct rep_place place_of(struct lint *l, uint32_t loc)
{
    uint32_t n;
    const struct fe_loc *at = &fe_debug_locs(l->d, &n)[loc];
    if (!loc) return (struct rep_place){0};
    const struct fe_file *f = &fe_debug_files(l->d, &n)[at->file];
    struct rep_place p = {.file = f->name,
                          .path = f->path,
                          .text = f->text,
                          .text_first_line = f->first_line ? f->first_line : 1,
                          .line = at->line,
                          .col = at->col,
                          .fn = at->function};
    if (at->inlined_at) {
        struct rep_place *outer = arena_new(&l->a, struct rep_place);
        *outer = place_of(l, at->inlined_at);
        p.called_from = outer;
    }
    return p;
}

static const char *at_text(struct lint *l, LLVMValueRef insn)
{
    const struct rep_place p =
        place_of(l, LLVMIsAInstruction(insn) ? fe_debug_insn(l->d, insn) : 0);
    return p.file && p.line ? arena_printf(&l->a, " at %s:%u:%u", p.file, p.line, p.col) : "";
}

// The condition of a block's branch.
static LLVMValueRef condition_of(struct lint *l, const struct rg_fn *f, unsigned block)
{
    LLVMValueRef stop = f->blocks[block].stop, cond = LLVMGetOperand(stop, 0);
    return LLVMIsASwitchInst(stop) || !LLVMIsAInstruction(cond) ||
                   !place_of(l, fe_debug_insn(l->d, cond)).line
               ? stop
               : cond;
}

static const char *link_text(struct lint *l, const struct rg_fn *f, const struct rg_link *k,
                             bool first)
{
    const char *at = at_text(l, k->at);
    struct fe_variable v;
    char name[64];
    switch (k->kind) {
    case RG_LINK_ASSIGNED:
        return arena_printf(
            &l->a, "variable '%s' assigned%s",
            fe_debug_variable(l->d, k->variable, &v) && v.name ? v.name : "(unnamed)", at);
    case RG_LINK_BRANCH:
        at = at_text(l, condition_of(l, f, (unsigned)rg_block_of(f, k->at)));
        if (k->variable && fe_debug_variable(l->d, k->variable, &v) && v.name)
            return arena_printf(&l->a, "variable '%s', whose value the condition%s decides", v.name,
                                at);
        return arena_printf(&l->a, "the condition%s%s", first ? "" : " that decides it,", at);
    default: break;
    }
    if (!LLVMIsAInstruction(k->at)) return "a parameter";
    switch (LLVMGetInstructionOpcode(k->at)) {
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg: return arena_printf(&l->a, "the result of an atomic%s", at);
    case LLVMLoad: return arena_printf(&l->a, "memory of the work-item's own, read%s", at);
    case LLVMCall: {
        rg_callee_base_name(k->at, name, sizeof name);
        LLVMValueRef arg = LLVMGetNumArgOperands(k->at) == 1 ? LLVMGetOperand(k->at, 0) : NULL;
        if (arg && LLVMIsAConstantInt(arg))
            return arena_printf(&l->a, "%s(%llu)%s", name, LLVMConstIntGetZExtValue(arg), at);
        return arena_printf(&l->a, "%s(%s)%s", name, LLVMGetNumArgOperands(k->at) ? "…" : "", at);
    }
    default: return arena_printf(&l->a, "a value%s", at);
    }
}

static const char *chain_text(struct lint *l, const struct rg_fn *f, unsigned block)
{
    enum { LONGEST = 12 };
    struct rg_link links[LONGEST];
    const unsigned n = rg_why_varying(f, block, links, LONGEST);
    struct str s = {0};
    for (unsigned k = 0; k < n; k++)
        str_printf(&s, "%s%s", k ? " ← " : "it varies: ", link_text(l, f, &links[k], !k));
    const char *text = n ? arena_strdup(&l->a, str_text(&s)) : NULL;
    str_deinit(&s);
    return text;
}

static void lint_barrier(struct lint *l, const struct rg_fn *f, const char *kernel, unsigned block)
{
    static const char *const titles[] = {
        [RG_WORK_GROUP_BARRIER] = "barrier not reached by all work-items of the group",
        [RG_WAIT_EVENTS] = "wait_group_events not reached by all work-items of the group",
        [RG_COLLECTIVE] = "work-group function not reached by all work-items of the group",
        [RG_ASYNC_COPY] = "async copy not reached by all work-items of the group",
    };
    enum { MOST = 3 };
    unsigned by[MOST];
    const unsigned n = rg_decided_by(f, block, by, MOST);
    if (!n) return;
    struct rep_finding out = {.kind = REP_BARRIER_DIVERGENCE,
                              .possible = true,
                              .title = titles[f->blocks[block].barrier],
                              .kernel = kernel};
    out.sides[out.nsides++] = (struct rep_side){
        place_of(l, fe_debug_insn(l->d, f->blocks[block].stop)), {0}, "may not be reached by all"};
    for (unsigned k = 0; k < n; k++) {
        const uint32_t loc = fe_debug_insn(l->d, condition_of(l, f, by[k]));
        if (loc)
            out.sides[out.nsides++] =
                (struct rep_side){place_of(l, loc), {0}, "depends on this condition"};
        const char *why = chain_text(l, f, by[k]);
        if (why) out.notes[out.nnotes++] = why;
    }
    rep_add(l->rep, &out);
    l->found++;
    arena_deinit(&l->a);
    l->a = (struct arena){0};
}

struct err *cc_lint(const struct wire_request *r, struct str *log, struct rep_options *o,
                    unsigned *found)
{
    struct arena a = {0};
    struct fe_module m = {0};
    if (cc_compile(r, &a, &m, log) != FE_OK) {
        arena_deinit(&a);
        return err_new("it does not compile");
    }
    struct err *e = rg_normalize(m.llvm);
    o->color = -1;
    for (int k = 0; k < REP_KIND_COUNT; k++) o->kinds_off[k] = k != REP_BARRIER_DIVERGENCE;
    struct lint l = {.d = fe_debug_create(&m), .rep = rep_create(o)};
    VEC(struct rg_fn) fns = {0};
    for (LLVMValueRef f = LLVMGetFirstFunction(m.llvm); f && !e; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f)) continue;
        struct rg_fn *fn = vec_add(&fns);
        rg_cfg_build(fn, f, &a);
        rg_variables(fn);
    }
    rg_uniformity(fns.data, (unsigned)fns.len);
    for (size_t i = 0; i < fns.len && !e; i++) {
        const struct rg_fn *f = &fns.data[i];
        if (!l_is_kernel(f->fn)) continue;
        const char *kernel = fe_debug_function_name(l.d, f->fn);
        rep_looked_at(l.rep, kernel);
        for (unsigned b = 0; b < f->nblocks; b++)
            if (f->blocks[b].end == RG_BARRIER) lint_barrier(&l, f, kernel, b);
    }
    for (size_t i = 0; i < fns.len; i++) rg_fn_deinit(&fns.data[i]);
    vec_free(&fns);
    rep_finish(l.rep);
    if (!e && rep_totals(l.rep)->unwritten) e = err_new("a report could not be written");
    rep_destroy(l.rep);
    *found = l.found;
    fe_debug_destroy(l.d);
    fe_module_deinit(&m);
    arena_deinit(&a);
    return e;
}
