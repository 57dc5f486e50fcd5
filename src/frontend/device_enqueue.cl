// SPDX-License-Identifier: MIT
// Device-side enqueue, in OpenCL C: what clang calls for enqueue_kernel, ndrange_1D and so on. Put in front of programs that use them;
// linked to those that come as bitcode.
//
// A work-item describes a launch to the device part by part (__cldbg_enqueue; enum bc_enqueue in bytecode/bytecode.h has the parts).
// The memory that describes it (range, events, local sizes, the block's captured values) is read here by ordinary loads, which are
// checked as those of the program are.
#define __cldbg_lib __attribute__((nodebug)) __attribute__((weak))
#ifdef __CLDBG_DEVICE_ENQUEUE_FUNCTIONS // linked to a program: the functions have their names of OpenCL C
#define __cldbg_as(name) __asm__(name)
#define __cldbg_overload
#else // in front of it: the program's calls go to functions of other names
#define __cldbg_as(name)
#define __cldbg_overload __attribute__((overloadable))
#define enqueue_marker      __cldbg_enqueue_marker
#define get_default_queue   __cldbg_get_default_queue
#define retain_event        __cldbg_retain_event
#define release_event       __cldbg_release_event
#define create_user_event   __cldbg_create_user_event
#define is_valid_event      __cldbg_is_valid_event
#define set_user_event_status        __cldbg_set_user_event_status
#define capture_event_profiling_info __cldbg_capture_profiling
#define ndrange_1D          __cldbg_ndrange_1D
#define ndrange_2D          __cldbg_ndrange_2D
#define ndrange_3D          __cldbg_ndrange_3D
#endif
ulong __cldbg_enqueue(uint part, ulong a, ulong b);
ulong __cldbg_queue_bits(queue_t q);
queue_t __cldbg_queue_of(ulong bits);
ulong __cldbg_event_bits(clk_event_t e);
clk_event_t __cldbg_event_of(ulong bits);
enum {
    __cldbg_begin, __cldbg_queue, __cldbg_size, __cldbg_captured, __cldbg_wait, __cldbg_local, __cldbg_end, __cldbg_new_event,
    __cldbg_user_event, __cldbg_set_status, __cldbg_retain, __cldbg_release, __cldbg_is_event, __cldbg_profile, __cldbg_query,
    __cldbg_default_queue
};
#ifndef __CLDBG_ERROR_CODES // the program was not built with -g: enqueue_kernel returns CLK_ENQUEUE_FAILURE for any error
#define __CLDBG_ERROR_CODES 0
#endif

// The header of a block, as clang writes it; captured values follow. Sizes are the block's, at most 64 KiB.
struct __cldbg_block {
    uint size, align;
};

__cldbg_lib void __cldbg_enqueue_block(queue_t q, uint flags, private ndrange_t *range, generic void *kernel_of, generic void *block)
{
    uint size = ((generic struct __cldbg_block *)block)->size;
    __cldbg_enqueue(__cldbg_begin, (ulong)kernel_of, flags);
    __cldbg_enqueue(__cldbg_queue, __cldbg_queue_bits(q), size);
    __cldbg_enqueue(__cldbg_size, 0, range->workDimension);
    for (uint k = 0; k < range->workDimension && k < 3; k++) {
        __cldbg_enqueue(__cldbg_size, 1 + k, range->globalWorkOffset[k]);
        __cldbg_enqueue(__cldbg_size, 4 + k, range->globalWorkSize[k]);
        __cldbg_enqueue(__cldbg_size, 7 + k, range->localWorkSize[k]);
    }
    if (size > 65536) return; // (an error, by the part `queue`)
    // (from 8 on: the rest of the header, and the function, serve nothing)
    for (uint at = 16; at < size; at += 8) {
        ulong word = 0;
        __builtin_memcpy(&word, (generic char *)block + at, min(8u, size - at));
        __cldbg_enqueue(__cldbg_captured, at, word);
    }
}

__cldbg_lib void __cldbg_enqueue_waits(uint n, generic clk_event_t *list)
{
    if ((n == 0) != (list == 0)) {
        __cldbg_enqueue(__cldbg_wait, ~0ul, 0); // no event: an error
        return;
    }
    for (uint i = 0; i < n; i++) __cldbg_enqueue(__cldbg_wait, __cldbg_event_bits(list[i]), 0);
}

__cldbg_lib int __cldbg_enqueue_end(generic clk_event_t *event)
{
    int error = (int)__cldbg_enqueue(__cldbg_end, event != 0, 0);
    if (error) return __CLDBG_ERROR_CODES ? error : CLK_ENQUEUE_FAILURE;
    if (event) *event = __cldbg_event_of(__cldbg_enqueue(__cldbg_new_event, 0, 0));
    return 0;
}

