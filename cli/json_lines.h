// SPDX-License-Identifier: MIT
#ifndef CLI_JSON_LINES_H
#define CLI_JSON_LINES_H
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/** The two ends of `cldbg -i --interpreter=json`: lines with requests, and lines with objects. */
enum json_request_kind {
    JSON_NONE,      // nothing was read that is not taken yet
    JSON_LINE,      // a command as it is typed at the prompt
    JSON_COMMAND,   // {"command": …}
    JSON_INTERRUPT, // {"interrupt": true}
    JSON_BAD        // text: why the line cannot be understood
};
struct json_request {
    enum json_request_kind kind;
    json_t *id; // NULL: it has none
    char *text;
};
enum { JSON_MAX_LINE = 1 << 20 };

void json_lines_open(int in, int out);
/** To be polled for input; -1: the input has ended, or much of it waits. */
int json_lines_input(void);
/** To be polled for errors: the reader closed its end. */
int json_lines_output(void);
/** Takes in the available bytes. */
void json_lines_read(void);
bool json_lines_ended(void);
enum json_request_kind json_lines_next(void); // of the request that json_lines_take takes
/** Takes the oldest request; the caller frees its members. */
struct json_request json_lines_take(void);
/** Takes the oldest interrupt, before other requests. kind: JSON_NONE if there is none. */
struct json_request json_lines_take_interrupt(void);
/** Writes an object as a line, and frees it. false: nothing reads the lines any more. */
bool json_lines_put(json_t *object);
#endif
