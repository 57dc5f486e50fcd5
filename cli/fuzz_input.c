// SPDX-License-Identifier: MIT
// Inputs of a fuzzed kernel and their mutations. Numbers come from a dictionary: sizes of the
// launch and of buffers, and the literals of the source (dictionary tokens of AFL).
#include "cli/fuzz.h"

#include "base/io.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct cmd_scalar byte_type = {"uchar", 1, false, false};

/** xorshift64* (Vigna 2016). */
static uint64_t next(struct fuzz *f)
{
    uint64_t *s = &f->random;
    *s ^= *s >> 12;
    *s ^= *s << 25;
    *s ^= *s >> 27;
    return *s * 0x2545F4914F6CDD1Dull;
}

static size_t below(struct fuzz *f, size_t n) { return n ? next(f) % n : 0; }

static uint8_t *place(const struct fuzz_part *p, const struct fuzz_input *input, size_t element)
{
    return input->data + p->at + element * p->scalar.size;
}

void fuzz_set(const struct fuzz_part *p, struct fuzz_input *input, size_t element, int64_t value)
{
    if (p->has_range && value < p->lo) value = p->lo;
    if (p->has_range && value > p->hi) value = p->hi;
    cmd_value_from_int(&p->scalar, (uint64_t)value, place(p, input, element));
}

bool fuzz_is(const struct fuzz_part *p, const struct fuzz_input *input, size_t element,
             int64_t value)
{
    struct fuzz_input other = {.data = (uint8_t[8]){0}};
    struct fuzz_part one = *p;
    one.at = 0;
    fuzz_set(&one, &other, 0, value);
    return !memcmp(other.data, place(p, input, element), p->scalar.size);
}

static void add_part(struct fuzz *f, unsigned arg, struct cmd_type type, size_t bytes)
{
    const struct verify_arg *v = &f->job->args[arg];
    struct fuzz_part p = {.arg = arg,
                          .at = f->size,
                          .scalar = type.scalar ? *type.scalar : byte_type,
                          .has_range = v->has_range,
                          .lo = v->lo,
                          .hi = v->hi};
    p.count = bytes / p.scalar.size;
    vec_push(&f->parts, p);
    f->size += (bytes + 15) & ~(size_t)15;
}

/** The integers of the source, which it may compare with. */
static void take_literals(struct fuzz *f, const char *text)
{
    enum { MOST = 1000 };
    for (const char *p = text; *p && f->dictionary.len < MOST;) {
        const bool begins = isdigit((unsigned char)*p) &&
                            (p == text || (!isalnum((unsigned char)p[-1]) && p[-1] != '_'));
        if (!begins) {
            p++;
            continue;
        }
        char *end;
        const int64_t v = (int64_t)strtoull(p, &end, 0);
        vec_push(&f->dictionary, v);
        vec_push(&f->dictionary, v + 1);
        vec_push(&f->dictionary, v - 1);
        p = end > p ? end : p + 1;
    }
}

static void fill_dictionary(struct fuzz *f, const char *source)
{
    static const int64_t few[] = {0, 1, 2, 3, -1, 7, 8, 16, 255, INT32_MAX, INT32_MIN};
    for (size_t i = 0; i < sizeof few / sizeof *few; i++) vec_push(&f->dictionary, few[i]);
    size_t items = 1;
    for (unsigned d = 0; d < 3; d++) {
        items *= f->global.hi[d];
        const size_t sizes[] = {f->global.hi[d], f->local.hi[d], items};
        for (size_t i = 0; i < 3; i++)
            for (int k = -1; k <= 1; k++) vec_push(&f->dictionary, (int64_t)sizes[i] + k);
    }
    for (unsigned i = 0; i < f->job->nargs; i++) {
        const struct cmd_arg *a = &f->args[i];
        if (a->kind != CMD_ARG_BUFFER || !a->type.scalar) continue;
        const int64_t n = (int64_t)(a->size / cmd_type_size(a->type));
        for (int k = -1; k <= 1; k++) vec_push(&f->dictionary, n + k);
    }
    take_literals(f, source);
}

struct err *fuzz_prepare(struct fuzz *f)
{
    struct verify_job *j = f->job;
    f->random = f->seed * 0x9E3779B97F4A7C15ull | 1;
    f->args = arena_array(j->arena, struct cmd_arg, j->nargs + 1);
    for (unsigned i = 0; i < j->nargs; i++) {
        const struct verify_arg *v = &j->args[i];
        f->args[i] = v->arg;
        if (v->is_open) {
            f->args[i] = (struct cmd_arg){
                .kind = CMD_ARG_VALUE, .type = v->type, .size = cmd_type_size(v->type)};
            add_part(f, i, v->type, f->args[i].size);
        } else if (v->arg.kind == CMD_ARG_BUFFER && v->arg.data &&
                   (v->any_contents || v->has_range || f->all_contents)) {
            add_part(f, i, v->arg.type, v->arg.size);
        }
    }
    char *text;
    size_t size;
    struct err *e = cmd_read_file(j->arena, j->file, &text, &size);
    if (!e) fill_dictionary(f, io_is_text(text, size) ? text : "");
    return e;
}

