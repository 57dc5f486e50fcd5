// SPDX-License-Identifier: MIT
// Pipes, in OpenCL C: what clang calls for read_pipe, reserve_write_pipe and so on. Put in front of programs that use them; linked to
// those that come as bitcode or SPIR-V, in whose older forms pipes and reservations are pointers (__CLDBG_PIPE_POINTERS).
//
// A pipe's memory is this head, a word for each packet, and from `data` on the packets, a ring. `ready` counts packets that can be
// read, `space` those that can be written: a work-item that takes more than there are gives them back and fails, so no work-item waits for another. Then the next ones of `reads` or `writes` are his. A reservation is its first packet, how many they are, and
// whether they are to be written; its word is that number until it is committed.
// (bytecode/pipe_head.h has the same head.)
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
struct __cldbg_pipe {
    uint size, most, data, reserved;
    atomic_int space, ready;
    atomic_uint reads, writes;
};
typedef global struct __cldbg_pipe *__cldbg_pipe_t;
#define __cldbg_lib __attribute__((nodebug)) __attribute__((weak))
#define __cldbg_none (~0ul)
#ifdef __CLDBG_PIPE_POINTERS
#define __cldbg_reader global struct __cldbg_pipe *
#define __cldbg_writer global struct __cldbg_pipe *
#define __cldbg_reserve_id private void *
#define __cldbg_pipe_of_reader(p) (p)
#define __cldbg_pipe_of_writer(p) (p)
#define __cldbg_reservation_bits(r) ((ulong)(r))
#define __cldbg_reservation(bits) ((private void *)(bits))
__cldbg_lib bool __cldbg_is_valid(private void *r) __asm__("_Z19is_valid_reserve_id13ocl_reserveid");
#else
#define __cldbg_reader read_only pipe int
#define __cldbg_writer write_only pipe int
#define __cldbg_reserve_id reserve_id_t
__cldbg_pipe_t __cldbg_pipe_of_reader(__cldbg_reader p);
__cldbg_pipe_t __cldbg_pipe_of_writer(__cldbg_writer p);
ulong __cldbg_reservation_bits(reserve_id_t r);
reserve_id_t __cldbg_reservation(ulong bits);
#ifdef __CLDBG_PIPE_FUNCTIONS
__cldbg_lib bool __cldbg_is_valid(reserve_id_t r) __asm__("_Z19is_valid_reserve_id13ocl_reserveid");
#else
#undef CLK_NULL_RESERVE_ID
#define CLK_NULL_RESERVE_ID __cldbg_reservation(__cldbg_none)
#define is_valid_reserve_id(r) (__cldbg_reservation_bits(r) != __cldbg_none)
#endif
#endif

__cldbg_lib bool __cldbg_pipe_take(global atomic_int *of, uint n, uint most)
{
    if (n == 0 || n > most) return false;
    if (atomic_fetch_sub_explicit(of, (int)n, memory_order_relaxed, memory_scope_device) >= (int)n) return true;
    atomic_fetch_add_explicit(of, (int)n, memory_order_relaxed, memory_scope_device);
    return false;
}

__cldbg_lib global atomic_uint *__cldbg_pipe_word(__cldbg_pipe_t h, uint at)
{
    return (global atomic_uint *)(h + 1) + at % h->most;
}

__cldbg_lib global char *__cldbg_pipe_packet(__cldbg_pipe_t h, uint at)
{
    return (global char *)h + h->data + (size_t)(at % h->most) * h->size;
}

__cldbg_lib int __read_pipe_2(__cldbg_reader p, generic void *to, uint size, uint align)
{
    __cldbg_pipe_t h = __cldbg_pipe_of_reader(p);
    if (!__cldbg_pipe_take(&h->ready, 1, h->most)) return -1;
    uint at = atomic_fetch_add_explicit(&h->reads, 1u, memory_order_relaxed, memory_scope_device);
    __builtin_memcpy(to, __cldbg_pipe_packet(h, at), size);
    atomic_fetch_add_explicit(&h->space, 1, memory_order_relaxed, memory_scope_device);
    return 0;
}

