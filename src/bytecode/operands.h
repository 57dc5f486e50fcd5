// SPDX-License-Identifier: MIT
#ifndef BYTECODE_OPERANDS_H
#define BYTECODE_OPERANDS_H
#include "bytecode/bytecode.h"

#include <stddef.h>

/**
 * The operands of an instruction, whatever its opcode: the registers in dst, a, b, c and in its
 * list.
 *
 *   BC_EACH_OPERAND(o, m->sites, f->ext, insn, BC_USE_IN) note_read(*o.at);
 *
 * `wanted` is BC_USE_OUT, BC_USE_IN or both. Results come first; absent operands (BC_NONE) are
 * skipped. The counts in a list must be right: bc_verify checks them first.
 */
#define BC_EACH_OPERAND(o, sites, ext, insn, wanted)                                               \
    for (struct bc_operand o = bc_operands(sites, ext, insn, wanted); bc_operand_next(&o);)

struct bc_operand {
    uint32_t *at; // the operand
    unsigned use; // enum bc_use

    // private to the iteration
    unsigned wanted, field, step, left;
    uint32_t *next, *fields, *list;
    const struct bc_op_info *info;
    const struct bc_mem *site;
};

/** Turns to the next run of operands in the instruction's list. */
bool bc_operand_run(struct bc_operand *o);

static inline struct bc_operand bc_operands(const struct bc_mem *sites, const uint32_t *ext,
                                            const struct bc_insn *i, unsigned wanted)
{
    struct bc_operand o = {.wanted = wanted,
                           .info = &bc_ops[i->op],
                           .fields = (uint32_t *)((char *)i + offsetof(struct bc_insn, dst))};
    if (o.info->ext < BC_EXT_RESULTS) return o;
    o.site = &sites[i->site];
    if (o.info->ext <= BC_EXT_VALUES && o.site->ncomp < 2) return o;
    if (o.info->ext == BC_EXT_RET && !i->ext) return o;
    o.list = (uint32_t *)ext + i->ext;
    bc_operand_run(&o);
    return o;
}

static inline bool bc_operand_next(struct bc_operand *o)
{
    do {
        while (o->left) {
            o->left--;
            o->at = o->next++;
            if (*o->at != BC_NONE) return true;
        }
        while (o->field < 4) {
            const unsigned k = o->field++;
            o->at = &o->fields[k];
            o->use = o->info->use[k];
            if (o->use & o->wanted && *o->at != BC_NONE) return true;
        }
    } while (o->list && bc_operand_run(o));
    return false;
}

/** Bytes that a varying operand has for each lane; 0: the opcode alone does not determine it. */
static inline unsigned bc_operand_width(unsigned use, const struct bc_mem *site)
{
    const unsigned width = use & BC_USE_WIDTH;
    if (width == BC_USE_INDEX) return site->index_kind == BC_IDX_I64 ? 8 : 4;
    return width == BC_USE_ELEM ? site->elem : width;
}

/**
 * The effects of an instruction (enum bc_effect): those of its opcode, without the access that its
 * site or list rules out (an atomic load does not write, an image write does not read).
 */
unsigned bc_effects(const struct bc_mem *sites, const uint32_t *ext, const struct bc_insn *i);

/** Where control may go from the last instruction of a block: how many, and to which blocks. */
unsigned bc_successors(const struct bc_insn *end, uint32_t to[2]);
#endif
