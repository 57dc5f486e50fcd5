// SPDX-License-Identifier: MIT
// Redundant-barrier elimination (Wen et al., §4.1; descriptor.c has the reference).
//
// A barrier orders the accesses of a work-item before it and those of another work-item after it.
// An access is before the barrier if the barrier is reachable from it without passing another
// barrier, and after it if the access is reachable from the barrier in the same way. Other barriers
// order all other pairs. The barrier is needed if two accesses of such a pair, one of them a write,
// may touch a common byte in different work-items (their Eq. 5):
//
//     exists l ≠ l':  bytes_a(l) ∩ bytes_b(l') ≠ ∅
//
// where bytes_a is the descriptor of the access with everything but the local ids projected out.
// The barriers are tested one at a time, so that the barriers that stay bound the pairs of the next
// one. A barrier orders only the address spaces that its flags name: with CLK_LOCAL_MEM_FENCE
// alone, it is not needed for accesses of global memory (cldbg reports a program that relies on it:
// missing-fence). Barriers next to atomics, fences and calls with side effects stay, because a
// program may communicate with other work-groups through these.
#include "native/descriptor.h"
#include "native/transform.h"

#include "llvm/ir.h"

#include <isl/constraint.h>
#include <isl/space.h>
#include <string.h>

enum { MAX_ACCESSES = 200 };

struct search {
    struct nat_space s;
    isl_map **bytes; // by access: { [l0, l1, l2] → [byte] }, computed on first use
    bool *made;
    bool *kept; // by block: its end is a barrier that stays
};
enum { LOCAL_FENCE = 1, GLOBAL_FENCE = 2, LOCAL = 3 }; // CLK_…; the address space

static unsigned fences(const struct rg_fn *f, unsigned barrier)
{
    const struct rg_block *b = &f->blocks[barrier];
    if (f->may_part && nat_is_of_sub_groups(b->stop))
        return 0; // other sub-groups do not wait (continuations.c)
    if (b->barrier != RG_WORK_GROUP_BARRIER || LLVMGetNumArgOperands(b->stop) == 0)
        return LOCAL_FENCE | GLOBAL_FENCE;
    LLVMValueRef flags = LLVMGetOperand(b->stop, 0);
    if (!LLVMIsAConstantInt(flags)) return LOCAL_FENCE | GLOBAL_FENCE;
    const uint64_t n = LLVMConstIntGetZExtValue(flags);
    if (!n)
        return LOCAL_FENCE |
               GLOBAL_FENCE; // orders no memory; conservatively treated as ordering both
    return (n & LOCAL_FENCE) | (n & ~1ull ? GLOBAL_FENCE : 0);
}

static bool fenced(const struct nat_access *a, unsigned fence)
{
    if (!a->pointer) return true;
    const unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(a->pointer));
    if (space != LOCAL && !(space == 1 || space == 2)) return true; // either
    return fence == (space == LOCAL ? LOCAL_FENCE : GLOBAL_FENCE);
}

static isl_map *bytes_of(struct search *x, size_t k)
{
    if (!x->made[k]) {
        struct nat_descriptor d;
        char text[80];
        x->made[k] = true;
        nat_describe(&x->s, &x->s.accesses.data[k], -1, -1, &d);
        snprintf(text, sizeof text, "{ [o] -> [b] : o <= b < o + %llu }",
                 (unsigned long long)x->s.accesses.data[k].size);
        isl_map *m = d.map;
        d.map = NULL;
        if (m) m = isl_map_project_out(m, isl_dim_in, 3, isl_map_dim(m, isl_dim_in) - 3);
        if (m) m = isl_map_apply_range(m, isl_map_read_from_str(x->s.isl, text));
        x->bytes[k] = m;
        nat_descriptor_deinit(&d);
    }
    return isl_map_copy(x->bytes[k]);
}

static bool depends(struct search *x, size_t i, size_t j)
{
    const struct nat_access *a = &x->s.accesses.data[i], *b = &x->s.accesses.data[j];
    if ((!a->write && !b->write) || !nat_may_overlap(&x->s, a, b)) return false;
    if (!a->plain || !b->plain || !a->base || a->base != b->base) return true;
    isl_map *p = bytes_of(x, i), *q = bytes_of(x, j);
    if (!p || !q) {
        isl_map_free(p);
        isl_map_free(q);
        return true;
    }
    isl_map *common = isl_map_apply_range(p, isl_map_reverse(q));
    common = isl_map_subtract(common, isl_map_read_from_str(x->s.isl, "{ [a,b,c] -> [a,b,c] }"));
    const isl_bool none = isl_map_is_empty(common);
    isl_map_free(common);
    return none != isl_bool_true;
}

