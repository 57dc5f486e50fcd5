// SPDX-License-Identifier: MIT
// Every opcode of ops.def that computes, in every form of its operands, for full gangs, masked ones
// and uniformly, at every level of the instruction set, against plain C written here by the
// opcode's name.
#include "interp/engine.h"

#include "base/cpu.h"
#include "interp/core/gang.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { LANES = 37 };

static unsigned bits_of(enum bc_type t) { return bc_type_size(t) * 8; }
static uint64_t trunc_to(uint64_t v, unsigned bits)
{
    return bits == 64 ? v : v & ((1ull << bits) - 1);
}
static int64_t sext(uint64_t v, unsigned bits)
{
    return (int64_t)(v << (64 - bits)) >> (64 - bits);
}
static float f32(uint64_t v)
{
    float f;
    memcpy(&f, &v, 4);
    return f;
}
static double f64(uint64_t v)
{
    double f;
    memcpy(&f, &v, 8);
    return f;
}
static uint64_t from_f32(float f)
{
    uint32_t v;
    memcpy(&v, &f, 4);
    return v;
}
static uint64_t from_f64(double f)
{
    uint64_t v;
    memcpy(&v, &f, 8);
    return v;
}

static bool is(const char *name, const char *op)
{
    const size_t n = strlen(op);
    return !strncmp(name, op, n) && name[n] == '_';
}
static __int128 clamp(__int128 v, __int128 lo, __int128 hi)
{
    return v < lo ? lo : v > hi ? hi : v;
}

static uint64_t int_ref(const char *n, unsigned w, uint64_t a, uint64_t b, bool *bad)
{
    const __int128 ua = a, ub = b, sa = sext(a, w), sb = sext(b, w);
    const __int128 umax = ((__int128)1 << w) - 1, smax = umax >> 1, smin = -smax - 1;
    const unsigned s = (unsigned)(b & (w - 1));
    if (is(n, "ADD")) return (uint64_t)(ua + ub);
    if (is(n, "SUB")) return (uint64_t)(ua - ub);
    if (is(n, "MUL")) return a * b;
    if (is(n, "AND")) return a & b;
    if (is(n, "OR")) return a | b;
    if (is(n, "XOR")) return a ^ b;
    if (is(n, "SHL")) return a << s;
    if (is(n, "LSHR")) return a >> s;
    if (is(n, "ASHR")) return (uint64_t)((int64_t)sa >> s);
    if (is(n, "UMIN")) return a < b ? a : b;
    if (is(n, "UMAX")) return a > b ? a : b;
    if (is(n, "SMIN")) return (uint64_t)(sa < sb ? sa : sb);
    if (is(n, "SMAX")) return (uint64_t)(sa > sb ? sa : sb);
    if (is(n, "UMULHI")) return (uint64_t)(((unsigned __int128)ua * (unsigned __int128)ub) >> w);
    if (is(n, "SMULHI")) return (uint64_t)((sa * sb) >> w);
    if (is(n, "UADDSAT")) return (uint64_t)clamp(ua + ub, 0, umax);
    if (is(n, "SADDSAT")) return (uint64_t)clamp(sa + sb, smin, smax);
    if (is(n, "USUBSAT")) return (uint64_t)clamp(ua - ub, 0, umax);
    if (is(n, "SSUBSAT")) return (uint64_t)clamp(sa - sb, smin, smax);
    if (is(n, "UHADD")) return (uint64_t)((ua + ub) >> 1);
    if (is(n, "SHADD")) return (uint64_t)((sa + sb) >> 1);
    if (is(n, "URHADD")) return (uint64_t)((ua + ub + 1) >> 1);
    if (is(n, "SRHADD")) return (uint64_t)((sa + sb + 1) >> 1);
    if (is(n, "UABSDIFF")) return (uint64_t)(ua > ub ? ua - ub : ub - ua);
    if (is(n, "SABSDIFF")) return (uint64_t)(sa > sb ? sa - sb : sb - sa);
    if (is(n, "ROTL")) return s ? a << s | a >> (w - s) : a;
    if (is(n, "UDIV") || is(n, "UREM")) {
        if ((*bad = !b)) return 0;
        return n[1] == 'D' ? a / b : a % b;
    }
    if (is(n, "SDIV") || is(n, "SREM")) {
        if ((*bad = !b || (sa == smin && sb == -1))) return 0;
        return (uint64_t)(n[1] == 'D' ? sa / sb : sa % sb);
    }
    if (is(n, "MOV")) return a;
    if (is(n, "NOT")) return ~a;
    if (is(n, "NEG")) return 0 - a;
    if (is(n, "SABS")) return (uint64_t)(sa < 0 ? -sa : sa);
    uint64_t v = 0;
    if (is(n, "CLZ")) {
        while (v < w && !(a >> (w - 1 - v) & 1)) v++;
        return v;
    }
    if (is(n, "CTZ")) {
        while (v < w && !(a >> v & 1)) v++;
        return v;
    }
    if (is(n, "POPCOUNT") || is(n, "BITREVERSE")) {
        for (unsigned i = 0; i < w; i++)
            v += n[0] == 'P' ? a >> i & 1 : (a >> i & 1) << (w - 1 - i);
        return v;
    }
    if (is(n, "BSWAP")) {
        for (unsigned i = 0; i < w; i += 8) v |= (a >> i & 0xff) << (w - 8 - i);
        return v;
    }
    if (is(n, "EQ")) return a == b;
    if (is(n, "NE")) return a != b;
    if (is(n, "ULT")) return a < b;
    if (is(n, "ULE")) return a <= b;
    if (is(n, "SLT")) return sa < sb;
    if (is(n, "SLE")) return sa <= sb;
    fail_msg("no reference for %s", n);
    return 0;
}

