// SPDX-License-Identifier: MIT
// Barriers that no launch needed are needless for any data if the kernel without all of them has no
// data race and no divergence: then each read has one possible value, that of the kernel with them.
// This does not hold of atomics, whose order a barrier may decide without a race.
#include "devices/barrier_proofs.h"

#include "devices/launch_question.h"

#include "base/map.h"
#include "base/mem.h"
#include "look/look.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_SHAPES = 8, QUESTION_SECONDS = 5, MOST_SECONDS = 30 };

/** Launches of one kernel with equal sizes, arguments and sizes of buffers. */
struct shape {
    uint64_t hash;
    uint32_t kernel;
    struct str question;
    uint64_t asked, proved; // sets of barriers: of the last question; that are needless together
    char *sizes;            // of the launch, once something is proved
};
struct program {
    const struct bc_module *m;
    void *bitcode;
    size_t size;
    VEC(struct shape) shapes;
    bool *more; // by kernel: there are others than those in `shapes`
};

static struct {
    pthread_mutex_t lock; // guards all below
    double seconds;       // that questions took
    VEC(struct program *) programs;
} all = {.lock = PTHREAD_MUTEX_INITIALIZER};

static struct program *find(const struct bc_module *m) // under the lock
{
    for (size_t i = 0; i < all.programs.len; i++)
        if (all.programs.data[i]->m == m) return all.programs.data[i];
    return NULL;
}

void dev_barriers_program(const struct bc_module *m, struct dev_blob bitcode)
{
    struct program *const p = mem_alloc(sizeof *p);
    *p = (struct program){.m = m,
                          .bitcode = bitcode.size ? mem_dup(bitcode.data, bitcode.size) : NULL,
                          .size = bitcode.size,
                          .more = mem_alloc((m->nkernels + 1) * sizeof *p->more)};
    pthread_mutex_lock(&all.lock);
    vec_push(&all.programs, p);
    pthread_mutex_unlock(&all.lock);
}

void dev_barriers_launch(const struct bc_module *m, const struct vm_launch *l)
{
    struct arena a = {0};
    struct shape s = {.kernel = (uint32_t)(l->kernel - m->kernels)};
    struct proof_question q = dev_launch_question(l, m, &a, true);
    q.seconds = QUESTION_SECONDS;
    q.assumes = true;
    q.wanted = 1u << PROOF_DIVERGENCE | 1u << PROOF_LOCAL_RACES | 1u << PROOF_GROUP_RACES |
               1u << PROOF_GLOBAL_RACES;
    proof_put_question(&s.question, &q);
    s.hash = hash_bytes(s.question.data, s.question.len, s.kernel);
    arena_deinit(&a);
    unsigned n = 0;
    bool is_known = false;
    pthread_mutex_lock(&all.lock);
    struct program *const p = find(m);
    for (size_t i = 0; p && i < p->shapes.len; i++) {
        n += p->shapes.data[i].kernel == s.kernel;
        is_known |= p->shapes.data[i].hash == s.hash;
    }
    if (p && !is_known && n < MOST_SHAPES) {
        vec_push(&p->shapes, s);
        s.question = (struct str){0};
    } else if (p && !is_known) {
        p->more[s.kernel] = true;
    }
    pthread_mutex_unlock(&all.lock);
    str_deinit(&s.question);
}

/** Barriers that were passed and that none of the kernel's launches needed, all together. */
static uint64_t candidates(const struct vm_barrier_uses *u)
{
    uint64_t kept = u->uses.needed;
    for (unsigned best = 0; best <= RACE_BARRIERS;) { // a greedy hitting set, as in the report
        unsigned most = 0;
        best = RACE_BARRIERS + 1;
        for (unsigned b = 0; b <= RACE_BARRIERS; b++) {
            unsigned in = 0;
            for (unsigned i = 0; i < u->uses.nsets; i++)
                in += !(u->uses.sets[i] & kept) && u->uses.sets[i] >> b & 1;
            if (in > most) most = in, best = b;
        }
        if (best <= RACE_BARRIERS) kept |= 1ull << best;
    }
    return u->is_unknown || u->uses.is_cut ? 0 : u->uses.passed & ~kept & ((1ull << u->n) - 1);
}

static bool has_atomics(const struct bc_module *m)
{
    bool has = false;
    for (uint32_t i = 1; i < m->nsites; i++) has |= m->sites[i].kind >= BC_ATOMIC_RMW;
    return has;
}

