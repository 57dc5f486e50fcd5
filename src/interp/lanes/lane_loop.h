// SPDX-License-Identifier: MIT
#ifndef INTERP_LANE_LOOP_H
#define INTERP_LANE_LOOP_H
// For the files that are compiled once for each instruction set.

#define CAT_(a, b) a##b
#define CAT(a, b)  CAT_(a, b)

#if defined __clang__
#define LANES _Pragma("clang loop vectorize(assume_safety)")
#else
#define LANES _Pragma("GCC ivdep")
#endif
/** A loop that is not inlined into each caller: these loops dominate build time. */
#define OUTLINE static __attribute__((noinline, unused))
#define INLINE                                                                                     \
    static inline __attribute__((always_inline)) // so that constant arguments create variants
#define ALIGNED(p) __builtin_assume_aligned((p), 64)

/** Copies of a few vectors, which memcpy would split in halves. */
typedef char vm_line32 __attribute__((vector_size(32), aligned(1), may_alias));
INLINE void copy_line(void *to, const void *from, unsigned bytes)
{
    for (unsigned at = 0; at + 32 <= bytes; at += 32)
        *(vm_line32 *)((char *)to + at) = *(const vm_line32 *)((const char *)from + at);
    if (bytes & 16)
        __builtin_memcpy((char *)to + (bytes & ~31u), (const char *)from + (bytes & ~31u), 16);
}

#define HANDLER(name) static const struct vm_insn *name(struct vm_gang *g, const struct vm_insn *ip)
#define START                                                                                      \
    char *const r = g->r;                                                                          \
    const uint32_t n = g->n & ~(VM_PAD - 1u)
#endif
