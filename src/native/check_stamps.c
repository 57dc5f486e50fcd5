// SPDX-License-Identifier: MIT
// Race checks by stamps: each cell of an object remembers the last work-item that wrote it, and the
// one that read it (native/abi.h).
//
// Buffers: any two work-items may race, whatever barriers they pass, so an access is anomalous if
// the cell was written, or (for a write) read, by another work-item. Each thread has its own
// shadow, and the caller compares them at the end.
//
// Local memory: two work-items of the group race if they access a cell in the same barrier
// interval. The stamp of an interval is unique in the launch: the number of the group, and how many
// barriers with a fence of local memory came before. A read is anomalous, too, if the group has
// not written the cell.
//
// Shadow accesses are volatile: they happen in the order of the work-items, which no vectorization
// may change.
#include "native/checks.h"

enum { MOST_BARRIERS = 32, LOCAL_FENCE = 1 };

struct cell {
    LLVMTypeRef type;
    LLVMValueRef writer, reader; // addresses
    LLVMValueRef written_by, read_by;
    LLVMValueRef launch; // buffers: the first stamp of the launch
};

/** The first byte of the cells of an automatic local variable in the shadow. */
static uint64_t place_of(struct nat_checking *x, LLVMValueRef variable)
{
    bool is_new;
    uint64_t *at = map_put_ptr(&x->local_at, variable, &is_new);
    if (is_new) *at = (uint64_t)x->shadow_bytes + 1;
    if (is_new)
        x->shadow_bytes += l_size(x->m, LLVMGlobalGetValueType(variable)) * 16 / x->local_cell + 16;
    return *at - 1;
}

static struct cell cell_at(struct nat_checking *x, const struct nat_checked_access *a, unsigned n)
{
    const bool is_local = a->space == 3;
    struct cell c = {.type = is_local ? x->i64 : x->i32};
    const uint64_t bytes = is_local ? 16 : 8,
                   start = (a->argument >= 0 ? 0 : place_of(x, a->base)) + n * bytes;
    c.writer = nat_shadow_at(x, a, bytes, start);
    c.reader = nat_shadow_at(x, a, bytes, start + bytes / 2);
    c.written_by = LLVMBuildLoad2(x->b, c.type, c.writer, "");
    c.read_by = LLVMBuildLoad2(x->b, c.type, c.reader, "");
    if (!is_local)
        c.launch =
            LLVMBuildTrunc(x->b, nat_check_call(x, NAT_LAUNCH_STAMP, x->i64, NULL), x->i32, "");
    LLVMSetVolatile(c.written_by, true);
    LLVMSetVolatile(c.read_by, true);
    return c;
}

static void set(struct nat_checking *x, LLVMValueRef at, LLVMValueRef stamp)
{
    LLVMSetVolatile(LLVMBuildStore(x->b, stamp, at), true);
}

static LLVMValueRef is(struct nat_checking *x, LLVMIntPredicate p, LLVMValueRef a, LLVMValueRef b)
{
    return LLVMBuildICmp(x->b, p, a, b, "");
}

/** The cell is unmarked, or marked by this work-item, or (local memory) in another interval. */
static LLVMValueRef is_mine(struct nat_checking *x, const struct cell *c, LLVMValueRef mark,
                            LLVMValueRef me)
{
    if (c->launch)
        return LLVMBuildOr(x->b, is(x, LLVMIntEQ, mark, me), is(x, LLVMIntULT, mark, c->launch),
                           "");
    LLVMValueRef differs = LLVMBuildSub(x->b, LLVMBuildXor(x->b, mark, me, ""), nat_k(x, 1), "");
    return is(x, LLVMIntUGE, differs, nat_k(x, (1 << NAT_INTERVAL_SHIFT) - 1));
}

static void stamp_read(struct nat_checking *x, const struct cell *c, LLVMValueRef me)
{
    LLVMValueRef many = c->launch ? c->launch : LLVMBuildOr(x->b, me, nat_k(x, NAT_MANY_LOCAL), "");
    nat_check_that(x, is_mine(x, c, c->written_by, me));
    if (!c->launch)
        nat_check_that(
            x, is(x, LLVMIntUGE, c->written_by, nat_check_call(x, NAT_GROUP_STAMP, x->i64, NULL)));
    set(x, c->reader, LLVMBuildSelect(x->b, is_mine(x, c, c->read_by, me), me, many, ""));
}

static void stamp_write(struct nat_checking *x, const struct cell *c, LLVMValueRef me)
{
    nat_check_that(x, is_mine(x, c, c->written_by, me));
    nat_check_that(x, is_mine(x, c, c->read_by, me));
    set(x, c->writer, me);
}

void nat_check_stamps(struct nat_checking *x, const struct nat_checked_access *a)
{
    const bool is_local = a->space == 3;
    const char *const id = is_local ? "get_local_linear_id" : "get_global_linear_id";
    LLVMValueRef me =
        LLVMBuildAdd(x->b, nat_check_call(x, id, x->i64, NULL),
                     is_local ? LLVMBuildLoad2(x->b, x->i64, x->interval, "") : nat_k(x, 1), "");
    LLVMValueRef low = LLVMBuildTrunc(x->b, me, x->i32, "");
    for (unsigned n = 0; n < nat_cells_of(x, a); n++) {
        const struct cell c = cell_at(x, a, n);
        LLVMValueRef own = is_local ? me : LLVMBuildAdd(x->b, low, c.launch, "");
        if (a->reads) stamp_read(x, &c, own);
        if (a->writes) stamp_write(x, &c, own);
    }
}

// The stamp of the current interval is a private variable, which barriers advance.
struct err *nat_make_intervals(struct nat_checking *x)
{
    LLVMPositionBuilderBefore(x->b, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(x->kernel)));
    x->interval = LLVMBuildAlloca(x->b, x->i64, "interval");
    LLVMBuildStore(x->b, nat_check_call(x, NAT_GROUP_STAMP, x->i64, NULL), x->interval);
    unsigned n = 0;
    l_each_block(x->kernel, b)
        l_each_insn(b, i) {
            if (!LLVMIsACallInst(i) || rg_barrier_of(i) == RG_NO_BARRIER) continue;
            LLVMValueRef flags = LLVMGetOperand(i, 0);
            if (rg_barrier_of(i) != RG_WORK_GROUP_BARRIER || !LLVMIsAConstantInt(flags) ||
                ++n > MOST_BARRIERS) // of one iteration: native/abi.h
                return err_new("it has barriers that are not checked");
            if (!(LLVMConstIntGetZExtValue(flags) & LOCAL_FENCE)) continue;
            LLVMPositionBuilderBefore(x->b, LLVMGetNextInstruction(i));
            LLVMValueRef now = LLVMBuildLoad2(x->b, x->i64, x->interval, "");
            now = LLVMBuildAdd(x->b, now, nat_k(x, 1 << NAT_INTERVAL_SHIFT), "");
            LLVMBuildStore(x->b, now, x->interval);
        }
    return NULL;
}