static uint64_t float_ref(const char *n, bool wide, uint64_t a, uint64_t b, uint64_t c)
{
    const double x = wide ? f64(a) : f32(a), y = wide ? f64(b) : f32(b);
    double r;
    if (is(n, "FOEQ")) return x == y;
    if (is(n, "FUNE")) return x != y;
    if (is(n, "FOLT")) return x < y;
    if (is(n, "FOLE")) return x <= y;
    if (is(n, "FORD")) return !isnan(x) && !isnan(y);
    if (is(n, "FUNO")) return isnan(x) || isnan(y);
    if (is(n, "FMIN")) return isnan(x) || y < x ? b : a;
    if (is(n, "FMAX")) return isnan(x) || y > x ? b : a;
    if (is(n, "FMA"))
        return wide ? from_f64(fma(x, y, f64(c))) : from_f32(fmaf((float)x, (float)y, f32(c)));
    if (is(n, "FADD"))
        r = x + y; // double's result rounded once more is float's: it has more than twice the bits
    else if (is(n, "FSUB")) r = x - y;
    else if (is(n, "FMUL")) r = x * y;
    else if (is(n, "FDIV")) r = x / y;
    else if (is(n, "FNEG")) return a ^ 1ull << (wide ? 63 : 31);
    else if (is(n, "FABS")) return a & ~(1ull << (wide ? 63 : 31));
    else if (is(n, "SQRT")) r = sqrt(x);
    else if (is(n, "FLOOR")) r = floor(x);
    else if (is(n, "CEIL")) r = ceil(x);
    else if (is(n, "TRUNC")) r = trunc(x);
    else if (is(n, "RINT")) r = rint(x);
    else if (is(n, "COPYSIGN")) r = copysign(x, y);
    else {
        fail_msg("no reference for %s", n);
        return 0;
    }
    return wide ? from_f64(r) : from_f32((float)r);
}

static uint64_t convert_ref(const char *n, enum bc_type to, enum bc_type from, uint64_t a,
                            bool *bad)
{
    const unsigned w = bits_of(to), fw = bits_of(from);
    if (is(n, "ZEXT") || (is(n, "TRUNC"))) return trunc_to(a, w);
    if (is(n, "SEXT")) return trunc_to((uint64_t)sext(a, fw), w);
    if (is(n, "U2F")) return to == BC_F32 ? from_f32((float)a) : from_f64((double)a);
    if (is(n, "S2F"))
        return to == BC_F32 ? from_f32((float)sext(a, fw)) : from_f64((double)sext(a, fw));
    const double x = from == BC_F32 ? f32(a) : f64(a);
    if (is(n, "FEXT")) return from_f64(x);
    if (is(n, "FTRUNC")) return from_f32((float)x);
    if ((*bad = isnan(x))) return 0;
    const bool s = is(n, "F2S");
    const double lo = s ? -ldexp(1, (int)w - 1) : 0, hi = ldexp(1, (int)(s ? w - 1 : w));
    *bad = x >= hi || trunc(x) < lo;
    if (x >= hi) return s ? trunc_to(~0ull, w - 1) : trunc_to(~0ull, w);
    if (x <= lo) return s ? 1ull << (w - 1) : 0;
    return trunc_to(s ? (uint64_t)(int64_t)x : (uint64_t)x, w);
}

