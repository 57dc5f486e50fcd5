// SPDX-License-Identifier: MIT
#ifndef REGIONS_FORM_H
#define REGIONS_FORM_H
#include "regions/regions.h"

/**
 * Barriers and parallel regions of one kernel (the paper's Algorithm 1), on the program's own control
 * flow: nothing is duplicated or peeled here.
 *
 * Besides the barriers of the source there are implicit ones: at entry and exit, and for each b-loop (a
 * loop with a barrier) at the end of every block that enters it, after its header's phis, and before the
 * branch of every latch. Those of b-loops are soft: an assumption of the compiler that work-items stay
 * together there, not a promise of the program; only a disagreement at a source barrier is a fault.
 */
enum rg_mark { RG_ENTRY, RG_EXIT, RG_SOURCE, RG_LOOP_ENTRY, RG_LOOP_HEADER, RG_LOOP_LATCH };

struct rg_bar {
    enum rg_mark mark;
    unsigned block;     // whose end it is (LOOP_HEADER: whose beginning); ENTRY: 0; EXIT: none
    bool unconditional; // every work-item passes it: it dominates every exit and is under uniform control
    bool varying;       // reached under control that varies
};

/** What runs between barriers: entered only through its barrier, left only to barriers. */
struct rg_region {
    unsigned from;      // barrier
    unsigned *blocks, nblocks; // in scheduling order
    unsigned *to, nto;  // barriers
};

/** A value that is made in one region and used in another: it needs a place in the context array. */
struct rg_carried {
    int web;            // a variable's web, or -1
    LLVMValueRef value; // or an SSA value
    bool uniform;       // one scalar for the group
};

struct rg_workgroup {
    const struct rg_fn *fn;
    struct rg_bar *bars;
    unsigned nbars;
    struct rg_region *regions; // region i starts at barrier i; the exit's is empty
    unsigned nregions;
    struct rg_carried *carried;
    unsigned ncarried;
    bool is_regions;    // every block is in one region and every barrier has one predecessor
    char *why_not;      // else: why a work-group function needs continuations
};

/** Forms the regions of a function for which rg_variables and rg_uniformity have run. Lives in the arena. */
void rg_form(const struct rg_fn *f, struct arena *a, struct rg_workgroup *out);

/** A text for people: barriers, regions, carried values, form. */
void rg_dump(const struct rg_workgroup *w, const char *name, struct str *out);
#endif
