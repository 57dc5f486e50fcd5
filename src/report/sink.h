// SPDX-License-Identifier: MIT
#ifndef REPORT_SINK_H
#define REPORT_SINK_H
#include "base/str.h"
#include "report/record.h"

/**
 * An output format for findings. Called under the session's lock. To add one: a file for it, and a
 * line in rep_create.
 */
struct rep_sink {
    const struct rep_sink_ops *ops;
};
struct rep_sink_ops {
    /**
     * A new finding. Its example is final; counts are those until now. False: it could not be
     * written.
     */
    bool (*finding)(struct rep_sink *s, const struct rep_record *r, struct rep_sources *sources);
    /** No further findings will be shown: the limit of the options is reached. */
    void (*limit)(struct rep_sink *s, uint64_t shown);
    void (*destroy)(struct rep_sink *s);
};

/** "also: branch at k.cl:31:9": a further place of the cause that another record reports. */
void rep_put_also(struct str *s, const struct rep_record *r);

/**
 * By default: colors are for terminals, unless NO_COLOR or TERM=dumb says
 * otherwise.
 */
bool rep_wants_color(FILE *out);
/** The text of DESIGN's reports. `color` as in struct rep_options. */
struct rep_sink *rep_sink_text(FILE *out, int color, bool gen_suppressions);

/** Writes all of it, after what the stream holds. False when it could not: as io_write_all. */
bool rep_write(FILE *out, const char *text, size_t len);
/**
 * The same of text with parts from outside (names, file names, messages of the compiler): of
 * control characters a terminal gets newlines and tabs only.
 */
bool rep_write_safe(FILE *out, const char *text);
#endif
