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

/** Bytes of a buffer whose size is open, at most. */
static uint64_t largest(const struct verify_job *j, unsigned i)
{
    const struct verify_arg *a = &j->args[i];
    uint64_t n = a->factor * cmd_type_size(a->arg.type);
    const struct verify_arg *of = a->count_of ? &j->args[a->count_of - 1] : NULL;
    if (of && __builtin_mul_overflow(n, of->is_open ? (uint64_t)of->hi : of->value, &n))
        n = 1ull << 46;
    for (unsigned d = 0; d < 3 && !of; d++)
        if (__builtin_mul_overflow(n, j->range.global[d], &n)) n = 1ull << 46;
    return n;
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
                                  .size = a->factor ? largest(j, i) : a->arg.size,
                                  .unit = a->factor * cmd_type_size(a->arg.type),
                                  .size_of = a->count_of,
                                  .object = i,
                                  .defined = a->arg.data != NULL,
                                  .read_only = a->arg.read_only,
                                  .write_only = a->arg.write_only};
    case CMD_ARG_SAME: {
        struct proof_arg same = to_question(j, a->arg.same);
        same.object = a->arg.same;
        return same;
    }
    case CMD_ARG_IMAGE: {
        struct proof_arg image = {.kind = PROOF_IMAGE, .object = i, .defined = a->arg.data != NULL};
        for (unsigned d = 0; d < 3; d++)
            image.image[d] = d < a->arg.image.ndims ? a->arg.image.size[d] : 1;
        return image;
    }
    case CMD_ARG_SAMPLER:
        return (struct proof_arg){.kind = a->arg.sampler.addressing == CL_ADDRESS_NONE
                                              ? PROOF_OPAQUE
                                              : PROOF_CLAMPING_SAMPLER};
    case CMD_ARG_NULL: return (struct proof_arg){.kind = PROOF_NULL};
    case CMD_ARG_LOCAL: return (struct proof_arg){.kind = PROOF_LOCAL, .size = a->arg.size};
    default: return (struct proof_arg){.kind = PROOF_OPAQUE};
    }
}

/** What needs no other argument: an open value, and what the size of a buffer is made of. */
static struct err *read_open_arg(struct verify_job *j, const struct cmd_kernel *k, unsigned i)
{
    struct verify_arg *a = &j->args[i];
    struct err *e = verify_read_count(j, k, i);
    if (!e) e = read_open(a, j->arena);
    if (e || !a->is_open) return e;
    const struct cmd_type t = cmd_type_find(k->params[i].type, strlen(k->params[i].type));
    if (k->params[i].space != CL_KERNEL_ARG_ADDRESS_PRIVATE || !t.scalar ||
        cmd_type_size(t) != cmd_type_size(a->type))
        return err_new("--arg=%s: argument %u is '%s %s'", a->spec, i, k->params[i].type,
                       k->params[i].name);
    return NULL;
}

/** A buffer of that size is read as one of the largest size or, if that is too large, the least. */
static struct err *give_count(struct verify_job *j, struct cmd_arg *all, unsigned i,
                              const char **spec)
{
    struct verify_arg *a = &j->args[i], *of = a->count_of ? &j->args[a->count_of - 1] : NULL;
    struct verify_values most = {.of = arena_array(j->arena, uint64_t, j->nargs + 1)}, least = most;
    least.of = arena_array(j->arena, uint64_t, j->nargs + 1);
    memcpy(most.global, j->range.global, sizeof most.global);
    memcpy(least.global, j->global.lo, sizeof least.global);
    if (of && !of->is_open) {
        const struct cmd_arg *value = &all[a->count_of - 1];
        const bool is_number = a->count_of - 1 < i && value->kind == CMD_ARG_VALUE &&
                               value->type.scalar && value->type.ncomp == 1 &&
                               !value->type.scalar->is_float;
        of->value = is_number ? (uint64_t)cmd_value_to_int(value->type.scalar, value->data) : 0;
        most.of[a->count_of - 1] = least.of[a->count_of - 1] = of->value;
    } else if (of && of->has_range && of->lo > 0) {
        most.of[a->count_of - 1] = (uint64_t)of->hi;
        least.of[a->count_of - 1] = (uint64_t)of->lo;
    }
    uint64_t n = verify_count(j, i, &most);
    if (!n) n = verify_count(j, i, &least);
    if (!n)
        return err_new(
            "--arg=%s: its size needs an argument with a range from 1, or an earlier value",
            a->spec);
    *spec = verify_spec(j, i, n);
    return NULL;
}

static struct err *read_arg(struct verify_job *j, const struct cmd_kernel *k, unsigned i,
                            struct cmd_arg *all)
{
    struct verify_arg *a = &j->args[i];
    const uint64_t seed = j->options->v[DEV_OPT_SEED].given ? j->options->v[DEV_OPT_SEED].number
                                                            : 1;
    if (a->is_open) return NULL;
    const char *spec = a->spec;
    struct err *e = a->factor ? give_count(j, all, i, &spec) : NULL;
    if (!e) e = cmd_spec_parse(j->arena, spec, seed + i, &all[i]);
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
        e = read_open_arg(j, k, i);
    }
    for (unsigned i = 0; i < k->nparams && !e; i++) {
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
        if (j->global.lo[d] < j->global.hi[d]) j->question.fewest[d] = j->global.lo[d];
        j->question.local[d] = j->range.local[d];
        if (j->local.lo[d] < j->local.hi[d]) j->question.least_local[d] = j->local.lo[d];
        j->question.offset[d] = j->range.offset[d];
    }
    return e;
}
