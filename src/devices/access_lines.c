// SPDX-License-Identifier: MIT
// The source lines of a kernel with the most strided and gather accesses, below its row of --stats.
#include "devices/access_lines.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_LINES = 4 };

static struct dev_access_line *line_at(struct dev_access_lines *l, const char *file, uint32_t line)
{
    for (size_t i = 0; i < l->len; i++)
        if (l->data[i].line == line && !strcmp(l->data[i].file, file)) return &l->data[i];
    vec_push(l, (struct dev_access_line){.file = mem_strdup(file), .line = line});
    return &l->data[l->len - 1];
}

void dev_access_lines_add(struct dev_access_lines *to, const struct bc_module *m,
                          uint64_t (*sites)[VM_CLASSES])
{
    for (uint32_t i = 1; i < m->nsites; i++) {
        const uint64_t strided = sites[i][VM_CLASS_STRIDED], gather = sites[i][VM_CLASS_GATHER];
        const struct bc_loc *const at = &m->locs[m->sites[i].loc];
        if (!strided + !gather == 2 || !at->line || at->file >= m->nfiles) continue;
        struct dev_access_line *const l = line_at(to, bc_str(m, m->files[at->file].name), at->line);
        l->strided += strided;
        l->gather += gather;
    }
}

static int by_number(const void *pa, const void *pb)
{
    const struct dev_access_line *const a = pa, *const b = pb;
    const uint64_t x = a->strided + a->gather, y = b->strided + b->gather;
    if (x != y) return x < y ? 1 : -1;
    const int c = strcmp(a->file, b->file);
    return c ? c : (a->line > b->line) - (a->line < b->line);
}

void dev_access_lines_put(struct str *s, struct dev_access_lines *l,
                          const char *(*number)(uint64_t n, char buf[16]))
{
    char buf[16];
    if (l->len) qsort(l->data, l->len, sizeof *l->data, by_number);
    for (size_t i = 0; i < l->len && i < MOST_LINES; i++) {
        const struct dev_access_line *const at = &l->data[i];
        str_printf(s, "    %s:%u: ", at->file, at->line);
        if (at->strided) str_printf(s, "%s strided", number(at->strided, buf));
        if (at->gather)
            str_printf(s, "%s%s gather", at->strided ? ", " : "", number(at->gather, buf));
        str_put(s, "\n");
    }
    if (l->len > MOST_LINES)
        str_printf(s, "    and %zu more with strided or gather accesses\n", l->len - MOST_LINES);
}
