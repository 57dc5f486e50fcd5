// SPDX-License-Identifier: MIT
// Checks the invariants of a work-group form, from their definitions, independently of its
// construction.
#include "regions/form.h"

struct check {
    const struct rg_workgroup *w;
    const struct rg_fn *f;
    struct str *out;
    int *ends, *starts; // by block: the barrier there, or -1
};

static bool in_region(const struct rg_region *r, unsigned b)
{
    for (unsigned k = 0; k < r->nblocks; k++)
        if (r->blocks[k] == b) return true;
    return false;
}

static bool lists(const struct rg_region *r, int bar)
{
    for (unsigned k = 0; k < r->nto; k++)
        if ((int)r->to[k] == bar) return true;
    return false;
}

static int exit_bar(const struct rg_workgroup *w)
{
    for (unsigned b = 0; b < w->nbars; b++)
        if (w->bars[b].mark == RG_EXIT) return (int)b;
    return -1;
}

// Checks the target of an edge from a barrier or from the end of a block: a block of the region or
// a barrier.
static void way(struct check *c, unsigned r, unsigned to, bool *used, bool own_header)
{
    const struct rg_region *x = &c->w->regions[r];
    if (c->starts[to] >= 0 && !own_header) {
        if (!lists(x, c->starts[to]))
            str_printf(c->out, "region R%u leads to barrier B%d but does not list it\n", r,
                       c->starts[to]);
        else used[c->starts[to]] = true;
    } else if (!in_region(x, to)) {
        str_printf(c->out, "region R%u leads to block %u, which is not in it\n", r, to);
    }
}

static void check_region(struct check *c, unsigned r)
{
    const struct rg_workgroup *w = c->w;
    const struct rg_fn *f = c->f;
    const struct rg_region *x = &w->regions[r];
    const struct rg_bar *bar = &w->bars[x->from];
    bool *used = mem_alloc(w->nbars + 1), *reached = mem_alloc(f->nblocks + 1);
    if (x->from != r) str_printf(c->out, "region R%u begins at barrier B%u\n", r, x->from);
    // forward from the barrier, through the region's blocks
    if (bar->mark == RG_ENTRY || bar->mark == RG_LOOP_HEADER) {
        unsigned first = bar->mark == RG_ENTRY ? 0 : bar->block;
        way(c, r, first, used, bar->mark == RG_LOOP_HEADER);
        reached[first] = bar->mark == RG_LOOP_HEADER || c->starts[first] < 0;
    } else if (bar->mark != RG_EXIT) {
        for (unsigned k = 0; k < f->blocks[bar->block].nsucc; k++) {
            unsigned to = f->blocks[bar->block].succ[k];
            way(c, r, to, used, false);
            reached[to] |= c->starts[to] < 0;
        }
    }
    for (bool more = true; more;) {
        more = false;
        for (unsigned b = 0; b < f->nblocks; b++) {
            if (!reached[b] || !in_region(x, b) || c->ends[b] >= 0) continue;
            for (unsigned k = 0; k < f->blocks[b].nsucc; k++) {
                unsigned to = f->blocks[b].succ[k];
                if (c->starts[to] >= 0 || reached[to]) continue;
                reached[to] = more = true;
            }
        }
    }
    for (unsigned k = 0; k < x->nblocks; k++) {
        unsigned b = x->blocks[k];
        if (!reached[b])
            str_printf(c->out, "block %u of region R%u is not reached from barrier B%u\n", b, r,
                       x->from);
        if (c->ends[b] >= 0 || !f->blocks[b].nsucc) {
            int to = c->ends[b] >= 0 ? c->ends[b] : exit_bar(w);
            if (!lists(x, to))
                str_printf(c->out, "region R%u ends at barrier B%d but does not list it\n", r, to);
            else used[to] = true;
            continue;
        }
        for (unsigned s = 0; s < f->blocks[b].nsucc; s++)
            way(c, r, f->blocks[b].succ[s], used, false);
    }
    for (unsigned k = 0; k < x->nto; k++)
        if (!used[x->to[k]])
            str_printf(c->out, "region R%u lists barrier B%u but does not lead to it\n", r,
                       x->to[k]);
    free(used);
    free(reached);
}

static bool is_carried(const struct rg_workgroup *w, int web, LLVMValueRef v)
{
    for (unsigned k = 0; k < w->ncarried; k++)
        if (web >= 0 ? w->carried[k].web == web : w->carried[k].web < 0 && w->carried[k].value == v)
            return true;
    return false;
}

