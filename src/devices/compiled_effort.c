// SPDX-License-Identifier: MIT
// How much time proofs and machine code may take. With --engine=auto they are made in the
// background, one at a time, as long as all of them took less than an eighth of the time for which
// launches were interpreted, or would have been, and a little at first. So a program that gains
// nothing from them loses little, as in the ski rental problem (Karlin et al., Algorithmica 1988).
#include "devices/compiled_device.h"

#include <stdatomic.h>
#include <unistd.h>

static const uint64_t AT_FIRST = 250000000; // ns
enum { SHARE = 8 };

static _Atomic uint64_t interpreted, spent; // ns
static _Atomic pid_t busy;                  // the process that makes something: a child made by
                                            // fork has none of the threads

bool compiled_effort_begin(uint64_t least, uint64_t *budget)
{
    *budget = UINT64_MAX;
    if (dev_settings()->engine != DEV_ENGINE_AUTO) return true;
    const uint64_t earned = AT_FIRST + atomic_load(&interpreted) / SHARE,
                   used = atomic_load(&spent);
    if (used >= earned || earned - used < least) return false;
    *budget = earned - used;
    const pid_t me = getpid();
    pid_t now = atomic_load(&busy);
    return now != me && atomic_compare_exchange_strong(&busy, &now, me);
}

void compiled_effort_end(uint64_t took)
{
    if (dev_settings()->engine != DEV_ENGINE_AUTO) return;
    atomic_fetch_add(&spent, took);
    atomic_store(&busy, 0);
}

void compiled_effort_earn(uint64_t took)
{
    atomic_fetch_add_explicit(&interpreted, took, memory_order_relaxed);
}

void compiled_limit(struct proof_question *q, uint64_t budget)
{
    const uint64_t seconds = budget / 1000000000 + 1;
    if (seconds < q->seconds) q->seconds = (uint32_t)seconds;
}
