// SPDX-License-Identifier: MIT
// What a checked access costs: nanoseconds of CPU time for each lane, by shape and address space.
// Not a test; `make bench/race_bench && bench/race_bench`. CLDBG_CPU_LEVEL chooses the loops.
#include "base/cpu.h"
#include "base/mem.h"
#include "bytecode/bytecode.h"
#include "race/race.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LANES = 256, SITES = 64, OBJECT = 1, REPEAT = 4000 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

static uint64_t found_count;
static void found(void *ctx, const struct race_pair *p) { found_count += p->count; }

enum what { READ, WRITE, ATOMIC, WRITE_READ };
struct row {
    const char *name;
    enum race_shape shape;
    enum what what;
    uint64_t (*offset)(unsigned lane); // ELEMENTS
    bool racy;
};

static uint64_t rows(unsigned lane) { return lane / 16 * 4; }                       // tile[ly][k]
static uint64_t columns(unsigned lane) { return lane % 16 * 4; }                    // tile[k][lx]
static uint64_t pitched(unsigned lane) { return (lane / 16 * 18 + lane % 16) * 4; } // halo tile
static uint64_t strided(unsigned lane) { return lane * 8; }
static uint64_t shuffled(unsigned lane) { return (lane * 167 % 256) * 4; }
static uint64_t one(unsigned lane) { return 0; }

static const struct row table[] = {
    {"uniform read", RACE_UNIFORM, READ, NULL, false},
    {"contiguous read", RACE_CONTIGUOUS, READ, NULL, false},
    {"contiguous write", RACE_CONTIGUOUS, WRITE, NULL, false},
    {"contiguous write, barrier, read", RACE_CONTIGUOUS, WRITE_READ, NULL, false},
    {"rows of one element, read", RACE_ELEMENTS, READ, rows, false},
    {"repeated rows, read", RACE_ELEMENTS, READ, columns, false},
    {"rows with a pitch, read", RACE_ELEMENTS, READ, pitched, false},
    {"rows with a pitch, write", RACE_ELEMENTS, WRITE, pitched, false},
    {"stride 2, read", RACE_ELEMENTS, READ, strided, false},
    {"stride 2, write", RACE_ELEMENTS, WRITE, strided, false},
    {"shuffled, read", RACE_ELEMENTS, READ, shuffled, false},
    {"shuffled, write", RACE_ELEMENTS, WRITE, shuffled, false},
    {"shuffled, atomic", RACE_ELEMENTS, ATOMIC, shuffled, false},
    {"racy: all write one, same value", RACE_UNIFORM, WRITE, NULL, true},
    {"racy: all write one, scattered", RACE_ELEMENTS, WRITE, one, true},
};

static double run(const struct row *r, bool local)
{
    struct race_config c = {.workers = 1,
                            .ngroups = REPEAT,
                            .group_items = LANES,
                            .nsites = SITES,
                            .nobjects = 2,
                            .found = found};
    struct race_launch *l = race_launch_create(&c);
    uint64_t size = local ? 8192 : 8192 + (uint64_t)REPEAT / 16 * 2048;
    static char root;
    if (local) race_watch_local(l, OBJECT, size, 4);
    else race_watch_global(l, OBJECT, &root, 0, size, 4);
    struct race_worker *w = race_worker_get(l, 0);
    static uint32_t elements[LANES];
    static uint32_t values[LANES];
    unsigned repeat = r->racy ? REPEAT / 40 : REPEAT;
    double t = now();
    for (unsigned g = 0; g < repeat; g++) {
        uint64_t base = local ? 0 : (uint64_t)g / 16 * 2048;
        if (g % 16 == 0) {
            race_group_begin(w, g / 16);
            for (unsigned i = 0; i < LANES && r->offset; i++)
                elements[i] = (uint32_t)((base + r->offset(i)) / 4);
        }
        race_barrier(w, BC_FENCE_LOCAL | BC_FENCE_GLOBAL, BC_SCOPE_GROUP);
        struct race_op op = {.site = 7 + r->what,
                             .object = OBJECT,
                             .is_write = r->what != READ,
                             .shape = r->shape,
                             .is_atomic = r->what == ATOMIC,
                             .size = 4,
                             .offset0 = base,
                             .elements = elements,
                             .element_shift = 2,
                             .n = LANES,
                             .values = values};
        (local ? race_local : race_global)(w, &op);
        if (r->what != WRITE_READ) continue;
        race_barrier(w, BC_FENCE_LOCAL | BC_FENCE_GLOBAL, BC_SCOPE_GROUP);
        op.is_write = false;
        (local ? race_local : race_global)(w, &op);
    }
    t = now() - t;
    race_launch_end(l);
    race_launch_destroy(l);
    return t / repeat / LANES * 1e9 / (r->what == WRITE_READ ? 2 : 1);
}

int main(int argc, char **argv) // an argument chooses rows by part of their name
{
    printf("ns a lane access, level %u         local  global\n", cpu_level());
    for (unsigned i = 0; i < sizeof table / sizeof *table; i++) {
        if (argc > 1 && !strstr(table[i].name, argv[1])) continue;
        double best[2] = {1e9, 1e9};
        for (int k = 0; k < 6; k++) {
            double t = run(&table[i], k & 1);
            if (t < best[!(k & 1)]) best[!(k & 1)] = t;
        }
        printf("%-34s %6.2f %6.2f\n", table[i].name, best[0], best[1]);
    }
    double t = now();
    for (int i = 0; i < 20000; i++) {
        struct race_config c = {.workers = 1,
                                .ngroups = 1,
                                .group_items = 64,
                                .nsites = SITES,
                                .nobjects = 4,
                                .found = found};
        struct race_launch *l = race_launch_create(&c);
        race_watch_global(l, OBJECT, &c, 0, 256, 4);
        struct race_worker *w = race_worker_get(l, 0);
        race_group_begin(w, 0);
        race_global(w,
                    &(struct race_op){
                        .site = 1, .object = OBJECT, .size = 4, .shape = RACE_CONTIGUOUS, .n = 64});
        race_launch_end(l);
        race_launch_destroy(l);
    }
    printf("a launch of 64 work-items, one access: %.2f us\n", (now() - t) / 20000 * 1e6);
    return 0;
}
