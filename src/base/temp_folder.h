// SPDX-License-Identifier: MIT
#ifndef BASE_TEMP_FOLDER_H
#define BASE_TEMP_FOLDER_H
#include "base/err.h"

/**
 * A folder of this process (mode 0700) for the time that it needs one. A process that is killed
 * leaves its folder; the next one that makes a folder of the same purpose and user removes it.
 * Zeroed storage has no folder.
 */
struct temp_folder {
    char *path;
    int lock;
};

/** $TMPDIR, or /tmp. */
const char *temp_folder_place(void);
/** "cldbg-PURPOSE-XXXXXX" in the folder `in`; NULL: $TMPDIR, or /tmp. */
struct err *temp_folder_create(struct temp_folder *f, const char *in, const char *purpose);
/** Removes it with everything in it. */
void temp_folder_destroy(struct temp_folder *f);
#endif
