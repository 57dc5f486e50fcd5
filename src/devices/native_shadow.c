// SPDX-License-Identifier: MIT
#include "devices/native_shadow.h"

#include "bytecode/question.h"

#include <pthread.h>
#include <string.h>
#include <sys/mman.h>

// Bytes of a cell of local memory, and of buffers by enum nat_shadow_kind. Of local memory there
// may be a cell for each byte.
enum { LOCAL_CELL = 16, LOCALS_SHADOW = (1 << 20) + LOCAL_CELL };
static const uint64_t cell_bytes[] = {[NAT_STAMPED] = 8, [NAT_COUNTED] = 1, [NAT_EQUAL] = 4};

// Shadows of buffers that no launch uses: fresh memory costs more than the checks.
enum { MOST_KEPT = 32, MOST_KEPT_BYTES = 1 << 28 };

static struct {
    pthread_mutex_t lock;
    uint64_t next; // stamp
    uint64_t bytes;
    struct kept {
        char *at;
        uint64_t size, end; // end: above all stamps in it; 0: all bytes are 0
    } list[MOST_KEPT];
    unsigned n;
} kept = {.lock = PTHREAD_MUTEX_INITIALIZER, .next = 1};

struct native_stamps native_stamps_take(uint64_t items)
{
    const uint64_t n = 2 * items + 2; // NAT_EQUAL has two for each
    pthread_mutex_lock(&kept.lock);
    if ((kept.next & UINT32_MAX) + n > UINT32_MAX) kept.next = (((kept.next >> 32) + 1) << 32) | 1;
    const struct native_stamps r = {kept.next, kept.next + n};
    kept.next += n;
    pthread_mutex_unlock(&kept.lock);
    return r;
}

static void drop(unsigned i)
{
    kept.bytes -= kept.list[i].size;
    kept.list[i] = kept.list[--kept.n];
}

/** Whether a launch whose stamps begin there may have it; of_zeros: only if all bytes are 0. */
static bool is_usable(const struct kept *k, uint64_t begin, bool of_zeros)
{
    return of_zeros ? !k->end : k->end && k->end <= begin && k->end >> 32 == begin >> 32;
}

/** The smallest one that is large enough and without stamps of later launches. */
static char *take(struct native_shadow *s, uint64_t size, bool of_zeros, uint64_t *mapped)
{
    char *r = NULL;
    pthread_mutex_lock(&kept.lock);
    unsigned best = MOST_KEPT;
    for (unsigned i = 0; i < kept.n; i++) {
        const struct kept *k = &kept.list[i];
        if (is_usable(k, s->begin, of_zeros) && k->size >= size &&
            (best == MOST_KEPT || k->size < kept.list[best].size))
            best = i;
    }
    if (best < MOST_KEPT) {
        r = kept.list[best].at;
        *mapped = kept.list[best].size;
        drop(best);
    }
    pthread_mutex_unlock(&kept.lock);
    return r;
}

/** Whether its stamps are from before these began anew. */
static bool is_old(uint64_t end) { return end && end >> 32 != kept.next >> 32; }

/** Keeps it; false: there are enough. */
static bool keep(char *at, uint64_t size, uint64_t end)
{
    struct kept old[MOST_KEPT];
    unsigned n = 0;
    pthread_mutex_lock(&kept.lock);
    for (unsigned i = kept.n; i-- > 0;)
        if (is_old(kept.list[i].end)) old[n++] = kept.list[i], drop(i);
    const bool ok = kept.n < MOST_KEPT && kept.bytes + size <= MOST_KEPT_BYTES && !is_old(end);
    if (ok) {
        kept.list[kept.n++] = (struct kept){at, size, end};
        kept.bytes += size;
    }
    pthread_mutex_unlock(&kept.lock);
    while (n--) munmap(old[n].at, old[n].size);
    return ok;
}

static bool make(struct native_shadow *s, unsigned k, uint64_t size, enum nat_shadow_kind kind,
                 struct nat_launch *out)
{
    size = (size + 7) & ~7ull;
    char *p = kind ? take(s, size, kind == NAT_COUNTED, &s->mapped[k]) : NULL;
    if (!p) {
        p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                 -1, 0);
        s->mapped[k] = size;
    }
    if (p == MAP_FAILED) return false;
    s->at[k] = out->shadows[k] = p;
    s->size[k] = size;
    return true;
}

