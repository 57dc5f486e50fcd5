// SPDX-License-Identifier: MIT
// Builds the work-group function of a kernel (work-item loops of pocl; work-item coalescing): for
// each region a loop nest over the work-items, around a copy of its blocks.
//
//   cldbg.K:   slots; arguments
//   groups:    for g in first..last: ids and sizes of the group
//   region r:    read the scalars that the region takes over from others        (uniform slots)
//                for z, y, x: item = (z * ly + y) * lx + x
//                  copies of the region's blocks; each exit records the next region, and ends the
//                  iteration
//                continue: a return ends the group; after a cut its branch is taken, once
//
// Invariant: work-items of a group are independent between two barriers, except for atomics. Loads
// and stores are in an access group, unless they access a variable that work-items share because
// they run one after the other. The loops over work-items declare that group parallel
// (llvm.loop.parallel_accesses).
#include "native/workgroup.h"

#include <stdio.h>
#include <string.h>

// The maximum number of work-items of a block; without blocks, those of the whole group.
static uint64_t items(const struct nat_gen *g)
{
    const uint64_t *n = g->block[0] ? g->block : g->shape->local;
    return n[0] * n[1] * n[2];
}

// ---- blocks

enum { LANES = 16, REGISTERS = 16 }; // floats in 64 bytes; half of the 32 registers

static uint64_t divisor(uint64_t n, uint64_t most)
{
    uint64_t d = most < n ? most : n;
    while (n % d) d--;
    return d;
}

// Without barriers a group may be run in blocks, one after the other (loop tiling). Blocks are as
// large as possible while the values that loops over work-items pass to one another stay in
// registers.
static void choose_blocks(struct nat_gen *g, struct str *remarks)
{
    unsigned words = 0; // of 4 bytes, for each work-item's values
    for (size_t k = 0; k < g->slots->len; k++)
        if (g->slot[k].storage == STORAGE_ARRAY)
            words += (unsigned)((l_size(g->m, g->slot[k].type) + 3) / 4);
    if (g->w->nhorizontal)
        str_printf(remarks, "%u loop%s around the loop over work-items [interchange]\n",
                   g->w->nhorizontal, g->w->nhorizontal == 1 ? "" : "s");
    if (!(g->shape->passes & NAT_PASS_BLOCKING) || g->shape->uneven || !g->w->nhorizontal || !words)
        return;
    const uint64_t *n = g->shape->local, most = LANES * (words < REGISTERS ? REGISTERS / words : 1);
    g->in_registers = n[0] * n[1] * n[2] <= most;
    if (g->in_registers || g->w->has_barrier) return;
    const uint64_t x = divisor(n[0], most), y = divisor(n[1], most / x ? most / x : 1);
    if (x * y < LANES) return;
    g->block[0] = x;
    g->block[1] = y;
    g->block[2] = 1;
    g->in_registers = true;
    str_printf(remarks, "run in blocks of %llux%llu work-items [blocking]\n", (unsigned long long)x,
               (unsigned long long)y);
}

/** The loop over blocks: opened before the regions, closed at the end of each of them. */
struct blocks {
    LLVMBasicBlockRef head[3], latch[3];
    LLVMValueRef at[3];
};

static void open_blocks(struct nat_gen *g, struct blocks *b)
{
    for (unsigned d = 0; d < 3; d++) {
        g->origin[d] = NULL;
        g->extent[d] = g->size[d];
    }
    for (int d = 2; d >= 0 && g->block[0]; d--) {
        LLVMBasicBlockRef from = LLVMGetInsertBlock(g->b);
        b->head[d] = nat_block(g, "block");
        b->latch[d] = nat_block(g, "next_block");
        LLVMBuildBr(g->b, b->head[d]);
        nat_at_end(g, b->head[d]);
        g->origin[d] = b->at[d] = LLVMBuildPhi(g->b, g->i64, "origin");
        g->extent[d] = nat_k64(g, g->block[d]);
        LLVMValueRef zero = nat_k64(g, 0);
        LLVMAddIncoming(b->at[d], &zero, &from, 1);
    }
}

