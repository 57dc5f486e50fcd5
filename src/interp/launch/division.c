// SPDX-License-Identifier: MIT
// Launches that several processes share. Each process runs a contiguous range of the work-groups as
// if the others did not exist. The results then meet in a binomial tree (vm_division_parent): each
// part adds the results of its children to its own, as those of one more worker: faults, races,
// statistics, counts of coverage, and the bytes that they accessed. Equal faults and races are
// united on the way, and intervals are bounded, so a result does not grow with the number of parts
// beyond that. A part has one result of a child in memory at a time.
//
// That gives the results of one process if no group of a part depends on a group of another:
//
// - The parts conflict on no byte of global memory (race_uses_add). So no group has read what
//   another part wrote, and no race is between groups of two parts.
// - Atomics on global memory are of one commutative operation, their results are unused, and
//   nothing else accesses their buffers: the condition of privatized_reduction.c.
// - Nothing depends on the order of groups: no printf, no limit of instructions for the launch.
//
// Some of this is known before the launch (why_undivided), some only afterwards (why_apart). Then
// part 0 has nothing to report, and its caller runs the launch again in one process. It does so,
// too, if a part met something that cannot be added, such as a livelock, which ends a launch.
#include "interp/launch/division.h"

#include "base/mem.h"
#include "base/serialize.h"
#include "interp/core/block_counts.h"
#include "interp/core/fault.h"
#include "interp/core/last_writers.h"
#include "interp/decode/code.h"
#include "interp/launch/privatized_reduction.h"
#include "interp/launch/run.h"
#include "interp/launch/worker.h"
#include "interp/vm.h"

#include <stdlib.h>

// ---- before the launch

static bool has_race_check(const struct vm_launch *l)
{
    return l->checks & VM_CHECK_RACES && l->rep &&
           (rep_wants(l->rep, REP_DATA_RACE) || rep_wants(l->rep, REP_MISSING_FENCE) ||
            rep_wants(l->rep, REP_SAME_VALUE_RACE));
}

/** Notes the buffers that only atomics access. False: some cannot be reduced. */
static bool find_reduced(struct vm_run *run, struct vm_division *d)
{
    const struct vm_launch *const l = run->l;
    const struct vm_code *const c = run->code;
    if (!c->privatized.elem || c->privatized.refused || l->nsvm) return false;
    d->op = c->privatized.op;
    d->elem = c->privatized.elem;
    for (uint32_t i = 0; i < l->kernel->nargs; i++) {
        const struct bc_arg *const a = &c->module->args[l->kernel->first_arg + i];
        const struct vm_buffer *const b = &l->args[i].buffer;
        if (a->kind != BC_ARG_BUFFER || !a->only_atomics || !a->may_write || !b->host) continue;
        if (!vm_only_atomics(run, b->root)) continue; // atomics are in the race check's shadow
        if (run->objects[c->module->nobjects + 1 + i].shadow && vm_lacks_bytes(b->written))
            return false;
        vec_push(&d->reduced, b->root);
    }
    return true;
}

static bool has_pipes(const struct vm_run *run)
{
    const struct bc_kernel *const k = run->l->kernel;
    for (uint32_t i = 0; i < k->nargs; i++)
        if (run->code->module->args[k->first_arg + i].is_pipe) return true;
    return false;
}

/** Why one process has to run all groups; NULL: they can be divided. */
static const char *why_undivided(struct vm_run *run)
{
    const struct vm_launch *const l = run->l;
    const struct vm_code *const c = run->code;
    if (run->ngroups < 2) return "it has one work-group";
    if (l->kernel->enqueues || l->root) return "it enqueues kernels";
    if (l->kernel->uses_printf) return "printf writes in the order of the work-groups";
    if (has_pipes(run)) return "it uses pipes";
    if (c->synchronizes) return "its work-groups can synchronize through atomics";
    if (c->global_atomics && !find_reduced(run, run->l->division))
        return "it uses results of atomics, several kinds of them, or atomics on memory that is "
               "not initialized";
    if (l->instruction_limit)
        return "--instruction-limit counts the instructions of all work-groups";
    if (!has_race_check(l))
        return "races are not checked, so conflicts of ranks would not be found";
    if (l->coverage && l->coverage->barriers)
        return "--advise needs the barriers of all work-groups";
    return NULL;
}

