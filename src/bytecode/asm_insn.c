// SPDX-License-Identifier: MIT
// An instruction of the text form: `results = OPCODE fields flags`, its fields by the opcode's form
// (text.h).
#include "bytecode/asm.h"

#include <string.h>

static uint32_t ext_at(const struct bc_asm_fn *f) { return (uint32_t)f->ext.len; }

/** [operands] appended to ext; how many. */
static uint32_t list(struct bc_reader *r)
{
    uint32_t n = 0;
    bc_asm_want(r, "[");
    while (bc_asm_more(r) && !bc_asm_take(r, "]")) {
        const uint32_t o = bc_asm_operand(r);
        vec_push(&r->fn->ext, o);
        n++;
    }
    return n;
}

static void read_function_like(struct bc_reader *r, struct bc_insn *b, const uint32_t *results,
                               uint32_t nresults)
{
    struct bc_asm_fn *f = r->fn;
    b->ext = ext_at(f);
    vec_push(&f->ext, (uint32_t)bc_asm_number(r));
    if (b->op == BC_LANEFN) {
        vec_push(&f->ext, nresults);
        for (uint32_t i = 0; i < nresults; i++) vec_push(&f->ext, results[i]);
    }
    const size_t count = f->ext.len;
    vec_push(&f->ext, 0);
    const uint32_t n = list(r);
    f->ext.data[count] = n;
    if (b->op == BC_CALL) {
        vec_push(&f->ext, nresults);
        for (uint32_t i = 0; i < nresults; i++) vec_push(&f->ext, results[i]);
    }
}

static void read_printf(struct bc_reader *r, struct bc_insn *b)
{
    struct bc_asm_fn *f = r->fn;
    b->ext = ext_at(f);
    vec_push(&f->ext, bc_asm_string(r));
    const size_t count = f->ext.len;
    vec_push(&f->ext, 0);
    while (bc_asm_more(r) && strchr("IF", *bc_asm_peek(r)) && *bc_asm_peek(r)) {
        vec_push(&f->ext, CHOICE(r, bc_text_types));
        const size_t n = f->ext.len;
        vec_push(&f->ext, 0);
        const uint32_t k = list(r);
        f->ext.data[n] = k;
        f->ext.data[count]++;
    }
}

static void read_field(struct bc_reader *r, struct bc_insn *b, char code, const uint32_t *results,
                       uint32_t nresults)
{
    struct bc_asm_fn *f = r->fn;
    switch (code) {
    case 'a': b->a = bc_asm_operand(r); break;
    case 'b': b->b = bc_asm_operand(r); break;
    case 'c': b->c = bc_asm_operand(r); break;
    case 'A': b->a = (uint32_t)bc_asm_number(r); break;
    case 'C': b->c = (uint32_t)bc_asm_number(r); break;
    case 'x': b->ext = (uint32_t)bc_asm_number(r); break;
    case 'l':
        if (nresults <= 1) break;
        b->ext = ext_at(f);
        for (uint32_t i = 0; i < nresults; i++) vec_push(&f->ext, results[i]);
        break;
    case 'v':
        if (strcmp(bc_asm_peek(r), "[")) {
            b->c = bc_asm_operand(r);
            break;
        }
        b->ext = ext_at(f);
        list(r);
        break;
    case 'k':
        if (strcmp(bc_asm_peek(r), "[")) break;
        b->ext = ext_at(f);
        list(r);
        break;
    case 'w':
        b->ext = CHOICE(r, bc_text_wi);
        b->ext |= (uint32_t)bc_asm_number(r) << 8;
        break;
    case 's':
        bc_asm_want(r, "site");
        b->site = (uint32_t)bc_asm_number(r);
        break;
    case 'r':
        bc_asm_want(r, "read");
        b->ext = (uint32_t)bc_asm_number(r);
        break;
    case 'j':
        bc_asm_want(r, "->");
        b->ext = (uint32_t)bc_asm_number(r);
        break;
    case 'J':
        bc_asm_want(r, "->");
        b->b = (uint32_t)bc_asm_number(r);
        b->c = (uint32_t)bc_asm_number(r);
        break;
    case 'R':
        if (strcmp(bc_asm_peek(r), "[")) break;
        b->ext = ext_at(f);
        vec_push(&f->ext, 0);
        const uint32_t n = list(r);
        f->ext.data[b->ext] = n;
        break;
    case 'F': read_function_like(r, b, results, nresults); break;
    case 'P': read_printf(r, b); break;
    case 'I': {
        b->ext = ext_at(f);
        vec_push(&f->ext, (uint32_t)bc_asm_number(r));
        vec_push(&f->ext, 0);
        vec_push(&f->ext, 0);
        const uint32_t ncoord = list(r), nvalue = list(r);
        f->ext.data[b->ext + 1] = ncoord;
        f->ext.data[b->ext + 2] = nvalue;
        break;
    }
    case 'Y':
        b->ext = ext_at(f);
        bc_asm_want(r, "elem");
        vec_push(&f->ext, (uint32_t)bc_asm_number(r));
        bc_asm_want(r, "read");
        vec_push(&f->ext, (uint32_t)bc_asm_number(r));
        bc_asm_want(r, "stride");
        vec_push(&f->ext, bc_asm_operand(r));
        vec_push(&f->ext, (uint32_t)bc_asm_number(r));
        bc_asm_want(r, "event");
        vec_push(&f->ext, bc_asm_operand(r));
        break;
    default: break;
    }
}