__cldbg_lib int __enqueue_kernel_basic(queue_t q, uint flags, private ndrange_t *range, generic void *kernel_of, generic void *block)
{
    __cldbg_enqueue_block(q, flags, range, kernel_of, block);
    return __cldbg_enqueue_end(0);
}

__cldbg_lib int __enqueue_kernel_basic_events(queue_t q, uint flags, private ndrange_t *range, uint n, generic clk_event_t *list,
                                              generic clk_event_t *event, generic void *kernel_of, generic void *block)
{
    __cldbg_enqueue_block(q, flags, range, kernel_of, block);
    __cldbg_enqueue_waits(n, list);
    return __cldbg_enqueue_end(event);
}

__cldbg_lib int __enqueue_kernel_varargs(queue_t q, uint flags, private ndrange_t *range, generic void *kernel_of, generic void *block,
                                         uint nsizes, private size_t *sizes)
{
    __cldbg_enqueue_block(q, flags, range, kernel_of, block);
    for (uint i = 0; i < nsizes; i++) __cldbg_enqueue(__cldbg_local, sizes[i], 0);
    return __cldbg_enqueue_end(0);
}

__cldbg_lib int __enqueue_kernel_events_varargs(queue_t q, uint flags, private ndrange_t *range, uint n, generic clk_event_t *list,
                                                generic clk_event_t *event, generic void *kernel_of, generic void *block, uint nsizes,
                                                private size_t *sizes)
{
    __cldbg_enqueue_block(q, flags, range, kernel_of, block);
    __cldbg_enqueue_waits(n, list);
    for (uint i = 0; i < nsizes; i++) __cldbg_enqueue(__cldbg_local, sizes[i], 0);
    return __cldbg_enqueue_end(event);
}

__cldbg_lib int __cldbg_enqueue_marker(queue_t q, uint n, generic clk_event_t *list, generic clk_event_t *event) __cldbg_as("_Z14enqueue_marker9ocl_queuejPU3AS4K12ocl_clkeventPU3AS4S0_");
int __cldbg_enqueue_marker(queue_t q, uint n, generic clk_event_t *list, generic clk_event_t *event)
{
    __cldbg_enqueue(__cldbg_begin, 0, 0);
    __cldbg_enqueue(__cldbg_queue, __cldbg_queue_bits(q), 16);
    __cldbg_enqueue_waits(n, list);
    return __cldbg_enqueue_end(event);
}

__cldbg_lib queue_t __cldbg_get_default_queue(void) __cldbg_as("_Z17get_default_queuev");
queue_t __cldbg_get_default_queue(void) { return __cldbg_queue_of(__cldbg_enqueue(__cldbg_default_queue, 0, 0)); }

// ---- events
__cldbg_lib void __cldbg_retain_event(clk_event_t e) __cldbg_as("_Z12retain_event12ocl_clkevent");
void __cldbg_retain_event(clk_event_t e) { __cldbg_enqueue(__cldbg_retain, __cldbg_event_bits(e), 0); }
__cldbg_lib void __cldbg_release_event(clk_event_t e) __cldbg_as("_Z13release_event12ocl_clkevent");
void __cldbg_release_event(clk_event_t e) { __cldbg_enqueue(__cldbg_release, __cldbg_event_bits(e), 0); }
__cldbg_lib clk_event_t __cldbg_create_user_event(void) __cldbg_as("_Z17create_user_eventv");
clk_event_t __cldbg_create_user_event(void) { return __cldbg_event_of(__cldbg_enqueue(__cldbg_user_event, 0, 0)); }
__cldbg_lib bool __cldbg_is_valid_event(clk_event_t e) __cldbg_as("_Z14is_valid_event12ocl_clkevent");
bool __cldbg_is_valid_event(clk_event_t e) { return __cldbg_enqueue(__cldbg_is_event, __cldbg_event_bits(e), 0); }
__cldbg_lib void __cldbg_set_user_event_status(clk_event_t e, int status) __cldbg_as("_Z21set_user_event_status12ocl_clkeventi");
void __cldbg_set_user_event_status(clk_event_t e, int status)
{
    __cldbg_enqueue(__cldbg_set_status, __cldbg_event_bits(e), (uint)status);
}

// The two times are written when the event completes; here their memory is checked, by being set to 0.
__cldbg_lib void __cldbg_capture_profiling(clk_event_t e, int what, global void *value) __cldbg_as("_Z28capture_event_profiling_info12ocl_clkeventiPU3AS1v");
void __cldbg_capture_profiling(clk_event_t e, int what, global void *value)
{
    ((global ulong *)value)[0] = 0;
    ((global ulong *)value)[1] = 0;
    __cldbg_enqueue(__cldbg_profile, __cldbg_event_bits(e), (ulong)value);
}

