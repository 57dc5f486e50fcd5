// SPDX-License-Identifier: MIT
// Local arrays that only buffer global memory (Wen et al., §4.2): a processor has caches, so reading the global array itself is as good,
// and the barriers around the copy go, too.
//
//     tile[f(l)] = in[g(l)];  barrier;  … tile[r(l)] …        becomes        … in[g(w(l))] …       with f(w(l)) = r(l)
//
// w names for each read the work-item that wrote the element. It is found by isl from the descriptors of the store and of the read; the
// address g is built anew at the read, with w(l) in place of the local ids. This holds when
//   1. the array is touched by loads and stores of one size alone, and each value stored was just loaded from a global array that the
//      kernel does not write, by that name or any other;
//   2. the read sees what was stored in the same iteration of the loops around: a barrier dominates it, and between barrier and read nothing
//      is stored. Addresses depend on ids and on what is the same for the group and does not change between store and read;
//   3. each element that is read was stored by some work-item, whatever the values of the parameters (read ⊆ stored, where of conditional stores
//      only what is sure counts): the place in global memory exists, since that work-item read it.
// Tiles with a halo are filled by several stores. One of them is continued beyond its ids (work-item -1 would have written the column left
// of the tile); that the others copy from where that one would is shown with polynomials modulo 2^w, since addresses such as y * width + x are
// not linear.
//
// Where neighbours in the group would read places that lie apart (the array transposes), buffering is worth its cost: it is left alone.
#include "native/descriptor.h"
#include "native/polynomial.h"
#include "native/transform.h"

#include "llvm/ir.h"

#include <assert.h>
#include <isl/aff.h>
#include <isl/set.h>
#include <isl/val.h>
#include <stdio.h>
#include <string.h>

enum { MAX_STORES = 8, MAX_READS = 64, MAX_HALO = 8, LOCAL = 3 };

struct buffer {
    struct nat_space *s;
    LLVMValueRef base;
    const struct nat_access *stores[MAX_STORES], *reads[MAX_READS], *from[MAX_STORES]; // from: the load whose value is stored
    unsigned nstores, nreads;
    const char *why; // it is left alone
};

/** What stands for local ids and counters of the store at a read. */
struct writer {
    LLVMValueRef value; // NULL: local id `dim`
    unsigned dim;
    isl_aff *is;
};
struct rewrite {
    struct buffer *b;
    const struct nat_access *read, *from;
    struct nat_descriptor *d; // the read's
    int scope;
    VEC(struct writer) writers;
    LLVMBuilderRef builder; // NULL: only to see whether it can be done
};

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
        case LLVMGetElementPtr: case LLVMBitCast: case LLVMAddrSpaceCast: case LLVMFreeze:
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

static const char *check_source(struct buffer *b, const struct nat_access *store)
{
    struct nat_space *s = b->s;
    const struct nat_access *from = access_of(s, LLVMGetOperand(store->insn, 0));
    if (!from || from->write || !from->plain || !from->base) return "what is stored is not just a value of a global array";
    if (LLVMGetPointerAddressSpace(LLVMTypeOf(from->pointer)) == LOCAL) return "what is stored comes from another local array";
    if (s->f->blocks[from->block].loop != s->f->blocks[store->block].loop) return "what is stored was loaded in another loop";
    if (b->nstores && b->from[0]->base != from->base) return "it holds elements of several global arrays";
    for (size_t k = 0; k < s->accesses.len; k++)
        if (s->accesses.data[k].write && nat_may_meet(s, &s->accesses.data[k], from)) return "the kernel may write the global array that it holds a part of";
    b->from[b->nstores] = from;
    return NULL;
}

static const char *collect(struct buffer *b)
{
    struct nat_space *s = b->s;
    for (size_t k = 0; k < s->accesses.len; k++) {
        const struct nat_access *a = &s->accesses.data[k];
        if (a->base != b->base) {
            struct nat_access probe = {.pointer = b->base, .base = b->base};
            if (!a->base && nat_may_meet(s, a, &probe)) return "something else may access it";
            continue;
        }
        if (!a->plain) return "it is volatile, or accessed by atomics";
        if ((b->nstores && a->size != b->stores[0]->size) || (b->nreads && a->size != b->reads[0]->size)) return "it is accessed by pieces of different sizes";
        if (!a->write) {
            if (b->nreads == MAX_READS) return "there are too many reads of it";
            b->reads[b->nreads++] = a;
            continue;
        }
        if (b->nstores == MAX_STORES) return "there are too many stores to it";
        const char *why = check_source(b, a);
        if (why) return why;
        b->stores[b->nstores++] = a;
    }
    if (!b->nstores) return "nothing is stored to it";
    return only_accessed(b->base) ? NULL : "its address goes elsewhere";
}

