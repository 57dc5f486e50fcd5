// SPDX-License-Identifier: MIT
#ifndef DEVICES_CAPTURE_FORM_H
#define DEVICES_CAPTURE_FORM_H
#include <stdint.h>

/** Shared by the writer and the reader of captures. */
#define CAPTURE_MAGIC  "cldbgcap"
#define CAPTURE_FORMAT "cldbg-capture"
enum { CAPTURE_VERSION = 1 };
struct capture_head {
    uint8_t magic[8]; // CAPTURE_MAGIC, without its NUL
    uint32_t version, zero;
};
extern const char *const capture_kind_names[]; // by enum dev_capture_kind
#endif
