// SPDX-License-Identifier: MIT
#ifndef REGIONS_REGIONS_H
#define REGIONS_REGIONS_H
#include "base/arena.h"
#include "base/err.h"
#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdint.h>

/**
 * The kernel compiler of "pocl: A Performance-Portable OpenCL Implementation" (IJPP 43(5), 2015),
 * §4, over LLVM-C. It reads LLVM IR and never changes it, but for rg_normalize. Terms are the
 * paper's.
 *
 * A block (struct rg_block) is a piece of an LLVM block: those are cut at barriers, so that a
 * barrier is always the end of a block, and in front of calls by which sub-groups exchange
 * something (RG_RECONVERGE), which begin the next one. Blocks are numbered in scheduling order:
 * topological but for back edges, every loop contiguous with its header first.
 */

enum rg_end { RG_BRANCH, RG_RETURN, RG_BARRIER, RG_RECONVERGE, RG_UNREACHABLE };
enum rg_barrier {
    RG_NO_BARRIER,
    RG_WORK_GROUP_BARRIER,
    RG_WAIT_EVENTS,
    RG_ASYNC_COPY,
    RG_COLLECTIVE
};

struct rg_block {
    LLVMBasicBlockRef bb;
    LLVMValueRef first; // first instruction, NULL when there is none
    // The instruction after the last one of the block: for RG_BRANCH, RG_RETURN and RG_UNREACHABLE
    // the terminator itself; for a barrier the call, which is not part of any block, or begins the
    // next one if rg_begins_next is true of it, as it does after RG_RECONVERGE.
    LLVMValueRef stop;
    enum rg_end end;
    enum rg_barrier barrier; // when end is RG_BARRIER
    unsigned nsucc, npred;
    unsigned *succ,
        *pred;       // in the order of the terminator's operands; the same block may stand twice
    int loop;        // innermost, or -1
    int idom, ipdom; // -1: none (entry; the virtual exit)
};

struct rg_loop {
    unsigned header, last; // blocks header..last
    int parent;
    bool has_barrier;
    bool has_reconvergence;
    bool divergent; // work-items may leave it in different iterations (uniformity)
    bool may_spin;  // work-items may wait in it for one another: rg_may_spin
};

/** A private variable kept in registers: see variables.c. */
struct rg_variable {
    LLVMValueRef alloca;
    LLVMTypeRef type;
};

/**
 * A web: definitions of one variable that reach common uses, so that they share registers.
 * Definitions are stores, joins (phi places), and the start (undefined).
 */
struct rg_web {
    unsigned variable;
    bool divergent;
    bool has_undef; // some path reads it before it is written
    unsigned ndefs;
    LLVMValueRef stored; // what its last store writes; NULL: there is none
};

struct rg_fn {
    LLVMValueRef fn;
    struct arena *arena;
    struct rg_block *blocks;
    unsigned nblocks;
    struct rg_loop *loops; // parents before children
    unsigned nloops;
    bool irreducible;
    struct map
        block_of; // instruction → block + 1 (terminators and barrier calls: the block they end)

    bool keep_in_memory; // no variable is promoted: a debugger wants to see them all
    struct rg_variable *vars;
    unsigned nvars;
    struct map var_of; // alloca → variable + 1
    struct rg_web *webs;
    unsigned nwebs;
    struct map web_of; // load, store or declaration of a variable → web + 1
    int **join_web;    // by block: the webs whose definitions meet at its beginning, ended by -1

    struct map private_of; // alloca in memory, or struct given by value, whose stores are all known
                           // → index + 1
    bool *private_varies;  // by that: work-items may hold different things in it
    bool *private_is_pointers; // by that: nothing but pointers is read and written there

    struct map divergent;   // instruction or parameter → 1
    bool *divergent_branch; // by block
    bool ret_divergent;
    bool
        may_part; // work-items may wait for one another: spin loops, barriers under varying control
    bool has_barrier;
    bool groups_vary;      // ids of work-groups are not uniform: several may run together
    bool *varying_control; // by block: runs under control that varies
    bool *decides; // by block: its branch varies while no work-item has diverged, and barriers
                   // depend on it
};

