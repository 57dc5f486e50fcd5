// SPDX-License-Identifier: MIT
// `cldbg stats FILE`: the lines of a profile, the most expensive first, with what they waste.
#include "cli/cmd.h"

#include "base/io.h"
#include "base/mem.h"
#include "report/document.h"
#include "report/profile.h"
#include "report/sink.h"
#include "report/sourcefile.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_LINES = 40, SOURCE = 48 }; // lines of the table; bytes shown of a line's source

struct line {
    const char *path, *name;
    unsigned number;
    uint64_t instructions, issued_lanes, transactions, ideal_transactions, bank_cycles,
        ideal_bank_cycles;
    uint64_t rank;
};
struct table {
    struct line *data;
    size_t len, cap;
    unsigned simd_width;
};

static uint64_t number(const json_t *o, const char *key)
{
    const json_int_t n = json_integer_value(json_object_get(o, key));
    return n > 0 ? (uint64_t)n : 0;
}

static void add_lines(struct table *t, const char *path, const json_t *file)
{
    const char *key;
    json_t *c;
    json_object_foreach(json_object_get(file, "lines"), key, c) {
        struct line l = {.path = path,
                         .name = rep_json_get(file, "name"),
                         .number = (unsigned)strtoul(key, NULL, 10),
                         .instructions = number(c, "instructions"),
                         .issued_lanes = number(c, "issued_lanes"),
                         .transactions = number(c, "transactions"),
                         .ideal_transactions = number(c, "ideal_transactions"),
                         .bank_cycles = number(c, "bank_cycles"),
                         .ideal_bank_cycles = number(c, "ideal_bank_cycles")};
        l.rank = l.issued_lanes / t->simd_width + l.transactions + l.bank_cycles;
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
    const struct rep_place at = {.file = l->name, .path = l->path, .line = l->number};
    size_t n = 0;
    const char *text = l->path[0] == '/' ? rep_sources_line(sources, &at, &n) : NULL;
    while (text && n && (*text == ' ' || *text == '\t')) text++, n--;
    if (text && n) str_printf(s, "  %.*s", (int)(n > SOURCE ? SOURCE : n), text);
}

static void put_table(struct str *s, const struct table *t)
{
    struct rep_sources *const sources = rep_sources_create();
    uint64_t all = 0;
    size_t width = strlen("line");
    for (size_t i = 0; i < t->len; i++) {
        char at[16];
        const size_t n = strlen(t->data[i].name) + 1 +
                         (size_t)snprintf(at, sizeof at, "%u", t->data[i].number);
        all += t->data[i].rank;
        if (i < MOST_LINES && n > width) width = n;
    }
    str_printf(s, "%-*s %7s %13s %7s %13s %8s %12s %8s\n", (int)width, "line", "share",
               "instructions", "active", "transactions", "/ideal", "bank cycles", "/ideal");
    for (size_t i = 0; i < t->len && i < MOST_LINES; i++) {
        const struct line *const l = &t->data[i];
        char a[24], b[24], c[24], d[24], at[16];
        snprintf(at, sizeof at, ":%u", l->number);
        str_printf(
            s, "%s%-*s %7s %13llu %7s %13llu %8s %12llu %8s", l->name,
            (int)(width - strlen(l->name)), at, percent(l->rank, all, a),
            (unsigned long long)l->instructions, percent(l->instructions, l->issued_lanes, b),
            (unsigned long long)l->transactions, ratio(l->transactions, l->ideal_transactions, c),
            (unsigned long long)l->bank_cycles, ratio(l->bank_cycles, l->ideal_bank_cycles, d));
        put_source(s, l, sources);
        str_put(s, "\n");
    }
    if (t->len > MOST_LINES) str_printf(s, "and %zu more lines\n", t->len - MOST_LINES);
    rep_sources_destroy(sources);
}

static struct err *show(const char *path)
{
    json_error_t where;
    struct str text = {0}, out = {0};
    if (!io_read_file(path, &text)) return err_new("%s cannot be read: %m", path);
    json_t *const p = json_loadb(str_text(&text), text.len, 0, &where), *file;
    str_deinit(&text);
    if (!p) return err_new("%s:%d: it is not JSON: %s", path, where.line, where.text);
    struct err *e = err_wrap(rep_profile_check(p), "%s", path);
    const json_t *const model = json_object_get(p, "model");
    struct table t = {.simd_width = (unsigned)number(model, "simd_width")};
    const char *key;
    if (!e && !t.simd_width) e = err_new("%s: nothing was counted: no kernel ran", path);
    json_object_foreach(e ? NULL : json_object_get(p, "files"), key, file) add_lines(&t, key, file);
    if (t.len) qsort(t.data, t.len, sizeof *t.data, by_rank);
    if (!e) {
        str_printf(&out,
                   "device model: SIMD width %u, cache lines of %llu bytes, %llu banks of %llu "
                   "bytes\n",
                   t.simd_width, (unsigned long long)number(model, "cache_line"),
                   (unsigned long long)number(model, "local_banks"),
                   (unsigned long long)number(model, "bank_width"));
        put_table(&out, &t);
        rep_write_safe(stdout, str_text(&out));
    }
    str_deinit(&out);
    free(t.data);
    json_decref(p);
    return e;
}

int cmd_stats(int argc, char **argv)
{
    struct dev_option_set s = {0};
    const char *path = NULL;
    struct err *e = NULL;
    for (int i = 0; i < argc && !e; i++) {
        if (argv[i][0] == '-' && argv[i][1]) e = dev_option_parse(&s, argv[i], DEV_FOR_STATS);
        else if (path) e = err_new("two files: %s and %s", path, argv[i]);
        else path = argv[i];
    }
    if (!e && cmd_help_asked(&s)) return cmd_help(&s, DEV_FOR_STATS);
    if (!e && s.v[DEV_OPT_VERSION].given) return cmd_version();
    if (!e && !path) e = err_new("no profile is named; cldbg --profile=FILE ./app writes one");
    if (!e) e = show(path);
    dev_option_set_deinit(&s);
    return e ? cmd_fail(CMD_RUN_FAILED, e) : CMD_OK;
}
