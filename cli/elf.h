// SPDX-License-Identifier: MIT
#ifndef CLI_ELF_H
#define CLI_ELF_H
#include <stdbool.h>

/** What a program file says about how it will be loaded. */
struct cmd_elf {
    bool is_elf;
    bool other_machine; // another word size or processor than ours
    bool is_static;     // no dynamic loader: libraries cannot be preloaded
    bool needs_opencl;  // linked with a libOpenCL
    char opencl[128];   // under which name
    bool is_script;
    char interpreter[256]; // of a script
};
/** False when the file cannot be read. */
bool cmd_elf_read(const char *path, struct cmd_elf *e);
#endif
