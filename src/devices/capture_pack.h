// SPDX-License-Identifier: MIT
#ifndef DEVICES_CAPTURE_PACK_H
#define DEVICES_CAPTURE_PACK_H
#include "devices/capture_description.h"

/**
 * Writes launches of this process to the file `pack`, under their names. Pieces that several
 * launches have in common are stored once. The calls are serialized by the caller.
 */
struct err *capture_pack_add(const char *pack, const char *path,
                             const struct capture_description *d);
/** Has this process stored the launch under this path? */
bool capture_pack_has(const char *path);
/** In a new process: what the parent wrote is not its own. */
void capture_pack_forget(void);

/** Where a launch is. */
struct capture_place {
    const uint8_t *map; // the whole pack
    uint64_t map_size, launch_at, size, key;
    char *file; // the file in which it is, or NULL: it is in the pack
};
/** Looks for the launch in the packs of the folder of the path, if no file has the path. */
bool capture_find(const char *path, struct capture_place *at);
void capture_place_deinit(struct capture_place *at);
/** The content of the launch, with room for a NUL; the caller frees it, also after a failure. */
struct err *capture_load(const struct capture_place *at, uint8_t **data, uint64_t *size);

// capture_read.c
/** Memory for n bytes and a NUL. */
struct err *capture_room(uint64_t n, uint8_t **data);
/** Takes over the data, which ends with a NUL and has at least 8 bytes. */
struct err *capture_parse(uint8_t *data, uint64_t n, struct dev_capture *out);
#endif
