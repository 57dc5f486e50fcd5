// SPDX-License-Identifier: MIT
#ifndef DEVICES_CAPTURE_REPEATS_H
#define DEVICES_CAPTURE_REPEATS_H
#include <stdbool.h>
#include <stdint.h>

/**
 * Equal launches of a process are stored once: the files of the later ones are hard links to that
 * of the first. A key is a hash of everything in the file but the number of the launch.
 */
/** Makes `path` a link to an equal capture in the same folder. False: there is none. */
bool capture_link(uint64_t key, const char *path);
/**
 * The name of an equal capture in the same folder, without the folder; NULL: there is none. The
 * caller frees it.
 */
char *capture_equal_file(uint64_t key, const char *path);
/** A capture was written. */
void capture_note(uint64_t key, const char *path);
#endif