static void reach(const struct search *x, unsigned barrier, bool forward, unsigned fence,
                  bool *seen)
{
    const struct rg_fn *f = x->s.f;
    VEC(unsigned) work = {0};
    if (forward) vec_push(&work, f->blocks[barrier].succ[0]);
    else vec_push(&work, barrier);
    while (work.len) {
        const unsigned b = vec_pop(&work);
        if (seen[b]) continue;
        seen[b] = true;
        const unsigned n = forward ? f->blocks[b].nsucc : f->blocks[b].npred;
        for (unsigned k = 0; k < n && !(forward && x->kept[b] && fences(f, b) & fence); k++) {
            const unsigned next = forward ? f->blocks[b].succ[k] : f->blocks[b].pred[k];
            if (forward || !x->kept[next] || !(fences(f, next) & fence)) vec_push(&work, next);
        }
    }
    vec_free(&work);
}

static bool orders(struct search *x, unsigned barrier, unsigned fence)
{
    const struct rg_fn *f = x->s.f;
    bool *before = arena_array(x->s.arena, bool, f->nblocks),
         *behind = arena_array(x->s.arena, bool, f->nblocks), any = false;
    reach(x, barrier, false, fence, before);
    reach(x, barrier, true, fence, behind);
    const size_t n = x->s.accesses.len;
    for (size_t i = 0; i < n && !any; i++) {
        const struct nat_access *a = &x->s.accesses.data[i];
        if (!before[a->block] || !fenced(a, fence)) continue;
        for (size_t j = 0; j < n && !any; j++) {
            const struct nat_access *b = &x->s.accesses.data[j];
            any = behind[b->block] && fenced(b, fence) && depends(x, i, j);
        }
    }
    return any;
}

static bool is_needed(struct search *x, unsigned barrier)
{
    const unsigned all = fences(x->s.f, barrier);
    return (all & LOCAL_FENCE && orders(x, barrier, LOCAL_FENCE)) ||
           (all & GLOBAL_FENCE && orders(x, barrier, GLOBAL_FENCE));
}

unsigned nat_remove_barriers(const struct rg_fn *f, const struct nat_shape *shape, struct arena *a,
                             struct str *remarks)
{
    struct search x = {0};
    nat_space_init(&x.s, f, shape, a);
    const size_t n = x.s.accesses.len;
    x.bytes = arena_array(a, isl_map *, n + 1);
    x.made = arena_array(a, bool, n + 1);
    x.kept = arena_array(a, bool, f->nblocks);
    unsigned found = 0, taken = 0;
    for (unsigned b = 0; b < f->nblocks; b++) {
        x.kept[b] = f->blocks[b].end == RG_BARRIER && f->blocks[b].barrier != RG_ASYNC_COPY;
        found += x.kept[b];
    }
    VEC(LLVMValueRef) gone = {0};
    for (unsigned b = 0; b < f->nblocks && n <= MAX_ACCESSES; b++) {
        if (f->blocks[b].barrier != RG_WORK_GROUP_BARRIER || f->blocks[b].end != RG_BARRIER ||
            is_needed(&x, b))
            continue;
        x.kept[b] = false;
        vec_push(&gone, f->blocks[b].stop);
    }
    taken = (unsigned)gone.len;
    for (size_t k = 0; k < n; k++) isl_map_free(x.bytes[k]);
    nat_space_deinit(&x.s);
    for (size_t k = 0; k < gone.len; k++) LLVMInstructionEraseFromParent(gone.data[k]);
    vec_free(&gone);
    if (found && n > MAX_ACCESSES)
        str_put(remarks, "barriers stay: there are too many accesses to look at [barriers]\n");
    else if (found && !taken)
        str_printf(remarks, "%s: work-items need what others do before [barriers]\n",
                   found == 1 ? "the barrier stays" : "all barriers stay");
    else if (found)
        str_printf(remarks,
                   "%u of %u barrier%s taken out: no work-item needs what another one does before "
                   "[barriers]\n",
                   taken, found, found == 1 ? "" : "s");
    return taken;
}
