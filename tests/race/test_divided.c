// SPDX-License-Identifier: MIT
// Random launches whose groups several parts share; results meet in a tree. The parts conflict if
// and only if one writes a byte that another accesses (counted here byte by byte); otherwise their
// races are those of the whole launch, in every number.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/serialize.h"
#include "bytecode/bytecode.h"
#include "race/race.h"

#include <stdlib.h>
#include <string.h>

enum {
    GLOBAL = 1,
    LOCAL = 2,
    ITEMS = 64,
    GROUPS = 24,
    MOST_PARTS = 8,
    OPS = 12,
    REGION = 512, // bytes of a group
    SHARED = 512, // bytes that no group writes, except by mistake
    BYTES = GROUPS * REGION + SHARED,
    SITES = 16,
    CASES = 600
};

static uint64_t seed;
static unsigned below(unsigned n)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(seed >> 33) % n;
}

struct op {
    struct race_op op; // offsets: own
    uint64_t offsets[ITEMS];
    uint8_t mask[ITEMS];
    uint32_t values[ITEMS];
    bool is_local, barrier;
};
static struct op ops[GROUPS][OPS];

/** What the sides of a launch do with each byte. */
static uint8_t wrote[MOST_PARTS][BYTES], accessed[MOST_PARTS][BYTES];

static void make_op(struct op *o, unsigned group, unsigned strays)
{
    const bool stray = below(100) < strays, shared = !stray && below(4) == 0;
    const unsigned size = 4, places = REGION / size - ITEMS;
    const uint64_t base = shared  ? GROUPS * REGION
                          : stray ? (uint64_t)below(GROUPS) * REGION
                                  : (uint64_t)group * REGION;
    *o = (struct op){.is_local = below(5) == 0, .barrier = below(3) == 0};
    o->op = (struct race_op){.site = 1 + below(SITES - 1),
                             .object = o->is_local ? LOCAL : GLOBAL,
                             .is_write = !shared && below(2),
                             .shape = below(3),
                             .size = size,
                             .n = ITEMS,
                             .offset0 = (o->is_local ? 0 : base) + size * below(places)};
    for (unsigned i = 0; i < ITEMS; i++) {
        o->offsets[i] = (o->is_local ? 0 : base) + size * (below(2) ? i : below(REGION / size));
        o->mask[i] = below(8) ? 0xff : 0;
        o->values[i] = below(2);
    }
}

static void run_group(struct race_worker *w, unsigned group, unsigned part)
{
    race_group_begin(w, group);
    for (unsigned i = 0; i < OPS; i++) {
        struct op *const o = &ops[group][i];
        o->op.offsets = o->op.shape == RACE_INDEXED ? o->offsets : NULL;
        o->op.mask = o->op.shape == RACE_CONTIGUOUS ? NULL : o->mask;
        o->op.values = o->op.is_write ? o->values : NULL;
        if (o->is_local) race_local(w, &o->op);
        else race_global(w, &o->op);
        for (unsigned k = 0; k < ITEMS && !o->is_local; k++) {
            const uint64_t at = race_offset_of(&o->op, k);
            if (o->op.mask && !o->op.mask[k]) continue;
            memset(accessed[part] + at, 1, o->op.size);
            if (o->op.is_write) memset(wrote[part] + at, 1, o->op.size);
        }
        if (o->barrier) race_barrier(w, BC_FENCE_GLOBAL | BC_FENCE_LOCAL, BC_SCOPE_GROUP);
    }
}

static void found(void *ctx, const struct race_pair *p)
{
    struct race_pair x = *p;
    x.in = x.bytes = NULL;
    ser_put(ctx, &x, sizeof x);
    ser_put_u64(ctx, p->in->n);
    ser_put_u64(ctx, p->bytes ? p->bytes->n : 0);
}

static struct race_launch *begin(struct str *reports)
{
    const struct race_config c = {.workers = 1,
                                  .ngroups = GROUPS,
                                  .group_items = ITEMS,
                                  .nsites = SITES,
                                  .nobjects = 3,
                                  .found = found,
                                  .ctx = reports};
    static const char root;
    struct race_launch *const l = race_launch_create(&c);
    race_watch_global(l, GLOBAL, &root, 0, BYTES, 4);
    race_watch_local(l, LOCAL, REGION, 4);
    return l;
}

