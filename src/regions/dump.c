// SPDX-License-Identifier: MIT
#include "regions/form.h"

#include "base/mem.h"
#include "llvm/ir.h"

#include <stdlib.h>

static const char *const marks[] = {"entry",
                                    "exit",
                                    "barrier",
                                    "b-loop entry (soft)",
                                    "b-loop header (soft)",
                                    "b-loop latch (soft)"};

static unsigned line_of(LLVMValueRef i)
{
    return i && LLVMIsAInstruction(i) ? LLVMGetDebugLocLine(i) : 0;
}

static void place(const struct rg_workgroup *w, const struct rg_bar *b, struct str *out)
{
    str_put(out, marks[b->mark]);
    if (b->mark == RG_ENTRY || b->mark == RG_EXIT) return;
    unsigned line = line_of(w->fn->blocks[b->block].stop);
    if (b->mark == RG_SOURCE && line) str_printf(out, " at line %u", line);
    str_printf(out, ", %s block %u", b->mark == RG_LOOP_HEADER ? "before" : "after", b->block);
    str_put(out, b->varying         ? ", under varying control"
                 : b->unconditional ? ", unconditional"
                                    : ", conditional, control uniform");
    if (b->horizontal) str_put(out, ", horizontal");
}

static void lines(const struct rg_workgroup *w, const struct rg_region *r, struct str *out)
{
    unsigned lo = 0, hi = 0;
    for (unsigned k = 0; k < r->nblocks; k++) {
        const struct rg_block *b = &w->fn->blocks[r->blocks[k]];
        for (LLVMValueRef i = b->first; i && i != b->stop; i = LLVMGetNextInstruction(i)) {
            unsigned l = line_of(i);
            if (!l) continue;
            lo = !lo || l < lo ? l : lo;
            hi = l > hi ? l : hi;
        }
    }
    if (lo == hi && lo) str_printf(out, " (line %u)", lo);
    else if (lo) str_printf(out, " (lines %u-%u)", lo, hi);
}

static const char *named(rg_name_fn *names, void *context, LLVMValueRef variable)
{
    const char *name = names ? names(context, variable) : NULL;
    return name ? name : "(unnamed)";
}

// By web: is it read?
static bool *webs_read(const struct rg_fn *f)
{
    bool *read = mem_alloc(f->nwebs + 1);
    for (unsigned b = 0; b < f->nblocks; b++)
        for (LLVMValueRef i = f->blocks[b].first; i && i != f->blocks[b].stop;
             i = LLVMGetNextInstruction(i))
            if (LLVMGetInstructionOpcode(i) == LLVMLoad && rg_web_of(f, i) >= 0)
                read[rg_web_of(f, i)] = true;
    return read;
}

// Lists variables by uniformity ("in part" if their webs differ), and the divergent branches.
static void uniformity(const struct rg_workgroup *w, rg_name_fn *names, void *context,
                       struct str *out)
{
    static const char *const titles[] = {
        "uniform variables:", "varying variables:", "uniform in part:"};
    const struct rg_fn *f = w->fn;
    bool *read = webs_read(f);
    for (unsigned kind = 0; kind < 3; kind++) {
        unsigned n = 0;
        for (unsigned v = 0; v < f->nvars; v++) {
            bool uniform = false, varying = false;
            const char *name = names ? names(context, f->vars[v].alloca) : NULL;
            for (unsigned k = 0; k < f->nwebs; k++) {
                if (f->webs[k].variable != v || !read[k]) continue;
                uniform |= !f->webs[k].divergent;
                varying |= f->webs[k].divergent;
            }
            if (!name || (!uniform && !varying) || (uniform && varying ? 2 : varying) != kind)
                continue;
            str_printf(out, "%s %s", n++ ? "," : titles[kind], name);
        }
        if (n) str_put(out, "\n");
    }
    free(read);
    unsigned n = 0;
    for (unsigned b = 0; b < f->nblocks; b++) {
        if (!f->divergent_branch[b]) continue;
        str_printf(out, "%s block %u", n++ ? "," : "varying branches:", b);
        if (line_of(f->blocks[b].stop)) str_printf(out, " (line %u)", line_of(f->blocks[b].stop));
    }
    if (n) str_put(out, "\n");
}

