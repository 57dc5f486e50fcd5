// SPDX-License-Identifier: MIT
// Removal of local-memory staging (Wen et al., §4.2; descriptor.c has the reference). A processor
// has caches, so a read of the global array itself is as fast, and the barriers around the copy
// become redundant.
//
//     tile[f(l)] = in[g(l)];  barrier;  … tile[r(l)] …        becomes        … in[g(w(l))] …
//                                       with f(w(l)) = r(l)
//
// w maps each read to the work-item that wrote the element. isl computes it from the descriptors of
// the store and of the read. The address g is rebuilt at the read, with w(l) in place of the local
// ids. This is valid if
//   1. the array is accessed only by loads and stores of one size, and each stored value was loaded
//      immediately before from a global array that the kernel does not write, directly or by an
//      alias;
//   2. the read sees the value that was stored in the same iteration of the loops around it: a
//      barrier dominates the read, and nothing is stored between barrier and read. Addresses depend
//      on ids and on values that are uniform and do not change between store and read;
//   3. some work-item stored each element that is read, for all values of the parameters:
//      read ⊆ stored, where only the certain instances of conditional stores count. The location
//      in global memory exists, since that work-item read it.
//
// Tiles with a halo are filled by several stores. One of them is extrapolated beyond its ids
// (work-item -1 would have written the column left of the tile). Polynomials modulo 2^w prove that
// the other stores copy from the same addresses, since addresses such as y * width + x are not
// linear.
//
// If neighboring work-items would read distant locations (the array transposes), staging is faster,
// and the array stays.
#include "native/buffer.h"
#include "native/transform.h"

#include "llvm/ir.h"

#include <assert.h>
#include <isl/aff.h>
#include <isl/set.h>
#include <isl/val.h>
#include <stdio.h>
#include <string.h>

enum { MAX_HALO = 8, LOCAL = 3 };

static bool loop_holds(const struct rg_fn *f, int outer, int inner)
{
    for (; inner >= 0 && inner != outer; inner = f->loops[inner].parent) continue;
    return inner == outer;
}

// ---- conditions 1 and 2

static bool only_accessed(LLVMValueRef p)
{
    for (LLVMUseRef u = LLVMGetFirstUse(p); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef i = LLVMGetUser(u);
        if (!LLVMIsAInstruction(i)) return false;
        switch (LLVMGetInstructionOpcode(i)) {
        case LLVMLoad: break;
        case LLVMStore:
            if (LLVMGetOperand(i, 0) == p) return false;
            break;
        case LLVMGetElementPtr:
        case LLVMBitCast:
        case LLVMAddrSpaceCast:
        case LLVMFreeze:
            if (!only_accessed(i)) return false;
            break;
        default: return false;
        }
    }
    return true;
}

static const struct nat_access *access_of(const struct nat_space *s, LLVMValueRef insn)
{
    for (size_t k = 0; k < s->accesses.len; k++)
        if (s->accesses.data[k].insn == insn) return &s->accesses.data[k];
    return NULL;
}

static const char *check_source(struct nat_buffer *b, const struct nat_access *store)
{
    struct nat_space *s = b->s;
    const struct nat_access *from = access_of(s, LLVMGetOperand(store->insn, 0));
    if (!from || from->write || !from->plain || !from->base)
        return "what is stored is not just a value of a global array";
    if (LLVMGetPointerAddressSpace(LLVMTypeOf(from->pointer)) == LOCAL)
        return "what is stored comes from another local array";
    if (s->f->blocks[from->block].loop != s->f->blocks[store->block].loop)
        return "what is stored was loaded in another loop";
    if (b->nstores && b->from[0]->base != from->base)
        return "it holds elements of several global arrays";
    for (size_t k = 0; k < s->accesses.len; k++)
        if (s->accesses.data[k].write && nat_may_overlap(s, &s->accesses.data[k], from))
            return "the kernel may write the global array that it holds a part of";
    b->from[b->nstores] = from;
    return NULL;
}

