// SPDX-License-Identifier: MIT
#ifndef REGIONS_FORM_H
#define REGIONS_FORM_H
#include "regions/regions.h"

/**
 * Barriers and parallel regions of one kernel (the paper's §4.3-4.6).
 *
 * The barriers are those of the program's own control flow. A region is the code between a barrier
 * and the next ones (Algorithm 1). A block that is reachable from two barriers is in both regions:
 * instead of tail duplication (§4.4, Algorithm 2), a region has its own copy of each of its blocks.
 * So each path into a barrier has one immediate predecessor barrier, tails merge after every
 * barrier, and the code grows at most by the number of barriers times the number of blocks;
 * duplication of whole tails grows with the number of paths. A region that ends at several barriers
 * is peeled: the first work-item's path decides for all, which uniformity analysis has proved.
 *
 * Besides the barriers of the source there are implicit ones: at entry and exit, and for each
 * b-loop (a loop with a barrier) at the end of every block that enters it, after its header's phis,
 * and before the branch of every latch. Those of b-loops are soft: the compiler assumes that
 * work-items stay together there, but the program does not guarantee it. Only divergence at a
 * source barrier is an error.
 */
enum rg_form_flag {
    RG_HORIZONTAL = 1, // treat inner loops with uniform trip count and path as b-loops, so that the
                       // loop over work-items becomes the inner one (§4.6)
};

enum rg_mark { RG_ENTRY, RG_EXIT, RG_SOURCE, RG_LOOP_ENTRY, RG_LOOP_HEADER, RG_LOOP_LATCH };

struct rg_bar {
    enum rg_mark mark;
    unsigned block;     // the barrier is at its end (LOOP_HEADER: at its beginning); ENTRY: 0;
                        // EXIT: none
    bool unconditional; // every work-item passes it: it dominates every exit and is under uniform
                        // control
    bool varying;       // reached under divergent control
    bool horizontal;    // of a loop without source barriers: created by RG_HORIZONTAL
};

/** The code between barriers: entered only at its barrier, left only to barriers. */
struct rg_region {
    unsigned from;             // barrier
    unsigned *blocks, nblocks; // in scheduling order
    unsigned *to, nto;         // barriers
    bool peeled;               // left to several barriers: the first work-item's path decides
};

/**
 * A value defined in one region and used in another: it needs a slot in the context of each
 * work-item or, if it is uniform, of the group.
 */
struct rg_carried {
    int web;               // a variable's web, or -1
    LLVMValueRef value;    // or an SSA value
    bool uniform;          // one scalar for the group
    uint64_t offset, size; // bytes, in that context
};

struct rg_workgroup {
    const struct rg_fn *fn;
    struct rg_bar *bars;
    unsigned nbars;
    struct rg_region *regions; // region i starts at barrier i; the exit's is empty
    unsigned nregions;
    struct rg_carried *carried;
    unsigned ncarried;
    uint64_t item_bytes, group_bytes; // of the two contexts
    LLVMValueRef
        *locals; // automatic local variables: they become arguments of the work-group function
    unsigned nlocals;
    unsigned flags;
    unsigned duplicated; // copies of blocks beyond the first
    bool is_regions;     // all work-items of a group go the same way from region to region
    char *why_not;       // otherwise: why a work-group function needs continuations
};

/**
 * Forms the regions of a function for which rg_variables and rg_uniformity have run. Lives in the
 * arena.
 */
void rg_form(const struct rg_fn *f, unsigned flags, struct arena *a, struct rg_workgroup *out);

/** Must a value defined in block `def` and used in block `use` outlive a region? */
bool rg_crosses(const struct rg_workgroup *w, unsigned def, unsigned use);

/** Whether a loop counts as a b-loop under these flags. */
bool rg_is_b_loop(const struct rg_fn *f, const struct rg_loop *l, unsigned flags);

/**
 * Lists every violated invariant, one line each; nothing if all hold:
 *   - a region is entered only through its barrier: every block of it is reachable from there
 *     without passing another barrier, and every edge out of a block leads to a block of the region
 *     or to one of the barriers that it lists (a return: to the exit);
 *   - every reachable block is in a region, and every barrier but the entry ends one;
 *   - a value defined in one region and used in another is carried;
 *   - in the form `regions` no barrier of the source is under divergent control.
 */
void rg_validate(const struct rg_workgroup *w, struct str *violations);

/** The name of a variable in the source; NULL: none. */
typedef const char *rg_name_fn(void *context, LLVMValueRef variable);

/** A description as text: barriers, regions, carried values, form. */
void rg_dump(const struct rg_workgroup *w, const char *name, rg_name_fn *names, void *context,
             struct str *out);
/** The same as a graph in the language of Graphviz. */
void rg_dot(const struct rg_workgroup *w, const char *name, struct str *out);

/**
 * The passes from a function's IR to its work-group form, in order. After each its result is
 * validated in developers' builds (and always under CLDBG_REGIONS_VALIDATE); CLDBG_REGIONS_SKIP
 * names optional passes to be left out (split, horizontal), CLDBG_REGIONS_PRINT those after which
 * the form is printed to stderr.
 */
struct err *rg_run_passes(struct rg_fn *f, const char *name, struct arena *a,
                          struct rg_workgroup *out);
#endif
