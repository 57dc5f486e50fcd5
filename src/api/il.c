// SPDX-License-Identifier: MIT
// Programs in SPIR-V: translated when they are built (frontend/spirv_child.c). The translator gets
// a module in the byte order of this machine, with the values of the specialization constants that
// clSetProgramSpecializationConstant set.
#include "api/program.h"

#include "api/platform.h"
#include "base/mem.h"
#include "base/spirv.h"

#include <stdlib.h>

enum {
    HEAD_WORDS = 5,
    OP_TYPE_BOOL = 20,
    OP_TYPE_INT = 21,
    OP_TYPE_FLOAT = 22,
    OP_SPEC_TRUE = 48,
    OP_SPEC_FALSE = 49,
    OP_SPEC = 50,
    OP_DECORATE = 71,
    DECORATION_SPEC_ID = 1
};

struct api_constant {
    uint32_t spec_id, result; // result: the id in the module
    unsigned bits;            // 1: a bool, of one byte; 0: not known
    bool is_set;
    uint64_t value;
};

struct words {
    const uint8_t *data;
    size_t n; // words
    bool swapped;
};

static uint32_t word(const struct words *w, size_t i)
{
    uint32_t x;
    memcpy(&x, w->data + 4 * i, 4);
    return w->swapped ? __builtin_bswap32(x) : x;
}

/** The next instruction from *at on: its opcode, words [*first, *first + n); false at the end. */
static bool next(const struct words *w, size_t *at, unsigned *op, size_t *first, size_t *n)
{
    if (*at >= w->n) return false;
    const uint32_t head = word(w, *at);
    *op = head & 0xffff;
    *n = head >> 16;
    *first = *at;
    if (!*n || *n > w->n - *at) return false;
    *at += *n;
    return true;
}

/** The type with that id. */
static void type_of(const struct words *w, uint32_t id, struct api_constant *c)
{
    unsigned op;
    size_t at = HEAD_WORDS, i, n;
    while (next(w, &at, &op, &i, &n)) {
        if (n < 2 || word(w, i + 1) != id) continue;
        if (op == OP_TYPE_BOOL) c->bits = 1;
        if ((op == OP_TYPE_INT || op == OP_TYPE_FLOAT) && n > 2) c->bits = word(w, i + 2);
        if (c->bits) return;
    }
}

static struct words words_of(const struct _cl_program *p)
{
    struct words w = {p->il.data, p->il.size / 4, false};
    w.swapped = word(&w, 0) != 0x07230203;
    return w;
}

static void read_constants(cl_program p)
{
    const struct words w = words_of(p);
    unsigned op;
    size_t at = HEAD_WORDS, i, n;
    while (next(&w, &at, &op, &i, &n))
        if (op == OP_DECORATE && n == 4 && word(&w, i + 2) == DECORATION_SPEC_ID)
            vec_push(&p->constants,
                     (struct api_constant){.result = word(&w, i + 1), .spec_id = word(&w, i + 3)});
    at = HEAD_WORDS;
    while (next(&w, &at, &op, &i, &n))
        for (size_t k = 0; k < p->constants.len && n > 2; k++)
            if (op >= OP_SPEC_TRUE && op <= OP_SPEC &&
                word(&w, i + 2) == p->constants.data[k].result)
                type_of(&w, word(&w, i + 1), &p->constants.data[k]);
}

cl_program api_clCreateProgramWithIL(cl_context context, const void *il, size_t length,
                                     cl_int *errcode_ret)
{
    API_ENTER();
    if (!api_is(context, API_CONTEXT)) API_RETURN(api_bad_handle(NULL, context, API_CONTEXT), NULL);
    if (!spirv_translator())
        API_RETURN(api_fail(context, CL_INVALID_OPERATION,
                            "the device takes no intermediate language: llvm-spirv is not "
                            "installed (on Debian: apt-get install llvm-spirv-15)"),
                   NULL);
    if (!il || !length)
        API_RETURN(api_fail(context, CL_INVALID_VALUE, "il is %p, length %zu", il, length), NULL);
    if (!spirv_is_module(il, length) || length % 4 || length < HEAD_WORDS * 4)
        API_RETURN(api_fail(context, CL_INVALID_VALUE,
                            "the %zu bytes at il are not a SPIR-V module", length),
                   NULL);
    cl_program p = api_program_new(context, 0, NULL);
    if (!p) API_RETURN(CL_OUT_OF_HOST_MEMORY, NULL);
    p->il = (struct dev_blob){mem_dup(il, length), length};
    read_constants(p);
    API_RETURN(CL_SUCCESS, p);
}

cl_program api_clCreateProgramWithILKHR(cl_context context, const void *il, size_t length,
                                        cl_int *errcode_ret)
{
    return api_clCreateProgramWithIL(context, il, length, errcode_ret);
}

cl_int api_clSetProgramSpecializationConstant(cl_program program, cl_uint spec_id, size_t spec_size,
                                              const void *spec_value)
{
    API_ENTER();
    cl_program p = program;
    if (!api_is(p, API_PROGRAM)) return api_bad_handle(NULL, p, API_PROGRAM);
    if (!p->il.size)
        return api_fail(p->ctx, CL_INVALID_PROGRAM,
                        "the program is not in an intermediate language");
    bool is_there = false;
    pthread_mutex_lock(&p->lock);
    cl_int code = CL_SUCCESS;
    for (size_t i = 0; i < p->constants.len; i++) { // several constants may have the same id
        struct api_constant *c = &p->constants.data[i];
        const unsigned bytes = (c->bits + 7) / 8;
        if (c->spec_id != spec_id) continue;
        is_there = true;
        if (!spec_value || spec_size != bytes || bytes > sizeof c->value) {
            code = api_fail(p->ctx, CL_INVALID_VALUE,
                            "spec_size is %zu and spec_value %p; the constant has %u bytes",
                            spec_size, spec_value, bytes);
            break;
        }
        c->value = 0;
        memcpy(&c->value, spec_value, bytes);
        c->is_set = true;
    }
    pthread_mutex_unlock(&p->lock);
    if (!is_there)
        return api_fail(p->ctx, CL_INVALID_SPEC_ID, "the module has no specialization constant %u",
                        spec_id);
    return code;
}

/** Puts the value into the instruction that declares the constant. */
static void set_constant(uint32_t *insn, unsigned op, size_t n, const struct api_constant *c)
{
    if (op != OP_SPEC) {
        *insn = (uint32_t)n << 16 | (c->value ? OP_SPEC_TRUE : OP_SPEC_FALSE);
        return;
    }
    if (n > 3) insn[3] = (uint32_t)c->value;
    if (n > 4) insn[4] = (uint32_t)(c->value >> 32);
}

void api_il_of_build(const struct _cl_program *p, struct str *out)
{
    struct words w = words_of(p);
    uint32_t *const copy = mem_alloc(w.n * sizeof *copy);
    for (size_t i = 0; i < w.n; i++) copy[i] = word(&w, i);
    unsigned op;
    size_t at = HEAD_WORDS, i, n;
    while (next(&w, &at, &op, &i, &n))
        for (size_t k = 0; k < p->constants.len && n > 2; k++) {
            const struct api_constant *c = &p->constants.data[k];
            if (op >= OP_SPEC_TRUE && op <= OP_SPEC && c->is_set && word(&w, i + 2) == c->result)
                set_constant(copy + i, op, n, c);
        }
    str_put_n(out, (const char *)copy, w.n * sizeof *copy);
    free(copy);
}
