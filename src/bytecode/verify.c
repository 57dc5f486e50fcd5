// SPDX-License-Identifier: MIT
// What the engine relies on, checked once when a module enters the process:
//   - every index (string, function, object, site, location, file, piece, list, block, register) is
//     in its table;
//   - operands have the width that the opcode reads or writes, and a uniform result has uniform
//     operands;
//   - every block ends with the one terminator it has, every instruction lies in a block; loops
//     nest, and are
//     contiguous with their header first;
//   - lists of an instruction lie within the function's ext, with the counts they name;
//   - calls fit the callee's parameters and results, and no function reaches itself;
//   - barriers stand in kernels only; accesses have sizes and counts that exist; relocations lie in
//     their object.
#include "base/mem.h"
#include "bytecode/operands.h"

#include <stdlib.h>
#include <string.h>

struct check {
    const struct bc_module *m;
    bc_lane_types_fn *lane_types;
    const struct bc_fn *f;
    uint32_t insn;
    struct err *e;
};

static bool fail(struct check *c, const char *what)
{
    if (c->e) return false;
    if (c->f) {
        bool named = c->f->name < c->m->nstrings;
        c->e = err_new("bytecode of function '%s', instruction %u: %s",
                       named ? bc_str(c->m, c->f->name) : "?", c->insn, what);
    } else {
        c->e = err_new("bytecode: %s", what);
    }
    return false;
}

#define NEED(cond, what)                                                                           \
    do {                                                                                           \
        if (!(cond)) return fail(c, what);                                                         \
    } while (0)

static bool is_v(uint32_t r) { return r != BC_NONE && (r & BC_V); }

// A register of at least... exactly `size` bytes when varying; uniform slots hold any. size 0: any.
static bool reg(struct check *c, uint32_t r, unsigned size)
{
    NEED(r != BC_NONE, "an operand is missing");
    if (is_v(r)) {
        NEED((r & ~BC_V) < c->f->nvarying, "a varying register that does not exist");
        NEED(!size || c->f->vsize[r & ~BC_V] == size, "a varying register of the wrong width");
    } else {
        NEED(r < c->f->nuniform, "a uniform slot that does not exist");
    }
    return true;
}

static bool writable(struct check *c, uint32_t r, unsigned size)
{
    if (!reg(c, r, size)) return false;
    NEED(is_v(r) || r >= c->f->nconst, "a constant is written");
    return true;
}

// A list in ext of n items.
static bool list(struct check *c, uint64_t at, uint64_t n)
{
    NEED(at <= c->f->next && n <= c->f->next - at, "a list outside the function's lists");
    return true;
}

static bool site(struct check *c, uint32_t s, bool lea)
{
    NEED(s && s < c->m->nsites, "a site that does not exist");
    NEED((c->m->sites[s].kind == BC_LEA_ONLY) == lea, "a site of the wrong kind");
    return true;
}

static bool block_ref(struct check *c, uint32_t b)
{
    NEED(b < c->f->nblocks, "a jump to a block that does not exist");
    return true;
}

// ---- what `ext` holds: lists lie within the function's, with counts that fit
static bool call(struct check *c, const struct bc_insn *i)
{
    const uint32_t *x = c->f->ext;
    if (!list(c, i->ext, 2)) return false;
    NEED(x[i->ext] < c->m->nfns, "a call of a function that does not exist");
    const struct bc_fn *g = &c->m->fns[x[i->ext]];
    uint64_t n = x[i->ext + 1];
    NEED(n == g->nparams, "a call with the wrong number of arguments");
    if (!list(c, i->ext, 3 + n)) return false;
    uint64_t r = x[i->ext + 2 + n];
    NEED(r == g->nrets, "a call with the wrong number of results");
    if (!list(c, i->ext, 3 + n + r)) return false;
    for (uint64_t k = 0; k < n; k++) {
        uint32_t p = g->params[k];
        NEED(is_v(p) ? (p & ~BC_V) < g->nvarying : p < g->nuniform,
             "a parameter that does not exist");
        if (!reg(c, x[i->ext + 2 + k], is_v(p) ? g->vsize[p & ~BC_V] : 0)) return false;
        NEED(is_v(p) || !is_v(x[i->ext + 2 + k]), "a varying argument for a uniform parameter");
    }
    for (uint64_t k = 0; k < r; k++) {
        uint32_t p = g->rets[k];
        NEED(is_v(p) ? (p & ~BC_V) < g->nvarying : p < g->nuniform, "a result that does not exist");
        if (!writable(c, x[i->ext + 3 + n + k], is_v(p) ? g->vsize[p & ~BC_V] : 0)) return false;
        NEED(!is_v(p) || is_v(x[i->ext + 3 + n + k]), "a varying result in a uniform slot");
    }
    return true;
}

