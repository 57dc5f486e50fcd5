// SPDX-License-Identifier: MIT
#ifndef CLI_CMD_H
#define CLI_CMD_H
#include "base/err.h"
#include "base/str.h"
#include "devices/option_table.h"
#include "report/coverage.h"
#include "report/finding.h"

#include <stdbool.h>
#include <sys/types.h>

/**
 * The `cldbg` command. Every subcommand is a function of the arguments after its name, and gives
 * the exit status: command.c has their table.
 */
#define CMD_APP_OUTPUT "CLDBG_APP_OUTPUT" // descriptors for stdout and stderr of the app: "5,6"
enum cmd_status { // exit statuses of cldbg's own; those of the app are the app's
    CMD_OK = 0,
    CMD_RUN_ERRORS = 1, // cldbg run: errors were found
    CMD_RUN_FAILED = 2, // cldbg run: it could not run
    CMD_FAILED = 125,   // cldbg itself could not do its job
    CMD_NOT_EXECUTABLE = 126,
    CMD_NOT_FOUND = 127,
};

int cmd_app(int argc, char **argv);     // app.c: cldbg [options] ./app args…
int cmd_run(int argc, char **argv);     // run.c
int cmd_check(int argc, char **argv);   // check_command.c
int cmd_doctor(int argc, char **argv);  // doctor.c
int cmd_verify(int argc, char **argv);  // verify_command.c
int cmd_fuzz(int argc, char **argv);    // fuzz_command.c
int cmd_lint(int argc, char **argv);    // look.c
int cmd_disasm(int argc, char **argv);  // look.c
int cmd_explain(int argc, char **argv); // explain.c
int cmd_stats(int argc, char **argv);   // cost_table.c
int cmd_report(int argc, char **argv);  // conversion.c
int cmd_regions(int argc, char **argv); // look.c
int cmd_dap(int argc, char **argv);     // adapter.c: an editor on stdin and stdout
int cmd_dap_wait(
    int argc,
    char **argv); // adapter.c: cldbg --dap …, --dap-socket=PATH …, --dap-port=N …, all arguments
int cmd_debug(int argc, char **argv); // repl.c: cldbg -i …, all arguments with the command's name
void cmd_debug_idle(void); // host.c: in a process of its own, an agent without an app, until the
                           // client of CLDBG_DEBUG goes

/** For reading; a folder is refused. */
struct err *cmd_open_file(const char *path, FILE **out);
/** Is there a subcommand of that name? */
bool cmd_is_command(const char *name);

/** "cldbg: " and the message on stderr. */
void cmd_say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/** The same for a failure, which it frees; gives `status` back. */
int cmd_fail(int status, struct err *e);

// help.c
/** Whether --help or --help-all was given. */
bool cmd_help_asked(const struct dev_option_set *s);
/** --help of the app (DEV_FOR_APP) or of a subcommand, given its bit; s, which may be NULL, says
 * which. */
int cmd_help(const struct dev_option_set *s, unsigned use);
/** The ten lines that `cldbg` without arguments prints. */
void cmd_hint(void);
int cmd_version(void);

/** `cldbg -i` or an editor is to debug what this command runs. */
bool cmd_is_debugged(void);
/** CLDBG_OPTIONS of the environment. */
struct err *cmd_env_options(struct dev_option_set *s);
/** Makes paths absolute that the app's process will use; empties the log file. */
struct err *cmd_prepare_options(struct dev_option_set *s);

/** Where the parts of cldbg are: in the build tree, or wherever it was installed and moved to
 * since. */
struct cmd_home {
    char *driver;  // libcldbg.so
    char *front;   // the thin libOpenCL.so.1
    char *vendors; // folder with our .icd
    char *helper;  // cldbg-cc
    char *ranks;   // the plug-in with MPI, which may be missing
};
struct err *cmd_home_find(struct cmd_home *h);
void cmd_home_free(struct cmd_home *h);
/** The folder of a path, with its own path; the caller frees it. */
char *cmd_folder(const char *path);
/**
 * The build options with -I of the kernel file's own folder in front: its #include "…" looks there.
 * options may be NULL.
 */
