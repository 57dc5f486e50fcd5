// SPDX-License-Identifier: MIT
// A launch written to a file: a short head, then one zstd frame with a checksum, which contains the
// length of a description (JSON), the description, and the data that it refers to, in the same
// order. Memory may be large: it is compressed as it is written, never copied.
#include "devices/capture.h"
#include "devices/capture_description.h"
#include "devices/capture_form.h"
#include "devices/capture_repeats.h"

#include "base/io.h"
#include "base/mem.h"
#include "base/out.h"

#include <pthread.h>
#include <string.h>
#include <zstd.h>

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

static struct err *write_frame(int fd, const struct capture_description *d)
{
    uint64_t total = d->text_size;
    for (size_t i = 0; i < d->blobs.len; i++) total += d->blobs.data[i].size;
    pthread_mutex_lock(&kept.lock);
    if (!kept.z) kept.z = ZSTD_createCCtx();
    if (!kept.buffer) kept.buffer = mem_alloc(ZSTD_CStreamOutSize());
    struct stream s = {fd, kept.z, ZSTD_CStreamOutSize(), kept.buffer};
    ZSTD_CCtx_reset(s.z, ZSTD_reset_session_and_parameters);
    ZSTD_CCtx_setParameter(s.z, ZSTD_c_compressionLevel, 1); // a fast level, because the launch
                                                             // waits
    ZSTD_CCtx_setParameter(s.z, ZSTD_c_checksumFlag, 1);
    ZSTD_CCtx_setPledgedSrcSize(s.z, total);
    struct err *e = stream_put(&s, d->brief.data, d->text_size, false);
    for (size_t i = 0; i < d->blobs.len && !e; i++)
        e = stream_put(&s, d->blobs.data[i].data, d->blobs.data[i].size, false);
    if (!e) e = stream_put(&s, NULL, 0, true);
    pthread_mutex_unlock(&kept.lock);
    return e;
}

static bool is_capture(const char *data, size_t n)
{
    return n >= strlen(CAPTURE_MAGIC) && !memcmp(data, CAPTURE_MAGIC, strlen(CAPTURE_MAGIC));
}

struct err *capture_write_file(const char *path, const struct capture_description *d)
{
    if (capture_link(d->key, path)) return NULL;
    struct out_file o;
    const struct capture_head head = {.magic = CAPTURE_MAGIC, .version = CAPTURE_VERSION};
    struct err *e = out_begin(&o, path, OUT_PRIVATE, is_capture);
    if (e) return e;
    if (!io_write_all(o.fd, &head, sizeof head)) e = err_new("%m");
    if (!e) e = write_frame(o.fd, d);
    e = out_end(&o, err_wrap(e, "%s cannot be written", path));
    if (!e) capture_note(d->key, path);
    return e;
}

struct err *dev_capture_write(const char *path, const struct dev_capture *c)
{
    struct capture_description d;
    struct err *const e = capture_describe(c, &d) ? capture_write_file(path, &d)
                                                  : capture_no_text(path);
    capture_description_deinit(&d);
    return e;
}

struct err *capture_no_text(const char *path)
{
    return err_new("%s cannot be written: the kernel's name is not UTF-8", path);
}
