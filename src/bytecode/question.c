// SPDX-License-Identifier: MIT
#include "bytecode/question.h"

#include "base/archive.h"

static const char *const texts[][2] = {
#define PROPERTY(name, id, text) {id, text},
#include "bytecode/properties.def"
};
const char *proof_property_id(enum proof_property p) { return texts[p][0]; }
const char *proof_property_text(enum proof_property p) { return texts[p][1]; }

static void pass_arg(struct archive *ar, struct proof_arg *a, uint32_t nargs)
{
    AR_NUMBER(ar, a->kind);
    AR_NUMBER(ar, a->size);
    ar->in.is_bad |= a->kind > PROOF_OPAQUE;
    if (a->kind == PROOF_VALUE && !ar->in.is_bad) {
        size_t n = a->size;
        const void *const bytes = ar_bytes(ar, a->bytes, &n);
        ar->in.is_bad |= !bytes || n != a->size;
        if (!ar->out && !ar->in.is_bad) a->bytes = arena_dup(ar->arena, bytes, n);
    }
    AR_NUMBER(ar, a->lo);
    AR_NUMBER(ar, a->hi);
    AR_NUMBER(ar, a->object);
    AR_NUMBER(ar, a->start);
    for (unsigned d = 0; d < 3; d++) AR_NUMBER(ar, a->image[d]);
    AR_NUMBER(ar, a->unit);
    AR_NUMBER(ar, a->size_of);
    ar->in.is_bad |= a->size_of > nargs;
    AR_NUMBER(ar, a->defined);
    AR_NUMBER(ar, a->read_only);
    AR_NUMBER(ar, a->write_only);
}

static void pass_question(struct archive *ar, struct proof_question *q)
{
    AR_TEXT(ar, q->kernel);
    AR_NUMBER(ar, q->work_dim);
    for (unsigned d = 0; d < 3; d++) {
        AR_NUMBER(ar, q->global[d]);
        AR_NUMBER(ar, q->local[d]);
        AR_NUMBER(ar, q->offset[d]);
        AR_NUMBER(ar, q->fewest[d]);
        AR_NUMBER(ar, q->least_local[d]);
        ar->in.is_bad |= !q->local[d] || !q->global[d] || q->least_local[d] > q->local[d] ||
                         q->fewest[d] > q->global[d] ||
                         (q->fewest[d] && !q->least_local[d] && q->global[d] % q->local[d]);
    }
    AR_NUMBER(ar, q->sub_group);
    ar->in.is_bad |= !q->sub_group || (q->sub_group & (q->sub_group - 1));
    AR_NUMBER(ar, q->effort);
    AR_NUMBER(ar, q->seconds);
    AR_NUMBER(ar, q->wanted);
    AR_NUMBER(ar, q->no_solver);
    AR_NUMBER(ar, q->checks);
    AR_NUMBER(ar, q->assumes);
    AR_LIST(ar, q->dropped, q->ndropped);
    struct proof_line *const dropped = (struct proof_line *)q->dropped;
    for (uint32_t i = 0; i < q->ndropped && !ar->in.is_bad; i++) {
        AR_NUMBER(ar, dropped[i].line);
        AR_NUMBER(ar, dropped[i].column);
    }
    AR_LIST(ar, q->args, q->nargs);
    struct proof_arg *const args = (struct proof_arg *)q->args;
    for (uint32_t i = 0; i < q->nargs && !ar->in.is_bad; i++) pass_arg(ar, &args[i], q->nargs);
    ar->in.is_bad |= !q->kernel || q->work_dim < 1 || q->work_dim > 3;
}

void proof_put_question(struct str *out, const struct proof_question *q)
{
    struct archive ar = {.out = out};
    struct proof_question same = *q;
    pass_question(&ar, &same);
}

struct err *proof_get_question(const void *data, size_t size, struct arena *a,
                               struct proof_question *out)
{
    struct archive ar = {.in = {.at = data, .end = (const char *)data + size}, .arena = a};
    *out = (struct proof_question){0};
    pass_question(&ar, out);
    return ar_is_whole(&ar) ? NULL : err_new("a question that is cut off");
}

static void pass_place(struct archive *ar, struct proof_place *p)
{
    AR_TEXT(ar, p->file);
    AR_TEXT(ar, p->function);
    AR_NUMBER(ar, p->line);
    AR_NUMBER(ar, p->column);
}

static void pass_verdict(struct archive *ar, struct proof_verdict *v)
{
    AR_NUMBER(ar, v->result);
    AR_TEXT(ar, v->reason);
    AR_TEXT(ar, v->help);
    pass_place(ar, &v->place[0]);
    pass_place(ar, &v->place[1]);
    ar->in.is_bad |= v->result > PROOF_CANDIDATE || (v->result != PROOF_PROVED && !v->reason);
    AR_LIST(ar, v->values, v->nvalues);
    struct proof_model_value *const values = (struct proof_model_value *)v->values;
    for (uint32_t i = 0; i < v->nvalues && !ar->in.is_bad; i++) {
        AR_NUMBER(ar, values[i].arg);
        AR_NUMBER(ar, values[i].size);
        AR_NUMBER(ar, values[i].offset);
        AR_NUMBER(ar, values[i].bits);
        ar->in.is_bad |= values[i].size > sizeof values[i].bits;
    }
}

static void pass_answer(struct archive *ar, struct proof_answer *a)
{
    for (unsigned p = 0; p < PROOF_PROPERTIES; p++) pass_verdict(ar, &a->of[p]);
    pass_place(ar, &a->kernel);
    AR_LIST(ar, a->written, a->nargs);
    struct proof_range *const written = (struct proof_range *)a->written;
    for (uint32_t i = 0; i < a->nargs && !ar->in.is_bad; i++) {
        AR_NUMBER(ar, written[i].from);
        AR_NUMBER(ar, written[i].to);
    }
    AR_NUMBER(ar, a->queries);
    AR_NUMBER(ar, a->solved);
    AR_NUMBER(ar, a->milliseconds);
}

void proof_put_answer(struct str *out, const struct proof_answer *a)
{
    struct archive ar = {.out = out};
    struct proof_answer same = *a;
    pass_answer(&ar, &same);
}

struct err *proof_get_answer(const void *data, size_t size, struct arena *a,
                             struct proof_answer *out)
{
    struct archive ar = {.in = {.at = data, .end = (const char *)data + size}, .arena = a};
    *out = (struct proof_answer){0};
    pass_answer(&ar, out);
    if (ar_is_whole(&ar)) return NULL;
    *out = (struct proof_answer){0};
    for (unsigned p = 0; p < PROOF_PROPERTIES; p++) out->of[p].reason = "the answer is cut off";
    return err_new("an answer that is cut off");
}
