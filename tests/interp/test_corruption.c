// SPDX-License-Identifier: MIT
// What the interpreter runs of the regions: each edge between them bent, each value carried over a
// barrier lost, in the bytecode of a kernel in which every one of them matters. Each corruption
// must be noticed: refused by the verifier, or another result, a finding, or no end. So a test that
// compares a kernel's results would fail for it.
#include "builtins/builtins.h"
#include "interp/engine.h"

#include "base/mem.h"

#include <stdlib.h>

static const char source[] =
    "kernel void k(global int *a, int n)\n"
    "{\n"
    "    local int t[16];\n"
    "    int i = get_global_id(0), lid = get_local_id(0), x = a[i], s = 4;\n"
    "    t[8 + lid] = lid * lid;\n"
    "    for (int k = 0; k <= n; k++) {\n"
    "        t[lid] = x + k;\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "        x = x * 3 + t[(lid + s) % 16];\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "        if (k == 2) {\n"
    "            t[(lid + 5) % 16] = x - s;\n"
    "            s += 2;\n"
    "            barrier(CLK_LOCAL_MEM_FENCE);\n"
    "            x ^= t[lid];\n"
    "            barrier(CLK_LOCAL_MEM_FENCE);\n"
    "        }\n"
    "    }\n"
    "    if (n > 3) {\n"
    "        t[lid] = x;\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "        x += 7 * t[7 - lid];\n"
    "    }\n"
    "    a[i] = x + s * lid;\n"
    "}\n";
enum { ITEMS = 16, GROUP = 8 };

static void expected(int32_t *a, int32_t n)
{
    for (int g = 0; g < ITEMS; g += GROUP) {
        int32_t x[GROUP], t[2 * GROUP], s = 4;
        for (int l = 0; l < GROUP; l++) x[l] = g + l, t[8 + l] = l * l;
        for (int k = 0; k <= n; k++) {
            for (int l = 0; l < GROUP; l++) t[l] = x[l] + k;
            for (int l = 0; l < GROUP; l++) x[l] = x[l] * 3 + t[(l + s) % 16];
            if (k != 2) continue;
            for (int l = 0; l < GROUP; l++) t[(l + 5) % 16] = x[l] - s;
            s += 2;
            for (int l = 0; l < GROUP; l++) x[l] ^= t[l];
        }
        memcpy(t, x, sizeof x);
        for (int l = 0; l < GROUP; l++) a[g + l] = x[l] + (n > 3 ? 7 * t[7 - l] : 0) + s * l;
    }
}

static char *bytecode; // text of the kernel's

static int compile(void **state)
{
    char path[] = "/tmp/cldbg-corruption-XXXXXX.cl", command[128];
    int fd = mkstemps(path, 3);
    FILE *f = fdopen(fd, "w");
    fputs(source, f);
    fclose(f);
    snprintf(command, sizeof command, "src/cc/cldbg-cc --dump=bytecode %s", path);
    struct str text = {0};
    f = popen(command, "r");
    for (int c; (c = fgetc(f)) != EOF;) str_put_n(&text, &(char){(char)c}, 1);
    pclose(f);
    remove(path);
    bytecode = text.data;
    return text.len ? 0 : 1;
}

/** Runs the module, corrupted or not; whether anything shows. */
static bool shows(struct engine *e)
{
    struct err *bad = bc_verify(e->m, bi_lane_types);
    if (bad) {
        err_free(bad);
        return true;
    }
    static const int32_t trips[] = {4, -1, 3, 5}; // each decides something else
    vm_program_destroy(e->p);                     // what it decoded was of other code
    e->l.program = e->p = vm_program_create(e->m, NULL);
    e->l.instruction_limit = 1 << 14;
    for (unsigned t = 0; t < 4; t++) {
        int32_t a[ITEMS], want[ITEMS], n = trips[t];
        for (int i = 0; i < ITEMS; i++) a[i] = i;
        expected(want, n);
        engine_buffer(e, 0, a, sizeof a);
        engine_value(e, 1, &n);
        engine_run(e);
        if (engine_count() || memcmp(a, want, sizeof a)) return true;
    }
    return false;
}

/** Where a jump there really leads: through blocks that only jump on. */
static uint32_t real(const struct bc_fn *f, uint32_t b)
{
    while (f->blocks[b].count == 1 && f->insns[f->blocks[b].first].op == BC_BR)
        b = f->insns[f->blocks[b].first].ext;
    return b;
}

