// SPDX-License-Identifier: MIT
// The binary form and the verifier: round trip, truncation, random damage, and corruptions one by
// one.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "builtins/builtins.h"
#include "bytecode/bytecode.h"

// kernel k(global float *p, int n): p[i] = i < n ? p[i] + 1 : p[i], with a loop and a barrier.
static struct bc_insn insns[] = {
    {.op = BC_WI_I32,
     .dst = BC_V | 0,
     .a = BC_NONE,
     .b = BC_NONE,
     .c = BC_NONE,
     .ext = BC_GLOBAL_ID},
    {.op = BC_BARRIER, .dst = BC_NONE, .a = BC_BAR_BARRIER, .b = 0, .c = BC_SCOPE_GROUP, .ext = 1},
    {.op = BC_SLT_I32, .dst = BC_V | 1, .a = BC_V | 0, .b = 3, .c = BC_NONE},
    {.op = BC_CBR, .dst = BC_NONE, .a = BC_V | 1, .b = 2, .c = 3},
    {.op = BC_LOAD, .dst = BC_V | 2, .a = 2, .b = BC_V | 0, .c = BC_NONE, .site = 1},
    {.op = BC_FADD_F32, .dst = BC_V | 2, .a = BC_V | 2, .b = 1, .c = BC_NONE},
    {.op = BC_STORE, .dst = BC_NONE, .a = 2, .b = BC_V | 0, .c = BC_V | 2, .site = 2},
    {.op = BC_BR, .dst = BC_NONE, .a = BC_NONE, .b = BC_NONE, .c = BC_NONE, .ext = 1},
    {.op = BC_RET, .dst = BC_NONE, .a = BC_NONE, .b = BC_NONE, .c = BC_NONE},
};
static struct bc_block blocks[] = {{0, 2, -1}, {2, 2, 0}, {4, 4, 0}, {8, 1, -1}};
static struct bc_loop loops[] = {{1, 2, -1, BC_NONE, 0, 0, {0}}};
static const uint64_t consts[] = {1, 0x3f800000};
static const uint8_t vsize[] = {4, 1, 4};
static const uint32_t ext[] = {0};

static struct bc_module *sample(void)
{
    struct bc_module *m = bc_module_create();
    struct arena *a = &m->arena;
    const char **strings = arena_array(a, const char *, 4);
    strings[0] = "", strings[1] = "k", strings[2] = "p", strings[3] = "k.cl";
    m->strings = strings, m->nstrings = 4;
    struct bc_fn f = {.name = 1,
                      .nuniform = 4,
                      .nconst = 2,
                      .consts = consts,
                      .nvarying = 3,
                      .vsize = vsize,
                      .insns = arena_dup(a, insns, sizeof insns),
                      .ninsns = 9,
                      .blocks = arena_dup(a, blocks, sizeof blocks),
                      .nblocks = 4,
                      .loops = arena_dup(a, loops, sizeof loops),
                      .nloops = 1,
                      .ext = ext,
                      .next = 1,
                      .has_barrier = 1};
    m->fns = arena_dup(a, &f, sizeof f), m->nfns = 1;
    struct bc_kernel k = {.name = 1, .nargs = 2, .has_barrier = 1};
    m->kernels = arena_dup(a, &k, sizeof k), m->nkernels = 1;
    struct bc_arg args[] = {
        {.kind = BC_ARG_BUFFER, .space = BC_GLOBAL, .size = 8, .name = 2, .npieces = 1},
        {.kind = BC_ARG_VALUE, .size = 4, .name = 2, .first_piece = 1, .npieces = 1}};
    m->args = arena_dup(a, args, sizeof args), m->nargs = 2;
    struct bc_piece pieces[] = {{0, 8, 2}, {0, 4, 3}};
    m->pieces = arena_dup(a, pieces, sizeof pieces), m->npieces = 2;
    struct bc_mem sites[] = {{0},
                             {.kind = BC_READ,
                              .elem = 4,
                              .ncomp = 1,
                              .space = BC_GLOBAL,
                              .index_kind = BC_IDX_S32,
                              .align = 4,
                              .scale = 4,
                              .loc = 1},
                             {.kind = BC_WRITE,
                              .elem = 4,
                              .ncomp = 1,
                              .space = BC_GLOBAL,
                              .index_kind = BC_IDX_S32,
                              .align = 4,
                              .scale = 4,
                              .loc = 1}};
    m->sites = arena_dup(a, sites, sizeof sites), m->nsites = 3;
    struct bc_loc locs[] = {{0}, {.line = 3, .col = 1, .fn_name = 1}};
    m->locs = arena_dup(a, locs, sizeof locs), m->nlocs = 2;
    struct bc_file file = {.name = 3, .first_line = 1};
    m->files = arena_dup(a, &file, sizeof file), m->nfiles = 1;
    uint64_t init = 5;
    struct bc_object o = {.kind = BC_OBJ_CONSTANT,
                          .align = 8,
                          .size = 8,
                          .fn = BC_NONE,
                          .init = arena_dup(a, &init, 8)};
    m->objects = arena_dup(a, &o, sizeof o), m->nobjects = 1;
    return m;
}