static uint64_t ref(unsigned op, uint64_t a, uint64_t b, uint64_t c, bool *bad)
{
    const struct bc_op_info *i = &bc_ops[op];
    *bad = false;
    if (i->shape == BC_SEL) return a & 1 ? b : c;
    if (i->shape == BC_CVT) return convert_ref(i->name, i->type, i->from, a, bad);
    if (i->type >= BC_F32) return float_ref(i->name, i->type == BC_F64, a, b, c);
    const uint64_t v = int_ref(i->name, bits_of(i->type), a, b, bad);
    return i->shape == BC_CMP ? v : trunc_to(v, bits_of(i->type));
}

// ---- inputs
static uint64_t value(enum bc_type t, unsigned k)
{
    static const double flt[] = {0,
                                 -0.0,
                                 1,
                                 -1,
                                 0.5,
                                 2.5,
                                 -3.5,
                                 1e10,
                                 -1e10,
                                 3e38,
                                 -3e38,
                                 1e-40,
                                 127.5,
                                 255.9,
                                 -128.5,
                                 65535.5,
                                 2147483647.0,
                                 -2147483648.0,
                                 4294967296.0,
                                 9.3e18,
                                 -9.3e18,
                                 1.9e19,
                                 1e300,
                                 NAN,
                                 INFINITY,
                                 -INFINITY};
    static const uint64_t ints[] = {0,
                                    1,
                                    2,
                                    3,
                                    0x7f,
                                    0x80,
                                    0xff,
                                    0x7fff,
                                    0x8000,
                                    0xffff,
                                    0x7fffffff,
                                    0x80000000,
                                    0xffffffff,
                                    0x7fffffffffffffff,
                                    0x8000000000000000,
                                    ~0ull,
                                    ~1ull,
                                    0x123456789abcdef0};
    static uint64_t seed = 88172645463325252ull;
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    if (t >= BC_F32) {
        const double x = k % 3 ? flt[seed % (sizeof flt / sizeof *flt)]
                               : ((double)(int64_t)seed) / 1e15;
        return t == BC_F64 ? from_f64(x) : from_f32((float)x);
    }
    return trunc_to(k % 3 ? ints[seed % (sizeof ints / sizeof *ints)] : seed, bits_of(t));
}

/** Operand i of the opcode: its type. */
static enum bc_type operand_type(const struct bc_op_info *o, unsigned i)
{
    return o->shape == BC_SEL && i == 0 ? BC_I8 : o->shape == BC_CVT ? o->from : o->type;
}
static unsigned operand_count(const struct bc_op_info *o)
{
    return o->shape == BC_UN || o->shape == BC_CVT    ? 1
           : o->shape == BC_TER || o->shape == BC_SEL ? 3
                                                      : 2;
}

/**
 * A kernel that applies the opcode: operands from buffers 0..2 or, where uniform, values 3..5; to
 * buffer 6.
 */
static void write_kernel(struct str *s, unsigned op, unsigned form, bool masked, bool dst_varying)
{
    const struct bc_op_info *o = &bc_ops[op];
    const unsigned n = operand_count(o), rs = o->shape == BC_CMP ? 1 : bc_type_size(o->type);
    for (unsigned i = 0; i < 3; i++) {
        const unsigned size = bc_type_size(operand_type(o, i));
        str_printf(s, "site read elem %u space global index s32 scale %u align %u\n", size, size,
                   size);
    }
    str_printf(s, "site write elem %u space global index s32 scale %u align %u\n", rs, rs, rs);
    str_printf(s,
               "fn \"k\"\n uniform 12 const 0 1\n varying 4 %u %u %u %u 4 1\n block\n v0 = WI_I32 "
               "local_id 0\n",
               bc_type_size(operand_type(o, 0)), bc_type_size(operand_type(o, 1)),
               bc_type_size(operand_type(o, 2)), rs);
    for (unsigned i = 0; i < n; i++)
        if (form >> i & 1)
            str_printf(s, " v%u = LOAD u%u v0 site %u masked\n", i + 1, 2 + i, i + 1);
    if (masked) str_put(s, " v5 = AND_I32 v0 u1\n v6 = EQ_I32 v5 u1\n CBR v6 -> 1 2\n block\n");
    str_printf(s, dst_varying ? " v4 = %s" : " u9 = %s", o->name);
    for (unsigned i = 0; i < n; i++)
        str_printf(s, form >> i & 1 ? " v%u" : " u%u", form >> i & 1 ? i + 1 : 5 + i);
    str_put(s, dst_varying ? " masked\n STORE u8 v0 v4 site 4\n" : "\n STORE u8 v0 u9 site 4\n");
    if (masked) str_put(s, " BR -> 2\n block\n");
    str_put(s, " RET\nkernel \"k\" fn 0\n");
    for (unsigned i = 0; i < 3; i++)
        str_printf(s, " arg buffer \"p%u\" \"int*\" space global read\n piece 0 8 %u\n", i, 2 + i);
    for (unsigned i = 0; i < 3; i++)
        str_printf(s, " arg value \"x%u\" \"int\" size 8\n piece 0 8 %u\n", i, 5 + i);
    str_put(s, " arg buffer \"d\" \"int*\" space global write\n piece 0 8 8\n");
}

