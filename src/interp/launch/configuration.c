// SPDX-License-Identifier: MIT
// Chooses the code of a launch: the width of gangs, the number of groups per gang (work-group
// packing), the variant of the kernel (function specialization), and the checks in the code.
#include "interp/launch/configuration.h"

#include "interp/core/block_counts.h"
#include "interp/decode/code.h"
#include "interp/definedness/undef.h"
#include "interp/launch/packing.h"
#include "interp/launch/preconditions.h"
#include "interp/launch/run.h"
#include "interp/launch/shared_program.h"
#include "interp/vm.h"

enum {
    // Registers of 2 KiB: those of most kernels fit into L1, and the dispatch cost is spread over
    // many lanes. Gangs of 256 took a fifth to a half longer, also for grid and short kernels.
    GANG_LANES = 512,
    // For larger groups with barriers: with several gangs a barrier works lane by lane, which takes
    // 30 times as long as the barrier of one gang.
    BARRIER_LANES = VM_MAX_WIDTH,
    // For packed groups with barriers or local memory. Values that are uniform in a group vary in
    // the gang, which costs large groups more than they gain. The race check also does not
    // recognize patterns of more lanes.
    FORM_LANES = 256,
};

static const uint64_t MAX_PRIVATE_BYTES = 64 << 20; // of a gang; with more, gangs get narrower
static const uint64_t MAX_LOCAL_BYTES =
    256 << 10; // of a pack: more does not fit into the second-level cache

/** The bytes of all local memory of a group. */
static uint64_t local_size(const struct vm_launch *l)
{
    uint64_t n = l->kernel->local_size;
    for (uint32_t i = 0; i < l->kernel->nargs; i++)
        if (l->program->module->args[l->kernel->first_arg + i].kind == BC_ARG_LOCAL)
            n += l->args[vm_inherited(l) + i].local_size;
    return n;
}

/** The kernel or its packed variant, whichever can be packed; NULL: neither. */
static const struct bc_kernel *packing_variant(const struct vm_launch *l, uint32_t items)
{
    const struct bc_kernel *k = l->kernel->packed && items <= BC_VARIANT_ITEMS
                                    ? &l->program->module->kernels[l->kernel->packed]
                                    : l->kernel;
    return vm_program_packs(l->program, k) ? k : NULL;
}

/** Chooses the width of gangs, the number of groups per gang, and the variant of the kernel. */
static uint32_t lanes_for(const struct vm_launch *l, uint32_t items, uint64_t ngroups,
                          uint32_t *pack, const struct bc_kernel **kernel)
{
    *pack = 1;
    if (l->debugger || l->schedule) return 1;
    uint32_t most = l->gang                                        ? l->gang
                    : l->kernel->has_barrier && items > GANG_LANES ? BARRIER_LANES
                                                                   : GANG_LANES;
    if (vm_is_covered(l) && !l->gang && items > most) most = items; // one gang sees a group split
    if (most > VM_MAX_WIDTH) most = VM_MAX_WIDTH;
    while (most > VM_PAD && l->kernel->private_size * most > MAX_PRIVATE_BYTES) most /= 2;
    const struct bc_kernel *form = items <= most / 2 && ngroups > 1 ? packing_variant(l, items)
                                                                    : NULL;
    // the lanes of a wave are of one group, and instructions those of the kernel itself
    if (form && vm_is_profiled(l) && (form != l->kernel || items % l->coverage->model.simd_width))
        form = NULL;
    const uint64_t own = form && form != l->kernel ? local_size(l) : 0;
    uint64_t room = form && form != l->kernel && most > FORM_LANES && !l->gang ? FORM_LANES : most;
    if (own && room > MAX_LOCAL_BYTES / own * items) room = MAX_LOCAL_BYTES / own * items;
    if (form && items <= room / 2) *pack = vm_packing_size(items, ngroups, (uint32_t)room);
    if (*pack > 1) {
        *kernel = form;
        return *pack * items;
    }
    uint32_t unit = l->program->sub_groups && vm_sub_group_size(l) > VM_PAD ? vm_sub_group_size(l)
                                                                            : VM_PAD;
    if (vm_is_profiled(l)) {
        if (unit < l->coverage->model.simd_width) unit = l->coverage->model.simd_width;
        return ((items < most ? items : most) + unit - 1) / unit * unit;
    }
    if (l->gang) return l->program->sub_groups ? (most + unit - 1) / unit * unit : most;
    const uint32_t gangs = (items + most - 1) / most, each = (items + gangs - 1) / gangs;
    return (each + unit - 1) / unit * unit;
}

static bool wants(const struct vm_launch *l, enum vm_check check, enum rep_kind k)
{
    return l->checks & check && l->rep && rep_wants(l->rep, k);
}

/** The options of decoding: see enum vm_mode. */
static unsigned mode_of(const struct vm_launch *l)
{
    unsigned mode = wants(l, VM_CHECK_ARITH, REP_INVALID_CONVERSION) ? VM_CONVERSIONS : 0;
    if (l->debugger || l->schedule) mode |= VM_STEPPED;
    if (wants(l, VM_CHECK_BOUNDS, REP_SUBOBJECT_OVERFLOW)) mode |= VM_SUBOBJECTS;
    if (!wants(l, VM_CHECK_UNINIT, REP_UNINITIALIZED_READ)) return mode;
    mode |= VM_UNDEF_ON;
    if (l->program->copies_structs) mode |= VM_UNDEF_GLOBAL_READ | VM_UNDEF_GLOBAL_WRITE;
    for (uint32_t i = 0; i < vm_nargs(l); i++) {
        const struct bc_arg *a = vm_arg_decl(l, l->program->module, i);
        if (a->kind == BC_ARG_IMAGE && a->may_read && l->args[i].buffer.written)
            mode |= VM_UNDEF_IMAGE;
        if (a->kind != BC_ARG_BUFFER || !l->args[i].buffer.host || !l->args[i].buffer.written)
            continue;
        if (a->may_read) mode |= VM_UNDEF_GLOBAL_READ;
        mode |= VM_UNDEF_GLOBAL_WRITE;
    }
    for (uint32_t i = 0; i < l->nsvm; i++) // kernels may follow pointers there
        if (l->svm[i].written) mode |= VM_UNDEF_GLOBAL_READ | VM_UNDEF_GLOBAL_WRITE;
    return mode;
}

void vm_configure(struct vm_run *run, struct vm_launch *l)
{
    // (a specialized variant lacks branches, which would count as never reached)
    if (!vm_is_covered(l) && vm_preconditions_hold(l))
        l->kernel = &l->program->module->kernels[l->kernel->specialized];
    const uint32_t lanes =
        lanes_for(l, run->group_items, run->ngroups, &run->packed_groups, &l->kernel);
    run->npacks = (run->ngroups + run->packed_groups - 1) / run->packed_groups;
    run->code = vm_program_code(
        l->program, l->kernel, lanes,
        mode_of(l) | (run->packed_groups > 1 ? VM_PACKED : 0) | (run->counts ? VM_COUNTS : 0) |
            (vm_is_covered(l) ? VM_COVERAGE : 0) | (vm_is_profiled(l) ? VM_PROFILE : 0));
    run->gangs_per_group = (run->group_items * run->packed_groups + run->code->lanes - 1) /
                           run->code->lanes;
}