// What is reached from `from` without passing through block `not`.
static void reach(const struct rg_fn *f, unsigned from, unsigned not, bool *seen)
{
    VEC(unsigned) work = {0};
    vec_push(&work, from);
    while (work.len) {
        const unsigned b = vec_pop(&work);
        if (b == not || seen[b]) continue;
        seen[b] = true;
        for (unsigned k = 0; k < f->blocks[b].nsucc; k++) vec_push(&work, f->blocks[b].succ[k]);
    }
    vec_free(&work);
}

// The barrier behind which a read sees what was stored before it; -1: there is none.
static int barrier_of(struct buffer *b, const struct nat_access *read)
{
    const struct rg_fn *f = b->s->f;
    int at = f->blocks[read->block].idom;
    while (at >= 0 && !(f->blocks[at].end == RG_BARRIER && f->blocks[at].barrier == RG_WORK_GROUP_BARRIER)) at = f->blocks[at].idom;
    if (at < 0) return -1;
    const int loop = f->blocks[at].loop;
    bool *behind = arena_array(b->s->arena, bool, f->nblocks);
    reach(f, f->blocks[at].succ[0], (unsigned)at, behind);
    for (unsigned k = 0; k < b->nstores; k++) {
        const unsigned store = b->stores[k]->block;
        bool *on = arena_array(b->s->arena, bool, f->nblocks), *now = arena_array(b->s->arena, bool, f->nblocks);
        reach(f, store, (unsigned)at, on);
        if (behind[store] && store != (unsigned)at && on[read->block]) return -1; // stored between the two
        // in the same iteration the barrier comes behind the store
        if (loop >= 0 && !loop_holds(f, loop, f->blocks[store].loop)) return -1;
        reach(f, store, loop >= 0 && store != f->loops[loop].header ? f->loops[loop].header : f->nblocks, now);
        if (!now[at]) return -1;
    }
    return at;
}

// ---- condition 3, and who wrote what is read

static isl_set *offsets(isl_map *m) { return isl_map_range(isl_map_copy(m)); }

// No element is read in part.
static bool whole_elements(struct buffer *b, isl_map *read, isl_map *store)
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

static bool all_stored(struct buffer *b, isl_map *read, struct nat_descriptor *stores)
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

// The store continued to ids from -low to size - 1 + high, in the dimensions that there are.
static isl_map *continued(struct buffer *b, const struct nat_descriptor *store, unsigned low, unsigned high)
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
        str_printf(&text, "%s-%u <= l%u < %llu", d ? " and " : "", is ? low : 0, d, (unsigned long long)size[d] + (is ? high : 0));
    }
    str_put(&text, " }");
    isl_map *m = isl_map_intersect_domain(isl_map_copy(store->anywhere), isl_set_read_from_str(b->s->isl, text.data));
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

static bool uses_id(const struct rewrite *r, LLVMValueRef v, unsigned dim, unsigned depth)
{
    unsigned d;
    LLVMValueRef init;
    if (!LLVMIsAInstruction(v) || depth == 0) return false;
    if (nat_id_of(v, &d)) return d == dim;
    if (LLVMGetInstructionOpcode(v) == LLVMPHI) return nat_is_stepped(r->b->s, v, r->scope, &init) && uses_id(r, init, dim, depth - 1);
    if (LLVMIsACallInst(v) && LLVMGetNumArgOperands(v) == 0) return true; // get_local_linear_id and the like: of all
    for (int k = LLVMGetNumOperands(v); k-- > 0;)
        if (uses_id(r, LLVMGetOperand(v, (unsigned)k), dim, depth - 1)) return true;
    return false;
}

enum { DEEP = 24 };

