// SPDX-License-Identifier: MIT
// Launches are of one shape if kernel, sizes, and buffers are equal. For each shape, the question
// is first asked for any values of the scalar arguments; if that does not prove all, for the values
// of the launches, as many as MOST_VALUES.
#include "devices/verification.h"

#include "devices/launch_question.h"
#include "devices/proof_report.h"

#include "base/map.h"
#include "base/mem.h"
#include "base/own_thread.h"
#include "report/sink.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MOST_VALUES = 8, MOST_SHAPES = 10000, QUESTION_SECONDS = 10 };

struct program {
    uint64_t hash; // of the bitcode
    void *bitcode;
    size_t size;
    unsigned users; // the loaded program, and questions that were not asked yet
};
struct inquiry {
    struct proof_question question; // in the arena of the shape
    uint64_t hash;
    bool is_done;
    struct err *failure;
    struct proof_answer answer; // in the arena
};
struct shape {
    struct program *program;
    char *kernel;
    struct arena arena;
    struct inquiry any; // scalar arguments of any value
    VEC(struct inquiry *) values;
    bool more_values; // than MOST_VALUES
};

static struct {
    pthread_mutex_t lock; // guards all below
    pthread_cond_t changed;
    pid_t pid;           // a child that the app forks verifies nothing
    struct map programs; // module → struct program
    struct map by_hash;  // of a shape's question
    VEC(struct shape *) shapes;
    size_t next; // shape that the thread looks at
    bool is_working, is_ending;
} all = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static void release(struct program *p) // under the lock
{
    if (--p->users) return;
    free(p->bitcode);
    free(p);
}

void dev_verify_program(const struct bc_module *m, struct dev_blob bitcode)
{
    struct program *p = mem_alloc(sizeof *p);
    *p = (struct program){.hash = hash_bytes(bitcode.data, bitcode.size, 1),
                          .bitcode = bitcode.size ? mem_dup(bitcode.data, bitcode.size) : NULL,
                          .size = bitcode.size,
                          .users = 1};
    pthread_mutex_lock(&all.lock);
    *map_put_ptr(&all.programs, m, NULL) = (uintptr_t)p;
    pthread_mutex_unlock(&all.lock);
}

void dev_verify_unload(const struct bc_module *m)
{
    pthread_mutex_lock(&all.lock);
    uint64_t *at = map_get_ptr(&all.programs, m);
    if (at && *at) release((struct program *)(uintptr_t)*at);
    if (at) *at = 0;
    pthread_mutex_unlock(&all.lock);
}

// ---- the thread that asks

/** The next inquiry that was not made; NULL: there is none. */
static struct inquiry *next_inquiry(struct shape **of)
{
    for (; all.next < all.shapes.len; all.next++) {
        struct shape *s = all.shapes.data[all.next];
        *of = s;
        if (!s->any.is_done) return &s->any;
        if (!s->any.failure && proof_all_proved(&s->any.answer)) continue;
        for (size_t i = 0; i < s->values.len; i++)
            if (!s->values.data[i]->is_done) return s->values.data[i];
    }
    return NULL;
}

static void *ask_all(void *unused)
{
    struct shape *s;
    pthread_mutex_lock(&all.lock);
    for (struct inquiry *q; !all.is_ending && (q = next_inquiry(&s));) {
        struct program *p = s->program;
        const struct dev_blob object = {p->bitcode, p->size};
        const struct dev_build b = {
            .kind = DEV_BUILD, .options = "", .objects = &object, .nobjects = 1};
        struct arena a = {0};
        struct proof_answer answer = {0};
        struct str copy = {0};
        pthread_mutex_unlock(&all.lock);
        struct err *e =
            p->size
                ? dev_prove(&b, &q->question, &a, &answer)
                : err_new("the program was neither built in this process nor by an earlier one");
        if (!e) proof_put_answer(&copy, &answer);
        pthread_mutex_lock(&all.lock);
        if (!e) e = proof_get_answer(copy.data, copy.len, &s->arena, &q->answer);
        q->failure = e;
        q->is_done = true;
        str_deinit(&copy);
        arena_deinit(&a);
    }
    all.is_working = false;
    pthread_cond_broadcast(&all.changed);
    pthread_mutex_unlock(&all.lock);
    return unused;
}

// ---- launches

