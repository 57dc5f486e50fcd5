// SPDX-License-Identifier: MIT
// Computes the cells of a pattern of lanes, in order, and the lanes that access each of them.
#include "race/shadow.h"

#include "base/mem.h"

#include <pthread.h>
#include <stdlib.h>

struct entry {
    int32_t cell;
    uint16_t lane, part;
};

/** Sorts by cell (stable). */
static void sort(struct entry *e, struct entry *other, uint32_t n)
{
    int32_t low = e[0].cell, high = e[0].cell;
    for (uint32_t i = 0; i < n; i++) {
        low = e[i].cell < low ? e[i].cell : low;
        high = e[i].cell > high ? e[i].cell : high;
    }
    struct entry *from = e, *to = other;
    for (unsigned shift = 0; shift < 32 && ((uint32_t)high - (uint32_t)low) >> shift; shift += 8) {
        uint32_t begin[257] = {0};
        for (uint32_t i = 0; i < n; i++)
            begin[(((uint32_t)from[i].cell - (uint32_t)low) >> shift & 255) + 1]++;
        for (unsigned k = 0; k < 256; k++) begin[k + 1] += begin[k];
        for (uint32_t i = 0; i < n; i++)
            to[begin[((uint32_t)from[i].cell - (uint32_t)low) >> shift & 255]++] = from[i];
        struct entry *const sorted = to;
        to = from;
        from = sorted;
    }
    if (from != e) memcpy(e, from, n * sizeof *e);
}

/** Lists all cells of all lanes in order. Returns their number. */
static uint32_t list(const struct race_pattern *p, struct entry *e, struct entry *other)
{
    uint32_t n = 0;
    bool ascends = true;
    for (uint32_t i = 0; i < p->n; i++) {
        if (p->lane[i] == PATTERN_NOBODY) continue;
        for (unsigned k = 0; k < p->parts; k++, n++) {
            e[n] = (struct entry){(int32_t)(p->lane[i] + k), (uint16_t)i, (uint16_t)k};
            ascends &= !n || e[n - 1].cell <= e[n].cell;
        }
    }
    if (!ascends) sort(e, other, n);
    return n;
}

enum { DENSE = 4 }; // least number of cells for which loading all 16 pays off

static void add(struct race_pattern *p, struct race_row *r, unsigned slot, const struct entry *e,
                uint32_t lanes)
{
    p->in[(r - p->row) * PATTERN_ROW + slot] = -1;
    r->at[slot] = e->cell;
    r->one[slot] = e->lane;
    r->pen[slot] = e[lanes > 1 ? lanes - 2 : 0].lane;
    r->two[slot] = e[lanes - 1].lane;
    r->from[slot] = e->lane * p->parts + e->part;
    r->n = slot + 1;
    p->distinct &= lanes == 1;
}

static struct race_row *new_row(struct race_pattern *p, bool dense, int32_t cell)
{
    struct race_row *r = &p->row[p->nrows++];
    *r = (struct race_row){.dense = dense};
    for (int i = 0; i < PATTERN_ROW; i++) r->at[i] = cell; // empty slots are read, too
    return r;
}

/**
 * The entries from e[i] on within 16 cells of it: returns the index after them; *cells: the number
 * of distinct cells.
 */
static uint32_t window(const struct entry *e, uint32_t i, uint32_t n, unsigned *cells)
{
    const uint32_t first = i;
    for (*cells = 0; i < n && (int64_t)e[i].cell - e[first].cell < PATTERN_ROW; i++)
        *cells += i == first || e[i].cell != e[i - 1].cell;
    return i;
}

static void find_base(const struct race_pattern *p, struct race_row *r, const int32_t *in)
{
    uint32_t low = UINT32_MAX, high = 0;
    r->straight = r->dense;
    for (uint32_t k = 0; k < PATTERN_ROW; k++) {
        r->straight &= in[k] && r->from[k] == r->from[0] + k;
        if (!in[k]) continue;
        if (r->from[k] < low) low = r->from[k];
        if (r->from[k] > high) high = r->from[k];
    }
    r->base = -1;
    if (high - low >= PATTERN_ROW || p->n * p->parts < PATTERN_ROW) return;
    r->base = (int32_t)(low < p->n * p->parts - PATTERN_ROW ? low : p->n * p->parts - PATTERN_ROW);
}

/** Do consecutive lanes access whole rows of the shadow, each lane the next cell or cells? */
static bool takes_whole_rows(const struct race_pattern *p)
{
    bool whole = p->distinct && !p->useless && !(p->parts & (p->parts - 1)) && p->parts <= ROW;
    for (uint32_t j = 0; whole && j < p->nrows; j++) {
        const struct race_row *r = &p->row[j];
        whole = r->dense && r->n % ROW == 0 && (uint32_t)(r->at[0] - p->low) % ROW == 0;
        for (uint32_t k = 0; whole && k < r->n; k++) {
            const uint32_t first = k & ~(ROW - 1u);
            whole = p->in[j * PATTERN_ROW + k] && r->from[k] == r->from[first] + (k - first) &&
                    r->one[k] == r->one[first] + (k - first) / p->parts &&
                    r->from[first] % p->parts == 0;
        }
    }
    return whole;
}