static void forget(struct rewrite *r)
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

/** A relation from instances to (ids, counters) of a store as one affine function, else NULL. */
static isl_multi_aff *function_of(isl_map *m)
{
    if (!m || isl_map_is_single_valued(m) != isl_bool_true) {
        isl_map_free(m);
        return NULL;
    }
    isl_set *domain = isl_map_domain(isl_map_copy(m));
    isl_pw_multi_aff *p = isl_pw_multi_aff_coalesce(isl_pw_multi_aff_gist(isl_pw_multi_aff_from_map(m), domain));
    isl_multi_aff *r = NULL;
    if (p && isl_pw_multi_aff_n_piece(p) == 1) isl_pw_multi_aff_foreach_piece(p, the_piece, &r);
    isl_pw_multi_aff_free(p);
    return r;
}

/** Finds the writers of a read, or of what another store stores, by store `s` continued; only those that the address of its load uses. */
static bool find_writers(struct rewrite *r, isl_map *who, const struct nat_descriptor *s)
{
    LLVMValueRef address = r->from->pointer;
    const unsigned n = (unsigned)isl_map_dim(who, isl_dim_out);
    VEC(struct writer) used = {0};
    isl_map *m = who;
    for (unsigned k = n; k-- > 0;) {
        const LLVMValueRef v = k < 3 ? NULL : s->vars.data[k - 3].value;
        if (k < 3 ? uses_id(r, address, k, DEEP) : v && is_used(address, v, DEEP)) vec_push(&used, ((struct writer){v, k, NULL}));
        else m = isl_map_project_out(m, isl_dim_out, k, 1);
    }
    isl_multi_aff *f = function_of(m);
    for (size_t k = 0; k < used.len; k++) { // (the last dimension first)
        struct writer w = used.data[k];
        w.is = f ? isl_multi_aff_get_aff(f, (int)(used.len - 1 - k)) : NULL;
        vec_push(&r->writers, w);
    }
    vec_free(&used);
    const bool good = f != NULL;
    isl_multi_aff_free(f);
    return good;
}

// ---- the address as a polynomial

static const struct nat_poly *poly_of_aff(struct nat_polys *p, isl_aff *a, const struct nat_descriptor *d)
{
    if (!a || isl_aff_dim(a, isl_dim_div) > 0) return NULL;
    const struct nat_poly *sum = nat_poly_number(p, 0);
    static const enum isl_dim_type kinds[] = {isl_dim_in, isl_dim_param};
    for (unsigned t = 0; t < 2; t++)
        for (int k = 0; k < isl_aff_dim(a, kinds[t]) && sum; k++) {
            isl_val *v = isl_aff_get_coefficient_val(a, kinds[t], k);
            const bool zero = isl_val_is_zero(v), is_int = isl_val_is_int(v);
            const long n = isl_val_get_num_si(v);
            isl_val_free(v);
            if (!is_int) return NULL;
            if (zero) continue;
            const struct nat_poly *x = t == 1 ? nat_poly_parameter(p, isl_aff_get_dim_name(a, isl_dim_param, (unsigned)k))
                                       : k < 3 ? p->ids[k]
                                       : d->vars.data[k - 3].value ? nat_poly_variable(p, d->vars.data[k - 3].value, NAT_POLY_COUNTER) : NULL;
            sum = nat_poly_add(p, sum, x, n);
        }
    isl_val *c = isl_aff_get_constant_val(a);
    if (sum) sum = isl_val_is_int(c) ? nat_poly_add(p, sum, nat_poly_number(p, isl_val_get_num_si(c)), 1) : NULL;
    isl_val_free(c);
    return sum;
}