/**
 * How many iterations of loops a group may make. The interpreter ends a launch whose work-items run
 * --livelock-limit instructions without writing, so a group that may come that far is left to it.
 */
static int64_t ticks_of(const struct vm_launch *l, struct native_checks checks)
{
    const uint64_t items = l->local[0] * l->local[1] * l->local[2];
    uint64_t most = l->livelock_limit ? l->livelock_limit / (checks.insns + 1) : INT64_MAX / 4;
    if (checks.which & PROOF_CHECK_LOCAL && most > NAT_MOST_TICKS) most = NAT_MOST_TICKS;
    return most > items ? (int64_t)(most - items) : 0;
}

bool native_shadow_make(struct native_shadow *s, const struct vm_launch *l,
                        const struct bc_module *m, const struct nat_code_info *info,
                        struct native_checks checks, struct nat_launch *out)
{
    const struct bc_arg *decl = m->args + l->kernel->first_arg;
    bool ok = true;
    for (uint32_t i = 0; i < l->kernel->nargs && i < NAT_MARKS; i++) {
        const struct vm_buffer *b = &l->args[i].buffer;
        const bool is_buffer = decl[i].kind == BC_ARG_BUFFER,
                   is_local = decl[i].kind == BC_ARG_LOCAL;
        out->sizes[i] = is_buffer ? b->size : is_local ? l->args[i].local_size : 0;
        const enum nat_shadow_kind kind = (enum nat_shadow_kind)info->shadow[i];
        if (is_buffer && kind)
            ok = ok && make(s, i, (b->size / info->cell[i] + 1) * cell_bytes[kind], kind, out);
        if (is_local && checks.which & PROOF_CHECK_LOCAL)
            ok = ok && make(s, i, (l->args[i].local_size + 1) * LOCAL_CELL, NAT_UNSHADOWED, out);
    }
    if (checks.which & PROOF_CHECK_LOCAL)
        ok = ok && make(s, NAT_MARKS, LOCALS_SHADOW, NAT_UNSHADOWED, out);
    out->ticks = ticks_of(l, checks);
    return ok;
}

static bool arguments_conflict(const struct native_shadow *a, const struct native_shadow *b,
                               unsigned k)
{
    const uint32_t *p = (const uint32_t *)a->at[k], *q = (const uint32_t *)b->at[k];
    if (!p || !q) return false;
    const uint32_t first = (uint32_t)a->begin; // less: unmarked
    uint32_t bad = 0;
    for (uint64_t i = 0; i < a->size[k] / sizeof *p; i += 2)
        bad |= ((p[i] >= first) & ((q[i] >= first) | (q[i + 1] >= first))) |
               ((q[i] >= first) & (p[i + 1] >= first));
    return bad;
}

bool native_shadows_conflict(const struct native_shadow *s, unsigned n,
                             const struct nat_code_info *info)
{
    for (unsigned a = 0; a < n; a++)
        for (unsigned b = 0; b < a; b++)
            for (unsigned k = 0; k < NAT_MARKS; k++)
                if (info->shadow[k] == NAT_STAMPED && arguments_conflict(&s[a], &s[b], k))
                    return true;
    return false;
}

/** The number of cells that some thread marked; clears them. */
static uint64_t take_marks(struct native_shadow *s, unsigned n, unsigned k)
{
    const uint64_t words = s->size[k] / sizeof(uint64_t), each = 0x0101010101010101;
    uint64_t marked = 0, *const all = (uint64_t *)s->at[k];
    for (unsigned t = 1; t < n && s[t].at[k]; t++) {
        uint64_t *p = (uint64_t *)s[t].at[k];
        for (uint64_t i = 0; i < words; i++) {
            all[i] |= p[i];
            p[i] = 0;
        }
    }
    for (uint64_t i = 0; i < words; i++) {
        marked += all[i] * each >> 56; // the sum of its bytes
        all[i] = 0;
    }
    return marked;
}

