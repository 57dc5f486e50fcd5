// SPDX-License-Identifier: MIT
// A launch written to a file: a short head, then one zstd frame with a checksum, which contains the
// length of a description (JSON), the description, and the data that it refers to, in the same
// order. Memory may be large: it is compressed as it is written, never copied.
#include "devices/capture.h"
#include "devices/capture_form.h"
#include "devices/capture_repeats.h"

#include "base/io.h"
#include "base/mem.h"
#include "base/out.h"
#include "base/str.h"
#include "base/vec.h"
#include "report/document.h"
#include "config.h"

#include <fcntl.h>
#include <jansson.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

struct blobs {
    struct blob {
        const void *data;
        uint64_t size;
    } *data;
    size_t len, cap;
};

/** The data follows the description, which contains its length. */
static json_t *blob(struct blobs *b, const void *data, uint64_t size)
{
    vec_push(b, ((struct blob){data, size}));
    return json_integer((json_int_t)size);
}

static json_t *number(uint64_t n) { return json_integer((json_int_t)n); }

static json_t *memory(struct blobs *b, const struct dev_capture_memory *m)
{
    json_t *o = json_object();
    json_object_set_new(o, "flags", number(m->flags));
    json_object_set_new(o, "size", blob(b, m->data, m->size));
    json_object_set_new(o, "written", m->written ? blob(b, m->written, m->size) : json_integer(0));
    if (m->address) json_object_set_new(o, "address", number(m->address));
    return o;
}

static json_t *text(struct blobs *b, const char *s)
{
    return s ? blob(b, s, strlen(s)) : json_integer(0);
}

static json_t *gone(struct blobs *b, const struct vm_gone *g)
{
    json_t *o = json_object();
    json_object_set_new(o, "address", number(g->address));
    json_object_set_new(o, "size", number(g->size));
    json_object_set_new(o, "origin", text(b, g->origin));
    json_object_set_new(o, "call", text(b, g->call));
    json_object_set_new(o, "called", text(b, g->called));
    return o;
}

static json_t *image(const struct dev_capture_image *i)
{
    return json_pack("{s:I,s:I,s:I,s:I,s:I,s:I,s:I,s:I,s:I,s:b}", "type", (json_int_t)i->type,
                     "order", (json_int_t)i->order, "channel", (json_int_t)i->channel, "width",
                     (json_int_t)i->width, "height", (json_int_t)i->height, "depth",
                     (json_int_t)i->depth, "layers", (json_int_t)i->layers, "row_pitch",
                     (json_int_t)i->row_pitch, "slice_pitch", (json_int_t)i->slice_pitch,
                     "on_buffer", i->on_buffer);
}

static json_t *argument(struct blobs *b, const struct dev_capture_arg *a)
{
    json_t *o = json_object();
    json_object_set_new(o, "kind", json_string(capture_kind_names[a->kind]));
    json_object_set_new(o, "name", json_string(a->name));
    switch (a->kind) {
    case DEV_CAPTURE_VALUE: json_object_set_new(o, "size", blob(b, a->value, a->size)); break;
    case DEV_CAPTURE_LOCAL: json_object_set_new(o, "size", number(a->size)); break;
    case DEV_CAPTURE_IMAGE: json_object_set_new(o, "image", image(&a->image)); // fallthrough
    case DEV_CAPTURE_BUFFER:
    case DEV_CAPTURE_SVM:
        json_object_set_new(o, "memory", number(a->memory));
        json_object_set_new(o, "offset", number(a->offset));
        json_object_set_new(o, "size", number(a->size));
        json_object_set_new(o, "flags", number(a->flags));
        if (a->released) json_object_set_new(o, "released", json_true());
        break;
    case DEV_CAPTURE_SAMPLER:
        json_object_set_new(o, "normalized", number(a->normalized));
        json_object_set_new(o, "addressing", number(a->addressing));
        json_object_set_new(o, "filter", number(a->filter));
        break;
    default: break;
    }
    return o;
}

/** A source need not be UTF-8, so texts with arbitrary bytes are blobs. */
static json_t *describe(const struct dev_capture *c, struct blobs *b)
{
    json_t *o = json_object(), *mem = json_array(), *args = json_array(), *range = json_object();
    json_object_set_new(o, "format", json_string(CAPTURE_FORMAT));
    json_object_set_new(o, "cldbg", json_string(PACKAGE_VERSION));
    json_object_set_new(o, "kernel", json_string(c->kernel));
    json_object_set_new(o, "launch", number(c->launch));
    json_object_set_new(o, "options", blob(b, c->options, strlen(c->options)));
    json_object_set_new(o, "host_site", text(b, c->host_site));
    json_object_set_new(o, "source", blob(b, c->source, strlen(c->source)));
    json_object_set_new(o, "build_options", blob(b, c->build_options, strlen(c->build_options)));
    json_object_set_new(o, "binary", blob(b, c->binary, c->binary_size));
    json_object_set_new(range, "dims", number(c->dims));
    json_object_set_new(range, "offset", rep_json_triple(c->offset));
    json_object_set_new(range, "global", rep_json_triple(c->global));
    json_object_set_new(range, "local", rep_json_triple(c->local));
    json_object_set_new(o, "range", range);
    for (uint32_t i = 0; i < c->nmemory; i++) json_array_append_new(mem, memory(b, &c->memory[i]));
    json_object_set_new(o, "memory", mem);
    if (c->ngone) {
        json_t *list = json_array();
        for (uint32_t i = 0; i < c->ngone; i++) json_array_append_new(list, gone(b, &c->gone[i]));
        json_object_set_new(o, "gone", list);
    }
    for (uint32_t i = 0; i < c->nargs; i++) json_array_append_new(args, argument(b, &c->args[i]));
    json_object_set_new(o, "arguments", args);
    return o;
}

