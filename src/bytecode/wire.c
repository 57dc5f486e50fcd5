// SPDX-License-Identifier: MIT
// A message is a head (magic, checksum, size) and fields one after the other: numbers as 8 bytes,
// bytes as a length and themselves.
#include "bytecode/wire.h"

#include "base/map.h"

#include <string.h>

static const char magic[8] = "cldbgW07";

static void put_number(struct str *s, uint64_t x) { str_put_n(s, (const char *)&x, sizeof x); }

static void put_bytes(struct str *s, const void *data, size_t n)
{
    put_number(s, n);
    str_put_n(s, data, n);
}

static void put_text(struct str *s, const char *t) { put_bytes(s, t ? t : "", t ? strlen(t) : 0); }

static void close_message(struct str *out, struct str *body)
{
    str_put_n(out, magic, sizeof magic);
    put_number(out, hash_bytes(body->data, body->len, 3));
    put_number(out, body->len);
    str_put_n(out, body->data, body->len);
    str_deinit(body);
}

static void put_code(struct str *b, const struct wire_code *c)
{
    put_text(b, c->kernel);
    put_text(b, c->symbol);
    for (unsigned d = 0; d < 3; d++) put_number(b, c->local[d]);
    put_number(b, c->uneven);
    put_number(b, c->apart);
    put_number(b, c->small);
    put_number(b, c->passes);
    put_number(b, c->sub_group);
    put_number(b, c->marks);
    put_number(b, c->checks);
    for (unsigned d = 0; d < 3; d++) put_number(b, c->id_bits[d]);
    for (unsigned i = 0; i < sizeof c->argument_bits; i++) put_number(b, c->argument_bits[i]);
}

void wire_put_request(struct str *out, const struct wire_request *r)
{
    struct str b = {0};
    put_number(&b, r->kind);
    put_number(&b, r->reach);
    put_number(&b, r->for_debugger);
    put_number(&b, r->source.data != NULL);
    put_bytes(&b, r->source.data, r->source.data ? r->source.size : 0);
    put_text(&b, r->options);
    put_number(&b, r->nsegments);
    for (uint32_t i = 0; i < r->nsegments; i++) {
        put_number(&b, r->segments[i].offset);
        put_text(&b, r->segments[i].name);
        put_text(&b, r->segments[i].path);
        put_number(&b, r->segments[i].line);
        put_number(&b, r->segments[i].indent);
    }
    put_number(&b, r->nheaders);
    for (uint32_t i = 0; i < r->nheaders; i++) {
        put_text(&b, r->headers[i].name);
        put_text(&b, r->headers[i].text);
    }
    put_number(&b, r->nobjects);
    for (uint32_t i = 0; i < r->nobjects; i++)
        put_bytes(&b, r->objects[i].data, r->objects[i].size);
    put_number(&b, r->native);
    put_bytes(&b, r->question.data, r->question.size);
    put_code(&b, &r->code);
    close_message(out, &b);
}

void wire_put_answer(struct str *out, const struct wire_answer *a)
{
    struct str b = {0};
    put_number(&b, a->status);
    put_number(&b, a->is_library);
    put_text(&b, a->log);
    put_bytes(&b, a->module.data, a->module.size);
    put_bytes(&b, a->object.data, a->object.size);
    put_bytes(&b, a->native.data, a->native.size);
    put_bytes(&b, a->proof.data, a->proof.size);
    put_bytes(&b, a->depends.data, a->depends.size);
    put_number(&b, a->locals);
    put_number(&b, a->frame);
    put_number(&b, a->shadowed);
    put_number(&b, a->cell);
    put_number(&b, a->largest);
    close_message(out, &b);
}

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

static struct wire_blob get_bytes(struct in *in)
{
    uint64_t n = get_number(in);
    if (in->bad || n > (uint64_t)(in->end - in->at)) {
        in->bad = true;
        return (struct wire_blob){0};
    }
    struct wire_blob b = {in->at, n};
    in->at += n;
    return b;
}

static const char *get_text(struct in *in)
{
    struct wire_blob b = get_bytes(in);
    char *s = arena_alloc(in->arena, b.size + 1);
    if (b.size) memcpy(s, b.data, b.size);
    return s;
}

