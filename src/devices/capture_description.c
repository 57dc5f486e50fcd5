// SPDX-License-Identifier: MIT
// The description of a launch, and the data that it refers to.
#include "devices/capture_description.h"

#include "base/map.h"
#include "base/mem.h"
#include "base/serialize.h"
#include "base/str.h"
#include "devices/capture_form.h"
#include "devices/capture_watch.h"
#include "config.h"

#include <ctype.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/** Writes JSON: a library's objects would cost more than everything else of a short launch. */
struct writer {
    struct str out;
    struct capture_blobs *blobs;
    bool failed; // a name is not UTF-8
};

static void key(struct writer *w, const char *name)
{
    const char last = w->out.len ? w->out.data[w->out.len - 1] : 0;
    if (last && last != '{' && last != '[') str_put_char(&w->out, ',');
    if (!name) return;
    str_put_char(&w->out, '"');
    str_put(&w->out, name);
    str_put_n(&w->out, "\":", 2);
}

static void open_in(struct writer *w, const char *name, char bracket)
{
    key(w, name);
    str_put_char(&w->out, bracket);
}

static void number(struct writer *w, const char *name, uint64_t n)
{
    char text[20];
    size_t at = sizeof text;
    do text[--at] = (char)('0' + n % 10);
    while (n /= 10);
    key(w, name);
    str_put_n(&w->out, text + at, sizeof text - at);
}

static void string(struct writer *w, const char *name, const char *s)
{
    size_t n = 0;
    while (isalnum((unsigned char)s[n]) || s[n] == '_' || s[n] == '-' || s[n] == '.') n++;
    json_t *const value = s[n] ? json_string(s) : NULL;
    char *const escaped = value ? json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT) : NULL;
    key(w, name);
    if (!s[n]) {
        str_put_char(&w->out, '"');
        str_put_n(&w->out, s, n);
        str_put_char(&w->out, '"');
    }
    if (escaped) str_put(&w->out, escaped);
    w->failed |= s[n] && !escaped;
    free(escaped);
    json_decref(value);
}

/** The data follows the description, which contains its length. */
static void blob(struct writer *w, const char *name, const void *data, uint64_t size)
{
    vec_push(w->blobs, ((struct capture_blob){data, size, NULL, NULL}));
    number(w, name, size);
}

static void text(struct writer *w, const char *name, const char *s)
{
    blob(w, name, s, s ? strlen(s) : 0);
}

static void memory(struct writer *w, const struct dev_capture_memory *m)
{
    open_in(w, NULL, '{');
    number(w, "flags", m->flags);
    blob(w, "size", m->data, m->size);
    if (m->is_private) {
        struct capture_blob *const b = &vec_last(w->blobs);
        b->hashes = b->own_hashes = capture_watch(m->data, m->size);
    }
    blob(w, "written", m->written, m->written ? m->size : 0);
    if (m->address) number(w, "address", m->address);
    str_put_char(&w->out, '}');
}

static void gone(struct writer *w, const struct vm_gone *g)
{
    open_in(w, NULL, '{');
    number(w, "address", g->address);
    number(w, "size", g->size);
    text(w, "origin", g->origin);
    text(w, "call", g->call);
    text(w, "called", g->called);
    str_put_char(&w->out, '}');
}

static void image(struct writer *w, const struct dev_capture_image *i)
{
    open_in(w, "image", '{');
    number(w, "type", i->type);
    number(w, "order", i->order);
    number(w, "channel", i->channel);
    number(w, "width", i->width);
    number(w, "height", i->height);
    number(w, "depth", i->depth);
    number(w, "layers", i->layers);
    number(w, "row_pitch", i->row_pitch);
    number(w, "slice_pitch", i->slice_pitch);
    key(w, "on_buffer");
    str_put(&w->out, i->on_buffer ? "true}" : "false}");
}

static void part(struct writer *w, const struct dev_capture_arg *a)
{
    number(w, "memory", a->memory);
    number(w, "offset", a->offset);
    number(w, "size", a->size);
    number(w, "flags", a->flags);
    if (!a->released) return;
    key(w, "released");
    str_put(&w->out, "true");
}

static void argument(struct writer *w, const struct dev_capture_arg *a)
{
    open_in(w, NULL, '{');
    string(w, "kind", capture_kind_names[a->kind]);
    string(w, "name", a->name);
    switch (a->kind) {
    case DEV_CAPTURE_VALUE: blob(w, "size", a->value, a->size); break;
    case DEV_CAPTURE_LOCAL: number(w, "size", a->size); break;
    case DEV_CAPTURE_IMAGE: image(w, &a->image); // fallthrough
    case DEV_CAPTURE_BUFFER:
    case DEV_CAPTURE_SVM: part(w, a); break;
    case DEV_CAPTURE_SAMPLER:
        number(w, "normalized", a->normalized);
        number(w, "addressing", a->addressing);
        number(w, "filter", a->filter);
        break;
    default: break;
    }
    str_put_char(&w->out, '}');
}