static void what_is_written_is_read_back(void **state)
{
    struct bc_module *m = sample(), *n;
    struct err *e = bc_verify(m, bi_lane_types);
    if (e) fail_msg("%s", err_message(e));
    struct str a = {0}, b = {0};
    bc_encode(m, &a);
    e = bc_decode(a.data, a.len, bi_lane_types, &n);
    if (e) fail_msg("%s", err_message(e));
    bc_encode(n, &b);
    assert_int_equal(a.len, b.len);
    assert_memory_equal(a.data, b.data, a.len);
    bc_module_destroy(n);
    for (size_t cut = 0; cut < a.len; cut += 7) {
        e = bc_decode(a.data, cut, bi_lane_types, &n);
        assert_non_null(e);
        assert_null(n);
        err_free(e);
    }
    bc_module_destroy(m);
    str_deinit(&a);
    str_deinit(&b);
}

// Damage after a valid checksum: the decoder and the verifier have to find it or to live with it.
static void damage_is_survived(void **state)
{
    struct bc_module *m = sample(), *n;
    struct str good = {0};
    bc_encode(m, &good);
    uint64_t seed = 1, refused = 0;
    for (unsigned t = 0; t < 30000; t++) {
        char *bad = malloc(good.len);
        memcpy(bad, good.data, good.len);
        for (unsigned k = 0; k <= t % 3; k++) {
            seed = seed * 6364136223846793005ull + 1442695040888963407ull;
            size_t at = 32 + (seed >> 33) % (good.len - 32);
            bad[at] = (char)(t % 2 ? seed >> 20 : bad[at] ^ 1 << (seed >> 17 & 7));
        }
        uint64_t sum = hash_bytes(bad + 32, good.len - 32, 2);
        memcpy(bad + 24, &sum, 8);
        struct err *e = bc_decode(bad, good.len, bi_lane_types, &n);
        refused += e != NULL;
        err_free(e);
        bc_module_destroy(n);
        free(bad);
    }
    assert_true(refused > 5000);
    bc_module_destroy(m);
    str_deinit(&good);
}

#define F(m) ((struct bc_fn *)(m)->fns)
#define I(m) ((struct bc_insn *)(m)->fns[0].insns)
static void guard(struct bc_module *m, uint32_t form, struct bc_precondition g)
{
    struct bc_kernel *k = (struct bc_kernel *)m->kernels;
    k->specialized = form;
    k->preconditions[k->npreconditions++] = g;
}

static void handle(struct bc_module *m, uint8_t kind, uint32_t size)
{
    struct bc_arg *a = (struct bc_arg *)m->args;
    a->kind = kind;
    a->size = size;
}

