// SPDX-License-Identifier: MIT
// Numbers as 8 bytes, bytes as a length and themselves; an answer that is cut off is an error.
#include "bytecode/question.h"

#include <string.h>

static const char *const texts[][2] = {
#define PROPERTY(name, id, text) {id, text},
#include "bytecode/properties.def"
};
const char *proof_property_id(enum proof_property p) { return texts[p][0]; }
const char *proof_property_text(enum proof_property p) { return texts[p][1]; }

static void put_number(struct str *s, uint64_t x) { str_put_n(s, (const char *)&x, sizeof x); }

static void put_bytes(struct str *s, const void *data, uint64_t n)
{
    put_number(s, data ? n : UINT64_MAX);
    if (data) str_put_n(s, data, n);
}

static void put_text(struct str *s, const char *t) { put_bytes(s, t, t ? strlen(t) : 0); }

struct in {
    const char *at, *end;
    struct arena *arena;
    bool bad;
};

static uint64_t get_number(struct in *in)
{
    uint64_t x = 0;
    if (in->bad || in->end - in->at < 8) in->bad = true;
    else memcpy(&x, in->at, 8), in->at += 8;
    return x;
}

/** NUL-ended, in the arena; NULL stays NULL. */
static char *get_bytes(struct in *in)
{
    const uint64_t n = get_number(in);
    if (n == UINT64_MAX || in->bad) return NULL;
    if (n > (uint64_t)(in->end - in->at)) {
        in->bad = true;
        return NULL;
    }
    char *s = arena_alloc(in->arena, n + 1);
    memcpy(s, in->at, n);
    in->at += n;
    return s;
}

static uint32_t get_count(struct in *in)
{
    const uint64_t n = get_number(in);
    if (n > (uint64_t)(in->end - in->at) / 8) in->bad = true;
    return in->bad ? 0 : (uint32_t)n;
}

void proof_put_question(struct str *out, const struct proof_question *q)
{
    put_text(out, q->kernel);
    put_number(out, q->work_dim);
    for (unsigned d = 0; d < 3; d++) {
        put_number(out, q->global[d]);
        put_number(out, q->local[d]);
        put_number(out, q->offset[d]);
        put_number(out, q->fewest[d]);
        put_number(out, q->least_local[d]);
    }
    put_number(out, q->sub_group);
    put_number(out, q->effort);
    put_number(out, q->seconds);
    put_number(out, q->wanted);
    put_number(out, q->no_solver);
    put_number(out, q->checks);
    put_number(out, q->assumes);
    put_number(out, q->nargs);
    for (uint32_t i = 0; i < q->nargs; i++) {
        const struct proof_arg *a = &q->args[i];
        put_number(out, a->kind);
        put_number(out, a->size);
        put_bytes(out, a->kind == PROOF_VALUE ? a->bytes : NULL, a->size);
        put_number(out, (uint64_t)a->lo);
        put_number(out, (uint64_t)a->hi);
        put_number(out, a->object);
        put_number(out, a->start);
        for (unsigned d = 0; d < 3; d++) put_number(out, a->image[d]);
        put_number(out, a->unit);
        put_number(out, a->size_of);
        put_number(out, a->defined);
        put_number(out, a->read_only);
        put_number(out, a->write_only);
    }
}

struct err *proof_get_question(const void *data, size_t size, struct arena *a,
                               struct proof_question *out)
{
    struct in in = {data, (const char *)data + size, a, false};
    *out = (struct proof_question){.kernel = get_bytes(&in)};
    out->work_dim = (uint32_t)get_number(&in);
    for (unsigned d = 0; d < 3; d++) {
        out->global[d] = get_number(&in);
        out->local[d] = get_number(&in);
        out->offset[d] = get_number(&in);
        out->fewest[d] = get_number(&in);
        out->least_local[d] = get_number(&in);
        in.bad |= out->least_local[d] > out->local[d];
        in.bad |= !out->local[d] || !out->global[d] || out->fewest[d] > out->global[d];
        in.bad |= out->fewest[d] && !out->least_local[d] && !in.bad &&
                  out->global[d] % out->local[d];
    }
    out->sub_group = (uint32_t)get_number(&in);
    in.bad |= !out->sub_group || (out->sub_group & (out->sub_group - 1));
    out->effort = (uint32_t)get_number(&in);
    out->seconds = (uint32_t)get_number(&in);
    out->wanted = (uint32_t)get_number(&in);
    out->no_solver = get_number(&in);
    out->checks = (uint32_t)get_number(&in);
    out->assumes = get_number(&in);
    out->nargs = get_count(&in);
    struct proof_arg *args = arena_array(a, struct proof_arg, out->nargs + 1);
    for (uint32_t i = 0; i < out->nargs && !in.bad; i++) {
        const uint64_t kind = get_number(&in);
        in.bad |= kind > PROOF_OPAQUE;
        args[i].kind = in.bad ? PROOF_ANY : (enum proof_arg_kind)kind;
        args[i].size = get_number(&in);
        const char *at = in.at;
        args[i].bytes = get_bytes(&in);
        if (args[i].kind == PROOF_VALUE)
            in.bad |= !args[i].bytes || (uint64_t)(in.at - at) != 8 + args[i].size;
        args[i].lo = (int64_t)get_number(&in);
        args[i].hi = (int64_t)get_number(&in);
        args[i].object = get_number(&in);
        args[i].start = get_number(&in);
        for (unsigned d = 0; d < 3; d++) args[i].image[d] = get_number(&in);
        args[i].unit = get_number(&in);
        args[i].size_of = (uint32_t)get_number(&in);
        in.bad |= args[i].size_of > out->nargs;
        args[i].defined = get_number(&in);
        args[i].read_only = get_number(&in);
        args[i].write_only = get_number(&in);
    }
    out->args = args;
    return in.bad || in.at != in.end || !out->kernel || out->work_dim < 1 || out->work_dim > 3
               ? err_new("a question that is cut off")
               : NULL;
}

