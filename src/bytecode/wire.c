// SPDX-License-Identifier: MIT
// A message is a head (magic, checksum, size) and the fields of an archive.
#include "bytecode/wire.h"

#include "base/archive.h"
#include "base/map.h"

static const char magic[8] = "cldbgW08";

static void close_message(struct str *out, struct str *body)
{
    ser_put(out, magic, sizeof magic);
    ser_put_u64(out, hash_bytes(body->data, body->len, 3));
    ser_put_u64(out, body->len);
    ser_put(out, body->data, body->len);
    str_deinit(body);
}

static bool open_message(struct archive *ar, const char *data, size_t size)
{
    if (size < 24 || memcmp(data, magic, sizeof magic)) return false;
    ar->in = (struct ser_reader){.at = data + sizeof magic, .end = data + size};
    const uint64_t sum = ser_get_u64(&ar->in), n = ser_get_u64(&ar->in);
    return n == size - 24 && sum == hash_bytes(ar->in.at, n, 3);
}

static void pass_blob(struct archive *ar, struct wire_blob *b)
{
    const void *const data = ar_bytes(ar, b->data, &b->size);
    if (!ar->out) b->data = data;
}

/** NULL becomes the empty text. */
static void pass_text(struct archive *ar, const char **text)
{
    const char *const s = ar_text(ar, *text ? *text : "");
    if (!ar->out) *text = s ? s : "";
}

static void pass_code(struct archive *ar, struct wire_code *c)
{
    pass_text(ar, &c->kernel);
    pass_text(ar, &c->symbol);
    for (unsigned d = 0; d < 3; d++) AR_NUMBER(ar, c->local[d]);
    AR_NUMBER(ar, c->uneven);
    AR_NUMBER(ar, c->apart);
    AR_NUMBER(ar, c->small);
    AR_NUMBER(ar, c->passes);
    AR_NUMBER(ar, c->sub_group);
    AR_NUMBER(ar, c->marks);
    AR_NUMBER(ar, c->checks);
    for (unsigned d = 0; d < 3; d++) AR_NUMBER(ar, c->id_bits[d]);
    for (unsigned i = 0; i < sizeof c->argument_bits; i++) AR_NUMBER(ar, c->argument_bits[i]);
}

static void pass_segment(struct archive *ar, struct wire_segment *s)
{
    AR_NUMBER(ar, s->offset);
    pass_text(ar, &s->name);
    pass_text(ar, &s->path);
    AR_NUMBER(ar, s->line);
    AR_NUMBER(ar, s->indent);
}

static void pass_request(struct archive *ar, struct wire_request *r)
{
    AR_NUMBER(ar, r->kind);
    AR_NUMBER(ar, r->reach);
    AR_NUMBER(ar, r->for_debugger);
    pass_blob(ar, &r->source);
    pass_text(ar, &r->options);
    AR_LIST(ar, r->segments, r->nsegments);
    for (uint32_t i = 0; i < r->nsegments && !ar->in.is_bad; i++)
        pass_segment(ar, (struct wire_segment *)&r->segments[i]);
    AR_LIST(ar, r->headers, r->nheaders);
    struct wire_header *const h = (struct wire_header *)r->headers;
    for (uint32_t i = 0; i < r->nheaders && !ar->in.is_bad; i++) {
        pass_text(ar, &h[i].name);
        pass_text(ar, &h[i].text);
    }
    AR_LIST(ar, r->objects, r->nobjects);
    for (uint32_t i = 0; i < r->nobjects && !ar->in.is_bad; i++)
        pass_blob(ar, (struct wire_blob *)&r->objects[i]);
    AR_NUMBER(ar, r->native);
    pass_blob(ar, &r->question);
    pass_code(ar, &r->code);
    ar->in.is_bad |= r->kind > WIRE_CODE || r->reach > WIRE_REACH_NONE;
}

void wire_put_request(struct str *out, const struct wire_request *r)
{
    struct str body = {0};
    struct archive ar = {.out = &body};
    struct wire_request same = *r;
    pass_request(&ar, &same);
    close_message(out, &body);
}

struct err *wire_get_request(const void *data, size_t size, struct arena *a, struct wire_request *r)
{
    struct archive ar = {.arena = a};
    *r = (struct wire_request){0};
    if (!open_message(&ar, data, size)) return err_new("not a request of this version of cldbg");
    pass_request(&ar, r);
    return ar_is_whole(&ar) ? NULL : err_new("a request that is cut off");
}

static void pass_answer(struct archive *ar, struct wire_answer *a)
{
    AR_NUMBER(ar, a->status);
    AR_NUMBER(ar, a->is_library);
    pass_text(ar, &a->log);
    pass_blob(ar, &a->module);
    pass_blob(ar, &a->object);
    pass_blob(ar, &a->native);
    pass_blob(ar, &a->proof);
    pass_blob(ar, &a->depends);
    pass_blob(ar, &a->code_info);
    ar->in.is_bad |= a->status > WIRE_BAD_BINARY;
}

void wire_put_answer(struct str *out, const struct wire_answer *a)
{
    struct str body = {0};
    struct archive ar = {.out = &body};
    struct wire_answer same = *a;
    pass_answer(&ar, &same);
    close_message(out, &body);
}

struct err *wire_get_answer(const void *data, size_t size, struct arena *a, struct wire_answer *out)
{
    struct archive ar = {.arena = a};
    *out = (struct wire_answer){0};
    if (!open_message(&ar, data, size)) return err_new("not an answer of this version of cldbg");
    pass_answer(&ar, out);
    return ar_is_whole(&ar) ? NULL : err_new("an answer that is cut off");
}
