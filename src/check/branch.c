// SPDX-License-Identifier: MIT
// The branch at which work-items diverged, with the values of its condition's operands on both
// sides.
#include "base/mem.h"
#include "base/str.h"
#include "check/divergence.h"

#include <stdlib.h>
#include <string.h>

/** A compared value, mapped to an integer with the same order. */
struct number {
    bool is_float, is_unsigned;
    union {
        int64_t i;
        double f;
    };
};

static struct number number_of(const struct bc_insn *comparison, uint64_t bits)
{
    const enum bc_type t = bc_ops[comparison->op].type;
    struct number x = {.is_float = t == BC_F32 || t == BC_F64,
                       .is_unsigned = bc_ops[comparison->op].name[0] == 'U'};
    const uint32_t low = (uint32_t)bits;
    float f;
    switch (t) {
    case BC_I8: x.i = x.is_unsigned ? (uint8_t)bits : (int8_t)bits; break;
    case BC_I16: x.i = x.is_unsigned ? (uint16_t)bits : (int16_t)bits; break;
    case BC_I32: x.i = x.is_unsigned ? low : (int32_t)low; break;
    case BC_I64: x.i = (int64_t)bits; break;
    case BC_F32: memcpy(&f, &low, 4), x.f = f; break;
    case BC_F64: memcpy(&x.f, &bits, 8); break;
    }
    return x;
}

static int order(const void *a, const void *b)
{
    const struct number *x = a, *y = b;
    if (x->is_float) return (x->f > y->f) - (x->f < y->f);
    if (x->is_unsigned)
        return ((uint64_t)x->i > (uint64_t)y->i) - ((uint64_t)x->i < (uint64_t)y->i);
    return (x->i > y->i) - (x->i < y->i);
}

static void put(struct str *s, struct number x)
{
    if (x.is_float) str_printf(s, "%g", x.f);
    else if (x.is_unsigned) str_printf(s, "%llu", (unsigned long long)x.i);
    else str_printf(s, "%lld", (long long)x.i);
}

/** The number of values from `first` on with equal gaps. */
static size_t run_of(const struct number *v, size_t n, size_t first, uint64_t *gap)
{
    size_t k = first + 1;
    if (k == n) return 1;
    *gap = (uint64_t)v[k].i - (uint64_t)v[first].i;
    while (k < n && (uint64_t)v[k].i - (uint64_t)v[k - 1].i == *gap) k++;
    return k - first;
}

/** The distinct values of the members: "0..7", "1, 3, .., 15", "2, 9, 4", "0.5 to 31.25". */
static const char *values_text(const struct bc_insn *comparison, const uint64_t *bits,
                               const uint8_t *members, uint32_t items, struct arena *a)
{
    enum { MOST = 5 };
    struct number *v = mem_array(NULL, items, sizeof *v);
    size_t n = 0, kept = 0;
    for (uint32_t i = 0; i < items; i++)
        if (members[i]) v[n++] = number_of(comparison, bits[i]);
    qsort(v, n, sizeof *v, order);
    for (size_t i = 0; i < n; i++)
        if (!i || order(&v[i], &v[kept - 1])) v[kept++] = v[i];
    struct str s = {0};
    unsigned pieces = 0;
    if (kept > MOST && v[0].is_float) {
        put(&s, v[0]);
        str_put(&s, " to ");
        put(&s, v[kept - 1]);
        kept = 0;
    }
    for (size_t i = 0; i < kept;) {
        uint64_t gap = 0;
        size_t run = v[0].is_float ? 1 : run_of(v, kept, i, &gap);
        if (run < (gap == 1 ? 2 : 4)) run = 1;
        if (pieces++) str_put(&s, ", ");
        if (pieces > MOST) {
            str_put(&s, "…");
            break;
        }
        put(&s, v[i]);
        if (run > 1 && gap > 1) {
            str_put(&s, ", ");
            put(&s, v[i + 1]);
            str_put(&s, ", ");
        }
        if (run > 1) str_put(&s, "..");
        if (run > 1 && gap > 1) str_put(&s, " ");
        if (run > 1) put(&s, v[i + run - 1]);
        i += run;
    }
    const char *text = arena_strdup(a, str_text(&s));
    str_deinit(&s);
    free(v);
    return text;
}

