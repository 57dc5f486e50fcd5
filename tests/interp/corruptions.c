// SPDX-License-Identifier: MIT
// Corruptions of many kernels: in the bytecode of kernels of tests/kernels, chosen at random, an
// edge between regions is bent (where a barrier goes on, or a branch), or an instruction reads
// another carried register than its own. With the file's own runs that must show: the verifier
// refuses it, the result is another, there is a finding, or no end. test_corruption.c does all of
// one kernel; here only what the runs do reach is corrupted (an edge is taken if the kernel has no
// end when it leads back to its own block), and still some corruptions change nothing: a value that
// is the same in two registers, ways that do the same. The others must show.
//
// usage: corruptions [COUNT FIRST-SEED]   COUNT corruptions of each kernel (default 6 0);
//                                         environment: srcdir, VERBOSE
#include "builtins/builtins.h"
#include "interp/engine.h"

#include "base/mem.h"

#include <glob.h>
#include <stdlib.h>

enum { MAX_RUNS = 8, MAX_VALUES = 4, MAX_ITEMS = 128 };

struct run {
    unsigned global, local, items, nvalues;
    int32_t values[MAX_VALUES];
    int32_t want[MAX_ITEMS];
};

struct kernel {
    const char *path;
    char *bytecode;
    struct run runs[MAX_RUNS];
    unsigned nruns;
};

/** One line of options: an array of iota, then numbers. False when it has anything else. */
static bool parse_run(char *line, struct run *r)
{
    *r = (struct run){0};
    for (char *word = strtok(line, " \n"); word; word = strtok(NULL, " \n")) {
        unsigned n;
        int32_t v;
        char rest = 0;
        if (sscanf(word, "--global=%u%c", &r->global, &rest) == 1 ||
            sscanf(word, "--local=%u%c", &r->local, &rest) == 1)
            continue;
        if (!r->items && sscanf(word, "--arg=int[%u]=iot%c", &n, &rest) == 2 && n <= MAX_ITEMS)
            r->items = n;
        else if (r->items && r->nvalues < MAX_VALUES &&
                 sscanf(word, "--arg=int=%d%c", &v, &rest) == 1)
            r->values[r->nvalues++] = v;
        else return false;
    }
    return r->global && r->local && r->items >= r->global && r->global % r->local == 0;
}

static void read_kernel(struct kernel *k, const char *path)
{
    *k = (struct kernel){.path = path};
    FILE *f = fopen(path, "r");
    char line[512];
    while (f && fgets(line, sizeof line, f)) {
        char *run = strstr(line, "// RUN: ");
        if (run && k->nruns < MAX_RUNS && parse_run(run + 8, &k->runs[k->nruns])) k->nruns++;
    }
    if (f) fclose(f);
    if (!k->nruns) return;
    struct str command = {0}, text = {0};
    str_printf(&command, "src/cc/cldbg-cc --dump=bytecode '%s' 2>/dev/null", path);
    f = popen(command.data, "r");
    for (int c; (c = fgetc(f)) != EOF;) str_put_char(&text, (char)c);
    pclose(f);
    str_deinit(&command);
    k->bytecode = text.data;
    if (!k->bytecode || !strstr(k->bytecode, "BARRIER")) k->nruns = 0;
}

/**
 * Runs the module as the file says; whether it is other than wanted (learn: that is what is
 * wanted).
 */
static bool differs(struct engine *e, struct kernel *k, bool learn)
{
    struct err *bad = bc_verify(e->m, bi_lane_types);
    if (bad) {
        err_free(bad);
        return true;
    }
    vm_program_destroy(e->p); // what it decoded was of other code
    e->l.program = e->p = vm_program_create(e->m, NULL);
    e->l.instruction_limit = 1 << 19;
    for (unsigned t = 0; t < k->nruns; t++) {
        struct run *r = &k->runs[t];
        int32_t a[MAX_ITEMS];
        for (unsigned i = 0; i < r->items; i++) a[i] = (int32_t)i;
        e->l.global[0] = r->global;
        e->l.local[0] = e->l.gang = r->local; // as it is: the packed variant is not corrupted
        engine_buffer(e, 0, a, r->items * sizeof *a);
        for (unsigned v = 0; v < r->nvalues; v++) engine_value(e, v + 1, &r->values[v]);
        engine_run(e);
        if (engine_count()) return true;
        if (learn) memcpy(r->want, a, sizeof a);
        else if (memcmp(r->want, a, r->items * sizeof *a)) return true;
    }
    return false;
}

static uint32_t block_of(const struct bc_fn *f, uint32_t insn)
{
    uint32_t b = 0;
    while (insn >= f->blocks[b].first + f->blocks[b].count) b++;
    return b;
}

/** Where a jump there really leads: through blocks that only jump on. */
static uint32_t real(const struct bc_fn *f, uint32_t b)
{
    for (uint32_t k = 0;
         k < f->nblocks && f->blocks[b].count == 1 && f->insns[f->blocks[b].first].op == BC_BR; k++)
        b = f->insns[f->blocks[b].first].ext;
    return b;
}

/**
 * Whether the register is written by one instruction and read by another that is in another block.
 */
static bool is_carried(const struct bc_fn *f, uint32_t reg, uint32_t read_at)
{
    if (reg == BC_NONE || (!(reg & BC_V) && reg < f->nconst)) return false;
    for (uint32_t k = 0; k < f->ninsns; k++)
        if (f->insns[k].dst == reg && block_of(f, k) != block_of(f, read_at)) return true;
    return false;
}

