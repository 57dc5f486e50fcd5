// SPDX-License-Identifier: MIT
// What a kernel wants for its parameters, whether an argument is that, and as what it is dumped.
#include "cli/host.h"

#include <string.h>

static const char *space_name(cl_kernel_arg_address_qualifier space)
{
    return space == CL_KERNEL_ARG_ADDRESS_GLOBAL     ? "global "
           : space == CL_KERNEL_ARG_ADDRESS_CONSTANT ? "constant "
           : space == CL_KERNEL_ARG_ADDRESS_LOCAL    ? "local "
                                                     : "";
}

static const char *space_of(const struct cmd_param *p)
{
    return p->is_pipe ? "pipe " : space_name(p->space);
}

void cmd_kernel_signature(const struct cmd_kernel *k, struct str *out)
{
    for (unsigned i = 0; i < k->nparams; i++)
        str_printf(out, "%s%u: %s%s %s", i ? ", " : "", i, space_of(&k->params[i]),
                   k->params[i].type, k->params[i].name);
}

struct err *cmd_kernel_check_class(const struct cmd_kernel *k, unsigned i, const struct cmd_arg *a)
{
    const struct cmd_param *p = &k->params[i];
    const struct cmd_type t = cmd_type_find(p->type, strlen(p->type));
    if (p->space != CL_KERNEL_ARG_ADDRESS_PRIVATE || !t.scalar || a->kind != CMD_ARG_VALUE ||
        !a->type.scalar || a->type.scalar->is_float == t.scalar->is_float)
        return NULL;
    return err_new("argument %u ('%s %s') is %s, and %s has other bits; to pass these bits, "
                   "write the value in braces, as a struct",
                   i, p->type, p->name, t.scalar->is_float ? "floating point" : "an integer",
                   a->type.scalar->is_float ? "floating point" : "an integer");
}

struct err *cmd_kernel_check_arg(const struct cmd_kernel *k, unsigned i, const struct cmd_arg *args)
{
    const struct cmd_param *p = &k->params[i];
    const struct cmd_arg *a = &args[i];
    bool local = p->space == CL_KERNEL_ARG_ADDRESS_LOCAL,
         value = p->space == CL_KERNEL_ARG_ADDRESS_PRIVATE;
    bool image = cmd_is_image(p->type), sampler = !strcmp(p->type, "sampler_t");
    const char *wants = p->is_pipe ? "a pipe (pipe:int[64], or full: pipe:int[64]=0)"
                        : image    ? "an image (image:float4[64,32]=0)"
                        : sampler  ? "a sampler (sampler=nearest,edge)"
                        : local    ? "local memory (local:float[64])"
                        : value    ? "a value (int=5)"
                                   : "a buffer (float[1024]=0)";
    bool fits = p->is_pipe ? a->kind == CMD_ARG_PIPE
                : image    ? a->kind == CMD_ARG_IMAGE
                : sampler  ? a->kind == CMD_ARG_SAMPLER
                : local    ? a->kind == CMD_ARG_LOCAL
                : value    ? a->kind == CMD_ARG_VALUE
                           : a->kind == CMD_ARG_BUFFER || a->kind == CMD_ARG_NULL ||
                              a->kind == CMD_ARG_SAME;
    if (!fits)
        return err_new("argument %u ('%s%s %s') is %s", i, space_of(p), p->type, p->name, wants);
    if (a->kind == CMD_ARG_SAME && (a->same >= i || args[a->same].kind != CMD_ARG_BUFFER))
        return err_new("argument %u ('%s%s %s') must be the same buffer as argument %u, which is "
                       "not an earlier buffer",
                       i, space_of(p), p->type, p->name, a->same);
    if (image) return cmd_image_check(p->type, a);
    struct cmd_type t = cmd_type_find(p->type, strlen(p->type));
    if (p->is_pipe && t.scalar && cmd_type_size(t) != a->packet)
        return err_new("argument %u ('pipe %s %s') has packets of %zu bytes, %zu are given", i,
                       p->type, p->name, cmd_type_size(t), a->packet);
    if (value && t.scalar && cmd_type_size(t) != a->size)
        return err_new("argument %u ('%s %s') has %zu bytes, %zu are given", i, p->type, p->name,
                       cmd_type_size(t), a->size);
    return NULL;
}

struct cmd_dump *cmd_dump_add(struct arena *arena, struct cmd_arg *a)
{
    struct cmd_dump **end = &a->dumps;
    while (*end) end = &(*end)->next;
    *end = arena_new(arena, struct cmd_dump);
    **end = (struct cmd_dump){a->type, CMD_EXACT, NULL};
    return *end;
}
