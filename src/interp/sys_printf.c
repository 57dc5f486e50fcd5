// SPDX-License-Identifier: MIT
// printf of OpenCL C 1.2 §6.12.13: what the active lanes print, in lane order, into the group's buffer.
#include "interp/group.h"
#include "interp/sys.h"

#include <inttypes.h>
#include <string.h>

/** One conversion: %[flags][width][.precision][vN][length]conversion */
struct spec {
    char flags[8];
    char width[24]; // with precision: "8.3"
    unsigned n;     // components, 1 if no vector
    enum { LEN_NONE, LEN_HH, LEN_H, LEN_HL, LEN_L } length;
    char conv;
};

/** Parses behind the '%'; gives what follows, NULL when it is no conversion. */
static const char *parse(const char *s, struct spec *sp)
{
    *sp = (struct spec){.n = 1};
    size_t nf = 0, nw = 0;
    for (; *s && strchr("-+ #0", *s); s++)
        if (nf + 1 < sizeof sp->flags && !strchr(sp->flags, *s)) sp->flags[nf++] = *s;
    for (; (*s >= '0' && *s <= '9') || *s == '.'; s++)
        if (nw + 1 < 10) sp->width[nw++] = *s;
    if (*s == 'v') {
        sp->n = 0;
        for (s++; *s >= '0' && *s <= '9' && sp->n < 100; s++)
            sp->n = sp->n * 10 + (unsigned)(*s - '0');
        if (sp->n != 2 && sp->n != 3 && sp->n != 4 && sp->n != 8 && sp->n != 16) return NULL;
    }
    if (s[0] == 'h' && s[1] == 'h') sp->length = LEN_HH, s += 2;
    else if (s[0] == 'h' && s[1] == 'l') sp->length = LEN_HL, s += 2;
    else if (s[0] == 'h') sp->length = LEN_H, s++;
    else if (s[0] == 'l') sp->length = LEN_L, s++;
    if (!*s || !strchr("diouxXfFeEgGaAcsp", *s)) return NULL;
    sp->conv = *s;
    return s + 1;
}

static bool is_float(char conv) { return strchr("fFeEgGaA", conv) != NULL; }

/** Whether an argument of this type is what the conversion wants. */
static bool fits(const struct spec *sp, const struct vm_printf_arg *a)
{
    const bool flt = a->type == BC_F32 || a->type == BC_F64;
    const unsigned size = bc_type_size((enum bc_type)a->type);
    if (sp->n != a->ncomp || is_float(sp->conv) != flt) return false;
    if (sp->conv == 's' || sp->conv == 'p') return a->type == BC_I64;
    if (sp->n > 1) {
        static const unsigned want[] = {0, 1, 2, 4, 8};
        return !want[sp->length] || size == want[sp->length];
    }
    if (flt) return true; // float is promoted to double where there is double
    return sp->length == LEN_L ? size == 8 : size <= 4;
}

static void put_text(struct vm_gang *g, const struct spec *sp, uint64_t p)
{
    struct str text = {0};
    const struct vm_object *o = vm_object_of(g, p);
    int64_t at = vm_offset_of(p);
    if (o->kind >= VM_OBJ_LOCAL && at >= 0)
        for (; (uint64_t)at < o->size && o->base[at]; at++)
            str_put_char(&text, o->base[at]);
    else str_put(&text, "(null)");
    char f[48];
    snprintf(f, sizeof f, "%%%s%ss", strchr(sp->flags, '-') ? "-" : "", sp->width);
    str_printf(&g->group->out, f, str_text(&text));
    str_deinit(&text);
}

