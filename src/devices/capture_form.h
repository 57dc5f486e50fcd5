// SPDX-License-Identifier: MIT
#ifndef DEVICES_CAPTURE_FORM_H
#define DEVICES_CAPTURE_FORM_H
#include <stdint.h>

/** Shared by the writer and the reader of captures. */
#define CAPTURE_MAGIC  "cldbgcap"
#define CAPTURE_FORMAT "cldbg-capture"
enum { CAPTURE_VERSION = 1 };
struct capture_head {
    uint8_t magic[8]; // CAPTURE_MAGIC, without its NUL
    uint32_t version, zero;
};
extern const char *const capture_kind_names[]; // by enum dev_capture_kind

/**
 * Many launches in a file that grows: a head, a block of the index, then data and further blocks.
 * A launch counts once its entry in the index is complete, so that an interrupted writer leaves the
 * launches before. Places are offsets in the file.
 */
#define PACK_MAGIC  "cldbgpak"
#define PACK_SUFFIX ".cldbgs"
#define FILE_SUFFIX ".cldbg"
enum { PACK_VERSION = 1, PACK_ENTRIES = 1023, PACK_PIECE = 8 << 10 };
struct pack_head {
    uint8_t magic[8];
    uint32_t version, zero;
    uint64_t zeros[2];
};
struct pack_entry {
    uint64_t name_hash; // hash_bytes(name, length, 0)
    uint64_t name_at;   // a pack_name; 0: there are no more entries
    uint64_t launch_at; // a pack_launch; 0: it is in the file that the name mentions
    uint64_t size;      // of the content
};
struct pack_block {
    uint64_t next; // block, or 0
    uint64_t zeros[3];
    struct pack_entry entries[PACK_ENTRIES];
};
struct pack_name { // then the bytes of both
    uint32_t length, file_length;
};
struct pack_launch { // then the places of its pieces
    uint64_t hash;   // hash_memory of what follows
    uint64_t key;    // of the content, but the number of the launch
    uint64_t size, npieces;
};
struct pack_piece { // then the bytes: as they are, or a zstd frame
    uint32_t stored, size;
    uint64_t hash[2]; // hash_memory_wide
};
#endif
