// SPDX-License-Identifier: MIT
// A repeated launch runs in a thread of its own, so that it can stay at its end while its past is
// searched by the thread of the stopped launch. Only one of the threads runs at a time: the opener
// waits until the launch is at its end or canceled, and its end waits until it is closed.
#include "debug/history/repeated_launch.h"

#include "base/mem.h"
#include "base/serialize.h"
#include "base/own_thread.h"
#include "bytecode/dependence.h"
#include "debug/history/launch_context.h"
#include "debug/session/focus.h"
#include "debug/session/session.h"
#include "debug/session/session_settings.h"
#include "interp/launch/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    BYTES_OF_ITEM = 256, // copies of more memory would take longer than a short launch
    BYTES_ANYWAY = 1 << 20,
    MOST_REPEATED = 32 // at a time: each holds its memory
};

struct content { // shared by the launches that began with it
    unsigned users;
    uint64_t size;
    char *bytes;
};
struct input { // a root allocation
    const char *host;
    uint64_t size;
    struct content *data, *flags; // flags: which bytes were written, or NULL
    struct vm_written written;
};
struct place_range {
    uint64_t place, size;
};
struct kept {
    uint64_t number, clock;
    bool is_complete;  // it can be run again
    bool is_recorded;  // its writes are in earlier_writes.c
    bool is_brief;     // its memory is too large to be kept after the launch
    bool shows_order;  // unrecorded: its atomics may make the order of work-items observable; then:
    uint64_t contents; // a hash of what it left
    bool differs;      // run again, it left something else
    VEC(struct place_range) writes; // what it may write
    const struct bc_module *m;      // NULL: it was freed
    uint32_t nargs;
    struct vm_launch l;
    struct vm_arg *args;
    struct vm_buffer *svm;
    VEC(struct input) inputs;
};
enum state { STARTING, AT_END, CLOSING, ENDED };
struct dbg_repeated {
    struct kept *of;
    enum state state;
    bool has_history;
    struct vm_group *group;
    struct vm_launch l;
    struct vm_arg *args;
    struct vm_buffer *svm;
    char **storage; // by object of the module
    char **memory;  // by input
    struct vm_written *written;
    struct dbg_launch_context *context;
    struct dbg_repeated *outside; // while it is entered
};

static VEC(struct kept *) kept; // in order
static VEC(struct dbg_repeated *) repeated;
static struct dbg_repeated *opening, *inside; // inside: the entered one
static uint64_t kept_bytes;
static bool dropped;                 // some launches are no longer in `kept`
static VEC(struct place_range) lost; // what the unrecorded ones of these may have written
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

// ---- keeping
static void put_content(struct content *c)
{
    if (!c || --c->users) return;
    kept_bytes -= c->size;
    free(c->bytes);
    free(c);
}

/** The contents, which an earlier launch may have kept of the same memory. */
static struct content *get_content(const struct content *earlier, const char *from, uint64_t size)
{
    if (earlier && earlier->size == size && !memcmp(earlier->bytes, from, size)) {
        ((struct content *)earlier)->users++;
        return (struct content *)earlier;
    }
    struct content *c = mem_alloc(sizeof *c);
    *c = (struct content){1, size, mem_try_alloc(size ? size : 1, 64)};
    if (!c->bytes) {
        free(c);
        return NULL;
    }
    memcpy(c->bytes, from, size);
    kept_bytes += size;
    return c;
}

static void drop_inputs(struct kept *k)
{
    for (size_t i = 0; i < k->inputs.len; i++) {
        put_content(k->inputs.data[i].data);
        put_content(k->inputs.data[i].flags);
    }
    vec_free(&k->inputs);
    k->is_complete = false;
}

static void destroy(struct kept *k)
{
    drop_inputs(k);
    vec_free(&k->writes);
    for (uint32_t i = 0; i < k->nargs; i++) free((void *)k->args[i].value);
    free(k->args);
    free(k->svm);
    free(k);
}

static struct input *input_of(struct kept *k, const void *host)
{
    for (size_t i = 0; i < k->inputs.len; i++)
        if (k->inputs.data[i].host == host) return &k->inputs.data[i];
    return NULL;
}

/** The input of the last launch that had one with this memory. */
static const struct input *last_input(const void *host)
{
    enum { FAR = 8 };
    for (size_t i = kept.len; i-- > 0 && kept.len - i < FAR;) {
        const struct input *x = input_of(kept.data[i], host);
        if (x) return x;
    }
    return NULL;
}

