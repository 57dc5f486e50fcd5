// SPDX-License-Identifier: MIT
#ifndef INTERP_IMAGE_FENCES_H
#define INTERP_IMAGE_FENCES_H
#include "base/map.h"
#include "interp/core/gang.h"

/**
 * Pixels of read_write images that a work-item writes and then reads itself: OpenCL C 3.0, section
 * 6.15.15, requires an atomic_work_item_fence(CLK_IMAGE_MEM_FENCE, …), or a barrier with this flag.
 * For each pixel, the last writer in the group is kept, with the number of fences that it had
 * executed.
 */
struct vm_image_fences {
    struct map writers; // address of the pixel → item + 1 | fences << 32
    uint32_t *fences;   // by item: how many it has executed; NULL: no pixel was written yet
};

void vm_image_fences_deinit(struct vm_image_fences *f);
/**
 * After a barrier that the whole group passed, or at the start of another group: forgets all
 * writes.
 */
static inline void vm_image_fences_clear(struct vm_image_fences *f)
{
    if (f->writers.len) map_clear(&f->writers);
}
/** The lane writes this pixel. */
void vm_image_writes(struct vm_gang *g, uint32_t lane, const void *pixel);
/** Did the lane itself write this pixel, without a fence since? */
bool vm_image_is_unfenced(const struct vm_gang *g, uint32_t lane, const void *pixel);
/** The active lanes execute a fence of images. */
void vm_image_fence(struct vm_gang *g);
#endif
