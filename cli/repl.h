// SPDX-License-Identifier: MIT
#ifndef CLI_REPL_H
#define CLI_REPL_H
#include "cli/dap_client.h"

#include "base/vec.h"

#include <signal.h>
#include <stdio.h>
#include <sys/types.h>

/**
 * The debugger's command line: repl.c converses with the agent, repl_lines.c has the lines,
 * repl_user.c the user's commands.
 */
struct repl_script { // a file that is read, from the innermost `source` out
    FILE *file;
    char *name;
};

struct repl {
    struct dap_listener listener;
    struct dap_stream agent;
    bool connected, met; // met: it was, in this run
    char **argv;         // of the child
    pid_t child;         // 0: none was started, or its end was reported
    pid_t idle; // a process with an agent and no app, while there is no child; 0: none; -1: it
                // cannot be
    bool child_done;
    bool again;  // it is not the first
    int status;  // of the child
    bool killed; // by us
    bool batch, interactive, confirm, paginate;
    bool json;      // --interpreter=json
    bool tui;       // --tui
    bool asked;     // only for --help or --version
    long long seed; // order of work-items; -1: that of their ids
    VEC(struct repl_script) scripts;
    VEC(char *) pending;   // commands of a breakpoint, or of a user-defined command
    unsigned calls;        // of user-defined commands, since a line was typed
    json_t *session;       // what the agent wants to know when the program runs again
    char *last;            // what an empty line repeats
    bool stopped, running; // as the agent said last
    bool failed;           // the last command
    char *history;
    FILE *terminal; // where we read and write when it is not stdin
};
extern struct repl repl;
extern volatile sig_atomic_t repl_interrupted;

// ---- repl.c
/** The answer to a request; events on the way are shown. NULL: there is no agent any more. */
json_t *repl_answer_to(long long seq);

/** There is an agent to be asked, if need be one without a program. */
bool repl_has_agent(void);
/** What the agent says to a line; NULL: an error, which was shown. */
json_t *repl_evaluate(const char *line);

// ---- repl_flow.c
/** Does the line begin a block, of lines up to `end`? */
bool repl_opens_block(const char *line);
/**
 * After so many lines: how many blocks are open; text: the innermost is a `document`, in which
 * only `end` counts.
 */
struct repl_depth {
    unsigned blocks;
    bool text;
};
void repl_depth_line(struct repl_depth *d, const char *line);
/** Puts the body of an `if` or `while` in front of the pending commands, if its condition holds. */
void repl_flow(const char *block, bool holds);
/** Is the line `loop_break` or `loop_continue`? Then it is done. */
bool repl_flow_word(const char *line);

// ---- repl_state.c
/** Puts a command in front of those that wait. */
void repl_do_first(const char *line);

// ---- repl_lines.c
FILE *repl_output(void);
/** Says things, a screen at a time on a terminal. */
void repl_show(const char *text);
void repl_say(const char *format, ...) __attribute__((format(printf, 1, 2)));
bool repl_yes(const char *question);
bool repl_is_blank(const char *s);
void repl_open_script(const char *name);
/** A line of the scripts, else of the user; NULL at the end. */
char *repl_read_line(const char *prompt);
/** The same, but a breakpoint's commands come first; *typed: it is not one of these. */
char *repl_next_line(bool *typed);
/** Whether lines are read from the user, not from a script or a command. */
bool repl_is_typed(void);
/**
 * Lines up to the `end` of the block that `first` begins: each after a newline. `what`: they
 * are of.
 */
char *repl_with_body(const char *first, const char *what);
/**
 * The block that `first` begins was refused. In a script its lines are skipped: they have no
 * meaning without it.
 */
void repl_skip_body(const char *first);
/** For `complete`. */
void repl_put_completions(const char *line);
void repl_terminal_begin(void);
void repl_terminal_end(void);
bool repl_colors(void);

// ---- repl_options.c
/**
 * Takes -i, --batch, --interpreter, --tui, -x FILE and --seed out of the arguments; the
 * rest, for the child, is put into rest[argc + 2], ended by NULL.
 */
struct err *repl_take_options(int argc, char **argv, char **rest);

// ---- repl_user.c
/**
 * Is the line one of `define`, `document`, `show user`, help of the user's commands, or such a
 * command? Then it is done.
 */
bool repl_user_command(const char *line);
/** Offers the names of the user's commands that begin with `start`. */
void repl_user_names(const char *start, size_t n, json_t *to);
#endif