static bool keep_input(struct kept *k, const struct vm_buffer *b)
{
    if (!b->host || input_of(k, b->host)) return true;
    const struct input *was = last_input(b->host);
    struct input x = {.host = b->host, .size = b->root_size};
    if (!(x.data = get_content(was ? was->data : NULL, b->host, b->root_size))) return false;
    if (vm_lacks_bytes(b->written)) {
        x.written = *b->written;
        x.flags =
            get_content(was ? was->flags : NULL, (const char *)b->written->bytes, b->root_size);
        if (!x.flags) {
            put_content(x.data);
            return false;
        }
    }
    vec_push(&k->inputs, x);
    return true;
}

static uint64_t size_of_value(const struct bc_arg *a)
{
    return a->kind == BC_ARG_SAMPLER ? sizeof(uint64_t) : a->size;
}

static bool is_memory(const struct bc_arg *a)
{
    return a->kind == BC_ARG_BUFFER || a->kind == BC_ARG_IMAGE;
}

/** Is it a program-scope variable? */
static bool is_variable(const struct bc_module *m, uint32_t object)
{
    return m->objects[object].kind == BC_OBJ_PROGRAM;
}

/** The bytes of all memory that decides what the launch does. */
static uint64_t bytes_of(const struct vm_launch *l, const struct bc_module *m)
{
    const struct bc_arg *const decl = m->args + l->kernel->first_arg;
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < m->nobjects; i++)
        if (is_variable(m, i)) bytes += m->objects[i].size;
    for (uint32_t i = 0; i < l->nsvm; i++) bytes += l->svm[i].root_size;
    for (uint32_t i = 0; i < l->kernel->nargs; i++)
        if (is_memory(&decl[i]) && l->args[i].buffer.host) bytes += l->args[i].buffer.root_size;
    return bytes;
}

/** Does copying so many bytes take less time than the launch? */
static bool is_small(const struct vm_launch *l, uint64_t bytes)
{
    return bytes <= BYTES_ANYWAY + BYTES_OF_ITEM * l->global[0] * l->global[1] * l->global[2];
}

/** Can a copy stay after the launch? */
static bool fits(uint64_t bytes) { return bytes <= dbg_settings.history_limit / 4; }

static bool is_in(const struct place_range *r, uint64_t place)
{
    return place - r->place < r->size;
}

static void note_lost(const struct kept *k)
{
    for (size_t i = 0; i < k->writes.len && !k->is_recorded; i++) {
        const struct place_range r = k->writes.data[i];
        bool is_new = true;
        for (size_t j = 0; j < lost.len; j++)
            is_new &= lost.data[j].place != r.place || lost.data[j].size < r.size;
        if (is_new) vec_push(&lost, r);
    }
}

static void keep_in_bounds(void)
{
    size_t n = 0;
    while (n + 1 < kept.len && (kept_bytes > dbg_settings.history_limit / 2 || kept.len - n > 4096))
        note_lost(kept.data[n]), destroy(kept.data[n++]);
    memmove(kept.data, kept.data + n, (kept.len - n) * sizeof *kept.data);
    kept.len -= n;
    dropped |= n != 0;
}

/** Shared virtual memory, and program-scope variables. */
static bool keep_shared(struct kept *k)
{
    const struct bc_module *m = k->m;
    bool ok = true;
    for (uint32_t i = 0; i < k->l.nsvm && ok; i++) ok = keep_input(k, &k->svm[i]);
    for (uint32_t i = 0; i < m->nobjects && ok; i++)
        if (is_variable(m, i))
            ok = keep_input(k, &(struct vm_buffer){.host = vm_program_object(k->l.program, i),
                                                   .root_size = m->objects[i].size});
    return ok;
}

/** What it may write, except shared virtual memory and program-scope variables. */
static void note_writes(struct kept *k, const struct bc_arg *decl)
{
    for (uint32_t i = 0; i < k->nargs; i++) {
        const struct vm_buffer *b = &k->args[i].buffer;
        if (is_memory(&decl[i]) && b->host && decl[i].may_write)
            vec_push(&k->writes,
                     ((struct place_range){(uint64_t)(uintptr_t)b->host + b->offset, b->size}));
    }
}

