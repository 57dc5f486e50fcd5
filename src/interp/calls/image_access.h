// SPDX-License-Identifier: MIT
#ifndef INTERP_IMAGE_ACCESS_H
#define INTERP_IMAGE_ACCESS_H
#include "check/check.h"
#include "interp/calls/sys.h"
#include "interp/core/fault.h"
#include "interp/core/gang.h"
#include "interp/images/pixel.h"
#include "interp/images/texel.h"
#include "interp/vm.h"

/** The lanes of one access that use the same image and the same sampler. */
struct vm_image_access {
    struct vm_gang *g;
    const struct vm_image_op *q;
    const struct bc_insn *src;
    const struct vm_object *o;
    const struct vm_image *image;
    struct vm_pixel_format format;
    struct vm_fault_run faults;
    uint8_t mask[VM_MAX_WIDTH]; // those lanes
    uint32_t from, to;          // their range, rounded to multiples of 16 for the race check
    unsigned ndims;             // coordinates of the image without its layer
    struct vm_sampling s;
};

static inline bool vm_image_is_read_write(const struct vm_object *o)
{
    return !(o->flags & (VM_READ_ONLY | VM_WRITE_ONLY));
}

/** Reports the lane's access of a pixel. */
void vm_image_report(struct vm_image_access *x, uint32_t lane, enum chk_fault_kind kind,
                     const int32_t *const at[3], bool is_filtered);
/**
 * Passes the x->format.size bytes at the gang's offsets to the race check, for the lanes of
 * ok_mask. values: from x->from on; NULL: a read.
 */
void vm_image_watch(struct vm_image_access *x, const void *values);
/** Marks these bytes as written. */
void vm_image_define(const struct vm_image_access *x);

/** Block accesses (BC_IMAGE_BLOCK) of cl_intel_subgroups. */
void vm_image_block(struct vm_image_access *x);
/**
 * Before a block read: finds lanes that read undefined bytes, sets now (V bits) and from (origins)
 * for them, and returns their number.
 */
uint32_t vm_image_block_undefined(struct vm_image_access *x, uint8_t *now, uint64_t *from);
#endif
