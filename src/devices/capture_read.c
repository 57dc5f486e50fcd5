// SPDX-License-Identifier: MIT
// Reads captures. The file is untrusted: everything in it is checked before use.
#include "devices/capture.h"
#include "devices/capture_form.h"
#include "devices/capture_pack.h"

#include "base/mem.h"
#include "base/str.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

const char *const capture_kind_names[] = {"value", "buffer",  "null", "local",
                                          "image", "sampler", "svm"};
_Static_assert(sizeof capture_kind_names / sizeof *capture_kind_names == DEV_CAPTURE_KIND_COUNT,
               "one name each");

static bool is_in_pack(const char *path)
{
    struct capture_place at;
    if (!capture_find(path, &at)) return false;
    capture_place_deinit(&at);
    return true;
}

bool dev_capture_is(const char *path)
{
    struct capture_head h;
    struct stat st;
    if (stat(path, &st)) return is_in_pack(path);
    if (!S_ISREG(st.st_mode)) return false; // a pipe can be opened only once
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    bool is = fd >= 0 && read(fd, &h, sizeof h) == sizeof h &&
              !memcmp(h.magic, CAPTURE_MAGIC, sizeof h.magic);
    if (fd >= 0) close(fd);
    return is;
}

/** The state of the reader; it keeps the first error. */
struct reader {
    struct arena *a;
    const uint8_t *at, *end; // the bytes that were not read yet
    struct err *e;
};

static void wrong(struct reader *r, const char *what)
{
    if (!r->e) r->e = err_new("%s", what);
}

static uint64_t get_number(struct reader *r, const json_t *o, const char *key, uint64_t max)
{
    const json_t *v = json_object_get(o, key);
    json_int_t n = json_integer_value(v);
    if (!json_is_integer(v) || n < 0 || (uint64_t)n > max) {
        if (!r->e) r->e = err_new("its '%s' is not a valid number", key);
        return 0;
    }
    return (uint64_t)n;
}

/** Reads the next bytes; a member has their number. */
static const void *get_blob(struct reader *r, const json_t *o, const char *key, uint64_t *size)
{
    *size = get_number(r, o, key, (uint64_t)(r->end - r->at));
    const void *p = r->at;
    r->at += *size;
    return p;
}

static const char *get_text(struct reader *r, const json_t *o, const char *key)
{
    uint64_t n;
    const char *p = get_blob(r, o, key, &n);
    char *text = arena_dup(r->a, p, n + 1); // reading one more byte is safe: the file's data has a
                                            // terminator
    text[n] = 0;
    return text;
}

static void get_triple(struct reader *r, const json_t *o, const char *key, uint64_t out[3])
{
    const json_t *list = json_object_get(o, key);
    for (size_t i = 0; i < 3; i++) {
        const json_t *v = json_array_get(list, i);
        if (!json_is_integer(v) || json_integer_value(v) < 0)
            wrong(r, "its range is not three numbers");
        out[i] = (uint64_t)json_integer_value(v);
    }
}

static struct dev_capture_memory get_memory(struct reader *r, const json_t *o)
{
    struct dev_capture_memory m = {.flags = get_number(r, o, "flags", UINT32_MAX)};
    uint64_t n;
    m.data = get_blob(r, o, "size", &m.size);
    const void *written = get_blob(r, o, "written", &n);
    if (n && n != m.size) wrong(r, "its list of written bytes is not for this memory");
    m.written = n ? written : NULL;
    if (json_object_get(o, "address")) m.address = get_number(r, o, "address", INT64_MAX);
    return m;
}

/** A text, or NULL if it is empty. */
static const char *get_given(struct reader *r, const json_t *o, const char *key)
{
    const char *text = get_text(r, o, key);
    return *text ? text : NULL;
}

static struct vm_gone get_gone(struct reader *r, const json_t *o)
{
    struct vm_gone g = {.address = get_number(r, o, "address", INT64_MAX),
                        .size = get_number(r, o, "size", INT64_MAX)};
    g.origin = get_given(r, o, "origin");
    g.call = get_given(r, o, "call");
    g.called = get_given(r, o, "called");
    if (!g.size || g.size > UINT64_MAX / 2 - g.address || !g.call)
        wrong(r, "a freed allocation has no valid size, or its call is missing");
    return g;
}

