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
     * Shows a new finding. Its example is final; counts are preliminary. False: output failed.
     */
    bool (*finding)(struct rep_sink *s, const struct rep_record *r, struct rep_sources *sources);
    /** No further findings will be shown: the limit of the options is reached. */
    void (*limit)(struct rep_sink *s, uint64_t shown);
    void (*destroy)(struct rep_sink *s);
};

/** "also: branch at k.cl:31:9": a further location of a cause that another record shows. */
void rep_put_also(struct str *s, const struct rep_record *r);

/**
 * The default: colors for terminals, unless NO_COLOR or TERM=dumb is set.
 */
bool rep_wants_color(FILE *out);
/** The text format. `color` as in struct rep_options. */
struct rep_sink *rep_sink_text(FILE *out, int color, bool gen_suppressions);

/** The text of a finding up to its locations and notes: without counts, help and suppressions. */
void rep_put_text(struct str *s, const struct rep_record *r, struct rep_sources *sources,
                  bool color);
/** The suppressions of --gen-suppressions; the caller frees the text. */
char *rep_suppressions(const struct rep_record *r);
/**
 * The whole text of a finding of a document whose processes kept their texts (CLDBG_KEEP_TEXT), as
 * one process would print it. `helped` has the help that was shown.
 */
struct json_t;
void rep_put_merged_text(struct str *s, const struct json_t *finding, bool color,
                         struct json_t *helped);
/** The message that the limit of --max-findings is reached. */
void rep_put_limit(struct str *s, uint64_t shown);

/** Flushes the stream and writes the text. False: failure, as in io_write_all. */
bool rep_write(FILE *out, const char *text, size_t len);
/**
 * The same for text with untrusted parts (names, file names, messages of the compiler): escapes
 * control characters except newlines and tabs for a terminal.
 */
bool rep_write_safe(FILE *out, const char *text);
/** Whether something written to stdout did not arrive (a full disk, a closed descriptor). */
bool rep_output_is_lost(void);
#endif
