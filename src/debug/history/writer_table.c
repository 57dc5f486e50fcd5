// SPDX-License-Identifier: MIT
#include "debug/history/writer_table.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

enum { PAGE_BITS = 12, PAGE = 1 << PAGE_BITS };

struct dbg_writer_page {
    uint64_t number;
    unsigned shift;               // of the cells: 2 or 0
    struct dbg_write_mark whole;  // cells NULL: of all bytes
    struct dbg_write_mark *cells; // PAGE >> shift
    uint8_t *kept;                // contents, or NULL
};

static struct dbg_writer_page *find(struct dbg_writer_table *t, uint64_t number)
{
    if (t->page && t->last == number) return t->page;
    const uint64_t *at = map_get(&t->numbers, number);
    if (!at) return NULL;
    t->last = number;
    return t->page = t->pages.data[*at];
}

static struct dbg_writer_page *make(struct dbg_writer_table *t, uint64_t number)
{
    struct dbg_writer_page *p = find(t, number);
    if (p) return p;
    p = mem_alloc(sizeof *p);
    p->shift = 2;
    p->number = number;
    t->bytes += sizeof *p;
    *map_put(&t->numbers, number, NULL) = t->pages.len;
    vec_push(&t->pages, p);
    t->last = number;
    return t->page = p;
}

static void drop_cells(struct dbg_writer_table *t, struct dbg_writer_page *p)
{
    if (p->cells) t->bytes -= (PAGE >> p->shift) * sizeof *p->cells;
    free(p->cells);
    p->cells = NULL;
}

static void drop_kept(struct dbg_writer_table *t, struct dbg_writer_page *p)
{
    if (p->kept) t->bytes -= PAGE;
    free(p->kept);
    p->kept = NULL;
}

/** Gives the page cells of 1 << shift bytes, with the marks that it has. */
static void expand(struct dbg_writer_table *t, struct dbg_writer_page *p, unsigned shift)
{
    if (p->cells && p->shift <= shift) return;
    struct dbg_write_mark *cells = mem_array(NULL, PAGE >> shift, sizeof *cells);
    for (unsigned i = 0; i < PAGE >> shift; i++)
        cells[i] = p->cells ? p->cells[i << shift >> p->shift] : p->whole;
    drop_cells(t, p);
    p->cells = cells;
    p->shift = shift;
    t->bytes += (PAGE >> shift) * sizeof *cells;
}

void dbg_writer_table_set(struct dbg_writer_table *t, uint64_t place, uint64_t size,
                          struct dbg_write_mark mark)
{
    const struct dbg_writer_page *const last = t->page;
    if (last && t->last == place >> PAGE_BITS && last->cells && last->shift == 2 && size == 4 &&
        !(place & 3)) { // the most frequent case
        last->cells[place % PAGE / 4] = mark;
        return;
    }
    while (size) {
        const uint64_t off = place % PAGE, n = size < PAGE - off ? size : PAGE - off;
        struct dbg_writer_page *const p = mark.writer ? make(t, place >> PAGE_BITS)
                                                      : find(t, place >> PAGE_BITS);
        if (p && n == PAGE) {
            drop_cells(t, p);
            if (!mark.writer) drop_kept(t, p);
            p->shift = 2;
            p->whole = mark;
        } else if (p) {
            expand(t, p, (off | n) & 3 ? 0 : 2);
            for (uint64_t i = off >> p->shift; i < (off + n) >> p->shift; i++) p->cells[i] = mark;
        }
        place += n;
        size -= n;
    }
}

void dbg_writer_table_set_each(struct dbg_writer_table *t, uint64_t place, uint64_t size,
                               uint64_t n, struct dbg_write_mark mark)
{
    while (n) {
        const uint64_t off = place % PAGE, fits = (PAGE - off) / size;
        struct dbg_writer_page *const p = (place | size) & 3 || !fits ? NULL
                                                                      : make(t, place >> PAGE_BITS);
        if (!p || (p->cells && p->shift != 2)) {
            dbg_writer_table_set(t, place, size, mark);
            mark.item++, place += size, n--;
            continue;
        }
        expand(t, p, 2);
        const uint64_t some = n < fits ? n : fits;
        struct dbg_write_mark *cell = p->cells + off / 4;
        for (uint64_t i = 0; i < some; i++, mark.item++)
            for (uint64_t k = 0; k < size; k += 4) *cell++ = mark;
        place += some * size;
        n -= some;
    }
}