// ---- ranges
__cldbg_lib ndrange_t __cldbg_range(uint dims, private const size_t *offset, private const size_t *global_size, private const size_t *local_size)
{
    ndrange_t r;
    r.workDimension = dims;
    for (uint k = 0; k < 3; k++) {
        r.globalWorkOffset[k] = k < dims && offset ? offset[k] : 0;
        r.globalWorkSize[k] = k < dims ? global_size[k] : 1;
        r.localWorkSize[k] = k < dims && local_size ? local_size[k] : 0;
    }
    return r;
}
#ifdef __CLDBG_DEVICE_ENQUEUE_FUNCTIONS
#define __cldbg_range_function(dims, args) __cldbg_lib ndrange_t __cldbg_ndrange_##dims##D_##args
#else
#define __cldbg_range_function(dims, args) __cldbg_lib __cldbg_overload ndrange_t __cldbg_ndrange_##dims##D
#endif
__cldbg_range_function(1, 1)(size_t g) __cldbg_as("_Z10ndrange_1Dm");
__cldbg_range_function(1, 1)(size_t g) { return __cldbg_range(1, 0, &g, 0); }
__cldbg_range_function(1, 2)(size_t g, size_t l) __cldbg_as("_Z10ndrange_1Dmm");
__cldbg_range_function(1, 2)(size_t g, size_t l) { return __cldbg_range(1, 0, &g, &l); }
__cldbg_range_function(1, 3)(size_t o, size_t g, size_t l) __cldbg_as("_Z10ndrange_1Dmmm");
__cldbg_range_function(1, 3)(size_t o, size_t g, size_t l) { return __cldbg_range(1, &o, &g, &l); }
__cldbg_range_function(2, 1)(const size_t g[2]) __cldbg_as("_Z10ndrange_2DPKm");
__cldbg_range_function(2, 1)(const size_t g[2]) { return __cldbg_range(2, 0, g, 0); }
__cldbg_range_function(2, 2)(const size_t g[2], const size_t l[2]) __cldbg_as("_Z10ndrange_2DPKmS0_");
__cldbg_range_function(2, 2)(const size_t g[2], const size_t l[2]) { return __cldbg_range(2, 0, g, l); }
__cldbg_range_function(2, 3)(const size_t o[2], const size_t g[2], const size_t l[2]) __cldbg_as("_Z10ndrange_2DPKmS0_S0_");
__cldbg_range_function(2, 3)(const size_t o[2], const size_t g[2], const size_t l[2]) { return __cldbg_range(2, o, g, l); }
__cldbg_range_function(3, 1)(const size_t g[3]) __cldbg_as("_Z10ndrange_3DPKm");
__cldbg_range_function(3, 1)(const size_t g[3]) { return __cldbg_range(3, 0, g, 0); }
__cldbg_range_function(3, 2)(const size_t g[3], const size_t l[3]) __cldbg_as("_Z10ndrange_3DPKmS0_");
__cldbg_range_function(3, 2)(const size_t g[3], const size_t l[3]) { return __cldbg_range(3, 0, g, l); }
__cldbg_range_function(3, 3)(const size_t o[3], const size_t g[3], const size_t l[3]) __cldbg_as("_Z10ndrange_3DPKmS0_S0_");
__cldbg_range_function(3, 3)(const size_t o[3], const size_t g[3], const size_t l[3]) { return __cldbg_range(3, o, g, l); }

// ---- queries of a block
/** Work-items of a group; 0: the implementation chooses. */
__cldbg_lib ulong __cldbg_local_items(private const ndrange_t *range)
{
    ulong items = 1;
    for (uint k = 0; k < range->workDimension && k < 3; k++) items *= range->localWorkSize[k];
    return items;
}
__cldbg_lib uint __get_kernel_work_group_size_impl(generic void *kernel_of, generic void *block)
{
    return (uint)__cldbg_enqueue(__cldbg_query, 0, 0);
}
__cldbg_lib uint __get_kernel_preferred_work_group_size_multiple_impl(generic void *kernel_of, generic void *block)
{
    return (uint)__cldbg_enqueue(__cldbg_query, 1, 0);
}
__cldbg_lib uint __get_kernel_max_sub_group_size_for_ndrange_impl(private ndrange_t *range, generic void *kernel_of, generic void *block)
{
    ulong items = __cldbg_local_items(range), most = __cldbg_enqueue(__cldbg_query, 1, 0);
    return (uint)(items && items < most ? items : most);
}
__cldbg_lib uint __get_kernel_sub_group_count_for_ndrange_impl(private ndrange_t *range, generic void *kernel_of, generic void *block)
{
    ulong items = __cldbg_local_items(range), most = __cldbg_enqueue(__cldbg_query, 1, 0);
    if (!items) items = __cldbg_enqueue(__cldbg_query, 0, 0);
    return (uint)((items + most - 1) / most);
}
