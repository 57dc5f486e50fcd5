// SPDX-License-Identifier: MIT
#ifndef REPORT_FINDING_H
#define REPORT_FINDING_H
#include "base/bits.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/**
 * Findings: errors in the user's program. A checker fills in a struct rep_finding (all pointers
 * borrowed for the call) and passes it to rep_add; the session merges it with those of the same
 * kind at the same locations, keeps the example with the smallest work-item, counts, and prints at
 * rep_flush. Thread-safe.
 */
enum rep_kind {
#define KIND(name, id, severity, what, fix) REP_##name,
#include "report/kinds.def"
    REP_KIND_COUNT
};
/** The fix hint of a finding whose kind has several causes: fix_hints.def. 0: that of the kind.
 */
enum rep_fix {
    REP_FIX_OF_KIND,
#define FIX_HINT(name, kind, when, how) REP_FIX_##name,
#include "report/fix_hints.def"
    REP_FIX_COUNT
};
enum rep_severity { REP_WARNING, REP_ERROR };
struct rep_kind_info {
    const char *id;
    enum rep_severity severity;
    const char *what, *fix;
};
extern const struct rep_kind_info rep_kinds[REP_KIND_COUNT];
struct rep_explanation {
    const char *rule, *wrong, *fixed; // paragraphs; examples end with a newline
};
extern const struct rep_explanation rep_explanations[REP_KIND_COUNT];
extern const struct rep_fix_info {
    enum rep_kind kind;
    const char *when, *how;     // "in different iterations"
} rep_fix_hints[REP_FIX_COUNT]; // [0] is unused
/**
 * "In different iterations: let the loop …", the next one at each call; *m must be 0 initially.
 * NULL: no more. The caller frees it.
 */
char *rep_next_fix(enum rep_kind kind, enum rep_fix *m);
/** The kind named `id`, or -1. */
int rep_kind_find(const char *id);

/** A source location, with the calls that led to it, innermost first. Borrowed. */
struct rep_place {
    const char *file;                    // name to show; NULL unknown
    const char *path;                    // path of the file to read; NULL: only `text`
    const char *text;                    // whole source text if known; NULL: read `path`
    uint32_t text_first_line;            // the line number of text's first line (1 usually)
    uint32_t line, col;                  // 1-based, 0 unknown
    const char *fn;                      // function it is written in
    const struct rep_place *called_from; // NULL at the kernel itself
};

/** A work-item. */
struct rep_item {
    bool known;
    uint64_t local[3], group[3], global[3];
    uint64_t linear; // number among all work-items of the launch; smaller is the better example
};

/**
 * One side of a finding. `what` is the text under the caret: "write of 4 bytes"; the sink adds "by
 * work-item …" if the item is known. Places with equal file, line, column and call chain are equal.
 */
struct rep_side {
    struct rep_place place;
    struct rep_item item;
    const char *what;
};

enum { REP_MAX_ELEMENTS = 32 };
enum { REP_MAX_SIDES = 4, REP_MAX_NOTES = 16, REP_MAX_PARTIES = 6, REP_MAX_BRANCHES = 8 };

/** The last writers of elements of the object. */
struct rep_writers {
    const char *when; // "access", "group", "launch": the access, or the end of these
    uint64_t first, unit;
    unsigned n;
    struct rep_written {
        const char *by;       // "item", "copy", "mixed", "before", "never", "unknown"
        uint64_t group, item; // "item": linear, item in its group
    } of[REP_MAX_ELEMENTS];
};

/** Numbers that the pictures of a finding show. 0: not known. */
struct rep_scene {
    uint64_t global[3], local[3], offset[3]; // of the launch, in work-items
    uint64_t object_bytes;
    int64_t first_byte; // of the object, where the finding is
    uint64_t nbytes;
    struct rep_party {     // work-items of a group that went different ways
        const char *where; // "at the barrier at k.cl:11"
        const char *items; // linear local ids: "0-31,40"
    } parties[REP_MAX_PARTIES];
    unsigned nparties;
    struct rep_branch {       // where they diverged
        const char *what;     // "condition `i < 24` at k.cl:5:11"
        const char *yes, *no; // for whom it was true, false; as items
    } branches[REP_MAX_BRANCHES];
    unsigned nbranches;
    const struct rep_writers *writers; // or NULL
};