/** Asks whether the kernel has no races without these barriers, in launches of this shape. */
static void ask(const struct program *p, struct shape *s, const struct proof_line *at, uint32_t n)
{
    const struct dev_blob object = {p->bitcode, p->size};
    const struct dev_build b = {
        .kind = DEV_BUILD, .options = "", .objects = &object, .nobjects = 1};
    struct arena a = {0};
    struct proof_question q;
    struct proof_answer answer = {0};
    struct timespec from, to;
    struct err *e = proof_get_question(s->question.data, s->question.len, &a, &q);
    q.dropped = at;
    q.ndropped = n;
    clock_gettime(CLOCK_MONOTONIC, &from);
    if (!e) e = dev_prove(&b, &q, &a, &answer);
    clock_gettime(CLOCK_MONOTONIC, &to);
    all.seconds += (double)(to.tv_sec - from.tv_sec) + 1e-9 * (double)(to.tv_nsec - from.tv_nsec);
    bool is = !e;
    for (int k = 0; k < PROOF_PROPERTIES && is; k++)
        is = !(q.wanted >> k & 1) || answer.of[k].result == PROOF_PROVED;
    struct str sizes = {0};
    for (int which = 0; is && which < 2; which++) {
        str_put(&sizes, which ? ", local " : "global ");
        for (uint32_t d = 0; d < q.work_dim; d++)
            str_printf(&sizes, "%s%llu", d ? "x" : "",
                       (unsigned long long)(which ? q.local : q.global)[d]);
    }
    if (is) s->proved = s->asked;
    if (is && !s->sizes) s->sizes = mem_strdup(str_text(&sizes));
    str_deinit(&sizes);
    err_free(e);
    arena_deinit(&a);
}

/** The barriers that are needless in all launches of the kernel so far, or none. */
static void judge(const struct program *p, uint32_t kernel, const struct vm_barrier_uses *u)
{
    const uint64_t set = candidates(u);
    struct proof_line at[RACE_BARRIERS];
    struct str sizes = {0};
    uint32_t n = 0;
    bool is = set && !p->more[kernel] && !has_atomics(p->m);
    for (uint64_t left = set; left; left &= left - 1) {
        const struct bc_loc *const loc = &p->m->locs[u->loc[__builtin_ctzll(left)]];
        at[n++] = (struct proof_line){loc->line, loc->col};
    }
    for (size_t i = 0; i < p->shapes.len && is; i++) {
        struct shape *const s = &p->shapes.data[i];
        if (s->kernel != kernel) continue;
        if (set & ~s->proved && set != s->asked && all.seconds < MOST_SECONDS) {
            s->asked = set;
            ask(p, s, at, n);
        }
        is = !(set & ~s->proved); // with more of the barriers there are no more races
        if (is && !strstr(str_text(&sizes), s->sizes))
            str_printf(&sizes, "%s%s", sizes.len ? "; " : "", s->sizes);
    }
    look_barriers_proved(p->m, kernel, is ? set : 0, str_text(&sizes));
    str_deinit(&sizes);
}

void dev_barriers_launched(const struct bc_module *m, const struct vm_launch *l)
{
    struct vm_coverage *const c = look_coverage_of(m);
    const uint32_t kernel = (uint32_t)(l->kernel - m->kernels);
    if (!c || !c->barriers) return;
    pthread_mutex_lock(&all.lock);
    const struct program *const p = find(m);
    pthread_mutex_lock(&c->lock);
    const struct vm_barrier_uses u = c->barriers[kernel];
    pthread_mutex_unlock(&c->lock);
    if (p && p->size) judge(p, kernel, &u);
    pthread_mutex_unlock(&all.lock);
}

static void destroy(struct program *p)
{
    for (size_t i = 0; i < p->shapes.len; i++) {
        str_deinit(&p->shapes.data[i].question);
        free(p->shapes.data[i].sizes);
    }
    vec_free(&p->shapes);
    free(p->bitcode);
    free(p->more);
    free(p);
}

void dev_barriers_unload(const struct bc_module *m)
{
    pthread_mutex_lock(&all.lock);
    struct program *const p = find(m);
    for (size_t i = 0; i < all.programs.len; i++)
        if (all.programs.data[i] == p) all.programs.data[i] = vec_last(&all.programs);
    if (p) all.programs.len--;
    pthread_mutex_unlock(&all.lock);
    if (p) destroy(p);
}
