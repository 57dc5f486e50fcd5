// SPDX-License-Identifier: MIT
// `cldbg lint`: barriers that not all work-items of a group may reach, found without running
// anything. Of the branches that the uniformity analysis cannot decide (regions/uniformity.c), the
// proofs of `cldbg verify` say which ones may go several ways, for all sizes and arguments; the
// analysis says why.
#include "base/err.h"
#include "cc/pipeline.h"
#include "frontend/debug_metadata.h"
#include "frontend/kernel_meta.h"
#include "library/library.h"
#include "llvm/ir.h"
#include "proof/proof.h"
#include "regions/regions.h"
#include "report/finding.h"

#include <stdlib.h>
#include <string.h>

struct lint {
    LLVMModuleRef copy; // of the module, which the proofs change; made when it is needed
    unsigned nbranches;
    bool *doubtful; // by branch, of the kernel: the proofs do not decide that it is uniform
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

// ---- branches: their numbers are metadata, which the copy has, too

static unsigned kind_of_number(LLVMValueRef insn)
{
    static const char name[] = "cldbg.branch";
    LLVMContextRef c = LLVMGetModuleContext(
        LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInstructionParent(insn))));
    return LLVMGetMDKindIDInContext(c, name, sizeof name - 1);
}

static void number_branches(struct lint *l, const struct rg_fn *f)
{
    for (unsigned b = 0; b < f->nblocks; b++) {
        LLVMValueRef stop = f->blocks[b].stop;
        if (f->blocks[b].end != RG_BRANCH || f->blocks[b].nsucc < 2) continue;
        LLVMContextRef c = LLVMGetTypeContext(LLVMTypeOf(stop));
        LLVMMetadataRef number =
            LLVMValueAsMetadata(LLVMConstInt(LLVMInt32TypeInContext(c), l->nbranches++, false));
        LLVMSetMetadata(stop, kind_of_number(stop),
                        LLVMMetadataAsValue(c, LLVMMDNodeInContext2(c, &number, 1)));
    }
}

/** false: a branch of a function that was inlined. */
static bool number_of(LLVMValueRef branch, unsigned *number)
{
    LLVMValueRef node = LLVMGetMetadata(branch, kind_of_number(branch)), of;
    if (!node || LLVMGetMDNodeNumOperands(node) != 1) return false;
    LLVMGetMDNodeOperands(node, &of);
    *number = (unsigned)LLVMConstIntGetZExtValue(of);
    return true;
}

/** The question about a kernel of any arguments and sizes, except for what its source requires. */
static struct proof_question question_of(LLVMModuleRef m, LLVMValueRef fn, struct arena *a)
{
    enum { MOST_LOCAL = 1024, SUB_GROUP = 8, SECONDS = 2, EFFORT = 300 };
    struct fe_kernel meta;
    fe_kernel_read(m, fn, a, &meta);
    const unsigned n = LLVMCountParams(fn);
    struct proof_arg *args = arena_array(a, struct proof_arg, n + 1);
    struct proof_question q = {.kernel = l_name(fn),
                               .sub_group = SUB_GROUP,
                               .nargs = n,
                               .args = args,
                               .seconds = SECONDS,
                               .effort = EFFORT,
                               .wanted = 1u << PROOF_DIVERGENCE,
                               .assumes = true};
    for (unsigned d = 0; d < 3; d++) {
        q.local[d] = meta.reqd_wg_size[0] ? meta.reqd_wg_size[d] : MOST_LOCAL;
        q.least_local[d] = meta.reqd_wg_size[0] ? 0 : 1;
        q.fewest[d] = meta.reqd_wg_size[0] ? q.local[d] : 1;
        q.global[d] = q.local[d] << 20;
    }
    for (unsigned i = 0; i < n; i++) {
        LLVMTypeRef t = LLVMTypeOf(LLVMGetParam(fn, i));
        const bool pointer = LLVMGetTypeKind(t) == LLVMPointerTypeKind;
        const unsigned space = pointer ? LLVMGetPointerAddressSpace(t) : 0;
        args[i] = (struct proof_arg){.kind = LLVMGetTypeKind(t) == LLVMTargetExtTypeKind ||
                                                     (pointer && !space)
                                                 ? PROOF_OPAQUE
                                             : space == 3 ? PROOF_LOCAL
                                             : pointer    ? PROOF_BUFFER
                                                          : PROOF_ANY,
                                     .size = 1ull << 40,
                                     .object = i};
    }
    return q;
}

/** Fills l->doubtful for a kernel. */
static struct err *find_doubtful(struct lint *l, LLVMModuleRef m, LLVMValueRef fn)
{
    struct proof_branches found = {.all = true};
    struct err *e = NULL;
    if (!l->copy) {
        l->copy = LLVMCloneModule(m);
        e = lib_expand(l->copy);
        if (!e) e = proof_prepare(l->copy);
    }
    LLVMValueRef in_copy = LLVMGetNamedFunction(l->copy, l_name(fn));
    struct arena a = {0};
    const struct proof_question q = question_of(l->copy, in_copy, &a);
    if (!e) e = proof_find_branches(l->copy, &q, &a, &found);
    for (unsigned b = 0; b < l->nbranches; b++) l->doubtful[b] = found.all;
    for (size_t i = 0; i < found.of.len; i++) {
        unsigned number;
        if (number_of(found.of.data[i], &number)) l->doubtful[number] = true;
    }
    vec_free(&found.of);
    arena_deinit(&a);
    return e;
}

/** The branches that decide whether a barrier is reached and that are not proved uniform. */
static unsigned decided_by(const struct lint *l, const struct rg_fn *f, unsigned block,
                           unsigned *out, unsigned most)
{
    enum { ALL = 64 };
    unsigned all[ALL], kept = 0, number;
    const unsigned n = rg_decided_by(f, block, all, ALL);
    for (unsigned i = 0; i < n && kept < most; i++)
        if (!number_of(f->blocks[all[i]].stop, &number) || l->doubtful[number])
            out[kept++] = all[i];
    return kept;
}

static bool has_candidates(const struct rg_fn *f)
{
    unsigned one;
    for (unsigned b = 0; b < f->nblocks; b++)
        if (f->blocks[b].end == RG_BARRIER && rg_decided_by(f, b, &one, 1)) return true;
    return false;
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
    const unsigned n = decided_by(l, f, block, by, MOST);
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
    for (size_t i = 0; i < fns.len; i++) number_branches(&l, &fns.data[i]);
    l.doubtful = mem_alloc(l.nbranches + 1);
    for (size_t i = 0; i < fns.len && !e; i++) {
        const struct rg_fn *f = &fns.data[i];
        if (!l_is_kernel(f->fn)) continue;
        const char *kernel = fe_debug_function_name(l.d, f->fn);
        rep_looked_at(l.rep, kernel);
        if (!has_candidates(f)) continue;
        e = find_doubtful(&l, m.llvm, f->fn);
        for (unsigned b = 0; b < f->nblocks; b++)
            if (f->blocks[b].end == RG_BARRIER) lint_barrier(&l, f, kernel, b);
    }
    for (size_t i = 0; i < fns.len; i++) rg_fn_deinit(&fns.data[i]);
    vec_free(&fns);
    rep_finish(l.rep);
    if (!e && rep_totals(l.rep)->unwritten) e = err_new("a report could not be written");
    rep_destroy(l.rep);
    *found = l.found;
    free(l.doubtful);
    if (l.copy) LLVMDisposeModule(l.copy);
    fe_debug_destroy(l.d);
    fe_module_deinit(&m);
    arena_deinit(&a);
    return e;
}
