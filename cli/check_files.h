// SPDX-License-Identifier: MIT
#ifndef CLI_CHECK_FILES_H
#define CLI_CHECK_FILES_H
#include "base/err.h"
#include "base/str.h"
#include "base/temp_folder.h"
#include "base/vec.h"
#include "cli/ranks.h"
#include "devices/option_table.h"

#include <jansson.h>
#include <signal.h>
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
    uint64_t dev, ino;    // 0: it has no other links
    unsigned attempts;    // children that were started for it
    bool is_done;         // its result is in the journal …
    uint64_t at, len;     // … here
};
struct check {
    struct dev_option_set *s;
    VEC(struct check_file) files; // ordered by path
    struct err *bad_file;         // a file that is named cannot be checked: all ranks must know
    size_t ndone, next;           // next: where the queue is, without MPI
    VEC(const char *) args;       // of `cldbg run` for each file, without the file
    struct temp_folder folder;
    char *journal_path; // NULL: it is in the folder, because there is no report file
    int journal;
    uint64_t journal_end;
    uint64_t jobs;
    int signal;    // that interrupted it
    sigset_t mask; // of the caller
    // With MPI, otherwise NULL:
    const struct ranks *ranks;
    struct check_rank *others;   // of rank 0
    bool is_empty, has_finished; // the queue; this rank
    bool has_asked;              // this rank takes a file that it does not run yet
    uint64_t last;               // the number of the file that it has begun last
    bool is_released;            // rank 0 needs this rank no longer
    bool has_lost_rank, sweeps;  // sweeps: rank 0 runs what missing ranks had taken
    uint64_t last_beat;          // ms
    uint64_t last_news, taken;   // of rank 0: ms; files that ranks have taken
};

/** The file with this path, or NULL. */
struct check_file *check_find(const struct check *c, const char *path);

// check_ranks.c
/** All ranks get the list of files from rank 0; e: why this rank cannot go on. Collective. */
struct err *check_ranks_begin(struct check *c, struct err *e);
/** To be called often: messages, and signs of life. */
struct err *check_ranks_tick(struct check *c);
/** Rank 0: how long the others have sent nothing and taken no file. */
uint64_t check_ranks_quiet_ms(const struct check *c);
/** Rank 0: do others still have files? Another rank: may rank 0 still need this one? */
bool check_ranks_left(const struct check *c);
void check_ranks_send(struct check *c, enum ranks_message what, const json_t *result);
/** Rank 0 needs the others no longer. */
void check_ranks_release(struct check *c);
/** Exits with `status` if MPI cannot be ended. */
void check_ranks_end(struct check *c, int status);

// check_journal.c
/** Opens the journal, and with --resume reads the results that it has. */
struct err *check_journal_open(struct check *c);
struct err *check_journal_add(struct check *c, struct check_file *f, const json_t *result);
/** The result of a file that is done. */
json_t *check_journal_read(const struct check *c, const struct check_file *f);
/** Removes the journal of a run that was completed. */
void check_journal_close(struct check *c);

// check_children.c
/** Those that the command waits for; it blocks them from its beginning. */
void check_signals(sigset_t *set);
/** Runs all files that are not done, c->jobs at once. */
struct err *check_run(struct check *c);

// check_merge.c
/** The merged document, and what `cldbg run` would have counted in all. Equal findings count once.
 */
json_t *check_merge(const struct check *c, struct rep_totals *t);
/** Shows the findings, and messages about files that could not be checked. */
void check_show(const struct check *c, const json_t *doc);
#endif
