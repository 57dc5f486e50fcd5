// SPDX-License-Identifier: MIT
#ifndef DEVICES_CAPTURE_DESCRIPTION_H
#define DEVICES_CAPTURE_DESCRIPTION_H
#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"
#include "devices/capture.h"

/** The content of a capture: its description, then the data that it refers to. */
struct capture_blob {
    const void *data;
    uint64_t size;
    const struct hash_wide *hashes; // of its pieces, or NULL: not known
    struct hash_wide *own_hashes;   // the same, if the description owns them
};
struct capture_blobs {
    struct capture_blob *data;
    size_t len, cap;
};
/** A part of the content, of at most PACK_PIECE bytes. */
struct capture_piece {
    const char *data;
    size_t at; // in `brief`
    uint64_t size;
    struct hash_wide hash;
};
struct capture_description {
    struct str brief; // length of the description, the description, then short data
    size_t text_size; // the first two
    struct capture_blobs blobs;
    VEC(struct capture_piece) pieces; // the whole content
    uint64_t key;                     // a hash of everything but the number of the launch
};
/**
 * The data is borrowed. False: the kernel's name is not UTF-8. To be deinitialized in both cases.
 */
bool capture_describe(const struct dev_capture *c, struct capture_description *d);
void capture_description_deinit(struct capture_description *d);
/** The error message about such a name. */
struct err *capture_no_text(const char *path);
/** Writes a file, or makes a link to the file of an equal launch. */
struct err *capture_write_file(const char *path, const struct capture_description *d);
#endif
