// SPDX-License-Identifier: MIT
// The page of totals and the closing line made of it.
#include "report/finding.h"

#include "base/io.h"
#include "base/str.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static struct rep_totals *map_page(int fd)
{
    void *p = mmap(NULL, sizeof(struct rep_totals), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    return p == MAP_FAILED ? NULL : p;
}

int rep_totals_create(void)
{
    int fd = memfd_create("cldbg-totals", 0);
    if (fd < 0) return -1;
    struct rep_totals *t = io_set_size(fd, sizeof *t) ? map_page(fd) : NULL;
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
    // The number may have been closed and reused by the app: size and magic tell.
    struct stat st;
    if (fd < 0 || fstat(fd, &st) || st.st_size != sizeof(struct rep_totals)) return NULL;
    struct rep_totals *t = map_page(fd);
    if (t && t->magic != REP_TOTALS_MAGIC) {
        munmap(t, sizeof *t);
        return NULL;
    }
    return t;
}

static void put_number(struct str *s, uint64_t n, const char *one, const char *many)
{
    str_printf(s, "%llu %s", (unsigned long long)n, n == 1 ? one : many);
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
    if (!t->errors && !t->warnings)
        str_put(&s, "no findings");
    else if (!t->warnings)
        put_number(&s, t->errors, "finding", "findings");
    else if (!t->errors)
        put_number(&s, t->warnings, "warning", "warnings");
    else {
        put_number(&s, t->errors, "error", "errors");
        str_put(&s, " and ");
        put_number(&s, t->warnings, "warning", "warnings");
    }
    put_kinds(&s, t);
    if (t->possible) {
        str_put(&s, t->errors || t->warnings ? " and " : " but ");
        str_printf(&s, "%llu possible", (unsigned long long)t->possible);
    }
    str_put(&s, " in ");
    if (t->launches)
        put_number(&s, t->launches, "kernel launch", "kernel launches");
    else
        str_put(&s, "no kernel launches");
    if (t->child_launches)
        str_printf(&s, " (%llu of them in child processes)", (unsigned long long)t->child_launches);
    if (t->repeats) str_printf(&s, "; met again %llu time%s in later launches", (unsigned long long)t->repeats, t->repeats == 1 ? "" : "s");
    if (t->known) str_printf(&s, "; %llu known from the baseline", (unsigned long long)t->known);
    if (t->suppressed) str_printf(&s, "; %llu suppressed", (unsigned long long)t->suppressed);
    if (t->skipped_launches) {
        str_put(&s, "; ");
        put_number(&s, t->skipped_launches, "launch was left out by a filter, unchecked",
                   "launches were left out by a filter, unchecked");
    }
    if (t->begun > t->launches) {
        str_put(&s, "; ");
        put_number(&s, t->begun - t->launches, "launch did not come to its end", "launches did not come to their end");
    }
    if (t->enqueued > t->begun) {
        str_put(&s, "; ");
        put_number(&s, t->enqueued - t->begun, "enqueued launch never ran", "enqueued launches never ran");
    }
    if (t->ended_early) str_put(&s, "; ended at the first error");
    if (t->native_launches) {
        str_put(&s, "; ");
        put_number(&s, t->native_launches, "launch ran as machine code, unchecked",
                   "launches ran as machine code, unchecked");
    }
    if (t->cut_checks) {
        str_put(&s, "; ");
        put_number(&s, t->cut_checks, "check was cut short by a limit",
                   "checks were cut short by a limit");
    }
    if (t->unwritten) {
        str_put(&s, "; ");
        put_number(&s, t->unwritten, "finding could not be written out",
                   "findings could not be written out");
    }
    snprintf(buf, size, "%s", str_text(&s));
    str_deinit(&s);
}
