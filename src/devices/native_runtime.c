// SPDX-License-Identifier: MIT
// Functions that machine code calls: functions over lanes, images, functions of groups, printf.
#include "devices/native_runtime.h"

#include "base/mem.h"
#include "builtins/builtins.h"
#include "interp/calls/collective.h"
#include "interp/calls/printf_format.h"
#include "interp/images/texel.h"
#include "native/abi.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

_Thread_local struct native_here native_here;

static void async_copy(char *to, const char *from, uint64_t elem, uint64_t count, uint64_t step_to,
                       uint64_t step_from, uint64_t item, uint64_t items)
{
    for (uint64_t k = item; k < count; k += items)
        memcpy(to + k * step_to * elem, from + k * step_from * elem, elem);
}

static void put_text(void *context, uint64_t pointer, struct str *text)
{
    str_put(text, pointer ? (const char *)(uintptr_t)pointer : "(null)");
}

static int32_t print(const char *format, const struct nat_printf_arg *types, const uint64_t *values,
                     uint32_t n)
{
    struct str s = {0};
    struct vm_format_value *v = mem_alloc((n + 1) * sizeof *v);
    char wrong[VM_FORMAT_WRONG];
    for (uint32_t i = 0; i < n; i++) {
        v[i] = (struct vm_format_value){types[i].type, types[i].ncomp, values};
        values += types[i].ncomp;
    }
    const bool ok = vm_format(&s, &(struct vm_printf_call){format, v, n, put_text, NULL}, wrong);
    fwrite(str_text(&s), 1, s.len, native_here.out);
    free(v);
    str_deinit(&s);
    return ok ? 0 : -1;
}

static void image(const struct native_image *m, uint32_t what, uint32_t has_sampler, void *sampler,
                  const uint32_t *coord, uint32_t ncoord, uint32_t *value)
{
    vm_texel_access(&(struct vm_texel_op){m->image, m->base, what, has_sampler,
                                          (uint64_t)(uintptr_t)sampler, coord, ncoord},
                    value);
}

static uint32_t image_query(const struct native_image *m, uint32_t what)
{
    const struct vm_image *i = m->image;
    switch (what) {
    case BC_IMAGE_WIDTH: return (uint32_t)i->size[0];
    case BC_IMAGE_HEIGHT: return (uint32_t)i->size[1];
    case BC_IMAGE_DEPTH: return (uint32_t)i->size[2];
    case BC_IMAGE_LAYERS: return (uint32_t)i->layers;
    case BC_IMAGE_TYPE: return i->format.type;
    default: return i->format.order;
    }
}

// Memory that is neither local nor private in any thread of the launch is global.
static const char *in_space(const char *p, uint32_t space)
{
    uint32_t found = BC_GLOBAL;
    for (unsigned k = 0; k < native_here.nspaces && found == BC_GLOBAL; k++) {
        const struct native_space *s = &native_here.spaces[k];
        if (p >= s->local_begin && p < s->local_end) found = BC_LOCAL;
        else if (p >= s->stack_begin && p < s->stack_end) found = BC_PRIVATE;
    }
    return found == space ? p : NULL;
}

// The first location in the program where work-items of the sub-group wait for it; -1 while one of
// them can run. The first one, because those may still reach the later locations.
static int32_t first_sub_group_wait(const int32_t *at, int64_t n)
{
    int32_t first = -1;
    for (int64_t i = 0; i < n; i++) {
        if (at[i] >= 0) continue;
        if (~at[i] & NAT_YIELDS) return -1;
        if (~at[i] & NAT_SUB_WAIT && (first < 0 || ~at[i] < first)) first = ~at[i];
    }
    return first;
}

/**
 * Resumes all work-items that wait at that location with its flags. Returns their region; -1: none.
 */
static int32_t let_go(int32_t *at, int64_t n, int32_t place)
{
    int32_t region = -1;
    for (int64_t i = 0; i < n; i++)
        if (at[i] == ~place) region = at[i] = place & ~NAT_SUB_WAIT;
    return region;
}

/** The same for all that wait anywhere with that flag, or (0) without flags. */
static int32_t let_all_go(int32_t *at, int64_t n, int32_t flag)
{
    int32_t region = -1;
    for (int64_t i = n; i-- > 0;)
        if (at[i] < 0 && (~at[i] & (NAT_SUB_WAIT | NAT_YIELDS)) == flag)
            region = at[i] = ~at[i] & ~flag;
    return region;
}

// The next region, from the states of n work-items (native/abi.h). -1: all have returned.
static int32_t next_region(int32_t *at, int64_t n, int32_t sub_group)
{
    int32_t region = -1;
    for (int64_t i = 0; i < n; i++)
        if (at[i] >= 0 && at[i] != NAT_RETURNED) return at[i];
    for (int64_t first = 0; first < n; first += sub_group) {
        const int64_t size = n - first < sub_group ? n - first : sub_group;
        const int32_t place = first_sub_group_wait(at + first, size);
        const int32_t its = place < 0 ? -1 : let_go(at + first, size, place);
        if (region < 0) region = its;
    }
    if (region < 0) region = let_all_go(at, n, NAT_YIELDS);
    return region < 0 ? let_all_go(at, n, 0) : region;
}

