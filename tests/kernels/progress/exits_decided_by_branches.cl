// SPDX-License-Identifier: MIT
// Loops that wait by a branch which is not an exit: it decides whether a counter moves, a flag is set, an exit is reached, or which value
// a condition takes. Each is a lock that work-items of one gang want, which must run apart to end.
// RUN: --build-options=-DCOUNTER --global=32 --local=16 --arg=int[1]=0 --arg=int[1]=0
// RUN: --build-options=-DFLAG --global=32 --local=16 --arg=int[1]=0 --arg=int[1]=0
// RUN: --build-options=-DEXIT --global=32 --local=16 --arg=int[1]=0 --arg=int[1]=0
// RUN: --build-options=-DVALUE --global=32 --local=16 --arg=int[1]=0 --arg=int[1]=0
// DUMP 1: [32]
static bool try_lock(volatile global int *lock)
{
    return atomic_cmpxchg(lock, 0, 1) == 0;
}

static void add_and_unlock(volatile global int *lock, volatile global int *sum)
{
    atomic_inc(sum);
    atomic_xchg(lock, 0);
}

kernel void count(volatile global int *lock, volatile global int *sum)
{
#if defined COUNTER
    for (int turn = 0; turn < 1;) {
        if (!try_lock(lock)) continue;
        add_and_unlock(lock, sum);
        turn++;
    }
#elif defined FLAG
    bool done = false;
    while (!done) {
        if (try_lock(lock)) {
            add_and_unlock(lock, sum);
            done = true;
        }
    }
#elif defined EXIT
    const int last = get_local_size(0);
    for (;;) {
        if (!try_lock(lock)) continue;
        add_and_unlock(lock, sum);
        if (last > 0) break;
    }
#else
    bool waits = true;
    while (waits) waits = try_lock(lock) ? false : true;
    add_and_unlock(lock, sum);
#endif
}