struct stream {
    int fd;
    ZSTD_CCtx *z;
    size_t cap;
    void *buffer;
};
/** Kept, since they are megabytes that the C library would return to the system after each file. */
static struct {
    pthread_mutex_t lock;
    ZSTD_CCtx *z;
    void *buffer;
} kept = {.lock = PTHREAD_MUTEX_INITIALIZER};

static struct err *stream_put(struct stream *s, const void *data, uint64_t size, bool last)
{
    ZSTD_inBuffer in = {data, size, 0};
    for (;;) {
        ZSTD_outBuffer out = {s->buffer, s->cap, 0};
        size_t left = ZSTD_compressStream2(s->z, &out, &in, last ? ZSTD_e_end : ZSTD_e_continue);
        if (ZSTD_isError(left)) return err_new("%s", ZSTD_getErrorName(left));
        if (!io_write_all(s->fd, s->buffer, out.pos)) return err_new("%m");
        if (last ? left == 0 : in.pos == in.size) return NULL;
    }
}

static struct err *write_frame(int fd, const char *text, const struct blobs *b)
{
    const uint64_t len = strlen(text);
    uint64_t total = sizeof len + len;
    for (size_t i = 0; i < b->len; i++) total += b->data[i].size;
    pthread_mutex_lock(&kept.lock);
    if (!kept.z) kept.z = ZSTD_createCCtx();
    if (!kept.buffer) kept.buffer = mem_alloc(ZSTD_CStreamOutSize());
    struct stream s = {fd, kept.z, ZSTD_CStreamOutSize(), kept.buffer};
    ZSTD_CCtx_reset(s.z, ZSTD_reset_session_and_parameters);
    ZSTD_CCtx_setParameter(s.z, ZSTD_c_compressionLevel, 1); // a fast level, because the launch
                                                             // waits
    ZSTD_CCtx_setParameter(s.z, ZSTD_c_checksumFlag, 1);
    ZSTD_CCtx_setPledgedSrcSize(s.z, total);
    struct err *e = stream_put(&s, &len, sizeof len, false);
    if (!e) e = stream_put(&s, text, len, false);
    for (size_t i = 0; i < b->len && !e; i++)
        e = stream_put(&s, b->data[i].data, b->data[i].size, false);
    if (!e) e = stream_put(&s, NULL, 0, true);
    pthread_mutex_unlock(&kept.lock);
    return e;
}

/** A hash of the description, which has no number of a launch yet, and of the data. */
static uint64_t key_of(json_t *doc, const struct blobs *b)
{
    json_object_set_new(doc, "launch", json_integer(0));
    char *const text = json_dumps(doc, JSON_COMPACT);
    uint64_t key = text ? hash_memory(text, strlen(text), 0) : 0;
    for (size_t i = 0; i < b->len; i++) key = hash_memory(b->data[i].data, b->data[i].size, key);
    free(text);
    return key;
}

static bool is_capture(const char *data, size_t n)
{
    return n >= strlen(CAPTURE_MAGIC) && !memcmp(data, CAPTURE_MAGIC, strlen(CAPTURE_MAGIC));
}

struct err *dev_capture_write(const char *path, const struct dev_capture *c)
{
    struct blobs blobs = {0};
    json_t *doc = describe(c, &blobs);
    const uint64_t key = key_of(doc, &blobs);
    if (capture_link(key, path)) {
        json_decref(doc);
        vec_free(&blobs);
        return NULL;
    }
    json_object_set_new(doc, "launch", number(c->launch));
    char *text = json_dumps(doc, JSON_COMPACT);
    json_decref(doc);
    struct out_file o;
    const struct capture_head head = {.magic = CAPTURE_MAGIC, .version = CAPTURE_VERSION};
    struct err *e = text ? out_begin(&o, path, OUT_PRIVATE, is_capture)
                         : err_new("%s cannot be written: the kernel's name is not UTF-8", path);
    if (!e) {
        if (!io_write_all(o.fd, &head, sizeof head)) e = err_new("%m");
        if (!e) e = write_frame(o.fd, text, &blobs);
        e = out_end(&o, err_wrap(e, "%s cannot be written", path));
    }
    if (!e) capture_note(key, path);
    free(text);
    vec_free(&blobs);
    return e;
}
