// SPDX-License-Identifier: MIT
#ifndef BYTECODE_ASM_H
#define BYTECODE_ASM_H
#include "base/vec.h"
#include "bytecode/text.h"

/**
 * The reader of the text form, inside: the words of a line (asm_words.c), an instruction
 * (asm_insn.c), what a debugger needs (asm_debug.c), functions and the rest of a module (asm.c).
 * The first mistake is kept in `error`, with its line; from then on nothing is taken any more.
 */
struct bc_asm_fn {
    struct bc_fn fn;
    VEC(uint64_t) consts;
    VEC(uint8_t) vsize;
    VEC(uint32_t) params;
    VEC(uint32_t) rets;
    VEC(uint32_t) ext;
    VEC(struct bc_insn) insns;
    VEC(struct bc_block) blocks;
    VEC(struct bc_loop) loops;
};

struct bc_reader {
    const char *s; // rest of the text
    unsigned line;
    VEC(char *) words; // of the line; in the module's arena
    VEC(bool) quoted;
    size_t at;
    struct err *error;
    struct bc_module *m;
    struct arena *a;
    struct bc_asm_fn *fn; // being read
    VEC(const char *) strings;
    VEC(struct bc_fn) fns;
    VEC(struct bc_kernel) kernels;
    uint32_t nvariants; // the last of them
    VEC(struct bc_arg) args;
    VEC(struct bc_piece) pieces;
    VEC(struct bc_object) objects;
    VEC(struct bc_reloc) relocs;
    VEC(struct bc_mem) sites;
    VEC(struct bc_loc) locs;
    VEC(struct bc_file) files;
    VEC(struct bc_dtype) dtypes;
    VEC(struct bc_member) members;
    VEC(struct bc_dscope) scopes;
    VEC(struct bc_var) vars;
};

#define FAIL(r, ...)                                                                               \
    do {                                                                                           \
        if (!(r)->error) (r)->error = err_wrap(err_new(__VA_ARGS__), "line %u", (r)->line);        \
    } while (0)

// ---- asm_words.c
/** The words of the next line that has any. */
bool bc_asm_next_line(struct bc_reader *r);
/** The word that comes, "" where it is a quoted string or the line ends. */
const char *bc_asm_peek(struct bc_reader *r);
bool bc_asm_more(struct bc_reader *r);
/** Takes the word when it comes. */
bool bc_asm_take(struct bc_reader *r, const char *word);
void bc_asm_want(struct bc_reader *r, const char *word);
uint64_t bc_asm_number(struct bc_reader *r);
/** A quoted string: its index in r->strings. */
uint32_t bc_asm_string(struct bc_reader *r);
unsigned bc_asm_choice(struct bc_reader *r, const char *const *names, unsigned n);
#define CHOICE(r, names) bc_asm_choice((r), (names), sizeof(names) / sizeof *(names))
bool bc_asm_is_operand(const char *w);
/** u7, v7, or _ for BC_NONE. */
uint32_t bc_asm_operand(struct bc_reader *r);

// ---- asm_insn.c
/** A line of a block. */
void bc_asm_insn(struct bc_reader *r);

// ---- asm_debug.c: lines for a debugger, after their first word
void bc_asm_type(struct bc_reader *r);
void bc_asm_member(struct bc_reader *r);
void bc_asm_scope(struct bc_reader *r);
void bc_asm_var(struct bc_reader *r);
#endif