static struct dev_capture_image get_image(struct reader *r, const json_t *o)
{
    return (struct dev_capture_image){
        .type = (uint32_t)get_number(r, o, "type", UINT32_MAX),
        .order = (uint32_t)get_number(r, o, "order", UINT32_MAX),
        .channel = (uint32_t)get_number(r, o, "channel", UINT32_MAX),
        .width = get_number(r, o, "width", UINT32_MAX),
        .height = get_number(r, o, "height", UINT32_MAX),
        .depth = get_number(r, o, "depth", UINT32_MAX),
        .layers = get_number(r, o, "layers", UINT32_MAX),
        .row_pitch = get_number(r, o, "row_pitch", INT64_MAX),
        .slice_pitch = get_number(r, o, "slice_pitch", INT64_MAX),
        .on_buffer = json_is_true(json_object_get(o, "on_buffer")),
    };
}

static void get_part(struct reader *r, const json_t *o, const struct dev_capture *c,
                     struct dev_capture_arg *a)
{
    a->memory = (uint32_t)get_number(r, o, "memory", UINT32_MAX);
    a->flags = get_number(r, o, "flags", UINT32_MAX);
    a->offset = get_number(r, o, "offset", INT64_MAX);
    a->size = get_number(r, o, "size", INT64_MAX);
    a->released = json_is_true(json_object_get(o, "released"));
    if (a->memory >= c->nmemory) wrong(r, "an argument is in memory that does not exist");
    else if (a->offset > c->memory[a->memory].size ||
             a->size > c->memory[a->memory].size - a->offset)
        wrong(r, "an argument extends past the end of its memory");
}

static struct dev_capture_arg get_argument(struct reader *r, const json_t *o,
                                           const struct dev_capture *c)
{
    const char *kind = json_string_value(json_object_get(o, "kind")),
               *name = json_string_value(json_object_get(o, "name"));
    struct dev_capture_arg a = {.name = arena_strdup(r->a, name ? name : "")};
    while (a.kind < DEV_CAPTURE_KIND_COUNT && (!kind || strcmp(kind, capture_kind_names[a.kind])))
        a.kind++;
    switch (a.kind) {
    case DEV_CAPTURE_VALUE: a.value = get_blob(r, o, "size", &a.size); break;
    case DEV_CAPTURE_LOCAL: a.size = get_number(r, o, "size", INT64_MAX); break;
    case DEV_CAPTURE_IMAGE: a.image = get_image(r, json_object_get(o, "image")); // fallthrough
    case DEV_CAPTURE_BUFFER: get_part(r, o, c, &a); break;
    case DEV_CAPTURE_SVM:
        get_part(r, o, c, &a);
        if (!r->e && !c->memory[a.memory].address)
            wrong(r, "an argument points to memory that is not shared");
        break;
    case DEV_CAPTURE_SAMPLER:
        a.normalized = (uint32_t)get_number(r, o, "normalized", 1);
        a.addressing = (uint32_t)get_number(r, o, "addressing", UINT32_MAX);
        a.filter = (uint32_t)get_number(r, o, "filter", UINT32_MAX);
        break;
    case DEV_CAPTURE_NULL: break;
    default: wrong(r, "an argument is of a kind that is not known");
    }
    return a;
}

static void get_all(struct reader *r, const json_t *o, struct dev_capture *c)
{
    const char *format = json_string_value(json_object_get(o, "format")),
               *kernel = json_string_value(json_object_get(o, "kernel"));
    if (!format || strcmp(format, CAPTURE_FORMAT) || !kernel) {
        wrong(r, "its description is not that of a launch");
        return;
    }
    c->kernel = arena_strdup(r->a, kernel);
    c->launch = get_number(r, o, "launch", INT64_MAX);
    c->options = get_text(r, o, "options");
    c->host_site = get_given(r, o, "host_site");
    c->source = get_text(r, o, "source");
    c->build_options = get_text(r, o, "build_options");
    c->binary = get_blob(r, o, "binary", &c->binary_size);
    const json_t *range = json_object_get(o, "range"), *mem = json_object_get(o, "memory"),
                 *args = json_object_get(o, "arguments");
    c->dims = (uint32_t)get_number(r, range, "dims", 3);
    get_triple(r, range, "offset", c->offset);
    get_triple(r, range, "global", c->global);
    get_triple(r, range, "local", c->local);
    for (unsigned d = 0; d < 3; d++)
        if (!r->e && !(c->global[d] && c->local[d] && c->dims))
            wrong(r, "a global size is 0, or a local one, or there are no dimensions: no work-item "
                     "would run");
    if (!json_is_array(mem) || !json_is_array(args)) {
        wrong(r, "it has no memory or no arguments");
        return;
    }
    struct dev_capture_memory *m =
        arena_array(r->a, struct dev_capture_memory, json_array_size(mem) + 1);
    struct dev_capture_arg *v =
        arena_array(r->a, struct dev_capture_arg, json_array_size(args) + 1);
    const json_t *gone = json_object_get(o, "gone");
    struct vm_gone *g = arena_array(r->a, struct vm_gone, json_array_size(gone) + 1);
    c->memory = m;
    c->args = v;
    c->gone = g;
    for (size_t i = 0; i < json_array_size(mem); i++)
        m[c->nmemory++] = get_memory(r, json_array_get(mem, i));
    for (size_t i = 0; i < json_array_size(gone); i++)
        g[c->ngone++] = get_gone(r, json_array_get(gone, i));
    for (size_t i = 0; i < json_array_size(args); i++)
        v[c->nargs++] = get_argument(r, json_array_get(args, i), c);
    if (r->at != r->end) wrong(r, "it contains data that its header does not describe");
}

