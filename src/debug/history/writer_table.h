// SPDX-License-Identifier: MIT
#ifndef DEBUG_WRITER_TABLE_H
#define DEBUG_WRITER_TABLE_H
#include "base/map.h"
#include "base/vec.h"

/**
 * A sparse table: for each byte of global memory a number that says how it was written last, with
 * the work-item. Memory is allocated for the pages in which something was written. Cells have 4
 * bytes, or 1 in pages with smaller or unaligned writes.
 */
struct dbg_write_mark {
    uint32_t writer; // 0: none
    uint32_t item;
};
struct dbg_writer_page;
struct dbg_writer_table {
    struct map numbers; // number of a page → index in `pages`
    VEC(struct dbg_writer_page *) pages;
    uint64_t bytes;               // allocated
    uint64_t last;                // the page of the last access,
    struct dbg_writer_page *page; // or NULL
};
void dbg_writer_table_clear(struct dbg_writer_table *t);
/** A writer of 0 removes the marks. */
void dbg_writer_table_set(struct dbg_writer_table *t, uint64_t place, uint64_t size,
                          struct dbg_write_mark mark);
/** The mark of the byte; *end: the first byte after it that may have another one. */
struct dbg_write_mark dbg_writer_table_get(struct dbg_writer_table *t, uint64_t place,
                                           uint64_t *end);
/** n elements side by side; each is of the next work-item. */
void dbg_writer_table_set_each(struct dbg_writer_table *t, uint64_t place, uint64_t size,
                               uint64_t n, struct dbg_write_mark first);
/** Moves all marks, and keeps the present contents of their bytes. */
void dbg_writer_table_move(struct dbg_writer_table *to, struct dbg_writer_table *from);
/** Keeps the contents of marked bytes, for dbg_writer_table_kept: false if they are not kept. */
void dbg_writer_table_keep(struct dbg_writer_table *t, uint64_t place, const void *bytes,
                           uint64_t size);
bool dbg_writer_table_kept(struct dbg_writer_table *t, uint64_t place, uint8_t *byte);
#endif