/** most: bytes that may be copied. */
static struct kept *keep(const struct vm_launch *l, uint64_t most)
{
    const struct bc_module *const m = vm_program_module(l->program);
    const uint64_t bytes = bytes_of(l, m);
    const struct bc_arg *decl = m->args + l->kernel->first_arg;
    struct kept *k = mem_alloc(sizeof *k);
    if (kept.len && vec_last(&kept)->number == l->number) destroy(vec_pop(&kept)); // unrecorded
    *k = (struct kept){.number = l->number,
                       .clock = dbg_earlier_clock(),
                       .is_complete = is_small(l, bytes) && bytes <= most,
                       .is_brief = !fits(bytes),
                       .m = m,
                       .nargs = l->kernel->nargs,
                       .l = *l,
                       .svm = mem_dup(l->svm, l->nsvm * sizeof *l->svm),
                       .args = mem_alloc((l->kernel->nargs + 1) * sizeof *k->args)};
    for (uint32_t i = 0; i < l->kernel->nargs; i++) {
        k->args[i] = l->args[i];
        k->args[i].value = l->args[i].value ? mem_dup(l->args[i].value, size_of_value(&decl[i]))
                                            : NULL;
        if (is_memory(&decl[i]) && k->is_complete)
            k->is_complete = keep_input(k, &l->args[i].buffer);
    }
    k->is_complete = k->is_complete && keep_shared(k);
    if (!k->is_complete) drop_inputs(k);
    note_writes(k, decl);
    vec_push(&kept, k);
    if (!k->is_brief) keep_in_bounds();
    return k;
}

void dbg_repeat_keep(const struct vm_launch *l)
{
    keep(l, dbg_history.off ? 0 : dbg_settings.history_limit / 4)->is_recorded = true;
}

bool dbg_repeat_keep_unrecorded(const struct vm_launch *l)
{
    enum { OF_MEMORY = 8 };
    const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    const uint64_t most = pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page / OF_MEMORY : 0;
    return keep(l, most)->is_complete;
}

/** Restores the contents, except what commands of other queues have written since. */
static void restore(const struct kept *k, const struct input *x)
{
    uint64_t place, size, first = (uint64_t)(uintptr_t)x->host;
    char *now = NULL;
    for (size_t i = 0; dbg_earlier_command_after(k->clock, i, &place, &size); i++) {
        if (!is_in(&(struct place_range){first, x->size}, place)) continue;
        if (size > x->size - (place - first)) size = x->size - (place - first);
        if (!now) now = mem_dup(x->data->bytes, x->size);
        memcpy(now + (place - first), x->host + (place - first), size);
    }
    memcpy((char *)x->host, now ? now : x->data->bytes, x->size);
    free(now);
}

void dbg_repeat_restore(void)
{
    const struct kept *const k = vec_last(&kept);
    for (size_t i = 0; i < k->inputs.len; i++) {
        const struct input *x = &k->inputs.data[i];
        restore(k, x);
        if (x->flags) memcpy(x->written.bytes, x->flags->bytes, x->size);
    }
    for (uint32_t i = 0; i < k->nargs; i++) {
        const struct vm_buffer *b = &k->args[i].buffer;
        const struct input *x = b->host && b->written ? input_of((struct kept *)k, b->host) : NULL;
        if (x && x->flags) *b->written = x->written;
    }
}

/** A hash of the memory that the launch may write; `memory`: copies of its inputs, or the app's. */
static uint64_t hash_of(const struct kept *k, char *const *memory)
{
    uint64_t hash = 0;
    for (size_t i = 0; i < k->inputs.len; i++) {
        const struct input *x = &k->inputs.data[i];
        hash = hash_memory(memory ? memory[i] : x->host, x->size, hash);
    }
    return hash;
}

void dbg_repeat_ran_unrecorded(void)
{
    struct kept *const k = vec_last(&kept);
    k->shows_order = bc_atomics_show_order(k->m, k->l.kernel->fn);
    if (k->is_brief) drop_inputs(k);
    else if (k->shows_order) k->contents = hash_of(k, NULL);
}

bool dbg_repeat_uses(const struct bc_module *m)
{
    bool any = false;
    for (size_t i = 0; i < kept.len; i++)
        any |= kept.data[i]->m == m && kept.data[i]->is_complete && !kept.data[i]->is_recorded;
    return any;
}

