// SPDX-License-Identifier: MIT
// Which builtin a declaration stands for: its base name against the rows, its parameter types
// against the row's letters. A name alone is not enough: a program may declare overloads of its
// own.
#include "builtins/builtins.h"
#include "builtins/mangle.h"

#include <string.h>

enum { BC_NIL_I8 = BI_NO_OP, BC_NIL_F32 = BI_NO_OP };

const struct bi_row bi_rows[BI_COUNT] = {
#define OP(n, a, s, u, f)    [BI_##n] = {#n, a, BI_OP, BC_##s##_I8, BC_##u##_I8, BC_##f##_F32, 0},
#define MATH(n, d, s)        [BI_##n] = {#n, s, BI_MATH, 0, 0, 0, BI_FN_##n##_F32},
#define MATHP(n, d, s)       [BI_##n] = {#n, s "p", BI_MATHP, 0, 0, 0, BI_FN_##n##_F32},
#define ALIAS(n, a, t)       [BI_##n] = {#n, a, BI_MATH, 0, 0, 0, BI_FN_##t##_F32},
#define LIBRARY(n, a)        [BI_##n] = {#n, a, BI_LIBRARY, 0, 0, 0, 0},
#define LIBRARY_FAMILY(n, a) [BI_##n] = {#n, a, BI_LIBRARY_FAMILY, 0, 0, 0, 0},
#define EXPAND(n, a, h)      [BI_##n] = {#n, a, BI_EXPAND, 0, 0, 0, 0},
#define FAMILY(n, a, h)      [BI_##n] = {#n, a, BI_FAMILY, 0, 0, 0, 0},
#define FLOW(n, a)           [BI_##n] = {#n, a, BI_FLOW, 0, 0, 0, 0},
#include "builtins/builtins.def"
};

static const struct {
    const char *name;
    uint8_t size, is_float, is_signed;
} scalars[] = {
    [BI_VOID] = {"void", 0, 0, 0},         [BI_BOOL] = {"bool", 1, 0, 0},
    [BI_CHAR] = {"char", 1, 0, 1},         [BI_UCHAR] = {"uchar", 1, 0, 0},
    [BI_SHORT] = {"short", 2, 0, 1},       [BI_USHORT] = {"ushort", 2, 0, 0},
    [BI_INT] = {"int", 4, 0, 1},           [BI_UINT] = {"uint", 4, 0, 0},
    [BI_LONG] = {"long", 8, 0, 1},         [BI_ULONG] = {"ulong", 8, 0, 0},
    [BI_HALF] = {"half", 2, 1, 0},         [BI_FLOAT] = {"float", 4, 1, 0},
    [BI_DOUBLE] = {"double", 8, 1, 0},     [BI_ENUM] = {"enum", 4, 0, 0},
    [BI_EVENT] = {"event_t", 8, 0, 0},     [BI_IMAGE] = {"image", 8, 0, 0},
    [BI_SAMPLER] = {"sampler_t", 8, 0, 0}, [BI_OTHER] = {"?", 0, 0, 0},
};

const char *bi_scalar_name(enum bi_scalar s) { return scalars[s].name; }
unsigned bi_scalar_size(enum bi_scalar s) { return scalars[s].size; }
unsigned bi_stride(const struct bi_type *t)
{
    return bi_scalar_size(t->scalar) * (t->width == 3 ? 4 : t->width);
}
bool bi_is_float(enum bi_scalar s) { return scalars[s].is_float; }
bool bi_is_signed(enum bi_scalar s) { return scalars[s].is_signed; }

static bool is_integer(const struct bi_type *t)
{
    return !t->pointers && t->scalar >= BI_CHAR && t->scalar <= BI_ULONG;
}

static bool is_arithmetic(const struct bi_type *t)
{
    return !t->pointers && t->scalar >= BI_CHAR && t->scalar <= BI_DOUBLE;
}

static bool is_same(const struct bi_type *a, const struct bi_type *b)
{
    return !a->pointers && !b->pointers && a->scalar == b->scalar && a->width == b->width;
}

static bool is_four_bytes(const struct bi_type *t)
{
    return !t->pointers && t->width == 4 && (t->scalar == BI_CHAR || t->scalar == BI_UCHAR);
}

// Does t suit the letter, given the call's generic type (void before it is known)?
static bool suits(char letter, const struct bi_type *t, const struct bi_type *gen)
{
    unsigned size = bi_scalar_size(t->scalar);
    switch (letter) {
    case 'g': return is_arithmetic(t) && is_same(t, gen);
    case 'f': return is_arithmetic(t) && bi_is_float(t->scalar) && is_same(t, gen);
    case 'n': return is_integer(t) && is_same(t, gen);
    case 't': return suits('f', t, gen) || (is_four_bytes(t) && is_four_bytes(gen));
    case 'e':
        return is_same(t, gen) || (is_arithmetic(t) && t->scalar == gen->scalar && t->width == 1);
    case 'i':
        return is_integer(t) && t->scalar == BI_INT && (t->width == gen->width || t->width == 1);
    case 'u':
    case 'c':
        return is_integer(t) && (letter == 'c' || !bi_is_signed(t->scalar)) &&
               t->width == gen->width && size == bi_scalar_size(gen->scalar);
    case 'x': return is_arithmetic(t);
    case 'w': return !t->pointers && t->width == 1 && size && size <= 4 && !bi_is_float(t->scalar);
    case 'z': return !t->pointers && t->width == 1 && size == 8 && is_integer(t);
    case 'p': return t->pointers > 0;
    case 'm': return !t->pointers && t->scalar == BI_IMAGE;
    case 'v': return !t->pointers && t->scalar == BI_EVENT;
    }
    return false;
}

