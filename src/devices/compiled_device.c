// SPDX-License-Identifier: MIT
// The compiled engine: launches that were proved free of errors run as machine code, all others are
// interpreted.
//
// A launch is proved by an earlier one. If data decides nothing in a kernel
// (bytecode/dependence.h), all launches with the same key (launch_key.h) execute the same accesses
// in the same barrier intervals, so the checks of one hold for all. The proof is such a launch that
// the interpreter ran with all checks on and in which nothing was found (vm_launch.is_clean).
// Undefined values would be the exception, since what becomes of them depends on data: a launch in
// which a register was undefined proves nothing, nor does one that may read a buffer that is not
// wholly written.
//
// Machine code is made by cldbg-cc (native/strict.c) when a proved kernel has been interpreted for
// long enough, in the background. It marks the bytes that the proof wrote as written.
#include "devices/compiled_device.h"

#include "devices/compiled_undo.h"
#include "devices/native_device.h"
#include "devices/native_shadow.h"
#include "devices/statistics.h"

#include "base/own_thread.h"
#include "base/map.h"
#include "base/mem.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MAX_PROOFS = 1024 }; // of a kernel; later launches are interpreted
// Interpreting a kernel for less time than it takes to compile one gains nothing by compiling it.
static const uint64_t COMPILE_NS = 100000000;

uint64_t compiled_threshold_ns(void)
{
    return dev_settings()->engine == DEV_ENGINE_AUTO ? COMPILE_NS : 0;
}

uint64_t compiled_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

// ---- programs

static uint64_t largest_alignment(const struct bc_module *m)
{
    uint64_t most = 1;
    for (uint32_t i = 1; i < m->nsites; i++)
        if (m->sites[i].align > most) most = m->sites[i].align;
    return most;
}

static void *load(const struct bc_module *m, struct dev_blob program, struct err **e)
{
    struct compiled_program *p = mem_alloc(sizeof *p);
    struct err *why = NULL;
    *p = (struct compiled_program){.module = m,
                                   .nkernels = m->nkernels,
                                   .alignment = largest_alignment(m),
                                   .pid = getpid(),
                                   .users = 1};
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->made, NULL);
    p->kernels = mem_alloc((m->nkernels + 1) * sizeof *p->kernels);
    for (uint32_t i = 0; i < m->nkernels; i++) {
        p->kernels[i].name = mem_strdup(bc_str(m, m->kernels[i].name));
        p->kernels[i].nargs = m->kernels[i].nargs;
        p->kernels[i].told = "";
    }
    p->checked = dev_interp.program_load(m, program, e);
    for (uint32_t i = 0; i < m->nobjects; i++)
        if (m->objects[i].kind == BC_OBJ_PROGRAM)
            p->why = "the program has program-scope variables";
    if (program.size)
        p->bitcode = (struct dev_blob){mem_dup(program.data, program.size), program.size};
    if (!program.size)
        p->why = "its program was neither built in this process nor by an earlier one";
    if (!p->why) p->code = native_program_load_strict(program.data, program.size, &why);
    if (why) p->why = p->why_text = mem_strdup(err_message(why));
    err_free(why);
    if (p->checked) return p;
    compiled_unload(p);
    return NULL;
}

static void free_proof(struct compiled_proof *v, uint32_t nargs)
{
    for (uint32_t i = 0; i < nargs; i++) dev_written_deinit(&v->written[i]);
    free(v->written);
    str_deinit(&v->key);
    free(v->text);
    free(v->ranges);
    free(v);
}

void compiled_hold(struct compiled_program *p)
{
    pthread_mutex_lock(&p->lock);
    p->users++;
    pthread_mutex_unlock(&p->lock);
}

