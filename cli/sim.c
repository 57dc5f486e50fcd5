// SPDX-License-Identifier: MIT
// Simulation files, as Oclgrind reads them: tokens between blanks, # comments. First the program's
// file, the kernel, three global and three local sizes; then for each argument a header <…> on one
// line and its data after it. Header tokens:
//   size=BYTES             always, but with null; of 0 bytes memory is a null pointer
//   char … double          the type of the data; else the argument's own element type
//   fill=V | range=START:INC:END | noinit   instead of data
//   null                   a NULL buffer, alone
//   hex dump ro wo         numbers are hexadecimal; print the buffer afterwards; read-only;
//   write-only
#include "cli/host.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static struct err *at_line(const struct cmd_sim *sim, unsigned line, struct err *why)
{
    return err_wrap(why, "%s:%u", sim->path, line);
}

/** Skips blanks and comments; *p is then at a token or at the end. */
static void skip_blanks(struct cmd_sim *sim)
{
    for (;; sim->at++) {
        if (*sim->at == '#') sim->at += strcspn(sim->at, "\n");
        if (!*sim->at || !isspace((unsigned char)*sim->at)) return;
        if (*sim->at == '\n') sim->line++;
    }
}

/** The next token, ended by blanks, '#' or where a header begins; n is 0 at the end of the file. */
static const char *next_token(struct cmd_sim *sim, size_t *n)
{
    skip_blanks(sim);
    const char *token = sim->at;
    while (*sim->at && !isspace((unsigned char)*sim->at) && *sim->at != '#' && *sim->at != '<')
        sim->at++;
    *n = (size_t)(sim->at - token);
    return token;
}

static struct err *read_sizes(struct cmd_sim *sim, const char *what, size_t out[3])
{
    for (int i = 0; i < 3; i++) {
        size_t n;
        const char *token = next_token(sim, &n);
        if (!n) return at_line(sim, sim->line, err_new("three %s sizes are expected", what));
        char *end;
        errno = 0;
        out[i] = strtoull(token, &end, 0);
        if (errno || end != token + n || !isdigit((unsigned char)*token) || !out[i])
            return at_line(sim, sim->line, err_new("'%.*s' is not a %s size", (int)n, token, what));
    }
    return NULL;
}

struct err *cmd_sim_open(struct cmd_sim *sim, struct arena *a, const char *path)
{
    *sim = (struct cmd_sim){.path = path, .line = 1};
    struct err *e = cmd_read_file(a, path, &sim->text, NULL);
    if (e) return e;
    sim->at = sim->text;
    size_t n;
    const char *token = next_token(sim, &n);
    if (!n) return at_line(sim, sim->line, err_new("the program's file is expected"));
    sim->program = arena_printf(a, "%.*s", (int)n, token);
    token = next_token(sim, &n);
    if (!n) return at_line(sim, sim->line, err_new("the kernel's name is expected"));
    sim->kernel = arena_printf(a, "%.*s", (int)n, token);
    sim->range = (struct cmd_range){.dims = 3, .has_local = true};
    e = read_sizes(sim, "global", sim->range.global);
    return e ? e : read_sizes(sim, "local", sim->range.local);
}

/** What a header says. */
struct header {
    bool has_size, null, hex, noinit, dump, has_fill, has_range;
    uint64_t size;
    struct cmd_type type;
    char fill[8], range[3][8];
    const char *fill_text, *range_text; // read when the type is known
    size_t fill_len, range_len;
};

static bool token_is(const char *token, size_t n, const char *word)
{
    return strlen(word) == n && !memcmp(token, word, n);
}

static struct err *header_token(struct header *h, struct cmd_arg *arg, const char *token, size_t n)
{
    struct cmd_type type = cmd_type_find(token, n);
    if (n > 5 && !memcmp(token, "size=", 5)) {
        char *end;
        errno = 0;
        h->size = strtoull(token + 5, &end, 0);
        h->has_size = true;
        if (errno || end != token + n || !isdigit((unsigned char)token[5]))
            return err_new("'%.*s' is not a size in bytes", (int)n, token);
    } else if (n > 5 && !memcmp(token, "fill=", 5)) {
        h->has_fill = true;
        h->fill_text = token + 5;
        h->fill_len = n - 5;
    } else if (n > 6 && !memcmp(token, "range=", 6)) {
        h->has_range = true;
        h->range_text = token + 6;
        h->range_len = n - 6;
    } else if (token_is(token, n, "noinit")) {
        h->noinit = true;
    } else if (token_is(token, n, "null")) {
        h->null = true;
    } else if (token_is(token, n, "hex")) {
        h->hex = true;
    } else if (token_is(token, n, "dump")) {
        h->dump = true;
    } else if (token_is(token, n, "ro")) {
        arg->read_only = true;
    } else if (token_is(token, n, "wo")) {
        arg->write_only = true;
    } else if (type.scalar && type.ncomp == 1) {
        if (h->type.scalar)
            return err_new("there are two types: %s and %s", h->type.scalar->name,
                           type.scalar->name);
        h->type = type;
    } else {
        return err_new("'%.*s' is not valid in the header of an argument", (int)n, token);
    }
    return NULL;
}

