// SPDX-License-Identifier: MIT
// The lines of a profile as a table, the most expensive first, with what they waste.
#include "report/profile.h"

#include "base/mem.h"
#include "base/vec.h"
#include "report/document.h"
#include "report/sourcefile.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST_LINES = 40,    // of the table of all lines
    MOST_WASTEFUL = 10, // of the table of those that waste
    SOURCE = 48         // bytes shown of a line's source
};

struct line {
    const char *path, *name, *text; // text: of a program that is in no file; otherwise ""
    unsigned number;
    uint64_t instructions, issued_lanes, missing_lanes, transactions, ideal_transactions,
        bank_cycles, ideal_bank_cycles;
    uint64_t rank;
};
struct table {
    struct line *data;
    size_t len, cap;
    unsigned simd_width;
    uint64_t all; // ranks of all lines, in the table or not
};

static bool is_wasteful(const struct line *l, uint64_t all)
{
    enum { SHARE = 1, ACTIVE = 60, TIMES = 2 }; // percent of the cost, percent, times the ideal
    if (100 * l->rank < SHARE * all) return false;
    return 100 * l->instructions < ACTIVE * (l->issued_lanes - l->missing_lanes) ||
           (l->ideal_transactions && l->transactions >= TIMES * l->ideal_transactions) ||
           (l->ideal_bank_cycles && l->bank_cycles >= TIMES * l->ideal_bank_cycles);
}

static void add_lines(struct table *t, const char *path, const json_t *file)
{
    const char *key;
    json_t *c;
    json_object_foreach(json_object_get(file, "lines"), key, c) {
        struct line l = {.path = path,
                         .name = rep_json_get(file, "name"),
                         .text = rep_json_get(file, "text"),
                         .number = (unsigned)strtoul(key, NULL, 10),
                         .instructions = rep_json_count(c, "instructions"),
                         .issued_lanes = rep_json_count(c, "issued_lanes"),
                         .missing_lanes = rep_json_count(c, "missing_lanes"),
                         .transactions = rep_json_count(c, "transactions"),
                         .ideal_transactions = rep_json_count(c, "ideal_transactions"),
                         .bank_cycles = rep_json_count(c, "bank_cycles"),
                         .ideal_bank_cycles = rep_json_count(c, "ideal_bank_cycles")};
        l.rank = l.issued_lanes / t->simd_width + l.transactions + l.bank_cycles;
        t->all += l.rank;
        vec_push(t, l);
    }
}

static int by_rank(const void *pa, const void *pb)
{
    const struct line *const a = pa, *const b = pb;
    if (a->rank != b->rank) return a->rank < b->rank ? 1 : -1;
    const int c = strcmp(a->name, b->name);
    return c ? c : (a->number > b->number) - (a->number < b->number);
}

/** "3.2", or "-" if there is nothing to divide by. */
static const char *ratio(uint64_t part, uint64_t of, char buf[24])
{
    if (!of) return "-";
    snprintf(buf, 24, "%.1f", (double)part / (double)of);
    return buf;
}

static const char *percent(uint64_t part, uint64_t of, char buf[24])
{
    if (!of) return "-";
    snprintf(buf, 24, "%.0f %%", 100.0 * (double)part / (double)of);
    return buf;
}

static void put_source(struct str *s, const struct line *l, struct rep_sources *sources)
{
    const struct rep_place at = {.file = l->name,
                                 .path = l->path[0] == '/' ? l->path : NULL,
                                 .text = l->text[0] ? rep_sources_keep(sources, l->name, l->text, 1)
                                                    : NULL,
                                 .text_first_line = 1,
                                 .line = l->number};
    size_t n = 0;
    const char *text = rep_sources_line(sources, &at, &n);
    while (text && n && (*text == ' ' || *text == '\t')) text++, n--;
    if (text && n) str_printf(s, "  %.*s", (int)(n > SOURCE ? SOURCE : n), text);
}

static void put_table(struct str *s, const struct table *t, size_t most)
{
    struct rep_sources *const sources = rep_sources_create();
    size_t width = strlen("line");
    for (size_t i = 0; i < t->len; i++) {
        char at[16];
        const size_t n = strlen(t->data[i].name) + 1 +
                         (size_t)snprintf(at, sizeof at, "%u", t->data[i].number);
        if (i < most && n > width) width = n;
    }
    str_printf(s, "%-*s %7s %13s %7s %13s %8s %12s %8s\n", (int)width, "line", "share",
               "instructions", "active", "transactions", "/ideal", "bank cycles", "/ideal");
    for (size_t i = 0; i < t->len && i < most; i++) {
        const struct line *const l = &t->data[i];
        char a[24], b[24], c[24], d[24], at[16];
        snprintf(at, sizeof at, ":%u", l->number);
        str_printf(
            s, "%s%-*s %7s %13llu %7s %13llu %8s %12llu %8s", l->name,
            (int)(width - strlen(l->name)), at, percent(l->rank, t->all, a),
            (unsigned long long)l->instructions,
            percent(l->instructions, l->issued_lanes - l->missing_lanes, b),
            (unsigned long long)l->transactions, ratio(l->transactions, l->ideal_transactions, c),
            (unsigned long long)l->bank_cycles, ratio(l->bank_cycles, l->ideal_bank_cycles, d));
        put_source(s, l, sources);
        str_put(s, "\n");
    }
    if (t->len > most) str_printf(s, "and %zu more lines\n", t->len - most);
    rep_sources_destroy(sources);
}

void rep_put_costs(struct str *out, const json_t *profile, bool wasteful)
{
    struct table t = {
        .simd_width = (unsigned)rep_json_count(json_object_get(profile, "model"), "simd_width")};
    const char *key;
    json_t *file;
    json_object_foreach(t.simd_width ? json_object_get(profile, "files") : NULL, key, file)
        add_lines(&t, key, file);
    size_t kept = 0;
    for (size_t i = 0; i < t.len; i++)
        if (!wasteful || is_wasteful(&t.data[i], t.all)) t.data[kept++] = t.data[i];
    t.len = kept;
    if (t.len) qsort(t.data, t.len, sizeof *t.data, by_rank);
    if (wasteful && t.len)
        str_put(out, "lines with inactive lanes, uncoalesced accesses or bank conflicts "
                     "(device model: man cldbg, PROFILES):\n");
    if (!wasteful || t.len) put_table(out, &t, wasteful ? MOST_WASTEFUL : MOST_LINES);
    free(t.data);
}
