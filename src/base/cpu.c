// SPDX-License-Identifier: MIT
#include "base/cpu.h"

#include "base/env.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

static unsigned machine_level(void)
{
#ifdef __x86_64__
    __builtin_cpu_init();
    bool v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
              __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma");
    bool v4 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
              __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
              __builtin_cpu_supports("avx512vl");
    return !v3 ? 1 : v4 ? 4 : 3;
#else
    return 1;
#endif
}

unsigned cpu_level(void)
{
    static atomic_uint level; // 0: not yet found; threads that race here find the same
    unsigned l = atomic_load_explicit(&level, memory_order_relaxed);
    if (l) return l;
    l = machine_level();
    const char *env = env_get("CLDBG_CPU_LEVEL");
    unsigned wish = env ? (unsigned)strtoul(env, NULL, 10) : l;
    if (wish < l) l = wish >= 3 ? 3 : 1;
    atomic_store_explicit(&level, l, memory_order_relaxed);
    return l;
}
