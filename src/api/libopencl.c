// SPDX-License-Identifier: MIT
// The thin libOpenCL.so.1 that `cldbg` makes apps load: every entry point forwards to the driver's
// table, through the layers of the app's user. It has no state of its own, so an app that also
// loads an ICD loader still uses a single driver. The symbols have the versions of the ICD loaders
// (libopencl.map), which apps linked with these require.
//
// Calls are forwarded by tail calls at every optimization level, because the driver reports the
// return address as the app's location. (ThreadSanitizer would prevent tail calls.)
#include "api/dispatch.h"
#include "api/layers.h"

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
    FORWARD ret CL_API_CALL name params { FORWARD_RETURN layers_dispatch() -> name args; }
#include "api/entry.def"
