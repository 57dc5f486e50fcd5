// SPDX-License-Identifier: MIT
#ifndef DEVICES_CACHE_H
#define DEVICES_CACHE_H
#include "base/str.h"
#include "bytecode/wire.h"

/**
 * Answers of cldbg-cc on disk, by the content of the request: $XDG_CACHE_HOME/cldbg or
 * ~/.cache/cldbg; CLDBG_CACHE names another folder or is `off`. Safe for any number of processes at
 * once. An entry that is damaged, or whose headers have changed, is ignored; a folder that cannot
 * be written is not used.
 */
struct dev_cache_key {
    uint64_t a, b;
};
/** `compiler` is the path of cldbg-cc: another version of it or of clang gives different keys. */
struct dev_cache_key dev_cache_key(const struct str *request, const char *compiler);
/** Reads the message of the cached answer into `out`; false: it is not in the cache. */
bool dev_cache_get(struct dev_cache_key k, struct str *out);
/**
 * Stores the message of an answer; depends: the files that it was made from, as consecutive
 * NUL-terminated paths.
 */
void dev_cache_put(struct dev_cache_key k, const struct str *message, struct wire_blob depends);
/** The folder of the cache, or NULL if it is off; borrowed until the next call in this thread. */
const char *dev_cache_folder(void);
#endif
