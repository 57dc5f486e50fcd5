// SPDX-License-Identifier: MIT
// Functions of cl_intel_subgroups and of its extensions for char, short, long and local memory, by those of cl_khr_subgroup_shuffle. Put in
// front of programs that name them; linked to those that come as bitcode or SPIR-V.
//
// In a block access of memory, component k of lane l is element l + k * get_max_sub_group_size(); in one of an image, it is element l of row
// k of the block. All lanes of a full sub-group must take part, with the same pointer or coordinates.
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

__attribute__((overloadable, convergent)) void __cldbg_sub_group_block_pointer(const global void *);
__attribute__((overloadable, convergent)) void __cldbg_sub_group_block_pointer(const local void *);
__attribute__((overloadable, convergent)) void __cldbg_sub_group_block_coordinates(ulong);

// At an address without the alignment that block accesses require, an access that has it: the barrier keeps it from being a race as well.
#define __cldbg_block(SPACE, ALIGNED)                                                                                                 \
    __cldbg_sub_group_block_pointer(p);                                                                                                              \
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
// Reads need the alignment of ALIGNED (for local memory, that of writes).
#define __cldbg_widths(SPACE, NAME, T, ALIGNED)                                                                                       \
    __cldbg_blocks(SPACE, NAME, T, , ALIGNED, __cldbg_1, __cldbg_write_only)                                                          \
    __cldbg_blocks(SPACE, NAME, T, 2, ALIGNED, __cldbg_2, __cldbg_write) __cldbg_blocks(SPACE, NAME, T, 4, ALIGNED, __cldbg_4, __cldbg_write) \
    __cldbg_blocks(SPACE, NAME, T, 8, ALIGNED, __cldbg_8, __cldbg_write)
#define __cldbg_spaces(SPACE, FOUR, EIGHT)                                                                                            \
    __cldbg_widths(SPACE, , uint, FOUR) __cldbg_widths(SPACE, _ui, uint, FOUR) __cldbg_widths(SPACE, _ul, ulong, EIGHT)               \
    __cldbg_widths(SPACE, _us, ushort, FOUR) __cldbg_blocks(SPACE, _us, ushort, 16, FOUR, __cldbg_16, __cldbg_write)                  \
    __cldbg_widths(SPACE, _uc, uchar, FOUR) __cldbg_blocks(SPACE, _uc, uchar, 16, FOUR, __cldbg_16, __cldbg_write)
__cldbg_spaces(global, uint, ulong) __cldbg_spaces(local, uint4, uint4)

// Images: rows of bytes. The coordinates of one access: x of the block in bytes, row, byte in the block, 0
#define __cldbg_image_reads(ACCESS)                                                                                                   \
    __attribute__((overloadable)) uint __cldbg_image_block_read1(ACCESS image2d_t, int4);                                                     \
    __attribute__((overloadable)) uint __cldbg_image_block_read2(ACCESS image2d_t, int4);                                                     \
    __attribute__((overloadable)) uint __cldbg_image_block_read4(ACCESS image2d_t, int4);                                                     \
    __cldbg_fn uchar __cldbg_in(ACCESS image2d_t i, int4 at, uchar t) { return __cldbg_image_block_read1(i, at); }                            \
    __cldbg_fn ushort __cldbg_in(ACCESS image2d_t i, int4 at, ushort t) { return __cldbg_image_block_read2(i, at); }                          \
    __cldbg_fn uint __cldbg_in(ACCESS image2d_t i, int4 at, uint t) { return __cldbg_image_block_read4(i, at); }                              \
    __cldbg_fn ulong __cldbg_in(ACCESS image2d_t i, int4 at, ulong t)                                                                 \
    {                                                                                                                                 \
        const uint low = __cldbg_image_block_read4(i, at);                                                                                    \
        return low | (ulong)__cldbg_image_block_read4(i, at + (int4)(0, 0, 4, 0)) << 32;                                                      \
    }                                                                                                                                 \
    __cldbg_image_widths(__cldbg_image_read, ACCESS)
