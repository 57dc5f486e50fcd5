// SPDX-License-Identifier: MIT
#ifndef INTERP_PRINTF_FORMAT_H
#define INTERP_PRINTF_FORMAT_H
#include "base/str.h"
#include "bytecode/bytecode.h"

/** An argument of printf: a number or a vector. */
struct vm_format_value {
    uint8_t type, ncomp;  // enum bc_type; components
    const uint64_t *bits; // of each component
};
/** The text that a pointer given for %s points to. */
typedef void vm_text_fn(void *context, uint64_t pointer, struct str *text);

/** A call of printf. */
struct vm_printf_call {
    const char *format;
    const struct vm_format_value *args;
    uint32_t nargs;
    vm_text_fn *text;
    void *context; // of `text`
};

/**
 * Appends the text that printf prints. False: format and arguments do not match, and `wrong`
 * describes why.
 */
enum { VM_FORMAT_WRONG = 160 };
bool vm_format(struct str *out, const struct vm_printf_call *call, char wrong[VM_FORMAT_WRONG]);
#endif