static uint32_t get_count(struct in *in)
{
    uint64_t n = get_number(in);
    if (n > (uint64_t)(in->end - in->at) / 8) in->bad = true;
    return in->bad ? 0 : (uint32_t)n;
}

static bool open_message(struct in *in, const char *data, size_t size)
{
    uint64_t sum, n;
    if (size < 24 || memcmp(data, magic, 8)) return false;
    memcpy(&sum, data + 8, 8);
    memcpy(&n, data + 16, 8);
    in->at = data + 24;
    in->end = data + size;
    return n == size - 24 && sum == hash_bytes(in->at, n, 3);
}

static struct wire_code get_code(struct in *in)
{
    struct wire_code c = {.kernel = get_text(in), .symbol = get_text(in)};
    for (unsigned d = 0; d < 3; d++) c.local[d] = get_number(in);
    c.uneven = get_number(in);
    c.apart = get_number(in);
    c.small = get_number(in);
    c.passes = (uint32_t)get_number(in);
    c.sub_group = (uint32_t)get_number(in);
    c.marks = (uint32_t)get_number(in);
    c.checks = (uint32_t)get_number(in);
    for (unsigned d = 0; d < 3; d++) c.id_bits[d] = (uint8_t)get_number(in);
    for (unsigned i = 0; i < sizeof c.argument_bits; i++)
        c.argument_bits[i] = (uint8_t)get_number(in);
    return c;
}

struct err *wire_get_request(const void *data, size_t size, struct arena *a, struct wire_request *r)
{
    struct in in = {.arena = a};
    *r = (struct wire_request){0};
    if (!open_message(&in, data, size)) return err_new("not a request of this version of cldbg");
    r->kind = (enum wire_kind)get_number(&in);
    r->reach = (enum wire_reach)get_number(&in);
    r->for_debugger = get_number(&in);
    bool has_source = get_number(&in);
    r->source = get_bytes(&in);
    if (!has_source) r->source.data = NULL;
    r->options = get_text(&in);
    r->nsegments = get_count(&in);
    struct wire_segment *s = arena_array(a, struct wire_segment, r->nsegments);
    for (uint32_t i = 0; i < r->nsegments && !in.bad; i++) {
        s[i].offset = get_number(&in);
        s[i].name = get_text(&in);
        s[i].path = get_text(&in);
        s[i].line = (uint32_t)get_number(&in);
        s[i].indent = (uint32_t)get_number(&in);
    }
    r->nheaders = get_count(&in);
    struct wire_header *h = arena_array(a, struct wire_header, r->nheaders);
    for (uint32_t i = 0; i < r->nheaders && !in.bad; i++) {
        h[i].name = get_text(&in);
        h[i].text = get_text(&in);
    }
    r->nobjects = get_count(&in);
    struct wire_blob *o = arena_array(a, struct wire_blob, r->nobjects);
    for (uint32_t i = 0; i < r->nobjects && !in.bad; i++) o[i] = get_bytes(&in);
    r->native = get_number(&in);
    r->question = get_bytes(&in);
    r->code = get_code(&in);
    r->segments = s;
    r->headers = h;
    r->objects = o;
    if (in.bad || in.at != in.end || r->kind > WIRE_CODE || r->reach > WIRE_REACH_NONE)
        return err_new("a request that is cut off");
    return NULL;
}

struct err *wire_get_answer(const void *data, size_t size, struct arena *a, struct wire_answer *out)
{
    struct in in = {.arena = a};
    *out = (struct wire_answer){0};
    if (!open_message(&in, data, size)) return err_new("not an answer of this version of cldbg");
    out->status = (enum wire_status)get_number(&in);
    out->is_library = get_number(&in);
    out->log = get_text(&in);
    out->module = get_bytes(&in);
    out->object = get_bytes(&in);
    out->native = get_bytes(&in);
    out->proof = get_bytes(&in);
    out->depends = get_bytes(&in);
    out->locals = get_number(&in);
    out->frame = get_number(&in);
    out->shadowed = get_number(&in);
    out->cell = get_number(&in);
    out->largest = get_number(&in);
    if (in.bad || in.at != in.end || out->status > WIRE_BAD_BINARY)
        return err_new("an answer that is cut off");
    return NULL;
}
