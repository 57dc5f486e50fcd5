// SPDX-License-Identifier: MIT
#ifndef DEVICES_SOURCE_NAME_H
#define DEVICES_SOURCE_NAME_H
#include "bytecode/wire.h"

struct dev_build;
/**
 * Finds the files that the source of a build came from, since apps pass strings. Returns segments
 * in order, the first at offset 0; text that is in no file is named `program-<hash>.cl`.
 */
void dev_source_segments(const struct dev_build *b, struct arena *a,
                         const struct wire_segment **segments, uint32_t *n);
#endif