struct dbg_write_mark dbg_writer_table_get(struct dbg_writer_table *t, uint64_t place,
                                           uint64_t *end)
{
    const struct dbg_writer_page *p = find(t, place >> PAGE_BITS);
    const bool is_whole = !p || !p->cells;
    const uint64_t cell = is_whole ? PAGE : 1u << p->shift;
    *end = place / cell * cell + cell;
    if (!p) return (struct dbg_write_mark){0};
    return is_whole ? p->whole : p->cells[place % PAGE >> p->shift];
}

void dbg_writer_table_keep(struct dbg_writer_table *t, uint64_t place, const void *bytes,
                           uint64_t size)
{
    for (const char *from = bytes; size;) {
        const uint64_t off = place % PAGE, n = size < PAGE - off ? size : PAGE - off;
        struct dbg_writer_page *const p = make(t, place >> PAGE_BITS);
        if (!p->kept) {
            p->kept = mem_alloc(PAGE);
            t->bytes += PAGE;
        }
        memcpy(p->kept + off, from, n);
        place += n;
        from += n;
        size -= n;
    }
}

/** Moves the marks of a page that has cells. */
static void move_cells(struct dbg_writer_table *to, struct dbg_writer_table *from,
                       struct dbg_writer_page *p)
{
    struct dbg_writer_page *const q = make(to, p->number);
    const uint64_t at = p->number << PAGE_BITS, n = PAGE >> p->shift, size = 1u << p->shift;
    uint64_t marked = 0;
    for (uint64_t i = 0; i < n; i++) marked += p->cells[i].writer != 0;
    const bool replaces = marked == n || (!q->cells && !q->whole.writer);
    for (uint64_t i = 0, end; i < n; i = end) { // runs of marked cells
        for (end = i; end < n && p->cells[end].writer; end++)
            if (!replaces) dbg_writer_table_set(to, at + end * size, size, p->cells[end]);
        if (end > i)
            dbg_writer_table_keep(to, at + i * size, (const void *)(uintptr_t)(at + i * size),
                                  (end - i) * size);
        else end++;
    }
    if (!replaces) return;
    drop_cells(to, q);
    q->cells = p->cells;
    q->shift = p->shift;
    to->bytes += n * sizeof *q->cells;
    from->bytes -= n * sizeof *q->cells;
    p->cells = NULL;
    p->whole = (struct dbg_write_mark){0};
}

void dbg_writer_table_move(struct dbg_writer_table *to, struct dbg_writer_table *from)
{
    for (size_t k = 0; k < from->pages.len; k++) {
        struct dbg_writer_page *const p = from->pages.data[k];
        const uint64_t at = p->number << PAGE_BITS;
        if (p->cells) {
            move_cells(to, from, p);
        } else if (p->whole.writer) {
            dbg_writer_table_set(to, at, PAGE, p->whole);
            dbg_writer_table_keep(to, at, (const void *)(uintptr_t)at, PAGE);
        }
    }
    dbg_writer_table_clear(from);
}

bool dbg_writer_table_kept(struct dbg_writer_table *t, uint64_t place, uint8_t *byte)
{
    const struct dbg_writer_page *p = find(t, place >> PAGE_BITS);
    if (!p || !p->kept) return false;
    *byte = p->kept[place % PAGE];
    return true;
}

void dbg_writer_table_clear(struct dbg_writer_table *t)
{
    for (size_t k = 0; k < t->pages.len; k++) {
        free(t->pages.data[k]->cells);
        free(t->pages.data[k]->kept);
        free(t->pages.data[k]);
    }
    vec_free(&t->pages);
    map_deinit(&t->numbers);
    *t = (struct dbg_writer_table){0};
}
