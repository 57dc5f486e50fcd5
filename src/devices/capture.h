// SPDX-License-Identifier: MIT
#ifndef DEVICES_CAPTURE_H
#define DEVICES_CAPTURE_H
#include "base/arena.h"
#include "base/err.h"
#include "base/map.h"
#include "interp/vm.h"

#include <stdbool.h>
#include <stdint.h>

/**
 * A launch in a file, to be repeated by `cldbg run FILE` on any machine: program, kernel, range,
 * arguments, and the memory that they point to, with its contents before the launch and the set of
 * bytes that were never written. doc/CAPTURE-FORMAT.md describes the file. Flags, formats and modes
 * are numbers of cl.h. The caller that fills one in owns the data that it points to;
 * dev_capture_deinit frees the data of one that was read.
 */
struct dev_capture_memory {
    uint64_t size; // bytes of the root allocation
    uint64_t
        flags; // access flags of the root, such as CL_MEM_READ_ONLY; without flags of host pointers
    const void *data;       // size bytes
    const uint8_t *written; // size bytes, 0: never written; NULL: all are
    bool is_private;        // of a capture that is written: cldbg allocated it, and the app has no
                            // pointer to it
    uint64_t address;       // shared virtual memory: its address in the app; otherwise 0
};

struct dev_capture_image {
    uint32_t type, order, channel;         // CL_MEM_OBJECT_IMAGE2D …, CL_RGBA …, CL_FLOAT …
    uint64_t width, height, depth, layers; // as in cl_image_desc: 0 if not applicable
    uint64_t row_pitch, slice_pitch;       // of the bytes in memory, as in cl_image_desc
    bool on_buffer;                        // the image is in a buffer's memory
};

enum dev_capture_kind {
    DEV_CAPTURE_VALUE,
    DEV_CAPTURE_BUFFER,
    DEV_CAPTURE_NULL,
    DEV_CAPTURE_LOCAL,
    DEV_CAPTURE_IMAGE,
    DEV_CAPTURE_SAMPLER,
    DEV_CAPTURE_SVM,
    DEV_CAPTURE_KIND_COUNT
};
struct dev_capture_arg {
    enum dev_capture_kind kind;
    const char *name;       // the name in the kernel
    const void *value;      // VALUE: size bytes
    uint64_t size;          // VALUE, LOCAL; BUFFER: of the part
    uint32_t memory;        // BUFFER, IMAGE, SVM: index
    bool released;          // BUFFER, IMAGE, SVM: the app had released it
    uint64_t offset, flags; // BUFFER, IMAGE: offset of the part, and its flags; SVM: offset of the
                            // pointer
    struct dev_capture_image image;
    uint32_t normalized, addressing, filter; // SAMPLER
};

struct dev_capture {
    const char *kernel, *host_site;     // host_site: "enqueued at main.c:42", or NULL
    uint64_t launch;                    // its number in the app
    const char *options;                // options of cldbg that affect the launch
    const char *source, *build_options; // "" if the program was not created from source
    const void *binary;                 // the built program, as from clGetProgramInfo
    uint64_t binary_size;
    const struct hash_wide
        *binary_hashes; // of a capture that is written: dev_capture_hashes, or NULL
    uint32_t dims;
    uint64_t offset[3], global[3], local[3];
    const struct dev_capture_memory *memory;
    uint32_t nmemory;
    const struct vm_gone *gone; // freed shared virtual memory, which pointers may still refer to
    uint32_t ngone;
    const struct dev_capture_arg *args;
    uint32_t nargs;
    struct arena arena; // of a capture that was read: with `bytes`, all its data
    void *bytes;
};

/**
 * Writes the file atomically: a reader finds a complete one or none. If the process has written an
 * equal launch to the same folder, the file is a link to that, and has its number.
 */
struct err *dev_capture_write(const char *path, const struct dev_capture *c);
/** For many captures with the same binary. The caller frees it. */
struct hash_wide *dev_capture_hashes(const void *binary, uint64_t size);
/**
 * Stores a launch of an app. The first ones of the process have files, as dev_capture_write makes
 * them. Further ones are added to the file `pack`, which is in the folder of `path`: then no file
 * has the path, but the functions below accept it.
 */
struct err *dev_capture_store(const char *path, const char *pack, const struct dev_capture *c);
/** Is there a file, or has this process stored the launch under this path? */
bool dev_capture_is_stored(const char *path);
/** Does the file begin like a capture, or is it a launch in a pack of its folder? */
bool dev_capture_is(const char *path);
/** Is it a file of several launches? */
bool dev_capture_is_pack(const char *path);
/** A launch in a pack. */
struct dev_capture_item {
    const char *path;   // under which the functions here know it; valid during the call
    uint64_t size, key; // equal launches have equal keys
    bool is_file;       // the content is that of a file in the same folder
};
/** The launches in a pack, in the order of their time. */
struct err *dev_capture_each(const char *pack,
                             void (*visit)(void *ctx, const struct dev_capture_item *item),
                             void *ctx);
/** One launch in a pack. False: there is none with this path. */
bool dev_capture_item(const char *path, struct dev_capture_item *item);
/**
 * Checks sizes, indices and bounds of parts; does not check values that OpenCL rejects.
 */
struct err *dev_capture_read(const char *path, struct dev_capture *out);
void dev_capture_deinit(struct dev_capture *c); // also after a failure
#endif
