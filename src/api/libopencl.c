// SPDX-License-Identifier: MIT
// The thin libOpenCL.so.1 that `cldbg` puts in front of apps: every entry point goes on to the
// driver's table. It has no state of its own, so an app that loads an ICD loader besides still
// meets one driver. The symbols' versions are those of the ICD loaders (libopencl.map): apps linked
// with them ask for those.
#include "api/dispatch.h"

#define FORWARD __attribute__((visibility("default")))
#undef UNTYPED
#define UNTYPED(name)
#define ENTRY(ret, name, params, args)                                                             \
    FORWARD ret CL_API_CALL name params                                                            \
    {                                                                                              \
        return cldbg_dispatch()->name args;                                                        \
    }
#include "api/entry.def"
