// SPDX-License-Identifier: MIT
#ifndef API_TRACE_RECORD_H
#define API_TRACE_RECORD_H
#include "base/vec.h"

#include <CL/cl.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/** Private to trace.c, which collects records, and trace_document.c, which makes events of them. */
enum { TRACE_FIRST_QUEUE = 1 << 24 };
enum trace_phase { TRACE_SLICE, TRACE_INSTANT, TRACE_FLOW_BEGIN, TRACE_FLOW_END };
struct trace_record {
    enum trace_phase phase;
    const char *category;
    char *name; // owned
    uint64_t at, until;
    uint64_t queued, submitted; // of a command; 0: none
    uint64_t accesses;          // of a command: the number of its access set, plus 1; 0: none
    uint64_t flow;
    size_t command1; // of a flow or launch: the index of its command's record, plus 1; 0: not known
    long track;      // thread, or TRACE_FIRST_QUEUE + number of the queue
    unsigned lane;   // of a queue: trace_events
    cl_int status;
};
struct trace_race { // of the commands with these numbers
    uint64_t a, b;
};
struct trace_records {
    VEC(struct trace_record) list;
    VEC(struct trace_race) races;
    size_t nqueues;
};

/** The list of the document, in the order of the trace-event format. */
json_t *trace_events(struct trace_records *r);
#endif