static bool lane_call(struct check *c, const struct bc_insn *i)
{
    const uint32_t *x = c->f->ext;
    if (!list(c, i->ext, 2)) return false;
    uint64_t nd = x[i->ext + 1], at = i->ext + 2;
    unsigned ndst, nsrc;
    uint8_t types[BC_MAX_LANE_TYPES];
    NEED(c->lane_types(x[i->ext], &ndst, &nsrc, types), "a builtin that does not exist");
    NEED(nd == ndst, "a builtin with the wrong number of results");
    if (!list(c, at, nd + 1)) return false;
    uint64_t ns = x[at + nd];
    NEED(ns == nsrc, "a builtin with the wrong number of operands");
    if (!list(c, at, nd + 1 + ns)) return false;
    for (uint64_t k = 0; k < ns; k++)
        if (!reg(c, x[at + nd + 1 + k], bc_type_size(types[ndst + k]))) return false;
    for (uint64_t k = 0; k < nd; k++)
        if (!reg(c, x[at + k], bc_type_size(types[k]))) return false;
    return true;
}

static bool print(struct check *c, const struct bc_insn *i)
{
    const uint32_t *x = c->f->ext;
    if (!list(c, i->ext, 2)) return false;
    NEED(x[i->ext] < c->m->nstrings, "a format that does not exist");
    uint64_t at = (uint64_t)i->ext + 2;
    for (uint32_t k = 0; k < x[i->ext + 1]; k++) {
        if (!list(c, at, 2)) return false;
        uint32_t type = x[at], n = x[at + 1];
        NEED(type <= BC_F64 && n >= 1 && n <= 16, "a printed value of no type");
        if (!list(c, at + 2, n)) return false;
        for (uint32_t j = 0; j < n; j++)
            if (!reg(c, x[at + 2 + j], bc_type_size(type))) return false;
        at += 2 + n;
    }
    return true;
}

/** A list of n operands, all of which are there. */
static bool operand_list(struct check *c, uint64_t at, uint64_t n)
{
    if (!list(c, at, n)) return false;
    for (uint64_t k = 0; k < n; k++) NEED(c->f->ext[at + k] != BC_NONE, "an operand is missing");
    return true;
}

static bool image(struct check *c, const struct bc_insn *i)
{
    const uint32_t *x = c->f->ext + i->ext;
    if (!list(c, i->ext, 3)) return false;
    NEED(x[0] < 3u << BC_IMAGE_BLOCK_LOG && (x[0] & BC_IMAGE_KIND) <= BC_IMAGE_U,
         "an image access of no kind");
    NEED(x[0] & BC_IMAGE_BLOCK
             ? !(x[0] & (BC_IMAGE_FLOAT_COORDS | BC_IMAGE_ARRAY)) && x[1] == 3 && x[2] == 1
             : x[0] < BC_IMAGE_BLOCK,
         "a block access of no kind");
    NEED(x[1] >= 1 && x[1] <= 3 && (x[2] == 1 || x[2] == 4), "an image access of no shape");
    NEED(!(x[0] & BC_IMAGE_ARRAY) || x[1] >= 2, "an image access without its layer");
    NEED(c->m->sites[i->site].kind == (x[0] & BC_IMAGE_WRITE ? BC_WRITE : BC_READ),
         "access and site disagree");
    return operand_list(c, (uint64_t)i->ext + 3, (uint64_t)x[1] + x[2]);
}

static bool async(struct check *c, const struct bc_insn *i)
{
    if (!list(c, i->ext, 5)) return false;
    NEED(c->f->ext[i->ext] >= 1 && c->f->ext[i->ext] <= 128,
         "an async copy of elements of no size");
    return site(c, c->f->ext[i->ext + 1], false);
}

static bool returns(struct check *c, const struct bc_insn *i)
{
    if (!i->ext) {
        NEED(!c->f->nrets, "a return without its values");
        return true;
    }
    if (!list(c, i->ext, 1)) return false;
    NEED(c->f->ext[i->ext] == c->f->nrets, "a return with the wrong number of values");
    if (!list(c, i->ext, 1 + (uint64_t)c->f->nrets)) return false;
    for (uint32_t k = 0; k < c->f->nrets; k++) {
        uint32_t to = c->f->rets[k], v = c->f->ext[i->ext + 1 + k];
        if (!reg(c, v, is_v(to) ? c->f->vsize[to & ~BC_V] : 0)) return false;
        NEED(is_v(to) || !is_v(v), "a varying value returned in a uniform slot");
    }
    return true;
}

