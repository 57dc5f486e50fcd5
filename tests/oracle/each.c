// SPDX-License-Identifier: MIT
// Many launches of one program: LIST has the options of one on each line, between tabs. Each is
// walked in six orders of its work-items, or in one where that says it all, every time in a child
// process of its own, so that none sees what another left. Printed for a launch: a verdict
// a line, then an empty line.
#include "walker.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ORDERS = 7, MOST_OPTIONS = 80 };

/** What the child's launch() gave, or -1: no more is to be known. */
static int in_child(int argc, char **argv, int schedule, double seconds)
{
    fflush(stdout);
    const pid_t child = fork();
    if (!child) {
        const long us = (long)(seconds * 1e6);
        setitimer(ITIMER_PROF, &(struct itimerval){.it_value = {us / 1000000, us % 1000000}}, NULL);
        L.schedule = schedule;
        const int order = launch(argc, argv);
        verdict_print("ok");
        _exit(order);
    }
    int status;
    if (child < 0 || waitpid(child, &status, 0) < 0) perror("walker"), exit(2);
    if (WIFEXITED(status) &&
        (WEXITSTATUS(status) == ANY_ORDER || WEXITSTATUS(status) == THIS_ORDER))
        return WEXITSTATUS(status);
    if (!WIFEXITED(status))
        printf("{\"status\": \"%s\"}\n",
               WTERMSIG(status) == SIGPROF ? "no end" : "the walker crashed");
    return -1;
}

/** The whole text, so that no file is open that a child could move in. */
static char *text_of(const char *path)
{
    FILE *f = fopen(path, "r");
    char *text = NULL;
    size_t room = 0;
    if (!f || (getdelim(&text, &room, 0, f) < 0 && ferror(f))) perror(path), exit(2);
    fclose(f);
    return text;
}

int each(const char *list, double seconds)
{
    char *const text = text_of(list), *argv[MOST_OPTIONS];
    for (char *line, *rest = text; (line = strsep(&rest, "\n")) && *line;) {
        int argc = 0;
        for (char *p = strtok(line, "\t"); p && argc < MOST_OPTIONS; p = strtok(NULL, "\t"))
            argv[argc++] = p;
        int order = in_child(argc, argv, 0, seconds);
        for (int n = 1; n < ORDERS && order == THIS_ORDER; n++)
            if (in_child(argc, argv, n, seconds) < 0) break;
        putchar('\n');
    }
    free(text);
    return 0;
}
