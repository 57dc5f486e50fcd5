// SPDX-License-Identifier: MIT
#ifndef API_TEST_SCOPE_H
#define API_TEST_SCOPE_H

/**
 * Scopes for test frameworks, found by clGetExtensionFunctionAddress("cldbgBeginScope") and
 * "cldbgEndScope": the findings of one test. A process has one scope at a time. Both wait for the
 * commands that can run. Not from a native kernel.
 */
void api_scope_begin(void);
/**
 * The reports of the scope as text, NULL if nothing was found. The caller frees it with free().
 * `errors` and `warnings` count the findings in it.
 */
char *api_scope_end(unsigned *errors, unsigned *warnings);
#endif
