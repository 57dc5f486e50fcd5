// SPDX-License-Identifier: MIT
#ifndef DEVICES_CAPTURE_WATCH_H
#define DEVICES_CAPTURE_WATCH_H
#include "base/map.h"

/**
 * The hashes of the pieces (PACK_PIECE) of large memory, of which only those are computed again
 * that were written since the last call. The caller frees them. NULL: it cannot be watched. All
 * writes must be stores of processors: not those of devices to pinned pages, which leave no trace.
 */
struct hash_wide *capture_watch(const void *data, uint64_t size);
#endif
