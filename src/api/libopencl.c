// SPDX-License-Identifier: MIT
// The thin libOpenCL.so.1 that `cldbg` puts in front of apps: every entry point goes on to the
// driver's table. It has no state of its own, so an app that loads an ICD loader besides still
// meets one driver. The symbols' versions are those of the ICD loaders (libopencl.map): apps linked
// with them ask for those.
//
// A call goes on as a jump, at every optimization level: the driver takes its return
// address for the app's place in a report. (ThreadSanitizer would keep it from being one.)
#include "api/dispatch.h"

#ifdef __clang__
#define FORWARD_RETURN __attribute__((musttail)) return
#else
#define FORWARD_RETURN return
#pragma GCC optimize("O2")
#endif

#define FORWARD __attribute__((visibility("default"), no_sanitize("thread")))
#undef UNTYPED
#define UNTYPED(name)
#define ENTRY(ret, name, params, args)                                                             \
    FORWARD ret CL_API_CALL name params { FORWARD_RETURN cldbg_dispatch() -> name args; }
#include "api/entry.def"
