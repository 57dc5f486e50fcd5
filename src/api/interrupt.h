// SPDX-License-Identifier: MIT
#ifndef API_INTERRUPT_H
#define API_INTERRUPT_H
#include <stdbool.h>

/**
 * To be called before and after a launch with the report of its findings. interrupt.c describes the
 * effect of a signal in between.
 */
void api_interrupt_begin(void);
void api_interrupt_end(void);
/** Has a signal ended running launches early? */
bool api_interrupted(void);
/** Ends the process, after running launches have ended early. */
void api_leave(void);
/**
 * Sets a function to be called before a signal, or the debugger's user, ends the process; `cldbg
 * run` prints its closing line there and returns the exit status. NULL: there will be no more
 * launches, and the end of the report is printed; the function stays. An extension function,
 * cldbgSetLastWords.
 */
void api_set_last_words(int (*fn)(void));
/** The flag of this thread's launches: set when they must end. */
volatile int *api_cancel_flag(void);
/** At the end of the process: sets the flag of all threads. */
void api_exit_begin(void);
/** The calling thread runs the exit handlers: commands that they enqueue are not canceled. */
void api_exit_here(void);
#endif
