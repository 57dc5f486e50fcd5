// SPDX-License-Identifier: MIT
#ifndef DEBUG_KERNEL_VALUE_H
#define DEBUG_KERNEL_VALUE_H
#include "base/err.h"
#include "debug/expressions/type.h"
#include "interp/stepping/step.h"

enum { DBG_MAX_BYTES = 128 }; // double16

/**
 * A value of an expression: in the kernel's memory (an lvalue at `address`), or as bytes. `big` has
 * the bytes of a value without an address that is larger than a vector (a struct of the value
 * history).
 */
struct dbg_value {
    const struct dbg_type *type;
    bool in_memory;
    bool unwritten; // computed from uninitialized memory: print does not show it
    uint64_t address;
    unsigned bit, bits;      // of a bit-field in memory
    uint8_t ncomp, comp[16]; // a swizzle of a vector in memory: these components, at `address`
    uint8_t bytes[DBG_MAX_BYTES];
    uint8_t *big;
    const uint8_t *written; // for each of its bytes the enum vm_byte; NULL: all are written
};

struct dbg_value dbg_value_at(const struct dbg_type *t, uint64_t address);
struct dbg_value dbg_value_int(const struct dbg_type *t, uint64_t v);
struct dbg_value dbg_value_float(const struct dbg_type *t, double v);
/** Copies the contents of memory into the value; an error describes an invalid address. */
struct err *dbg_value_load(struct vm_gang *g, struct dbg_value *v, struct arena *a);
struct err *dbg_value_store(struct vm_gang *g, const struct dbg_value *to, const void *bytes);

/** A pointer that was read from memory, unsigned if it belongs to the work-item of the focus. */
uint64_t dbg_authenticated(struct vm_gang *g, uint64_t p);
/** Memory of the launch as work-item g sees it. */
struct err *dbg_read(struct vm_gang *g, uint64_t address, void *to, uint64_t size);
struct err *dbg_write(struct vm_gang *g, uint64_t address, const void *from, uint64_t size);
/** The same without the hooks. */
struct err *dbg_write_raw(struct vm_gang *g, uint64_t address, const void *from, uint64_t size);
/** Called before and after each write by the user, for the history and watchpoints. */
struct dbg_write_hooks {
    void (*before)(struct vm_gang *g, uint64_t address, const void *bytes, uint64_t size);
    void (*after)(void);
};
extern struct dbg_write_hooks dbg_write_hooks;
bool dbg_is_uninitialized(struct vm_gang *g, uint64_t address, uint64_t size);
/** For memory that dbg_read reads: the enum vm_byte of each byte. */
void dbg_read_written(struct vm_gang *g, uint64_t address, uint8_t *to, uint64_t size);
/**
 * Is the value a scalar or vector that is partially uninitialized, or was it computed from such
 * values?
 */
bool dbg_value_unwritten(struct vm_gang *g, const struct dbg_value *v);

/** Conversions of scalars in memory representation. */
int64_t dbg_as_int(const struct dbg_type *t, const void *bytes); // floating point is truncated
double dbg_as_float(const struct dbg_type *t, const void *bytes);
void dbg_put_number(const struct dbg_type *t, void *bytes, int64_t i, double f, bool is_float);

struct dbg_format {
    char letter; // x d u o t c f a s z, or 0
    char size;   // b h w g, or 0
    uint64_t count;
    bool integers_only; // the letter is not for other types
};
/** Formats a value like print. g may be NULL for values that are not in memory. */
void dbg_value_put(struct str *out, struct vm_gang *g, const struct dbg_value *v,
                   const struct dbg_format *f);
/** The short form, for frames: aggregates are shown as `...`. */
void dbg_value_put_short(struct str *out, struct vm_gang *g, const struct dbg_value *v);
#endif
