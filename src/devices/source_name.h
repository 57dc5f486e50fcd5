// SPDX-License-Identifier: MIT
#ifndef DEVICES_SOURCE_NAME_H
#define DEVICES_SOURCE_NAME_H
#include "bytecode/wire.h"

/**
 * Which files a program's text came from: apps hand over strings, people know files. Gives segments
 * in order, the first at offset 0; text found in no file is `program-<hash>.cl`, known only from
 * the program.
 */
void dev_source_segments(const char *source, size_t len, struct arena *a,
                         const struct wire_segment **segments, uint32_t *n);
#endif
