// SPDX-License-Identifier: MIT
// Functions of cl_intel_subgroups and of its extensions for char, short, long and local memory, by those of cl_khr_subgroup_shuffle. Put in
// front of programs that name them; linked to those that come as bitcode or SPIR-V. The forms for images are absent.
//
// In a block access, component k of lane l is element l + k * get_max_sub_group_size(). All lanes of the sub-group must take part.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#ifdef __CLDBG_SUB_GROUP_FUNCTIONS
#define __cldbg_fn __attribute__((overloadable, convergent, nodebug))
#else
#define __cldbg_fn __attribute__((overloadable, convergent, nodebug, always_inline)) inline
#endif

// Of vectors, too: clang declares only those of scalars. T: the type, N: its components or nothing, M: as it is mangled
#define __cldbg_move(T, N, M)                                                                                                         \
    __attribute__((convergent)) T##N __cldbg_shuffle_##T##N(T##N x, uint i) __asm__("_Z17sub_group_shuffle" M "j");                   \
    __cldbg_fn T##N intel_sub_group_shuffle(T##N x, uint i) { return __cldbg_shuffle_##T##N(x, i); }                                  \
    __cldbg_fn T##N intel_sub_group_shuffle_xor(T##N x, uint i) { return __cldbg_shuffle_##T##N(x, get_sub_group_local_id() ^ i); }   \
    __cldbg_fn T##N intel_sub_group_shuffle_down(T##N x, T##N next, uint by)                                                          \
    {                                                                                                                                 \
        const uint lane = get_sub_group_local_id(), most = get_max_sub_group_size(), at = lane + by;                                  \
        const T##N here = __cldbg_shuffle_##T##N(x, at < most ? at : lane);                                                           \
        const T##N there = __cldbg_shuffle_##T##N(next, at < most ? lane : at - most);                                                \
        return at < most ? here : there;                                                                                              \
    }                                                                                                                                 \
    __cldbg_fn T##N intel_sub_group_shuffle_up(T##N previous, T##N x, uint by)                                                        \
    {                                                                                                                                 \
        const uint lane = get_sub_group_local_id(), most = get_max_sub_group_size();                                                  \
        const T##N here = __cldbg_shuffle_##T##N(x, by <= lane ? lane - by : lane);                                                   \
        const T##N there = __cldbg_shuffle_##T##N(previous, by <= lane ? lane : lane + most - by);                                    \
        return by <= lane ? here : there;                                                                                             \
    }
#define __cldbg_moves(T, M)                                                                                                           \
    __cldbg_move(T, , M) __cldbg_move(T, 2, "Dv2_" M) __cldbg_move(T, 3, "Dv3_" M) __cldbg_move(T, 4, "Dv4_" M)                       \
    __cldbg_move(T, 8, "Dv8_" M) __cldbg_move(T, 16, "Dv16_" M)
__cldbg_moves(char, "c") __cldbg_moves(uchar, "h") __cldbg_moves(short, "s") __cldbg_moves(ushort, "t")
__cldbg_moves(int, "i") __cldbg_moves(uint, "j") __cldbg_moves(float, "f")
__cldbg_move(long, , "l") __cldbg_move(ulong, , "m") __cldbg_move(double, , "d") __cldbg_move(half, , "Dh")

#define __cldbg_broadcast(T, N, M)                                                                                                    \
    __attribute__((convergent)) T##N __cldbg_broadcast_##T##N(T##N x, uint i) __asm__("_Z19sub_group_broadcast" M "j");               \
    __cldbg_fn T##N intel_sub_group_broadcast(T##N x, uint i) { return __cldbg_broadcast_##T##N(x, i); }
#define __cldbg_combine(T, OP)                                                                                                        \
    __cldbg_fn T intel_sub_group_reduce_##OP(T x) { return sub_group_reduce_##OP(x); }                                                \
    __cldbg_fn T intel_sub_group_scan_inclusive_##OP(T x) { return sub_group_scan_inclusive_##OP(x); }                                \
    __cldbg_fn T intel_sub_group_scan_exclusive_##OP(T x) { return sub_group_scan_exclusive_##OP(x); }
