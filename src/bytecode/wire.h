// SPDX-License-Identifier: MIT
#ifndef BYTECODE_WIRE_H
#define BYTECODE_WIRE_H
#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"

#include <stdbool.h>
#include <stdint.h>

/**
 * What the app's process and the compiler's process, cldbg-cc, say to each other: one request on
 * its stdin, one answer on its stdout. Both ends are the same version of cldbg, or they refuse each
 * other.
 */

enum wire_kind { WIRE_BUILD, WIRE_COMPILE, WIRE_LINK, WIRE_CODE };
/**
 * Which files the program can name in #include and in its debug info: any, those below the folders
 * of -I, none.
 */
enum wire_reach { WIRE_REACH_ALL, WIRE_REACH_FOLDERS, WIRE_REACH_NONE };

struct wire_blob {
    const void *data;
    size_t size;
};
struct wire_header {
    const char *name, *text;
};
/**
 * From byte `offset` of the source on, the text is that of file `name` (at `path`, or "") from its
 * `line`, after `indent` bytes of it. Line 0: it goes on in the same file, only the indent is this
 * line's.
 */
struct wire_segment {
    uint64_t offset;
    const char *name, *path;
    uint32_t line, indent;
};

/** CODE: the work-group function that is wanted of objects[0], as struct nat_shape describes it. */
struct wire_code {
    const char *kernel, *symbol; // kernel "": none
    uint64_t local[3];
    bool uneven, apart, small;
    uint32_t passes, sub_group, marks, checks;
    uint8_t id_bits[3], argument_bits[16];
};

struct wire_request {
    enum wire_kind kind;
    enum wire_reach reach;
    bool for_debugger;       // variables in memory, and tables of them
    struct wire_blob source; // data NULL: from objects[0]
    const char *options;
    const struct wire_segment *segments;
    uint32_t nsegments;
    const struct wire_header *headers;
    uint32_t nheaders;
    const struct wire_blob *objects;
    uint32_t nobjects;
    bool native;               // work-group functions are wanted, too
    struct wire_blob question; // question.h; not empty: its answer is wanted instead of bytecode
    struct wire_code code;
};

enum wire_status { WIRE_OK, WIRE_FAILED, WIRE_BAD_OPTIONS, WIRE_NO_COMPILER, WIRE_BAD_BINARY };

struct wire_answer {
    enum wire_status status;
    bool is_library;
    const char *log;
    struct wire_blob module;    // bc_encode's, or empty
    struct wire_blob object;    // LLVM bitcode, or empty; CODE: a relocatable object
    struct wire_blob native;    // work-group functions as LLVM bitcode of the host, or empty
    struct wire_blob proof;     // the answer to the question, or empty
    struct wire_blob depends;   // files that were read besides the source: NUL-ended paths in a row
    struct wire_blob code_info; // CODE: a struct nat_code_info
};

void wire_put_request(struct str *out, const struct wire_request *r);
void wire_put_answer(struct str *out, const struct wire_answer *a);
/** The result borrows from `data`; lists and texts live in the arena. */
struct err *wire_get_request(const void *data, size_t size, struct arena *a,
                             struct wire_request *r);
struct err *wire_get_answer(const void *data, size_t size, struct arena *a,
                            struct wire_answer *out);
#endif