static bool components(struct check *c, const struct bc_insn *i, uint32_t field)
{
    const struct bc_mem *x = &c->m->sites[i->site];
    NEED(x->kind == (bc_ops[i->op].ext == BC_EXT_RESULTS ? BC_READ : BC_WRITE),
         "access and site disagree");
    NEED((x->ncomp > 1) == (field == BC_NONE), "a list and a value");
    return x->ncomp == 1 || operand_list(c, i->ext, x->ncomp);
}

static bool extension(struct check *c, const struct bc_insn *i)
{
    switch ((enum bc_ext)bc_ops[i->op].ext) {
    case BC_EXT_NONE:
    case BC_EXT_NUMBER: return true;
    case BC_EXT_WI:
        NEED((i->ext & 0xff) < BC_WI_KINDS && i->ext >> 8 < 3, "an id of no kind");
        return true;
    case BC_EXT_BLOCK: return block_ref(c, i->ext);
    case BC_EXT_READ_SITE: return site(c, i->ext, false);
    case BC_EXT_STRING: NEED(i->ext < c->m->nstrings, "a name that does not exist"); return true;
    case BC_EXT_OBJECT:
        NEED(i->ext < c->m->nobjects && c->m->objects[i->ext].kind == BC_OBJ_PRIVATE,
             "a variable that is not a private object");
        return true;
    case BC_EXT_RESULTS: return components(c, i, i->dst);
    case BC_EXT_VALUES: return components(c, i, i->c);
    case BC_EXT_COMPARE: return list(c, i->ext, bc_compares(&c->m->sites[i->site]));
    case BC_EXT_LANEFN: return lane_call(c, i);
    case BC_EXT_CALL: return call(c, i);
    case BC_EXT_RET: return returns(c, i);
    case BC_EXT_PRINTF: return print(c, i);
    case BC_EXT_ASYNC: return async(c, i);
    case BC_EXT_IMAGE: return image(c, i);
    }
    return true;
}

// ---- rules of single opcodes
static bool atomic(struct check *c, const struct bc_insn *i)
{
    const struct bc_mem *x = &c->m->sites[i->site];
    const bool suits_half = x->kind != BC_ATOMIC_RMW || x->atomic_op == BC_XCHG ||
                            x->atomic_op >= BC_ATOMIC_FADD;
    NEED(x->ncomp == 1 && x->elem >= (suits_half ? 2 : 4), "an atomic of this size");
    NEED(x->kind >= BC_ATOMIC_RMW && x->atomic_op <= BC_ATOMIC_FMAX && x->order <= BC_CL1_UNUSED &&
             x->failure <= BC_CL1 && x->scope <= BC_SCOPE_ALL,
         "an atomic of no kind");
    NEED(x->kind == BC_ATOMIC_LOAD || i->c != BC_NONE, "an atomic without its value");
    NEED(!bc_compares(x) || c->f->ext[i->ext] != BC_NONE, "an operand is missing");
    NEED(i->dst == BC_NONE || is_v(i->dst), "an atomic's result is varying");
    return true;
}

static bool collect(struct check *c, const struct bc_insn *i, bool is_kernel)
{
    const unsigned what = i->ext & 0xff, type = i->ext >> 16 & 0x7f, scope = i->ext >> 24;
    NEED(what < BC_COL_KINDS && (i->ext >> 8 & 0xff) < BC_COM_KINDS && type <= BC_F64,
         "a collective operation of no kind");
    NEED(scope == BC_SCOPE_GROUP || scope == BC_SCOPE_SUB_GROUP,
         "a collective operation of no group");
    NEED(scope == BC_SCOPE_SUB_GROUP || is_kernel, "a work-group's operation outside a kernel");
    const unsigned size = bc_type_size((enum bc_type)type);
    const bool shuffles = what == BC_COL_BROADCAST ||
                          (what >= BC_COL_SHUFFLE && what <= BC_COL_ROTATE);
    const bool is_block = what == BC_COL_BLOCK_POINTER || what == BC_COL_BLOCK_COORDINATES;
    const bool no_value = what == BC_COL_BARRIER || what == BC_COL_ELECT ||
                          (scope == BC_SCOPE_GROUP && what != BC_COL_PUT);
    NEED(what != BC_COL_BALLOT || scope == BC_SCOPE_SUB_GROUP, "a ballot of a work-group");
    NEED(scope == BC_SCOPE_SUB_GROUP || what < BC_COL_SHUFFLE,
         "a work-group's operation that it does not have");
    NEED(!shuffles || i->b != BC_NONE, "a lane's value without the lane");
    if (!no_value && !reg(c, i->a, size)) return false;
    NEED(!is_block || (type == BC_I64 && i->dst == BC_NONE), "a block's argument of no kind");
    if (what == BC_COL_PUT || what == BC_COL_BARRIER || is_block) return true;
    NEED(scope == BC_SCOPE_GROUP || is_v(i->dst), "a uniform result of sub-groups");
    NEED(is_v(i->dst) || what < BC_COL_INCLUSIVE, "a uniform result that varies");
    return reg(c, i->dst, what >= BC_COL_ALL && what <= BC_COL_BALLOT ? 4 : size);
}

