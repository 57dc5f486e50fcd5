// SPDX-License-Identifier: MIT
#ifndef CLI_REPL_JSON_H
#define CLI_REPL_JSON_H
#include <jansson.h>
#include <poll.h>
#include <stdbool.h>

/**
 * `cldbg -i --interpreter=json`: requests come as lines, answers and events go out as JSON objects,
 * one on a line. doc/DEBUGGER.md describes them. One command at a time is open: its output is
 * collected for its answer; other output is an event.
 */
void repl_json_begin(void); // standard output carries only objects from now on
/** The answer to a command line of the debugger that cannot be used. */
void repl_json_refuse(const char *why);
void repl_json_close(void); // answers the open command
/** Answers the requests that were not executed. */
void repl_json_end(void);

// ---- commands
/**
 * Answers the open command, and opens the next one, or gives the next line of its block
 * (`continues`). NULL: the input has ended, or the block is incomplete.
 */
char *repl_json_next_line(bool continues);
/** Was the block incomplete? Then the open command has failed. */
bool repl_json_block_is_cut(void);
void repl_json_show(const char *text);
void repl_json_fail(const char *why); // the open command
void repl_json_value(json_t *value);  // the structured result of the open command
void repl_json_executed(void);        // a line of the open command, or of the commands of a stop
/** The kernel goes on. asks: only to answer the open command. */
void repl_json_running(bool asks);
int repl_json_shell(const char *command); // its exit status, as of system(3)

// ---- events
void repl_json_event(const char *name, const json_t *body); // of the agent
void repl_json_stopped(const json_t *body);
void repl_json_started(void);
void repl_json_ended(void);

// ---- the output of the app
bool repl_json_pipes(void);     // before the app is started
void repl_json_redirect(void);  // in the process of the app
void repl_json_read_from(void); // in this one
/** Passes on the output that the app has written. */
void repl_json_drain(void);
/** Polls the descriptors, and handles requests and output of the app meanwhile. */
int repl_json_poll(struct pollfd *p, nfds_t n, int timeout);
#endif