static bool args_agree(struct bi_call *c)
{
    const char *l = c->row->args;
    for (unsigned i = 0; l[i] && l[i] != '*' && i < c->nargs; i++)
        if (strchr("gfnt", l[i])) {
            c->gen = c->arg[i];
            break;
        }
    unsigned i = 0;
    for (; l[i] && l[i] != '*'; i++)
        if (i == c->nargs || !suits(l[i], &c->arg[i], &c->gen)) return false;
    return i == c->nargs || l[i] == '*';
}

static bool eat(const char **p, const char *word)
{
    size_t n = strlen(word);
    if (strncmp(*p, word, n)) return false;
    *p += n;
    return true;
}

static unsigned eat_width(const char **p)
{
    static const struct {
        const char *text;
        unsigned n;
    } widths[] = {{"16", 16}, {"2", 2}, {"3", 3}, {"4", 4}, {"8", 8}};
    for (unsigned i = 0; i < sizeof widths / sizeof *widths; i++)
        if (eat(p, widths[i].text)) return widths[i].n;
    return 1;
}

static enum bi_round eat_round(const char **p)
{
    return eat(p, "_rte")   ? BI_RTE
           : eat(p, "_rtz") ? BI_RTZ
           : eat(p, "_rtp") ? BI_RTP
           : eat(p, "_rtn") ? BI_RTN
                            : BI_ROUND_NONE;
}

// The tail of a family's name must state all parts that the family needs, and no others.
static bool family_tail(const char *tail, struct bi_call *c)
{
    const char *p = tail;
    if (c->id == BI_convert_) {
        unsigned s = BI_CHAR;
        while (s <= BI_DOUBLE && !eat(&p, scalars[s].name)) s++;
        if (s > BI_DOUBLE) return false;
        c->to.scalar = (uint8_t)s;
        c->to.width = (uint8_t)eat_width(&p);
        c->sat = eat(&p, "_sat");
        c->round = eat_round(&p);
    } else if (strstr(c->row->name, "_group_")) {
        static const struct {
            const char *name;
            enum bc_combine op;
        } ops[] = {
            {"add", BC_COM_ADD},
            {"mul", BC_COM_MUL},
            {"min", BC_COM_MIN},
            {"max", BC_COM_MAX},
            {"and", BC_COM_AND},
            {"or", BC_COM_OR},
            {"xor", BC_COM_XOR},
            {"logical_and", BC_COM_LOGICAL_AND},
            {"logical_or", BC_COM_LOGICAL_OR},
            {"logical_xor", BC_COM_LOGICAL_XOR},
        };
        for (unsigned i = 0; i < sizeof ops / sizeof *ops; i++) {
            if (strcmp(p, ops[i].name)) continue;
            c->combine = ops[i].op;
            return true;
        }
        return false;
    } else {
        c->to.width = (uint8_t)eat_width(&p);
        if (c->id == BI_vload || c->id == BI_vstore) return !*p && c->to.width > 1;
        if (c->id == BI_vstore_half || c->id == BI_vstorea_half) c->round = eat_round(&p);
    }
    return !*p;
}

static bool name_agrees(const char *name, struct bi_call *c)
{
    if (c->row->kind != BI_FAMILY && c->row->kind != BI_LIBRARY_FAMILY)
        return !strcmp(name, c->row->name);
    return eat(&name, c->row->name) && family_tail(name, c);
}

static bool lookup_plain(const char *name, struct bi_call *call)
{
    static const enum bi_id ids[] = {BI_printf,
                                     BI___to_global,
                                     BI___to_local,
                                     BI___to_private,
                                     BI___translate_sampler_initializer,
                                     BI___cldbg_pipe_of_reader,
                                     BI___cldbg_pipe_of_writer,
                                     BI___cldbg_reservation,
                                     BI___cldbg_reservation_bits,
                                     BI___cldbg_queue_bits,
                                     BI___cldbg_queue_of,
                                     BI___cldbg_event_bits,
                                     BI___cldbg_event_of,
                                     BI___cldbg_enqueue};
    for (unsigned i = 0; i < sizeof ids / sizeof *ids; i++) {
        *call = (struct bi_call){.id = ids[i], .row = &bi_rows[ids[i]]};
        if (!strcmp(name, call->row->name)) return true;
    }
    return false;
}

bool bi_lookup(const char *mangled, struct bi_call *call)
{
    char name[BI_MAX_NAME];
    struct bi_call c = {0};
    if (strncmp(mangled, "_Z", 2)) return lookup_plain(mangled, call);
    if (!bi_demangle(mangled, name, c.arg, &c.nargs)) return false;
    for (unsigned id = 0; id < BI_COUNT; id++) {
        *call = c;
        call->id = id;
        call->row = &bi_rows[id];
        if (name_agrees(name, call) && args_agree(call)) return true;
    }
    return false;
}