static uint16_t opcode(struct bc_reader *r)
{
    for (unsigned op = 0; op < BC_OP_COUNT; op++)
        if (bc_asm_take(r, bc_ops[op].name)) return (uint16_t)op;
    FAIL(r, "'%s' is no opcode", bc_asm_peek(r));
    return 0;
}

void bc_asm_insn(struct bc_reader *r)
{
    struct bc_asm_fn *f = r->fn;
    struct bc_insn b = {.dst = BC_NONE, .a = BC_NONE, .b = BC_NONE, .c = BC_NONE};
    uint32_t results[32], n = 0;
    if (!f || !f->blocks.len) {
        FAIL(r, "an instruction outside a block");
        return;
    }
    if (bc_asm_take(r, "[")) {
        while (bc_asm_more(r) && !bc_asm_take(r, "]")) {
            const uint32_t o = bc_asm_operand(r);
            if (n < 32) results[n++] = o;
        }
        bc_asm_want(r, "=");
    } else if (bc_asm_is_operand(bc_asm_peek(r))) {
        results[n++] = bc_asm_operand(r);
        bc_asm_want(r, "=");
    }
    b.op = opcode(r);
    const char *form = bc_text_form((enum bc_op)b.op);
    if (!form) {
        const enum bc_shape s = bc_ops[b.op].shape;
        form = s == BC_UN || s == BC_CVT ? "a" : s == BC_TER || s == BC_SEL ? "abc" : "ab";
    }
    if (n == 1 && *form != 'F') b.dst = results[0];
    for (; *form && !r->error; form++) read_field(r, &b, *form, results, n);
    for (; bc_asm_more(r); r->at++) {
        const char *w = bc_asm_peek(r);
        if (!strcmp(w, "masked")) b.flags |= BC_MASKED;
        else if (!strcmp(w, "stmt")) b.flags |= BC_FIRST_OF_STMT;
        else if (!strcmp(w, "once")) b.flags |= BC_ONCE;
        else if (!strcmp(w, "decides")) b.flags |= BC_DECIDES;
        else if (!strcmp(w, "case")) b.flags |= BC_CASE;
        else if (!strcmp(w, "saturates")) b.flags |= BC_SATURATES;
        else if (*w == '@') b.loc = (uint32_t)strtoul(w + 1, NULL, 10);
        else FAIL(r, "'%s' is not expected here", w);
    }
    vec_push(&f->insns, b);
    vec_last(&f->blocks).count++;
}