#define __cldbg_image_writes(ACCESS)                                                                                                  \
    __attribute__((overloadable)) void __cldbg_image_block_write1(ACCESS image2d_t, int4, uint);                                              \
    __attribute__((overloadable)) void __cldbg_image_block_write2(ACCESS image2d_t, int4, uint);                                              \
    __attribute__((overloadable)) void __cldbg_image_block_write4(ACCESS image2d_t, int4, uint);                                              \
    __cldbg_fn void __cldbg_out(ACCESS image2d_t i, int4 at, uchar x) { __cldbg_image_block_write1(i, at, x); }                               \
    __cldbg_fn void __cldbg_out(ACCESS image2d_t i, int4 at, ushort x) { __cldbg_image_block_write2(i, at, x); }                              \
    __cldbg_fn void __cldbg_out(ACCESS image2d_t i, int4 at, uint x) { __cldbg_image_block_write4(i, at, x); }                                \
    __cldbg_fn void __cldbg_out(ACCESS image2d_t i, int4 at, ulong x)                                                                 \
    {                                                                                                                                 \
        __cldbg_image_block_write4(i, at, (uint)x);                                                                                           \
        __cldbg_image_block_write4(i, at + (int4)(0, 0, 4, 0), (uint)(x >> 32));                                                              \
    }                                                                                                                                 \
    __cldbg_image_widths(__cldbg_image_write, ACCESS)
#define __cldbg_image_widths(FN, ACCESS)                                                                                              \
    __cldbg_image_width(FN, ACCESS, , uint) __cldbg_image_width(FN, ACCESS, _ui, uint) __cldbg_image_width(FN, ACCESS, _ul, ulong)    \
    __cldbg_image_width(FN, ACCESS, _us, ushort) FN(ACCESS, _us, ushort, 16, __cldbg_16, __cldbg_row_out)                             \
    __cldbg_image_width(FN, ACCESS, _uc, uchar) FN(ACCESS, _uc, uchar, 16, __cldbg_16, __cldbg_row_out)
#define __cldbg_image_width(FN, ACCESS, NAME, T)                                                                                      \
    FN(ACCESS, NAME, T, , __cldbg_1, __cldbg_row_out_only) FN(ACCESS, NAME, T, 2, __cldbg_2, __cldbg_row_out)                         \
    FN(ACCESS, NAME, T, 4, __cldbg_4, __cldbg_row_out) FN(ACCESS, NAME, T, 8, __cldbg_8, __cldbg_row_out)
#define __cldbg_at(k) (int4)(at.x, add_sat(at.y, 0x##k), l, 0)
#define __cldbg_row_in(k) __cldbg_in(image, __cldbg_at(k), none)
#define __cldbg_row_out(k) __cldbg_out(image, __cldbg_at(k), x.s##k)
#define __cldbg_row_out_only(k) __cldbg_out(image, __cldbg_at(k), x)
#define __cldbg_image_read(ACCESS, NAME, T, N, EACH, WRITE)                                                                           \
    __cldbg_fn T##N intel_sub_group_block_read##NAME##N(ACCESS image2d_t image, int2 at)                                              \
    {                                                                                                                                 \
        __cldbg_sub_group_block_coordinates(as_ulong(at));                                                                                    \
        const T none = 0;                                                                                                             \
        const int l = get_sub_group_local_id() * sizeof(T);                                                                           \
        return (T##N)(EACH(__cldbg_row_in));                                                                                          \
    }
#define __cldbg_image_write(ACCESS, NAME, T, N, EACH, WRITE)                                                                          \
    __cldbg_fn void intel_sub_group_block_write##NAME##N(ACCESS image2d_t image, int2 at, T##N x)                                     \
    {                                                                                                                                 \
        __cldbg_sub_group_block_coordinates(as_ulong(at));                                                                                    \
        const int l = get_sub_group_local_id() * sizeof(T);                                                                           \
        EACH(WRITE);                                                                                                                  \
    }
__cldbg_image_reads(read_only) __cldbg_image_writes(write_only)
#if __OPENCL_C_VERSION__ >= 200 || __OPENCL_CPP_VERSION__
__cldbg_image_reads(read_write) __cldbg_image_writes(read_write)
#endif

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
#undef __cldbg_image_reads
#undef __cldbg_image_writes
#undef __cldbg_image_widths
#undef __cldbg_image_width
#undef __cldbg_at
#undef __cldbg_row_in
#undef __cldbg_row_out
#undef __cldbg_row_out_only
#undef __cldbg_image_read
#undef __cldbg_image_write