static bool own_rule(struct check *c, const struct bc_insn *i, bool is_kernel)
{
    switch (i->op) {
    case BC_ATOMIC: return atomic(c, i);
    case BC_SPACE: NEED(i->ext <= BC_GENERIC, "an address space of no kind"); return true;
    case BC_FENCE:
        NEED((i->ext >> 8 & 0xff) <= BC_SEQ_CST && (i->ext >> 16 & 0xff) <= BC_SCOPE_ALL &&
                 !(i->ext & ~(0xffff07u | BC_FENCE_CL1)),
             "a fence of no kind");
        return true;
    case BC_INDEX:
        NEED(i->c >= BC_IDX_S32 && i->c <= BC_IDX_I64, "an index of no kind");
        return reg(c, i->a, i->c == BC_IDX_I64 ? 8 : 4);
    case BC_UNDEF:
        NEED(i->a == 1 || i->a == 2 || i->a == 4 || i->a == 8, "a value of an odd size");
        return reg(c, i->dst, i->a);
    case BC_WAIT_EVENTS: NEED(is_v(i->dst), "what work-items wait for is varying"); return true;
    case BC_ENQUEUE:
        NEED(i->ext < BC_ENQUEUE_PARTS && is_v(i->dst), "an enqueue of no kind");
        return true;
    case BC_IMAGE_QUERY: NEED(i->ext < BC_IMAGE_QUERIES, "a query of no kind"); return true;
    case BC_COLLECT: return collect(c, i, is_kernel);
    case BC_BARRIER:
        NEED(is_kernel, "a barrier outside a kernel");
        NEED(i->a <= BC_BAR_COLLECTIVE && i->c <= BC_SCOPE_ALL, "a barrier of no kind");
        return true;
    case BC_RECONVERGE:
        NEED(is_kernel, "a reconvergence outside a kernel");
        NEED(i->a <= 1, "a reconvergence of an unknown kind");
        return true;
    default: return true;
    }
}

/** Checks that the fields of the opcode are present. */
static bool fields(struct check *c, const struct bc_insn *i, const struct bc_mem *x)
{
    const struct bc_op_info *o = &bc_ops[i->op];
    const bool listed = (o->ext == BC_EXT_RESULTS || o->ext == BC_EXT_VALUES) && x->ncomp > 1;
    for (unsigned k = 0; k < 4; k++) {
        const uint32_t value = (const uint32_t[]){i->dst, i->a, i->b, i->c}[k];
        const unsigned use = o->use[k], width = use & BC_USE_WIDTH;
        if (use & BC_USE_BLOCK && !block_ref(c, value)) return false;
        // decoding reads every field, whatever the opcode
        NEED(use || value == BC_NONE, "an operand too many");
        if (!(use & (BC_USE_IN | BC_USE_OUT))) continue;
        NEED(width != BC_USE_INDEX || (value == BC_NONE) == (x->index_kind == BC_IDX_NONE),
             "index and site disagree");
        NEED(value != BC_NONE || use & BC_USE_MAY || (listed && width == BC_USE_ELEM),
             "an operand is missing");
    }
    return true;
}

static bool operands(struct check *c, const struct bc_insn *i, const struct bc_mem *x)
{
    const struct bc_mem *const sites = c->m->sites;
    const bool computes = !(bc_effects(sites, c->f->ext, i) & BC_ACTS);
    bool varies = false;
    BC_EACH_OPERAND(o, sites, c->f->ext, i, BC_USE_IN) {
        if (!reg(c, *o.at, bc_operand_width(o.use, x))) return false;
        varies |= is_v(*o.at);
    }
    BC_EACH_OPERAND(o, sites, c->f->ext, i, BC_USE_OUT) {
        if (!writable(c, *o.at, bc_operand_width(o.use, x))) return false;
        NEED(is_v(*o.at) || !varies || !computes, "a uniform result of varying operands");
    }
    return true;
}