void compiled_release(struct compiled_program *p)
{
    pthread_mutex_lock(&p->lock);
    const bool last = !--p->users;
    pthread_mutex_unlock(&p->lock);
    if (!last) return;
    for (uint32_t i = 0; i < p->nkernels; i++) {
        struct compiled_kernel *k = &p->kernels[i];
        for (size_t v = 0; v < k->proofs.len; v++) free_proof(k->proofs.data[v], k->nargs);
        vec_free(&k->proofs);
        for (size_t c = 0; c < k->codes.len; c++) {
            free(k->codes.data[c]->why);
            free(k->codes.data[c]);
        }
        vec_free(&k->codes);
        free(k->depends.args);
        free(k->why);
        free(k->beyond);
        free(k->name);
    }
    if (p->code) native_program_unload(p->code);
    pthread_mutex_destroy(&p->lock);
    pthread_cond_destroy(&p->made);
    free(p->kernels);
    free(p->why_text);
    free((void *)p->bitcode.data);
    free(p);
}

void compiled_unload(void *program)
{
    struct compiled_program *p = program;
    if (p->checked) dev_interp.program_unload(p->checked);
    p->checked = NULL;
    p->module = NULL;
    compiled_release(p);
}

static struct compiled_kernel *kernel_of(struct compiled_program *p, const struct vm_launch *l)
{
    const struct bc_module *m = p->module;
    struct compiled_kernel *k = &p->kernels[l->kernel - m->kernels];
    pthread_mutex_lock(&p->lock);
    if (!k->is_analyzed) {
        bc_dependence(m, (uint32_t)(l->kernel - m->kernels), &k->depends);
        const struct bc_loc *at = &m->locs[k->depends.loc];
        struct str s = {0};
        if (k->depends.on_data && at->line)
            str_printf(&s, "it has %s (%s:%u)", k->depends.on_data,
                       bc_str(m, m->files[at->file].name), at->line);
        else if (k->depends.on_data) str_printf(&s, "it has %s", k->depends.on_data);
        if (s.len) k->why = str_take(&s);
        if (k->depends.beyond) {
            str_printf(&s, "it has %s", k->depends.beyond);
            k->beyond = str_take(&s);
        }
        k->is_analyzed = true;
    }
    pthread_mutex_unlock(&p->lock);
    return k;
}

// ---- what can be proved

static bool all_checks(const struct vm_launch *l)
{
    bool all = l->checks == VM_CHECK_ALL && l->rep;
    for (unsigned k = 0; k < REP_KIND_COUNT && all; k++)
        all = k == REP_API_MISUSE || k == REP_API_LEAK || rep_wants(l->rep, (enum rep_kind)k);
    return all;
}

static const char *why_not_argument(const struct compiled_program *p, const struct vm_launch *l,
                                    uint32_t i)
{
    const struct bc_arg *decl = &p->module->args[l->kernel->first_arg + i];
    const struct vm_buffer *b = &l->args[i].buffer;
    if (decl->kind == BC_ARG_IMAGE || decl->kind == BC_ARG_SAMPLER) return "images";
    if (decl->is_pipe) return "pipes";
    if (decl->kind != BC_ARG_BUFFER || !b->host) return NULL;
    if (b->is_svm) return "shared virtual memory";
    if (b->touched) return "other commands may access its buffers meanwhile";
    if (((uintptr_t)b->host + b->offset) % p->alignment) return "a buffer is not aligned enough";
    if (b->written && decl->may_read) return "a buffer that it may read is not wholly initialized";
    return NULL;
}

/** Why the launch neither proves others nor can be proved by others; NULL: it can. */
static const char *why_not(const struct compiled_program *p, const struct compiled_kernel *k,
                           const struct vm_launch *l)
{
    const struct dev_settings *s = dev_settings();
    if (p->why) return p->why;
    if (k->beyond) return k->beyond;
    if (l->kernel->refused) return l->kernel->refused;
    if (l->debugger) return "it is debugged";
    if (l->root || l->kernel->enqueues) return "device-side enqueue";
    if (s->coverage) return "a coverage report or profile is wanted";
    if (s->schedules > 1 || s->schedule) return "--schedules";
    if (l->instruction_limit) return "--instruction-limit";
    if (!all_checks(l)) return "some checks are off";
    if (l->writer || l->variables) return "other commands may access its buffers meanwhile";
    for (uint32_t i = 0; i < l->kernel->nargs; i++) {
        const char *why = why_not_argument(p, l, i);
        if (why) return why;
    }
    return native_buffers_overlap(l, p->module->args + l->kernel->first_arg)
               ? "buffers that it writes overlap others"
               : NULL;
}