struct rep_finding {
    enum rep_kind kind;
    bool possible;    // not sure: shown as "possible", never an error
    enum rep_fix fix; // where the kind has several causes: what hints this one
    bool mild;        // a warning although its kind is an error (flags of a barrier that differ, a
                      // fence missing after a read)
    struct rep_scene scene;
    const char *title;                    // "data race on local memory 'tmp'"
    struct rep_side sides[REP_MAX_SIDES]; // [0] is the place reported; the rest are the other sides
    unsigned nsides;
    bool calls_vary; // the call chains of the sides are only an example, and not part of the
                     // finding's identity
    bool overtaken;  // a race of an async copy with an earlier access: a different finding from an
                     // access that comes too early
    const char
        *notes[REP_MAX_NOTES]; // "'tmp' is 1024 bytes of local memory (declared at reduce.cl:5); …"
    unsigned nnotes;
    const char *kernel;    // NULL for findings outside kernels
    uint64_t launch;       // 1-based; 0 none
    uint64_t schedule;     // the schedule that showed it; 0: the default order
    const char *host_site; // "enqueued at main.c:42 (run_reduce)", or NULL
    const char
        *object; // name of the memory object: part of the identity of the finding, may be NULL
    const char *cause; // findings of one kind, kernel, object and launch with an equal cause are
                       // reported as one: the first location in full, the others as further
                       // locations; NULL: separate
    uint64_t group_linear;     // the group in which it was found
    const struct bits *groups; // all groups in which it was found; NULL: that one
    uint64_t count;            // number of occurrences (0 means 1)
    uint64_t between;          // number of these between work-groups, not in any of `groups`
    bool within;               // work-items of one group race there, too
};

struct rep_session; // one a process
struct rep_record;  // a finding that is kept there

/** A report in a file: `--report=FORMAT:PATH`. */
struct rep_report {
    const char *format, *path;
};

struct rep_options {
    FILE *out; // text sink; NULL: stderr. Borrowed
    int color; // -1: when out is a terminal; 0 never, 1 always
    bool kinds_off[REP_KIND_COUNT];
    uint64_t max_findings;     // maximum number shown; the others are only counted; 0: no limit
    bool gen_suppressions;     // print a matching suppression after each finding
    struct rep_filter *filter; // owned by the session; NULL: only comments in the sources suppress
                               // findings
    bool exit_on_first_error;
    int exit_status;         // for that
    const char *capture_dir; // folder of captures, for the text about repeating a launch; NULL:
                             // none
    bool (*is_captured)(const char *path); // with capture_dir: was this capture written?
    // Reports in files. With fragment_dir, this process stores its document there, and the command
    // makes the reports; otherwise it writes the reports itself. All borrowed.
    const char *fragment_dir;
    bool keep_text;       // findings of the document also have their text
    bool only_keeps_text; // and are not shown: the command shows those of several processes
    const struct rep_report *reports;
    unsigned nreports;
    bool overwrite;      // also replace a file that is not an earlier report
    const char *command; // name of the process in reports; NULL: its command line
};
struct rep_session *rep_create(const struct rep_options *o); // o NULL: text on stderr, all kinds
void rep_destroy(struct rep_session *s);                     // flushes first
/**
 * A session for launches that may have to run again: it wants the same kinds as `of`, counts apart,
 * and shows nothing. rep_has_found says whether a launch had findings.
 */
struct rep_session *rep_create_trial(struct rep_session *of);

bool rep_wants(const struct rep_session *s, enum rep_kind k); // is the kind enabled?
void rep_add(struct rep_session *s, const struct rep_finding *f);
/**
 * Would this finding be reported? Not if its kind is off, or a suppression, a comment or the
 * baseline accepts it.
 */
bool rep_is_reported(struct rep_session *s, const struct rep_finding *f);
/**
 * Prints the findings since the last flush, in deterministic order (called after every launch). A
 * finding that was already printed is only counted. Errors of the output (a closed pipe, a full
 * disk) never end the program: totals.unwritten counts lost findings.
 */
