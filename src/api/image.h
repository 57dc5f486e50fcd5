// SPDX-License-Identifier: MIT
#ifndef API_IMAGE_H
#define API_IMAGE_H
#include "api/transfer.h"

/** Does the image have neither slices nor layers, and so no slice pitch? */
bool api_image_is_flat(const struct _cl_mem *image);
/** Checks a region of an image, in pixels, and computes its location. */
cl_int api_image_box(cl_mem image, const size_t *origin, const size_t *region, struct side *at);
#endif