/** Whether the proof says which bytes of the buffers that are not wholly written it writes. */
static bool knows_written(const struct compiled_proof *v, const struct vm_launch *l)
{
    for (uint32_t i = 0; i < l->kernel->nargs; i++)
        if (l->args[i].buffer.written && !v->written[i].is_known) return false;
    return true;
}

bool compiled_marks(const struct vm_launch *l, uint32_t *marks)
{
    *marks = 0;
    for (uint32_t i = 0; i < l->kernel->nargs; i++) {
        if (!l->args[i].buffer.written) continue;
        if (i >= NAT_MARKS) return false;
        *marks |= 1u << i;
    }
    return true;
}

void compiled_count_marks(const struct vm_launch *l, uint32_t marks)
{
    for (uint32_t i = 0; i < l->kernel->nargs && i < NAT_MARKS; i++)
        if (marks >> i & 1) dev_written_count(&l->args[i].buffer);
}

// ---- proofs

struct compiled_proof *compiled_find_proof(const struct compiled_kernel *k, const struct str *key)
{
    const uint64_t hash = hash_bytes(key->data, key->len, 0);
    for (size_t i = k->proofs.len; i-- > 0;) {
        struct compiled_proof *v = k->proofs.data[i];
        if (v->hash == hash && v->key.len == key->len && !memcmp(v->key.data, key->data, key->len))
            return v;
    }
    return NULL;
}

struct compiled_proof *compiled_new_proof(struct compiled_kernel *k, const struct str *key,
                                          uint32_t nargs)
{
    if (k->proofs.len == MAX_PROOFS) return NULL;
    struct compiled_proof *v = mem_alloc(sizeof *v);
    str_put_n(&v->key, key->data, key->len);
    v->hash = hash_bytes(key->data, key->len, 0);
    v->written = mem_alloc((nargs + 1) * sizeof *v->written);
    vec_push(&k->proofs, v);
    return v;
}

/**
 * A clean launch: `fresh` says of which arguments no byte had been written before it; took: 0 if
 * not all of it was interpreted.
 */
static void keep_proof(struct compiled_program *p, struct compiled_kernel *k,
                       const struct vm_launch *l, const struct str *key, const bool *fresh,
                       uint64_t took)
{
    pthread_mutex_lock(&p->lock);
    struct compiled_proof *v = compiled_find_proof(k, key);
    if (!v) v = compiled_new_proof(k, key, l->kernel->nargs);
    if (!v) {
        pthread_mutex_unlock(&p->lock);
        return;
    }
    v->state = COMPILED_PROVED;
    for (uint32_t i = 0; i < l->kernel->nargs; i++)
        if (fresh[i] && !v->written[i].is_known)
            dev_written_take(&v->written[i], &l->args[i].buffer);
    if (took && (!v->interpreted_ns || took < v->interpreted_ns)) v->interpreted_ns = took;
    pthread_mutex_unlock(&p->lock);
}

// ---- code

struct making {
    struct compiled_program *p;
    struct compiled_code *c;
    const char *name;
    uint32_t nargs;
    bool counts; // as an effort of its own
};

/** Not under the lock. */
static void make_code(const struct making *job)
{
    struct compiled_code *c = job->c;
    struct err *e = NULL;
    const uint64_t begin = compiled_now();
    const struct native_code *code =
        native_code_get(job->p->code, job->name, job->nargs, &c->shape, &c->info, &e);
    if (job->counts) compiled_effort_end(compiled_now() - begin);
    pthread_mutex_lock(&job->p->lock);
    c->code = code;
    if (e) c->why = mem_strdup(err_message(e));
    c->state = e ? COMPILED_FAILED : COMPILED_READY;
    pthread_cond_broadcast(&job->p->made);
    pthread_mutex_unlock(&job->p->lock);
    err_free(e);
}