static bool same_size(const struct bc_fn *f, uint32_t a, uint32_t b)
{
    return (a & BC_V) == (b & BC_V) && (!(a & BC_V) || f->vsize[a & ~BC_V] == f->vsize[b & ~BC_V]);
}

/** Whether some run takes the edge. */
static bool is_taken(struct engine *e, struct kernel *k, uint32_t *edge, uint32_t block)
{
    const uint32_t was = *edge;
    *edge = block;
    const bool shows = differs(e, k, false);
    *edge = was;
    return shows;
}

/** Whether some run leaves the block; one that ends the kernel counts. */
static bool is_left(struct engine *e, struct kernel *k, uint32_t block)
{
    const struct bc_fn *f = &e->m->fns[0];
    struct bc_insn *end =
        (struct bc_insn *)&f->insns[f->blocks[block].first + f->blocks[block].count - 1];
    if (end->op == BC_BR || end->op == BC_BARRIER) return is_taken(e, k, &end->ext, block);
    return end->op != BC_CBR || is_taken(e, k, &end->b, block) || is_taken(e, k, &end->c, block);
}

/** What is changed: where, and to what. NULL when this number gives nothing. */
static uint32_t *choose(struct engine *e, struct kernel *k, bool edge, uint32_t *to)
{
    const struct bc_fn *f = &e->m->fns[0];
    struct bc_insn *i = (struct bc_insn *)&f->insns[(uint32_t)rand() % f->ninsns];
    const uint32_t at = (uint32_t)(i - f->insns);
    if (edge) {
        uint32_t *where = i->op == BC_BR || i->op == BC_BARRIER ? &i->ext
                          : i->op == BC_CBR                     ? (rand() & 1 ? &i->b : &i->c)
                                                                : NULL;
        *to = (uint32_t)rand() % f->nblocks;
        return where && real(f, *where) != real(f, *to) && is_taken(e, k, where, block_of(f, at))
                   ? where
                   : NULL;
    }
    if (bc_ops[i->op].shape == BC_SPECIAL && i->op != BC_STORE) return NULL;
    uint32_t *where = i->op == BC_STORE ? &i->c : rand() & 1 ? &i->a : &i->b;
    if (!is_carried(f, *where, at)) return NULL;
    const struct bc_insn *other = &f->insns[(uint32_t)rand() % f->ninsns];
    *to = other->dst;
    return is_carried(f, *to, at) && *to != *where && *to != i->dst && same_size(f, *where, *to) &&
                   is_left(e, k, block_of(f, at))
               ? where
               : NULL;
}

struct outcome {
    unsigned tried, noticed;
};

/** Whether the program is one that it can do: of one function. */
static bool corrupt(struct kernel *k, unsigned count, unsigned seed, struct outcome *t)
{
    struct engine e;
    engine_open(&e, k->bytecode, k->runs[0].global, k->runs[0].local);
    if (e.m->nfns != 1 + e.m->nvariants) {
        engine_close(&e);
        return false;
    }
    if (differs(&e, k, true)) fail_msg("%s does not run as it is", k->path);
    for (unsigned n = 0; n < count; n++) {
        srand(seed + n);
        uint32_t to = 0, *where = NULL;
        for (unsigned try = 0; try < 3000 && !where; try++) where = choose(&e, k, n % 2, &to);
        if (!where) continue;
        const uint32_t was = *where;
        *where = to;
        const bool shows = differs(&e, k, false);
        *where = was;
        t[n % 2].tried++;
        t[n % 2].noticed += shows;
        if (!shows && getenv("VERBOSE"))
            print_message("%s, seed %u: nobody notices %x instead of %x\n", k->path, seed + n, to,
                          was);
    }
    if (differs(&e, k, false)) fail_msg("%s does not run as before", k->path);
    engine_close(&e);
    return true;
}

static unsigned count = 6, first;

static void corruptions_show(void **state)
{
    const char *top = getenv("srcdir");
    struct str pattern = {0};
    glob_t found;
    struct outcome t[2] = {0};
    unsigned kernels = 0;
    str_printf(&pattern, "%s/tests/kernels/clean/barrier_*.cl", top ? top : ".");
    assert_int_equal(glob(pattern.data, 0, NULL, &found), 0);
    for (size_t p = 0; p < found.gl_pathc; p++) {
        struct kernel k;
        if (count < 100 && (p + first) % 4) continue; // the shorter test takes every fourth
        read_kernel(&k, found.gl_pathv[p]);
        if (k.nruns) kernels += corrupt(&k, count, first + (unsigned)p * 1000, t);
        free(k.bytecode);
    }
    print_message("%u kernels: %u of %u bent edges noticed, %u of %u carried values\n", kernels,
                  t[1].noticed, t[1].tried, t[0].noticed, t[0].tried);
    assert_true(kernels >= 15 && t[0].tried > 30 && t[1].tried > 40);
    assert_true(t[1].noticed * 100 >= t[1].tried * 95);
    assert_true(t[0].noticed * 100 >= t[0].tried * 85);
    globfree(&found);
    str_deinit(&pattern);
}

int main(int argc, char **argv)
{
    if (argc > 1) count = (unsigned)strtoul(argv[1], NULL, 10);
    if (argc > 2) first = (unsigned)strtoul(argv[2], NULL, 10);
    const struct CMUnitTest tests[] = {cmocka_unit_test(corruptions_show)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