// Computes a collective for the participating ones of n work-items (at NULL: all); put: a row of
// words for each, as native/builtin_group.c defines.
static void collect_group(const struct vm_collective *q, char *put, uint64_t bytes, uint32_t n,
                          const int32_t *at, int32_t region, uint32_t k)
{
    uint64_t *v = mem_alloc(n * sizeof *v), all = 0, sum = vm_combine_identity(q);
    uint32_t here = 0;
#define WORD(i, w) ((uint64_t *)(put + (i) * bytes))[w]
    for (uint32_t i = 0; i < n; i++)
        if (!at || at[i] == region) v[here++] = WORD(i, k);
    if (q->what == BC_COL_REDUCE || q->what == BC_COL_ALL || q->what == BC_COL_ANY)
        all = vm_combined(q, v, here);
    for (uint32_t i = 0, had = 0; i < n; i++) {
        if (at && at[i] != region) continue;
        uint64_t r = all;
        if (q->what == BC_COL_BROADCAST) r = WORD(i, 0) < here ? v[WORD(i, 0)] : 0;
        if (q->what == BC_COL_INCLUSIVE || q->what == BC_COL_EXCLUSIVE) {
            const uint64_t next = had ? vm_combine(q, sum, v[had]) : v[0];
            r = q->what == BC_COL_INCLUSIVE ? next : sum;
            sum = next;
        }
        had++;
        WORD(i, k) = r;
    }
    free(v);
}

static void collect_sub_groups(const struct vm_collective *q, char *put, uint64_t bytes, uint32_t n,
                               const int32_t *at, int32_t region, uint32_t k, uint32_t size)
{
    for (uint32_t first = 0; first < n; first += size) {
        struct vm_sub_group s = {.size = n - first < size ? n - first : size, .whole = size};
        bool any = false;
        for (uint32_t i = 0; i < s.size; i++) {
            if (!(s.active[i] = !at || at[first + i] == region)) continue;
            s.v[i] = WORD(first + i, k);
            s.by[i] = WORD(first + i, 0) & UINT32_MAX;
            if (!any && q->has_cluster) s.cluster = WORD(first + i, 1) & UINT32_MAX;
            any = true;
        }
        if (!any) continue;
        vm_sub_group_collect(q, &s);
        for (uint32_t i = 0; i < s.size; i++)
            if (s.active[i]) WORD(first + i, k) = s.r[i];
    }
#undef WORD
}

static void collect(char *put, uint64_t bytes, uint64_t n, const int32_t *at, int32_t region,
                    uint32_t ext, uint32_t components, uint32_t has_cluster, uint32_t sub_group)
{
    const struct vm_collective q = {(uint8_t)ext, (uint8_t)(ext >> 8), (uint8_t)(ext >> 16 & 0x7f),
                                    has_cluster};
    for (uint32_t k = 2; k < 2 + components && q.what != BC_COL_BARRIER; k++) {
        if (ext >> 24 == BC_SCOPE_GROUP) collect_group(&q, put, bytes, (uint32_t)n, at, region, k);
        else collect_sub_groups(&q, put, bytes, (uint32_t)n, at, region, k, sub_group);
    }
}

static void anomaly(void) { longjmp(*native_here.anomaly, 1); }

// of the compiler's library: half on processors without it
void __extendhfsf2(void);
void __truncsfhf2(void);
void __truncdfhf2(void);

// ---- names

static struct native_symbol symbols[2 * BI_FN_COUNT + 32];
static size_t nsymbols;

static void add_symbol(const char *name, void *at)
{
    symbols[nsymbols++] = (struct native_symbol){name, at};
}

static void add_symbols(void)
{
    for (unsigned k = 0; k < BI_FN_COUNT; k++) {
        struct str s = {0};
        str_printf(&s, "cldbg-lane-%s", bi_lane_fns[k].name);
        add_symbol(str_take(&s), (void *)bi_lane_fns[k].fn);
        if (!bi_one(k)) continue;
        str_printf(&s, "cldbg.v1.%s", bi_lane_fns[k].name);
        add_symbol(str_take(&s), (void *)bi_one(k));
    }
    add_symbol("cldbg-async-copy", (void *)async_copy);
    add_symbol("cldbg-image", (void *)image);
    add_symbol("cldbg-image-query", (void *)image_query);
    add_symbol("cldbg-in-space", (void *)in_space);
    add_symbol("cldbg-printf", (void *)print);
    add_symbol(NAT_ANOMALY, (void *)anomaly);
    add_symbol(NAT_NEXT, (void *)next_region);
    add_symbol(NAT_COLLECT_ALL, (void *)collect);
    // functions that LLVM's code generator may call
#define LIBC(f) add_symbol(#f, (void *)f);
    LIBC(memcpy)
    LIBC(memmove)
    LIBC(memset)
    LIBC(fmod)
    LIBC(fmodf)
    LIBC(fma)
    LIBC(fmaf)
    LIBC(floor)
    LIBC(floorf)
    LIBC(ceil)
    LIBC(ceilf)
    LIBC(trunc)
    LIBC(truncf)
    LIBC(rint)
    LIBC(rintf)
    LIBC(fminf)
    LIBC(fmaxf)
    LIBC(__extendhfsf2)
    LIBC(__truncsfhf2)
    LIBC(__truncdfhf2)
}

const struct native_symbol *native_symbols(size_t *n)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, add_symbols);
    *n = nsymbols;
    return symbols;
}

void *native_symbol_at(const char *name)
{
    size_t n;
    const struct native_symbol *all = native_symbols(&n);
    for (size_t i = 0; i < n; i++)
        if (!strcmp(all[i].name, name)) return all[i].at;
    return NULL;
}
