// SPDX-License-Identifier: MIT
// walker FILE.bc --kernel=K --global=X[,Y[,Z]] --local=... [--offset=...] [--sub-group-size=N]
// [--schedule=0..6] [--by-bytes] [--values]
//     --values: prints what the buffers hold afterwards, too
//     --arg=SPEC...   (the arguments of `cldbg run`)
// walker FILE.bc --each=LIST [--seconds=N]    many launches, each order of one with so much
//                                             processor time: each.c
#include "walker.h"

#include <llvm-c/BitReader.h>
#include <llvm-c/DebugInfo.h>
#include <llvm/Config/llvm-config.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct launch L;

static unsigned numbers(const char *s, uint64_t *out)
{
    unsigned n = 0;
    while (n < 3) {
        char *end;
        out[n++] = strtoull(s, &end, 10);
        if (*end != ',') break;
        s = end + 1;
    }
    return n;
}

static const struct {
    const char *name;
    unsigned bytes;
    char kind;
} scalars[] = {
    {"char", 1, 'i'},  {"uchar", 1, 'i'},  {"short", 2, 'i'}, {"ushort", 2, 'i'},
    {"int", 4, 'i'},   {"uint", 4, 'i'},   {"long", 8, 'i'},  {"ulong", 8, 'i'},
    {"float", 4, 'f'}, {"double", 8, 'f'}, {"half", 2, 'f'},  {"size_t", 8, 'i'},
};

/** "float4": the scalar's bytes and kind, how many of them, how many a element has in memory. */
static const char *element(const char *s, unsigned *bytes, char *kind, unsigned *n, unsigned *room)
{
    for (size_t i = 0; i < sizeof scalars / sizeof *scalars; i++) {
        const size_t len = strlen(scalars[i].name);
        if (strncmp(s, scalars[i].name, len)) continue;
        char *end;
        *n = (unsigned)strtoul(s + len, &end, 10);
        if (!*n) *n = 1;
        if (*end != '=' && *end != '[') continue;
        *bytes = scalars[i].bytes;
        *kind = scalars[i].kind;
        *room = *n == 3 ? 4 : *n;
        return end;
    }
    give_up("argument %s", s);
}

static uint64_t parse(const char *s, char **end, unsigned bytes, char kind)
{
    if (kind == 'f') return from_double(strtod(s, end), bytes * 8);
    return *s == '-' ? (uint64_t)strtoll(s, end, 0) : strtoull(s, end, 0);
}

static void fill(struct object *o, const char *s, unsigned bytes, char kind, unsigned n,
                 unsigned room, uint64_t count)
{
    uint64_t seed = 88172645463325252ull, *values = NULL, given = 0;
    const bool iota = !strcmp(s, "iota"), random = !strncmp(s, "rand", 4);
    if (!iota && !random)
        for (char *end = (char *)s;; s = end + 1) {
            values = realloc(values, (given + 1) * sizeof *values);
            values[given++] = parse(s, &end, bytes, kind);
            if (*end != ',') break;
        }
    for (uint64_t i = 0; i < count * n; i++) {
        seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
        uint64_t v;
        if (iota) v = kind == 'f' ? from_double((double)i, bytes * 8) : i;
        else if (random)
            v = kind == 'f' ? from_double((double)(seed >> 40) * 0x1p-24, bytes * 8) : seed;
        else v = values[given == count * n ? i : given == n ? i % n : i % given];
        object_put(o, (i / n * room + i % n) * bytes, bytes, (struct sc){.v = v});
    }
    free(values);
}