static const char *collect(struct nat_buffer *b)
{
    struct nat_space *s = b->s;
    for (size_t k = 0; k < s->accesses.len; k++) {
        const struct nat_access *a = &s->accesses.data[k];
        if (a->base != b->base) {
            struct nat_access probe = {.pointer = b->base, .base = b->base};
            if (!a->base && nat_may_overlap(s, a, &probe)) return "something else may access it";
            continue;
        }
        if (!a->plain) return "it is volatile, or accessed by atomics";
        if ((b->nstores && a->size != b->stores[0]->size) ||
            (b->nreads && a->size != b->reads[0]->size))
            return "it is accessed by pieces of different sizes";
        if (!a->write) {
            if (b->nreads == NAT_MAX_READS) return "there are too many reads of it";
            b->reads[b->nreads++] = a;
            continue;
        }
        if (b->nstores == NAT_MAX_STORES) return "there are too many stores to it";
        const char *why = check_source(b, a);
        if (why) return why;
        b->stores[b->nstores++] = a;
    }
    if (!b->nstores) return "nothing is stored to it";
    return only_accessed(b->base) ? NULL : "its address escapes";
}

// Marks the blocks that are reachable from `from` without passing through block `not`.
static void reach(const struct rg_fn *f, unsigned from, unsigned not, bool *seen)
{
    VEC(unsigned) work = {0};
    vec_push(&work, from);
    while (work.len) {
        const unsigned b = vec_pop(&work);
        if (b == not|| seen[b]) continue;
        seen[b] = true;
        for (unsigned k = 0; k < f->blocks[b].nsucc; k++) vec_push(&work, f->blocks[b].succ[k]);
    }
    vec_free(&work);
}

// The barrier after which a read sees the values that were stored before it; -1 if there is none.
static int barrier_of(struct nat_buffer *b, const struct nat_access *read)
{
    const struct rg_fn *f = b->s->f;
    int at = f->blocks[read->block].idom;
    while (at >= 0 &&
           !(f->blocks[at].end == RG_BARRIER && f->blocks[at].barrier == RG_WORK_GROUP_BARRIER))
        at = f->blocks[at].idom;
    if (at < 0) return -1;
    const int loop = f->blocks[at].loop;
    bool *behind = arena_array(b->s->arena, bool, f->nblocks);
    reach(f, f->blocks[at].succ[0], (unsigned)at, behind);
    for (unsigned k = 0; k < b->nstores; k++) {
        const unsigned store = b->stores[k]->block;
        bool *on = arena_array(b->s->arena, bool, f->nblocks),
             *now = arena_array(b->s->arena, bool, f->nblocks);
        reach(f, store, (unsigned)at, on);
        if (behind[store] && store != (unsigned)at && on[read->block])
            return -1; // there is a store between the two
        // In the same iteration the barrier comes after the store.
        if (loop >= 0 && !loop_holds(f, loop, f->blocks[store].loop)) return -1;
        reach(f, store,
              loop >= 0 && store != f->loops[loop].header ? f->loops[loop].header : f->nblocks,
              now);
        if (!now[at]) return -1;
    }
    return at;
}

// ---- condition 3, and the writer of each read element

static isl_set *offsets(isl_map *m) { return isl_map_range(isl_map_copy(m)); }

// No read covers only a part of an element.
static bool whole_elements(struct nat_buffer *b, isl_map *read, isl_map *store)
{
    char text[128];
    const unsigned long long size = b->reads[0]->size;
    snprintf(text, sizeof text, "{ [o] -> [p] : o - %llu < p < o + %llu and p != o }", size, size);
    isl_set *near = isl_set_apply(offsets(store), isl_map_read_from_str(b->s->isl, text));
    near = isl_set_intersect(near, offsets(read));
    const isl_bool none = isl_set_is_empty(near);
    isl_set_free(near);
    return none == isl_bool_true;
}

