// SPDX-License-Identifier: MIT
#ifndef CLI_SCALAR_H
#define CLI_SCALAR_H
#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/** The scalar types of OpenCL C that arguments and dumps are made of. */
struct cmd_scalar {
    const char *name;
    unsigned size;
    bool is_float, is_signed;
};
/** A scalar or vector type; 3-vectors take the room of four. */
struct cmd_type {
    const struct cmd_scalar *scalar; // NULL: none of these
    unsigned ncomp;
};
/** The type whose name is the first n bytes of `text` ("float4"); scalar NULL when there is none.
 */
struct cmd_type cmd_type_find(const char *text, size_t n);
/** The type that a pointer such as "float4*" points to; scalar is NULL for any other text. */
struct cmd_type cmd_element_of(const char *pointer);
size_t cmd_type_size(struct cmd_type t); // bytes, with a 3-vector's padding
/**
 * What a buffer is filled with: zeroed; no more than the device gives a buffer. The caller frees
 * it.
 */
struct err *cmd_contents(uint64_t bytes, void **out);

/** Reads one number, all of the n bytes of `text`; base 0 (0x…, decimal) or 16. */
struct err *cmd_value_parse(const struct cmd_scalar *s, const char *text, size_t n, int base,
                            void *out);
enum cmd_value_style {
    CMD_EXACT, // decimal, floating point with the digits that it takes to read it back
    CMD_SHORT, // decimal, floating point with six digits
    CMD_HEX,   // the bits
};
void cmd_value_print(FILE *out, struct cmd_type t, const void *value, enum cmd_value_style style);

void cmd_value_from_double(const struct cmd_scalar *s, double v, void *out);
void cmd_value_from_int(const struct cmd_scalar *s, uint64_t v,
                        void *out); // the low bits, or as a number
double cmd_value_to_double(const struct cmd_scalar *s, const void *v);
int64_t cmd_value_to_int(const struct cmd_scalar *s, const void *v);
#endif