static void triple(struct writer *w, const char *name, const uint64_t v[3])
{
    open_in(w, name, '[');
    for (unsigned i = 0; i < 3; i++) number(w, NULL, v[i]);
    str_put_char(&w->out, ']');
}

static void range(struct writer *w, const struct dev_capture *c)
{
    open_in(w, "range", '{');
    number(w, "dims", c->dims);
    triple(w, "offset", c->offset);
    triple(w, "global", c->global);
    triple(w, "local", c->local);
    str_put_char(&w->out, '}');
}

/**
 * All but the number of the launch and the end. A source need not be UTF-8, so texts with arbitrary
 * bytes are blobs.
 */
static void describe(struct writer *w, const struct dev_capture *c)
{
    open_in(w, NULL, '{');
    string(w, "format", CAPTURE_FORMAT);
    string(w, "cldbg", PACKAGE_VERSION);
    string(w, "kernel", c->kernel);
    text(w, "options", c->options);
    text(w, "host_site", c->host_site);
    text(w, "source", c->source);
    text(w, "build_options", c->build_options);
    blob(w, "binary", c->binary, c->binary_size);
    vec_last(w->blobs).hashes = c->binary_hashes;
    range(w, c);
    open_in(w, "memory", '[');
    for (uint32_t i = 0; i < c->nmemory; i++) memory(w, &c->memory[i]);
    str_put_char(&w->out, ']');
    if (c->ngone) {
        open_in(w, "gone", '[');
        for (uint32_t i = 0; i < c->ngone; i++) gone(w, &c->gone[i]);
        str_put_char(&w->out, ']');
    }
    open_in(w, "arguments", '[');
    for (uint32_t i = 0; i < c->nargs; i++) argument(w, &c->args[i]);
    str_put_char(&w->out, ']');
}

enum { SHORT = 256 }; // shorter data is not looked for in other launches

/** Ends the pieces of short blobs that follow each other. */
static void end_short(struct capture_description *d, size_t from)
{
    for (size_t n; from < d->brief.len; from += n) {
        n = d->brief.len - from < PACK_PIECE ? d->brief.len - from : PACK_PIECE;
        vec_push(&d->pieces, ((struct capture_piece){NULL, from, n, {{0}}}));
    }
}

struct hash_wide *dev_capture_hashes(const void *binary, uint64_t size)
{
    struct hash_wide *const list = mem_array(NULL, size / PACK_PIECE + 1, sizeof *list);
    for (uint64_t at = 0; at < size; at += PACK_PIECE) {
        const uint64_t n = size - at < PACK_PIECE ? size - at : PACK_PIECE;
        list[at / PACK_PIECE] = hash_memory_wide((const char *)binary + at, n);
    }
    return list;
}

/** Divides the data, and hashes all of it. */
static void divide(struct capture_description *d)
{
    size_t from = 0;
    for (size_t i = 0; i < d->blobs.len; i++) {
        const struct capture_blob *const b = &d->blobs.data[i];
        if (b->size < SHORT) {
            if (b->size) str_put_n(&d->brief, b->data, b->size);
            d->key = hash_memory(b->data, b->size, d->key);
            continue;
        }
        end_short(d, from);
        from = d->brief.len;
        for (uint64_t at = 0; at < b->size; at += PACK_PIECE) {
            const uint64_t n = b->size - at < PACK_PIECE ? b->size - at : PACK_PIECE;
            const char *const data = (const char *)b->data + at;
            const struct hash_wide h = b->hashes ? b->hashes[at / PACK_PIECE]
                                                 : hash_memory_wide(data, n);
            vec_push(&d->pieces, ((struct capture_piece){data, 0, n, h}));
            d->key = hash_bytes(&h, sizeof h, d->key);
        }
    }
    end_short(d, from);
    for (size_t i = 0; i < d->pieces.len; i++) {
        struct capture_piece *const p = &d->pieces.data[i];
        if (p->data) continue;
        p->data = d->brief.data + p->at;
        p->hash = hash_memory_wide(p->data, p->size);
    }
}

bool capture_describe(const struct dev_capture *c, struct capture_description *d)
{
    *d = (struct capture_description){0};
    struct writer w = {.blobs = &d->blobs};
    uint64_t size = 0;
    ser_put_u64(&w.out, size);
    describe(&w, c);
    d->key = hash_memory(w.out.data, w.out.len, 0);
    number(&w, "launch", c->launch);
    str_put_char(&w.out, '}');
    d->brief = w.out;
    d->text_size = d->brief.len;
    size = d->text_size - sizeof size;
    memcpy(d->brief.data, &size, sizeof size);
    divide(d);
    return !w.failed;
}

void capture_description_deinit(struct capture_description *d)
{
    for (size_t i = 0; i < d->blobs.len; i++) free(d->blobs.data[i].own_hashes);
    str_deinit(&d->brief);
    vec_free(&d->blobs);
    vec_free(&d->pieces);
}