/** Calls that the whole work-group must reach. */
enum rg_barrier rg_barrier_of(LLVMValueRef inst);
/**
 * Calls by which work-items of a sub-group exchange values: those that all of the sub-group must
 * reach, and those that any of it may reach.
 */
enum rg_reconvergence { RG_NO_RECONVERGENCE, RG_RECONVERGES_ALL, RG_RECONVERGES_SOME };
enum rg_reconvergence rg_reconvergence_of(LLVMValueRef inst);
static inline bool rg_begins_next(enum rg_barrier k)
{
    return k == RG_ASYNC_COPY || k == RG_COLLECTIVE;
}
/**
 * Source-level name of a called function declaration ("get_global_id" for "_Z13get_global_idj"); ""
 * if none.
 */
void rg_callee_base_name(LLVMValueRef call, char *buf, size_t size);

/**
 * What is done to a program before all else, in this order; the only changes of its IR.
 * CLDBG_REGIONS_SKIP=split leaves out the third.
 */
struct err *rg_normalize(LLVMModuleRef m);
/** Notes what functions return as without a value until they return it: no_return.c. */
void rg_returned(LLVMModuleRef m);
/**
 * Refuses recursion and indirect calls; inlines into their callers the functions that contain
 * barriers, reconvergence points of sub-groups or loops with atomics (where lanes may wait).
 */
struct err *rg_inline(LLVMModuleRef m);
/** Blocks that always run one after the other become one: block_merging.c. */
void rg_merge_blocks(LLVMModuleRef m);
/**
 * Gives loops with several entries a single one by copying blocks, where that is sound and not too
 * much: node_splitting.c.
 */
void rg_split(LLVMModuleRef m);
/**
 * How many blocks of a function are copies by rg_split; and of one that it left with such a loop,
 * why.
 */
unsigned rg_split_copies(LLVMValueRef fn);
const char *rg_split_why_not(LLVMValueRef fn);

/**
 * A branch of a kernel at which work-items part before a barrier, for a condition on an id and an
 * argument (preconditions.c): the side with the barrier is taken when `id + plus` PREDICATE
 * `argument + value`.
 */
struct rg_precondition {
    LLVMValueRef branch;
    unsigned side; // its successor
    bool is_local; // the id
    unsigned dim;
    LLVMIntPredicate predicate; // an order
    bool wide, narrow;          // 64 bits are compared; the id was cut to 32 on the way
    unsigned arg_bits, arg;     // 0: no argument; else those in which it is added to
    bool arg_signed;            // its extension
    int64_t plus, value;
};
enum { RG_MAX_PRECONDITIONS = 4 };
/** After rg_uniformity: a kernel's preconditions, as many as there is room for. */
unsigned rg_preconditions(const struct rg_fn *f, struct rg_precondition out[RG_MAX_PRECONDITIONS]);

/**
 * Builds blocks, order, dominators and loops of one function; `specialized`: of these preconditions
 * only the side with the barrier.
 */
void rg_cfg_build(struct rg_fn *f, LLVMValueRef fn, struct arena *a);
void rg_cfg_build_specialized(struct rg_fn *f, LLVMValueRef fn,
                              const struct rg_precondition *preconditions, unsigned npreconditions,
                              struct arena *a);
void rg_fn_deinit(struct rg_fn *f);
bool rg_dominates(const struct rg_fn *f, unsigned a, unsigned b);

/** Finds promotable variables and their webs. */
void rg_variables(struct rg_fn *f);

/**
 * Private memory that has the same contents in all work-items (private_memory.c): finds the objects
 * of which that can be known.
 */
void rg_private_find(struct rg_fn *f);
/**
 * Whether what lies behind the pointer is in such an object, and none of its stores has raised it.
 */
bool rg_private_is_uniform(const struct rg_fn *f, LLVMValueRef pointer);
/** The pointer that an instruction stores to, or NULL. */
LLVMValueRef rg_private_written(LLVMValueRef inst);
/** Marks the object of the pointer as divergent after a store. Is this new? */
bool rg_private_raise(struct rg_fn *f, LLVMValueRef pointer);
/** Whether it is such an object, and only pointers are read and written there, one by one. */
bool rg_private_is_pointers(const struct rg_fn *f, LLVMValueRef pointer);

