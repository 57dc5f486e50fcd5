// SPDX-License-Identifier: MIT
// Program binaries, which apps get from clGetProgramInfo and pass to clCreateProgramWithBinary: a
// header, an encoded module (executables only) and bitcode. An executable has both: the module to
// run, and the bitcode to rebuild it for the debugger or as machine code (apps keep binaries
// between runs; PyOpenCL keeps all). Plain LLVM bitcode is accepted, too.
//
// In a binary that somebody else made, the bitcode need not be that of the module. The cache has a
// copy of those that were made here; only their bitcode is used along with the module.
#include "api/program.h"

#include "base/map.h"
#include "base/mem.h"
#include "builtins/builtins.h"
#include "devices/cache.h"
#include "devices/clean_names.h"

enum { VERSION = 2 };
struct header {
    char magic[8];
    uint32_t version, type;
    uint64_t size, hash; // of what follows
    uint64_t module;     // bytes of the module; 0: none
};
static const char magic[8] = "cldbgbin";

bool api_binary_write(cl_program p, struct str *out)
{
    struct str body = {0};
    pthread_mutex_lock(&p->lock);
    if (p->module) bc_encode(p->module, &body);
    size_t module = body.len;
    if (p->object.size) str_put_n(&body, p->object.data, p->object.size);
    const uint32_t type = p->type;
    const bool fits = module && p->object.size && p->object_fits;
    pthread_mutex_unlock(&p->lock);
    if (body.len) {
        struct header h = {.version = VERSION,
                           .type = type,
                           .size = body.len,
                           .module = module,
                           .hash = hash_bytes(body.data, body.len, VERSION)};
        memcpy(h.magic, magic, sizeof magic);
        str_put_n(out, (const char *)&h, sizeof h);
        str_put_n(out, body.data, body.len);
    }
    str_deinit(&body);
    return fits;
}

static bool is_remembered(struct dev_blob body, struct dev_cache_key *key)
{
    struct str copy = {0};
    const struct hash_wide h = hash_memory_wide(body.data, body.size);
    *key = (struct dev_cache_key){h.h[0], h.h[1]};
    const bool is = dev_cache_get(*key, &copy) && copy.len == body.size &&
                    !memcmp(copy.data, body.data, body.size);
    str_deinit(&copy);
    return is;
}

void api_binary_remember(const struct str *binary)
{
    const size_t header = sizeof(struct header);
    const struct dev_blob body = {binary->data + header, binary->len - header};
    struct dev_cache_key key;
    if (is_remembered(body, &key)) return;
    struct str copy = {0};
    str_put_n(&copy, body.data, body.size);
    dev_cache_put(key, &copy, (struct wire_blob){0});
    str_deinit(&copy);
}

static void take_object(cl_program p, const void *data, size_t size)
{
    p->object.data = mem_dup(data, size);
    p->object.size = size;
}

bool api_binary_read(cl_program p, const void *data, size_t size, char **why)
{
    struct header h;
    struct dev_cache_key key;
    if (size >= 4 && memcmp(data, "BC\xc0\xde", 4) == 0) {
        take_object(p, data, size);
        p->type = CL_PROGRAM_BINARY_TYPE_INTERMEDIATE;
        return true;
    }
    const char *body = (const char *)data + sizeof h;
    *why = NULL;
    if (size < sizeof h || (memcpy(&h, data, sizeof h), memcmp(h.magic, magic, sizeof magic))) {
        *why = mem_strdup("it is neither a binary of cldbg nor LLVM bitcode");
    } else if (h.version != VERSION) {
        *why = mem_strdup("it was written by another version of cldbg");
    } else if (h.size != size - sizeof h || h.hash != hash_bytes(body, h.size, VERSION)) {
        *why = mem_strdup("it is damaged");
    } else if (h.module > h.size || !h.module != (h.type != CL_PROGRAM_BINARY_TYPE_EXECUTABLE)) {
        *why = mem_strdup("its parts do not fit together");
    } else if (h.type == CL_PROGRAM_BINARY_TYPE_EXECUTABLE) {
        struct err *e = bc_decode(body, h.module, bi_lane_types, &p->module);
        if (!e) {
            dev_clean_names(p->module);
            dev_limit_files(p->module);
        }
        if (e) *why = mem_strdup(err_message(e));
        else if (h.size > h.module) take_object(p, body + h.module, h.size - h.module);
        p->object_fits = p->object.size && is_remembered((struct dev_blob){body, h.size}, &key);
        err_free(e);
    } else if (h.type == CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT ||
               h.type == CL_PROGRAM_BINARY_TYPE_LIBRARY ||
               h.type == CL_PROGRAM_BINARY_TYPE_INTERMEDIATE) {
        take_object(p, body, h.size);
    } else {
        *why = mem_strdup("its type is not known");
    }
    if (*why) return false;
    p->type = h.type;
    return true;
}
