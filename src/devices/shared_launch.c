// SPDX-License-Identifier: MIT
// A launch whose work-groups several ranks share (interp/launch/division.c). Messages:
//
//   rank r → its parent   the results of r and of all ranks below r in the tree, after their
//                         groups have ended
//   0 → rank r            MORE: send the next piece of the memory that you changed;
//                         or DROP: it is not needed
//   rank r → 0            a piece; an empty one is the last
//
// Rank 0 asks for one piece of ASK_AHEAD ranks at a time. So it needs memory for one result, or for
// so many pieces, whatever the number of ranks. If the launch cannot be divided, or the results
// cannot be united, rank 0 restores memory and runs all groups.
#include "devices/shared_launch.h"

#include "base/mem.h"
#include "base/serialize.h"
#include "devices/dev.h"
#include "devices/schedules.h"
#include "devices/snapshot.h"
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>

static const struct dev_ranks *ranks;
enum { MOST_RESULT = 1 << 30 }; // bytes
enum { ASK_AHEAD = 4 };         // hides the time that a rank needs to answer
struct traffic {
    uint64_t messages, bytes; // changed memory
};
static const char MORE[] = "more", DROP[] = "drop";

void dev_set_ranks(const struct dev_ranks *r) { ranks = r; }

static char *variable(void *program, uint32_t object) { return vm_program_object(program, object); }

static uint64_t hash_argument(const struct bc_arg *decl, const struct vm_arg *a, uint64_t h)
{
    const struct vm_buffer *const b = &a->buffer;
    if (decl->kind == BC_ARG_LOCAL) return hash_bytes(&a->local_size, sizeof a->local_size, h);
    if (decl->kind != BC_ARG_BUFFER && decl->kind != BC_ARG_IMAGE)
        return a->value ? hash_bytes(a->value, decl->kind == BC_ARG_SAMPLER ? 8 : decl->size, h)
                        : h;
    h = hash_bytes(&(uint64_t[]){b->root_size, b->offset, b->size, !b->host}, 4 * sizeof(uint64_t),
                   h);
    return b->host ? hash_memory(b->host, b->root_size, h) : h;
}

/** A hash of all that decides what a launch does: equal in all ranks, or they run different ones.
 */
static uint64_t identity_of(const struct vm_launch *l, const struct dev_snapshot *before)
{
    const struct bc_module *const m = vm_program_module(l->program);
    const struct dev_settings *const s = dev_settings();
    struct str module = {0};
    bc_encode(m, &module);
    uint64_t h = hash_bytes(module.data, module.len, sizeof(struct vm_stats));
    str_deinit(&module);
    h = hash_bytes(PACKAGE_VERSION, sizeof PACKAGE_VERSION, h);
    const uint64_t numbers[] = {(uint64_t)(l->kernel - m->kernels),
                                l->dims,
                                l->checks,
                                l->sub_group,
                                l->gang,
                                l->livelock_limit,
                                s->coverage,
                                s->profile,
                                s->statistics};
    h = hash_bytes(numbers, sizeof numbers, h);
    h = hash_bytes(l->global, sizeof l->global, h);
    h = hash_bytes(l->local, sizeof l->local, h);
    h = hash_bytes(l->offset, sizeof l->offset, h);
    for (uint32_t i = 0; i < l->kernel->nargs; i++)
        h = hash_argument(&m->args[l->kernel->first_arg + i], &l->args[i], h);
    return dev_snapshot_hash(before, h);
}

/** Another rank: sends its result, and what it changed. */
static void send_result(const struct vm_division *d, const struct dev_snapshot *before)
{
    struct dev_changes changes = {.before = before, .division = d};
    size_t n;
    ranks->send((int)vm_division_parent(d->part), d->result.data, d->result.len);
    for (bool more = true; more;) {
        char *const word = ranks->receive(0, &n);
        more = word && n == sizeof MORE && !memcmp(word, MORE, n);
        free(word);
        if (!more) break;
        struct str piece = {0};
        more = dev_changes_next(&changes, &piece);
        ranks->send(0, piece.data, piece.len);
        str_deinit(&piece);
    }
}

static void ask(int rank)
{
    if (rank < ranks->size) ranks->send(rank, MORE, sizeof MORE);
}

