// SPDX-License-Identifier: MIT
// An instruction of the text form (text.h), read as the table of opcodes says.
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

struct results {
    uint32_t reg[32], n;
};

static void put_results(struct bc_asm_fn *f, const struct results *q, bool counted)
{
    if (counted) vec_push(&f->ext, q->n);
    for (uint32_t i = 0; i < q->n; i++) vec_push(&f->ext, q->reg[i]);
}

/** [operands] with their number before them. */
static void counted_list(struct bc_reader *r)
{
    struct bc_asm_fn *f = r->fn;
    const size_t count = f->ext.len;
    vec_push(&f->ext, 0);
    const uint32_t n = list(r);
    f->ext.data[count] = n;
}

static void read_printf(struct bc_reader *r)
{
    struct bc_asm_fn *f = r->fn;
    vec_push(&f->ext, bc_asm_string(r));
    const size_t count = f->ext.len;
    vec_push(&f->ext, 0);
    while (bc_asm_more(r) && strchr("IF", *bc_asm_peek(r)) && *bc_asm_peek(r)) {
        vec_push(&f->ext, CHOICE(r, bc_text_types));
        counted_list(r);
        f->ext.data[count]++;
    }
}

static void read_image(struct bc_reader *r)
{
    struct bc_asm_fn *f = r->fn;
    const size_t at = f->ext.len;
    vec_push(&f->ext, (uint32_t)bc_asm_number(r));
    vec_push(&f->ext, 0);
    vec_push(&f->ext, 0);
    const uint32_t ncoord = list(r), nvalue = list(r);
    f->ext.data[at + 1] = ncoord;
    f->ext.data[at + 2] = nvalue;
}

static void read_async(struct bc_reader *r)
{
    struct bc_asm_fn *f = r->fn;
    bc_asm_want(r, "elem");
    vec_push(&f->ext, (uint32_t)bc_asm_number(r));
    bc_asm_want(r, "read");
    vec_push(&f->ext, (uint32_t)bc_asm_number(r));
    bc_asm_want(r, "stride");
    vec_push(&f->ext, bc_asm_operand(r));
    vec_push(&f->ext, (uint32_t)bc_asm_number(r));
    bc_asm_want(r, "event");
    vec_push(&f->ext, bc_asm_operand(r));
}

static bool list_follows(struct bc_reader *r) { return !strcmp(bc_asm_peek(r), "["); }

static void read_list(struct bc_reader *r, struct bc_insn *b, const struct results *q)
{
    struct bc_asm_fn *f = r->fn;
    const uint32_t at = ext_at(f);
    switch ((enum bc_ext)bc_ops[b->op].ext) {
    case BC_EXT_RESULTS: put_results(f, q->n > 1 ? q : &(struct results){0}, false); break;
    case BC_EXT_VALUES:
    case BC_EXT_COMPARE:
        if (list_follows(r)) list(r);
        break;
    case BC_EXT_RET:
        if (list_follows(r)) counted_list(r);
        break;
    case BC_EXT_LANEFN:
        vec_push(&f->ext, (uint32_t)bc_asm_number(r));
        put_results(f, q, true);
        counted_list(r);
        break;
    case BC_EXT_CALL:
        vec_push(&f->ext, (uint32_t)bc_asm_number(r));
        counted_list(r);
        put_results(f, q, true);
        break;
    case BC_EXT_PRINTF: read_printf(r); break;
    case BC_EXT_IMAGE: read_image(r); break;
    case BC_EXT_ASYNC: read_async(r); break;
    default: break;
    }
    if (ext_at(f) > at) b->ext = at;
}

static uint32_t read_ext(struct bc_reader *r, enum bc_ext kind)
{
    switch (kind) {
    case BC_EXT_WI: {
        const uint32_t wi = CHOICE(r, bc_text_wi);
        return wi | (uint32_t)bc_asm_number(r) << 8;
    }
    case BC_EXT_BLOCK: bc_asm_want(r, "->"); // fall through
    case BC_EXT_NUMBER:
    case BC_EXT_STRING:
    case BC_EXT_OBJECT: return (uint32_t)bc_asm_number(r);
    default: return 0;
    }
}

static void read_fields(struct bc_reader *r, struct bc_insn *b, const struct results *q)
{
    const struct bc_op_info *info = &bc_ops[b->op];
    uint32_t *const field[4] = {&b->dst, &b->a, &b->b, &b->c};
    bool jumps = false;
    for (unsigned k = 1; k < 4 && !r->error; k++) {
        const unsigned use = info->use[k];
        if (use & BC_USE_BLOCK && !jumps) bc_asm_want(r, "->");
        jumps |= (use & BC_USE_BLOCK) != 0;
        if (use & (BC_USE_NUMBER | BC_USE_BLOCK)) *field[k] = (uint32_t)bc_asm_number(r);
        else if (use && !(k == 3 && info->ext == BC_EXT_VALUES && list_follows(r)))
            *field[k] = bc_asm_operand(r);
    }
    if (info->ext >= BC_EXT_RESULTS) read_list(r, b, q);
    else b->ext = read_ext(r, (enum bc_ext)info->ext);
    if (info->effects & BC_SITED) {
        bc_asm_want(r, "site");
        b->site = (uint32_t)bc_asm_number(r);
    }
    if (info->ext == BC_EXT_READ_SITE) {
        bc_asm_want(r, "read");
        b->ext = (uint32_t)bc_asm_number(r);
    }
}

static void read_flag(struct bc_reader *r, struct bc_insn *b)
{
    const char *w = bc_asm_peek(r);
    for (unsigned k = 0; k < BC_TEXT_FLAGS; k++)
        if (!strcmp(w, bc_text_flags[k].name)) {
            b->flags |= bc_text_flags[k].flag;
            return;
        }
    if (*w == '@') b->loc = (uint32_t)strtoul(w + 1, NULL, 10);
    else FAIL(r, "'%s' is not expected here", w);
}

static uint16_t opcode(struct bc_reader *r)
{
    for (unsigned op = 0; op < BC_OP_COUNT; op++)
        if (bc_asm_take(r, bc_ops[op].name)) return (uint16_t)op;
    FAIL(r, "'%s' is not an opcode", bc_asm_peek(r));
    return 0;
}

void bc_asm_insn(struct bc_reader *r)
{
    struct bc_asm_fn *f = r->fn;
    struct bc_insn b = {.dst = BC_NONE, .a = BC_NONE, .b = BC_NONE, .c = BC_NONE};
    struct results q = {.n = 0};
    if (!f || !f->blocks.len) {
        FAIL(r, "an instruction outside a block");
        return;
    }
    if (bc_asm_take(r, "[")) {
        while (bc_asm_more(r) && !bc_asm_take(r, "]")) {
            const uint32_t o = bc_asm_operand(r);
            if (q.n < 32) q.reg[q.n++] = o;
        }
        bc_asm_want(r, "=");
    } else if (bc_asm_is_operand(bc_asm_peek(r))) {
        q.reg[q.n++] = bc_asm_operand(r);
        bc_asm_want(r, "=");
    }
    b.op = opcode(r);
    if (q.n == 1 && bc_ops[b.op].use[0]) b.dst = q.reg[0];
    read_fields(r, &b, &q);
    for (; bc_asm_more(r); r->at++) read_flag(r, &b);
    vec_push(&f->insns, b);
    vec_last(&f->blocks).count++;
}
