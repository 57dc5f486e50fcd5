// SPDX-License-Identifier: MIT
#ifndef REPORT_RECORD_H
#define REPORT_RECORD_H
#include "base/map.h"
#include "report/finding.h"
#include "report/sourcefile.h"

/**
 * What makes two findings the same: kind, certainty, severity, object, and the set of places. Which
 * side of a race was seen first depends on chance, so the sides' order does not count. Places are
 * equal if file, line, column and calls are; in programs that are in no file (a generator's
 * variants), if function, line within it, its text and column are.
 */
struct rep_key {
    uint64_t kind, object, places[REP_MAX_SIDES];
};
void rep_key_make(struct rep_key *k, const struct rep_finding *f, struct rep_sources *sources);
uint64_t rep_key_hash(const struct rep_key *k);

/** In which groups of a launch a finding was met. */
struct rep_launch_groups {
    uint64_t launch,
        schedule; // schedule: the one that showed it first; findings of other schedules are not
                  // counted
    struct bits groups;
};

/** A merged finding. */
struct rep_record {
    struct rep_key key;
    struct rep_record *same_hash;
    struct rep_finding example; // the smallest found; places' texts are owned by the source cache
    void *strings;              // the rest of what `example` points to
    uint64_t times, between;    // how often it was found; how often of these between work-groups
    uint64_t groups;            // in how many work-groups, of all launches
    VEC(struct rep_launch_groups) running; // by launch that goes on
    uint64_t last_launch, launches;        // launches: how many it was found in
    uint64_t scope_times;                  // `times` when the scope began
    uint64_t fingerprint;                  // rep_fingerprint, once shown
    char *capture;                         // the file that repeats its launch, or NULL; once shown
    bool shown;                            // was given to the sinks: the example stays as it is
    bool known;                            // the baseline has it
    bool silent;                           // suppressed, or reported by another record
    struct rep_record *also,
        *next_also;      // those of the same cause, which this one lists, in their order
    bool is_taken;       // is one of them
    struct json_t *json; // of the report files; NULL: not there
    bool help;           // the first one shown with this fix: the sink may print the hint
};

struct rep_record *rep_record_create(const struct rep_key *key, const struct rep_finding *f,
                                     struct rep_sources *sources);
void rep_record_destroy(struct rep_record *r);
/**
 * It was found in this launch under an earlier schedule: it is counted and shown as it was there.
 */
bool rep_record_has(const struct rep_record *r, const struct rep_finding *f);
/** Whether it is the first of its launch. */
bool rep_record_count(struct rep_record *r, const struct rep_finding *f);
/** No finding of the launch will come any more. */
void rep_record_launch_ended(struct rep_record *r, uint64_t launch);
/** Makes f the example. */
void rep_record_take(struct rep_record *r, const struct rep_finding *f,
                     struct rep_sources *sources);

/**
 * Total orders, by nothing that depends on timing: of examples of one record, of records on the
 * page.
 */
bool rep_is_better_example(const struct rep_finding *a, const struct rep_finding *than);
int rep_record_order(const struct rep_record *a, const struct rep_record *b);

enum rep_severity rep_severity_of(const struct rep_finding *f);
const char *rep_how_to_mend(const struct rep_finding *f);
bool rep_same_place(const struct rep_place *a, const struct rep_place *b); // with the calls
#endif