static void note_finding(void *ctx, const struct rep_finding *f)
{
    (void)f;
    __atomic_store_n(&((struct vm_run *)ctx)->found, true, __ATOMIC_RELAXED);
}

/** Contiguous ranges: of the parts, and in a part of its workers. */
static void set_shares(struct vm_run *run)
{
    const struct vm_division *const d = run->division;
    const uint64_t first = (uint64_t)((unsigned __int128)run->npacks * d->part / d->parts),
                   end = (uint64_t)((unsigned __int128)run->npacks * (d->part + 1) / d->parts);
    for (unsigned i = 0; i < run->nworkers; i++) {
        run->workers[i].share.next = first + (end - first) * i / run->nworkers;
        run->workers[i].share.end = first + (end - first) * (i + 1) / run->nworkers;
    }
}

/** Begins the result. d->why: why it cannot be added. */
static void put_head(struct vm_division *d)
{
    ser_put_u64(&d->result, d->identity);
    ser_put(&d->result, &d->cost, sizeof d->cost);
    ser_put_u64(&d->result, d->why.len);
    ser_put(&d->result, str_text(&d->why), d->why.len);
}

/** Notes why this part prevents a division. */
static void note_why(struct vm_division *d, const char *why)
{
    if (d->part) str_printf(&d->why, "on rank %u: ", d->part);
    str_put(&d->why, why);
}

bool vm_division_begin(struct vm_run *run)
{
    struct vm_division *const d = run->l->division;
    const char *const why = why_undivided(run);
    if (why) note_why(d, why);
    if (why && d->part) put_head(d);
    if (why) return !d->part;
    d->is_divided = true;
    run->division = d;
    run->chk.rep = NULL; // what is found while groups run may have to be found again
    run->chk.on_finding = note_finding;
    run->chk.on_finding_ctx = run;
    set_shares(run);
    return true;
}

// ---- after the launch

/** Why the results of this part cannot be added to others; NULL: they can. */
static const char *why_apart(const struct vm_run *run, const struct race_uses *uses)
{
    const bool stopped = atomic_load(&run->stopped);
    bool faults = false;
    for (uint32_t i = 0; i < run->nobjects; i++)
        if (run->chk.stored_undefined[i]) return "undefined values were stored to global memory";
    for (unsigned i = 0; i < run->nworkers; i++) {
        if (run->workers[i].failure) return err_message(run->workers[i].failure);
        faults |= run->workers[i].fault_list != NULL;
    }
    if (stopped || run->found) return "an error was found that can depend on other work-groups";
    if (faults && run->division->reduced.len) return "errors were found in a kernel with atomics";
    if (!run->race) return NULL;
    if (race_launch_was_cut(run->race)) return "the race check was not completed";
    if (race_was_refined(run->race)) return "it accesses elements of different sizes in a buffer";
    if (race_uses_atomics(uses)) return "memory is accessed both by atomics and otherwise";
    return NULL;
}

/** The example of a record, with the numbers of its instruction. */
struct fault_form {
    struct vm_fault_record r;
    uint32_t fn, insn; // fn: UINT32_MAX: it has none
};

static struct fault_form form_of(const struct vm_run *run, const struct vm_fault_record *r)
{
    struct fault_form f = {.r = *r, .fn = UINT32_MAX};
    const struct bc_module *const m = run->code->module;
    const struct bc_insn *const insn = r->run.fault.insn;
    for (uint32_t i = 0; i < m->nfns && insn; i++) {
        if (insn < m->fns[i].insns || insn >= m->fns[i].insns + m->fns[i].ninsns) continue;
        f.fn = i;
        f.insn = (uint32_t)(insn - m->fns[i].insns);
    }
    f.r.next = NULL;
    f.r.run.fault.insn = NULL;
    f.r.groups = f.r.bytes = (struct bits){0};
    return f;
}

