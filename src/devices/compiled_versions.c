// SPDX-License-Identifier: MIT
// Versions of a kernel's machine code: which launches share one.
//
// Code is made for limits of the ids and integer arguments of launches, with which index arithmetic
// can be proved not to wrap (native/no_wrap.c); it is right for all launches within these limits.
// The first version has the limits of the first launch, rounded up. A launch outside of them gets a
// version with limits that are rounded up more, and the next such launch one without limits, as for
// polymorphic inline caches (Hölzle et al., ECOOP 1991). A kernel is so compiled at most three
// times for one form of work-groups, and usually once.
#include "devices/compiled_device.h"

#include "devices/native_device.h"

#include "base/mem.h"

#include <string.h>

enum {
    MOST_VERSIONS = 3,
    LEAST_BITS = 8,
    MOST_BITS = 31,
    FINE = 2,   // limits of the first version are multiples of so many bits
    COARSE = 8, // and those of the next one, where launches differ
};

/** The least number of bits, a multiple of `step`, with value <= 2^bits; 0: too many. */
static uint8_t bits_of(uint64_t value, unsigned step)
{
    unsigned bits = LEAST_BITS;
    while (bits < MOST_BITS && value > 1ull << bits) bits += step;
    if (bits >= MOST_BITS) return value < 1ull << MOST_BITS ? MOST_BITS : 0;
    return (uint8_t)bits;
}

/** An integer argument, or UINT64_MAX. */
static uint64_t integer(const struct bc_module *m, const struct bc_arg *decl,
                        const struct vm_arg *arg)
{
    uint64_t value = 0;
    if (decl->kind != BC_ARG_VALUE || decl->size > sizeof value) return UINT64_MAX;
    const char *type = bc_str(m, decl->type);
    if (!strcmp(type, "float") || !strcmp(type, "double") || !strcmp(type, "half"))
        return UINT64_MAX;
    memcpy(&value, arg->value, decl->size); // (a negative one is too large)
    return value;
}

/** Limits of the ids, and of the arguments that decide what the kernel accesses. */
static void put_limits(const struct compiled_program *p, const struct compiled_kernel *k,
                       const struct vm_launch *l, struct nat_shape *s)
{
    const struct bc_arg *decl = p->module->args + l->kernel->first_arg;
    for (unsigned d = 0; d < 3; d++) s->id_bits[d] = bits_of(l->offset[d] + l->global[d], FINE);
    if (!s->id_bits[0] || !s->id_bits[1] || !s->id_bits[2]) {
        memset(s->id_bits, 0, sizeof s->id_bits);
        return;
    }
    for (uint32_t i = 0; i < l->kernel->nargs && i < NAT_MARKS; i++)
        if (k->why || k->depends.args[i])
            s->argument_bits[i] = bits_of(integer(p->module, &decl[i], &l->args[i]), FINE);
}

struct nat_shape compiled_shape(const struct compiled_program *p, const struct compiled_kernel *k,
                                const struct vm_launch *l, uint32_t checks)
{
    struct nat_shape s = native_shape(l, p->module->args + l->kernel->first_arg);
    s.checks = checks;
    // A work-item that runs on past a barrier would hide what it did before.
    if (checks & PROOF_CHECK_LOCAL) s.passes &= ~(unsigned)(NAT_PASS_BUFFERS | NAT_PASS_BARRIERS);
    put_limits(p, k, l, &s);
    return s;
}

static bool is_within(unsigned limit, unsigned of) { return !of || (limit && limit <= of); }

/** Whether code of shape `of` is right for a launch. */
static bool covers(const struct nat_shape *of, const struct nat_shape *launch)
{
    bool all = true;
    for (unsigned d = 0; d < 3; d++) all &= is_within(launch->id_bits[d], of->id_bits[d]);
    for (unsigned i = 0; i < NAT_MARKS; i++)
        all &= is_within(launch->argument_bits[i], of->argument_bits[i]);
    return all;
}

static uint8_t wider(uint8_t limit, uint8_t than)
{
    if (!limit || !than || limit == than) return limit == than ? limit : 0;
    return bits_of(1ull << (limit > than ? limit : than), COARSE);
}

/** The limits of a version for what an earlier one covers, and for the launch. */
static void widen(struct nat_shape *s, const struct nat_shape *earlier)
{
    for (unsigned d = 0; d < 3; d++) s->id_bits[d] = wider(s->id_bits[d], earlier->id_bits[d]);
    for (unsigned i = 0; i < NAT_MARKS; i++)
        s->argument_bits[i] = wider(s->argument_bits[i], earlier->argument_bits[i]);
}

struct compiled_code *compiled_version(struct compiled_kernel *k, const struct nat_shape *shape)
{
    struct nat_shape s = *shape;
    unsigned versions = 0;
    for (size_t i = 0; i < k->codes.len; i++) {
        struct compiled_code *c = k->codes.data[i];
        if (!native_same_form(&c->shape, shape)) continue;
        if (covers(&c->shape, shape)) return c;
        widen(&s, &c->shape);
        versions++;
    }
    if (versions >= MOST_VERSIONS - 1 || !s.id_bits[0]) {
        memset(s.id_bits, 0, sizeof s.id_bits);
        memset(s.argument_bits, 0, sizeof s.argument_bits);
    }
    struct compiled_code *c = mem_alloc(sizeof *c);
    c->shape = s;
    vec_push(&k->codes, c);
    return c;
}