static bool insn(struct check *c, const struct bc_insn *i, bool is_kernel)
{
    NEED(i->op < BC_OP_COUNT, "an opcode that does not exist");
    NEED(i->loc < c->m->nlocs, "a source place that does not exist");
    const bool sited = bc_ops[i->op].effects & BC_SITED;
    if (sited && !site(c, i->site, i->op == BC_LEA)) return false;
    const struct bc_mem *const x = &c->m->sites[sited ? i->site : 0];
    return fields(c, i, x) && extension(c, i) && operands(c, i, x) && own_rule(c, i, is_kernel);
}

static bool function(struct check *c, const struct bc_fn *f, bool is_kernel)
{
    c->f = f;
    c->insn = 0;
    NEED(f->name < c->m->nstrings && f->loc < c->m->nlocs, "a function without a name");
    NEED(f->nconst <= f->nuniform && f->nuniform < 1u << 24 && f->nvarying < 1u << 24,
         "too many registers");
    NEED(f->nblocks && f->nblocks < 1u << 24, "a function without blocks");
    for (uint32_t k = 0; k < f->nvarying; k++)
        NEED(f->vsize[k] == 1 || f->vsize[k] == 2 || f->vsize[k] == 4 || f->vsize[k] == 8,
             "a register of an odd width");
    for (uint32_t k = 0; k < f->nparams; k++)
        if (!writable(c, f->params[k], 0)) return false;
    for (uint32_t k = 0; k < f->nrets; k++)
        if (!writable(c, f->rets[k], 0)) return false;
    for (uint32_t l = 0; l < f->nloops; l++) {
        const struct bc_loop *L = &f->loops[l];
        NEED(L->header <= L->last && L->last < f->nblocks, "a loop outside the function");
        NEED(L->parent >= -1 && L->parent < (int32_t)l, "a loop before its parent");
        NEED(L->loc < c->m->nlocs, "a loop at a source place that does not exist");
        if (L->parent >= 0)
            NEED(f->loops[L->parent].header <= L->header && L->last <= f->loops[L->parent].last,
                 "a loop that leaves its parent");
        if (L->counter == BC_NONE) continue;
        if (!reg(c, L->counter, 4)) return false;
        NEED(is_v(L->counter), "a loop counter that is not varying");
    }
    uint32_t end = 0;
    for (uint32_t b = 0; b < f->nblocks; b++) {
        const struct bc_block *B = &f->blocks[b];
        c->insn = B->first;
        NEED(B->count && B->first == end && B->count <= f->ninsns - B->first,
             "a block that does not follow the one before it, or lies outside the function");
        end += B->count;
        NEED(B->loop >= -1 && B->loop < (int32_t)f->nloops,
             "a block in a loop that does not exist");
        if (B->loop >= 0)
            NEED(f->loops[B->loop].header <= b && b <= f->loops[B->loop].last,
                 "a block outside its loop");
        for (uint32_t k = 0; k < B->count; k++) {
            c->insn = B->first + k;
            const struct bc_insn *i = &f->insns[c->insn];
            if (!insn(c, i, is_kernel)) return false;
            NEED(bc_ends_block(i->op) == (k + 1 == B->count),
                 "a block that does not end where it should");
        }
    }
    NEED(end == f->ninsns, "instructions in no block");
    return true;
}

// No function reaches itself: state 1 is on the path, 2 done.
static bool acyclic(struct check *c, uint32_t fn, uint8_t *state, unsigned depth)
{
    c->f = &c->m->fns[fn];
    NEED(state[fn] != 1, "a function that calls itself");
    NEED(depth < 500, "calls that go too deep");
    if (state[fn]) return true;
    state[fn] = 1;
    const struct bc_fn *f = c->f;
    for (uint32_t k = 0; k < f->ninsns; k++)
        if (f->insns[k].op == BC_CALL && !acyclic(c, f->ext[f->insns[k].ext], state, depth + 1))
            return false;
    state[fn] = 2;
    return true;
}

enum {
    DEEPEST_TYPE = 1000
}; // types in types: more than any program has, and any stack is large enough

static bool is_number(const struct bc_dtype *t)
{
    return (t->kind >= BC_T_BOOL && t->kind <= BC_T_FLOAT) || t->kind == BC_T_ENUM;
}

