// SPDX-License-Identifier: MIT
// The shared page of totals, and the closing line.
#include "report/finding.h"

#include "base/io.h"
#include "base/str.h"

#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILE_SIZE = offsetof(struct rep_totals, failed_commands), PAGE = 4096 };
_Static_assert(sizeof(struct rep_totals) <= PAGE,
               "the part beyond the end of the file is in the same page");

static struct rep_totals *map_page(int fd)
{
    void *p = mmap(NULL, sizeof(struct rep_totals), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    return p == MAP_FAILED ? NULL : p;
}

int rep_totals_create(void)
{
    int fd = memfd_create("cldbg-totals", 0);
    if (fd < 0) return -1;
    struct rep_totals *t = io_set_size(fd, FILE_SIZE) ? map_page(fd) : NULL;
    if (!t) {
        close(fd);
        return -1;
    }
    t->magic = REP_TOTALS_MAGIC;
    munmap(t, sizeof *t);
    return fd;
}

struct rep_totals *rep_totals_map(int fd)
{
    // The app may have closed the descriptor and reused its number: check size and magic.
    struct stat st;
    if (fd < 0 || fstat(fd, &st) || st.st_size != FILE_SIZE) return NULL;
    struct rep_totals *t = map_page(fd);
    if (t && t->magic != REP_TOTALS_MAGIC) {
        munmap(t, sizeof *t);
        return NULL;
    }
    return t;
}

/** The next item of a list: "3 errors", with a separator before all except the first. */
static void put_count(struct str *s, const char *separator, uint64_t n, const char *one,
                      const char *many)
{
    str_printf(s, "%s%llu %s", s->len ? separator : "", (unsigned long long)n, n == 1 ? one : many);
}

/** " (2 data-race, 1 out-of-bounds)" */
static void put_kinds(struct str *s, const struct rep_totals *t)
{
    const char *sep = " (";
    for (int k = 0; k < REP_KIND_COUNT; k++) {
        if (!t->findings[k]) continue;
        str_printf(s, "%s%llu %s", sep, (unsigned long long)t->findings[k], rep_kinds[k].id);
        sep = ", ";
    }
    if (sep[0] == ',') str_put(s, ")");
}

void rep_summary(const struct rep_totals *t, char *buf, unsigned size)
{
    struct str s = {0};
    if (t->errors) put_count(&s, ", ", t->errors, "error", "errors");
    if (t->warnings) put_count(&s, ", ", t->warnings, "warning", "warnings");
    if (t->possible) put_count(&s, ", ", t->possible, "possible error", "possible errors");
    if (!s.len) str_put(&s, "no findings");
    const uint64_t interrupted = t->begun > t->launches ? t->begun - t->launches : 0;
    put_count(&s, " in ", t->launches + interrupted, "kernel launch", "kernel launches");
    if (t->schedules > 1 && t->launches) {
        const uint64_t n = t->scheduled_launches;
        if (!n) str_put(&s, " under one schedule");
        else if (n == t->launches)
            str_printf(&s, " under %llu schedules", (unsigned long long)t->schedules);
        else
            str_printf(&s, ", %llu of them under %llu schedules", (unsigned long long)n,
                       (unsigned long long)t->schedules);
    }
    put_kinds(&s, t);
    const struct {
        uint64_t n;
        const char *one, *many;
    } parts[] = {
        {t->child_launches, "launch was in a child process", "launches were in child processes"},
        {t->repeats, "repetition in later launches", "repetitions in later launches"},
        {t->known, "known from the baseline", "known from the baseline"},
        {t->suppressed, "suppressed", "suppressed"},
        {t->skipped_launches, "launch was left out by a filter, unchecked",
         "launches were left out by a filter, unchecked"},
        {interrupted, "launch was interrupted", "launches were interrupted"},
        {t->enqueued > t->begun ? t->enqueued - t->begun : 0, "enqueued launch never ran",
         "enqueued launches never ran"},
        {t->native_launches, "launch ran as machine code, unchecked",
         "launches ran as machine code, unchecked"},
        {t->internal_errors, "internal error of cldbg", "internal errors of cldbg"},
        {t->cut_checks, "check was not completed", "checks were not completed"},
        {t->unwritten, "finding could not be written", "findings could not be written"},
    };
    if (t->verified_kernels)
        str_printf(&s, "; %llu of %llu kernel%s proved free of races and divergence for any data",
                   (unsigned long long)t->proved_kernels, (unsigned long long)t->verified_kernels,
                   t->verified_kernels == 1 ? "" : "s");
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (parts[i].n) put_count(&s, "; ", parts[i].n, parts[i].one, parts[i].many);
    if (t->ended_early) str_put(&s, "; ended at the first error");
    snprintf(buf, size, "%s", str_text(&s));
    str_deinit(&s);
}

// ---- failed calls. Several threads and processes write them concurrently.

bool rep_wants_failed_call(struct rep_failed_calls *c, uint64_t identity)
{
    rep_count(&c->n, 1);
    for (int i = 0; i < REP_FAILED_CALLS; i++) {
        const uint64_t other = __atomic_load_n(&c->identities[i], __ATOMIC_RELAXED);
        if (!other || other == identity) return !other;
    }
    return false;
}

/** As many whole lines as there is room for, and of the first one what fits. */
static void put_lines(char to[REP_FAILED_TEXT], const char *text)
{
    const bool fits = snprintf(to, REP_FAILED_TEXT, "%s", text) < REP_FAILED_TEXT;
    char *const end = strrchr(to, '\n');
    if (end && !(fits && end[1])) *end = 0;
}

void rep_note_failed_call(struct rep_totals *t, struct rep_failed_calls *c, uint64_t identity,
                          const char *text)
{
    for (int i = 0; i < REP_FAILED_CALLS; i++) {
        uint64_t free = 0;
        if (__atomic_compare_exchange_n(&c->identities[i], &free, identity, false, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED)) {
            put_lines(c->text[i], text);
            __atomic_store_n(&c->turn[i], __atomic_add_fetch(&t->failed_turns, 1, __ATOMIC_RELAXED),
                             __ATOMIC_RELEASE);
            return;
        }
        if (free == identity) return;
    }
}

void rep_put_failed_calls(struct str *s, const struct rep_totals *t)
{
    const bool none = !t->enqueued && !t->launches;
    if (!none && !t->failed_commands) return;
    const struct rep_failed_calls *const lists[] = {&t->failed, &t->probes};
    int at[2] = {0}, shown = 0;
    for (; shown < REP_FAILED_CALLS; shown++) {
        int next = -1;
        for (int k = 0; k < (none ? 2 : 1); k++)
            if (at[k] < REP_FAILED_CALLS && lists[k]->turn[at[k]] &&
                (next < 0 || lists[k]->turn[at[k]] < lists[next]->turn[at[next]]))
                next = k;
        if (next < 0) break;
        str_printf(s, "cldbg: note: %s\n", lists[next]->text[at[next]++]);
    }
    const uint64_t n = t->failed.n + (none ? t->probes.n : 0);
    if (n > (uint64_t)shown && shown)
        str_printf(s,
                   "cldbg: note: %llu more call%s failed; --check-api reports failed calls where "
                   "they happen\n",
                   (unsigned long long)(n - (uint64_t)shown), n - (uint64_t)shown == 1 ? "" : "s");
}
