// SPDX-License-Identifier: MIT
// Constants of the model in bench/ranks.py, as "name value" lines:
//   bench/ranks_cost unite              to unite intervals; to hash and copy memory
//   mpirun -n 2 bench/ranks_cost PLUGIN messages and one-sided operations, by the plug-in of cldbg
#include "base/map.h"
#include "base/mem.h"
#include "base/serialize.h"
#include "bytecode/bytecode.h"
#include "cli/ranks.h"
#include "devices/snapshot.h"
#include "interp/vm.h"
#include "race/race.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double clock_of(clockid_t c)
{
    struct timespec t;
    clock_gettime(c, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
static double cpu(void) { return clock_of(CLOCK_PROCESS_CPUTIME_ID); }
static double wall(void) { return clock_of(CLOCK_MONOTONIC); }

// ---- summaries

enum { INTERVALS = RACE_MOST_INTERVALS / 2, OBJECT = 1 };
static const char root;

/** The uses of a part: every fourth word of 4 bytes, from `first` on. */
static void put_uses(struct str *out, uint64_t first)
{
    ser_put_u64(out, 1);
    for (unsigned use = 0; use < 2; use++) {
        ser_put_u64(out, INTERVALS);
        for (uint64_t i = 0; i < INTERVALS; i++) {
            ser_put_u64(out, (first + 4 * i) * 4);
            ser_put_u64(out, (first + 4 * i) * 4 + 4);
        }
    }
}

static void unite(void)
{
    const struct race_config c = {
        .workers = 1, .ngroups = 1, .group_items = 1, .nsites = 1, .nobjects = 2};
    struct race_launch *const l = race_launch_create(&c);
    race_watch_global(l, OBJECT, &root, 0, (uint64_t)INTERVALS * 64, 4);
    struct race_uses *const uses = race_uses_of(l);
    double seconds = 0;
    unsigned object;
    for (uint64_t part = 0; part < 2; part++) {
        struct str data = {0};
        put_uses(&data, part);
        struct ser_reader in = {.at = data.data, .end = data.data + data.len};
        const double begin = cpu();
        if (!race_uses_add(uses, &in, &object) || in.is_bad) abort();
        seconds = cpu() - begin; // of the second part: both lists are full
        str_deinit(&data);
    }
    printf("unite_interval %g\n", seconds / (4.0 * INTERVALS));
    race_uses_destroy(uses);
    race_launch_destroy(l);
}

static void touch(void)
{
    enum { SIZE = 64 << 20 };
    char *const a = mem_alloc(SIZE), *const b = mem_alloc(SIZE);
    memset(a, 1, SIZE);
    memset(b, 2, SIZE);
    double begin = cpu();
    const uint64_t h = hash_memory(a, SIZE, 0);
    printf("hash_byte %g\n", (cpu() - begin) / SIZE);
    begin = cpu();
    memcpy(b, a, SIZE);
    printf("copy_byte %g\n", (cpu() - begin) / SIZE);
    if (h == (uint64_t)b[1]) puts("");
    free(a);
    free(b);
}

/** To find the bytes that a launch changed, and to make the changes elsewhere. */
static void change(void)
{
    enum { SIZE = 64 << 20 };
    char *const memory = mem_alloc(SIZE);
    const struct bc_arg decl = {.kind = BC_ARG_BUFFER, .may_write = true};
    const struct bc_kernel kernel = {.nargs = 1};
    const struct bc_module module = {.args = &decl};
    const struct vm_arg arg = {
        .buffer = {.host = memory, .root = memory, .root_size = SIZE, .size = SIZE}};
    const struct vm_launch l = {.kernel = &kernel, .args = &arg};
    const struct vm_division division = {.elem = 4};
    struct dev_snapshot *const before = dev_snapshot_take(&l, &module, NULL, NULL);
    struct dev_changes changes = {.before = before, .division = &division};
    double find = 0, make = 0;
    bool more = before;
    memset(memory, 1, SIZE);
    while (more) {
        struct str piece = {0};
        double begin = cpu();
        more = dev_changes_next(&changes, &piece);
        find += cpu() - begin;
        struct ser_reader in = {.at = piece.data, .end = piece.data + piece.len};
        begin = cpu();
        if (!dev_changes_make(&changes, &in)) abort();
        make += cpu() - begin;
        str_deinit(&piece);
    }
    printf("find_byte %g\nmake_byte %g\n", find / SIZE, make / SIZE);
    dev_snapshot_free(before);
    free(memory);
}

// ---- messages

static size_t wait_for(const struct ranks *r)
{
    int from;
    enum ranks_message what;
    char *data;
    size_t n;
    while (!r->receive(&from, &what, &data, &n)) r->is_sent();
    free(data);
    return n;
}

/** Seconds for a message of `size` bytes, one way. */
static double ping(const struct ranks *r, size_t size, unsigned times)
{
    char *const data = mem_alloc(size);
    const double begin = wall();
    for (unsigned i = 0; i < times; i++) {
        if (!r->rank) r->send(1, RANKS_RESULT, data, size);
        wait_for(r);
        if (r->rank) r->send(0, RANKS_RESULT, data, size);
    }
    const double seconds = (wall() - begin) / (2.0 * times);
    while (!r->is_sent()) {}
    free(data);
    return seconds;
}

/** Seconds for an operation of rank 1 on rank 0, which looks all the time. */
static double operate(const struct ranks *r, unsigned times)
{
    const double begin = wall();
    uint64_t n;
    for (unsigned i = 0; r->rank && i < times; i++) {
        r->ask();
        while (!r->answer(&n)) {}
    }
    const double seconds = (wall() - begin) / times;
    if (r->rank) r->send(0, RANKS_RESULT, &seconds, sizeof seconds);
    int from;
    enum ranks_message what;
    char *data;
    size_t size;
    double result = 0;
    while (!r->rank && !result)
        if (r->receive(&from, &what, &data, &size)) {
            memcpy(&result, data, sizeof result);
            free(data);
        }
    while (!r->is_sent()) {}
    return result;
}

static int message(const char *plugin)
{
    const struct ranks *(*open)(void) = NULL;
    void *const lib = dlopen(plugin, RTLD_NOW | RTLD_GLOBAL);
    if (lib) *(void **)&open = dlsym(lib, "cldbg_ranks");
    const struct ranks *const r = open ? open() : NULL;
    if (!r || r->size != 2) return fprintf(stderr, "two ranks and the plug-in are needed\n"), 1;
    enum { LARGE = 16 << 20 };
    ping(r, 64, 100);
    const double small = ping(r, 64, 2000), large = ping(r, LARGE, 20), op = operate(r, 2000);
    if (!r->rank) {
        printf("message %g\nmessage_byte %g\noperation %g\n", small, (large - small) / LARGE, op);
        fflush(stdout);
    }
    r->end();
    return 0;
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "unite")) return message(argv[1]);
    unite();
    touch();
    change();
    return 0;
}