void dbg_repeat_module_removed(const struct bc_module *m)
{
    for (size_t i = 0; i < repeated.len; i++)
        while (i < repeated.len && repeated.data[i]->of->m == m)
            pthread_cond_wait(&changed, &dbg.lock);
    for (size_t i = 0; i < kept.len; i++)
        if (kept.data[i]->m == m) drop_inputs(kept.data[i]), kept.data[i]->m = NULL;
}

// ---- running again
static struct kept *find(uint64_t launch)
{
    for (size_t i = kept.len; i-- > 0;)
        if (kept.data[i]->number == launch) return kept.data[i];
    return NULL;
}

bool dbg_repeat_is_possible(uint64_t launch)
{
    const struct kept *k = find(launch);
    return k && k->is_complete;
}

/** Replaces the app's memory by the copy. */
static void use_copy(const struct dbg_repeated *r, struct vm_buffer *b)
{
    const struct input *x = b->host ? input_of(r->of, b->host) : NULL;
    b->touched = NULL;
    b->written = NULL;
    if (!x) return;
    b->host = r->memory[x - r->of->inputs.data];
    b->written = x->flags ? &r->written[x - r->of->inputs.data] : NULL;
}

static bool copy_memory(struct dbg_repeated *r)
{
    struct kept *const k = r->of;
    for (size_t i = 0; i < k->inputs.len; i++) {
        const struct input *x = &k->inputs.data[i];
        if (!(r->memory[i] = mem_try_alloc(x->size ? x->size : 1, 64))) return false;
        memcpy(r->memory[i], x->data->bytes, x->size);
        if (!x->flags) continue;
        r->written[i] = x->written;
        r->written[i].bytes = mem_dup(x->flags->bytes, x->size);
    }
    for (uint32_t i = 0; i < r->l.kernel->nargs; i++) use_copy(r, &r->args[i].buffer);
    for (uint32_t i = 0; i < r->l.nsvm; i++) use_copy(r, &r->svm[i]);
    for (uint32_t i = 0; i < k->m->nobjects; i++) {
        if (!is_variable(k->m, i)) continue;
        struct vm_buffer b = {.host = vm_program_object(k->l.program, i)};
        use_copy(r, &b);
        r->storage[i] = b.host;
    }
    return true;
}

static void *run_again(void *arg)
{
    struct dbg_repeated *const r = arg;
    err_free(vm_run(&r->l, NULL));
    pthread_mutex_lock(&dbg.lock);
    r->state = ENDED;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&dbg.lock);
    return NULL;
}

static void release(struct dbg_repeated *r)
{
    for (size_t i = 0; i < r->of->inputs.len; i++) {
        free(r->memory[i]);
        free(r->written[i].bytes);
    }
    if (r->l.out) fclose(r->l.out);
    dbg_launch_context_destroy(r->context);
    free(r->memory);
    free(r->written);
    free(r->storage);
    free(r->svm);
    free(r->args);
    free(r);
}

/** Runs it to its end; false: it was interrupted, or cannot run. */
static bool reaches_end(struct dbg_repeated *r)
{
    dbg_launch_context_swap(r->context);
    dbg.repeats = true;
    opening = r;
    if (!own_thread_start(run_again, r, 0)) r->state = ENDED;
    while (r->state == STARTING) pthread_cond_wait(&changed, &dbg.lock);
    dbg.repeats = false;
    if (r->state == AT_END) dbg_trace_begin(r->group);
    r->has_history = !dbg_history.off;
    dbg_launch_context_swap(r->context);
    return r->state == AT_END;
}

void dbg_repeated_is_at_end(struct vm_group *grp)
{
    struct dbg_repeated *const r = opening;
    r->group = grp;
    r->state = AT_END;
    pthread_cond_broadcast(&changed);
    while (r->state != CLOSING) pthread_cond_wait(&changed, &dbg.lock);
}