__cldbg_lib int __write_pipe_2(__cldbg_writer p, generic void *from, uint size, uint align)
{
    __cldbg_pipe_t h = __cldbg_pipe_of_writer(p);
    if (!__cldbg_pipe_take(&h->space, 1, h->most)) return -1;
    uint at = atomic_fetch_add_explicit(&h->writes, 1u, memory_order_relaxed, memory_scope_device);
    __builtin_memcpy(__cldbg_pipe_packet(h, at), from, size);
    atomic_fetch_add_explicit(&h->ready, 1, memory_order_relaxed, memory_scope_device);
    return 0;
}

// The bits of a reservation: 63 always clear, 62 for writing, then how many, then the first.
__cldbg_lib ulong __cldbg_pipe_reserve(__cldbg_pipe_t h, uint n, ulong write)
{
    if (!__cldbg_pipe_take(write ? &h->space : &h->ready, n, h->most)) return __cldbg_none;
    uint at = atomic_fetch_add_explicit(write ? &h->writes : &h->reads, n, memory_order_relaxed, memory_scope_device);
    atomic_store_explicit(__cldbg_pipe_word(h, at), n, memory_order_relaxed, memory_scope_device);
    return write << 62 | (ulong)n << 32 | at;
}

// An invalid reservation, or one of the other direction or that was committed, has no packet. After its last packet there is no memory, at an offset
// that encodes its number of packets and the distance past them (up to 32767): check/fault_report.c reads it back.
__cldbg_lib global char *__cldbg_pipe_reserved(__cldbg_pipe_t h, ulong r, uint index, ulong write)
{
    uint n = (uint)(r >> 32) & 0x3fffffffu, at = (uint)r;
    if (r == __cldbg_none || (r >> 62) != write ||
        atomic_load_explicit(__cldbg_pipe_word(h, at), memory_order_relaxed, memory_scope_device) != n)
        return 0;
    return index < n ? __cldbg_pipe_packet(h, at + index) : (global char *)h + h->data + (h->most + (size_t)min(index - n, 0x7fffu) * (h->most + 1) + n) * h->size;
}

__cldbg_lib void __cldbg_pipe_commit(__cldbg_pipe_t h, ulong r, ulong write)
{
    uint n = (uint)(r >> 32) & 0x3fffffffu;
    if (r == __cldbg_none || (r >> 62) != write ||
        atomic_exchange_explicit(__cldbg_pipe_word(h, (uint)r), 0u, memory_order_relaxed, memory_scope_device) != n) {
        *(global volatile char *)0 = 0; // reported as an invalid reservation
        return;
    }
    atomic_fetch_add_explicit(write ? &h->ready : &h->space, (int)n, memory_order_relaxed, memory_scope_device);
}

__cldbg_lib int __read_pipe_4(__cldbg_reader p, __cldbg_reserve_id r, uint index, generic void *to, uint size, uint align)
{
    global char *from = __cldbg_pipe_reserved(__cldbg_pipe_of_reader(p), __cldbg_reservation_bits(r), index, 0);
    __builtin_memcpy(to, from, size);
    return from ? 0 : -1;
}

__cldbg_lib int __write_pipe_4(__cldbg_writer p, __cldbg_reserve_id r, uint index, generic void *from, uint size, uint align)
{
    global char *to = __cldbg_pipe_reserved(__cldbg_pipe_of_writer(p), __cldbg_reservation_bits(r), index, 1);
    __builtin_memcpy(to, from, size);
    return to ? 0 : -1;
}

