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

#include "devices/native_device.h"
#include "devices/statistics.h"

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

static uint64_t now(void)
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
    *p = (struct compiled_program){.module = m, .alignment = largest_alignment(m), .pid = getpid()};
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->made, NULL);
    p->kernels = mem_alloc((m->nkernels + 1) * sizeof *p->kernels);
    p->checked = dev_interp.program_load(m, (struct dev_blob){0}, e);
    for (uint32_t i = 0; i < m->nobjects; i++)
        if (m->objects[i].kind == BC_OBJ_PROGRAM)
            p->why = "the program has program-scope variables";
    if (program.size)
        p->bitcode = (struct dev_blob){mem_dup(program.data, program.size), program.size};
    if (!program.size) p->why = "the program was not built from source in this process";
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
    free(v);
}

void compiled_unload(void *program)
{
    struct compiled_program *p = program;
    pthread_mutex_lock(&p->lock); // (in a forked child no thread makes code)
    while (p->making && p->pid == getpid()) pthread_cond_wait(&p->made, &p->lock);
    pthread_mutex_unlock(&p->lock);
    for (uint32_t i = 0; i < p->module->nkernels; i++) {
        struct compiled_kernel *k = &p->kernels[i];
        for (size_t v = 0; v < k->proofs.len; v++)
            free_proof(k->proofs.data[v], p->module->kernels[i].nargs);
        vec_free(&k->proofs);
        for (size_t c = 0; c < k->codes.len; c++) {
            free(k->codes.data[c]->why);
            free(k->codes.data[c]);
        }
        vec_free(&k->codes);
        free(k->depends.args);
        free(k->why);
    }
    if (p->code) native_program_unload(p->code);
    if (p->checked) dev_interp.program_unload(p->checked);
    pthread_mutex_destroy(&p->lock);
    pthread_cond_destroy(&p->made);
    free(p->kernels);
    free(p->why_text);
    free((void *)p->bitcode.data);
    free(p);
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
    if (k->why) return k->why;
    if (l->kernel->refused) return l->kernel->refused;
    if (l->debugger) return "it is debugged";
    if (s->coverage) return "--coverage";
    if (s->schedules > 1 || s->schedule) return "--schedules";
    if (l->instruction_limit) return "--instruction-limit";
    if (!all_checks(l)) return "some checks are off";
    if (l->writer || l->variables) return "other commands may access its buffers meanwhile";
    for (uint32_t i = 0; i < l->kernel->nargs; i++) {
        const char *why = why_not_argument(p, l, i);
        if (why) return why;
    }
    return native_buffers_meet(l, p->module->args + l->kernel->first_arg)
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

// ---- proofs

/** Under the lock. */
static struct compiled_proof *find_proof(const struct compiled_kernel *k, const struct str *key)
{
    const uint64_t hash = hash_bytes(key->data, key->len, 0);
    for (size_t i = k->proofs.len; i-- > 0;) {
        struct compiled_proof *v = k->proofs.data[i];
        if (v->hash == hash && v->key.len == key->len && !memcmp(v->key.data, key->data, key->len))
            return v;
    }
    return NULL;
}

/** A clean launch: `fresh` says of which arguments no byte had been written before it. */
static void keep_proof(struct compiled_program *p, struct compiled_kernel *k,
                       const struct vm_launch *l, const struct str *key, const bool *fresh,
                       uint64_t took)
{
    pthread_mutex_lock(&p->lock);
    struct compiled_proof *v = find_proof(k, key);
    if (!v && k->proofs.len == MAX_PROOFS) {
        pthread_mutex_unlock(&p->lock);
        return;
    }
    if (!v) {
        v = mem_alloc(sizeof *v);
        str_put_n(&v->key, key->data, key->len);
        v->hash = hash_bytes(key->data, key->len, 0);
        v->written = mem_alloc((l->kernel->nargs + 1) * sizeof *v->written);
        vec_push(&k->proofs, v);
    }
    for (uint32_t i = 0; i < l->kernel->nargs; i++)
        if (fresh[i] && !v->written[i].is_known)
            dev_written_take(&v->written[i], &l->args[i].buffer);
    if (!v->interpreted_ns || took < v->interpreted_ns) v->interpreted_ns = took;
    k->interpreted_ns += took;
    pthread_mutex_unlock(&p->lock);
}

// ---- code

struct making {
    struct compiled_program *p;
    struct compiled_code *c;
    const char *name;
    uint32_t nargs;
};

/** Not under the lock. */
static void make_code(const struct making *job)
{
    struct compiled_code *c = job->c;
    struct err *e = NULL;
    const struct native_code *code =
        native_code_get(job->p->code, job->name, job->nargs, &c->shape, &c->info, &e);
    pthread_mutex_lock(&job->p->lock);
    c->code = code;
    if (e) c->why = mem_strdup(err_message(e));
    c->state = e ? COMPILED_FAILED : COMPILED_READY;
    job->p->making--;
    pthread_cond_broadcast(&job->p->made);
    pthread_mutex_unlock(&job->p->lock);
    err_free(e);
}

static void *make_thread(void *context)
{
    struct making *job = context;
    make_code(job);
    free(job);
    return NULL;
}

static bool start_thread(const struct making *job)
{
    struct making *own = mem_dup(job, sizeof *job);
    sigset_t all, was;
    pthread_t t;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &was);
    const bool ok = !pthread_create(&t, NULL, make_thread, own);
    pthread_sigmask(SIG_SETMASK, &was, NULL);
    if (ok) pthread_detach(t);
    else free(own);
    return ok;
}

static bool same_shape(const struct nat_shape *a, const struct nat_shape *b)
{
    return !memcmp(a->local, b->local, sizeof a->local) && a->uneven == b->uneven &&
           a->apart == b->apart && a->small == b->small && a->passes == b->passes &&
           a->sub_group == b->sub_group;
}

