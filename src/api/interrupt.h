// SPDX-License-Identifier: MIT
#ifndef API_INTERRUPT_H
#define API_INTERRUPT_H
#include <stdbool.h>

/**
 * Around a launch and the report of its findings. The effect of a signal meanwhile: see
 * interrupt.c.
 */
void api_interrupt_begin(void);
void api_interrupt_end(void);
/** A signal has cut short what runs. */
bool api_interrupted(void);
/** Ends the process, or lets the launches that run end first, cut short. */
void api_leave(void);
/**
 * Called before a signal, or the debugger's user, ends the process; `cldbg run` says its closing
 * line there and gives the exit status. An extension function, cldbgSetLastWords. NULL: there is no
 * launch to come, and the end of the report is printed.
 */
void api_set_last_words(int (*fn)(void));
/** For launches of this thread: set when they are to end. */
volatile int *api_cancel_flag(void);
/** The process ends: sets the flag of all threads. */
void api_exit_begin(void);
/** The calling thread runs the exit handlers: commands that these enqueue are not canceled. */
void api_exit_here(void);
#endif