static bool same(enum bc_type t, uint64_t x, uint64_t y)
{
    if (x == y) return true;
    return (t == BC_F32 && isnan(f32(x)) && isnan(f32(y))) ||
           (t == BC_F64 && isnan(f64(x)) && isnan(f64(y)));
}

static void try_form(unsigned op, unsigned form, bool masked, bool dst_varying)
{
    const struct bc_op_info *o = &bc_ops[op];
    const enum bc_type rt = o->shape == BC_CMP ? BC_I8 : o->type;
    const unsigned rs = bc_type_size(rt);
    uint64_t in[3][LANES], uniform[3];
    char buffers[4][LANES * 8];
    for (unsigned i = 0; i < 3; i++) {
        const enum bc_type t = operand_type(o, i);
        for (unsigned l = 0; l < LANES; l++) {
            in[i][l] = value(t, l + i) & (o->shape == BC_SEL && i == 0 ? 1 : ~0ull);
            memcpy(buffers[i] + l * bc_type_size(t), &in[i][l], bc_type_size(t));
        }
        uniform[i] = value(t, form) & (o->shape == BC_SEL && i == 0 ? 1 : ~0ull);
    }
    memset(buffers[3], 0x5a, sizeof buffers[3]);
    struct str text = {0};
    write_kernel(&text, op, form, masked, dst_varying);
    struct engine e;
    engine_open(&e, str_text(&text), LANES, LANES);
    for (unsigned i = 0; i < 3; i++) {
        engine_buffer(&e, i, buffers[i], LANES * bc_type_size(operand_type(o, i)));
        engine_value(&e, 3 + i, &uniform[i]);
    }
    engine_buffer(&e, 6, buffers[3], LANES * rs);
    engine_run(&e);
    unsigned nbad = 0;
    for (unsigned l = 0; l < LANES; l++) {
        uint64_t got = 0, want, x[3];
        memcpy(&got, buffers[3] + l * rs, rs);
        for (unsigned i = 0; i < 3; i++) x[i] = form >> i & 1 ? in[i][l] : uniform[i];
        bool bad;
        want = ref(op, x[0], x[1], x[2], &bad);
        if (masked && !(l & 1)) want = trunc_to(0x5a5a5a5a5a5a5a5a, rs * 8);
        else nbad += bad;
        if (!same(rt, got, want))
            fail_msg("%s form %u masked %d lane %u: %#lx %#lx %#lx gives %#lx, not %#lx (%s)",
                     o->name, form, masked, l, x[0], x[1], x[2], got, want, vm_isa_choose()->name);
    }
    if (engine_count() != (nbad != 0))
        fail_msg("%s form %u masked %d: %u bad lanes, and what is found is %s", o->name, form,
                 masked, nbad, engine_findings());
    if (nbad && dst_varying) {
        char times[16];
        snprintf(times, sizeof times, "|x%u\n", nbad);
        if (form) assert_non_null(strstr(engine_findings(), times));
    }
    engine_close(&e);
    str_deinit(&text);
}

static void every_opcode(void **state)
{
    const struct vm_isa *isas[] = {
        &vm_isa_v1,
#ifdef VM_ISA_X86
        cpu_level() >= 3 ? &vm_isa_v3 : NULL,
        cpu_level() >= 4 ? &vm_isa_v4 : NULL,
#endif
    };
    for (unsigned k = 0; k < sizeof isas / sizeof *isas; k++) {
        if (!isas[k]) continue;
        vm_isa_force(isas[k]);
        for (unsigned op = 0; op < BC_OP_COUNT; op++) {
            if (bc_ops[op].shape == BC_SPECIAL) continue;
            const unsigned forms = 1u << operand_count(&bc_ops[op]);
            for (unsigned form = 0; form < forms; form++)
                for (int masked = 0; masked < 2; masked++) try_form(op, form, masked, true);
            try_form(op, 0, false, false);
        }
    }
    vm_isa_force(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_opcode)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
