// SPDX-License-Identifier: MIT
#ifndef FRONTEND_DWARF_H
#define FRONTEND_DWARF_H

/** Tags of types: DWARF 5, table 7.3. */
enum {
    TAG_ARRAY = 0x01,
    TAG_ENUM = 0x04,
    TAG_POINTER = 0x0f,
    TAG_STRUCT = 0x13,
    TAG_TYPEDEF = 0x16,
    TAG_UNION = 0x17,
    TAG_BASE = 0x24,
    TAG_CONST = 0x26,
    TAG_VOLATILE = 0x35,
    TAG_RESTRICT = 0x37,
    TAG_ATOMIC = 0x47,
};
#endif
