// SPDX-License-Identifier: MIT
#ifndef RACE_CELLS_H
#define RACE_CELLS_H
#include "race/read_set.h"
#include "race/shadow.h"

/** Private to src/race: the cells of launches that synchronize. Theory in cells.c. */

enum list_kind { L_READ, L_OWN_READ, L_ATOMIC_READ, L_ATOMIC_WRITE, L_SAME_VALUE, L_KINDS };

/** The lists of a cell. */
struct others {
    uint32_t list1[L_KINDS];
};

/**
 * The lists of cells with a common lifetime: those of global memory, or those of a group's local
 * memory.
 */
struct store {
    struct readers readers;
    VEC(struct others) others;
    VEC(uint32_t) free_others;
};

/**
 * OWN_READ: the reader is of the kind L_OWN_READ. NARROW, NARROWER: the cell had an atomic with a
 * scope narrower than the device, or than the group. The rest of `bits` is the generation of the
 * cell: a barrier that fences local memory orders everything before it, so it begins a new
 * generation; cells of an earlier one are empty.
 */
enum {
    HAS_WRITE = 1,
    HAS_READ = 2,
    OWN_READ = 4,
    MIXED = 8,
    HAS_VALUE = 16,
    NARROW = 32,
    NARROWER = 64,
    ROUND = 128
};
struct cell {
    struct order_stamp write, read;
    uint64_t value;
    uint32_t others1; // 0: there are none
    uint32_t bits;
};

struct cells {
    struct cell **chunks;
    uint64_t cells;
    unsigned shift;
    uint32_t round;         // as in cell.bits
    bool refused, is_quick; // is_quick: `rows1` has entries
    /**
     * For local memory, by cell; NULL until needed. Not 0: many work-items read the cell and none
     * wrote it; this is row1 of the set of L_READ, and a further reader is only stored there. The
     * reader in cell.read may be in the row, too; cell.read is the later one then.
     */
    uint32_t *rows1;
};

struct clocks {
    struct order order;
    struct cells *globals;
    struct store store;
    bool refused;              // the object is too large for stamps
    struct race_pair open[16]; // pairs of the current access, which may still grow
    unsigned nopen;
};

struct clocks_group {
    struct order_group order;
    struct cells *locals;
    struct store store;
};

/** The access that is being checked, and its current lane. */
struct now {
    struct race_worker *w;
    const struct order *order;
    const struct order_group *group;
    struct order_view view;
    struct cells *cells;
    struct store *store;
    uint32_t shadow;
    enum order_space space;
    unsigned object;
    uint64_t to_object;
    bool is_write, is_atomic;
    uint32_t item;
    struct order_stamp at;
    uint32_t begun_by; // an async copy: the number of work-items that began it
    bool others_only;  // only accesses of other groups count
};

static inline struct cell *cell_at(struct cells *s, uint64_t cell)
{
    struct cell **chunk = &s->chunks[cell >> CHUNK_SHIFT];
    if (!*chunk) *chunk = mem_alloc(CHUNK * sizeof **chunk);
    struct cell *c = &(*chunk)[cell & (CHUNK - 1)];
    if (c->bits / ROUND != s->round / ROUND) {
        c->others1 = 0;
        c->bits = s->round;
    }
    return c;
}

static inline struct others *others_of(const struct now *n, const struct cell *c)
{
    return c->others1 ? &n->store->others.data[c->others1 - 1] : NULL;
}

/** Is x strictly ordered before the current access? */
static inline bool is_seen(struct now *n, const struct order_stamp *x)
{
    order_sees(&n->view, n->item, n->space);
    return order_is_seen(&n->view, x);
}

static inline void set_write(struct now *n, struct cell *c, bool mixed, const uint8_t *value)
{
    c->bits = (c->bits & ~(MIXED | HAS_VALUE)) | HAS_WRITE | (mixed ? MIXED : 0) |
              (value ? HAS_VALUE : 0);
    c->write = n->at;
    c->value = 0;
    if (value) memcpy(&c->value, value, 1u << n->cells->shift);
}

/** No barrier lies between the two; a release may. */
static inline bool same_interval(const struct order_stamp *a, const struct order_stamp *b)
{
    return a->item == b->item && a->barriers == b->barriers;
}

/** Drops all cells and frees their memory. */
void cells_clear(struct cells *s);
/** Reports the pairs that were found. */
void cells_flush(struct now *n);
/** Checks one lane's access to one cell and stores its stamp: the complete rules. */
void cells_access(struct now *n, struct cell *c, uint64_t cell, const uint8_t *value);
/** Reports the races that the access would have there, and stores no stamp. */
void cells_look(struct now *n, struct cell *c, uint64_t cell);
/** Stores the stamp x of an access of this kind. */
void cells_note(struct now *n, struct cell *c, uint64_t cell, enum list_kind kind,
                const struct order_stamp *x);
/** Cells of 1 << shift bytes instead of larger ones, for an access that is not of whole cells. */
void cells_refine(struct now *n, unsigned shift);

/** Moves the readers of the cell to cells.rows1; or back to the cell and its lists. */
void cells_begin_quick(struct now *n, uint64_t cell, uint32_t row1);
void cells_end_quick(struct now *n, struct cell *c, uint64_t cell);
static inline struct cell *cell_of(struct now *n, uint64_t cell)
{
    struct cell *const c = cell_at(n->cells, cell);
    if (n->cells->is_quick && n->cells->rows1[cell]) cells_end_quick(n, c, cell);
    return c;
}
#endif