struct err *capture_room(uint64_t n, uint8_t **data)
{
    const uint64_t memory = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
    if (n > memory)
        return err_new("it needs %llu bytes of memory, this machine has %llu",
                       (unsigned long long)n, (unsigned long long)memory);
    if ((*data = malloc(n + 1))) return NULL;
    return err_new("there is no memory for its %llu bytes", (unsigned long long)n);
}

/** Decompresses the frame and adds a NUL. The caller frees the data, also after a failure. */
static struct err *unpack(const uint8_t *frame, size_t size, uint8_t **data, uint64_t *len)
{
    unsigned long long n = ZSTD_getFrameContentSize(frame, size);
    if (n == ZSTD_CONTENTSIZE_ERROR || n == ZSTD_CONTENTSIZE_UNKNOWN || n < sizeof(uint64_t))
        return err_new("it is damaged");
    // zstd compresses at most 128 KiB into three bytes: do not allocate memory for a file that
    // claims more.
    if (n / (64 << 10) > size) return err_new("it is damaged");
    struct err *const e = capture_room(n, data);
    if (e) return e;
    size_t got = ZSTD_decompress(*data, n, frame, size);
    if (ZSTD_isError(got)) return err_new("it is damaged: %s", ZSTD_getErrorName(got));
    if (got != n) return err_new("it is damaged: it ends early");
    (*data)[n] = 0;
    *len = n;
    return NULL;
}

struct err *capture_parse(uint8_t *data, uint64_t n, struct dev_capture *out)
{
    uint64_t text_len;
    out->bytes = data;
    memcpy(&text_len, data, sizeof text_len);
    if (text_len > n - sizeof text_len) return err_new("it is damaged");
    json_error_t why;
    json_t *doc = json_loadb((char *)data + sizeof text_len, text_len, 0, &why);
    if (!doc) return err_new("its description is damaged: %s", why.text);
    struct reader r = {.a = &out->arena, .at = data + sizeof text_len + text_len, .end = data + n};
    get_all(&r, doc, out);
    json_decref(doc);
    return r.e;
}

static struct err *parse(const uint8_t *file, size_t size, struct dev_capture *out)
{
    struct capture_head h;
    if (size < sizeof h ||
        (memcpy(&h, file, sizeof h), memcmp(h.magic, CAPTURE_MAGIC, sizeof h.magic)))
        return err_new("it is not a capture");
    if (h.version != CAPTURE_VERSION)
        return err_new("its format is version %u; this cldbg reads version %d", h.version,
                       CAPTURE_VERSION);
    uint8_t *data = NULL;
    uint64_t n = 0;
    struct err *e = unpack(file + sizeof h, size - sizeof h, &data, &n);
    if (!e) return capture_parse(data, n, out);
    free(data);
    return e;
}

static struct err *read_file(const char *path, struct dev_capture *out)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat st;
    if (fd < 0 || fstat(fd, &st)) {
        struct err *e = err_new("%s: %s", path, strerror(errno));
        if (fd >= 0) close(fd);
        return e;
    }
    void *file = st.st_size ? mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0) : NULL;
    close(fd);
    if (!file) return err_new("%s: it is empty", path);
    if (file == MAP_FAILED) return err_new("%s: %s", path, strerror(errno));
    struct err *e = parse(file, (size_t)st.st_size, out);
    munmap(file, (size_t)st.st_size);
    return err_wrap(e, "%s", path);
}

struct err *dev_capture_read(const char *path, struct dev_capture *out)
{
    *out = (struct dev_capture){0};
    struct capture_place at;
    if (!capture_find(path, &at)) return read_file(path, out);
    uint8_t *data = NULL;
    uint64_t n = 0;
    struct err *e = NULL;
    if (at.file) e = read_file(at.file, out);
    else if (!(e = capture_load(&at, &data, &n))) e = capture_parse(data, n, out);
    else free(data);
    if (!at.file) e = err_wrap(e, "%s", path);
    capture_place_deinit(&at);
    return e;
}

void dev_capture_deinit(struct dev_capture *c)
{
    arena_deinit(&c->arena);
    free(c->bytes);
}
