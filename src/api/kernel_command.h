// SPDX-License-Identifier: MIT
#ifndef API_KERNEL_COMMAND_H
#define API_KERNEL_COMMAND_H
#include "api/cmdgraph.h"

struct api_range { // of a launch
    unsigned dims;
    size_t offset[3], global[3], local[3]; // the first `dims` of each are meaningful
    bool has_local; // local is given; otherwise chosen when the kernel is launched
};
/**
 * Takes the range from the arguments of a call: offset and local may be NULL; global NULL is 0 in
 * each dimension. Checks it as far as possible without the kernel.
 */
cl_int api_range_of(cl_context ctx, cl_uint dims, const size_t *const sizes[3],
                    struct api_range *out);
enum { API_RANGE_OFFSET, API_RANGE_GLOBAL, API_RANGE_LOCAL }; // indices of sizes

/**
 * Checks that the queue may launch the kernel over the range, and chooses range->local if it is not
 * given. The arguments are checked by api_check_args.
 */
cl_int api_check_launch(cl_command_queue q, cl_kernel k, struct api_range *range);
cl_int api_check_args(cl_kernel k);
/** A work-group size for a range. */
void api_choose_local(unsigned dims, const size_t *global, size_t *local);

/**
 * A command that launches the kernel, with the arguments that it has now, over a checked range.
 * NULL: the range is empty.
 */
struct api_command *api_launch_new(cl_kernel k, cl_device_id device, const struct api_range *range);
#endif
