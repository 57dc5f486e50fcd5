// SPDX-License-Identifier: MIT
// Arguments of `cldbg verify`: those of `cldbg run`, and open values: int=any, int=1..4096.
#include "cli/verify.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/** The numbers of "=1..4096" for values of a->type. */
static struct err *read_range(struct verify_arg *a, const char *equals, const char *dots)
{
    char *end;
    a->has_range = true;
    errno = 0;
    a->lo = strtoll(equals + 1, &end, 0);
    const bool low = end == dots && end > equals + 1;
    a->hi = strtoll(dots + 2, &end, 0);
    if (!low || *end || end == dots + 2 || errno || a->lo > a->hi || a->type.ncomp != 1 ||
        a->type.scalar->is_float)
        return err_new("--arg=%s: a range such as int=1..4096 is expected", a->spec);
    const unsigned bits = a->type.scalar->size * 8;
    const int64_t most = bits == 64                  ? INT64_MAX
                         : a->type.scalar->is_signed ? (1ll << (bits - 1)) - 1
                                                     : (1ll << bits) - 1;
    const int64_t least = !a->type.scalar->is_signed ? 0 : bits == 64 ? INT64_MIN : -most - 1;
    if (a->lo < least || a->hi > most)
        return err_new("--arg=%s: the range has numbers that are not of this type", a->spec);
    return NULL;
}

/**
 * "int=1..4096", "int=any" and buffers such as "int[64]=any" and "int[64]=0..63"; the others are as
 * for `cldbg run`.
 */
static struct err *read_open(struct verify_arg *a, struct arena *arena)
{
    const char *equals = strrchr(a->spec, '='), *dots = equals ? strstr(equals, "..") : NULL;
    const char *bracket = strchr(a->spec, '['), *name = a->spec;
    if (!equals || *a->spec == '{' || (strcmp(equals + 1, "any") && !dots)) return NULL;
    if (str_starts(name, "ro:") || str_starts(name, "wo:")) name += 3;
    a->type = cmd_type_find(name, (size_t)((bracket ? bracket : equals) - name));
    if (!a->type.scalar) return NULL;
    if (!dots) a->is_any = true;
    struct err *e = dots ? read_range(a, equals, dots) : NULL;
    a->is_open = !bracket;
    a->any_contents = bracket && a->is_any;
    if (bracket) // the first run has any numbers, or the least
        a->spec = a->is_any ? arena_printf(arena, "%.*s=rand", (int)(equals - a->spec), a->spec)
                            : arena_printf(arena, "%.*s=%lld", (int)(equals - a->spec), a->spec,
                                           (long long)a->lo);
    return e;
}

static struct proof_arg to_question(const struct verify_job *j, unsigned i)
{
    const struct verify_arg *a = &j->args[i];
    if (a->is_open && a->is_any) return (struct proof_arg){.kind = PROOF_ANY};
    if (a->is_open) return (struct proof_arg){.kind = PROOF_RANGE, .lo = a->lo, .hi = a->hi};
    switch (a->arg.kind) {
    case CMD_ARG_VALUE:
        return (struct proof_arg){.kind = PROOF_VALUE, .bytes = a->arg.data, .size = a->arg.size};
    case CMD_ARG_BUFFER:
        return (struct proof_arg){.kind = PROOF_BUFFER,
                                  .size = a->arg.size,
                                  .object = i,
                                  .defined = a->arg.data != NULL,
                                  .read_only = a->arg.read_only,
                                  .write_only = a->arg.write_only};
    case CMD_ARG_SAME: {
        struct proof_arg same = to_question(j, a->arg.same);
        same.object = a->arg.same;
        return same;
    }
    case CMD_ARG_NULL: return (struct proof_arg){.kind = PROOF_NULL};
    case CMD_ARG_LOCAL: return (struct proof_arg){.kind = PROOF_LOCAL, .size = a->arg.size};
    default: return (struct proof_arg){.kind = PROOF_OPAQUE};
    }
}

static struct err *read_arg(struct verify_job *j, const struct cmd_kernel *k, unsigned i,
                            struct cmd_arg *all)
{
    struct verify_arg *a = &j->args[i];
    const uint64_t seed = j->options->v[DEV_OPT_SEED].given ? j->options->v[DEV_OPT_SEED].number
                                                            : 1;
    struct err *e = read_open(a, j->arena);
    if (e) return e;
    if (a->is_open) {
        const struct cmd_type t = cmd_type_find(k->params[i].type, strlen(k->params[i].type));
        if (k->params[i].space != CL_KERNEL_ARG_ADDRESS_PRIVATE || !t.scalar ||
            cmd_type_size(t) != cmd_type_size(a->type))
            return err_new("--arg=%s: argument %u is '%s %s'", a->spec, i, k->params[i].type,
                           k->params[i].name);
        return NULL;
    }
    e = cmd_spec_parse(j->arena, a->spec, seed + i, &all[i]);
    if (!e) e = err_wrap(cmd_kernel_check_arg(k, i, all), "--arg=%s", a->spec);
    if (!e) e = err_wrap(cmd_kernel_check_class(k, i, &all[i]), "--arg=%s", a->spec);
    a->arg = all[i];
    return e;
}

struct err *verify_read_args(struct verify_job *j, const struct cmd_kernel *k)
{
    const struct dev_option_value *specs = &j->options->v[DEV_OPT_ARG];
    if (specs->list.len != k->nparams) {
        struct str sig = {0};
        cmd_kernel_signature(k, &sig);
        struct err *e = err_new("kernel '%s' takes %u argument%s, %zu given with --arg%s%s",
                                k->name, k->nparams, k->nparams == 1 ? "" : "s", specs->list.len,
                                k->nparams ? ": " : "", str_text(&sig));
        str_deinit(&sig);
        return e;
    }
    j->nargs = k->nparams;
    j->args = arena_array(j->arena, struct verify_arg, k->nparams + 1);
    struct cmd_arg *all = arena_array(j->arena, struct cmd_arg, k->nparams + 1);
    struct proof_arg *args = arena_array(j->arena, struct proof_arg, k->nparams + 1);
    struct err *e = NULL;
    for (unsigned i = 0; i < k->nparams && !e; i++) {
        j->args[i].spec = specs->list.data[i];
        e = read_arg(j, k, i, all);
        if (!e) args[i] = to_question(j, i);
    }
    j->question =
        (struct proof_question){.kernel = k->name,
                                .work_dim = j->range.dims,
                                .sub_group = dev_settings()->sub_group,
                                .assumes = true,
                                .nargs = k->nparams,
                                .args = args,
                                .seconds = j->options->v[DEV_OPT_SECONDS].given
                                               ? (uint32_t)j->options->v[DEV_OPT_SECONDS].number
                                               : 60};
    for (unsigned d = 0; d < 3; d++) {
        j->question.global[d] = j->range.global[d];
        j->question.local[d] = j->range.local[d];
        j->question.offset[d] = j->range.offset[d];
    }
    return e;
}