// The address of the store's load, with writers in place of its ids, as a polynomial of the instances of `d`; one: further on in dimension 0.
static const struct nat_poly *address_poly(struct nat_polys *p, struct rewrite *r, const struct nat_descriptor *d, bool one)
{
    const struct nat_poly *was[3] = {p->ids[0], p->ids[1], p->ids[2]}, *now[3] = {was[0], was[1], was[2]};
    bool good = true;
    for (size_t k = 0; k < r->writers.len; k++) {
        struct writer *w = &r->writers.data[k];
        const struct nat_poly *is = poly_of_aff(p, w->is, d);
        isl_val *step = one && w->is ? isl_aff_get_coefficient_val(w->is, isl_dim_in, 0) : NULL;
        if (step) is = nat_poly_add(p, is, nat_poly_number(p, isl_val_get_num_si(step)), 1);
        isl_val_free(step);
        good &= is != NULL;
        if (!w->value) now[w->dim] = is;
        else *map_put_ptr(&p->env, w->value, NULL) = (uintptr_t)is;
    }
    memcpy(p->ids, now, sizeof now);
    const struct nat_poly *a = good ? nat_poly_of(p, r->from->pointer) : NULL;
    memcpy(p->ids, was, sizeof was);
    map_deinit(&p->env);
    p->env = (struct map){0};
    return a;
}

// What the other store copies is what the first one would copy there. seen: its instances that matter.
static bool agrees(struct rewrite *r, const struct nat_access *from, const struct nat_descriptor *d, isl_map *seen)
{
    struct nat_polys p;
    nat_polys_init(&p, r->b->s, r->scope);
    for (unsigned k = 0; k < 3; k++) {
        isl_val *v = isl_map_plain_get_val_if_fixed(seen, isl_dim_in, k);
        if (v && isl_val_is_int(v) == isl_bool_true) p.ids[k] = nat_poly_number(&p, isl_val_get_num_si(v));
        isl_val_free(v);
    }
    for (size_t k = 0; k < d->vars.len; k++)
        if (d->vars.data[k].value)
            *map_put_ptr(&p.env, d->vars.data[k].value, NULL) = (uintptr_t)nat_poly_variable(&p, d->vars.data[k].value, NAT_POLY_COUNTER);
    const struct nat_poly *theirs = nat_poly_of(&p, from->pointer);
    map_deinit(&p.env);
    p.env = (struct map){0};
    const struct nat_poly *ours = address_poly(&p, r, d, false);
    const bool same = nat_poly_equal(theirs, ours) || (r->b->s->shape->small && nat_poly_same_index(&p, theirs, ours));
    nat_polys_deinit(&p);
    return same;
}

// Neighbours read neighbours, or the same.
static bool lies_well(struct rewrite *r)
{
    struct nat_polys p;
    if (r->b->s->shape->local[0] == 1) return true;
    nat_polys_init(&p, r->b->s, r->scope);
    p.through = true;
    int64_t step = 0;
    const struct nat_poly *here = address_poly(&p, r, r->d, false), *next = address_poly(&p, r, r->d, true);
    const bool known = nat_poly_constant(nat_poly_add(&p, next, here, -1), &step);
    nat_polys_deinit(&p);
    const int64_t size = (int64_t)r->read->size;
    return known && (step == 0 || step == size || step == -size);
}

// ---- building the address at a read

static LLVMValueRef as_i64(struct rewrite *r, LLVMValueRef v, bool is_signed)
{
    LLVMTypeRef i64 = LLVMInt64TypeInContext(LLVMGetModuleContext(r->b->s->m));
    return LLVMBuildIntCast2(r->builder, v, i64, is_signed, "");
}

static LLVMValueRef id_call(struct rewrite *r, bool global, unsigned dim)
{
    LLVMModuleRef m = r->b->s->m;
    LLVMContextRef c = LLVMGetModuleContext(m);
    const char *name = global ? "_Z13get_global_idj" : "_Z12get_local_idj";
    LLVMTypeRef i32 = LLVMInt32TypeInContext(c), t = LLVMFunctionType(LLVMInt64TypeInContext(c), &i32, 1, false);
    LLVMValueRef fn = LLVMGetNamedFunction(m, name), d = LLVMConstInt(i32, dim, false);
    if (!fn) fn = LLVMAddFunction(m, name, t);
    return LLVMBuildCall2(r->builder, t, fn, &d, 1, "");
}

static bool comes_before(struct rewrite *r, LLVMValueRef v)
{
    const struct rg_fn *f = r->b->s->f;
    if (!LLVMIsAInstruction(v)) return true;
    const int at = rg_block_of(f, v);
    return at >= 0 && at != (int)r->read->block && rg_dominates(f, (unsigned)at, r->read->block);
}