/** The kernel, a group in a gang; or its packed variant, with both groups in a gang. */
static const struct bc_fn *open_form(struct engine *e, bool packed)
{
    engine_open(e, bytecode, ITEMS, GROUP);
    e->l.gang = packed ? 0 : GROUP;
    assert_true(e->m->kernels[0].packed);
    return &e->m->fns[e->m->kernels[packed ? e->m->kernels[0].packed : 0].fn];
}

static void bend_edges(bool packed)
{
    struct engine e;
    const struct bc_fn *f = open_form(&e, packed);
    unsigned tried = 0, of_barriers = 0;
    uint32_t at[64];
    assert_true(f->nblocks <= 64);
    for (uint32_t b = 0; b < f->nblocks; b++) at[b] = real(f, b);
    assert_false(shows(&e));
    for (uint32_t k = 0; k < f->ninsns; k++) {
        struct bc_insn *i = (struct bc_insn *)&f->insns[k];
        uint32_t *edges[] = {i->op == BC_BR || i->op == BC_BARRIER ? &i->ext
                             : i->op == BC_CBR                     ? &i->b
                                                                   : NULL,
                             i->op == BC_CBR ? &i->c : NULL};
        for (unsigned w = 0; w < 2 && edges[w]; w++) {
            const uint32_t was = *edges[w];
            for (uint32_t to = 0; to < f->nblocks; to++) {
                if (at[to] == at[was]) continue;
                *edges[w] = to;
                if (!shows(&e))
                    fail_msg(
                        "nobody notices that %s in instruction %u goes to block %u instead of %u",
                        bc_ops[i->op].name, k, to, was);
                tried++;
                of_barriers += i->op == BC_BARRIER;
            }
            *edges[w] = was;
        }
    }
    assert_false(shows(&e));
    assert_true(tried > 100 && of_barriers > 50);
    engine_close(&e);
}

static uint32_t block_of(const struct bc_fn *f, uint32_t insn)
{
    uint32_t b = 0;
    while (insn >= f->blocks[b].first + f->blocks[b].count) b++;
    return b;
}

/**
 * Whether the register is written by one instruction and read by another that is in another block.
 */
static bool is_carried(const struct bc_fn *f, uint32_t reg, uint32_t read_at)
{
    if (!(reg & BC_V) && reg < f->nconst) return false;
    for (uint32_t k = 0; k < f->ninsns; k++)
        if (f->insns[k].dst == reg && block_of(f, k) != block_of(f, read_at)) return true;
    return false;
}

// A read of a carried value gets that of another register of its size instead.
static void confuse_values(bool packed)
{
    struct engine e;
    const struct bc_fn *f = open_form(&e, packed);
    unsigned tried = 0;
    for (uint32_t k = 0; k < f->ninsns; k++) {
        struct bc_insn *i = (struct bc_insn *)&f->insns[k];
        if (bc_ops[i->op].shape == BC_SPECIAL) continue;
        uint32_t *operands[] = {&i->a, &i->b};
        for (unsigned w = 0; w < 2; w++) {
            const uint32_t was = *operands[w];
            if (was == BC_NONE || !is_carried(f, was, k)) continue;
            const bool varying = was & BC_V;
            for (uint32_t r = varying ? 0 : f->nconst; r < (varying ? f->nvarying : f->nuniform);
                 r++) {
                const uint32_t other = varying ? BC_V | r : r;
                if (other == was || (varying && f->vsize[r] != f->vsize[was & ~BC_V])) continue;
                if (other == i->dst || !is_carried(f, other, k)) continue;
                *operands[w] = other;
                if (!shows(&e))
                    fail_msg(
                        "nobody notices that instruction %u (%s) reads register %x instead of %x",
                        k, bc_ops[i->op].name, other, was);
                tried++;
            }
            *operands[w] = was;
        }
    }
    assert_false(shows(&e));
    assert_true(tried > 20);
    engine_close(&e);
}

static void each_edge_matters(void **state)
{
    bend_edges(false);
    bend_edges(true);
}

static void each_carried_value_matters(void **state)
{
    confuse_values(false);
    confuse_values(true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_edge_matters),
                                       cmocka_unit_test(each_carried_value_matters)};
    return cmocka_run_group_tests(tests, compile, NULL);
}
