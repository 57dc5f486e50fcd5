// SPDX-License-Identifier: MIT
#ifndef BASE_ARCHIVE_H
#define BASE_ARCHIVE_H
#include "base/arena.h"
#include "base/serialize.h"

/**
 * One function states the fields of a message for both directions, so that they cannot differ (an
 * archive of Boost.Serialization, a filter of XDR). Numbers take 8 bytes; bytes are a length and
 * themselves. Writing changes nothing in what is written.
 */
struct archive {
    struct str *out;      // where to write, or NULL: it reads
    struct ser_reader in; // fails at bytes that are missing, and where the caller sets is_bad
    struct arena *arena;  // of the lists and texts that are read
};

/** A number, enum or bool. */
#define AR_NUMBER(ar, x)                                                                           \
    do {                                                                                           \
        if ((ar)->out) ser_put_u64((ar)->out, (uint64_t)(x));                                      \
        else (x) = (__typeof__(x))ser_get_u64(&(ar)->in);                                          \
    } while (0)

/** The length n of a list whose elements follow, and room for them; each takes 8 bytes or more. */
#define AR_LIST(ar, list, n)                                                                       \
    do {                                                                                           \
        if ((ar)->out) {                                                                           \
            ser_put_u64((ar)->out, (n));                                                           \
            break;                                                                                 \
        }                                                                                          \
        (n) = (__typeof__(n))ser_get_count(&(ar)->in, 8);                                          \
        (list) = arena_alloc((ar)->arena, ((n) + 1) * sizeof *(list));                             \
    } while (0)

/** Writes size bytes, or reads them where they are. NULL stays NULL. */
static inline const void *ar_bytes(struct archive *ar, const void *bytes, size_t *size)
{
    if (ar->out) {
        ser_put_u64(ar->out, bytes ? *size : UINT64_MAX);
        if (bytes) ser_put(ar->out, bytes, *size);
        return bytes;
    }
    const uint64_t n = ser_get_u64(&ar->in);
    *size = 0;
    if (ar->in.is_bad || n == UINT64_MAX) return NULL;
    ar->in.is_bad = n > (uint64_t)(ar->in.end - ar->in.at);
    if (ar->in.is_bad) return NULL;
    bytes = ar->in.at;
    ar->in.at += n;
    *size = n;
    return bytes;
}

/** NULL stays NULL. */
static inline const char *ar_text(struct archive *ar, const char *text)
{
    size_t n = ar->out && text ? strlen(text) : 0;
    const char *const bytes = ar_bytes(ar, text, &n);
    if (ar->out || !bytes) return bytes;
    char *const copy = arena_alloc(ar->arena, n + 1);
    if (n) memcpy(copy, bytes, n);
    return copy;
}
#define AR_TEXT(ar, x)                                                                             \
    do {                                                                                           \
        const char *const text_ = ar_text((ar), (x));                                              \
        if (!(ar)->out) (x) = text_;                                                               \
    } while (0)

/** All was read, and was as it must be. */
static inline bool ar_is_whole(const struct archive *ar)
{
    return !ar->in.is_bad && ar->in.at == ar->in.end;
}
#endif