static struct dbg_repeated *open_launch(uint64_t launch)
{
    for (size_t i = 0; i < repeated.len; i++)
        if (repeated.data[i]->of->number == launch)
            return repeated.data[i]->of->differs ? NULL : repeated.data[i];
    struct kept *k = find(launch);
    if (!k || !k->is_complete || k->differs || repeated.len >= MOST_REPEATED) return NULL;
    struct dbg_repeated *r = mem_alloc(sizeof *r);
    *r = (struct dbg_repeated){.of = k,
                               .l = k->l,
                               .args = mem_dup(k->args, (k->l.kernel->nargs + 1) * sizeof *k->args),
                               .svm = mem_dup(k->svm, k->l.nsvm * sizeof *k->svm),
                               .storage = mem_alloc((k->m->nobjects + 1) * sizeof *r->storage),
                               .memory = mem_alloc((k->inputs.len + 1) * sizeof *r->memory),
                               .written = mem_alloc((k->inputs.len + 1) * sizeof *r->written),
                               .context = dbg_launch_context_create()};
    r->l.args = r->args;
    r->l.svm = r->svm;
    r->l.storage = r->storage;
    r->l.checks &= ~(unsigned)VM_CHECK_RACES;
    r->l.threads = 1;
    r->l.out = fopen("/dev/null", "w");
    r->l.gone = NULL;
    r->l.ngone = 0;
    r->l.cancel = r->l.cut = NULL;
    r->l.instruction_limit = r->l.livelock_limit = 0;
    r->l.takeover = NULL;
    r->l.division = NULL;
    r->l.is_clean = NULL;
    r->l.lane_insns = NULL;
    r->l.writer = NULL;
    r->l.variables = NULL;
    r->l.coverage = NULL;
    r->l.debugger = dbg_repeating;
    if (r->l.out && copy_memory(r) && reaches_end(r)) {
        vec_push(&repeated, r);
        k->differs = !r->has_history || (k->shows_order && hash_of(k, r->memory) != k->contents);
        return k->differs ? NULL : r;
    }
    release(r);
    return NULL;
}

struct vm_group *dbg_repeated_enter(struct dbg_repeated *r)
{
    dbg_launch_context_swap(r->context);
    r->outside = inside;
    inside = r;
    return r->group;
}

void dbg_repeated_leave(void)
{
    struct dbg_repeated *const r = inside;
    inside = r->outside;
    dbg_launch_context_swap(r->context);
}

void dbg_repeated_close(void)
{
    while (repeated.len) {
        struct dbg_repeated *r = vec_pop(&repeated);
        dbg_launch_context_swap(r->context);
        dbg_trace_forget();
        dbg.repeats = true;
        r->state = CLOSING;
        pthread_cond_broadcast(&changed);
        while (r->state != ENDED) pthread_cond_wait(&changed, &dbg.lock);
        dbg.repeats = false;
        dbg_launch_context_swap(r->context);
        release(r);
    }
    pthread_cond_broadcast(&changed);
}

// ---- questions
uint64_t dbg_repeated_place(uint64_t place)
{
    for (size_t i = 0; inside && i < inside->of->inputs.len; i++) {
        const struct input *x = &inside->of->inputs.data[i];
        const uint64_t at = place - (uint64_t)(uintptr_t)inside->memory[i];
        if (at < x->size) return (uint64_t)(uintptr_t)x->host + at;
    }
    return place;
}

/** The launch's pointer to a place of the app that it may write; 0: none. */
static uint64_t pointer_to(const struct kept *k, uint64_t place)
{
    const struct bc_arg *decl = k->m->args + k->l.kernel->first_arg;
    const uint32_t nargs = k->l.kernel->nargs;
    for (uint32_t i = 0; i < k->l.nsvm; i++) {
        const uint64_t at = place - (uint64_t)(uintptr_t)k->svm[i].host;
        if (at < k->svm[i].size) return BC_PTR(k->m->nobjects + 1 + nargs + i, (int64_t)at);
    }
    for (uint32_t i = 0; i < k->m->nobjects; i++) {
        if (!is_variable(k->m, i)) continue;
        const uint64_t at = place - (uint64_t)(uintptr_t)vm_program_object(k->l.program, i);
        if (at < k->m->objects[i].size) return BC_PTR(i + 1, (int64_t)at);
    }
    for (uint32_t i = 0; i < nargs; i++) {
        const struct vm_buffer *b = &k->args[i].buffer;
        if (!is_memory(&decl[i]) || !b->host || !decl[i].may_write) continue;
        const uint64_t at = place - (uint64_t)(uintptr_t)b->host - b->offset;
        if (at < b->size) return BC_PTR(k->m->nobjects + 1 + i, (int64_t)at);
    }
    return 0;
}

/** Causes of bytes at the end of the launch. False: it cannot be run again. */
static bool causes_at_end(const struct kept *k, uint64_t place, uint64_t size,
                          struct dbg_repeated **in, struct dbg_causes *out)
{
    struct dbg_bytes_at b = {.address = k->m ? pointer_to(k, place) : 0, .size = size};
    if (!b.address || !(*in = open_launch(k->number))) return false;
    struct vm_group *grp = dbg_repeated_enter(*in);
    b.moment = dbg_trace_present();
    dbg_causes_of_bytes(grp, &b, DBG_DATA, out);
    dbg_repeated_leave();
    return true;
}

