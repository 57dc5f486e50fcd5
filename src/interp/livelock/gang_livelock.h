// SPDX-License-Identifier: MIT
#ifndef INTERP_GANG_LIVELOCK_H
#define INTERP_GANG_LIVELOCK_H
#include "interp/livelock/fingerprint.h"

struct vm_gang;

/** The time since when a gang has had no effects, and its reference state: see gang_livelock.c. */
struct vm_gang_livelock {
    uint64_t since, look_at, pause; // instructions of the gang
    uint64_t effects;
    struct vm_fingerprint reference;
    uint32_t looks, most, renew;
    uint32_t depth, loc, calls[16], ncalls; // of the outermost backward jump of the cycle
};

/** The gang starts. */
void vm_gang_livelock_start(struct vm_gang *g);

/** The gang yields to others, which may change what it reads: discards the reference state. */
void vm_gang_livelock_reset(struct vm_gang *g);

/**
 * At a backward jump, when g->insns has reached g->livelock.look_at: can the gang never end? If so,
 * reports it.
 */
bool vm_gang_is_livelocked(struct vm_gang *g);
#endif