/** Under the lock. */
static struct compiled_code *code_of(struct compiled_kernel *k, const struct nat_shape *shape)
{
    for (size_t i = 0; i < k->codes.len; i++)
        if (same_shape(&k->codes.data[i]->shape, shape)) return k->codes.data[i];
    struct compiled_code *c = mem_alloc(sizeof *c);
    c->shape = *shape;
    vec_push(&k->codes, c);
    return c;
}

const struct compiled_code *compiled_code_for(struct compiled_program *p, struct compiled_kernel *k,
                                              const struct vm_launch *l, const char **why)
{
    const struct nat_shape shape = native_shape(l, p->module->args + l->kernel->first_arg);
    const bool waits = dev_settings()->engine != DEV_ENGINE_AUTO;
    pthread_mutex_lock(&p->lock);
    struct compiled_code *c = code_of(k, &shape);
    const struct making job = {p, c, bc_str(p->module, l->kernel->name), l->kernel->nargs};
    if (c->state == COMPILED_ABSENT && (waits || k->interpreted_ns >= COMPILE_NS)) {
        c->state = COMPILED_MAKING;
        p->making++;
        pthread_mutex_unlock(&p->lock);
        if (waits || !start_thread(&job)) make_code(&job);
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

// ---- launches

static void note(struct compiled_kernel *k, const struct vm_launch *l, const char *name,
                 const char *why)
{
    const struct dev_settings *s = dev_settings();
    if (s->statistics) dev_statistics_engine(name, why);
    if (!s->verbose || k->told == why) return;
    k->told = why;
    if (!why)
        fprintf(dev_report_out(),
                "cldbg: launch %llu of kernel '%s' runs as machine code: it was proved by an "
                "earlier one\n",
                (unsigned long long)l->number, name);
    else
        fprintf(dev_report_out(), "cldbg: launch %llu of kernel '%s' is interpreted: %s\n",
                (unsigned long long)l->number, name, why);
}

/** For --engine=auto: the interpreter works on many lanes at once where LLVM does not vectorize. */
static bool is_slower(struct compiled_program *p, const struct compiled_proof *v)
{
    enum { RUNS = 3 }; // one alone may have been disturbed
    pthread_mutex_lock(&p->lock);
    const bool slower = v->compiled >= RUNS && v->compiled_ns > v->interpreted_ns;
    pthread_mutex_unlock(&p->lock);
    return slower && dev_settings()->engine == DEV_ENGINE_AUTO;
}

/** Runs a proved launch as machine code. False: it has to be interpreted, *why says why. */
static bool run_proved(struct compiled_program *p, struct compiled_kernel *k,
                       const struct vm_launch *l, struct compiled_proof *v, const char **why)
{
    if (is_slower(p, v)) {
        *why = "its machine code takes longer";
        return false;
    }
    const struct compiled_code *c = compiled_code_for(p, k, l, why);
    if (!c) return false;
    const uint64_t begin = now();
    struct err *e = native_run_proved(p->module, l, c->code, &c->info);
    if (e) {
        *why = "the system lacks memory for its machine code";
        err_free(e);
        return false;
    }
    if (!(l->cancel && *l->cancel))
        for (uint32_t i = 0; i < l->kernel->nargs; i++)
            dev_written_mark(&v->written[i], &l->args[i].buffer);
    const uint64_t took = now() - begin;
    pthread_mutex_lock(&p->lock);
    v->compiled++;
    if (!v->compiled_ns || took < v->compiled_ns) v->compiled_ns = took;
    pthread_mutex_unlock(&p->lock);
    if (dev_settings()->statistics) dev_statistics_add(p->module, l, &(struct vm_stats){0}, took);
    return true;
}

static struct err *interpret(struct compiled_program *p, struct compiled_kernel *k,
                             const struct vm_launch *l, const struct str *key, bool *is_clean)
{
    const uint32_t n = l->kernel->nargs;
    bool clean = false, *fresh = mem_alloc(n + 1);
    for (uint32_t i = 0; i < n; i++) fresh[i] = dev_is_unwritten(&l->args[i].buffer);
    struct vm_launch v = *l;
    v.is_clean = &clean;
    const uint64_t begin = now();
    struct err *e = dev_interp.launch(p->checked, &v);
    const uint64_t took = now() - begin;
    if (!e && clean && !(l->cancel && *l->cancel)) keep_proof(p, k, l, key, fresh, took);
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
    pthread_mutex_lock(&p->lock);
    struct compiled_proof *v = find_proof(k, &key);
    const bool usable = v && knows_written(v, l);
    pthread_mutex_unlock(&p->lock);
    struct err *e = NULL;
    *why = !v ? "no launch like it was checked yet"
              : "it is not known which bytes of a buffer that is not wholly initialized it writes";
    if (dev_settings()->engine == DEV_ENGINE_CHECK)
        e = compiled_check(p, k, l, v != NULL, interpret, &key);
    else if (usable && run_proved(p, k, l, v, why)) *why = NULL;
    else e = interpret(p, k, l, &key, NULL);
    str_deinit(&key);
    return e;
}

static struct err *launch(void *program, const struct vm_launch *l)
{
    struct compiled_program *p = program;
    struct compiled_kernel *k = kernel_of(p, l);
    const char *const name = bc_str(p->module, l->kernel->name), *why = why_not(p, k, l);
    const bool is_proved = dev_settings()->engine == DEV_ENGINE_CHECK && all_checks(l) &&
                           compiled_is_proved(p, l);
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

const struct dev_device_ops dev_compiled = {
    .name = "compiled",
    .program_load = load,
    .program_unload = compiled_unload,
    .launch = launch,
    .variable = variable,
};
