// SPDX-License-Identifier: MIT
// The text form: types, scopes and variables of the source.
#include "bytecode/asm.h"

void bc_asm_type(struct bc_reader *r)
{
    struct bc_dtype t = {.kind = (uint8_t)CHOICE(r, bc_text_dtypes),
                         .first_member = (uint32_t)r->members.len};
    t.name = bc_asm_string(r);
    while (bc_asm_more(r)) {
        if (bc_asm_take(r, "base")) t.base = (uint32_t)bc_asm_number(r);
        else if (bc_asm_take(r, "size")) t.size = bc_asm_number(r);
        else if (bc_asm_take(r, "count")) t.count = bc_asm_number(r);
        else FAIL(r, "'%s' is not known of a type", bc_asm_peek(r));
    }
    vec_push(&r->dtypes, t);
}

void bc_asm_member(struct bc_reader *r)
{
    struct bc_member x = {.name = bc_asm_string(r)};
    while (bc_asm_more(r)) {
        if (bc_asm_take(r, "type")) x.type = (uint32_t)bc_asm_number(r);
        else if (bc_asm_take(r, "offset")) x.offset = bc_asm_number(r);
        else if (bc_asm_take(r, "bit")) x.bit = (uint32_t)bc_asm_number(r);
        else if (bc_asm_take(r, "bits")) x.bits = (uint32_t)bc_asm_number(r);
        else FAIL(r, "'%s' is not known of a member", bc_asm_peek(r));
    }
    if (!r->dtypes.len) {
        FAIL(r, "a member before any type");
        return;
    }
    vec_last(&r->dtypes).nmembers++;
    vec_push(&r->members, x);
}

void bc_asm_scope(struct bc_reader *r)
{
    struct bc_dscope s = {0};
    while (bc_asm_more(r)) {
        if (bc_asm_take(r, "parent")) s.parent = (uint32_t)bc_asm_number(r);
        else if (bc_asm_take(r, "fn")) s.fn_name = bc_asm_string(r);
        else if (bc_asm_take(r, "returns")) s.returns = (uint32_t)bc_asm_number(r);
        else FAIL(r, "'%s' is not known of a scope", bc_asm_peek(r));
    }
    vec_push(&r->scopes, s);
}

void bc_asm_var(struct bc_reader *r)
{
    struct bc_var v = {.name = bc_asm_string(r)};
    while (bc_asm_more(r)) {
        if (bc_asm_take(r, "type")) v.type = (uint32_t)bc_asm_number(r);
        else if (bc_asm_take(r, "object")) v.object = (uint32_t)bc_asm_number(r);
        else if (bc_asm_take(r, "scope")) v.scope = (uint32_t)bc_asm_number(r);
        else if (bc_asm_take(r, "loc")) v.loc = (uint32_t)bc_asm_number(r);
        else if (bc_asm_take(r, "param")) v.is_param = 1;
        else FAIL(r, "'%s' is not known of a variable", bc_asm_peek(r));
    }
    vec_push(&r->vars, v);
}