/** Without typedefs and const; of types that debugger_type() let pass. */
static const struct bc_dtype *stripped(const struct bc_module *m, uint32_t k)
{
    while (m->dtypes[k].kind == BC_T_TYPEDEF || m->dtypes[k].kind == BC_T_CONST)
        k = m->dtypes[k].base;
    return &m->dtypes[k];
}

// A type by itself and what it is made of, which is there and not larger than it.
static bool debugger_type(struct check *c, uint32_t k)
{
    const struct bc_module *m = c->m;
    const struct bc_dtype *t = &m->dtypes[k];
    NEED(t->kind < BC_T_KINDS && t->name < m->nstrings && t->base < m->ndtypes &&
             t->size < 1ull << 40 && t->count < 1ull << 40,
         "a type that names nothing");
    const struct bc_dtype *base = &m->dtypes[t->base];
    NEED(k || t->kind == BC_T_VOID, "a first type that is not void");
    NEED(t->first_member <= m->nmembers && t->nmembers <= m->nmembers - t->first_member,
         "members that do not exist");
    NEED(t->kind == BC_T_POINTER || !t->base || t->base < k, "a type made of itself");
    NEED((t->kind != BC_T_TYPEDEF && t->kind != BC_T_CONST) || t->size == base->size,
         "another name of another size");
    NEED(t->kind != BC_T_VECTOR || (t->count <= 16 && is_number(stripped(m, t->base))),
         "a vector of no numbers");
    NEED((t->kind != BC_T_ARRAY && t->kind != BC_T_VECTOR) || !t->count ||
             base->size <= t->size / t->count,
         "an array smaller than its elements");
    NEED(!is_number(t) || (t->size && t->size <= 8), "a number of no size");
    NEED((t->kind != BC_T_POINTER && t->kind != BC_T_OPAQUE) || t->size == 8,
         "a pointer of the wrong size");
    return true;
}

static bool debugger_member(struct check *c, const struct bc_dtype *t, const struct bc_member *x)
{
    const struct bc_module *m = c->m;
    if (t->kind == BC_T_ENUM) {
        NEED(x->name < m->nstrings && !x->type && !x->bits, "an enumerator with a type");
        return true;
    }
    NEED(x->name < m->nstrings && x->type < m->ndtypes && x->offset <= t->size &&
             m->dtypes[x->type].size <= t->size - x->offset,
         "a member outside its struct");
    NEED(!x->bits || (is_number(stripped(m, x->type)) && x->bit < 64 && x->bits <= 64 - x->bit),
         "a bit-field outside its number");
    return true;
}

/**
 * How deep types lie in type k, itself one; `known` has 0 for those not looked at. More than
 * DEEPEST_TYPE where one is in itself.
 */
static uint32_t depth_of(const struct bc_module *m, uint32_t k, uint32_t *known, uint32_t above)
{
    if (known[k] || above > DEEPEST_TYPE) return known[k] ? known[k] : above;
    const struct bc_dtype *t = &m->dtypes[k];
    uint32_t most = t->base && t->kind != BC_T_POINTER ? depth_of(m, t->base, known, above + 1) : 0;
    for (uint32_t i = 0; i < t->nmembers && most <= DEEPEST_TYPE; i++) {
        const uint32_t d = depth_of(m, m->members[t->first_member + i].type, known, above + 1);
        if (d > most) most = d;
    }
    return known[k] = most + 1;
}

// Types: every chain that a debugger walks has an end.
static bool debugger_types(struct check *c)
{
    const struct bc_module *m = c->m;
    for (uint32_t k = 0; k < m->ndtypes; k++)
        if (!debugger_type(c, k)) return false;
    for (uint32_t k = 0; k < m->ndtypes; k++)
        for (uint32_t i = 0; i < m->dtypes[k].nmembers; i++)
            if (!debugger_member(c, &m->dtypes[k], &m->members[m->dtypes[k].first_member + i]))
                return false;
    struct arena a = {0};
    uint32_t *known = arena_array(&a, uint32_t, m->ndtypes + 1);
    bool ends = true;
    for (uint32_t k = 0; k < m->ndtypes && ends; k++) {
        uint32_t n = 0;
        ends = depth_of(m, k, known, 1) <= DEEPEST_TYPE;
        for (uint32_t t = k; n <= DEEPEST_TYPE && m->dtypes[t].base; t = m->dtypes[t].base)
            n++; // pointers, too
        ends &= n <= DEEPEST_TYPE;
    }
    arena_deinit(&a);
    NEED(ends, "a type made of itself");
    return true;
}