static void *make_thread(void *context)
{
    struct making *job = context;
    struct compiled_program *p = job->p;
    make_code(job);
    free(job);
    compiled_release(p);
    return NULL;
}

static bool start_making(const struct making *job)
{
    struct making *own = mem_dup(job, sizeof *job);
    compiled_hold(job->p);
    if (own_thread_start(make_thread, own, 0)) return true;
    compiled_release(job->p);
    free(own);
    return false;
}

static const struct compiled_code *get_code(struct compiled_program *p, struct compiled_kernel *k,
                                            const struct nat_shape *shape, bool waits,
                                            bool is_worth, const char **why)
{
    pthread_mutex_lock(&p->lock);
    struct compiled_code *c = compiled_version(k, shape);
    const struct making job = {p, c, k->name, k->nargs, !waits};
    uint64_t budget;
    if (c->state == COMPILED_ABSENT && is_worth && (waits || compiled_effort_begin(0, &budget))) {
        c->state = COMPILED_MAKING;
        pthread_mutex_unlock(&p->lock);
        if (waits || !start_making(&job)) make_code(&job);
        pthread_mutex_lock(&p->lock);
    }
    while (waits && c->state == COMPILED_MAKING && p->pid == getpid())
        pthread_cond_wait(&p->made, &p->lock);
    *why = c->state == COMPILED_FAILED   ? c->why
           : c->state == COMPILED_MAKING ? "its machine code is being made"
                                         : "it has not run for long";
    const struct compiled_code *r = c->state == COMPILED_READY ? c : NULL;
    pthread_mutex_unlock(&p->lock);
    return r;
}

const struct compiled_code *compiled_code_for(struct compiled_program *p, struct compiled_kernel *k,
                                              const struct nat_shape *shape, const char **why)
{
    return get_code(p, k, shape, dev_settings()->engine != DEV_ENGINE_AUTO,
                    k->interpreted_ns >= compiled_threshold_ns(), why);
}

const struct compiled_code *compiled_code_now(struct compiled_program *p, struct compiled_kernel *k,
                                              const struct nat_shape *shape, const char **why)
{
    return get_code(p, k, shape, true, true, why);
}

// ---- launches

/** why: it was interpreted; NULL: it was not. */
static void note(struct compiled_kernel *k, const struct vm_launch *l, const char *name,
                 const char *why)
{
    const struct dev_settings *s = dev_settings();
    const char *said = why ? why : k->how;
    if (s->statistics) dev_statistics_engine(name, why);
    if (!s->verbose || k->told == said) return;
    k->told = said;
    if (why)
        fprintf(dev_report_out(), "cldbg: launch %llu of kernel '%s' is interpreted: %s\n",
                (unsigned long long)l->number, name, why);
    else
        fprintf(dev_report_out(), "cldbg: launch %llu of kernel '%s' runs as machine code: %s%s\n",
                (unsigned long long)l->number, name,
                k->how   ? "it is proved, but for what the code checks: "
                : k->why ? "it is proved"
                         : "it was proved by an earlier one",
                k->how ? k->how : "");
}

/** For --engine=auto: the interpreter works on many lanes at once where LLVM does not vectorize. */
static bool is_slower(struct compiled_program *p, const struct compiled_proof *v)
{
    enum { RUNS = 3 }; // one alone may have been disturbed
    pthread_mutex_lock(&p->lock);
    const bool slower = v->compiled >= RUNS && v->interpreted_ns &&
                        v->compiled_ns > v->interpreted_ns;
    pthread_mutex_unlock(&p->lock);
    return slower && dev_settings()->engine == DEV_ENGINE_AUTO;
}