static void put_one(struct vm_gang *g, const struct spec *sp, enum bc_type type, uint64_t bits)
{
    struct str *out = &g->group->out;
    char f[48];
    const unsigned size = bc_type_size(type);
    const bool flt = type == BC_F32 || type == BC_F64;
    double x = 0;
    if (type == BC_F32) {
        float y;
        memcpy(&y, &bits, 4);
        x = y;
    } else if (type == BC_F64) {
        memcpy(&x, &bits, 8);
    }
    if (is_float(sp->conv)) {
        snprintf(f, sizeof f, "%%%s%s%c", sp->flags, sp->width, sp->conv);
        str_printf(out, f, flt ? x : (double)(int64_t)bits);
        return;
    }
    if (flt) bits = (uint64_t)(int64_t)(x > 9e18 ? 9e18 : x < -9e18 ? -9e18 : x == x ? x : 0);
    const unsigned shift = flt ? 0 : 64 - 8 * size;
    const int64_t s = (int64_t)(bits << shift) >> shift;
    const uint64_t u = bits << shift >> shift;
    switch (sp->conv) {
    case 's': put_text(g, sp, bits); break;
    case 'c':
        snprintf(f, sizeof f, "%%%s%sc", sp->flags, sp->width);
        str_printf(out, f, (int)(unsigned char)bits);
        break;
    case 'p':
        snprintf(f, sizeof f, "%%%s%sp", sp->flags, sp->width);
        str_printf(out, f, (void *)(uintptr_t)bits);
        break;
    case 'd':
    case 'i': {
        const int64_t v = sp->length == LEN_HH ? (int8_t)s : sp->length == LEN_H ? (int16_t)s : s;
        snprintf(f, sizeof f, "%%%s%s" PRId64, sp->flags, sp->width);
        str_printf(out, f, v);
        break;
    }
    default: {
        const uint64_t v = sp->length == LEN_HH ? (uint8_t)u : sp->length == LEN_H ? (uint16_t)u : u;
        snprintf(f, sizeof f, "%%%s%sl%c", sp->flags, sp->width, sp->conv);
        str_printf(out, f, (unsigned long)v);
        break;
    }
    }
}

static void mismatch(struct vm_gang *g, const struct vm_insn *ip, uint32_t lane, const char *what)
{
    struct vm_run *run = g->worker->run;
    uint32_t calls[CHK_MAX_CALLS];
    const unsigned n = vm_calls_of(g, calls);
    chk_report_printf(&run->chk, (struct chk_where){ip->src->loc, calls, n}, vm_item_of(g, lane), what);
}

static bool print_lane(struct vm_gang *g, const struct vm_insn *ip, uint32_t lane)
{
    const struct vm_printf *q = ip->p;
    struct str *out = &g->group->out;
    uint32_t next = 0;
    const char *wrong = NULL;
    char text[128];
    for (const char *s = q->format; *s;) {
        if (*s != '%') {
            const size_t n = strcspn(s, "%");
            str_put_n(out, s, n);
            s += n;
            continue;
        }
        if (s[1] == '%') {
            str_put_char(out, '%');
            s += 2;
            continue;
        }
        struct spec sp;
        const char *end = parse(s + 1, &sp);
        if (!end) {
            snprintf(text, sizeof text, "'%.20s' in the format is no conversion", s);
            wrong = text;
            str_put(out, s);
            break;
        }
        if (next == q->nargs) {
            snprintf(text, sizeof text, "the format has more conversions than there are arguments (%u)", q->nargs);
            wrong = text;
            str_put(out, s);
            break;
        }
        const struct vm_printf_arg *a = &q->args[next++];
        if (!fits(&sp, a) && !wrong) {
            static const char *const types[] = {"8-bit integer", "16-bit integer", "32-bit integer", "64-bit integer", "float", "double"};
            snprintf(text, sizeof text, "'%.*s' does not fit argument %u, a %s%s", (int)(end - s), s, next, types[a->type],
                     a->ncomp > 1 ? " vector" : "");
            wrong = text;
        }
        for (unsigned j = 0; j < a->ncomp; j++) {
            if (j) str_put_char(out, ',');
            const unsigned elog = (unsigned)__builtin_ctz(bc_type_size((enum bc_type)a->type));
            put_one(g, &sp, (enum bc_type)a->type, vm_operand_bits(g, a->off[j], a->varying >> j & 1, elog, lane));
        }
        s = end;
    }
    if (!wrong && next < q->nargs) {
        snprintf(text, sizeof text, "%u arguments are left over by the format", q->nargs - next);
        wrong = text;
    }
    if (wrong) mismatch(g, ip, lane, wrong);
    return wrong != NULL;
}

const struct vm_insn *vm_op_printf(struct vm_gang *g, const struct vm_insn *ip)
{
    const struct vm_printf *q = ip->p;
    for (uint32_t i = 0; i < g->nlanes; i++) {
        if (!g->mask[i]) continue;
        const bool wrong = print_lane(g, ip, i);
        if (q->has_dst) vm_set_operand(g, q->dst, q->dst_varying, 2, i, wrong ? UINT32_MAX : 0);
    }
    return ip + 1;
}