static LLVMValueRef build_aff(struct rewrite *r, isl_aff *a, bool *good)
{
    LLVMTypeRef i64 = LLVMInt64TypeInContext(LLVMGetModuleContext(r->b->s->m));
    static const enum isl_dim_type kinds[] = {isl_dim_in, isl_dim_param};
    LLVMValueRef sum = NULL;
    if (!a || isl_aff_dim(a, isl_dim_div) > 0) *good = false;
    for (unsigned t = 0; t < 2 && *good; t++)
        for (int k = 0; k < isl_aff_dim(a, kinds[t]) && *good; k++) {
            isl_val *v = isl_aff_get_coefficient_val(a, kinds[t], k);
            const long n = isl_val_get_num_si(v);
            *good = isl_val_is_int(v);
            isl_val_free(v);
            if (n == 0 || !*good) continue;
            LLVMValueRef x = NULL;
            if (t == 0 && k < 3) {
                if (r->builder) x = id_call(r, false, (unsigned)k);
            } else if (t == 0) {
                const struct nat_variable *var = &r->d->vars.data[k - 3];
                *good = var->value && comes_before(r, var->value);
                if (*good && r->builder) x = as_i64(r, var->value, var->is_signed);
            } else {
                const char *name = isl_aff_get_dim_name(a, isl_dim_param, (unsigned)k);
                LLVMValueRef s = r->b->s->symbols.data[strtoul(name + 1, NULL, 10)];
                *good = *name == 'g' || comes_before(r, s);
                if (*good && r->builder && *name == 'g') {
                    const unsigned d = (unsigned)LLVMConstIntGetZExtValue(s);
                    x = LLVMBuildSub(r->builder, id_call(r, true, d), id_call(r, false, d), "");
                } else if (*good && r->builder) {
                    x = as_i64(r, s, *name == 'p');
                }
            }
            if (!x) continue;
            if (n != 1) x = LLVMBuildMul(r->builder, x, LLVMConstInt(i64, (uint64_t)n, true), "");
            sum = sum ? LLVMBuildAdd(r->builder, sum, x, "") : x;
        }
    if (!*good || !r->builder) return NULL;
    isl_val *c = isl_aff_get_constant_val(a);
    LLVMValueRef k = LLVMConstInt(i64, (uint64_t)isl_val_get_num_si(c), true);
    isl_val_free(c);
    return !sum ? k : LLVMConstIntGetSExtValue(k) ? LLVMBuildAdd(r->builder, sum, k, "") : sum;
}

static LLVMValueRef writer_of(struct rewrite *r, LLVMValueRef counter, unsigned dim, bool *good)
{
    for (size_t k = 0; k < r->writers.len; k++) {
        struct writer *w = &r->writers.data[k];
        if (counter ? w->value == counter : !w->value && w->dim == dim) return build_aff(r, w->is, good);
    }
    *good = false;
    return NULL;
}

// No flags: what could not happen at ids of the group can at others.
static LLVMValueRef built(struct rewrite *r, LLVMValueRef v, LLVMValueRef *o, unsigned n)
{
    LLVMBuilderRef b = r->builder;
    LLVMTypeRef t = LLVMTypeOf(v);
    const LLVMOpcode op = LLVMGetInstructionOpcode(v);
    switch (op) {
    case LLVMOr: return LLVMGetIsDisjoint(v) ? LLVMBuildAdd(b, o[0], o[1], "") : LLVMBuildOr(b, o[0], o[1], "");
    case LLVMTrunc: case LLVMSExt: case LLVMZExt: case LLVMBitCast: case LLVMAddrSpaceCast: return LLVMBuildCast(b, op, o[0], t, "");
    case LLVMFreeze: return LLVMBuildFreeze(b, o[0], "");
    case LLVMGetElementPtr: return LLVMBuildGEP2(b, LLVMGetGEPSourceElementType(v), o[0], o + 1, n - 1, "");
    default: return LLVMBuildBinOp(b, op, o[0], o[1], "");
    }
}