static bool all_stored(struct nat_buffer *b, isl_map *read, struct nat_descriptor *stores)
{
    isl_set *all = NULL;
    for (unsigned k = 0; k < b->nstores; k++) {
        if (!stores[k].map || !whole_elements(b, read, stores[k].map)) {
            isl_set_free(all);
            return false;
        }
        if (!stores[k].exact) continue;
        all = all ? isl_set_union(all, offsets(stores[k].map)) : offsets(stores[k].map);
    }
    if (!all) return false;
    isl_set *r = offsets(read);
    const isl_bool is = isl_set_is_subset(r, all);
    isl_set_free(r);
    isl_set_free(all);
    return is == isl_bool_true;
}

// The store extrapolated to ids from -low to size - 1 + high, in the existing dimensions.
static isl_map *continued(struct nat_buffer *b, const struct nat_descriptor *store, unsigned low,
                          unsigned high)
{
    if (!low && !high) return isl_map_copy(store->map);
    struct str text = {0};
    const uint64_t *size = b->s->shape->local;
    const unsigned n = (unsigned)isl_map_dim(store->anywhere, isl_dim_in);
    str_put(&text, "{ [l0,l1,l2");
    for (unsigned k = 3; k < n; k++) str_printf(&text, ",v%u", k);
    str_put(&text, "] : ");
    for (unsigned d = 0; d < 3; d++) {
        const bool is = size[d] > 1;
        str_printf(&text, "%s-%u <= l%u < %llu", d ? " and " : "", is ? low : 0, d,
                   (unsigned long long)size[d] + (is ? high : 0));
    }
    str_put(&text, " }");
    isl_map *m = isl_map_intersect_domain(isl_map_copy(store->anywhere),
                                          isl_set_read_from_str(b->s->isl, text.data));
    str_deinit(&text);
    return m;
}

static bool is_used(LLVMValueRef v, LLVMValueRef what, unsigned depth)
{
    if (v == what) return true;
    if (!LLVMIsAInstruction(v) || depth == 0) return false;
    if (LLVMGetInstructionOpcode(v) == LLVMPHI) return false;
    for (int k = LLVMGetNumOperands(v); k-- > 0;)
        if (is_used(LLVMGetOperand(v, (unsigned)k), what, depth - 1)) return true;
    return false;
}

static bool uses_id(const struct nat_rewrite *r, LLVMValueRef v, unsigned dim, unsigned depth)
{
    unsigned d;
    LLVMValueRef init;
    if (!LLVMIsAInstruction(v) || depth == 0) return false;
    if (nat_id_of(v, &d)) return d == dim;
    if (LLVMGetInstructionOpcode(v) == LLVMPHI)
        return nat_is_stepped(r->b->s, v, r->scope, &init) && uses_id(r, init, dim, depth - 1);
    if (LLVMIsACallInst(v) && LLVMGetNumArgOperands(v) == 0)
        return true; // get_local_linear_id and similar functions depend on all ids
    for (int k = LLVMGetNumOperands(v); k-- > 0;)
        if (uses_id(r, LLVMGetOperand(v, (unsigned)k), dim, depth - 1)) return true;
    return false;
}

static void forget(struct nat_rewrite *r)
{
    for (size_t k = 0; k < r->writers.len; k++) isl_aff_free(r->writers.data[k].is);
    vec_free(&r->writers);
}

static isl_stat the_piece(isl_set *set, isl_multi_aff *m, void *to)
{
    *(isl_multi_aff **)to = m;
    isl_set_free(set);
    return isl_stat_ok;
}

/**
 * A relation from instances to (ids, counters) of a store, as one affine function; NULL if it is
 * not one.
 */
static isl_multi_aff *function_of(isl_map *m)
{
    if (!m || isl_map_is_single_valued(m) != isl_bool_true) {
        isl_map_free(m);
        return NULL;
    }
    isl_set *domain = isl_map_domain(isl_map_copy(m));
    isl_pw_multi_aff *p =
        isl_pw_multi_aff_coalesce(isl_pw_multi_aff_gist(isl_pw_multi_aff_from_map(m), domain));
    isl_multi_aff *r = NULL;
    if (p && isl_pw_multi_aff_n_piece(p) == 1) isl_pw_multi_aff_foreach_piece(p, the_piece, &r);
    isl_pw_multi_aff_free(p);
    return r;
}