static void close_blocks(struct nat_gen *g, struct blocks *b)
{
    for (unsigned d = 0; d < 3 && g->block[0]; d++) {
        if (d == 0) LLVMBuildBr(g->b, b->latch[0]);
        nat_at_end(g, b->latch[d]);
        LLVMValueRef up = LLVMBuildNUWAdd(g->b, b->at[d], nat_k64(g, g->block[d]), "");
        LLVMAddIncoming(b->at[d], &up, &b->latch[d], 1);
        LLVMBasicBlockRef done = d < 2 ? b->latch[d + 1] : nat_block(g, "blocks_done");
        nat_ordinary_loop(g,
                          LLVMBuildCondBr(g->b, LLVMBuildICmp(g->b, LLVMIntULT, up, g->size[d], ""),
                                          b->head[d], done));
        if (d == 2) nat_at_end(g, done);
    }
}

// Work-items of this group in a dimension: a constant unless groups may be cut short.
static LLVMValueRef local_size(struct nat_gen *g, unsigned d)
{
    LLVMValueRef whole = nat_k64(g, g->shape->local[d]);
    if (!g->shape->uneven) return whole;
    LLVMValueRef left = LLVMBuildSub(g->b, nat_field(g, NAT_GLOBAL + d),
                                     LLVMBuildMul(g->b, g->group[d], whole, ""), "");
    return LLVMBuildSelect(g->b, LLVMBuildICmp(g->b, LLVMIntULT, left, whole, ""), left, whole, "");
}

// Assigns offsets to the local variables that the kernel uses; returns their total size.
static uint64_t find_locals(struct nat_gen *g, struct map *locals)
{
    uint64_t at = 0;
    l_each_global(g->m, v) {
        if (LLVMGetPointerAddressSpace(LLVMTypeOf(v)) != 3) continue;
        bool used = false;
        for (LLVMUseRef u = LLVMGetFirstUse(v); u && !used; u = LLVMGetNextUse(u)) {
            LLVMValueRef i = LLVMGetUser(u);
            used = LLVMIsAInstruction(i) &&
                   LLVMGetBasicBlockParent(LLVMGetInstructionParent(i)) == g->f->fn;
        }
        if (!used) continue;
        LLVMTypeRef t = LLVMGlobalGetValueType(v);
        uint64_t align = LLVMGetAlignment(v) > 16 ? LLVMGetAlignment(v) : 16;
        at = (at + align - 1) / align * align;
        *map_put_ptr(locals, v, NULL) = at + 1;
        at += l_size(g->m, t);
    }
    return at;
}

/** The text of the metadata of kind `kind` for parameter i, of *len bytes; NULL: none. */
static const char *said_of(struct nat_gen *g, const char *kind, unsigned i, unsigned *len)
{
    size_t n;
    const char *text = NULL;
    LLVMValueMetadataEntry *all = LLVMGlobalCopyAllMetadata(g->f->fn, &n);
    const unsigned id = LLVMGetMDKindIDInContext(g->c, kind, (unsigned)strlen(kind));
    for (unsigned k = 0; k < n; k++)
        if (LLVMValueMetadataEntriesGetKind(all, k) == id)
            text = l_md_string(
                l_md_operand(l_md_value(g->m, LLVMValueMetadataEntriesGetMetadata(all, k)), i),
                len);
    LLVMDisposeValueMetadataEntries(all);
    return text;
}

// In SPIR 1.2 and 2.0 images, samplers and pipes are pointers. Only the metadata distinguishes them
// from pointers to memory.
static bool is_opaque_pointer(struct nat_gen *g, unsigned i, unsigned space)
{
    unsigned len = 0, of_qualifier = 0;
    const char *type = said_of(g, "kernel_arg_base_type", i, &len),
               *qualifier = said_of(g, "kernel_arg_type_qual", i, &of_qualifier);
    if (space == 1 && qualifier && memmem(qualifier, of_qualifier, "pipe", 4)) return true;
    return type && len > 7 && (!memcmp(type, "image", 5) || !memcmp(type, "sampler", 7)) &&
           !memcmp(type + len - 2, "_t", 2);
}