static LLVMValueRef again(struct rewrite *r, LLVMValueRef v, bool *good, unsigned depth)
{
    LLVMValueRef o[8];
    unsigned dim;
    if (!LLVMIsAInstruction(v)) return v;
    *good &= depth > 0;
    if (!*good) return NULL;
    const enum nat_id id = nat_id_of(v, &dim);
    if (id) {
        LLVMValueRef is = writer_of(r, NULL, dim, good);
        if (id == NAT_LOCAL_ID || !*good || !r->builder) return is;
        return LLVMBuildAdd(r->builder, LLVMBuildSub(r->builder, id_call(r, true, dim), id_call(r, false, dim), ""), is, "");
    }
    const LLVMOpcode op = LLVMGetInstructionOpcode(v);
    if (nat_is_symbol(r->b->s, v, r->scope) && comes_before(r, v)) return v;
    if (nat_is_query(r->b->s, v)) {
        LLVMValueRef c = r->builder ? LLVMInstructionClone(v) : NULL;
        if (c) LLVMInsertIntoBuilder(r->builder, c);
        return c;
    }
    LLVMValueRef init;
    if (op == LLVMPHI && nat_is_stepped(r->b->s, v, r->scope, &init) && comes_before(r, v)) { // what it is here, but from the other's beginning
        LLVMValueRef other = again(r, init, good, depth - 1);
        return *good && r->builder ? LLVMBuildAdd(r->builder, LLVMBuildSub(r->builder, v, init, ""), other, "") : NULL;
    }
    if (op == LLVMPHI) {
        LLVMValueRef is = writer_of(r, v, 0, good);
        return is ? LLVMBuildIntCast2(r->builder, is, LLVMTypeOf(v), false, "") : NULL;
    }
    const int n = LLVMGetNumOperands(v);
    switch (op) {
    case LLVMAdd: case LLVMSub: case LLVMMul: case LLVMShl: case LLVMLShr: case LLVMAShr: case LLVMAnd: case LLVMOr: case LLVMXor:
    case LLVMTrunc: case LLVMSExt: case LLVMZExt: case LLVMBitCast: case LLVMAddrSpaceCast: case LLVMFreeze: case LLVMGetElementPtr: break;
    default: *good = false;
    }
    *good &= n <= 8;
    for (int k = 0; k < n && *good; k++) o[k] = again(r, LLVMGetOperand(v, (unsigned)k), good, depth - 1);
    return *good && r->builder ? built(r, v, o, (unsigned)n) : NULL;
}

// ---- a read

static bool try_continued(struct rewrite *r, const struct nat_descriptor *primary, struct nat_descriptor *stores, unsigned low, unsigned high)
{
    struct buffer *b = r->b;
    isl_map *wide = continued(b, primary, low, high);
    isl_set *all = offsets(wide), *read = offsets(r->d->map);
    const bool covers = isl_set_is_subset(read, all) == isl_bool_true;
    isl_set_free(all);
    bool good = covers;
    isl_map *back = isl_map_reverse(wide); // from an element to who writes it
    if (good) {
        good = find_writers(r, isl_map_apply_range(isl_map_copy(r->d->map), isl_map_copy(back)), primary) && lies_well(r);
        again(r, r->from->pointer, &good, DEEP);
    }
    for (unsigned k = 0; k < b->nstores && good; k++) {
        if (&stores[k] == primary && !low && !high) continue;
        struct rewrite other = {.b = b, .from = r->from, .scope = r->scope};
        isl_map *seen = isl_map_intersect_range(isl_map_copy(stores[k].map), isl_set_copy(read));
        if (isl_map_is_empty(seen) == isl_bool_true) {
            isl_map_free(seen);
            continue;
        }
        good = find_writers(&other, isl_map_apply_range(isl_map_copy(seen), isl_map_copy(back)), primary) && agrees(&other, b->from[k], &stores[k], seen);
        isl_map_free(seen);
        forget(&other);
    }
    isl_set_free(read);
    isl_map_free(back);
    if (!good) forget(r);
    return good;
}

static const char *find_rewrite(struct rewrite *r, struct nat_descriptor *stores)
{
    struct buffer *b = r->b;
    if (!r->d->map || !all_stored(b, r->d->map, stores)) return "not all that is read is known to be stored";
    // the store that copies most first; continued no further than needed
    for (unsigned halo = 0; halo <= 2 * MAX_HALO; halo++)
        for (unsigned low = 0; low <= halo; low++)
            for (unsigned k = 0; k < b->nstores; k++) {
                r->from = b->from[k];
                if (low > MAX_HALO || halo - low > MAX_HALO) continue;
                if (stores[k].exact && try_continued(r, &stores[k], stores, low, halo - low)) return NULL;
            }
    return "it does not hold a part of the global array as it lies there";
}