bool native_shadows_miscount(struct native_shadow *s, unsigned n, const struct nat_code_info *info)
{
    uint64_t stores = 0, marked = 0;
    for (unsigned t = 0; t < n; t++) stores += s[t].counts[NAT_COUNT_STORES];
    for (unsigned k = 0; k < NAT_MARKS; k++)
        if (info->shadow[k] == NAT_COUNTED && s->at[k]) marked += take_marks(s, n, k);
    return stores != marked;
}

/** Adds the marks of b to those of a: other threads run other groups. */
static void unite_equal(struct native_shadow *a, const struct native_shadow *b, unsigned k)
{
    uint32_t *p = (uint32_t *)a->at[k], first = (uint32_t)a->begin;
    const uint32_t *q = (const uint32_t *)b->at[k];
    for (uint64_t i = 0; i < a->size[k] / sizeof *p; i++)
        p[i] = q[i] < first ? p[i] : p[i] < first ? q[i] : first;
}

void native_shadows_equal(struct native_shadow *s, unsigned n, unsigned k, uint64_t items,
                          struct native_equal *out)
{
    const uint32_t first = (uint32_t)s->begin, *p = (const uint32_t *)s->at[k];
    const uint64_t cells = s->size[k] / sizeof *p;
    uint64_t shared = 0, between = 0;
    *out = (struct native_equal){0};
    for (unsigned t = 0; t < n; t++) shared += s[t].counts[NAT_COUNT_SHARED];
    if (!p || (n == 1 && !shared)) return;
    for (unsigned t = 1; t < n && s[t].at[k]; t++) unite_equal(s, &s[t], k);
    for (uint64_t i = 0; i < cells; i++) between += p[i] == first;
    for (uint64_t i = 0; i < cells; i++) out->cells += p[i] > first && (p[i] - first) & 1;
    out->cells += between;
    out->is_between = between;
    for (uint64_t i = 0; i < cells && !between && out->cells; i++)
        if (p[i] > first && (p[i] - first) & 1)
            bits_add(&out->groups, (p[i] - first - 2) / 2 / items);
}

void native_shadow_free(struct native_shadow *s, const struct nat_code_info *info, bool is_counted)
{
    for (unsigned k = 0; k <= NAT_MARKS; k++) {
        const enum nat_shadow_kind kind = k < NAT_MARKS ? (enum nat_shadow_kind)info->shadow[k]
                                                        : NAT_UNSHADOWED;
        if (!s->at[k]) continue;
        if (kind == NAT_COUNTED && !is_counted) memset(s->at[k], 0, s->size[k]);
        if (!kind || !keep(s->at[k], s->mapped[k], kind == NAT_COUNTED ? 0 : s->end))
            munmap(s->at[k], s->mapped[k]);
    }
}

bool native_is_sparse(const struct vm_launch *l, const struct bc_arg *decl)
{
    enum { SMALL = 1 << 20, BYTES_OF_ITEM = 64 };
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < l->kernel->nargs; i++)
        if (decl[i].kind == BC_ARG_BUFFER && decl[i].may_write) bytes += l->args[i].buffer.size;
    return bytes > SMALL && bytes / BYTES_OF_ITEM > l->global[0] * l->global[1] * l->global[2];
}

const char *native_why_not_checked(const struct vm_launch *l, const struct bc_arg *decl,
                                   const struct nat_code_info *info, uint32_t checks)
{
    uint64_t items = 1, groups = 1;
    for (unsigned d = 0; d < 3; d++) {
        items *= l->local[d];
        groups *= (l->global[d] + l->local[d] - 1) / l->local[d];
    }
    if (checks & PROOF_CHECK_LOCAL && (items >= NAT_MANY_LOCAL || groups >> (63 - NAT_GROUP_SHIFT)))
        return "it is too large to be checked for races";
    if (checks & PROOF_CHECK_GLOBAL && items * groups >= INT32_MAX - 1)
        return "it is too large to be checked for races";
    if (!(checks & PROOF_CHECK_BOUNDS)) return NULL;
    for (uint32_t i = 0; i < l->kernel->nargs; i++) {
        const uint64_t size = decl[i].kind == BC_ARG_BUFFER  ? l->args[i].buffer.size
                              : decl[i].kind == BC_ARG_LOCAL ? l->args[i].local_size
                                                             : info->largest;
        if (size < info->largest) return "a buffer is smaller than an access may be";
    }
    return NULL;
}