void rep_flush(struct rep_session *s);
/** The same at the end of the process: the report files get the final counts. */
void rep_finish(struct rep_session *s);
/**
 * Records the lines of a checked function: unused cldbg-ignore comments in them are reported at the
 * end.
 */
void rep_checked_lines(struct rep_session *s, const struct rep_place *first, uint32_t last);
void rep_launch_enqueued(struct rep_session *s);
void rep_launch_begins(struct rep_session *s);
/** No more findings of this launch will come, whether it was completed or not. */
void rep_launch_ends(struct rep_session *s, uint64_t launch);
enum rep_execution {
    REP_CHECKED,
    REP_LEFT_OUT,
    REP_NATIVE
}; // LEFT_OUT: unchecked, because of a filter of the user
/** A launch of this kernel has ended after `ns` nanoseconds of wall time. */
void rep_launched(struct rep_session *s, const char *kernel, enum rep_execution how, uint64_t ns);
/** A kernel was analyzed without a launch. */
void rep_looked_at(struct rep_session *s, const char *kernel);
/** Numbers that a launch of the kernel adds to its statistics in the report files. */
struct rep_number {
    const char *name;
    uint64_t value;
};
/**
 * A member of the report files that is made when they are written. `fresh`: a number that is raised
 * when the member has something new that must not be lost.
 */
struct json_t;
struct rep_member {
    const char *name;
    struct json_t *(*make)(void *ctx); // a new reference
    uint64_t (*fresh)(void);
    void *ctx;
};
enum { REP_MAX_MEMBERS = 4 };
void rep_add_member(struct rep_session *s, const struct rep_member *m);
void rep_numbers(struct rep_session *s, const char *kernel, const struct rep_number *numbers,
                 unsigned n);

/**
 * The file that this launch is captured in: DIR/KERNEL-LAUNCH.cldbg. NULL: captures are off. The
 * caller frees it.
 */
char *rep_capture_path(const struct rep_session *s, const char *kernel, uint64_t launch);
/** The file of the captures of this process that have no file of their own; as above. */
char *rep_capture_pack(const struct rep_session *s);
/**
 * Was a finding of this launch shown? Suppressed and known findings do not count.
 */
bool rep_has_shown(struct rep_session *s, uint64_t launch);
/**
 * Did this launch have any finding, including repeated, suppressed or known ones? Only the last
 * launch of each finding is recorded.
 */
bool rep_has_found(struct rep_session *s, uint64_t launch);
/** The same without findings about the launch's end: no-progress, instruction-limit. */
bool rep_has_found_wrong(struct rep_session *s, uint64_t launch);
/** A finding, with its counts in one launch: as in struct rep_finding; `groups` is their number. */
struct rep_seen {
    struct rep_record *finding; // until rep_destroy
    uint64_t count, between, groups;
};
/**
 * What was found in a running launch so far: up to `most` findings. Returns how many there are, or
 * more than `most` if that is not known.
 */
unsigned rep_seen_in(struct rep_session *s, uint64_t launch, struct rep_seen *out, unsigned most);
const struct rep_finding *rep_example(const struct rep_record *r);
/**
 * Counts the finding for another launch. Of f, only `launch`, `schedule`, `count`, `between`,
 * `groups` and `group_linear` matter.
 */
void rep_repeat(struct rep_session *s, struct rep_record *r, const struct rep_finding *f);

/**
 * The totals. They are in a shared page, so that the `cldbg` command can print the closing line
 * even if the app crashed. CLDBG_STATUS_FD has its descriptor and, after a comma, the process that
 * also has it; without it, the totals are in private memory. Several processes update them with
 * rep_count.
 */