static void corrupt(struct bc_module *m, unsigned k)
{
    switch (k) {
    case 0: I(m)[0].dst = BC_V | 3; break; // no such register
    case 1: I(m)[5].a = BC_V | 1; break;   // width
    case 2: I(m)[2].dst = 3; break;        // uniform result of varying operands
    case 3: I(m)[5].dst = 1; break;        // a constant is written
    case 4: I(m)[7].ext = 9; break;        // no such block
    case 5: I(m)[3].b = 4; break;
    case 6: I(m)[4].site = 3; break;
    case 7: I(m)[4].site = 2; break;    // a load at a store's site
    case 8: I(m)[4].b = BC_NONE; break; // index and site disagree
    case 9: I(m)[6].c = BC_NONE; break;
    case 10: I(m)[0].op = BC_OP_COUNT; break;
    case 11: I(m)[0].op = BC_RET; break; // a terminator inside a block
    case 12:
        I(m)[8].op = BC_MOV_I32, I(m)[8].dst = BC_V, I(m)[8].a = 0;
        break; // a block without its end
    case 13: ((struct bc_block *)m->fns[0].blocks)[1].count = 90; break;
    case 14: ((struct bc_loop *)m->fns[0].loops)[0].last = 7; break;
    case 15: ((struct bc_block *)m->fns[0].blocks)[3].loop = 0; break; // outside its loop
    case 16:
        F(m)
        ->nconst = 9;
        break;
    case 17: ((struct bc_kernel *)m->kernels)->fn = 1; break;
    case 18: ((struct bc_kernel *)m->kernels)->nargs = 3; break;
    case 19: ((struct bc_piece *)m->pieces)[1].reg = 0; break; // an argument in a constant
    case 20: ((struct bc_piece *)m->pieces)[1].offset = 2; break;
    case 21: ((struct bc_mem *)m->sites)[1].elem = 3; break;
    case 22: ((struct bc_mem *)m->sites)[1].ncomp = 17; break;
    case 23: ((struct bc_loc *)m->locs)[1].file = 1; break;
    case 24: ((struct bc_object *)m->objects)->size = 1ull << 50; break;
    case 25: ((struct bc_object *)m->objects)->nrelocs = 1; break;
    case 26: I(m)[1].a = 7; break; // a barrier of no kind
    case 27: ((struct bc_kernel *)m->kernels)->name = 4; break;
    case 28: m->nkernels = 0; break; // a barrier outside a kernel
    case 29:
        F(m)
        ->nrets = 1, F(m)
        ->rets = (uint32_t[]){BC_V};
        break;                            // a kernel that returns a value
    case 30: I(m)[0].ext = 3 << 8; break; // dimension 3
    case 31: I(m)[0].loc = 2; break;
    case 32: guard(m, 1, (struct bc_precondition){.dim = 3}); break;
    case 33: guard(m, 1, (struct bc_precondition){.arg_bits = 32}); break; // a buffer is compared
    case 34:
        guard(m, 1, (struct bc_precondition){.arg = 1, .arg_bits = 64});
        break; // more than the argument has
    case 35: guard(m, 1, (struct bc_precondition){.arg = 1, .arg_bits = 32}); break; // no such form
    case 36: guard(m, 0, (struct bc_precondition){.arg = 1, .arg_bits = 32}); break; // none at all
    case 37: ((struct bc_kernel *)m->kernels)->specialized = 1; break; // under no condition
    case 38: ((struct bc_arg *)m->args)->loc = 2; break;
    case 39: ((struct bc_arg *)m->args)->unit = 3; break;
    case 40: ((struct bc_arg *)m->args)->access = 4; break;
    case 41: m->nlocs = 0; break;
    case 42: ((struct bc_loc *)m->locs)->fn_name = 9; break;
    case 43: ((struct bc_arg *)m->args)->size = 1u << 30; break; // a pointer of 1 GiB
    case 44: handle(m, BC_ARG_SAMPLER, 60000); break;            // more than is kept of a sampler
    case 45: handle(m, BC_ARG_IMAGE, 16); break;
    case 46: handle(m, BC_ARG_LOCAL, 0); break;
    case 47: handle(m, BC_ARG_IMAGE, 4); break;
    }
}
enum { CORRUPTIONS = 48 };