static uint64_t hash_of(const struct proof_question *q, uint64_t seed)
{
    struct str text = {0};
    proof_put_question(&text, q);
    const uint64_t h = hash_bytes(text.data, text.len, seed);
    str_deinit(&text);
    return h;
}

/** A copy in the arena; `open`: scalar arguments have any value. */
static struct proof_question copy_of(struct arena *a, const struct proof_question *q, bool open)
{
    struct proof_question copy = *q;
    copy.assumes = true;
    struct proof_arg *args = arena_dup(a, q->args, (q->nargs + 1) * sizeof *args);
    for (uint32_t i = 0; i < q->nargs; i++) {
        if (args[i].kind != PROOF_VALUE) continue;
        if (open && args[i].size <= 8) args[i] = (struct proof_arg){.kind = PROOF_ANY};
        else args[i].bytes = arena_dup(a, args[i].bytes, args[i].size);
    }
    copy.kernel = arena_strdup(a, q->kernel);
    copy.args = args;
    copy.seconds = QUESTION_SECONDS;
    return copy;
}

static struct shape *shape_of(struct program *p, const struct proof_question *q)
{
    struct arena a = {0};
    struct proof_question open = copy_of(&a, q, true);
    bool is_new;
    uint64_t *at = map_put(&all.by_hash, hash_of(&open, p->hash), &is_new);
    if (is_new && all.shapes.len < MOST_SHAPES) {
        struct shape *s = mem_alloc(sizeof *s);
        *s = (struct shape){.program = p, .kernel = mem_strdup(q->kernel), .arena = a};
        s->any.question = open;
        p->users++;
        vec_push(&all.shapes, s);
        *at = (uintptr_t)s;
    } else {
        arena_deinit(&a);
    }
    return (struct shape *)(uintptr_t)*at;
}

static void add_values(struct shape *s, const struct proof_question *q)
{
    const uint64_t hash = hash_of(q, 0);
    for (size_t i = 0; i < s->values.len; i++)
        if (s->values.data[i]->hash == hash) return;
    s->more_values |= s->values.len == MOST_VALUES;
    if (s->more_values) return;
    struct inquiry *v = mem_alloc(sizeof *v);
    *v = (struct inquiry){.question = copy_of(&s->arena, q, false), .hash = hash};
    vec_push(&s->values, v);
    for (size_t i = 0; i < all.next; i++)
        if (all.shapes.data[i] == s) all.next = i;
}

static void finish(void);
static void begin(void)
{
    dev_report(); // its exit handler runs after ours
    all.pid = getpid();
    atexit(finish);
}

void dev_verify_launch(const struct bc_module *m, const struct vm_launch *l)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    struct arena a = {0};
    pthread_once(&once, begin);
    if (all.pid != getpid()) return;
    const struct proof_question q = dev_launch_question(l, m, &a, true);
    pthread_mutex_lock(&all.lock);
    const uint64_t *p = map_get_ptr(&all.programs, m);
    struct shape *s = p && *p ? shape_of((struct program *)(uintptr_t)*p, &q) : NULL;
    if (s) add_values(s, &q);
    if (s && !all.is_working && !all.is_ending && all.next < all.shapes.len)
        all.is_working = own_thread_start(ask_all, NULL, 0);
    pthread_mutex_unlock(&all.lock);
    arena_deinit(&a);
}

// ---- the result

static const char *why_not(const struct inquiry *q, char buf[200])
{
    if (!q->is_done) return "there was not enough time (--seconds)";
    if (!q->failure) return NULL;
    snprintf(buf, 200, "%s", err_message(q->failure));
    return buf;
}

/** A property of the shape: for any values, or for each of those that launches had. */
static struct proof_decision decide(const struct shape *s, enum proof_property p, char buf[200])
{
    const struct inquiry *open = NULL; // what is not proved
    if (s->any.is_done && !s->any.failure && s->any.answer.of[p].result == PROOF_PROVED)
        return (struct proof_decision){.result = DECIDED_PROVED};
    if (!s->any.is_done || s->any.failure || s->more_values) open = &s->any;
    for (size_t i = 0; i < s->values.len && !open; i++) {
        const struct inquiry *v = s->values.data[i];
        if (!v->is_done || v->failure || v->answer.of[p].result != PROOF_PROVED) open = v;
    }
    if (!open) return (struct proof_decision){.result = DECIDED_PROVED};
    const char *because = why_not(open, buf);
    return (struct proof_decision){.verdict = because ? NULL : &open->answer.of[p],
                                   .because = because};
}