struct str;
/** Failed OpenCL calls, in the order of `turn`: the first ones from different places. */
enum { REP_FAILED_CALLS = 5, REP_FAILED_TEXT = 300 };
struct rep_failed_calls {
    uint64_t n; // all of them
    uint64_t identities[REP_FAILED_CALLS];
    uint64_t turn[REP_FAILED_CALLS]; // 0: no text yet
    char text[REP_FAILED_CALLS][REP_FAILED_TEXT];
};
struct rep_totals {
    uint64_t magic;                    // REP_TOTALS_MAGIC
    uint64_t findings[REP_KIND_COUNT]; // merged findings, by kind; without possible ones
    uint64_t errors, warnings;         // the same by severity: their sum is that of findings[]
    uint64_t possible;
    uint64_t launches, programs, contexts, platforms_queried;
    uint64_t builds,
        failed_builds;        // of programs: successful and failed
    uint64_t processes;       // that loaded the driver; counted by rep_create
    uint64_t cut_checks;      // checks that a limit ended early
    uint64_t internal_errors; // of --engine=check
    uint64_t native_launches;
    uint64_t verified_kernels, proved_kernels; // --verify: proved free of races and divergence
    uint64_t schedules,
        scheduled_launches; // of --schedules; number of launches that ran under several schedules
    uint64_t suppressed;
    uint64_t known;            // omitted, because the baseline has them
    uint64_t skipped_launches; // not checked because of filters; included in launches
    uint64_t repeats;          // repeated findings in later launches, once for each launch
    uint64_t ended_early;      // processes that --exit-on-first-error ended
    uint64_t left;             // processes that the debugger's user ended
    uint64_t unwritten;        // findings that could not be written
    uint64_t unkept;           // of these, those missing from the report files
    int64_t first_pid;         // the process cldbg started; 0 not known
    uint64_t child_launches;   // by other processes; included in launches
    uint64_t begun;            // started launches; more than `launches` if the program ended before
    uint64_t unfinished;       // processes that ended without MPI_Finalize
    uint64_t enqueued;         // enqueued launches; more than `begun` if some never ran
    // Beyond the end of the page's file (which may have to be small because of ulimit -f), but
    // within its page of memory:
    uint64_t failed_commands; // calls that failed to launch a kernel, set its argument or enqueue
                              // another command
    uint64_t failed_turns;
    struct rep_failed_calls failed,
        probes; // probes: failed queries and builds, which programs may expect
};
#define REP_TOTALS_MAGIC (0x636c646267000300ull + sizeof(struct rep_totals)) // "cldbg", form 3

struct rep_totals *rep_totals(struct rep_session *s);

/**
 * For the command: a new shared page as an inheritable descriptor for CLDBG_STATUS_FD; -1: failure.
 */
int rep_totals_create(void);
/** Maps the page of fd; NULL if cldbg did not make it. It stays mapped until the process ends. */
struct rep_totals *rep_totals_map(int fd);

/**
 * A scope, for example one test of a suite: what is found between its begin and its end, also if an
 * earlier scope found the same. A process has one at a time.
 */
void rep_scope_begin(struct rep_session *s);
/**
 * The reports of what was found in the scope: each finding in the text format, without colors, with
 * the counts since the process began. NULL: nothing was found. The caller frees it. `errors` and
 * `warnings` count the findings in it; possible errors count as warnings.
 */
char *rep_scope_end(struct rep_session *s, unsigned *errors, unsigned *warnings);

static inline void rep_count(uint64_t *counter, uint64_t n)
{
    __atomic_fetch_add(counter, n, __ATOMIC_RELAXED);
}

/** Notes a failed call, if it is among the first from different places (identity, not 0). */
void rep_note_failed_call(struct rep_totals *t, struct rep_failed_calls *c, uint64_t identity,
                          const char *text);
/**
 * Is it one of the first from different places? Otherwise only counts it, so that the caller need
 * not make a text.
 */
bool rep_wants_failed_call(struct rep_failed_calls *c, uint64_t identity);
/**
 * Notes on failed calls, if no kernel was launched or a command failed.
 */
void rep_put_failed_calls(struct str *s, const struct rep_totals *t);

/**
 * "3 errors, 1 warning in 41 kernel launches (2 data-race, …)"; launches that were interrupted
 * count.
 */
void rep_summary(const struct rep_totals *t, char *buf, unsigned size);
#endif