/** Runs the code. False: nothing was changed; *why says why. */
static bool run_code(struct compiled_program *p, struct compiled_kernel *k,
                     const struct vm_launch *l, const struct compiled_code *c,
                     struct compiled_proof *v, const char **why)
{
    struct compiled_undo *before = NULL;
    if (c->shape.checks) {
        const struct bc_arg *decl = p->module->args + l->kernel->first_arg;
        *why = native_why_not_checked(l, decl, &c->info, c->shape.checks);
        if (*why) return false;
        before = compiled_undo_take(l, decl, v->ranges);
        *why = "the system lacks memory to restore what it writes";
        if (!before) return false;
    }
    struct native_job *job =
        native_job_create(p->module, l, c->code, &c->info, &c->shape, k->depends.ninsns);
    struct err *e = native_job_run(job);
    const bool miscounted = native_job_is_miscounted(job),
               anomalous = native_job_is_anomalous(job) || !compiled_repeat(p, k, l, job);
    native_job_destroy(job);
    if (anomalous) {
        compiled_undo_restore(before);
        pthread_mutex_lock(&p->lock);
        if (miscounted) k->needs_stamps = true;
        else v->anomalies++;
        pthread_mutex_unlock(&p->lock);
    }
    compiled_undo_free(before);
    *why = anomalous ? "a check of its machine code failed"
                     : "the system lacks memory for its machine code";
    const bool ok = !e && !anomalous;
    err_free(e);
    return ok;
}

/** Launches that are not wrong may fail checks, which are coarse: then they are interpreted. */
static bool fails_often(struct compiled_program *p, const struct compiled_proof *v)
{
    enum { OFTEN = 3 };
    pthread_mutex_lock(&p->lock);
    const bool often = v->anomalies >= OFTEN;
    pthread_mutex_unlock(&p->lock);
    return often;
}

static uint32_t checks_for(struct compiled_program *p, const struct compiled_kernel *k,
                           const struct vm_launch *l, const struct compiled_proof *v)
{
    const bool is_sparse = native_is_sparse(l, p->module->args + l->kernel->first_arg);
    pthread_mutex_lock(&p->lock);
    const bool stamps = v->checks & PROOF_CHECK_GLOBAL && (k->needs_stamps || is_sparse);
    const uint32_t checks = v->checks | (stamps ? NAT_CHECK_STAMPS : 0);
    pthread_mutex_unlock(&p->lock);
    return checks;
}

bool compiled_run_proved(struct compiled_program *p, struct compiled_kernel *k,
                         const struct vm_launch *l, struct compiled_proof *v, bool knows,
                         const char **why)
{
    struct nat_shape shape = compiled_shape(p, k, l, checks_for(p, k, l, v));
    if (is_slower(p, v)) {
        *why = "its machine code takes longer";
        return false;
    }
    if (fails_often(p, v)) {
        *why = "checks of its machine code failed several times";
        return false;
    }
    if (!knows && !compiled_marks(l, &shape.marks)) {
        *why = "a buffer that it writes is not wholly initialized";
        return false;
    }
    const struct compiled_code *c = compiled_code_for(p, k, &shape, why);
    if (!c) return false;
    const uint64_t begin = compiled_now();
    if (!run_code(p, k, l, c, v, why)) return false;
    if (knows && !(l->cancel && *l->cancel))
        for (uint32_t i = 0; i < l->kernel->nargs; i++)
            dev_written_mark(&v->written[i], &l->args[i].buffer);
    compiled_count_marks(l, shape.marks);
    const uint64_t took = compiled_now() - begin;
    pthread_mutex_lock(&p->lock);
    v->compiled++;
    if (!v->compiled_ns || took < v->compiled_ns) v->compiled_ns = took;
    compiled_effort_earn(v->interpreted_ns);
    pthread_mutex_unlock(&p->lock);
    if (dev_settings()->statistics) dev_statistics_add(p->module, l, &(struct vm_stats){0}, took);
    return true;
}

static bool is_known(struct compiled_program *p, const struct compiled_kernel *k,
                     const struct str *key)
{
    pthread_mutex_lock(&p->lock);
    const bool is = compiled_find_proof(k, key) != NULL;
    pthread_mutex_unlock(&p->lock);
    return is;
}