static void argument(unsigned i, const char *s)
{
    struct function *k = L.kernel;
    if (i >= k->nargs) give_up("too many arguments");
    struct sc *to = L.args + k->arg_reg[i];
    unsigned bytes, n, room;
    char kind;
    const bool local = !strncmp(s, "local:", 6);
    if (!strcmp(s, "null")) return;
    if (!strncmp(s, "sampler=", 8)) {
        to->v = sampler_named(s + 8);
        return;
    }
    if (!strncmp(s, "same:", 5)) {
        *to = L.args[k->arg_reg[atoi(s + 5)]];
        return;
    }
    if (!strncmp(s, "image:", 6)) {
        const char *init;
        struct object *o = image_new(i, s + 6, &init, &bytes, &kind);
        const struct image *m = o->image;
        if (strcmp(init, "undef"))
            fill(o, init, bytes, kind, m->channels, m->channels, o->size / m->bytes / m->channels);
        to->v = object_address(o);
        return;
    }
    const bool read_only = !strncmp(s, "ro:", 3), write_only = !strncmp(s, "wo:", 3);
    if (read_only || write_only) s += 3;
    const char *p = element(local ? s + 6 : s, &bytes, &kind, &n, &room);
    uint64_t count = 1;
    if (*p == '[') {
        char *end;
        count = strtoull(p + 1, &end, 10);
        if (*end != ']') give_up("argument %s", s);
        if (end == p + 1) { // as long as the values
            uint64_t values = 1;
            for (const char *q = end; *q; q++) values += *q == ',';
            count = values / n;
        }
        p = end + 1;
    } else if (!k->arg_byval[i]) { // by value
        char *end = (char *)p;
        for (unsigned c = 0; c < n; c++) {
            to[c].v = parse(end + 1, &end, bytes, kind);
            if (bytes < 8) to[c].v &= (1ull << bytes * 8) - 1;
            if (*end != ',')
                for (; c + 1 < n; c++) to[c + 1] = to[c];
        }
        if (n == 3 && k->arg_type[i]->n == 4) to[3] = (struct sc){0};
        return;
    }
    const uint64_t size = count * room * bytes;
    if (local) {
        L.locals[L.nlocals].name = k->arg_name[i];
        L.locals[L.nlocals].size = size;
        to->v = local_address(L.nlocals++);
        return;
    }
    const bool undef = !strcmp(p, "=undef");
    const int space = (int)LLVMGetPointerAddressSpace(LLVMTypeOf(LLVMGetParam(k->v, i)));
    struct object *o = object_new(k->arg_name[i], space, size, !undef && n != 3);
    o->constant = space == CONSTANT || read_only;
    o->write_only = write_only;
    if (!undef) fill(o, *p == '=' ? p + 1 : "0", bytes, kind, n, room, count);
    to->v = object_address(o);
    if (L.nbuffers < 64) L.buffers[L.nbuffers++] = o;
}

/** The work-items of a sub-group that the kernel asks for; 0: it does not. */
static unsigned own_sub_group(LLVMValueRef fn)
{
    size_t n;
    unsigned size = 0;
    LLVMValueMetadataEntry *all = LLVMGlobalCopyAllMetadata(fn, &n);
    const unsigned kind =
        LLVMGetMDKindIDInContext(LLVMGetModuleContext(L.module), "intel_reqd_sub_group_size", 25);
    for (unsigned i = 0; i < n; i++) {
        if (LLVMValueMetadataEntriesGetKind(all, i) != kind) continue;
        LLVMValueRef of[1], node = LLVMMetadataAsValue(LLVMGetModuleContext(L.module),
                                                       LLVMValueMetadataEntriesGetMetadata(all, i));
        if (LLVMGetMDNodeNumOperands(node) == 1)
            LLVMGetMDNodeOperands(node, of), size = (unsigned)LLVMConstIntGetZExtValue(of[0]);
    }
    LLVMDisposeValueMetadataEntries(all);
    return size;
}

