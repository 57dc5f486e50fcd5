// SPDX-License-Identifier: MIT
// Private variables that live in registers.
//
// At -O0 every variable of the program is an alloca. One that is only loaded and stored as a whole, and
// whose address goes nowhere else, needs no memory. It is not turned into SSA form (LLVM's passes would
// exploit undefined values on the way, and hide the user's bugs): an SSA numbering is only computed, and
// definitions that meet in a join are united into a web. A web is one mutable register; two webs of a
// variable have no common use. Uniformity is then decided for each web.
//
// A variable has no value from where it is declared, each time that the declaration is reached (C11 6.2.4): a declaration
// counts as a store of nothing. Where it has uses the variable is read before it is written. (A parameter is declared
// behind the store of its value, which is no such thing.)
//
// Joins are placed at iterated dominance frontiers of the stores where the variable is live (Cytron et al.).
#include "regions/regions.h"

#include "llvm/ir.h"

#include <string.h>

struct def {
    unsigned variable, parent; // union-find
};

struct work {
    struct rg_fn *f;
    VEC(struct def) defs;
    unsigned *start_def; // by variable
    unsigned **join;     // [block][variable] → definition + 1, or 0
    struct map parameters;
};

static bool is_register_type(LLVMTypeRef t)
{
    switch (LLVMGetTypeKind(t)) {
    case LLVMIntegerTypeKind: return LLVMGetIntTypeWidth(t) <= 64;
    case LLVMHalfTypeKind:
    case LLVMFloatTypeKind:
    case LLVMDoubleTypeKind:
    case LLVMPointerTypeKind:
    case LLVMTargetExtTypeKind: return true;
    case LLVMVectorTypeKind: return is_register_type(LLVMGetElementType(t));
    default: return false;
    }
}

static bool promotable(LLVMValueRef a)
{
    LLVMTypeRef t = LLVMGetAllocatedType(a);
    if (!is_register_type(t) || !LLVMIsConstant(LLVMGetOperand(a, 0))) return false;
    if (LLVMConstIntGetZExtValue(LLVMGetOperand(a, 0)) != 1) return false;
    for (LLVMUseRef u = LLVMGetFirstUse(a); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef i = LLVMGetUser(u);
        if (!LLVMIsAInstruction(i)) return false;
        switch (LLVMGetInstructionOpcode(i)) {
        case LLVMLoad:
            if (LLVMTypeOf(i) != t) return false;
            break;
        case LLVMStore:
            if (LLVMGetOperand(i, 0) == a || LLVMTypeOf(LLVMGetOperand(i, 0)) != t) return false;
            break;
        case LLVMCall: {
            char name[64];
            rg_callee_base_name(i, name, sizeof name);
            if (strncmp(name, "llvm.dbg.", 9) && strncmp(name, "llvm.lifetime.", 14)) return false;
            break;
        }
        default: return false;
        }
    }
    return true;
}

static int var_of(const struct rg_fn *f, LLVMValueRef pointer)
{
    uint64_t *v = map_get_ptr(&f->var_of, pointer);
    return v ? (int)*v - 1 : -1;
}

/** Declarations behind a store of their block, which are those of parameters. */
static void find_parameters(struct work *w)
{
    unsigned *const stored = mem_alloc((w->f->nvars + 1) * sizeof *stored), block = 0; // number of the last block with a store
    l_each_block(w->f->fn, b) {
        block++;
        l_each_insn(b, i) {
            const bool is_store = LLVMGetInstructionOpcode(i) == LLVMStore;
            LLVMValueRef of = is_store ? LLVMGetOperand(i, 1) : l_declared(i);
            const int v = of ? var_of(w->f, of) : -1;
            if (v < 0) continue;
            if (is_store) stored[v] = block;
            else if (stored[v] == block) *map_put_ptr(&w->parameters, i, NULL) = 1;
        }
    }
    free(stored);
}

// The variable that a load, store or declaration is of, or -1.
static int accessed(const struct work *w, LLVMValueRef i)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMCall: {
        LLVMValueRef a = l_declared(i);
        return a && !map_get_ptr(&w->parameters, i) ? var_of(w->f, a) : -1;
    }
    case LLVMLoad: return var_of(w->f, LLVMGetOperand(i, 0));
    case LLVMStore: return var_of(w->f, LLVMGetOperand(i, 1));
    default: return -1;
    }
}