/** The number of the work-item in its launch. */
static uint64_t number_of(const struct kept *k, const struct dbg_cause *c)
{
    uint64_t items = 1;
    for (int d = 0; d < 3; d++)
        items *= k->l.global[d] < k->l.local[d] ? k->l.global[d] : k->l.local[d];
    return c->moment.group->linear * items + c->item;
}

enum dbg_cause_kind dbg_repeat_write(const struct dbg_cause *c, struct dbg_repeated **in,
                                     struct dbg_causes *out)
{
    struct dbg_earlier_source s;
    dbg_earlier_describe(&c->earlier, &s);
    const struct kept *k = find(s.launch);
    if (!k || !causes_at_end(k, c->place, c->size, in, out))
        return dbg_history_is_unwanted() ? DBG_IS_INTERRUPTED : DBG_IS_LOST;
    for (size_t i = 0; i < out->list.len; i++) {
        const struct dbg_cause *x = &out->list.data[i];
        if (x->kind == DBG_IS_INTERRUPTED) return x->kind;
        if (x->kind != DBG_BY_WRITE || x->event.insn != s.insn ||
            number_of(k, x) != c->earlier.mark.item)
            return DBG_IS_LOST;
        if (out->list.len == 1 && c->known && x->known && c->size <= sizeof c->bytes &&
            memcmp(x->bytes, c->bytes, c->size))
            return DBG_IS_LOST;
    }
    return out->list.len ? DBG_BY_WRITE : DBG_IS_LOST;
}

/** The mark of the write in the launch. */
static struct dbg_write_mark mark_of(const struct kept *k, const struct dbg_cause *c)
{
    const struct dbg_writing_site site = {k->m, c->event.fn, c->event.insn};
    uint32_t writer = dbg_earlier_writer_of(k->number, c->event.insn);
    if (!writer && !k->is_recorded) writer = dbg_earlier_add_writer(&k->l, &site, k->clock);
    return (struct dbg_write_mark){writer, (uint32_t)number_of(k, c)};
}

/** Adds what the end of the launch says about the first bytes; false: unknown. */
static bool find_at_end(const struct kept *k, uint64_t place, const uint8_t *value,
                        struct dbg_earlier_write *out)
{
    struct dbg_causes causes = {{0}};
    struct dbg_repeated *in;
    struct dbg_cause c = {0};
    bool known = false;
    if (causes_at_end(k, place, out->size, &in, &causes))
        for (size_t i = 0; i < causes.list.len; i++)
            if (causes.list.data[i].address == pointer_to(k, place))
                c = causes.list.data[i], known = true;
    vec_free(&causes.list);
    const uint64_t size = known && c.size < out->size ? c.size : out->size;
    if (known && c.kind == DBG_BY_WRITE) {
        const struct dbg_write_mark mark = mark_of(k, &c);
        *out = (struct dbg_earlier_write){.mark = mark, .size = size};
        out->is_changed = value && c.known && size <= sizeof c.bytes &&
                          memcmp(value, c.bytes, size);
        return mark.writer != 0;
    }
    if (known && c.kind == DBG_BY_EARLIER) *out = c.earlier;
    else if (known && c.kind == DBG_BY_HOST) *out = (struct dbg_earlier_write){0};
    else return false;
    out->size = size;
    if (out->mark.writer && value && c.known && size <= sizeof c.bytes)
        out->is_changed |= memcmp(value, c.bytes, size) != 0;
    return true;
}

static bool may_write(const struct kept *k, uint64_t place)
{
    for (size_t i = 0; i < k->writes.len; i++)
        if (is_in(&k->writes.data[i], place)) return true;
    return k->m && k->is_recorded && pointer_to(k, place); // also other memory
}

/** May an unrecorded launch before the clock have written the byte? */
static bool is_unrecorded(uint64_t place, uint64_t clock)
{
    for (size_t i = 0; i < lost.len; i++)
        if (is_in(&lost.data[i], place)) return true;
    for (size_t i = kept.len; i-- > 0;)
        if (!kept.data[i]->is_recorded && kept.data[i]->clock < clock &&
            may_write(kept.data[i], place))
            return true;
    return false;
}