/** Values of pointers in the interpreter are meaningless to a reader. */
static bool may_be_pointers(const struct chk_divergence *d, const struct chk_divergence_point *p,
                            unsigned k)
{
    if (bc_ops[p->comparison->op].type != BC_I64) return false;
    for (uint32_t i = 0; i < d->items; i++)
        if ((p->yes[i] || p->no[i]) && (uint16_t)((p->operand[k][i] >> BC_PTR_ID_SHIFT) + 1) > 1)
            return true;
    return false;
}

/** "`lid` was 0..7 where true, 8..15 where false": operand k of a comparison. */
static void put_operand(struct str *s, const struct chk_divergence *d,
                        const struct chk_divergence_point *p, const char *text, unsigned k)
{
    struct arena arena = {0}, *a = &arena;
    if (!text || (*text >= '0' && *text <= '9') || strchr("'-.", *text) || may_be_pointers(d, p, k))
        return;
    const char *yes = values_text(p->comparison, p->operand[k], p->yes, d->items, a);
    const char *no = values_text(p->comparison, p->operand[k], p->no, d->items, a);
    str_printf(s, "%s `%s` was ", s->len ? ";" : "there", text);
    if (!strcmp(yes, no)) str_put(s, yes);
    else if (p->is_case) str_printf(s, "%s for that case, %s otherwise", yes, no);
    else str_printf(s, "%s where true, %s where false", yes, no);
    arena_deinit(a);
}

/** Is the operand 1 on one side and 0 on the other, which is only the condition itself? */
static bool is_truth(const struct chk_divergence *d, const struct chk_divergence_point *p)
{
    for (uint32_t i = 0; i < d->items; i++)
        if ((p->yes[i] && p->operand[0][i] != 1) || (p->no[i] && p->operand[0][i])) return false;
    return true;
}

static bool is_order(const char *op) { return op[0] == '<' || op[0] == '>'; }

const char *chk_operands_note(const struct chk_launch *l, const struct chk_divergence *d,
                              const struct chk_divergence_point *p, struct arena *a)
{
    const struct chk_condition c = chk_condition(l, a, p->loc);
    if (!p->comparison || !c.text) return NULL;
    const char *name = bc_ops[p->comparison->op].name;
    struct str s = {0};
    if (p->is_case || (!*c.op && (!strncmp(name, "NE_", 3) || !strncmp(name, "FUNE_", 5)))) {
        if (p->is_case || !is_truth(d, p))
            put_operand(&s, d, p, c.text, 0); // `if (x)` compares with 0
    } else if (*c.op && is_order(c.op) == (strstr(name, "LT_") || strstr(name, "LE_"))) {
        const bool swapped = c.op[0] == '>'; // only "less" exists
        put_operand(&s, d, p, c.left, swapped);
        put_operand(&s, d, p, c.right, !swapped);
    }
    const char *text = s.len ? arena_strdup(a, str_text(&s)) : NULL;
    str_deinit(&s);
    return text;
}

const char *chk_divergence_point_text(const struct chk_launch *l,
                                      const struct chk_divergence_point *p, struct arena *a)
{
    const char *text = chk_condition(l, a, p->loc).text, *at = chk_loc_text(l, a, p->loc);
    const uint32_t col = l->module->locs[p->loc].col;
    if (!at) return NULL;
    if (col) at = arena_printf(a, "%s:%u", at, col);
    const char *const quote = text ? "`" : "";
    if (!text) text = "";
    return p->is_case ? arena_printf(a, "switch%s%s%s%s at %s, case %lld", *text ? " on " : "",
                                     quote, text, quote, at, (long long)p->value)
                      : arena_printf(a, "condition%s%s%s%s at %s", *text ? " " : "", quote, text,
                                     quote, at);
}

const char *chk_divergence_point_note(const struct chk_launch *l, const struct chk_divergence *d,
                                      const struct chk_divergence_point *p, struct arena *a)
{
    const char *const text = chk_divergence_point_text(l, p, a);
    const char *yes = chk_items_text(l, d, p->yes, a), *no = chk_items_text(l, d, p->no, a);
    if (!text) return NULL;
    if (p->is_case)
        return arena_printf(a, "at the %s was for %s, %s for %s", text, yes,
                            p->is_last_case ? "the default (or no case)" : "not", no);
    return arena_printf(a, "the %s was true for %s, false for %s", text, yes, no);
}