struct fuzz_input fuzz_first(const struct fuzz *f)
{
    struct fuzz_input input = {.data = mem_alloc(f->size + 1)};
    memset(input.data, 0, f->size);
    memcpy(input.global, f->global.hi, sizeof input.global);
    memcpy(input.local, f->local.hi, sizeof input.local);
    for (size_t i = 0; i < f->parts.len; i++) {
        const struct fuzz_part *p = &f->parts.data[i];
        const struct cmd_arg *a = &f->job->args[p->arg].arg;
        if (f->job->args[p->arg].is_open) fuzz_set(p, &input, 0, 0);
        else memcpy(input.data + p->at, a->data, a->size);
        for (size_t k = 0; p->has_range && k < p->count; k++)
            fuzz_set(p, &input, k, cmd_value_to_int(&p->scalar, place(p, &input, k)));
    }
    return input;
}

static void put_bytes(const struct fuzz_part *p, struct fuzz_input *input,
                      const struct proof_model_value *v)
{
    const size_t size = p->scalar.size, most = p->count * size;
    if (v->offset > most || v->size > most - v->offset) return;
    memcpy(input->data + p->at + v->offset, &v->bits, v->size);
    for (size_t i = v->offset / size; p->has_range && i * size < v->offset + v->size; i++)
        fuzz_set(p, input, i, cmd_value_to_int(&p->scalar, place(p, input, i)));
}

struct fuzz_input fuzz_of_model(const struct fuzz *f, const struct proof_verdict *v)
{
    struct fuzz_input input = fuzz_first(f);
    for (uint32_t n = 0; n < v->nvalues; n++) {
        const struct proof_model_value *m = &v->values[n];
        if (m->arg >= f->job->nargs) continue;
        const struct cmd_arg *a = &f->args[m->arg];
        const unsigned arg = a->kind == CMD_ARG_SAME ? a->same : m->arg;
        for (size_t i = 0; i < f->parts.len; i++) {
            const struct fuzz_part *p = &f->parts.data[i];
            if (p->arg != arg) continue;
            if (m->size) put_bytes(p, &input, m);
            else fuzz_set(p, &input, 0, (int64_t)m->bits);
        }
    }
    return input;
}

struct fuzz_input fuzz_copy(const struct fuzz *f, const struct fuzz_input *from)
{
    struct fuzz_input input = *from;
    input.data = mem_alloc(f->size + 1);
    memcpy(input.data, from->data, f->size);
    return input;
}

/** A number: often one of the dictionary, else a small or any number. */
static int64_t number(struct fuzz *f, const struct fuzz_part *p)
{
    const uint64_t r = next(f);
    if (p->has_range && r % 4 == 0) {
        const uint64_t span = (uint64_t)p->hi - (uint64_t)p->lo + 1;
        return (int64_t)((uint64_t)p->lo + (span ? next(f) % span : next(f)));
    }
    if (r % 8 < 5) return f->dictionary.data[below(f, f->dictionary.len)];
    if (r % 8 < 7) return (int64_t)(next(f) % 32);
    return (int64_t)next(f);
}

static void set_number(struct fuzz *f, const struct fuzz_part *p, struct fuzz_input *in, size_t i)
{
    static const double special[] = {0.5, -0.5, 1e-30, 1e30, -1e30, 1e9, INFINITY, -INFINITY, NAN};
    enum { N = sizeof special / sizeof *special };
    if (p->scalar.is_float && !p->has_range && !below(f, 3))
        cmd_value_from_double(&p->scalar, special[below(f, N)], place(p, in, i));
    else fuzz_set(p, in, i, number(f, p));
}

enum mutation { ONE, SEVERAL, FILL, SMALL, IOTA, COPY, STEP, BIT, RANDOM, MUTATIONS };

static void mutate_many(struct fuzz *f, const struct fuzz_part *p, struct fuzz_input *in,
                        enum mutation m)
{
    const size_t from = below(f, 2) ? 0 : below(f, p->count), n = p->count - from;
    const int64_t fill = number(f, p);
    const size_t most = below(f, 2) ? p->count : 1 + below(f, 16);
    for (size_t i = 0; i < n; i++)
        if (m == FILL) fuzz_set(p, in, from + i, fill);
        else if (m == SMALL) fuzz_set(p, in, from + i, (int64_t)below(f, most));
        else if (m == IOTA) fuzz_set(p, in, from + i, (int64_t)i);
        else set_number(f, p, in, from + i);
}