static void context_of(const struct rg_workgroup *w, rg_name_fn *names, void *context,
                       struct str *out)
{
    str_printf(out, "carried between regions: %u", w->ncarried);
    if (w->ncarried)
        str_printf(out, " (%llu bytes for each work-item, %llu for the group)",
                   (unsigned long long)w->item_bytes, (unsigned long long)w->group_bytes);
    str_put(out, "\n");
    for (unsigned k = 0; k < w->ncarried; k++) {
        const struct rg_carried *c = &w->carried[k];
        str_printf(out, "  %s, at %llu, %llu byte%s: ",
                   c->uniform ? "uniform, one for the group" : "varying, one a work-item",
                   (unsigned long long)c->offset, (unsigned long long)c->size,
                   c->size == 1 ? "" : "s");
        if (c->web >= 0)
            str_printf(out, "variable %s\n",
                       named(names, context, w->fn->vars[w->fn->webs[c->web].variable].alloca));
        else if (line_of(c->value))
            str_printf(out, "value computed at line %u\n", line_of(c->value));
        else str_put(out, "value\n");
    }
}

void rg_dump(const struct rg_workgroup *w, const char *name, rg_name_fn *names, void *context,
             struct str *out)
{
    const struct rg_fn *f = w->fn;
    str_printf(out, "kernel %s\n", name);
    const unsigned copies = rg_split_copies(f->fn);
    if (w->is_regions && w->duplicated)
        str_printf(out, "form: regions (%u of %u blocks duplicated)\n", w->duplicated, f->nblocks);
    else if (w->is_regions) str_put(out, "form: regions\n");
    else str_printf(out, "form: continuations (%s)\n", w->why_not);
    if (copies)
        str_printf(out, "split: %u blocks copied, of loops that had several entries\n", copies);
    str_put(out, "barriers:\n");
    for (unsigned b = 0; b < w->nbars; b++) {
        str_printf(out, "  B%u ", b);
        place(w, &w->bars[b], out);
        str_put(out, "\n");
    }
    str_put(out, "regions:\n");
    for (unsigned r = 0; r < w->nregions; r++) {
        const struct rg_region *x = &w->regions[r];
        if (w->bars[r].mark == RG_EXIT) continue;
        str_printf(out, "  R%u after B%u: blocks", r, x->from);
        if (!x->nblocks) str_put(out, " none");
        for (unsigned k = 0; k < x->nblocks; k++) str_printf(out, " %u", x->blocks[k]);
        lines(w, x, out);
        str_put(out, " ->");
        for (unsigned k = 0; k < x->nto; k++) str_printf(out, " B%u", x->to[k]);
        if (x->peeled)
            str_put(out,
                    w->is_regions ? " (the first work-item decides)" : " (each work-item decides)");
        str_put(out, "\n");
    }
    str_put(out, "loops:");
    if (!f->nloops) str_put(out, " none");
    str_put(out, "\n");
    for (unsigned l = 0; l < f->nloops; l++)
        str_printf(out, "  blocks %u-%u: %s%s%s\n", f->loops[l].header, f->loops[l].last,
                   f->loops[l].has_barrier                   ? "b-loop, "
                   : rg_is_b_loop(f, &f->loops[l], w->flags) ? "horizontal, "
                                                             : "",
                   f->loops[l].divergent ? "left in different iterations" : "uniform trip count",
                   f->loops[l].may_spin ? ", may wait for other work-items" : "");
    uniformity(w, names, context, out);
    context_of(w, names, context, out);
    str_put(out, "local memory:");
    for (unsigned k = 0; k < w->nlocals; k++)
        str_printf(out, "%s %s, %llu bytes", k ? ";" : "", named(names, context, w->locals[k]),
                   (unsigned long long)l_size(LLVMGetGlobalParent(f->fn),
                                              LLVMGlobalGetValueType(w->locals[k])));
    str_put(out, w->nlocals ? " (arguments of the work-group function)\n" : " none of its own\n");
}
