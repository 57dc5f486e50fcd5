// SPDX-License-Identifier: MIT
#ifndef FUZZ_PACKS_H
#define FUZZ_PACKS_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * A file of many captured launches: lists and reads them. The checksums are set right first, or no
 * damage would come far; an odd byte 16 leaves them as they are. Was one launch read?
 */
bool fuzz_pack(const uint8_t *data, size_t size);
#endif