/** Rank 0: makes the changes of another rank, which has been asked for the first piece. */
static struct err *take_changes(int rank, const struct dev_changes *to, struct traffic *t)
{
    for (size_t n = 1; n;) {
        char *const piece = ranks->receive(rank, &n);
        if (n) ask(rank);
        struct ser_reader in = {.at = piece, .end = piece + n};
        const bool ok = piece && dev_changes_make(to, &in);
        free(piece);
        if (!ok) return err_new("rank %d was lost while it sent its part of the memory", rank);
        t->bytes += n;
        t->messages++;
    }
    return NULL;
}

static struct err *take_memory(struct vm_division *d, const struct dev_snapshot *before,
                               struct traffic *t)
{
    const struct dev_changes to = {.before = before, .division = d};
    struct err *e = NULL;
    for (int r = 1; r <= ASK_AHEAD; r++) ask(r);
    for (int r = 1; r < ranks->size && !e; r++) {
        e = take_changes(r, &to, t);
        ask(r + ASK_AHEAD);
    }
    dev_changes_end(&to);
    return e;
}

static void drop_others(void)
{
    for (int r = 1; r < ranks->size; r++) ranks->send(r, DROP, sizeof DROP);
}

static void say_cost(FILE *out, const char *name, const struct vm_division_cost *c,
                     const struct traffic *t)
{
    fprintf(out,
            "cldbg: the work-groups of kernel '%s' ran on %d ranks\n"
            "cldbg: results of ranks: %" PRIu64 " messages, %" PRIu64 " bytes, the largest %" PRIu64
            "; memory for results on one rank: at most %" PRIu64 " bytes\n"
            "cldbg: changed memory: %" PRIu64 " messages, %" PRIu64 " bytes\n",
            name, ranks->size, c->messages, c->bytes, c->largest, c->memory, t->messages, t->bytes);
}

static void say(const struct vm_launch *l, const struct vm_division *d, const struct traffic *t)
{
    const char *const name = bc_str(vm_program_module(l->program), l->kernel->name);
    FILE *const out = dev_report_out();
    if (d->why.len)
        fprintf(out, "cldbg: rank 0 runs all work-groups of kernel '%s': %s\n", name,
                str_text(&d->why));
    else if (dev_settings()->verbose) say_cost(out, name, &d->cost, t);
}

/** Rank 0, when its part has ended. */
static struct err *unite(const struct vm_launch *l, struct vm_stats *st, struct vm_division *d,
                         const struct dev_snapshot *before)
{
    struct err *e = NULL;
    struct traffic t = {0};
    if (d->is_divided && !d->why.len) e = take_memory(d, before, &t);
    drop_others();
    if (!e) say(l, d, &t);
    if (e || !d->is_divided || !d->why.len) return e;
    dev_snapshot_restore(before);
    return vm_run(l, st);
}

static char *receive(void *ctx, unsigned part, size_t *n)
{
    (void)ctx;
    return ranks->receive((int)part, n);
}

/** A launch that rank 0 runs in several orders: a capture can ask for that. */
static struct err *run_schedules(const struct vm_launch *l, struct vm_stats *st)
{
    struct vm_division d = {0};
    if (ranks->rank) return NULL;
    str_put(&d.why, "--schedules needs one process");
    say(l, &d, NULL);
    str_deinit(&d.why);
    return dev_run_schedules(l, st);
}

struct err *dev_run_shared(const struct vm_launch *l, struct vm_stats *st)
{
    const struct dev_settings *const s = dev_settings();
    if (!ranks) return dev_run_schedules(l, st);
    if (s->schedules > 1 || s->schedule) return run_schedules(l, st);
    struct dev_snapshot *const before =
        dev_snapshot_take(l, vm_program_module(l->program), variable, l->program);
    if (!before) return err_new("no memory for a copy of what the launch may write");
    struct vm_division d = {.part = (unsigned)ranks->rank,
                            .parts = (unsigned)ranks->size,
                            .identity = identity_of(l, before),
                            .receive = receive};
    struct vm_launch v = *l;
    v.division = &d;
    struct err *e = vm_run(&v, st);
    if (!e && !ranks->rank) e = unite(l, st, &d, before);
    else if (!ranks->rank) drop_others();
    else if (!e && d.result.len > MOST_RESULT) e = err_new("its result is too large for a message");
    else if (!e) send_result(&d, before);
    str_deinit(&d.why);
    str_deinit(&d.result);
    vec_free(&d.reduced);
    dev_snapshot_free(before);
    return e;
}
