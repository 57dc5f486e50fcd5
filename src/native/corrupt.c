// SPDX-License-Identifier: MIT
// Fault injection (mutation testing) of the generated code, in developers' builds: replaces one
// edge between regions, or one slot that carries a value into a region. A test that compares
// results must detect the change in the machine code (tests/regions/corruption.py).
//
//   CLDBG_NATIVE_CORRUPT=edge:N    an edge into a region leads to another region
//   CLDBG_NATIVE_CORRUPT=value:N   in one region a slot is another one of its type, or otherwise
//                                  that of the first work-item
//
// N numbers the candidates. A line on stderr reports the change; nothing is printed if a kernel has
// no candidate.
#include "config.h"

#include "native/workgroup.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool wanted(const char *kind, unsigned *n)
{
#ifdef CLDBG_DEVELOPER
    const char *text = getenv("CLDBG_NATIVE_CORRUPT");
    const size_t len = strlen(kind);
    if (!text || strncmp(text, kind, len) || text[len] != ':') return false;
    *n = (unsigned)strtoul(text + len + 1, NULL, 10);
    return true;
#else
    return false;
#endif
}

void nat_corrupt_edge(struct nat_form *w)
{
    unsigned n;
    if (w->nregions < 3 || !wanted("edge", &n)) return;
    const unsigned r = 1 + n % (w->nregions - 1),
                   by = 1 + n / (w->nregions - 1) % (w->nregions - 1), to = (r + by) % w->nregions;
    w->region_at[w->regions[r].start] = (int)to;
    fprintf(stderr, "corrupted: what led to region %u leads to region %u\n", r, to);
}

// Whether the region reads a value that another region wrote to the slot.
static bool is_candidate(struct nat_gen *g, const struct nat_region *r, size_t k)
{
    bool read = false;
    for (unsigned b = 0; b < g->f->nblocks; b++) read |= r->has[b] && nat_accesses(g, k)[b] == 1;
    return g->slots->data[k].own && g->slot[k].takes && g->slot[k].storage != STORAGE_SHARED &&
           read;
}

static bool is_substitute(struct nat_gen *g, size_t k, size_t other)
{
    return other != k && g->slots->data[other].own &&
           g->slot[other].storage == g->slot[k].storage && g->slot[other].type == g->slot[k].type;
}

void nat_corrupt_value(struct nat_gen *g, const struct nat_region *here)
{
    unsigned n, all = 0;
    if (!wanted("value", &n)) return;
    for (unsigned r = 0; r < g->w->nregions; r++)
        for (size_t k = 0; k < g->slots->len; k++) all += is_candidate(g, &g->w->regions[r], k);
    for (unsigned r = 0, at = 0; r < g->w->nregions && all; r++)
        for (size_t k = 0; k < g->slots->len; k++) {
            if (!is_candidate(g, &g->w->regions[r], k) || at++ != n % all ||
                &g->w->regions[r] != here)
                continue;
            for (size_t other = 0; other < g->slots->len; other++) {
                if (!is_substitute(g, k, other)) continue;
                nat_now_is(g, g->slots->data[k].alloca,
                           nat_value_now(g, g->slots->data[other].alloca));
                fprintf(stderr, "corrupted: in region %u slot %zu is slot %zu\n", r, k, other);
                return;
            }
            if (g->slot[k].storage != STORAGE_ARRAY) return;
            nat_now_is(g, g->slots->data[k].alloca, g->slot[k].memory);
            fprintf(stderr, "corrupted: in region %u slot %zu is the first work-item's\n", r, k);
            return;
        }
}
