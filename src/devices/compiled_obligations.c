// SPDX-License-Identifier: MIT
// Kernels in which data decides something: obligations.
//
// No launch of such a kernel proves another one. A launch has to have the properties of
// bytecode/properties.def, and to end. The proof engine is asked about them, for any contents of
// the buffers. If it does not prove one, `duties` names a check that machine code can make
// (bytecode/question.h), and the engine is asked again, with the check assumed. If a property is
// left, the launch is interpreted, as it is when a check fails: memory is restored, and the
// interpreter reports what is wrong, if anything is.
#include "devices/compiled_device.h"

#include "devices/launch_question.h"
#include "devices/native_shadow.h"

#include "base/mem.h"
#include "base/own_thread.h"

#include <stdlib.h>
#include <string.h>

/** In the order in which they are tried. */
static const struct {
    enum proof_property property;
    enum proof_check check;
    const char *name;
} duties[] = {
    {PROOF_BOUNDS, PROOF_CHECK_BOUNDS, "bounds"},
    {PROOF_DIVISIONS, PROOF_CHECK_DIVISIONS, "divisions"},
    {PROOF_LOCAL_RACES, PROOF_CHECK_LOCAL, "local memory"},
    {PROOF_INITIALIZED, PROOF_CHECK_PRIVATE, "private memory"},
    {PROOF_INITIALIZED, PROOF_CHECK_LOCAL, "local memory"},
    {PROOF_GROUP_RACES, PROOF_CHECK_GLOBAL, "races on global memory"},
    {PROOF_GLOBAL_RACES, PROOF_CHECK_GLOBAL, "races on global memory"},
    {PROOF_OTHER, PROOF_CHECK_CONVERSIONS, "conversions"},
    {PROOF_OTHER, PROOF_CHECK_BOUNDS, "bounds"},
};
enum { DUTIES = sizeof duties / sizeof *duties };

/** The next check for each property that is not proved; 0: there is none for one of them. */
static uint32_t more_checks(const struct proof_answer *a, uint32_t checks, const char **why)
{
    uint32_t more = 0;
    for (int p = 0; p < PROOF_PROPERTIES; p++) {
        uint32_t next = 0;
        if (a->of[p].result == PROOF_PROVED) continue;
        for (unsigned d = 0; d < DUTIES && !next; d++)
            if ((int)duties[d].property == p && !(checks & duties[d].check)) next = duties[d].check;
        if (!next && !*why) *why = a->of[p].reason;
        more |= next;
    }
    return more;
}

void compiled_name_checks(uint32_t checks, struct str *out)
{
    uint32_t named = 0;
    for (unsigned d = 0; d < DUTIES; d++) {
        if (!(checks & duties[d].check) || named & duties[d].check) continue;
        str_printf(out, "%s%s", named ? ", " : "", duties[d].name);
        named |= duties[d].check;
    }
}

struct asking {
    struct compiled_program *p;
    struct compiled_proof *v;
    struct arena arena;
    struct proof_question question;
    uint64_t slowest; // of its answers, in ns
    uint64_t begin, budget;
    struct proof_range *ranges;
};

static void settle(struct asking *x, bool proved, uint32_t checks, const char *why)
{
    struct str s = {0};
    const uint64_t took = compiled_now() - x->begin;
    const bool is_late = !proved && took >= x->budget; // to be asked again, for longer
    if (proved && checks) compiled_name_checks(checks, &s);
    else if (!proved && !is_late) str_put(&s, why ? why : "it was not proved");
    pthread_mutex_lock(&x->p->lock);
    x->v->state = proved ? COMPILED_PROVED : is_late ? COMPILED_UNKNOWN : COMPILED_UNPROVED;
    if (is_late) x->v->patience = 2 * took;
    x->v->checks = checks | NAT_CHECK_ENDS;
    x->v->ranges = x->ranges;
    if (s.len) x->v->text = str_take(&s);
    pthread_mutex_unlock(&x->p->lock);
}

/** An access that a check finds to be out of bounds is made at the beginning of its buffer. */
static void keep_ranges(struct asking *x, const struct proof_answer *a, uint32_t checks)
{
    free(x->ranges);
    x->ranges = mem_dup(a->written, (a->nargs + 1) * sizeof *a->written);
    for (uint32_t i = 0; i < a->nargs && checks & PROOF_CHECK_BOUNDS; i++)
        if (x->ranges[i].to) x->ranges[i] = (struct proof_range){0, UINT64_MAX};
}

/** Asks with these checks. False: not proved; *more: what else to check, or 0 and the reason. */
static bool ask_with(struct asking *x, uint32_t checks, uint32_t *more, char **why)
{
    struct proof_answer answer;
    struct arena a = {0};
    const char *reason = NULL;
    const uint64_t begin = compiled_now(), used = begin - x->begin;
    *more = 0;
    if (used >= x->budget) return false;
    x->question.checks = checks;
    compiled_limit(&x->question, x->budget - used);
    struct err *e = compiled_ask(x->p, &x->question, &a, &answer);
    x->slowest = compiled_now() - begin > x->slowest ? compiled_now() - begin : x->slowest;
    const bool proved = !e && proof_all_proved(&answer) && answer.nargs == x->question.nargs;
    if (proved) keep_ranges(x, &answer, checks);
    *more = e || proved ? 0 : more_checks(&answer, checks, &reason);
    if (!proved && !*more) *why = mem_strdup(e ? err_message(e) : reason ? reason : "");
    err_free(e);
    arena_deinit(&a);
    return proved;
}