/**
 * Finds the writers of the elements of a read, or of another store, by extrapolated store `s`. Only
 * the ids and counters that the address of its load uses are computed.
 */
static bool find_writers(struct nat_rewrite *r, isl_map *who, const struct nat_descriptor *s)
{
    LLVMValueRef address = r->from->pointer;
    const unsigned n = (unsigned)isl_map_dim(who, isl_dim_out);
    VEC(struct nat_writer) used = {0};
    isl_map *m = who;
    for (unsigned k = n; k-- > 0;) {
        const LLVMValueRef v = k < 3 ? NULL : s->vars.data[k - 3].value;
        if (k < 3 ? uses_id(r, address, k, NAT_DEEP) : v && is_used(address, v, NAT_DEEP))
            vec_push(&used, ((struct nat_writer){v, k, NULL}));
        else m = isl_map_project_out(m, isl_dim_out, k, 1);
    }
    isl_multi_aff *f = function_of(m);
    for (size_t k = 0; k < used.len; k++) { // (the last dimension first)
        struct nat_writer w = used.data[k];
        w.is = f ? isl_multi_aff_get_aff(f, (int)(used.len - 1 - k)) : NULL;
        vec_push(&r->writers, w);
    }
    vec_free(&used);
    const bool good = f != NULL;
    isl_multi_aff_free(f);
    return good;
}

// ---- a read

static bool try_continued(struct nat_rewrite *r, const struct nat_descriptor *primary,
                          struct nat_descriptor *stores, unsigned low, unsigned high)
{
    struct nat_buffer *b = r->b;
    isl_map *wide = continued(b, primary, low, high);
    isl_set *all = offsets(wide), *read = offsets(r->d->map);
    const bool covers = isl_set_is_subset(read, all) == isl_bool_true;
    isl_set_free(all);
    bool good = covers;
    isl_map *back = isl_map_reverse(wide); // from an element to its writer
    if (good) {
        good = find_writers(r, isl_map_apply_range(isl_map_copy(r->d->map), isl_map_copy(back)),
                            primary) &&
               nat_lies_well(r);
        nat_address_again(r, &good);
    }
    for (unsigned k = 0; k < b->nstores && good; k++) {
        if (&stores[k] == primary && !low && !high) continue;
        struct nat_rewrite other = {.b = b, .from = r->from, .scope = r->scope};
        isl_map *seen = isl_map_intersect_range(isl_map_copy(stores[k].map), isl_set_copy(read));
        if (isl_map_is_empty(seen) == isl_bool_true) {
            isl_map_free(seen);
            continue;
        }
        good = find_writers(&other, isl_map_apply_range(isl_map_copy(seen), isl_map_copy(back)),
                            primary) &&
               nat_copies_alike(&other, b->from[k], &stores[k], seen);
        isl_map_free(seen);
        forget(&other);
    }
    isl_set_free(read);
    isl_map_free(back);
    if (!good) forget(r);
    return good;
}

static const char *find_rewrite(struct nat_rewrite *r, struct nat_descriptor *stores)
{
    struct nat_buffer *b = r->b;
    if (!r->d->map || !all_stored(b, r->d->map, stores))
        return "not all that is read is known to be stored";
    // Try the store that copies most first, with the smallest sufficient extrapolation.
    for (unsigned halo = 0; halo <= 2 * MAX_HALO; halo++)
        for (unsigned low = 0; low <= halo; low++)
            for (unsigned k = 0; k < b->nstores; k++) {
                r->from = b->from[k];
                if (low > MAX_HALO || halo - low > MAX_HALO) continue;
                if (stores[k].exact && try_continued(r, &stores[k], stores, low, halo - low))
                    return NULL;
            }
    return "it does not hold a part of the global array as it lies there";
}