const char *cmd_with_folder(struct arena *a, const char *path, const char *options);

/** `cldbg run` in this process: counts in this page (rep_totals_create) instead of a new one. */
void cmd_use_totals(int fd);
/** Was it called: does another command of cldbg run the kernel? */
bool cmd_has_parent(void);
/** What the driver reads: the options, the shared page's descriptor, where the kernel compiler is.
 */
void cmd_set_own_environment(const struct cmd_home *h, const struct dev_option_set *s,
                             int status_fd);
/** That, and cldbg's OpenCL in front of what this process will exec. */
void cmd_set_environment(const struct cmd_home *h, const struct dev_option_set *s, int status_fd);

/**
 * Runs an app with cldbg's OpenCL until it ends: its wait status, and the totals. If it cannot be
 * run, prints the reason and returns the exit status, otherwise CMD_OK. Once in a process.
 */
int cmd_app_execute(char **argv, const struct dev_option_set *s, struct rep_totals **totals,
                    int *wait_status);

/**
 * Processes of the app that go on when it has ended, as a daemon's: those that were started with
 * our environment. *one is one of them.
 */
unsigned cmd_processes_left(pid_t *one);

struct json_t; // of jansson
/** Reports (reports.c), once a process: before the app starts … */
struct err *cmd_reports_begin(const struct dev_option_set *s);
bool cmd_reports_wanted(void);
/**
 * Under a launcher of MPI, before cmd_reports_begin: this process makes only the reports with %r,
 * from the documents in `folder`; or only those without.
 */
enum cmd_reports_part {
    CMD_REPORTS_ALL,
    CMD_REPORTS_OF_RANK,
    CMD_REPORTS_OF_JOB,
    CMD_REPORTS_NONE // those of another rank have all
};
void cmd_reports_split(enum cmd_reports_part part, const char *folder);
/** The merged documents of a folder. */
struct json_t *cmd_reports_merged(const struct dev_option_set *s, const char *folder);
/** In a fork: the reports are those of the parent. */
void cmd_reports_forget(void);
/** … while it runs, when something may have been found … */
void cmd_reports_update(const struct dev_option_set *s);
/** … or a document of our own that belongs to it … */
void cmd_reports_add(const struct json_t *doc);
/**
 * … and at the end. of_app: processes of the app may still run and find more. False: a report could
 * not be written.
 */
bool cmd_reports_end(const struct dev_option_set *s, const struct rep_totals *t,
                     bool of_app); // t: NULL, or what was counted

/** What ran of kernels, after cmd_reports_end; without --coverage nothing. */
const struct rep_coverage_sum *cmd_coverage(void);
/** --coverage-fail-under: whether too little ran, which is then reported. */
bool cmd_covers_too_little(const struct dev_option_set *s);

/** Prints the closing line and the notes that belong to it. `app`: for the advice, NULL with `cldbg
 * run`.
 */
void cmd_summary(const struct rep_totals *t, const struct dev_option_set *s, const char *app);
/** The same of several ranks, with their number at the end of the line. */
void cmd_summary_of(const struct rep_totals *t, const struct dev_option_set *s, const char *app,
                    const char *ranks);
/** The exit status if the app exited with 0, by what was counted. */
int cmd_verdict(const struct rep_totals *t, const struct dev_option_set *s);
/** The closing line itself, and lines that belong to it: on stderr, and in the file of the text. */
void cmd_put_closing(const struct rep_totals *t, const struct dev_option_set *s, const char *line,
                     const char *more);
/** "; coverage: …", if it was asked for. */
void cmd_put_covered(struct str *line, const struct rep_totals *t, const struct dev_option_set *s);
/** Whether texts of findings have colors, for a command that prints them itself. */
bool cmd_has_color(const struct dev_option_set *s);
/** Errors, with --strict warnings too, for the exit status. */
bool cmd_found_errors(const struct rep_totals *t, const struct dev_option_set *s);
#endif
