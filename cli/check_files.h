// SPDX-License-Identifier: MIT
#ifndef CLI_CHECK_FILES_H
#define CLI_CHECK_FILES_H
#include "base/err.h"
#include "base/str.h"
#include "base/temp_folder.h"
#include "base/vec.h"
#include "devices/option_table.h"

#include <jansson.h>
#include <stdbool.h>
#include <sys/types.h>

/**
 * `cldbg check`: many files, each in a child process that does what `cldbg run` does. The result of
 * a file is one line of JSON in the journal; the results are merged from there in the order of the
 * files, so a report does not depend on the order in which children end, nor on interruptions.
 */
struct check_file {
    const char *path;
    uint64_t size, mtime; // mtime in nanoseconds
    unsigned attempts;    // children that were started for it
    bool is_done;         // its result is in the journal …
    uint64_t at, len;     // … here
};
struct check {
    struct dev_option_set *s;
    VEC(struct check_file) files; // ordered by path
    size_t ndone;
    VEC(const char *) args; // of `cldbg run` for each file, without the file
    struct temp_folder folder;
    char *journal_path; // NULL: it is in the folder, because there is no report file
    int journal;
    uint64_t journal_end;
    uint64_t jobs;
    int signal; // that interrupted it
};

// check_journal.c
/** Opens the journal, and with --resume reads the results that it has. */
struct err *check_journal_open(struct check *c);
struct err *check_journal_add(struct check *c, struct check_file *f, const json_t *result);
/** The result of a file that is done. */
json_t *check_journal_read(const struct check *c, const struct check_file *f);
/** Removes the journal of a run that was completed. */
void check_journal_close(struct check *c);

// check_children.c
/** Runs all files that are not done, c->jobs at once. */
struct err *check_run(struct check *c);

// check_merge.c
/** The merged document, and what `cldbg run` would have counted in all. Equal findings count once.
 */
json_t *check_merge(const struct check *c, struct rep_totals *t);
/** Shows the findings, and messages about files that could not be checked. */
void check_show(const struct check *c, const json_t *doc);
/** Removes from the document what only check_show needs. */
void check_strip(json_t *doc);

// The members of a result for the counters of struct rep_totals that are sums.
#define CHECK_COUNTERS(COUNTER)                                                                    \
    COUNTER(launches)                                                                              \
    COUNTER(begun)                                                                                 \
    COUNTER(enqueued)                                                                              \
    COUNTER(cut_checks)                                                                            \
    COUNTER(internal_errors)                                                                       \
    COUNTER(native_launches)                                                                       \
    COUNTER(scheduled_launches)                                                                    \
    COUNTER(suppressed)                                                                            \
    COUNTER(skipped_launches)                                                                      \
    COUNTER(unwritten)                                                                             \
    COUNTER(unkept)
#endif
