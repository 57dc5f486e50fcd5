// SPDX-License-Identifier: MIT
#ifndef BASE_SCOPE_H
#define BASE_SCOPE_H

/** A scope guard: deinit(&variable) runs on every way out of the variable's scope. */
#define SCOPED(deinit) __attribute__((cleanup(deinit)))
#endif