static void put_faults(const struct vm_run *run, const struct vm_worker *w, struct str *out)
{
    uint64_t n = 0;
    for (const struct vm_fault_record *r = w->fault_list; r; r = r->next) n++;
    ser_put_u64(out, n);
    for (const struct vm_fault_record *r = w->fault_list; r; r = r->next) {
        const struct fault_form f = form_of(run, r);
        ser_put(out, &f, sizeof f);
        ser_put_bits(out, &r->groups);
        ser_put_bits(out, &r->bytes);
    }
}

static bool has_valid_writers(const struct vm_run *run, const struct chk_writers *w)
{
    bool is_valid = w->n <= CHK_MOST_ELEMENTS;
    for (uint32_t i = 0; is_valid && i < w->n; i++)
        is_valid = (unsigned)w->of[i].by <= CHK_MIXED && w->of[i].item.group < run->ngroups &&
                   w->of[i].item.item < run->group_items;
    return is_valid;
}

/** The object of an access is what its pointer says: with a forged pointer, any number. */
static bool has_valid_object(const struct vm_run *run, const struct chk_fault *f)
{
    return f->kind < CHK_UNDEF_BRANCH || f->object < run->nobjects;
}

static bool is_valid(const struct vm_run *run, const struct fault_form *f)
{
    const struct bc_module *const m = run->code->module;
    if (f->fn != UINT32_MAX && (f->fn >= m->nfns || f->insn >= m->fns[f->fn].ninsns)) return false;
    for (unsigned i = 0; i < CHK_MAX_CALLS; i++)
        if (f->r.calls[i] >= m->nlocs) return false;
    return f->r.ncalls <= CHK_MAX_CALLS && has_valid_object(run, &f->r.run.fault) &&
           f->r.run.fault.site < m->nsites && has_valid_writers(run, &f->r.writers);
}

static void take_faults(struct vm_run *run, struct vm_worker *w, struct ser_reader *in)
{
    for (uint64_t n = ser_get_count(in, sizeof(struct fault_form)); n; n--) {
        struct fault_form f;
        ser_get(in, &f, sizeof f);
        in->is_bad |= !is_valid(run, &f);
        if (in->is_bad) return;
        if (f.fn != UINT32_MAX) f.r.run.fault.insn = &run->code->module->fns[f.fn].insns[f.insn];
        f.r.groups = f.r.bytes = (struct bits){0};
        ser_get_bits(in, &f.r.groups);
        ser_get_bits(in, &f.r.bytes);
        vm_fault_add(w, &f.r);
        bits_deinit(&f.r.groups);
        bits_deinit(&f.r.bytes);
    }
}

static void put_result(struct vm_run *run, const struct race_uses *uses, struct str *out)
{
    ser_put_u64(out, run->nworkers);
    for (unsigned i = 0; i < run->nworkers; i++) {
        ser_put(out, &run->workers[i].stats, sizeof run->workers[i].stats);
        put_faults(run, &run->workers[i], out);
        vm_counts_put(&run->workers[i], out);
    }
    if (!run->race) return;
    race_uses_put(uses, out);
    race_launch_put(run->race, out);
}

/** The worker for the results of other parts. */
static struct vm_worker *others_of(struct vm_run *run)
{
    struct vm_worker *const w = &run->workers[run->nworkers];
    w->run = run;
    w->index = run->nworkers;
    pthread_mutex_init(&w->share.lock, NULL);
    vm_counts_begin(w);
    run->nworkers++;
    return w;
}

/** Adds what follows the head of a result. False: the launch has to run in one process. */
static bool add_result(struct vm_run *run, struct vm_worker *to, struct race_uses *uses,
                       struct ser_reader *in)
{
    struct str *const why = &run->division->why;
    unsigned object = 0;
    for (uint64_t n = ser_get_count(in, sizeof(struct vm_stats)); n; n--) {
        struct vm_stats st;
        ser_get(in, &st, sizeof st);
        vm_stats_add(&to->stats, &st);
        take_faults(run, to, in);
        vm_counts_take(to, in);
    }
    const bool is_apart = !run->race || race_uses_add(uses, in, &object);
    if (is_apart && run->race) race_launch_take(run->race, in);
    if (!is_apart && !in->is_bad) {
        const char *const name = run->names[object].name;
        str_printf(why, "work-groups of different ranks access the same bytes of %s%s%s",
                   name ? "'" : "a buffer", name ? name : "", name ? "'" : "");
    }
    return is_apart && !in->is_bad;
}

