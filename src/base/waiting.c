// SPDX-License-Identifier: MIT
// Preloaded into an unchanged program (clang), this makes it a fork server, which runs before main.
#include "base/fork_server.h"

#include <dlfcn.h>
#include <unistd.h>

static int (*real_main)(int, char **, char **);

static int wait_main(int argc, char **argv, char **envp)
{
    fork_server_settle();
    fork_server_serve(real_main);
    _exit(0);
}

__attribute__((visibility("default"))) int __libc_start_main(int (*main)(int, char **, char **),
                                                             int argc, char **argv,
                                                             void (*init)(void), void (*fini)(void),
                                                             void (*rtld_fini)(void),
                                                             void *stack_end);

int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv, void (*init)(void),
                      void (*fini)(void), void (*rtld_fini)(void), void *stack_end)
{
    __typeof__(__libc_start_main) *next = (__typeof__(next))dlsym(RTLD_NEXT, "__libc_start_main");
    real_main = main;
    return next(wait_main, argc, argv, init, fini, rtld_fini, stack_end);
}
