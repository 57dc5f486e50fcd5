// SPDX-License-Identifier: MIT
#include "devices/native_shadow.h"

#include "bytecode/question.h"

#include <pthread.h>
#include <string.h>
#include <sys/mman.h>

// A cell has two marks. Of buffers these have 4 bytes, and cells stand for info->cell bytes; of
// local memory they have 8, and there may be a cell for each byte.
enum { BUFFER_CELL = 8, LOCAL_CELL = 16, LOCALS_SHADOW = (1 << 20) + LOCAL_CELL };

// Shadows of buffers that no launch uses: fresh memory costs more than the checks.
enum { MOST_KEPT = 32, MOST_KEPT_BYTES = 1 << 28 };

static struct {
    pthread_mutex_t lock;
    uint64_t next; // stamp
    uint64_t bytes;
    struct kept {
        char *at;
        uint64_t size, end; // end: above all stamps in it
    } list[MOST_KEPT];
    unsigned n;
} kept = {.lock = PTHREAD_MUTEX_INITIALIZER, .next = 1};

uint64_t native_stamps_take(uint64_t items)
{
    pthread_mutex_lock(&kept.lock);
    if ((kept.next & UINT32_MAX) + items + 1 > UINT32_MAX)
        kept.next = (((kept.next >> 32) + 1) << 32) | 1;
    const uint64_t r = kept.next;
    kept.next += items + 1;
    pthread_mutex_unlock(&kept.lock);
    return r;
}

static void drop(unsigned i)
{
    kept.bytes -= kept.list[i].size;
    kept.list[i] = kept.list[--kept.n];
}

/** The smallest one that is large enough and without stamps of later launches. */
static char *take(struct native_shadow *s, uint64_t size, uint64_t *mapped)
{
    char *r = NULL;
    pthread_mutex_lock(&kept.lock);
    unsigned best = MOST_KEPT;
    for (unsigned i = 0; i < kept.n; i++) {
        const struct kept *k = &kept.list[i];
        if (k->end <= s->begin && k->end >> 32 == s->begin >> 32 && k->size >= size &&
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

/** Keeps it; false: there are enough. */
static bool keep(char *at, uint64_t size, uint64_t end)
{
    struct kept old[MOST_KEPT];
    unsigned n = 0;
    pthread_mutex_lock(&kept.lock);
    for (unsigned i = kept.n; i-- > 0;)
        if (kept.list[i].end >> 32 != kept.next >> 32) old[n++] = kept.list[i], drop(i);
    const bool ok = kept.n < MOST_KEPT && kept.bytes + size <= MOST_KEPT_BYTES &&
                    end >> 32 == kept.next >> 32;
    if (ok) {
        kept.list[kept.n++] = (struct kept){at, size, end};
        kept.bytes += size;
    }
    pthread_mutex_unlock(&kept.lock);
    while (n--) munmap(old[n].at, old[n].size);
    return ok;
}

static bool make(struct native_shadow *s, unsigned k, uint64_t size, bool is_buffer,
                 struct nat_launch *out)
{
    char *p = is_buffer ? take(s, size, &s->mapped[k]) : NULL;
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
        if (is_buffer && info->shadowed >> i & 1)
            ok = ok && make(s, i, (b->size / info->cell + 1) * BUFFER_CELL, true, out);
        if (is_local && checks.which & PROOF_CHECK_LOCAL)
            ok = ok && make(s, i, (l->args[i].local_size + 1) * LOCAL_CELL, false, out);
    }
    if (checks.which & PROOF_CHECK_LOCAL) ok = ok && make(s, NAT_MARKS, LOCALS_SHADOW, false, out);
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
                if (info->shadowed >> k & 1 && arguments_conflict(&s[a], &s[b], k)) return true;
    return false;
}

void native_shadow_free(struct native_shadow *s, const struct nat_code_info *info)
{
    for (unsigned k = 0; k <= NAT_MARKS; k++) {
        const bool is_buffer = k < NAT_MARKS && info->shadowed >> k & 1;
        if (s->at[k] && !(is_buffer && keep(s->at[k], s->mapped[k], s->end)))
            munmap(s->at[k], s->mapped[k]);
    }
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
    if (checks & PROOF_CHECK_GLOBAL && items * groups >= UINT32_MAX - 1)
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
