// SPDX-License-Identifier: MIT
// Advice from costs by line. A line counts if it has a fair share of the cost of all kernels:
// cycles of waves, cache-line transactions and cycles of banks, as `cldbg stats` sorts them.
#include "report/advice.h"

#include "report/document.h"
#include "report/needless_barriers.h"
#include "report/sourcefile.h"

#include <stdlib.h>
#include <string.h>

enum {
    LEAST_SHARE = 5,  // percent of the cost of all kernels
    MOST_ADVICE = 20, // lines
    LEAST_WASTE = 2,  // times the ideal
    LEAST_ACTIVE = 60 // percent of the work-items of a wave
};

enum { UNCOALESCED, BANK_CONFLICT, DIVERGENT, NEEDLESS_BARRIER };
const struct rep_advice_kind rep_advice_kinds[] = {
    [UNCOALESCED] = {"uncoalesced-access",
                     "the accesses of a wave to global memory need more cache lines than necessary",
                     "Let neighboring work-items access neighboring elements: swap the dimensions, "
                     "use a structure of arrays, or go through a tile in local memory.",
                     "y[i] = x[i * 32];\n", "y[i] = x[i];\n"},
    [BANK_CONFLICT] = {"bank-conflict",
                       "the accesses of a wave to local memory meet in the same banks",
                       "Let the work-items of a wave access different banks: pad the rows of the "
                       "array by one element, or change the order of the indices.",
                       "local float t[32][32];\nsum += t[l][k];\n",
                       "local float t[32][33];\nsum += t[l][k];\n"},
    [DIVERGENT] =
        {"divergent-branch", "many work-items of a wave wait while others run the line",
         "Let the work-items of a wave take the same branch: sort or compact the data, or "
         "make the condition depend on the group or the wave.",
         "if (i % 2) a(i);\nelse b(i);\n", "if (i < n / 2) a(2 * i + 1);\nelse b(2 * i - n);\n"},
    [NEEDLESS_BARRIER] =
        {"needless-barrier",
         "no two conflicting accesses of different work-items needed the barrier",
         "If that holds for all inputs, remove the barrier; `cldbg verify` can prove that the "
         "kernel has no races without it.",
         "t[l] = x[i];\nbarrier(CLK_LOCAL_MEM_FENCE);\ny[i] = t[l];\n",
         "t[l] = x[i];\ny[i] = t[l];\n"},
    {0}};

struct costs {
    const char *path, *name;
    unsigned line;
    double instructions, issued, existing, transactions, ideal_transactions, cycles, ideal_cycles,
        rank; // existing: the issued lanes that have a work-item
};

static double number(const json_t *o, const char *key)
{
    return json_number_value(json_object_get(o, key));
}

static struct costs costs_of(const json_t *c, double width)
{
    struct costs x = {.instructions = number(c, "instructions"),
                      .issued = number(c, "issued_lanes"),
                      .transactions = number(c, "transactions"),
                      .ideal_transactions = number(c, "ideal_transactions"),
                      .cycles = number(c, "bank_cycles"),
                      .ideal_cycles = number(c, "ideal_bank_cycles")};
    x.existing = x.issued - number(c, "missing_lanes");
    x.rank = x.issued / width + x.transactions + x.cycles;
    return x;
}

static void add(json_t *list, const struct costs *x, double all, int kind, const char *text)
{
    json_array_append_new(
        list, json_pack("{s:s, s:s, s:s, s:i, s:s, s:f, s:s}", "id", rep_advice_kinds[kind].id,
                        "file", x->name, "path", x->path, "line", (int)x->line, "text", text,
                        "share", 100 * x->rank / all, "help", rep_advice_kinds[kind].help));
}

