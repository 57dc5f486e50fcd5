// SPDX-License-Identifier: MIT
#ifndef API_IMAGE_H
#define API_IMAGE_H
#include "api/transfer.h"

/** Whether it has neither slices nor layers: no slice pitch. */
bool api_image_is_flat(const struct _cl_mem *image);
/** Checks a region of an image, in pixels, and gives where it lies. */
cl_int api_image_box(cl_mem image, const size_t *origin, const size_t *region, struct side *at);
#endif
