// SPDX-License-Identifier: MIT
#ifndef API_TRACE_H
#define API_TRACE_H
#include "api/cmdgraph.h"

/**
 * --trace: what happened when, for the member `trace` of the report's document. Without the option
 * api_timeline_on is false and nothing is kept. Any thread; the first 200000 events are kept.
 */
extern bool api_timeline_on;
/** The app called an entry point. */
void api_timeline_call(const char *function);
/** What this thread (otherwise `command` before it ended) did from `begin` to `end` (api_clock). */
void api_timeline_span(const char *category, const char *name, cl_event command, uint64_t begin,
                       uint64_t end);
/** Something worth a mark, now: a host race. */
void api_timeline_mark(const char *category, const char *text);
/**
 * The commands with these access sets (api_access_set.number) race. Either may not have run yet.
 */
void api_timeline_race(uint64_t a, uint64_t b);
/** `to` has `from` in its wait list, which has ended. */
void api_timeline_dependency(cl_event from, cl_event to);
/** A command has ended: after its times are set and its dependencies were added. */
void api_timeline_command(cl_event e);
#endif
