// SPDX-License-Identifier: MIT
#ifndef INTERP_GANG_LIVELOCK_H
#define INTERP_GANG_LIVELOCK_H
#include "interp/livelock/fingerprint.h"

struct vm_gang;

/** Since when a gang has written nothing, and what it was like: see gang_livelock.c. */
struct vm_quiet {
    uint64_t since, look_at, pause; // instructions of the gang
    uint64_t effects;
    struct vm_snapshot anchor;
    uint32_t looks, most, renew;
    uint32_t depth, loc, calls[16], ncalls; // of the outermost jump back of the round
};

/** The gang starts: it is not quiet yet. */
void vm_quiet_start(struct vm_gang *g);

/** The gang lets others run, who may change what it reads. */
void vm_quiet_forget(struct vm_gang *g);

/**
 * At a jump back, when g->insns reached g->quiet.look_at: true when the gang would never end, which
 * is told.
 */
bool vm_is_endless(struct vm_gang *g);
#endif