static unsigned find(struct work *w, unsigned d)
{
    while (w->defs.data[d].parent != d) d = w->defs.data[d].parent = w->defs.data[w->defs.data[d].parent].parent;
    return d;
}

static void unite(struct work *w, unsigned a, unsigned b)
{
    a = find(w, a);
    b = find(w, b);
    if (a < b) w->defs.data[b].parent = a; // the start, if it is in, stays the root
    else w->defs.data[a].parent = b;
}

static unsigned new_def(struct work *w, unsigned variable)
{
    unsigned d = (unsigned)w->defs.len;
    vec_push(&w->defs, (struct def){variable, d});
    return d;
}

// Live-in variables of every block, as bit rows.
static uint64_t *liveness(const struct work *w, unsigned words, uint64_t *stores)
{
    const struct rg_fn *const f = w->f;
    uint64_t *live = mem_alloc((size_t)f->nblocks * words * 8);
    for (unsigned b = 0; b < f->nblocks; b++)
        for (LLVMValueRef i = f->blocks[b].first; i && i != f->blocks[b].stop; i = LLVMGetNextInstruction(i)) {
            int v = accessed(w, i);
            if (v < 0) continue;
            uint64_t bit = 1ull << (v % 64);
            if (LLVMGetInstructionOpcode(i) != LLVMLoad) stores[b * words + v / 64] |= bit;
            else if (!(stores[b * words + v / 64] & bit)) live[b * words + v / 64] |= bit;
        }
    for (bool changed = true; changed;) {
        changed = false;
        for (unsigned b = f->nblocks; b-- > 0;)
            for (unsigned k = 0; k < f->blocks[b].nsucc; k++)
                for (unsigned x = 0; x < words; x++) {
                    uint64_t in = live[b * words + x] | (live[f->blocks[b].succ[k] * words + x] & ~stores[b * words + x]);
                    if (in != live[b * words + x]) {
                        live[b * words + x] = in;
                        changed = true;
                    }
                }
    }
    return live;
}

static void place_joins(struct work *w)
{
    struct rg_fn *f = w->f;
    unsigned words = (f->nvars + 63) / 64, n = f->nblocks;
    uint64_t *stores = mem_alloc((size_t)n * words * 8), *live = liveness(w, words, stores);
    // Dominance frontiers (Cooper, Harvey, Kennedy).
    VEC(unsigned) *front = mem_alloc(n * sizeof *front);
    for (unsigned b = 0; b < n; b++) {
        if (f->blocks[b].npred < 2 && b) continue;
        for (unsigned k = 0; k < f->blocks[b].npred; k++)
            for (int r = (int)f->blocks[b].pred[k]; r >= 0 && (b == 0 || r != f->blocks[b].idom); r = f->blocks[r].idom) {
                bool has = false;
                for (size_t i = 0; i < front[r].len; i++) has |= front[r].data[i] == b;
                if (!has) vec_push(&front[r], b);
            }
    }
    VEC(unsigned) work = {0};
    for (unsigned v = 0; v < f->nvars; v++) {
        uint64_t bit = 1ull << (v % 64);
        vec_clear(&work);
        for (unsigned b = 0; b < n; b++)
            if (stores[b * words + v / 64] & bit) vec_push(&work, b);
        while (work.len) {
            unsigned b = vec_pop(&work);
            for (size_t i = 0; i < front[b].len; i++) {
                unsigned j = front[b].data[i];
                if (w->join[j][v] || !(live[j * words + v / 64] & bit)) continue;
                w->join[j][v] = new_def(w, v) + 1;
                vec_push(&work, j);
            }
        }
    }
    vec_free(&work);
    for (unsigned b = 0; b < n; b++) vec_free(&front[b]);
    free(front);
    free(live);
    free(stores);
}