static void replace(struct rewrite *r)
{
    bool good = true;
    r->builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(r->b->s->m));
    LLVMPositionBuilderBefore(r->builder, r->read->insn);
    LLVMValueRef p = again(r, r->from->pointer, &good, DEEP);
    assert(good);
    LLVMValueRef now = LLVMBuildLoad2(r->builder, LLVMTypeOf(r->read->insn), p, "");
    LLVMSetAlignment(now, LLVMGetAlignment(r->from->insn));
    LLVMReplaceAllUsesWith(r->read->insn, now);
    LLVMDisposeBuilder(r->builder);
}

static const char *buffer(struct buffer *b)
{
    const struct rg_fn *f = b->s->f;
    const char *why = collect(b);
    struct rewrite *all = arena_array(b->s->arena, struct rewrite, MAX_READS);
    struct nat_descriptor *reads = arena_array(b->s->arena, struct nat_descriptor, MAX_READS);
    unsigned n = 0;
    for (; n < b->nreads && !why; n++) {
        const int at = barrier_of(b, b->reads[n]);
        if (at < 0) {
            why = "what is read is not clearly stored before one barrier and left alone behind it";
            break;
        }
        struct nat_descriptor stores[MAX_STORES];
        all[n] = (struct rewrite){.b = b, .read = b->reads[n], .d = &reads[n], .scope = f->blocks[at].loop};
        for (unsigned k = 0; k < b->nstores; k++) nat_describe(b->s, b->stores[k], all[n].scope, at, &stores[k]);
        nat_describe(b->s, b->reads[n], all[n].scope, at, &reads[n]);
        why = find_rewrite(&all[n], stores);
        for (unsigned k = 0; k < b->nstores; k++) nat_descriptor_deinit(&stores[k]);
    }
    for (unsigned k = 0; k < b->nreads && !why; k++) replace(&all[k]);
    for (unsigned k = 0; k < n; k++) {
        forget(&all[k]);
        nat_descriptor_deinit(&reads[k]);
    }
    for (unsigned k = 0; k < b->nreads && !why; k++) LLVMInstructionEraseFromParent(b->reads[k]->insn);
    for (unsigned k = 0; k < b->nstores && !why; k++) LLVMInstructionEraseFromParent(b->stores[k]->insn);
    return why;
}

// `tile`, for the variable kernel.tile and the parameter tile.
static const char *plain_name(LLVMValueRef v)
{
    const char *name = l_name(v), *dot = strrchr(name, '.');
    return LLVMIsAGlobalVariable(v) && dot && dot[1] && (dot[1] < '0' || dot[1] > '9') ? dot + 1 : name;
}

bool nat_replace_buffer(const struct rg_fn *f, const struct nat_shape *shape, struct arena *a, struct map *seen, struct str *remarks)
{
    struct nat_space s;
    LLVMValueRef base = NULL;
    nat_space_init(&s, f, shape, a);
    for (size_t k = 0; k < s.accesses.len && !base; k++) {
        const struct nat_access *x = &s.accesses.data[k];
        bool is_new;
        if (!x->base || !x->pointer || LLVMGetPointerAddressSpace(LLVMTypeOf(x->base)) != LOCAL) continue;
        map_put_ptr(seen, x->base, &is_new);
        if (is_new) base = x->base;
    }
    const char *why = NULL;
    if (base) {
        struct buffer b = {.s = &s, .base = base};
        why = shape->uneven ? "work-groups may be cut short" : !shape->apart ? "arguments overlap" : buffer(&b);
        if (why) str_printf(remarks, "local array '%s' stays: %s [buffers]\n", plain_name(base), why);
        else str_printf(remarks, "local array '%s' is not used: '%s' is read where it lies [buffers]\n", plain_name(base), plain_name(b.from[0]->base));
    }
    nat_space_deinit(&s);
    return base != NULL;
}