/** Reads `<…>`; sim->at moves past it. */
static struct err *read_header(struct cmd_sim *sim, struct header *h, struct cmd_arg *arg)
{
    char *p = sim->at + 1, *end = p + strcspn(p, ">\n");
    if (*end != '>') return err_new("the header has no '>' on its line");
    sim->at = end + 1;
    unsigned tokens = 0;
    while (p += strspn(p, " \t\r"), p < end) {
        size_t n = strcspn(p, " \t\r>");
        struct err *e = header_token(h, arg, p, n);
        if (e) return e;
        p += n;
        tokens++;
    }
    if (h->null) return tokens > 1 ? err_new("null must be alone in a header") : NULL;
    if (!h->has_size) return err_new("the header has no size=BYTES");
    if (h->has_fill + h->has_range + h->noinit > 1)
        return err_new("only one of fill, range and noinit can be given");
    if (arg->read_only && arg->write_only) return err_new("only one of ro and wo can be given");
    return NULL;
}

static struct err *fill_range(const struct header *h, struct cmd_arg *arg, uint64_t count)
{
    const struct cmd_scalar *s = arg->type.scalar;
    const char *p = h->range_text, *end = p + h->range_len;
    char v[3][8];
    for (int i = 0; i < 3; i++) {
        const char *colon = i < 2 ? memchr(p, ':', (size_t)(end - p)) : end;
        if (!colon) return err_new("range is START:INC:END");
        struct err *e = cmd_value_parse(s, p, (size_t)(colon - p), h->hex ? 16 : 0, v[i]);
        if (e) return e;
        p = colon + 1;
    }
    // The number of values is counted first: START and END are both among them.
    double start = cmd_value_to_double(s, v[0]), inc = cmd_value_to_double(s, v[1]),
           last = cmd_value_to_double(s, v[2]);
    if (inc == 0) return err_new("range's increment is 0");
    double steps = (last - start) / inc;
    double values = steps < 0 ? 0 : __builtin_floor(steps + (s->is_float ? 1e-6 : 0)) + 1;
    if (values != (double)count)
        return err_new("range gives %.0f values, the buffer has %llu", values,
                       (unsigned long long)count);
    for (uint64_t i = 0; i < count; i++) {
        void *at = (char *)arg->data + i * s->size;
        if (s->is_float) cmd_value_from_double(s, start + (double)i * inc, at);
        else
            cmd_value_from_int(
                s, (uint64_t)cmd_value_to_int(s, v[0]) + i * (uint64_t)cmd_value_to_int(s, v[1]),
                at);
    }
    return NULL;
}

static struct err *read_data(struct cmd_sim *sim, const struct header *h, struct cmd_arg *arg,
                             uint64_t count)
{
    const struct cmd_scalar *s = arg->type.scalar;
    for (uint64_t i = 0; i < count; i++) {
        size_t n;
        const char *token = next_token(sim, &n);
        if (!n)
            return at_line(sim, sim->line,
                           err_new("%llu values of %s are expected here, there are %llu",
                                   (unsigned long long)count, s->name, (unsigned long long)i));
        struct err *e =
            cmd_value_parse(s, token, n, h->hex ? 16 : 0, (char *)arg->data + i * s->size);
        if (e) return at_line(sim, sim->line, e);
    }
    return NULL;
}

