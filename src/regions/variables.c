// SPDX-License-Identifier: MIT
// Private variables that live in registers.
//
// At -O0 every variable of the program is an alloca. A variable that is only loaded and stored as a
// whole, and whose address has no other uses, needs no memory. It is not turned into SSA form
// (LLVM's passes would exploit undefined values on the way, and hide the user's bugs): an SSA
// numbering is only computed, and definitions that meet in a join are united into a web. A web is
// one mutable register; two webs of a variable have no common use. Uniformity is then decided for
// each web.
//
// A variable becomes undefined whenever its declaration is reached (C11 6.2.4): a declaration
// counts as a store of an undefined value. If this definition has uses, the variable may be read
// before it is written. (The declaration of a parameter follows the store of its value and does not
// count.)
//
// Joins are placed at iterated dominance frontiers of the stores where the variable is live (Cytron
// et al.).
#include "regions/regions.h"

#include "llvm/ir.h"

#include <string.h>

struct def {
    unsigned variable, parent; // union-find
};

struct join {
    unsigned variable, def;
};

struct joins {
    VEC(struct join) list; // in ascending order of variables
};

struct work {
    struct rg_fn *f;
    VEC(struct def) defs; // the first ones are the starts of all variables
    struct joins *joins;  // by block
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

/** Finds declarations that follow a store in their block: those of parameters. */
static void find_parameters(struct work *w)
{
    unsigned *const stored = mem_alloc((w->f->nvars + 1) * sizeof *stored),
                    block = 0; // number of the last block with a store
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

// The variable of a load, store or declaration, or -1.
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
    while (w->defs.data[d].parent != d)
        d = w->defs.data[d].parent = w->defs.data[w->defs.data[d].parent].parent;
    return d;
}

static void unite(struct work *w, unsigned a, unsigned b)
{
    a = find(w, a);
    b = find(w, b);
    if (a < b) w->defs.data[b].parent = a; // the start is always the root
    else w->defs.data[a].parent = b;
}

static unsigned new_def(struct work *w, unsigned variable)
{
    unsigned d = (unsigned)w->defs.len;
    vec_push(&w->defs, (struct def){variable, d});
    return d;
}

/**
 * The blocks that write a variable, and those that read it before they write it: in ascending
 * order, each once.
 */
struct definitions {
    VEC(unsigned) stores, uses;
};

static struct definitions *find_definitions(const struct work *w)
{
    const struct rg_fn *const f = w->f;
    struct definitions *const of = mem_alloc((f->nvars + 1) * sizeof *of);
    for (unsigned b = 0; b < f->nblocks; b++)
        for (LLVMValueRef i = f->blocks[b].first; i && i != f->blocks[b].stop;
             i = LLVMGetNextInstruction(i)) {
            const int v = accessed(w, i);
            if (v < 0) continue;
            struct definitions *const p = &of[v];
            const bool is_stored = p->stores.len && vec_last(&p->stores) == b,
                       is_used = p->uses.len && vec_last(&p->uses) == b;
            if (LLVMGetInstructionOpcode(i) != LLVMLoad) {
                if (!is_stored) vec_push(&p->stores, b);
            } else if (!is_stored && !is_used) {
                vec_push(&p->uses, b);
            }
        }
    return of;
}

struct blocks {
    VEC(unsigned) list;
};

/** Dominance frontiers (Cooper, Harvey, Kennedy). */
static struct blocks *frontiers(const struct rg_fn *f)
{
    struct blocks *const front = mem_alloc(f->nblocks * sizeof *front);
    for (unsigned b = 0; b < f->nblocks; b++) {
        if (f->blocks[b].npred < 2 && b) continue;
        for (unsigned k = 0; k < f->blocks[b].npred; k++)
            for (int r = (int)f->blocks[b].pred[k]; r >= 0 && (b == 0 || r != f->blocks[b].idom);
                 r = f->blocks[r].idom) {
                if (front[r].list.len && vec_last(&front[r].list) == b)
                    break; // another predecessor has visited the rest
                vec_push(&front[r].list, b);
            }
    }
    return front;
}

// Places joins variable by variable: a bit set per block would take blocks × variables of memory.
static void place_joins(struct work *w)
{
    struct rg_fn *f = w->f;
    const unsigned n = f->nblocks;
    struct definitions *const definitions = find_definitions(w);
    struct blocks *const front = frontiers(f);
    unsigned *const stored = mem_alloc(n * sizeof *stored),
                    *const live = mem_alloc(n * sizeof *live),
                    *const joined = mem_alloc(n * sizeof *joined);
    VEC(unsigned) work = {0};
    for (unsigned v = 0, mark = 1; v < f->nvars;
         v++, mark++) { // the mark identifies the entries of this variable
        struct definitions *const p = &definitions[v];
        for (size_t i = 0; i < p->stores.len; i++) stored[p->stores.data[i]] = mark;
        for (size_t i = 0; i < p->uses.len; i++) {
            live[p->uses.data[i]] = mark; // on entry
            vec_push(&work, p->uses.data[i]);
        }
        while (work.len) {
            const struct rg_block *const B = &f->blocks[vec_pop(&work)];
            for (unsigned k = 0; k < B->npred; k++) {
                if (stored[B->pred[k]] == mark || live[B->pred[k]] == mark) continue;
                live[B->pred[k]] = mark;
                vec_push(&work, B->pred[k]);
            }
        }
        for (size_t i = 0; i < p->stores.len; i++) vec_push(&work, p->stores.data[i]);
        while (work.len) {
            const struct blocks *const F
            = &front[vec_pop(&work)];
            for (size_t i = 0; i < F->list.len; i++) {
                const unsigned j = F
                ->list.data[i];
                if (joined[j] == mark || live[j] != mark) continue;
                joined[j] = mark;
                vec_push(&w->joins[j].list, (struct join){v, new_def(w, v)});
                vec_push(&work, j);
            }
        }
        vec_free(&p->stores);
        vec_free(&p->uses);
    }
    vec_free(&work);
    for (unsigned b = 0; b < n; b++) vec_free(&front[b].list);
    free(front);
    free(definitions);
    free(stored);
    free(live);
    free(joined);
}

struct change {
    unsigned variable, was;
};

/**
 * The reaching definition of each variable in a walk of the dominator tree, with an undo list.
 */
struct reaching {
    unsigned *now;
    VEC(struct change) log;
};

static void reach(struct reaching *r, unsigned variable, unsigned def)
{
    vec_push(&r->log, (struct change){variable, r->now[variable]});
    r->now[variable] = def;
}

static void rename_block(struct work *w, unsigned b, struct reaching *r)
{
    struct rg_fn *f = w->f;
    for (size_t k = 0; k < w->joins[b].list.len; k++) {
        const struct join *j = &w->joins[b].list.data[k];
        if (!b) unite(w, j->def, j->variable); // its start
        reach(r, j->variable, j->def);
    }
    for (LLVMValueRef i = f->blocks[b].first; i && i != f->blocks[b].stop;
         i = LLVMGetNextInstruction(i)) {
        const int v = accessed(w, i);
        if (v < 0) continue;
        uint64_t *const def = map_put_ptr(&f->web_of, i, NULL);
        if (LLVMGetInstructionOpcode(i) != LLVMLoad) reach(r, (unsigned)v, (unsigned)*def - 1);
        else *def = r->now[v] + 1;
    }
    for (unsigned s = 0; s < f->blocks[b].nsucc; s++) {
        const struct joins *const to = &w->joins[f->blocks[b].succ[s]];
        for (size_t k = 0; k < to->list.len; k++)
            unite(w, to->list.data[k].def, r->now[to->list.data[k].variable]);
    }
}

// Walks the dominator tree with the reaching definition of each variable, uniting definitions at
// joins and assigning uses; web_of has definitions until the end.
static void rename_uses(struct work *w)
{
    struct rg_fn *f = w->f;
    const unsigned n = f->nblocks;
    for (unsigned b = 0; b < n; b++)
        for (LLVMValueRef i = f->blocks[b].first; i && i != f->blocks[b].stop;
             i = LLVMGetNextInstruction(i)) {
            const int v = accessed(w, i);
            if (v >= 0 && LLVMGetInstructionOpcode(i) != LLVMLoad)
                *map_put_ptr(&f->web_of, i, NULL) = new_def(w, (unsigned)v) + 1;
        }
    unsigned *const child = mem_alloc(n * sizeof *child), *const sibling =
                                                              mem_alloc(n * sizeof *sibling); // + 1
    for (unsigned b = n; b-- > 1;) {
        sibling[b] = child[f->blocks[b].idom];
        child[f->blocks[b].idom] = b + 1;
    }
    struct reaching r = {.now = mem_alloc((f->nvars + 1) * sizeof *r.now)};
    for (unsigned v = 0; v < f->nvars; v++) r.now[v] = v; // its start
    struct step {
        unsigned block;
        size_t log;
    };
    VEC(struct step) path = {0};
    for (unsigned b = n ? 1 : 0;
         b || path.len;) { // b: block to enter, + 1; 0: leave the last block of the path
        if (b) {
            vec_push(&path, (struct step){b - 1, r.log.len});
            rename_block(w, b - 1, &r);
            b = child[b - 1];
            continue;
        }
        for (; r.log.len > vec_last(&path).log; r.log.len--)
            r.now[vec_last(&r.log).variable] = vec_last(&r.log).was;
        b = sibling[vec_pop(&path).block];
    }
    vec_free(&path);
    vec_free(&r.log);
    free(r.now);
    free(child);
    free(sibling);
}

void rg_variables(struct rg_fn *f)
{
    VEC(struct rg_variable) vars = {0};
    for (unsigned b = 0; b < f->nblocks; b++)
        for (LLVMValueRef i = f->blocks[b].first; i && i != f->blocks[b].stop;
             i = LLVMGetNextInstruction(i))
            if (!f->keep_in_memory && LLVMGetInstructionOpcode(i) == LLVMAlloca && promotable(i)) {
                vec_push(&vars, (struct rg_variable){i, LLVMGetAllocatedType(i)});
                *map_put_ptr(&f->var_of, i, NULL) = vars.len;
            }
    f->nvars = (unsigned)vars.len;
    f->vars = arena_dup(f->arena, vars.data, vars.len * sizeof *vars.data);
    vec_free(&vars);

    struct work w = {.f = f};
    w.joins = mem_alloc((f->nblocks + 1) * sizeof *w.joins);
    for (unsigned v = 0; v < f->nvars; v++) new_def(&w, v);
    find_parameters(&w);
    place_joins(&w);
    rename_uses(&w);

    // Roots become webs.
    unsigned *web = mem_alloc((w.defs.len ? w.defs.len : 1) * sizeof *web);
    VEC(struct rg_web) webs = {0};
    for (unsigned d = 0; d < w.defs.len; d++)
        if (find(&w, d) == d) {
            vec_push(&webs, (struct rg_web){.variable = w.defs.data[d].variable,
                                            .has_undef = d < f->nvars});
            web[d] = (unsigned)webs.len - 1;
        }
    for (unsigned d = 0; d < w.defs.len; d++) webs.data[web[find(&w, d)]].ndefs++;
    for (unsigned b = 0; b < f->nblocks; b++)
        for (LLVMValueRef i = f->blocks[b].first; i && i != f->blocks[b].stop;
             i = LLVMGetNextInstruction(i)) {
            uint64_t *at = map_get_ptr(&f->web_of, i);
            if (!at) continue;
            *at = web[find(&w, (unsigned)*at - 1)] + 1;
            if (LLVMIsAStoreInst(i)) webs.data[*at - 1].stored = LLVMGetOperand(i, 0);
        }
    f->nwebs = (unsigned)webs.len;
    f->webs = arena_dup(f->arena, webs.data, webs.len * sizeof *webs.data);
    // The blocks where webs are joined, for uniformity.
    f->join_web = arena_array(f->arena, int *, f->nblocks);
    for (unsigned b = 0; b < f->nblocks; b++) {
        const size_t n = w.joins[b].list.len;
        f->join_web[b] = arena_array(f->arena, int, n + 1);
        for (size_t k = 0; k < n; k++)
            f->join_web[b][k] = (int)web[find(&w, w.joins[b].list.data[k].def)];
        f->join_web[b][n] = -1;
    }
    for (unsigned b = 0; b < f->nblocks; b++) vec_free(&w.joins[b].list);
    free(w.joins);
    free(web);
    vec_free(&webs);
    vec_free(&w.defs);
    map_deinit(&w.parameters);
}