#define __cldbg_collectives(T, M)                                                                                                     \
    __cldbg_broadcast(T, , M) __cldbg_broadcast(T, 2, "Dv2_" M) __cldbg_broadcast(T, 3, "Dv3_" M) __cldbg_broadcast(T, 4, "Dv4_" M)   \
    __cldbg_broadcast(T, 8, "Dv8_" M) __cldbg_broadcast(T, 16, "Dv16_" M)                                                             \
    __cldbg_combine(T, add) __cldbg_combine(T, min) __cldbg_combine(T, max)
__cldbg_collectives(char, "c") __cldbg_collectives(uchar, "h") __cldbg_collectives(short, "s") __cldbg_collectives(ushort, "t")

// A vote that all lanes take part in. At an address without the alignment that block accesses require, an access that has it: the barrier
// keeps it from being a race as well.
#define __cldbg_block(SPACE, ALIGNED)                                                                                                 \
    sub_group_any(1);                                                                                                                 \
    if ((ulong)p & (sizeof(ALIGNED) - 1)) {                                                                                           \
        const ALIGNED x = *(const volatile SPACE ALIGNED *)p;                                                                         \
        sub_group_barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);                                                                \
    }                                                                                                                                 \
    const uint most = get_max_sub_group_size(), l = get_sub_group_local_id()
#define __cldbg_1(X) X(0)
#define __cldbg_2(X) X(0), X(1)
#define __cldbg_4(X) __cldbg_2(X), X(2), X(3)
#define __cldbg_8(X) __cldbg_4(X), X(4), X(5), X(6), X(7)
#define __cldbg_16(X) __cldbg_8(X), X(8), X(9), X(a), X(b), X(c), X(d), X(e), X(f)
#define __cldbg_read(k) p[l + 0x##k * most]
#define __cldbg_write(k) p[l + 0x##k * most] = x.s##k
#define __cldbg_write_only(k) p[l] = x
#define __cldbg_blocks(SPACE, NAME, T, N, ALIGNED, EACH, WRITE)                                                                       \
    __cldbg_fn T##N intel_sub_group_block_read##NAME##N(const SPACE T *p)                                                             \
    {                                                                                                                                 \
        __cldbg_block(SPACE, ALIGNED);                                                                                                \
        return (T##N)(EACH(__cldbg_read));                                                                                            \
    }                                                                                                                                 \
    __cldbg_fn void intel_sub_group_block_write##NAME##N(SPACE T *p, T##N x)                                                          \
    {                                                                                                                                 \
        __cldbg_block(SPACE, uint4);                                                                                                  \
        EACH(WRITE);                                                                                                                  \
    }
#define __cldbg_widths(SPACE, NAME, T, ALIGNED)                                                                                       \
    __cldbg_blocks(SPACE, NAME, T, , ALIGNED, __cldbg_1, __cldbg_write_only)                                                          \
    __cldbg_blocks(SPACE, NAME, T, 2, ALIGNED, __cldbg_2, __cldbg_write) __cldbg_blocks(SPACE, NAME, T, 4, ALIGNED, __cldbg_4, __cldbg_write) \
    __cldbg_blocks(SPACE, NAME, T, 8, ALIGNED, __cldbg_8, __cldbg_write)
#define __cldbg_spaces(SPACE)                                                                                                         \
    __cldbg_widths(SPACE, , uint, uint) __cldbg_widths(SPACE, _ui, uint, uint) __cldbg_widths(SPACE, _ul, ulong, ulong)               \
    __cldbg_widths(SPACE, _us, ushort, uint) __cldbg_blocks(SPACE, _us, ushort, 16, uint, __cldbg_16, __cldbg_write)                  \
    __cldbg_widths(SPACE, _uc, uchar, uint) __cldbg_blocks(SPACE, _uc, uchar, 16, uint, __cldbg_16, __cldbg_write)
__cldbg_spaces(global) __cldbg_spaces(local)

#pragma OPENCL EXTENSION cl_khr_fp16 : disable
#undef __cldbg_fn
#undef __cldbg_move
#undef __cldbg_moves
#undef __cldbg_broadcast
#undef __cldbg_combine
#undef __cldbg_collectives
#undef __cldbg_block
#undef __cldbg_1
#undef __cldbg_2
#undef __cldbg_4
#undef __cldbg_8
#undef __cldbg_16
#undef __cldbg_read
#undef __cldbg_write
#undef __cldbg_write_only
#undef __cldbg_blocks
#undef __cldbg_widths
#undef __cldbg_spaces