static LLVMValueRef argument(struct nat_gen *g, unsigned i, LLVMValueRef param, LLVMValueRef given,
                             bool by_value)
{
    LLVMTypeRef t = LLVMTypeOf(param);
    if (LLVMGetTypeKind(t) == LLVMPointerTypeKind && !by_value &&
        is_opaque_pointer(g, i, LLVMGetPointerAddressSpace(t)))
        given = LLVMBuildLoad2(g->b, g->ptr, given, "");
    if (LLVMGetTypeKind(t) != LLVMPointerTypeKind) {
        LLVMValueRef v = LLVMBuildLoad2(g->b, t, given, "");
        LLVMSetAlignment(v, 1);
        return v;
    }
    return by_value || LLVMGetPointerAddressSpace(t) == 0
               ? given
               : LLVMBuildAddrSpaceCast(g->b, given, t, "");
}

static void begin_group(struct nat_gen *g, LLVMValueRef number)
{
    LLVMValueRef rest = number, nx = nat_field(g, NAT_GROUPS), ny = nat_field(g, NAT_GROUPS + 1);
    g->group[0] = LLVMBuildURem(g->b, rest, nx, "");
    rest = LLVMBuildUDiv(g->b, rest, nx, "");
    g->group[1] = LLVMBuildURem(g->b, rest, ny, "");
    g->group[2] = LLVMBuildUDiv(g->b, rest, ny, "");
    for (unsigned d = 0; d < 3; d++) {
        g->size[d] = local_size(g, d);
        LLVMValueRef first = LLVMBuildMul(g->b, g->group[d], nat_field(g, NAT_LOCAL + d), "");
        g->base[d] = LLVMBuildAdd(g->b, first, nat_field(g, NAT_OFFSET + d), "");
    }
}

static void set_text(struct nat_gen *g, const char *key, const char *value)
{
    LLVMAddAttributeAtIndex(g->fn, LLVMAttributeFunctionIndex,
                            LLVMCreateStringAttribute(g->c, key, (unsigned)strlen(key), value,
                                                      (unsigned)strlen(value)));
}

static void declare(struct nat_gen *g, const char *name, unsigned nparams)
{
    VEC(LLVMTypeRef) types = {0};
    for (unsigned i = 0; i < nparams + 2; i++) vec_push(&types, g->ptr);
    vec_push(&types, g->i64);
    vec_push(&types, g->i64);
    struct str full = {0};
    str_printf(&full, NAT_PREFIX "%s", name);
    g->fn = LLVMAddFunction(
        g->m, full.data,
        LLVMFunctionType(LLVMVoidTypeInContext(g->c), types.data, (unsigned)types.len, false));
    LLVMAddAttributeAtIndex(
        g->fn, LLVMAttributeFunctionIndex,
        LLVMCreateEnumAttribute(g->c, LLVMGetEnumAttributeKindForName("nounwind", 8), 0));
    // Buffers do not overlap then, and no access leaves its buffer.
    for (unsigned i = 0; i < nparams && g->shape->apart && g->shape->checks; i++)
        LLVMAddAttributeAtIndex(
            g->fn, i + 1,
            LLVMCreateEnumAttribute(g->c, LLVMGetEnumAttributeKindForName("noalias", 7), 0));
    str_deinit(&full);
    vec_free(&types);
}

static void arguments(struct nat_gen *g, unsigned nparams)
{
    const unsigned by = LLVMGetEnumAttributeKindForName("byval", 5);
    struct map locals = {0};
    const uint64_t bytes = find_locals(g, &locals);
    char text[32];
    snprintf(text, sizeof text, "%llu", (unsigned long long)bytes);
    set_text(g, NAT_LOCALS, text);
    nat_at_end(g, LLVMGetFirstBasicBlock(g->fn));
    for (unsigned i = 0; i < nparams; i++) {
        LLVMValueRef p = LLVMGetParam(g->f->fn, i);
        nat_now_is(g, p,
                   argument(g, i, p, LLVMGetParam(g->fn, i),
                            LLVMGetEnumAttributeAtIndex(g->f->fn, i + 1, by) != NULL));
    }
    l_each_global(g->m, v) {
        uint64_t *at = map_get_ptr(&locals, v);
        if (!at) continue;
        LLVMValueRef offset = nat_k64(g, *at - 1);
        LLVMValueRef p = LLVMBuildInBoundsGEP2(g->b, LLVMInt8TypeInContext(g->c),
                                               LLVMGetParam(g->fn, nparams), &offset, 1, "");
        nat_now_is(g, v, LLVMBuildAddrSpaceCast(g->b, p, LLVMTypeOf(v), ""));
    }
    map_deinit(&locals);
}

