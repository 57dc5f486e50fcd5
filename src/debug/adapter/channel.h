// SPDX-License-Identifier: MIT
#ifndef DEBUG_CHANNEL_H
#define DEBUG_CHANNEL_H
#include <jansson.h>

/** The socket to the client. */
extern int dbg_channel; // -1: closed
/** Sends a message, and frees it. */
void dbg_send(json_t *message);
void dbg_send_event(const char *name, json_t *body); // takes the body, which may be NULL
void dbg_send_output(const char *text);
void dbg_send_continued(void);
/**
 * A string for the client. Control characters except newlines, tabs and colors, and bytes that are
 * not UTF-8, are spelled out: <1b>.
 */
json_t *dbg_json_text(const char *s);
#endif