int launch(int argc, char **argv)
{
    const char *kernel = NULL;
    unsigned ldims = 0;
    L.limit = 40000000;
    L.random = 88172645463325252ull;
    L.sub_group = 32; // as cldbg has it where nothing else is asked for
    for (int d = 0; d < 3; d++) L.global[d] = L.local[d] = 1;
    for (int i = 0; i < argc; i++) {
        if (!strncmp(argv[i], "--kernel=", 9)) kernel = argv[i] + 9;
        else if (!strncmp(argv[i], "--global=", 9)) L.dims = numbers(argv[i] + 9, L.global);
        else if (!strncmp(argv[i], "--local=", 8)) ldims = numbers(argv[i] + 8, L.local);
        else if (!strncmp(argv[i], "--offset=", 9)) numbers(argv[i] + 9, L.offset);
        else if (!strncmp(argv[i], "--sub-group-size=", 17))
            L.sub_group = (unsigned)strtoul(argv[i] + 17, NULL, 10);
        else if (!strncmp(argv[i], "--limit=", 8)) L.limit = strtoull(argv[i] + 8, NULL, 0);
        else if (!strncmp(argv[i], "--schedule=", 11)) L.schedule = atoi(argv[i] + 11);
        else if (!strcmp(argv[i], "--values")) L.print_values = true;
        else if (!strcmp(argv[i], "--by-bytes")) L.by_bytes = true;
    }
    if (!kernel || !L.dims || !ldims) give_up("no kernel, --global or --local");
    LLVMValueRef fn = LLVMGetNamedFunction(L.module, kernel);
    if (!fn) give_up("no kernel %s", kernel);
    object_new("", GLOBAL, 0, true);
    if (own_sub_group(fn)) L.sub_group = own_sub_group(fn);
    L.kernel = code_function(fn);
    L.ngroups = L.group_items = 1;
    for (int d = 0; d < 3; d++) {
        L.grid[d] = (L.global[d] + L.local[d] - 1) / L.local[d];
        L.ngroups *= (uint32_t)L.grid[d];
        L.group_items *= (uint32_t)L.local[d];
    }
    L.nitems = L.ngroups * L.group_items;
    const bool atomics = code_calls("atomic");
    L.ordered = atomics && L.nitems <= 1024;
    L.nclock = (L.ordered ? L.nitems : L.group_items) +
               (code_calls("async_") ? L.ordered ? 64 * L.ngroups : 64 : 0);
    L.groups = calloc(L.ngroups, sizeof *L.groups);
    for (uint32_t i = 0; i < L.ngroups; i++) L.groups[i].number = i;
    L.args = calloc(L.kernel->nregs + 1, sizeof *L.args);
    unsigned n = 0;
    for (int i = 0; i < argc; i++)
        if (!strncmp(argv[i], "--arg=", 6)) argument(n++, argv[i] + 6);
    if (n != L.kernel->nargs) give_up("%u arguments instead of %u", n, L.kernel->nargs);
    run();
    objects_races();
    return !atomics && verdict_is_of_any_order() ? ANY_ORDER : THIS_ORDER;
}

int main(int argc, char **argv)
{
    const char *file = NULL, *list = NULL;
    double seconds = 20;
    for (int i = 1; i < argc; i++) {
        if (!strncmp(argv[i], "--each=", 7)) list = argv[i] + 7;
        else if (!strncmp(argv[i], "--seconds=", 10)) seconds = strtod(argv[i] + 10, NULL);
        else if (argv[i][0] != '-') file = argv[i];
    }
    if (!file || argc < 3) {
        fprintf(stderr, "usage: walker FILE.bc --kernel=K --global=X --local=X --arg=SPEC...\n     "
                        "  walker FILE.bc --each=LIST [--seconds=N]\n");
        return 2;
    }
    LLVMMemoryBufferRef b;
    char *why;
    if (LLVMCreateMemoryBufferWithContentsOfFile(file, &b, &why))
        return fprintf(stderr, "%s\n", why), 2;
    if (LLVMParseBitcodeInContext2(LLVMContextCreate(), b, &L.module))
        return fprintf(stderr, "%s: no bitcode\n", file), 2;
#if LLVM_VERSION_MAJOR < 20
    LLVMSetIsNewDbgInfoFormat(L.module, 0); // declarations as instructions
#endif
    if (list) return each(list, seconds);
    launch(argc, argv);
    verdict_print("ok");
    return 0;
}