// The forms of reserving and committing: by a work-item, a work-group, a sub-group.
#define __cldbg_pipe_forms(KIND, PIPE, OF, WRITE)                                                                             \
    __cldbg_lib __cldbg_reserve_id __reserve_##KIND##_pipe(PIPE p, uint n, uint size, uint align)                             \
    {                                                                                                                         \
        return __cldbg_reservation(__cldbg_pipe_reserve(OF(p), n, WRITE));                                                    \
    }                                                                                                                         \
    __cldbg_lib void __commit_##KIND##_pipe(PIPE p, __cldbg_reserve_id r, uint size, uint align)                              \
    {                                                                                                                         \
        __cldbg_pipe_commit(OF(p), __cldbg_reservation_bits(r), WRITE);                                                       \
    }                                                                                                                         \
    __cldbg_lib __cldbg_reserve_id __work_group_reserve_##KIND##_pipe(PIPE p, uint n, uint size, uint align)                  \
    {                                                                                                                         \
        ulong r = 0;                                                                                                          \
        if (get_local_linear_id() == 0) r = __cldbg_pipe_reserve(OF(p), n, WRITE);                                            \
        return __cldbg_reservation(work_group_broadcast(r, 0, 0, 0));                                                         \
    }                                                                                                                         \
    __cldbg_lib void __work_group_commit_##KIND##_pipe(PIPE p, __cldbg_reserve_id r, uint size, uint align)                   \
    {                                                                                                                         \
        work_group_barrier(CLK_GLOBAL_MEM_FENCE);                                                                             \
        if (get_local_linear_id() == 0) __cldbg_pipe_commit(OF(p), __cldbg_reservation_bits(r), WRITE);                       \
    }                                                                                                                         \
    __cldbg_lib __cldbg_reserve_id __sub_group_reserve_##KIND##_pipe(PIPE p, uint n, uint size, uint align)                   \
    {                                                                                                                         \
        ulong r = 0;                                                                                                          \
        if (get_sub_group_local_id() == 0) r = __cldbg_pipe_reserve(OF(p), n, WRITE);                                         \
        return __cldbg_reservation(sub_group_broadcast(r, 0));                                                                \
    }                                                                                                                         \
    __cldbg_lib void __sub_group_commit_##KIND##_pipe(PIPE p, __cldbg_reserve_id r, uint size, uint align)                    \
    {                                                                                                                         \
        sub_group_barrier(CLK_GLOBAL_MEM_FENCE);                                                                              \
        if (get_sub_group_local_id() == 0) __cldbg_pipe_commit(OF(p), __cldbg_reservation_bits(r), WRITE);                    \
    }
__cldbg_pipe_forms(read, __cldbg_reader, __cldbg_pipe_of_reader, 0)
__cldbg_pipe_forms(write, __cldbg_writer, __cldbg_pipe_of_writer, 1)

__cldbg_lib uint __cldbg_pipe_packets(__cldbg_pipe_t h)
{
    return (uint)max(atomic_load_explicit(&h->ready, memory_order_relaxed, memory_scope_device), 0);
}
__cldbg_lib uint __get_pipe_num_packets_ro(__cldbg_reader p, uint size, uint align) { return __cldbg_pipe_packets(__cldbg_pipe_of_reader(p)); }
__cldbg_lib uint __get_pipe_num_packets_wo(__cldbg_writer p, uint size, uint align) { return __cldbg_pipe_packets(__cldbg_pipe_of_writer(p)); }
__cldbg_lib uint __get_pipe_max_packets_ro(__cldbg_reader p, uint size, uint align) { return __cldbg_pipe_of_reader(p)->most; }
__cldbg_lib uint __get_pipe_max_packets_wo(__cldbg_writer p, uint size, uint align) { return __cldbg_pipe_of_writer(p)->most; }

#if defined __CLDBG_PIPE_FUNCTIONS || defined __CLDBG_PIPE_POINTERS
bool __cldbg_is_valid(__cldbg_reserve_id r) { return __cldbg_reservation_bits(r) != __cldbg_none; }
#endif