// Walks the dominator tree with the reaching definition of each variable, uniting at joins and naming uses.
static void rename_uses(struct work *w)
{
    struct rg_fn *f = w->f;
    unsigned n = f->nblocks, nv = f->nvars;
    unsigned **out = mem_alloc(n * sizeof *out); // reaching definitions at the end of a block
    // Scheduling order visits a block after its dominator.
    for (unsigned b = 0; b < n; b++) {
        unsigned *cur = out[b] = mem_alloc((nv ? nv : 1) * sizeof *cur);
        const unsigned *in = b == 0 ? w->start_def : out[f->blocks[b].idom];
        memcpy(cur, in, nv * sizeof *cur);
        for (unsigned v = 0; v < nv; v++)
            if (w->join[b][v]) cur[v] = w->join[b][v] - 1;
        for (LLVMValueRef i = f->blocks[b].first; i && i != f->blocks[b].stop; i = LLVMGetNextInstruction(i)) {
            int v = accessed(w, i);
            if (v < 0) continue;
            if (LLVMGetInstructionOpcode(i) != LLVMLoad) cur[v] = new_def(w, (unsigned)v);
            *map_put_ptr(&f->web_of, i, NULL) = cur[v] + 1; // definition for now; its web below
        }
    }
    for (unsigned b = 0; b < n; b++)
        for (unsigned v = 0; v < nv; v++) {
            if (!w->join[b][v]) continue;
            if (b == 0) unite(w, w->join[b][v] - 1, w->start_def[v]);
            for (unsigned k = 0; k < f->blocks[b].npred; k++) unite(w, w->join[b][v] - 1, out[f->blocks[b].pred[k]][v]);
        }
    for (unsigned b = 0; b < n; b++) free(out[b]);
    free(out);
}

void rg_variables(struct rg_fn *f)
{
    VEC(struct rg_variable) vars = {0};
    for (unsigned b = 0; b < f->nblocks; b++)
        for (LLVMValueRef i = f->blocks[b].first; i && i != f->blocks[b].stop; i = LLVMGetNextInstruction(i))
            if (!f->keep_in_memory && LLVMGetInstructionOpcode(i) == LLVMAlloca && promotable(i)) {
                vec_push(&vars, (struct rg_variable){i, LLVMGetAllocatedType(i)});
                *map_put_ptr(&f->var_of, i, NULL) = vars.len;
            }
    f->nvars = (unsigned)vars.len;
    f->vars = arena_dup(f->arena, vars.data, vars.len * sizeof *vars.data);
    vec_free(&vars);

    struct work w = {.f = f};
    w.start_def = mem_alloc((f->nvars ? f->nvars : 1) * sizeof *w.start_def);
    w.join = mem_alloc(f->nblocks * sizeof *w.join);
    for (unsigned b = 0; b < f->nblocks; b++) w.join[b] = mem_alloc((f->nvars ? f->nvars : 1) * sizeof **w.join);
    for (unsigned v = 0; v < f->nvars; v++) w.start_def[v] = new_def(&w, v);
    find_parameters(&w);
    place_joins(&w);
    rename_uses(&w);

    // Roots become webs.
    unsigned *web = mem_alloc((w.defs.len ? w.defs.len : 1) * sizeof *web);
    VEC(struct rg_web) webs = {0};
    for (unsigned d = 0; d < w.defs.len; d++)
        if (find(&w, d) == d) {
            vec_push(&webs, (struct rg_web){.variable = w.defs.data[d].variable, .has_undef = d < f->nvars});
            web[d] = (unsigned)webs.len - 1;
        }
    for (unsigned d = 0; d < w.defs.len; d++) webs.data[web[find(&w, d)]].ndefs++;
    for (unsigned b = 0; b < f->nblocks; b++)
        for (LLVMValueRef i = f->blocks[b].first; i && i != f->blocks[b].stop; i = LLVMGetNextInstruction(i)) {
            uint64_t *at = map_get_ptr(&f->web_of, i);
            if (at) *at = web[find(&w, (unsigned)*at - 1)] + 1;
        }
    f->nwebs = (unsigned)webs.len;
    f->webs = arena_dup(f->arena, webs.data, webs.len * sizeof *webs.data);
    // Where a web is joined, for uniformity.
    f->join_web = arena_array(f->arena, int *, f->nblocks);
    for (unsigned b = 0; b < f->nblocks; b++) {
        unsigned k = 0;
        for (unsigned v = 0; v < f->nvars; v++) k += w.join[b][v] != 0;
        f->join_web[b] = arena_array(f->arena, int, k + 1);
        k = 0;
        for (unsigned v = 0; v < f->nvars; v++)
            if (w.join[b][v]) f->join_web[b][k++] = (int)web[find(&w, w.join[b][v] - 1)];
        f->join_web[b][k] = -1;
    }
    for (unsigned b = 0; b < f->nblocks; b++) free(w.join[b]);
    free(w.join);
    free(w.start_def);
    free(web);
    vec_free(&webs);
    vec_free(&w.defs);
    map_deinit(&w.parameters);
}