static void mutate_part(struct fuzz *f, const struct fuzz_part *p, struct fuzz_input *in)
{
    const enum mutation m = p->count > 1 ? below(f, MUTATIONS) : below(f, 4) ? ONE : STEP;
    const size_t i = below(f, p->count);
    uint8_t *const at = place(p, in, i);
    switch (m) {
    case ONE: set_number(f, p, in, i); break;
    case SEVERAL:
        for (size_t n = 1 + below(f, 8); n--;) set_number(f, p, in, below(f, p->count));
        break;
    case COPY: memcpy(at, place(p, in, below(f, p->count)), p->scalar.size); break;
    case STEP: fuzz_set(p, in, i, cmd_value_to_int(&p->scalar, at) + (below(f, 2) ? 1 : -1)); break;
    case BIT:
        at[below(f, p->scalar.size)] ^= (uint8_t)(1u << below(f, 8));
        if (p->has_range) fuzz_set(p, in, i, cmd_value_to_int(&p->scalar, at));
        break;
    default: mutate_many(f, p, in, m);
    }
}

static size_t size_between(struct fuzz *f, size_t lo, size_t hi)
{
    if (below(f, 3)) return lo + below(f, hi - lo + 1);
    size_t n = (size_t)1 << below(f, 16);
    return n < lo ? lo : n > hi ? hi : n;
}

/** Local sizes in their ranges, and global sizes that are multiples of them. */
static void mutate_sizes(struct fuzz *f, struct fuzz_input *in)
{
    for (unsigned d = 0; d < 3; d++) {
        const struct verify_sizes *g = &f->global, *l = &f->local;
        in->local[d] = size_between(f, l->lo[d], l->hi[d]);
        const size_t n = size_between(f, g->lo[d], g->hi[d]);
        in->global[d] = (n + in->local[d] - 1) / in->local[d] * in->local[d];
        if (in->global[d] > g->hi[d]) in->global[d] -= in->local[d];
        if (!in->global[d]) in->global[d] = in->local[d];
    }
}

static bool has_sizes(const struct fuzz *f)
{
    return memcmp(f->global.lo, f->global.hi, sizeof f->global.lo) ||
           memcmp(f->local.lo, f->local.hi, sizeof f->local.lo);
}

void fuzz_mutate(struct fuzz *f, struct fuzz_input *input)
{
    do {
        if (has_sizes(f) && (!f->parts.len || !below(f, 4))) mutate_sizes(f, input);
        else if (f->parts.len) mutate_part(f, &f->parts.data[below(f, f->parts.len)], input);
    } while (below(f, 2));
}

void fuzz_show_input(const struct fuzz *f, const struct fuzz_input *input)
{
    const char *separator = "cldbg: with ";
    for (size_t i = 0; i < f->parts.len; i++) {
        const struct fuzz_part *p = &f->parts.data[i];
        if (!f->job->args[p->arg].is_open) continue;
        fprintf(stderr, "%s'%s' = ", separator, f->kernel->params[p->arg].name);
        cmd_value_print(stderr, f->args[p->arg].type, place(p, input, 0), CMD_SHORT);
        separator = ", ";
    }
    if (has_sizes(f)) {
        const size_t *g = input->global, *l = input->local;
        fprintf(stderr, "%sglobal size (%zu,%zu,%zu), work-groups of (%zu,%zu,%zu)", separator,
                g[0], g[1], g[2], l[0], l[1], l[2]);
        separator = ", ";
    }
    if (separator[0] == ',') fputc('\n', stderr);
}

void fuzz_set_counts(struct fuzz *f, const struct fuzz_input *input)
{
    struct verify_job *j = f->job;
    uint64_t *of = mem_alloc((j->nargs + 1) * sizeof *of);
    struct verify_values v = {.of = of};
    memcpy(v.global, input->global, sizeof v.global);
    for (unsigned i = 0; i < j->nargs; i++) of[i] = j->args[i].value;
    for (size_t i = 0; i < f->parts.len; i++) {
        const struct fuzz_part *p = &f->parts.data[i];
        if (j->args[p->arg].is_open)
            of[p->arg] = (uint64_t)cmd_value_to_int(&p->scalar, place(p, input, 0));
    }
    for (unsigned i = 0; i < j->nargs; i++) {
        if (!j->args[i].factor || f->args[i].kind != CMD_ARG_BUFFER) continue;
        const size_t most = j->args[i].arg.size,
                     bytes = verify_count(j, i, &v) * cmd_type_size(f->args[i].type);
        f->args[i].size = bytes && bytes < most ? bytes : most;
    }
    free(of);
}

void fuzz_release(struct fuzz *f)
{
    map_deinit(&f->shown);
    for (size_t i = 0; i < f->corpus.len; i++) free(f->corpus.data[i].data);
    vec_free(&f->corpus);
    vec_free(&f->parts);
    vec_free(&f->dictionary);
    map_deinit(&f->known);
}