static struct proof_report report_of(const struct shape *s, char buf[200])
{
    const struct proof_question *q = &s->any.question;
    struct proof_report r = {.kernel = s->kernel,
                             .place = &s->any.answer.kernel,
                             .dims = q->work_dim,
                             .global = q->global,
                             .local = q->local,
                             .offset = q->offset,
                             .any_scalars = s->any.is_done && !s->any.failure &&
                                            proof_all_proved(&s->any.answer)};
    for (int p = 0; p < PROOF_PROPERTIES; p++) r.of[p] = decide(s, (enum proof_property)p, buf);
    return r;
}

static json_t *make_proofs(void *unused)
{
    json_t *list = json_array();
    char buf[200];
    (void)unused;
    pthread_mutex_lock(&all.lock);
    for (size_t i = 0; i < all.shapes.len; i++) {
        const struct proof_report r = report_of(all.shapes.data[i], buf);
        json_array_append_new(list, proof_report_json(&r));
    }
    pthread_mutex_unlock(&all.lock);
    return list;
}

static uint64_t no_news(void) { return 0; }

static void put_sizes(struct str *s, const char *name, const uint64_t *v, unsigned n)
{
    str_printf(s, "%s%s ", str_ends(str_text(s), "(") ? "" : ", ", name);
    for (unsigned d = 0; d < n; d++)
        str_printf(s, "%s%llu", d ? "x" : "", (unsigned long long)v[d]);
}

/** Of the kernels, each counted once: how many are free of races and divergence in all shapes. */
static void count(struct rep_totals *t)
{
    struct map kernels = {0}; // → 1 + whether something is not proved
    char buf[200];
    uint64_t proved = 0;
    for (size_t i = 0; i < all.shapes.len; i++) {
        const struct shape *s = all.shapes.data[i];
        const struct proof_report r = report_of(s, buf);
        uint64_t *at =
            map_put(&kernels, hash_bytes(s->kernel, strlen(s->kernel), s->program->hash), NULL);
        const bool good = proof_report_is_race_free(&r);
        if (!*at) proved += good;
        else if (*at == 1 && !good) proved--;
        if (*at != 2) *at = good ? 1 : 2;
    }
    rep_count(&t->verified_kernels, kernels.len);
    rep_count(&t->proved_kernels, proved);
    map_deinit(&kernels);
}

static void put_report(struct str *s, const struct proof_report *r)
{
    unsigned open = 0;
    for (int p = 0; p < PROOF_PROPERTIES; p++) open += r->of[p].result != DECIDED_PROVED;
    if (!open && !dev_settings()->verbose) return;
    str_printf(s, "kernel '%s' (", r->kernel);
    put_sizes(s, "global", r->global, r->dims);
    put_sizes(s, "local", r->local, r->dims);
    str_printf(s, "), for any contents of its buffers%s:\n",
               r->any_scalars ? "" : " and the launches' values of other arguments");
    proof_report_text(s, r, dev_settings()->verbose);
}

/** Shapes with equal results, for example with two buffers exchanged, are shown once. */
static void print(void)
{
    struct map said = {0};
    struct str s = {0};
    char buf[200];
    for (size_t i = 0; i < all.shapes.len; i++) {
        const struct proof_report r = report_of(all.shapes.data[i], buf);
        bool is_new;
        str_clear(&s);
        put_report(&s, &r);
        map_put(&said, hash_bytes(s.data, s.len, 0), &is_new);
        if (is_new) rep_write_safe(dev_report_out(), str_text(&s));
    }
    map_deinit(&said);
    str_deinit(&s);
}

/** The app ends: waits for the proofs as long as --seconds says. */
static void finish(void)
{
    struct timespec until;
    if (all.pid != getpid()) return;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += dev_settings()->proof_seconds;
    pthread_mutex_lock(&all.lock);
    while (all.is_working && pthread_cond_timedwait(&all.changed, &all.lock, &until) != ETIMEDOUT) {
    }
    all.is_ending = true;
    print();
    count(rep_totals(dev_report()));
    pthread_mutex_unlock(&all.lock);
    rep_add_member(dev_report(), &(struct rep_member){"proofs", make_proofs, no_news, NULL});
}