/** A search for the last write of the first bytes before `when.before`. */
struct back {
    uint64_t place;
    const uint8_t *value;
    struct dbg_clock_range when;
    struct dbg_earlier_write *out;  // size: what is asked
    struct dbg_earlier_write known; // what recorded launches and commands wrote last
    bool knows;                     // `known` is before `when.before`
    unsigned copies;                // that were followed
};

static bool search(struct back *b);

static bool is_unwritten_since(uint64_t place, uint64_t size, const struct dbg_earlier_write *w,
                               uint64_t clock)
{
    const struct dbg_clock_range since = {clock, UINT64_MAX};
    struct dbg_earlier_command c;
    return w->mark.writer ? dbg_earlier_is_before(w, clock)
                          : !dbg_earlier_find_command(place, size, since, &c);
}

/** The bytes are a copy: who wrote those that were copied? */
static bool back_to_source(struct back *b, const struct dbg_earlier_command *c)
{
    enum { MOST_COPIES = 16 };
    struct dbg_earlier_write write = {.size = b->out->size};
    struct back s = {.place = c->from,
                     .when = {0, c->clock},
                     .out = &write,
                     .known = dbg_earlier_find(c->from, write.size, NULL),
                     .copies = b->copies + 1};
    s.knows = is_unwritten_since(c->from, write.size, &s.known, c->clock);
    if (s.copies > MOST_COPIES || !search(&s)) return false;
    b->out->size = write.size;
    b->out->mark.writer = dbg_earlier_copied_by(write.mark.writer, c->write.mark.writer);
    b->out->mark.item = write.mark.item;
    return true;
}

/** The command in (when.after, when.before) that wrote the bytes: 1; 0: unknown; -1: none. */
static int back_to_command(struct back *b)
{
    struct dbg_earlier_command c;
    const bool found = dbg_earlier_find_command(b->place, b->out->size, b->when, &c);
    b->out->size = c.write.size;
    if (!found) return -1;
    *b->out = c.write;
    b->out->is_changed = b->knows && b->known.is_changed;
    return !c.from || back_to_source(b, &c);
}

/** The launch: 1: it wrote the bytes, or they are those that *out says; 0: unknown; -1: it did not.
 */
static int back_to_launch(struct back *b, const struct kept *k)
{
    struct dbg_earlier_source s = {0};
    if (!may_write(k, b->place) && (k->m || !k->is_recorded)) return -1;
    if (!b->knows || !k->is_recorded)
        return (k->m || !k->is_recorded) && find_at_end(k, b->place, b->value, b->out);
    if (b->known.mark.writer) dbg_earlier_describe(&b->known, &s);
    if (s.launch != k->number || s.function) return -1;
    if (b->known.size > b->out->size) b->known.size = b->out->size;
    *b->out = b->known;
    return 1;
}

static bool is_lost(uint64_t place)
{
    bool is = false;
    for (size_t i = 0; i < lost.len; i++) is |= is_in(&lost.data[i], place);
    return is;
}

static bool search(struct back *b)
{
    int found;
    for (size_t i = kept.len; i-- > 0;) {
        const struct kept *k = kept.data[i];
        if (k->clock >= b->when.before) continue;
        b->when.after = k->clock;
        if ((found = back_to_command(b)) >= 0) return found;
        b->when.before = k->clock;
        if ((found = back_to_launch(b, k)) >= 0) return found;
    }
    b->when.after = 0;
    if (is_lost(b->place)) return false;
    found = back_to_command(b);
    return found >= 0 ? found : !dropped;
}

bool dbg_repeat_find_earlier(uint64_t place, uint64_t size, const uint8_t *value,
                             struct dbg_earlier_write *out)
{
    const struct kept *const now = inside ? inside->of : kept.len ? vec_last(&kept) : NULL;
    *out = dbg_earlier_find(place, size, value);
    if (!now) return true;
    const bool knows = !inside || is_unwritten_since(place, size, out, now->clock);
    if (knows && !is_unrecorded(place, now->clock)) return true;
    // Overwritten since, or not recorded. The launch before this one that may have written the
    // bytes knows more.
    struct back b = {.place = place,
                     .value = value,
                     .when = {0, now->clock},
                     .out = out,
                     .known = *out,
                     .knows = knows};
    *out = (struct dbg_earlier_write){.size = size};
    return search(&b);
}
