// SPDX-License-Identifier: MIT
#ifndef DEVICES_MAPPED_MEMORY_H
#define DEVICES_MAPPED_MEMORY_H
#include <stddef.h>

/** Zeroed memory for a buffer, aligned to 4096 bytes; NULL: no memory. */
void *dev_memory_alloc(size_t size);
void dev_memory_free(void *p, size_t size); // size as in dev_memory_alloc
#endif
