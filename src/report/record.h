// SPDX-License-Identifier: MIT
#ifndef REPORT_RECORD_H
#define REPORT_RECORD_H
#include "base/map.h"
#include "report/finding.h"
#include "report/sourcefile.h"

/**
 * The identity of a finding: kind, certainty, severity, object, and the set of locations. The order
 * of the sides is ignored, because it is random for a race. Locations are equal if file, line,
 * column and calls are; in programs that are not in files (variants of a generator), if function,
 * line within it, its text and column are.
 */
struct rep_key {
    uint64_t kind, object, places[REP_MAX_SIDES];
};
void rep_key_make(struct rep_key *k, const struct rep_finding *f, struct rep_sources *sources);
uint64_t rep_key_hash(const struct rep_key *k);

/** The groups of a launch with a finding. */
struct rep_launch_groups {
    uint64_t launch,
        schedule; // schedule: the first one that showed it; occurrences in other schedules are not
                  // counted
    uint64_t times, between; // as in struct rep_record
    struct bits groups;
};

/** A merged finding. */
struct rep_record {
    struct rep_key key;
    struct rep_record *same_hash;
    struct rep_finding example; // the smallest example; the source cache owns the texts of
                                // locations
    void *strings;              // other data that `example` points to
    uint64_t times, between;    // number of occurrences; those between work-groups
    bool within;                // work-items of one group race where groups do, too
    uint64_t groups;            // number of work-groups, over all launches
    VEC(struct rep_launch_groups) running; // by running launch
    uint64_t last_launch, launches;        // launches: number of launches with it
    uint64_t scope_times;                  // `times` when the scope began
    uint64_t fingerprint;                  // rep_fingerprint, once shown
    char *capture;                         // the capture of its launch, or NULL; once shown
    bool shown;                            // passed to the sinks: the example is final
    bool known;                            // the baseline has it
    bool silent;                           // suppressed, or reported by another record
    struct rep_record *also,
        *next_also;      // list of findings with the same cause, which this one shows
    bool is_taken;       // it is in such a list
    struct json_t *json; // in the report files; NULL: none
    bool help;           // the first one with this hint: the sink may print it
};

struct rep_record *rep_record_create(const struct rep_key *key, const struct rep_finding *f,
                                     struct rep_sources *sources);
void rep_record_destroy(struct rep_record *r);
/**
 * Did an earlier schedule of this launch show the finding? Then it is not counted again.
 */
bool rep_record_has(const struct rep_record *r, const struct rep_finding *f);
/** Counts an occurrence. Is it the first one of its launch? */
bool rep_record_count(struct rep_record *r, const struct rep_finding *f);
/** The launch will have no more findings. */
void rep_record_launch_ended(struct rep_record *r, uint64_t launch);
/** Makes f the example. */
void rep_record_take(struct rep_record *r, const struct rep_finding *f,
                     struct rep_sources *sources);

/**
 * Total orders, independent of timing: of examples of one record; of records in the report.
 */
bool rep_is_better_example(const struct rep_finding *a, const struct rep_finding *than);
int rep_record_order(const struct rep_record *a, const struct rep_record *b);

enum rep_severity rep_severity_of(const struct rep_finding *f);
const char *rep_how_to_mend(const struct rep_finding *f);
bool rep_same_place(const struct rep_place *a, const struct rep_place *b); // with the calls
#endif