static struct err *interpret(struct compiled_program *p, struct compiled_kernel *k,
                             const struct vm_launch *l, const struct str *key, bool *is_clean)
{
    const uint32_t n = l->kernel->nargs;
    bool clean = false, *fresh = mem_alloc(n + 1);
    for (uint32_t i = 0; i < n; i++) fresh[i] = dev_is_unwritten(&l->args[i].buffer);
    struct vm_launch v = *l;
    v.is_clean = &clean;
    const uint64_t begin = compiled_now();
    // --engine=check lets the interpreter run all of it; a launch that is proved lacks only code
    const bool may = !is_clean && !is_known(p, k, key);
    struct compiled_takeover *t = may ? compiled_takeover_begin(p, k, l) : NULL;
    v.takeover = compiled_takeover_hook(t);
    struct err *e = dev_interp.launch(p->checked, &v);
    const uint64_t took = compiled_now() - begin;
    const uint64_t taken = compiled_takeover_end(t);
    if (!e && clean && !(l->cancel && *l->cancel)) {
        keep_proof(p, k, l, key, fresh, taken ? 0 : took);
        pthread_mutex_lock(&p->lock);
        k->interpreted_ns += took;
        pthread_mutex_unlock(&p->lock);
        compiled_effort_earn(took);
    }
    if (taken && dev_settings()->verbose)
        fprintf(
            dev_report_out(),
            "cldbg: launch %llu of kernel '%s' was proved meanwhile: %llu of its work-groups ran "
            "as machine code\n",
            (unsigned long long)l->number, bc_str(p->module, l->kernel->name),
            (unsigned long long)taken);
    free(fresh);
    if (is_clean) *is_clean = clean;
    return e;
}

/** A launch that can be proved by others. *why: why it was interpreted, or NULL. */
static struct err *launch_provable(struct compiled_program *p, struct compiled_kernel *k,
                                   const struct vm_launch *l, const char **why)
{
    struct str key = {0};
    dev_launch_key(l, p->module, &k->depends, &key);
    if (k->why) {
        struct err *e = compiled_launch_obliged(p, k, l, &key, why);
        str_deinit(&key);
        return e;
    }
    pthread_mutex_lock(&p->lock);
    struct compiled_proof *v = compiled_find_proof(k, &key);
    const bool knows = v && knows_written(v, l);
    pthread_mutex_unlock(&p->lock);
    struct err *e = NULL;
    *why = "no launch like it was checked yet";
    if (dev_settings()->engine == DEV_ENGINE_CHECK)
        e = compiled_check(p, k, l, v != NULL, interpret, &key);
    else if (v && compiled_run_proved(p, k, l, v, knows, why)) *why = NULL;
    else e = interpret(p, k, l, &key, NULL);
    str_deinit(&key);
    return e;
}

static struct err *launch(void *program, const struct vm_launch *l)
{
    struct compiled_program *p = program;
    struct compiled_kernel *k = kernel_of(p, l);
    const char *const name = bc_str(p->module, l->kernel->name), *why = why_not(p, k, l);
    const bool is_proved = dev_settings()->engine == DEV_ENGINE_CHECK && !l->root &&
                           all_checks(l) && compiled_is_proved(p, l);
    struct err *e = why ? dev_interp.launch(p->checked, l) : launch_provable(p, k, l, &why);
    if (is_proved && !e) compiled_check_found(p, l, is_proved);
    note(k, l, name, why);
    return e;
}

static char *variable(void *program, uint32_t object)
{
    const struct compiled_program *p = program;
    return dev_interp.variable(p->checked, object);
}

static struct vm_program *interpreted(void *program)
{
    return ((struct compiled_program *)program)->checked;
}

const struct dev_device_ops dev_compiled = {
    .name = "compiled",
    .program_load = load,
    .program_unload = compiled_unload,
    .launch = launch,
    .variable = variable,
    .interpreted = interpreted,
};