/** Finds runs of neighboring rows accessed by consecutive lanes. */
static void find_runs(struct race_pattern *p)
{
    p->nruns = 0;
    p->run = mem_array(p->run, p->whole_rows ? p->nrows * (PATTERN_ROW / ROW) : 1, sizeof *p->run);
    for (uint32_t j = 0; p->whole_rows && j < p->nrows; j++)
        for (uint32_t k = 0; k < p->row[j].n; k += ROW) {
            const struct race_row *r = &p->row[j];
            struct race_cells *last = p->nruns ? &p->run[p->nruns - 1] : NULL;
            if (last && (int64_t)last->at + last->n == r->at[k] &&
                last->from + last->n == r->from[k] && last->one + last->n / p->parts == r->one[k])
                last->n += ROW;
            else p->run[p->nruns++] = (struct race_cells){r->at[k], ROW, r->one[k], r->from[k]};
        }
    p->runs_apart = p->nruns > 1;
    for (uint32_t i = 1; i < p->nruns; i++)
        p->runs_apart &= p->run[i].n == p->run->n &&
                         ((uint32_t)p->run[i].at - (uint32_t)p->run->at) % CHUNK == 0;
}

void pattern_work_out(struct race_pattern *p)
{
    struct entry *e = mem_array(NULL, 2 * PATTERN_LANES * PATTERN_PARTS, sizeof *e);
    const uint32_t n = list(p, e, e + PATTERN_LANES * PATTERN_PARTS);
    struct race_row *alone = NULL;
    p->distinct = true;
    p->of_some = false;
    for (uint32_t i = 0; i < p->n; i++) p->of_some |= p->lane[i] == PATTERN_NOBODY;
    p->row = mem_array(p->row, PATTERN_ROWS, sizeof *p->row);
    p->in = mem_array(p->in, PATTERN_ROWS * PATTERN_ROW, sizeof *p->in);
    memset(p->in, 0, PATTERN_ROWS * PATTERN_ROW * sizeof *p->in);
    p->nrows = 0;
    p->low = e[0].cell; // at least one lane is active
    p->high = e[n - 1].cell;
    for (uint32_t i = 0, end; i < n && p->nrows < PATTERN_ROWS; i = end) {
        unsigned cells;
        end = window(e, i, n, &cells);
        const int32_t first = e[i].cell;
        struct race_row *const row = cells >= DENSE ? new_row(p, true, first) : NULL;
        for (uint32_t k = i, next; k < end; k = next) {
            for (next = k + 1; next < end && e[next].cell == e[k].cell;) next++;
            if (!row && (!alone || alone->n == PATTERN_ROW)) {
                if (p->nrows == PATTERN_ROWS) break;
                alone = new_row(p, false, first);
            }
            add(p, row ? row : alone, row ? (unsigned)(e[k].cell - first) : alone->n, &e[k],
                next - k);
        }
    }
    p->useless = p->nrows == PATTERN_ROWS;
    memset(p->partition, 0, sizeof p->partition);
    for (uint32_t j = 0; j < p->nrows; j++) find_base(p, &p->row[j], p->in + j * PATTERN_ROW);
    p->whole_rows = takes_whole_rows(p);
    find_runs(p);
    p->whole_chunks = true;
    for (uint32_t i = 0; i < n; i++)
        p->whole_chunks &= ((uint32_t)e[i].cell - (uint32_t)p->low) % CHUNK == 0;
    const uint32_t kept = p->useless ? 1 : p->nrows;
    p->row = mem_array(p->row, kept, sizeof *p->row);
    p->in = mem_array(p->in, kept * PATTERN_ROW, sizeof *p->in);
    free(e);
}

/** Patterns of ended launches, for reuse. */
static struct {
    pthread_mutex_t lock; // guards all of it; no other lock is taken inside
    struct race_patterns *first;
    unsigned n;
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER};

struct race_patterns *patterns_get(uint64_t interval)
{
    pthread_mutex_lock(&pool.lock);
    struct race_patterns *ps = pool.first;
    if (ps) {
        pool.first = ps->next_free;
        pool.n--;
    }
    pthread_mutex_unlock(&pool.lock);
    if (!ps) ps = mem_alloc(sizeof *ps);
    for (unsigned i = 0; i < PATTERNS; i++) ps->pattern[i].pinned = 0;
    ps->interval = interval;
    return ps;
}

void patterns_put(struct race_patterns *ps)
{
    if (!ps) return;
    pthread_mutex_lock(&pool.lock);
    const bool keep = pool.n < PATTERNS_POOLED;
    if (keep) {
        ps->next_free = pool.first;
        pool.first = ps;
        pool.n++;
    }
    pthread_mutex_unlock(&pool.lock);
    for (unsigned i = 0; !keep && i < PATTERNS; i++) {
        free(ps->pattern[i].row);
        free(ps->pattern[i].in);
        free(ps->pattern[i].run);
    }
    if (!keep) free(ps);
}