/** Takes away the checks that are not needed after all. */
static uint32_t fewer_checks(struct asking *x, uint32_t checks)
{
    const uint64_t second = 1000000000;
    for (uint32_t bit = 1; bit <= checks && x->slowest < second; bit *= 2) {
        uint32_t more;
        char *why = NULL;
        if (checks & bit && checks != bit && ask_with(x, checks & ~bit, &more, &why))
            checks &= ~bit;
        free(why);
    }
    return checks;
}

static void ask(struct asking *x)
{
    uint32_t checks = 0, more;
    char *why = NULL;
    bool proved;
    while (!(proved = ask_with(x, checks, &more, &why)) && more) checks |= more;
    if (proved) checks = fewer_checks(x, checks);
    settle(x, proved, checks, why);
    compiled_effort_end(compiled_now() - x->begin);
    free(why);
    arena_deinit(&x->arena);
    compiled_release(x->p);
    free(x);
}

static void *ask_thread(void *context)
{
    ask(context);
    return NULL;
}

/** Starts the proof v: in the background with --engine=auto, at once otherwise. */
static void start(struct compiled_program *p, struct compiled_proof *v, const struct vm_launch *l,
                  uint64_t budget)
{
    struct asking *x = mem_alloc(sizeof *x);
    *x = (struct asking){.p = p, .v = v, .begin = compiled_now(), .budget = budget};
    compiled_hold(p);
    x->question = dev_launch_question(l, p->module, &x->arena, false);
    compiled_own_values(&x->arena, &x->question);
    if (dev_settings()->engine != DEV_ENGINE_AUTO || !own_thread_start(ask_thread, x, 0)) ask(x);
}

/**
 * The state of the launch's proof, which is asked for if that is worth it. Launches whose scalar
 * arguments are always new would ask each time: a kernel may ask a few times more than answers were
 * of use.
 */
static struct compiled_proof *obligations(struct compiled_program *p, struct compiled_kernel *k,
                                          const struct vm_launch *l, const struct str *key)
{
    enum { MOST_UNUSED = 8 };
    uint64_t budget;
    pthread_mutex_lock(&p->lock);
    struct compiled_proof *v = compiled_find_proof(k, key);
    if (!v) v = compiled_new_proof(k, key, l->kernel->nargs);
    const bool asks = v && v->state == COMPILED_UNKNOWN && k->asked < k->used + MOST_UNUSED &&
                      k->interpreted_ns >= compiled_threshold_ns() &&
                      compiled_effort_begin(v->patience, &budget);
    if (asks) {
        v->state = COMPILED_ASKING;
        k->asked++;
    }
    pthread_mutex_unlock(&p->lock);
    if (asks) start(p, v, l, budget);
    return v;
}

static enum compiled_proof_state state_of(struct compiled_program *p, struct compiled_proof *v,
                                          const char **why)
{
    pthread_mutex_lock(&p->lock);
    const enum compiled_proof_state s = v ? v->state : COMPILED_UNKNOWN;
    *why = s == COMPILED_ASKING     ? "its proof is not complete yet"
           : s == COMPILED_UNPROVED ? v->text
                                    : "data decides what it does, and it has not run for long";
    pthread_mutex_unlock(&p->lock);
    return s;
}

static void interpreted(struct compiled_program *p, struct compiled_kernel *k,
                        struct compiled_proof *v, uint64_t took)
{
    pthread_mutex_lock(&p->lock);
    k->interpreted_ns += took;
    compiled_effort_earn(took);
    if (v && (!v->interpreted_ns || took < v->interpreted_ns)) v->interpreted_ns = took;
    pthread_mutex_unlock(&p->lock);
}

struct err *compiled_launch_obliged(struct compiled_program *p, struct compiled_kernel *k,
                                    const struct vm_launch *l, const struct str *key,
                                    const char **why)
{
    struct compiled_proof *v = obligations(p, k, l, key);
    const enum compiled_proof_state s = state_of(p, v, why);
    if (dev_settings()->engine == DEV_ENGINE_CHECK)
        return compiled_check_obliged(p, k, l, s == COMPILED_PROVED ? v->checks : 0);
    if (s == COMPILED_PROVED && compiled_run_proved(p, k, l, v, false, why)) {
        *why = NULL;
        pthread_mutex_lock(&p->lock);
        k->used++;
        k->how = v->text;
        pthread_mutex_unlock(&p->lock);
        return NULL;
    }
    const uint64_t begin = compiled_now();
    struct err *e = dev_interp.launch(p->checked, l);
    interpreted(p, k, v, compiled_now() - begin);
    compiled_learn(p, k, l);
    return e;
}