static struct err *read_values(struct cmd_sim *sim, struct arena *a, struct header *h,
                               unsigned line, const struct cmd_param *param, struct cmd_arg *arg)
{
    arg->type = h->type.scalar   ? h->type
                : param->is_pipe ? cmd_type_find(param->type, strlen(param->type))
                                 : cmd_element_of(param->type);
    arg->type.ncomp = 1;
    if (!arg->type.scalar)
        return at_line(sim, line,
                       err_new("'%s' is of type %s: give the type of its data in the header",
                               param->name, param->type));
    const struct cmd_scalar *s = arg->type.scalar;
    if (h->size % s->size)
        return at_line(sim, line,
                       err_new("size=%llu is not a multiple of the %u bytes of %s",
                               (unsigned long long)h->size, s->size, s->name));
    if (h->dump && arg->kind != CMD_ARG_VALUE)
        cmd_dump_add(a, arg)->style = h->hex ? CMD_HEX
                                             : CMD_SHORT; // (kernels cannot change values)
    if (h->noinit && arg->kind == CMD_ARG_VALUE)
        return at_line(sim, line, err_new("'%s' is a value: it cannot be left out", param->name));
    if (h->noinit) return NULL;
    struct err *e = cmd_contents(h->size, &arg->data);
    if (e) return at_line(sim, line, e);
    uint64_t count = h->size / s->size;
    if (h->has_range) return at_line(sim, line, fill_range(h, arg, count));
    if (!h->has_fill) return read_data(sim, h, arg, count);
    char value[8];
    e = cmd_value_parse(s, h->fill_text, h->fill_len, h->hex ? 16 : 0, value);
    for (uint64_t i = 0; !e && i < count; i++)
        memcpy((char *)arg->data + i * s->size, value, s->size);
    return at_line(sim, line, e);
}

/** The values are packets. */
static struct err *read_packets(struct cmd_sim *sim, unsigned line, const struct cmd_param *param,
                                struct cmd_arg *arg)
{
    const struct cmd_type packet = cmd_type_find(param->type, strlen(param->type));
    if (packet.scalar) arg->type = packet;
    const uint64_t bytes = arg->size, one = cmd_type_size(arg->type);
    if (bytes % one)
        return at_line(sim, line,
                       err_new("size=%llu is not a multiple of the %llu bytes of a packet",
                               (unsigned long long)bytes, (unsigned long long)one));
    if (arg->read_only || arg->write_only)
        return at_line(sim, line,
                       err_new("'%s' is a pipe, which is neither ro nor wo", param->name));
    return at_line(sim, line, cmd_pipe_spec(arg, bytes / one));
}

static struct err *read_arg(struct cmd_sim *sim, const struct cmd_kernel *k, struct arena *a,
                            unsigned i, struct cmd_arg *arg)
{
    const struct cmd_param *param = &k->params[i];
    skip_blanks(sim);
    unsigned line = sim->line;
    if (*sim->at != '<')
        return at_line(
            sim, line,
            *sim->at ? err_new("'<' is expected: the header of argument %u ('%s')", i, param->name)
                     : err_new("the file ends before argument %u ('%s')", i, param->name));
    struct header h = {0};
    struct err *e = read_header(sim, &h, arg);
    if (e) return at_line(sim, line, e);
    bool is_pointer = param->space != CL_KERNEL_ARG_ADDRESS_PRIVATE;
    arg->size = h.size;
    arg->kind = h.null                                        ? CMD_ARG_NULL
                : param->space == CL_KERNEL_ARG_ADDRESS_LOCAL ? CMD_ARG_LOCAL
                : param->is_pipe                              ? CMD_ARG_PIPE
                : is_pointer                                  ? CMD_ARG_BUFFER
                                                              : CMD_ARG_VALUE;
    bool plain = !h.has_fill && !h.has_range && !h.noinit && !h.hex && !h.dump && !arg->read_only &&
                 !arg->write_only;
    if (arg->kind == CMD_ARG_LOCAL && !plain)
        return at_line(sim, line,
                       err_new("'%s' is local memory: only its size can be given", param->name));
    if (arg->kind == CMD_ARG_VALUE || arg->kind == CMD_ARG_BUFFER || arg->kind == CMD_ARG_PIPE)
        e = read_values(sim, a, &h, line, param, arg);
    if (!e && arg->kind == CMD_ARG_PIPE) e = read_packets(sim, line, param, arg);
    if (!e && !h.size && arg->kind == CMD_ARG_BUFFER)
        arg->kind = CMD_ARG_NULL; // OpenCL has no buffers without bytes
    if (!e && !h.size && arg->kind == CMD_ARG_LOCAL) arg->size = 1; // nor such local memory
    return e ? e : at_line(sim, line, cmd_kernel_check_arg(k, i, arg - i));
}

struct err *cmd_sim_args(struct cmd_sim *sim, const struct cmd_kernel *k, struct arena *a,
                         struct cmd_arg *args)
{
    struct err *e = NULL;
    for (unsigned i = 0; i < k->nparams && !e; i++) e = read_arg(sim, k, a, i, &args[i]);
    if (e) return e;
    skip_blanks(sim);
    if (*sim->at)
        return at_line(
            sim, sim->line,
            err_new("there is more after the %u arguments of '%s'", k->nparams, k->name));
    return NULL;
}