// What a debugger walks.
static bool debugger_tables(struct check *c)
{
    const struct bc_module *m = c->m;
    if (!debugger_types(c)) return false;
    for (uint32_t k = 0; k < m->nlocs; k++)
        NEED(!m->locs[k].scope || m->locs[k].scope < m->nscopes, "a scope that does not exist");
    for (uint32_t k = 1; k < m->nscopes; k++)
        NEED(m->scopes[k].parent < k && m->scopes[k].fn_name < m->nstrings &&
                 (!m->scopes[k].returns || m->scopes[k].returns < m->ndtypes),
             "a scope inside itself");
    for (uint32_t k = 0; k < m->nvars; k++) {
        const struct bc_var *v = &m->vars[k];
        NEED(v->name < m->nstrings && v->type < m->ndtypes && v->object < m->nobjects &&
                 (!v->scope || v->scope < m->nscopes) && v->loc < m->nlocs &&
                 m->dtypes[v->type].size <= m->objects[v->object].size,
             "a variable that lies nowhere");
    }
    return true;
}

static bool tables(struct check *c)
{
    const struct bc_module *m = c->m;
    c->f = NULL;
    NEED(m->nstrings && !*m->strings[0], "no strings");
    NEED(m->nobjects + 256 < 0xffff, "more objects than pointers can name");
    NEED(m->nlocs && !m->locs[0].fn_name && !m->locs[0].inlined_at && m->nsites,
         "no tables of source places and accesses"); // 0 is unused
    for (uint32_t k = 1; k < m->nlocs; k++)
        NEED(m->locs[k].file < m->nfiles && m->locs[k].fn_name < m->nstrings &&
                 m->locs[k].inlined_at < k,
             "a source place that does not exist");
    for (uint32_t k = 0; k < m->nfiles; k++)
        NEED(m->files[k].name < m->nstrings && m->files[k].path < m->nstrings &&
                 m->files[k].text < m->nstrings,
             "a file without a name");
    for (uint32_t k = 1; k < m->nsites; k++) {
        const struct bc_mem *x = &m->sites[k];
        NEED(x->loc < m->nlocs && x->fn < m->nfns && x->space <= BC_GENERIC && x->align &&
                 x->index_kind <= BC_IDX_I64 && x->pointer < m->nstrings &&
                 x->members < m->nstrings,
             "an access that names nothing");
        NEED(x->elem == 1 || x->elem == 2 || x->elem == 4 || x->elem == 8,
             "an access of an odd size");
        NEED(x->ncomp >= 1 && x->ncomp <= 16, "an access of no or too many components");
        NEED(x->kind <= BC_ATOMIC_STORE, "a site of the wrong kind");
    }
    for (uint32_t k = 0; k < m->nobjects; k++) {
        const struct bc_object *o = &m->objects[k];
        NEED(o->kind <= BC_OBJ_PROGRAM && o->name < m->nstrings && o->type < m->nstrings &&
                 o->loc < m->nlocs,
             "an object that names nothing");
        NEED(o->size < BC_MAX_OBJECT && (!o->align || !(o->align & (o->align - 1))),
             "an object of no size");
        NEED(o->fn < m->nfns || o->fn == BC_NONE || o->kind > BC_OBJ_LOCAL,
             "an object of a function that does not exist");
        NEED(o->kind != BC_OBJ_PRIVATE || o->fn < m->nfns, "a private object without a function");
        NEED(o->first_reloc <= m->nrelocs && o->nrelocs <= m->nrelocs - o->first_reloc,
             "relocations that do not exist");
        for (uint32_t r = 0; r < o->nrelocs; r++) {
            const struct bc_reloc *x = &m->relocs[o->first_reloc + r];
            NEED(o->init && o->size >= 8 && x->offset <= o->size - 8 && x->target < m->nobjects,
                 "a relocation outside its object");
        }
    }
    return debugger_tables(c);
}

static bool preconditions(struct check *c, const struct bc_kernel *k)
{
    const struct bc_arg *args = &c->m->args[k->first_arg];
    NEED(k->npreconditions <= BC_MAX_PRECONDITIONS && !k->specialized == !k->npreconditions,
         "preconditions without a variant, or too many");
    for (uint32_t i = 0; i < k->npreconditions; i++) {
        const struct bc_precondition *g = &k->preconditions[i];
        NEED(g->id <= BC_LOCAL_ID && g->dim < 3 && g->test <= BC_PRECONDITION_GE,
             "a guard that asks for nothing");
        NEED(!g->arg_bits || g->arg_bits == 32 || g->arg_bits == 64,
             "a guard with an argument of another size");
        NEED(!g->arg_bits || (g->arg < k->nargs && args[g->arg].kind == BC_ARG_VALUE &&
                              args[g->arg].size >= g->arg_bits / 8u),
             "a guard with no such argument");
    }
    return true;
}