static void each_corruption_is_found(void **state)
{
    for (unsigned k = 0; k < CORRUPTIONS; k++) {
        struct bc_module *m = sample();
        corrupt(m, k);
        struct err *e = bc_verify(m, bi_lane_types);
        if (!e) fail_msg("corruption %u was not found", k);
        err_free(e);
        bc_module_destroy(m);
    }
}

// What a debugger would walk: without an end, or out of the object.
static void types_have_an_end(void **state)
{
    static const char head[] = "type void \"\"\ntype int \"int\" size 4\n";
    static const struct {
        const char *text, *why; // NULL: it is right
    } tables[] = {
        {"type struct \"S\" size 16\n member \"next\" type 3 offset 8\ntype pointer \"\" base 2 "
         "size 8\n",
         NULL},
        {"type struct \"S\" size 4\n member \"b\" type 3 bit 29 bits 3\ntype typedef \"uint\" base "
         "1 size 4\n",
         NULL},
        {"type array \"\" base 0 count 3\n", NULL},
        {"type struct \"S\" size 8\n member \"self\" type 2\n", "a type made of itself"},
        {"type struct \"S\" size 8\n member \"x\" type 3\ntype union \"U\" size 8\n member \"x\" "
         "type 4\ntype array \"\" base 2 size 8 count 1\n",
         "a type made of itself"},
        {"type pointer \"\" base 2 size 8\n", "a type made of itself"},
        {"type pointer \"\" base 3 size 8\ntype const \"\" base 2 size 8\n",
         "a type made of itself"},
        {"type typedef \"T\" base 2\n", "a type made of itself"},
        {"type typedef \"T\" base 1 size 2\n", "another name of another size"},
        {"type pointer \"\" base 1 size 4\n", "a pointer of the wrong size"},
        {"type enum \"E\" size 16\n", "a number of no size"},
        {"type vector \"\" base 0 size 16 count 4\n", "a vector of no numbers"},
        {"type vector \"\" base 1 size 80 count 20\n", "a vector of no numbers"},
        {"type struct \"S\" size 4\n member \"b\" type 1 bit 40 bits 30\n",
         "a bit-field outside its number"},
        {"type struct \"S\" size 4\n member \"b\" type 1 offset 1\n",
         "a member outside its struct"},
        {"scope\nscope parent 1\n", "a scope inside itself"},
        {"var \"x\" type 1 object 0\n", "a variable that lies nowhere"},
        {"loc inlined 2\nloc inlined 1\n", "a source place that does not exist"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        struct str text = {0};
        struct bc_module *m;
        str_printf(&text, "file \"f\"\n%s%s", head, tables[i].text);
        struct err *e = bc_assemble(text.data, &m);
        if (!e) e = bc_verify(m, bi_lane_types);
        if (tables[i].why ? !e || !strstr(err_message(e), tables[i].why) : e != NULL)
            fail_msg("%s%s", text.data, e ? err_message(e) : "nothing is found");
        err_free(e);
        bc_module_destroy(m);
        str_deinit(&text);
    }
    // Deeper than any stack: pointers to pointers, arrays of arrays.
    for (int pointers = 0; pointers < 2; pointers++) {
        struct str text = {0};
        struct bc_module *m;
        str_put(&text, head);
        for (unsigned k = 1; k < 100000; k++)
            str_printf(&text,
                       pointers ? "type pointer \"\" base %u size 8\n"
                                : "type array \"\" base %u size 4 count 1\n",
                       k);
        assert_null(bc_assemble(text.data, &m));
        struct err *e = bc_verify(m, bi_lane_types);
        assert_non_null(e);
        err_free(e);
        bc_module_destroy(m);
        str_deinit(&text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read_back),
        cmocka_unit_test(damage_is_survived),
        cmocka_unit_test(each_corruption_is_found),
        cmocka_unit_test(types_have_an_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
