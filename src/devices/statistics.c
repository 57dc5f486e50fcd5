// SPDX-License-Identifier: MIT
// The table of --stats: one row per kernel, and below it its memory accesses by address space and
// class, and the lines of those that are strided or gather.
#include "devices/statistics.h"

#include "base/mem.h"
#include "base/str.h"
#include "devices/access_lines.h"
#include "devices/dev.h"
#include "report/profile.h"
#include "report/sink.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct row {
    struct row *next;
    char *kernel;
    uint64_t launches, items, ns;
    uint64_t compiled, interpreted; // of them, by the compiled engine
    char *why;                      // the last of them was interpreted
    struct vm_stats sum;
    struct dev_access_lines lines;
};
static struct row *rows;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // guards rows

static const char *const spaces[] = {[VM_COUNT_GLOBAL] = "global",
                                     [VM_COUNT_LOCAL] = "local",
                                     [VM_COUNT_PRIVATE] = "private",
                                     [VM_COUNT_CONSTANT] = "constant"};
static const char *const classes[] = {[VM_CLASS_UNIFORM] = "uniform",
                                      [VM_CLASS_CONTIGUOUS] = "contiguous",
                                      [VM_CLASS_STRIDED] = "strided",
                                      [VM_CLASS_GATHER] = "gather"};

static struct row *row_of(const char *kernel)
{
    struct row *r = rows;
    while (r && strcmp(r->kernel, kernel)) r = r->next;
    if (r) return r;
    r = mem_alloc(sizeof *r);
    r->kernel = strdup(kernel);
    r->next = rows;
    return rows = r;
}

static void put_in_report(struct rep_session *rep, const char *kernel, const struct vm_stats *st,
                          uint64_t items, uint64_t ns)
{
    const struct rep_number fixed[] = {
        {"time_ns", ns},           {"cpu_ns", st->cpu_ns},      {"race_check_ns", st->race_ns},
        {"work_items", items},     {"work_groups", st->groups}, {"instructions", st->lane_insns},
        {"lane_slots", st->slots},
    };
    struct rep_number all[sizeof fixed / sizeof *fixed + VM_COUNT_SPACES * VM_CLASSES];
    char names[VM_COUNT_SPACES * VM_CLASSES][32];
    unsigned n = sizeof fixed / sizeof *fixed, k = 0;
    memcpy(all, fixed, sizeof fixed);
    for (int s = 0; s < VM_COUNT_SPACES; s++)
        for (int c = 0; c < VM_CLASSES; c++) {
            if (!st->accesses[s][c]) continue;
            snprintf(names[k], sizeof names[k], "%s_%s", spaces[s], classes[c]);
            all[n++] = (struct rep_number){names[k++], st->accesses[s][c]};
        }
    rep_numbers(rep, kernel, all, n);
}

/** Three digits and a letter for thousands, millions, … */
static const char *count(uint64_t n, char buf[16])
{
    static const char *const units[] = {"", " k", " M", " G", " T", " P"};
    double v = (double)n;
    unsigned u = 0;
    for (; v >= 999.5 && u < 5; u++) v /= 1000;
    snprintf(buf, 16, "%.*f%s", !u || v >= 99.95 ? 0 : v >= 9.995 ? 1 : 2, v, units[u]);
    return buf;
}

static const char *seconds(uint64_t ns, char buf[16])
{
    const double s = (double)ns * 1e-9;
    snprintf(buf, 16,
             s < 1e-3 ? "%.0f us"
             : s < 1  ? "%.1f ms"
                      : "%.2f s",
             s < 1e-3 ? s * 1e6
             : s < 1  ? s * 1e3
                      : s);
    return buf;
}

static const char *percent(uint64_t part, uint64_t of, char buf[16])
{
    if (!of) return "-";
    snprintf(buf, 16, "%.0f %%", 100.0 * (double)(part < of ? part : of) / (double)of);
    return buf;
}

