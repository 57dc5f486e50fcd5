// SPDX-License-Identifier: MIT
// Profitability of loop interchange (compare Carr, McKinley and Tseng, "Compiler optimizations for
// improving data locality", ASPLOS 1994): whether a loop that all work-items run in step should
// stay the inner loop.
//
// The inner loop, over work-items or of the program, decides the order of the memory accesses: a
// row of consecutive elements, or one element of each of many rows. If the program's loop carries
// values from iteration to iteration, it cannot be vectorized, but the loop over work-items can.
// Otherwise the decision depends on the accesses: their addresses are compared with those of the
// next work-item and of the next iteration. These are estimates: extensions of indices are treated
// as the identity.
#include "native/polynomial.h"
#include "native/transform.h"

#include "llvm/ir.h"

// The constant step of an induction variable, which is the same for all work-items; NULL: the value
// carries more than the position in the loop.
static LLVMValueRef step_of(const struct nat_space *s, LLVMValueRef phi, unsigned loop)
{
    LLVMValueRef init;
    if (LLVMCountIncoming(phi) != 2 || LLVMGetTypeKind(LLVMTypeOf(phi)) != LLVMIntegerTypeKind)
        return NULL;
    if (rg_is_divergent(s->f, phi) && !nat_is_stepped(s, phi, (int)loop, &init)) return NULL;
    for (unsigned k = 0; k < 2; k++) {
        LLVMValueRef next = LLVMGetIncomingValue(phi, k);
        if (!LLVMIsAInstruction(next) || LLVMGetInstructionOpcode(next) != LLVMAdd) continue;
        LLVMValueRef step = LLVMGetOperand(next, LLVMGetOperand(next, 0) == phi);
        if (LLVMGetOperand(next, LLVMGetOperand(next, 0) != phi) == phi && LLVMIsAConstantInt(step))
            return step;
    }
    return NULL;
}

// along: the access moves by its size; near: it moves by its size or not at all.
struct way {
    bool along, near;
};
static struct way way_of(struct nat_polys *p, const struct nat_poly *here,
                         const struct nat_poly *next, uint64_t size)
{
    int64_t far;
    if (!nat_poly_constant(nat_poly_add(p, next, here, -1), &far))
        return (struct way){false, false};
    const bool along = far == (int64_t)size || far == -(int64_t)size;
    return (struct way){along, along || far == 0};
}

// Advances the loop by `rounds` iterations from an arbitrary one; false: the loop carries values.
static bool put_rounds(struct nat_polys *p, unsigned loop, int64_t rounds)
{
    const struct rg_fn *f = p->s->f;
    for (LLVMValueRef i = f->blocks[f->loops[loop].header].first; i && LLVMIsAPHINode(i);
         i = LLVMGetNextInstruction(i)) {
        LLVMValueRef step = step_of(p->s, i, loop);
        if (!step) return false;
        const struct nat_poly *more = nat_poly_number(p, LLVMConstIntGetSExtValue(step));
        *map_put_ptr(&p->env, i, NULL) =
            (uintptr_t)nat_poly_add(p, nat_poly_variable(p, i, NAT_POLY_COUNTER), more, rounds);
    }
    return true;
}

static bool stays_inner(struct nat_space *s, unsigned loop)
{
    const struct rg_loop *l = &s->f->loops[loop];
    bool by_round = false, by_item = false;
    struct nat_polys p;
    nat_polys_init(&p, s, (int)loop);
    p.through = true;
    const struct nat_poly *first = p.ids[0],
                          *second = nat_poly_add(&p, first, nat_poly_number(&p, 1), 1);
    const bool carries = !put_rounds(&p, loop, 0);
    for (size_t k = 0; k < s->accesses.len && !carries; k++) {
        const struct nat_access *x = &s->accesses.data[k];
        if (!rg_in_loop(l, x->block) || !x->pointer) continue;
        const struct nat_poly *here = nat_poly_of(&p, x->pointer);
        p.ids[0] = second;
        const struct nat_poly *item = nat_poly_of(&p, x->pointer);
        p.ids[0] = first;
        put_rounds(&p, loop, 1);
        const struct nat_poly *round = nat_poly_of(&p, x->pointer);
        put_rounds(&p, loop, 0);
        if (!here) continue;
        const struct way by_k = way_of(&p, here, round, x->size),
                         by_l = way_of(&p, here, item, x->size);
        by_round |= by_k.along && !by_l.near;
        by_item |= by_l.along && !by_k.near;
    }
    nat_polys_deinit(&p);
    return !carries && by_round && !by_item;
}

const bool *nat_inner_loops(const struct rg_fn *f, const struct nat_shape *shape, struct arena *a)
{
    struct nat_space s;
    bool *stays = arena_array(a, bool, f->nloops + 1);
    if (shape->local[0] == 1 || f->irreducible) return stays;
    nat_space_init(&s, f, shape, a);
    for (unsigned l = 0; l < f->nloops; l++)
        stays[l] = !f->loops[l].has_barrier && stays_inner(&s, l);
    nat_space_deinit(&s);
    return stays;
}