static void make_checks(struct nat_gen *g)
{
    g->anomaly = nat_variable(g, g->i32, "anomaly");
    g->ticks = nat_variable(g, g->i64, "ticks");
    for (unsigned k = 0; k < NAT_COUNTS; k++) g->counts[k] = nat_variable(g, g->i64, "count");
}

void nat_workgroup(const struct nat_form *w, const struct rg_fn *f, const struct nat_slots *slots,
                   const struct nat_shape *shape, struct str *remarks)
{
    LLVMModuleRef m = LLVMGetGlobalParent(f->fn);
    struct nat_gen g = {
        .m = m, .c = LLVMGetModuleContext(m), .w = w, .f = f, .slots = slots, .shape = shape};
    const unsigned n = LLVMCountParams(f->fn);
    g.b = LLVMCreateBuilderInContext(g.c);
    g.i64 = LLVMInt64TypeInContext(g.c);
    g.i32 = LLVMInt32TypeInContext(g.c);
    g.ptr = LLVMPointerTypeInContext(g.c, 0);
    g.access_kind = LLVMGetMDKindIDInContext(g.c, "llvm.access.group", 17);
    g.loop_kind = LLVMGetMDKindIDInContext(g.c, "llvm.loop", 9);
    LLVMMetadataRef tag = LLVMMDStringInContext2(g.c, "cldbg.access", 12);
    g.access = LLVMMDNodeInContext2(g.c, &tag, 1);
    declare(&g, l_name(f->fn), n);
    g.launch = LLVMGetParam(g.fn, n + 1);
    LLVMBasicBlockRef entry = nat_block(&g, "entry"), head = nat_block(&g, "groups"),
                      body = nat_block(&g, "group"), done = nat_block(&g, "return");
    g.group_end = nat_block(&g, "group_end");
    nat_allocate_slots(&g);
    arguments(&g, n);
    for (unsigned i = 0; i < NAT_FIELDS; i++) {
        LLVMValueRef at = nat_k64(&g, i);
        g.fields[i] =
            LLVMBuildLoad2(g.b, g.i64, LLVMBuildInBoundsGEP2(g.b, g.i64, g.launch, &at, 1, ""), "");
    }
    choose_blocks(&g, remarks);
    g.items = nat_k64(&g, items(&g));
    g.next = nat_variable(&g, g.i32, "next");
    g.all = nat_variable(&g, LLVMInt1TypeInContext(g.c), "all");
    make_checks(&g);
    nat_make_slots(&g);
    nat_continue_make(&g);
    LLVMBuildBr(g.b, head);

    nat_at_end(&g, head);
    LLVMValueRef number = LLVMBuildPhi(g.b, g.i64, "group"), first = LLVMGetParam(g.fn, n + 2);
    LLVMAddIncoming(number, &first, &entry, 1);
    LLVMBuildCondBr(g.b, LLVMBuildICmp(g.b, LLVMIntULT, number, LLVMGetParam(g.fn, n + 3), ""),
                    body, done);
    nat_at_end(&g, body);
    begin_group(&g, number);
    nat_begin_checks(&g);
    struct blocks blocks;
    open_blocks(&g, &blocks);
    g.heads = mem_alloc(w->nregions * sizeof *g.heads);
    for (unsigned r = 0; r < w->nregions; r++) g.heads[r] = nat_block(&g, "region");
    if (g.at) nat_continue_group(&g);
    else LLVMBuildBr(g.b, g.heads[0]);
    for (unsigned r = 0; r < w->nregions; r++) nat_region_loops(&g, &w->regions[r]);
    nat_at_end(&g, g.group_end);
    close_blocks(&g, &blocks);
    nat_end_checks(&g);
    LLVMValueRef up = LLVMBuildAdd(g.b, number, nat_k64(&g, 1), "");
    LLVMBasicBlockRef last = LLVMGetInsertBlock(g.b);
    LLVMAddIncoming(number, &up, &last, 1);
    nat_ordinary_loop(&g, LLVMBuildBr(g.b, head));
    nat_at_end(&g, done);
    LLVMBuildRetVoid(g.b);

    free(g.heads);
    free(g.slot);
    free(g.first);
    map_deinit(&g.hazards);
    map_deinit(&g.slot_of);
    map_deinit(&g.now);
    LLVMDisposeBuilder(g.b);
}