static void add_cost(struct vm_division_cost *c, const struct vm_division_cost *theirs, uint64_t n)
{
    c->messages += 1 + theirs->messages;
    c->bytes += n + theirs->bytes;
    if (theirs->largest > c->largest) c->largest = theirs->largest;
    if (n > c->largest) c->largest = n;
    if (theirs->memory > c->memory) c->memory = theirs->memory;
}

/** The memory for the results of this part: with one of a child, or with its own. */
static void note_memory(struct vm_division_cost *c, const struct race_uses *uses, uint64_t result)
{
    const uint64_t memory = result + (uses ? race_uses_bytes(uses) : 0);
    if (memory > c->memory) c->memory = memory;
}

/** The result of a child, which has those of its own children. */
static bool take_part(struct vm_run *run, struct vm_worker *to, struct race_uses *uses,
                      unsigned part)
{
    struct vm_division *const d = run->division;
    size_t n = 0;
    char *const data = d->receive(d->ctx, part, &n);
    if (!data) {
        str_printf(&d->why, "rank %u is lost", part);
        return false;
    }
    struct ser_reader in = {.at = data, .end = data + n};
    const uint64_t identity = ser_get_u64(&in);
    struct vm_division_cost theirs;
    ser_get(&in, &theirs, sizeof theirs);
    const uint64_t len = ser_get_count(&in, 1);
    if (in.is_bad || identity != d->identity)
        str_printf(&d->why, "rank %u has another program, other options or other data", part);
    else if (len) str_printf(&d->why, "%.*s", (int)len, in.at);
    const bool ok = !d->why.len && add_result(run, to, uses, &in);
    if (!ok && !d->why.len) str_printf(&d->why, "the result of rank %u is damaged", part);
    add_cost(&d->cost, &theirs, n);
    note_memory(&d->cost, uses, n);
    free(data);
    return ok;
}

/** Those of a part that it has not got are not needed: one process runs the launch. */
static void take_children(struct vm_run *run, struct race_uses *uses)
{
    struct vm_division *const d = run->division;
    struct vm_worker *const others = others_of(run);
    bool ok = true;
    for (unsigned p = d->part + 1; p < d->parts && ok; p = d->part + 2 * (p - d->part)) {
        if (vm_division_parent(p) != d->part) break;
        ok = take_part(run, others, uses, p);
    }
}

/** Reports show the last writers of memory around errors: this part knows its own ones only. */
static bool needs_writers(const struct vm_run *run)
{
    for (unsigned i = 0; i < run->nworkers; i++)
        for (const struct vm_fault_record *r = run->workers[i].fault_list; r; r = r->next)
            if (vm_writers_may_be_elsewhere(run, r)) return true;
    return false;
}

static void give_result(struct vm_run *run, const struct race_uses *uses)
{
    struct vm_division *const d = run->division;
    struct str result = {0};
    if (!d->why.len) put_result(run, uses, &result);
    note_memory(&d->cost, uses, result.len);
    put_head(d);
    ser_put(&d->result, result.data, result.len);
    str_deinit(&result);
}

bool vm_division_meet(struct vm_run *run)
{
    struct vm_division *const d = run->division;
    struct race_uses *const uses = run->race ? race_uses_of(run->race) : NULL;
    const bool is_canceled = atomic_load(&run->stopped) == VM_STOP_CANCEL;
    const char *const why = why_apart(run, uses);
    const bool is_over = !d->part && is_canceled; // by the user: reports what this part has found
    if (why && !is_over) note_why(d, why);
    if (!why && !is_over) take_children(run, uses);
    if (!d->part && !is_over && !d->why.len && needs_writers(run))
        str_put(&d->why, "the report shows the last writers of global memory around errors");
    if (d->part) give_result(run, uses);
    race_uses_destroy(uses);
    run->chk.rep = run->l->rep;
    run->chk.on_finding = NULL;
    return !d->part && !d->why.len;
}
