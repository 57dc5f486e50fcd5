// SPDX-License-Identifier: MIT
// Preloaded by `make check-tsan` after ThreadSanitizer's library, into every program of the tests:
// apps that are not built with it, shells, Python. They need the library before they have threads
// and before libc's functions are bound, and it must have begun before `main` (it has no setjmp
// until then), which by itself it does only in programs that are built with it.
void __tsan_init(void);

__attribute__((constructor)) static void begin(void) { __tsan_init(); }