static void put_place(struct str *out, const struct proof_place *p)
{
    put_text(out, p->file);
    put_text(out, p->function);
    put_number(out, p->line);
    put_number(out, p->column);
}

static struct proof_place get_place(struct in *in)
{
    struct proof_place p = {.file = get_bytes(in), .function = get_bytes(in)};
    p.line = (uint32_t)get_number(in);
    p.column = (uint32_t)get_number(in);
    return p;
}

static void get_model(struct in *in, struct proof_verdict *v)
{
    v->nvalues = get_count(in);
    struct proof_model_value *values =
        arena_array(in->arena, struct proof_model_value, v->nvalues + 1);
    for (uint32_t i = 0; i < v->nvalues && !in->bad; i++) {
        values[i].arg = (uint32_t)get_number(in);
        values[i].size = (uint32_t)get_number(in);
        values[i].offset = get_number(in);
        in->bad |= values[i].size > sizeof values[i].bits;
        values[i].bits = get_number(in);
    }
    v->values = values;
}

void proof_put_answer(struct str *out, const struct proof_answer *a)
{
    for (unsigned p = 0; p < PROOF_PROPERTIES; p++) {
        const struct proof_verdict *v = &a->of[p];
        put_number(out, v->result);
        put_text(out, v->reason);
        put_text(out, v->help);
        put_place(out, &v->place[0]);
        put_place(out, &v->place[1]);
        put_number(out, v->nvalues);
        for (uint32_t i = 0; i < v->nvalues; i++) {
            put_number(out, v->values[i].arg);
            put_number(out, v->values[i].size);
            put_number(out, v->values[i].offset);
            put_number(out, v->values[i].bits);
        }
    }
    put_place(out, &a->kernel);
    put_number(out, a->nargs);
    for (uint32_t i = 0; i < a->nargs; i++) {
        put_number(out, a->written[i].from);
        put_number(out, a->written[i].to);
    }
    put_number(out, a->queries);
    put_number(out, a->solved);
    put_number(out, a->milliseconds);
}

struct err *proof_get_answer(const void *data, size_t size, struct arena *a,
                             struct proof_answer *out)
{
    struct in in = {data, (const char *)data + size, a, false};
    *out = (struct proof_answer){0};
    for (unsigned p = 0; p < PROOF_PROPERTIES && !in.bad; p++) {
        struct proof_verdict *v = &out->of[p];
        const uint64_t result = get_number(&in);
        in.bad |= result > PROOF_CANDIDATE;
        v->result = in.bad ? PROOF_UNKNOWN : (enum proof_result)result;
        v->reason = get_bytes(&in);
        v->help = get_bytes(&in);
        v->place[0] = get_place(&in);
        v->place[1] = get_place(&in);
        in.bad |= v->result != PROOF_PROVED && !v->reason;
        get_model(&in, v);
    }
    out->kernel = get_place(&in);
    out->nargs = get_count(&in);
    struct proof_range *written = arena_array(a, struct proof_range, out->nargs + 1);
    for (uint32_t i = 0; i < out->nargs && !in.bad; i++) {
        written[i].from = get_number(&in);
        written[i].to = get_number(&in);
    }
    out->written = written;
    out->queries = (uint32_t)get_number(&in);
    out->solved = (uint32_t)get_number(&in);
    out->milliseconds = (uint32_t)get_number(&in);
    if (!in.bad && in.at == in.end) return NULL;
    *out = (struct proof_answer){0};
    for (unsigned p = 0; p < PROOF_PROPERTIES; p++) out->of[p].reason = "the answer is cut off";
    return err_new("an answer that is cut off");
}