/** Checks a web with a store in block b against all its loads. */
static void check_web(struct check *c, int web, unsigned b)
{
    const struct rg_fn *f = c->f;
    if (is_carried(c->w, web, NULL)) return;
    for (unsigned u = 0; u < f->nblocks; u++) {
        if (!rg_crosses(c->w, b, u)) continue;
        for (LLVMValueRef j = f->blocks[u].first; j && j != f->blocks[u].stop;
             j = LLVMGetNextInstruction(j)) {
            if (rg_web_of(f, j) != web || LLVMGetInstructionOpcode(j) != LLVMLoad) continue;
            str_printf(c->out, "web %d is made in block %u, used in block %u, and not carried\n",
                       web, b, u);
            return;
        }
    }
}

/** Checks a value defined in block b against its uses. */
static void check_value(struct check *c, LLVMValueRef i, unsigned b)
{
    if (is_carried(c->w, -1, i)) return;
    for (LLVMUseRef u = LLVMGetFirstUse(i); u; u = LLVMGetNextUse(u)) {
        const int ub = rg_block_of(c->f, LLVMGetUser(u));
        if (ub < 0 || !rg_crosses(c->w, b, (unsigned)ub)) continue;
        str_printf(c->out, "a value made in block %u is used in block %d and not carried\n", b, ub);
        return;
    }
}

static void check_carried(struct check *c)
{
    const struct rg_fn *f = c->f;
    for (unsigned b = 0; b < f->nblocks; b++)
        for (LLVMValueRef i = f->blocks[b].first; i && i != f->blocks[b].stop;
             i = LLVMGetNextInstruction(i)) {
            const int web = rg_web_of(f, i);
            const LLVMOpcode op = LLVMGetInstructionOpcode(i);
            if (web >= 0 && op == LLVMStore) check_web(c, web, b);
            else if (web < 0 && op != LLVMAlloca) check_value(c, i, b);
        }
}

void rg_validate(const struct rg_workgroup *w, struct str *out)
{
    struct check c = {.w = w, .f = w->fn, .out = out};
    c.ends = mem_alloc((w->fn->nblocks + 1) * sizeof *c.ends);
    c.starts = mem_alloc((w->fn->nblocks + 1) * sizeof *c.starts);
    for (unsigned b = 0; b < w->fn->nblocks; b++) c.ends[b] = c.starts[b] = -1;
    for (unsigned b = 0; b < w->nbars; b++) {
        const struct rg_bar *x = &w->bars[b];
        if (x->mark == RG_LOOP_HEADER) c.starts[x->block] = (int)b;
        else if (x->mark != RG_ENTRY && x->mark != RG_EXIT) c.ends[x->block] = (int)b;
    }
    for (unsigned b = 0; b < w->fn->nblocks; b++)
        if (w->fn->blocks[b].end == RG_BARRIER && c.ends[b] < 0)
            str_printf(out, "the barrier after block %u is missing\n", b);
    for (unsigned r = 0; r < w->nregions; r++) check_region(&c, r);
    bool *covered = mem_alloc(w->fn->nblocks + 1), *ended = mem_alloc(w->nbars + 1);
    for (unsigned r = 0; r < w->nregions; r++) {
        for (unsigned k = 0; k < w->regions[r].nblocks; k++)
            covered[w->regions[r].blocks[k]] = true;
        for (unsigned k = 0; k < w->regions[r].nto; k++) ended[w->regions[r].to[k]] = true;
    }
    for (unsigned b = 0; b < w->fn->nblocks; b++)
        if (!covered[b]) str_printf(out, "block %u is in no region\n", b);
    bool never_returns = true; // a kernel that never returns has no path to the exit
    for (unsigned b = 0; b < w->fn->nblocks; b++) never_returns &= w->fn->blocks[b].nsucc > 0;
    for (unsigned b = 0; b < w->nbars; b++) {
        if (!ended[b] && w->bars[b].mark != RG_ENTRY &&
            !(w->bars[b].mark == RG_EXIT && never_returns))
            str_printf(out, "barrier B%u ends no region\n", b);
        if (w->is_regions && w->bars[b].mark == RG_SOURCE && w->bars[b].varying)
            str_printf(out, "barrier B%u is under control that varies, yet the form is regions\n",
                       b);
    }
    check_carried(&c);
    free(covered);
    free(ended);
    free(c.ends);
    free(c.starts);
}