static void replace(struct nat_rewrite *r)
{
    bool good = true;
    r->builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(r->b->s->m));
    LLVMPositionBuilderBefore(r->builder, r->read->insn);
    LLVMValueRef p = nat_address_again(r, &good);
    assert(good);
    LLVMValueRef now = LLVMBuildLoad2(r->builder, LLVMTypeOf(r->read->insn), p, "");
    LLVMSetAlignment(now, LLVMGetAlignment(r->from->insn));
    LLVMReplaceAllUsesWith(r->read->insn, now);
    LLVMDisposeBuilder(r->builder);
}

static const char *buffer(struct nat_buffer *b)
{
    const struct rg_fn *f = b->s->f;
    const char *why = collect(b);
    struct nat_rewrite *all = arena_array(b->s->arena, struct nat_rewrite, NAT_MAX_READS);
    struct nat_descriptor *reads = arena_array(b->s->arena, struct nat_descriptor, NAT_MAX_READS);
    unsigned n = 0;
    for (; n < b->nreads && !why; n++) {
        const int at = barrier_of(b, b->reads[n]);
        if (at < 0) {
            why = "the read value is not provably stored before one barrier and unchanged after it";
            break;
        }
        struct nat_descriptor stores[NAT_MAX_STORES];
        all[n] = (struct nat_rewrite){
            .b = b, .read = b->reads[n], .d = &reads[n], .scope = f->blocks[at].loop};
        for (unsigned k = 0; k < b->nstores; k++)
            nat_describe(b->s, b->stores[k], all[n].scope, at, &stores[k]);
        nat_describe(b->s, b->reads[n], all[n].scope, at, &reads[n]);
        why = find_rewrite(&all[n], stores);
        for (unsigned k = 0; k < b->nstores; k++) nat_descriptor_deinit(&stores[k]);
    }
    for (unsigned k = 0; k < b->nreads && !why; k++) replace(&all[k]);
    for (unsigned k = 0; k < n; k++) {
        forget(&all[k]);
        nat_descriptor_deinit(&reads[k]);
    }
    for (unsigned k = 0; k < b->nreads && !why; k++)
        LLVMInstructionEraseFromParent(b->reads[k]->insn);
    for (unsigned k = 0; k < b->nstores && !why; k++)
        LLVMInstructionEraseFromParent(b->stores[k]->insn);
    return why;
}

// `tile`, for the variable kernel.tile and the parameter tile.
static const char *plain_name(LLVMValueRef v)
{
    const char *name = l_name(v), *dot = strrchr(name, '.');
    return LLVMIsAGlobalVariable(v) && dot && dot[1] && (dot[1] < '0' || dot[1] > '9') ? dot + 1
                                                                                       : name;
}

bool nat_replace_buffer(const struct rg_fn *f, const struct nat_shape *shape, struct arena *a,
                        struct map *seen, struct str *remarks)
{
    struct nat_space s;
    LLVMValueRef base = NULL;
    nat_space_init(&s, f, shape, a);
    for (size_t k = 0; k < s.accesses.len && !base; k++) {
        const struct nat_access *x = &s.accesses.data[k];
        bool is_new;
        if (!x->base || !x->pointer || LLVMGetPointerAddressSpace(LLVMTypeOf(x->base)) != LOCAL)
            continue;
        map_put_ptr(seen, x->base, &is_new);
        if (is_new) base = x->base;
    }
    const char *why = NULL;
    if (base) {
        struct nat_buffer b = {.s = &s, .base = base};
        why = shape->uneven   ? "work-groups may be cut short"
              : !shape->apart ? "arguments overlap"
                              : buffer(&b);
        if (why)
            str_printf(remarks, "local array '%s' stays: %s [buffers]\n", plain_name(base), why);
        else
            str_printf(remarks,
                       "local array '%s' is not used: '%s' is read where it lies [buffers]\n",
                       plain_name(base), plain_name(b.from[0]->base));
    }
    nat_space_deinit(&s);
    return base != NULL;
}