static void advise(json_t *list, const struct costs *x, double all, unsigned width)
{
    struct str s = {0};
    if (100 * x->rank < LEAST_SHARE * all) return;
    if (x->ideal_transactions > 0 && x->transactions >= LEAST_WASTE * x->ideal_transactions) {
        str_printf(&s,
                   "the accesses of %u work-items need %.1f times as many cache lines as "
                   "necessary (%.0f instead of %.0f)",
                   width, x->transactions / x->ideal_transactions, x->transactions,
                   x->ideal_transactions);
        add(list, x, all, UNCOALESCED, str_text(&s));
    }
    str_clear(&s);
    if (x->ideal_cycles > 0 && x->cycles >= LEAST_WASTE * x->ideal_cycles) {
        str_printf(&s,
                   "bank conflicts make the accesses to local memory take %.1f times as long "
                   "(%.0f cycles instead of %.0f)",
                   x->cycles / x->ideal_cycles, x->cycles, x->ideal_cycles);
        add(list, x, all, BANK_CONFLICT, str_text(&s));
    }
    str_clear(&s);
    if (x->existing > 0 && 100 * x->instructions < LEAST_ACTIVE * x->existing) {
        str_printf(&s, "only %.0f %% of the work-items of a wave are active here",
                   100 * x->instructions / x->existing);
        add(list, x, all, DIVERGENT, str_text(&s));
    }
    str_deinit(&s);
}

static double share(const json_t *a) { return number(a, "share"); }

static int by_share(const void *pa, const void *pb)
{
    const json_t *const a = *(json_t *const *)pa, *const b = *(json_t *const *)pb;
    if (share(a) != share(b)) return share(a) < share(b) ? 1 : -1;
    const int names = strcmp(rep_json_get(a, "path"), rep_json_get(b, "path"));
    if (names) return names;
    const int lines = (int)(number(a, "line") - number(b, "line"));
    return lines ? lines : strcmp(rep_json_get(a, "id"), rep_json_get(b, "id"));
}

static json_t *sorted(json_t *list)
{
    const size_t n = json_array_size(list);
    json_t **all = calloc(n + 1, sizeof *all), *out = json_array();
    for (size_t i = 0; all && i < n; i++) all[i] = json_array_get(list, i);
    if (all) qsort(all, n, sizeof *all, by_share);
    for (size_t i = 0; all && i < n && i < MOST_ADVICE; i++) json_array_append(out, all[i]);
    free(all);
    json_decref(list);
    return out;
}

json_t *rep_advice(const json_t *doc)
{
    const json_t *const profile = json_object_get(doc, "profile");
    json_t *list = json_array(), *file, *c;
    const unsigned width = (unsigned)number(json_object_get(profile, "model"), "simd_width");
    const char *path, *line;
    double all = 0;
    for (int pass = 0; pass < 2 && width; pass++)
        json_object_foreach(json_object_get(profile, "files"), path, file)
            json_object_foreach(json_object_get(file, "lines"), line, c) {
                struct costs x = costs_of(c, width);
                x.path = path;
                x.name = rep_json_get(file, "name");
                x.line = (unsigned)strtoul(line, NULL, 10);
                if (!pass) all += x.rank;
                else advise(list, &x, all, width);
            }
    list = sorted(list);
    const struct rep_advice_kind *const kind = &rep_advice_kinds[NEEDLESS_BARRIER];
    rep_add_needless_barriers(list, json_object_get(profile, "barriers"), kind);
    return list;
}

void rep_put_advice(struct str *out, const json_t *doc)
{
    const json_t *const files = json_object_get(json_object_get(doc, "profile"), "files");
    struct rep_sources *const sources = rep_sources_create();
    const json_t *a;
    size_t i;
    json_array_foreach(json_object_get(doc, "advice"), i, a) {
        const char *const path = rep_json_get(a, "path"), *const file = rep_json_get(a, "file"),
                          *const kept = json_string_value(
                              json_object_get(json_object_get(files, path), "text"));
        const struct rep_place at = {.file = file,
                                     .path = path[0] == '/' ? path : NULL,
                                     .text = kept ? rep_sources_keep(sources, file, kept, 1) : NULL,
                                     .text_first_line = 1,
                                     .line = (unsigned)number(a, "line")};
        size_t n = 0;
        const char *text = rep_sources_line(sources, &at, &n);
        str_printf(out, "%s:%u: advice: %s", at.file, at.line, rep_json_get(a, "text"));
        if (share(a) > 0) str_printf(out, "; %.0f %% of the cost", share(a));
        str_printf(out, " [%s]\n", rep_json_get(a, "id"));
        if (text && n) str_printf(out, "%5u | %.*s\n", at.line, (int)(n > 200 ? 200 : n), text);
        str_printf(out, "   = help: %s\n", rep_json_get(a, "help"));
    }
    rep_sources_destroy(sources);
}