static void put_accesses(struct str *s, const struct row *r)
{
    char buf[16];
    for (int k = 0; k < VM_COUNT_SPACES; k++) {
        const char *between = "";
        for (int c = 0; c < VM_CLASSES; c++) {
            if (!r->sum.accesses[k][c]) continue;
            if (!*between) str_printf(s, "    %s accesses: ", spaces[k]);
            str_printf(s, "%s%s %s", between, count(r->sum.accesses[k][c], buf), classes[c]);
            between = ", ";
        }
        if (*between) str_put(s, "\n");
    }
}

static void put_engine(struct str *s, const struct row *r)
{
    if (!r->compiled && !r->interpreted) return;
    str_printf(s, "    launches as machine code: %llu", (unsigned long long)r->compiled);
    if (r->interpreted)
        str_printf(s, "; interpreted: %llu, the last one since %s",
                   (unsigned long long)r->interpreted, r->why);
    if (r->compiled) str_put(s, "; instructions and accesses are those of interpreted launches");
    str_put(s, "\n");
}

static int by_time(const void *pa, const void *pb)
{
    const struct row *a = *(const struct row *const *)pa, *b = *(const struct row *const *)pb;
    return a->ns != b->ns ? (a->ns < b->ns ? 1 : -1) : strcmp(a->kernel, b->kernel);
}

static void print(void)
{
    FILE *const out = dev_report_out();
    pthread_mutex_lock(&lock);
    struct row **list = NULL;
    size_t n = 0, width = strlen("kernel");
    for (struct row *r = rows; r; r = r->next) {
        list = mem_array(list, n + 1, sizeof *list);
        list[n++] = r;
        if (strlen(r->kernel) > width) width = strlen(r->kernel);
    }
    if (n) qsort(list, n, sizeof *list, by_time);
    struct str s = {0};
    if (n)
        str_printf(&s, "%-*s %9s %9s %11s %13s %9s %7s %7s\n", (int)width, "kernel", "launches",
                   "time", "work-items", "instructions", "per item", "active", "races");
    for (size_t i = 0; i < n; i++) {
        struct row *r = list[i];
        char a[16], b[16], c[16], d[16], e[16], f[16];
        str_printf(
            &s, "%-*s %9llu %9s %11s %13s %9s %7s %7s\n", (int)width, r->kernel,
            (unsigned long long)r->launches, seconds(r->ns, a), count(r->items, b),
            count(r->sum.lane_insns, c), count(r->items ? r->sum.lane_insns / r->items : 0, d),
            percent(r->sum.lane_insns, r->sum.slots, e), percent(r->sum.race_ns, r->sum.cpu_ns, f));
        put_accesses(&s, r);
        dev_access_lines_put(&s, &r->lines, count);
        put_engine(&s, r);
    }
    json_t *const profile = dev_profile();
    rep_put_costs(&s, profile, true);
    json_decref(profile);
    if (n) rep_write_safe(out, str_text(&s));
    fflush(out);
    str_deinit(&s);
    free(list);
    pthread_mutex_unlock(&lock);
}

// The report is open now, so its exit handler runs after this one.
static void print_at_exit(void) { atexit(print); }

void dev_statistics_add(const struct bc_module *m, const struct vm_launch *l,
                        const struct vm_stats *st, uint64_t ns)
{
    const char *kernel = bc_str(m, l->kernel->name);
    uint64_t items = 1;
    for (int k = 0; k < 3; k++) items *= l->global[k];
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, print_at_exit);
    pthread_mutex_lock(&lock);
    struct row *r = row_of(kernel);
    r->launches++;
    r->items += items;
    r->ns += ns;
    vm_stats_add(&r->sum, st);
    if (l->site_accesses) dev_access_lines_add(&r->lines, m, l->site_accesses);
    pthread_mutex_unlock(&lock);
    if (l->rep) put_in_report(l->rep, kernel, st, items, ns);
}

void dev_statistics_engine(const char *kernel, const char *why)
{
    pthread_mutex_lock(&lock);
    struct row *r = row_of(kernel);
    if (why) {
        r->interpreted++;
        free(r->why);
        r->why = mem_strdup(why);
    } else {
        r->compiled++;
    }
    pthread_mutex_unlock(&lock);
}