static void run_part(struct race_launch *l, unsigned part, unsigned parts)
{
    for (unsigned g = GROUPS * part / parts; g < GROUPS * (part + 1) / parts; g++)
        run_group(race_worker_get(l, 0), g, part);
}

static bool conflict(unsigned parts)
{
    for (unsigned a = 0; a < parts; a++)
        for (unsigned b = 0; b < parts; b++)
            for (unsigned i = 0; i < BYTES && a != b; i++)
                if (wrote[a][i] && accessed[b][i]) return true;
    return false;
}

/** Takes the result of a part into `to`. False: it conflicts. */
static bool take(struct race_launch *to, struct race_uses *uses, const struct str *data)
{
    struct ser_reader in = {.at = data->data, .end = data->data + data->len};
    unsigned object = 0;
    const bool apart = race_uses_add(uses, &in, &object);
    if (apart) race_launch_take(to, &in);
    else assert_int_equal(object, GLOBAL);
    assert_false(in.is_bad);
    assert_true(!apart || in.at == in.end);
    return apart;
}

/** The results of a part and of those below it in a binomial tree. False: they conflict. */
static bool run_tree(unsigned part, unsigned parts, struct str *out, struct str *reports)
{
    struct race_launch *const l = begin(reports);
    run_part(l, part, parts);
    struct race_uses *const uses = race_uses_of(l);
    bool apart = true;
    for (unsigned step = 1; !(part & step) && part + step < parts && apart; step *= 2) {
        struct str data = {0};
        apart = run_tree(part + step, parts, &data, NULL) && take(l, uses, &data);
        str_deinit(&data);
    }
    assert_false(race_uses_atomics(uses));
    assert_true(race_uses_bytes(uses) > 0);
    if (apart && out) {
        race_uses_put(uses, out);
        race_launch_put(l, out);
    }
    race_uses_destroy(uses);
    if (apart && !out) race_launch_end(l);
    race_launch_destroy(l);
    return apart;
}

static void test_random(void **state)
{
    unsigned conflicts = 0, with_races = 0;
    for (unsigned n = 0; n < CASES; n++) {
        seed = n + 1;
        const unsigned strays = n % 3 ? below(2) : 0, parts = 2 + n % (MOST_PARTS - 1);
        for (unsigned g = 0; g < GROUPS; g++)
            for (unsigned i = 0; i < OPS; i++) make_op(&ops[g][i], g, strays);
        struct str one = {0}, many = {0};
        struct race_launch *const whole = begin(&one);
        run_part(whole, 0, 1);
        race_launch_end(whole);
        race_launch_destroy(whole);
        memset(wrote, 0, sizeof wrote);
        memset(accessed, 0, sizeof accessed);
        const bool apart = run_tree(0, parts, NULL, &many);
        if (apart) {
            assert_false(conflict(parts));
            assert_int_equal(one.len, many.len);
            assert_memory_equal(one.data, many.data, one.len);
            with_races += one.len != 0;
        } else {
            assert_true(conflict(parts));
            conflicts++;
        }
        str_deinit(&one);
        str_deinit(&many);
    }
    assert_true(conflicts > CASES / 20 && conflicts < CASES / 2);
    assert_true(with_races > CASES / 4);
}

/** A damaged result is rejected, and nothing outside it is read. */
static void test_damaged(void **state)
{
    seed = 7;
    for (unsigned g = 0; g < GROUPS; g++)
        for (unsigned i = 0; i < OPS; i++) make_op(&ops[g][i], g, 0);
    struct race_launch *const l = begin(NULL);
    struct str data = {0};
    run_part(l, 1, 2);
    struct race_uses *const uses = race_uses_of(l);
    race_uses_put(uses, &data);
    race_launch_put(l, &data);
    race_uses_destroy(uses);
    race_launch_destroy(l);
    for (size_t cut = 0; cut < data.len; cut += 1 + below(20)) {
        char *const part = malloc(cut + 1); // for AddressSanitizer
        memcpy(part, data.data, cut);
        struct race_launch *const to = begin(NULL);
        struct race_uses *const all = race_uses_of(to);
        struct ser_reader in = {.at = part, .end = part + cut};
        unsigned object;
        if (race_uses_add(all, &in, &object)) race_launch_take(to, &in);
        assert_true(in.is_bad);
        race_uses_destroy(all);
        race_launch_destroy(to);
        free(part);
    }
    str_deinit(&data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_damaged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
