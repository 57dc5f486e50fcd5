// SPDX-License-Identifier: MIT
// Verdicts with their reasons and places.
#include "proof/kernel.h"

#include "base/str.h"
#include "llvm/ir.h"

#include <stdarg.h>
#include <time.h>

double pk_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

bool pk_is_late(const struct pk *k) { return k->deadline > 0 && pk_now() > k->deadline; }

bool pk_is_wanted(const struct pk *k, enum proof_property p)
{
    return !k->q->wanted || (k->q->wanted >> p & 1);
}

static struct proof_place place_at(struct pk *k, uint32_t loc)
{
    if (!loc) return (struct proof_place){0};
    uint32_t n;
    const struct fe_loc *at = &fe_debug_locs(k->debug, &n)[loc];
    const struct fe_file *file = &fe_debug_files(k->debug, &n)[at->file];
    return (struct proof_place){
        .file = arena_strdup(k->arena, file->path ? file->path : file->name),
        .function = arena_strdup(k->arena, at->function),
        .line = at->line,
        .column = at->col};
}

struct proof_place pk_place_of_kernel(struct pk *k)
{
    return place_at(k, k->debug ? fe_debug_function(k->debug, k->fn) : 0);
}

static struct proof_place place_of(struct pk *k, LLVMValueRef insn)
{
    const bool is_known = insn && LLVMIsAInstruction(insn) && k->debug;
    return place_at(k, is_known ? fe_debug_insn(k->debug, insn) : 0);
}

/** What would help where the caller knows nothing more specific. */
static const char *usual_help(enum proof_property p, enum proof_result result)
{
    if (result == PROOF_CANDIDATE)
        return "an assumption about the values that decide it (// cldbg-assume: condition), a "
               "range "
               "for the scalar arguments, or more runs (--search=SECONDS)";
    switch (p) {
    case PROOF_DIVERGENCE:
        return "a condition on values that are the same in the whole group, or more runs "
               "(--search=SECONDS)";
    case PROOF_INITIALIZED:
        return "a write of each element by the work-item of that index, before a barrier that "
               "every path to the read passes; or more runs (--search=SECONDS)";
    default:
        return "other code there, as proofs do not model this; or more runs (--search=SECONDS)";
    }
}

static void set(struct pk *k, enum proof_property p, enum proof_result result, const char *reason,
                const char *help, struct pk_sites at)
{
    struct proof_verdict *v = &k->out->of[p];
    if (v->result == PROOF_CANDIDATE || (v->result == PROOF_UNKNOWN && result == PROOF_UNKNOWN))
        return;
    *v = (struct proof_verdict){.result = result,
                                .reason = reason,
                                .help = help ? help : usual_help(p, result),
                                .place = {place_of(k, at.at), place_of(k, at.other)}};
}

void pk_unknown(struct pk *k, enum proof_property p, struct pk_sites at, const char *help,
                const char *reason, ...)
{
    struct str s = {0};
    va_list ap;
    va_start(ap, reason);
    str_vprintf(&s, reason, ap);
    va_end(ap);
    set(k, p, PROOF_UNKNOWN, arena_strdup(k->arena, str_text(&s)), help, at);
    str_deinit(&s);
}

void pk_candidate(struct pk *k, enum proof_property p, struct pk_sites at, const char *reason)
{
    set(k, p, PROOF_CANDIDATE, reason, NULL, at);
    k->out->of[p].nvalues = k->nvalues;
    k->out->of[p].values = k->model;
}

const char *pk_name_of(struct pk *k, unsigned base)
{
    LLVMValueRef v = k->bases.data[base].value;
    if (!v) return "null";
    const char *name = k->debug ? fe_debug_variable_name(k->debug, v) : NULL;
    if (name) return name;
    if (LLVMIsAArgument(v) && *l_name(v)) return l_name(v);
    const char *dot = strrchr(l_name(v), '.'); // kernel.variable
    return dot ? dot + 1 : *l_name(v) ? l_name(v) : "memory";
}