static bool kernel(struct check *c, const struct bc_kernel *k)
{
    const struct bc_module *m = c->m;
    c->f = NULL;
    NEED(k->name < m->nstrings && k->fn < m->nfns && k->vec_type_hint < m->nstrings &&
             k->attributes < m->nstrings,
         "a kernel that names nothing");
    NEED(k->sub_group <= BC_MAX_SUB_GROUP && !(k->sub_group & (k->sub_group - 1)),
         "sub-groups of a size that there is not");
    NEED(k->first_arg <= m->nargs && k->nargs <= m->nargs - k->first_arg && k->nargs <= BC_MAX_ARGS,
         "arguments that do not exist");
    c->f = &m->fns[k->fn];
    NEED(!c->f->nrets, "a kernel that returns a value");
    for (uint32_t i = 0; i < k->nargs; i++) {
        const struct bc_arg *a = &m->args[k->first_arg + i];
        NEED(a->kind <= BC_ARG_SAMPLER && a->name < m->nstrings && a->type < m->nstrings &&
                 a->space <= BC_GENERIC && a->loc < m->nlocs,
             "an argument that names nothing");
        NEED(a->access <= 3 && a->unit <= 8 && !(a->unit & (a->unit - 1)),
             "an argument that is accessed as none is");
        NEED(a->kind == BC_ARG_VALUE || a->kind == BC_ARG_STRUCT || a->size == 8 ||
                 (a->kind == BC_ARG_SAMPLER && a->size == 4),
             "a handle of another size");
        NEED(a->kind != BC_ARG_STRUCT ||
                 (a->object < m->nobjects && m->objects[a->object].kind == BC_OBJ_PRIVATE &&
                  m->objects[a->object].size == a->size),
             "a struct argument without its object");
        NEED(a->first_piece <= m->npieces && a->npieces <= m->npieces - a->first_piece,
             "pieces that do not exist");
        for (uint32_t p = 0; p < a->npieces; p++) {
            const struct bc_piece *x = &m->pieces[a->first_piece + p];
            NEED(x->size && x->size <= 8 &&
                     (a->kind == BC_ARG_BUFFER || a->kind == BC_ARG_LOCAL ||
                      (x->offset <= a->size && x->size <= a->size - x->offset)),
                 "a piece outside its argument");
            NEED(!is_v(x->reg) && x->reg >= c->f->nconst && x->reg < c->f->nuniform,
                 "an argument in no uniform slot");
        }
    }
    return preconditions(c, k);
}

/** A kernel's variant takes the arguments of the kernel. */
static bool variant(struct check *c, uint32_t index, uint32_t is)
{
    const struct bc_module *m = c->m;
    const struct bc_kernel *k = &m->kernels[index];
    if (!is) return true;
    NEED(is > index && is >= m->nkernels && is < m->nkernels + m->nvariants,
         "a variant that does not exist");
    const struct bc_kernel *f = &m->kernels[is];
    NEED(f->nargs == k->nargs, "a variant with other arguments");
    for (uint32_t i = 0; i < k->nargs; i++)
        NEED(m->args[f->first_arg + i].kind == m->args[k->first_arg + i].kind &&
                 m->args[f->first_arg + i].size == m->args[k->first_arg + i].size,
             "a variant with other arguments");
    return true;
}

struct err *bc_verify(const struct bc_module *m, bc_lane_types_fn *lane_types)
{
    struct check C = {.m = m, .lane_types = lane_types}, *c = &C;
    bool *is_kernel = mem_alloc(m->nfns + 1);
    uint8_t *state = mem_alloc(m->nfns + 1);
    bool ok = tables(c);
    for (uint32_t k = 0; ok && k < m->nkernels + m->nvariants; k++) {
        ok = kernel(c, &m->kernels[k]);
        if (ok) is_kernel[m->kernels[k].fn] = true;
    }
    for (uint32_t k = 0; ok && k < m->nkernels + m->nvariants; k++)
        ok = variant(c, k, m->kernels[k].packed) && variant(c, k, m->kernels[k].specialized);
    for (uint32_t k = 0; ok && k < m->nfns; k++) ok = function(c, &m->fns[k], is_kernel[k]);
    for (uint32_t k = 0; ok && k < m->nfns; k++) ok = acyclic(c, k, state, 0);
    free(is_kernel);
    free(state);
    return C.e;
}