/**
 * Pointers that are signed with their owner, a work-item or work-group (interp/core/signing.h):
 * those into private, local or generic memory, where they are in memory or are numbers. Registers
 * have them unsigned, unless they belong to another owner.
 */
bool rg_has_owner(LLVMTypeRef t); // it is such a pointer, or has one
/** Whether a pointer of the type (or the number it becomes) differs between work-items. */
bool rg_owner_varies(const struct rg_fn *f, LLVMTypeRef t);
/** Whether a load or store of type t through `pointer` has signed pointers in memory. */
bool rg_is_signed_there(const struct rg_fn *f, LLVMTypeRef t, LLVMValueRef pointer);
/**
 * Whether a ptrtoint makes a number that has an owner, not one for a difference of pointers or a
 * test of alignment, which do not depend on it.
 */
bool rg_is_signed_number(LLVMValueRef ptrtoint);

/**
 * Is an instruction an atomic or a volatile load, or a call of a function that leads to one? known:
 * cache for functions, initially empty.
 */
bool rg_reaches_shared(LLVMValueRef inst, struct map *known);
/** Does a branch in the loop depend on the result of such an instruction in it (spin.c)? */
bool rg_may_spin(struct rg_fn *f, const struct rg_loop *l, struct map *known);

/** Finds the functions in which ids of work-groups vary (packed_groups.c). */
void rg_packing(struct rg_fn *fns, unsigned n);

/**
 * Uniformity of all functions together (the paper's §4.6): a parameter varies if some call passes a
 * varying value. fns: the functions with a body, in any order.
 */
void rg_uniformity(struct rg_fn *fns, unsigned n);
/**
 * The same for several work-groups in one gang: group ids and local memory vary everywhere. fns:
 * all called functions.
 */
void rg_uniformity_of_packed(struct rg_fn *fns, unsigned n);
/**
 * Marks in `marked` (zeroed) the blocks that are directly or indirectly control dependent on the
 * branch of a block.
 */
void rg_dependants(const struct rg_fn *f, unsigned block, bool *marked);

/** A step on the path from a condition to the source of its divergence. */
enum rg_link_kind { RG_LINK_VALUE, RG_LINK_BRANCH, RG_LINK_ASSIGNED, RG_LINK_ROOT };
struct rg_link {
    enum rg_link_kind kind;
    LLVMValueRef at; // BRANCH: the terminator; ASSIGNED: the store; ROOT: an id, an atomic, a load,
                     // a parameter
    LLVMValueRef variable; // ASSIGNED; BRANCH: the variable whose value the branch chooses, or NULL
};
/**
 * After rg_uniformity: the path from the divergent branch of a block to the root. Returns the
 * number of links, at most max.
 */
unsigned rg_why_varying(const struct rg_fn *f, unsigned block, struct rg_link *out, unsigned max);
/**
 * The divergent branches that decide whether a barrier's block is reached, the last one in the
 * program first.
 */
unsigned rg_decided_by(const struct rg_fn *f, unsigned barrier, unsigned *out, unsigned max);

static inline bool rg_is_kernel(LLVMValueRef fn)
{
    return LLVMGetFunctionCallConv(fn) == 76;
} // spir_kernel
static inline bool rg_in_loop(const struct rg_loop *l, unsigned block)
{
    return block >= l->header && block <= l->last;
}
static inline bool rg_is_divergent(const struct rg_fn *f, LLVMValueRef v)
{
    return map_get_ptr(&f->divergent, v) != NULL;
}
static inline int rg_web_of(const struct rg_fn *f, LLVMValueRef load_or_store)
{
    uint64_t *w = map_get_ptr(&f->web_of, load_or_store);
    return w ? (int)*w - 1 : -1;
}
static inline int rg_block_of(const struct rg_fn *f, LLVMValueRef inst)
{
    uint64_t *b = map_get_ptr(&f->block_of, inst);
    return b ? (int)*b - 1 : -1;
}
/** The block that the k-th value of a phi comes from; -1: it is not reached. */
static inline int rg_incoming_block(const struct rg_fn *f, LLVMValueRef phi, unsigned k)
{
    return rg_block_of(f, LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(phi, k)));
}
#endif
