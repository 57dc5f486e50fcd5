# SPDX-License-Identifier: MIT
"""For `make check-tsan` (PYTHONPATH names this folder): Debian's Python, when it is an app under cldbg, begins again with
ThreadSanitizer's library. NumPy has threads before PyOpenCL loads the driver, and the library must be there before any thread is.
What the app starts does not inherit it: shells do not survive that (gcc 12's library has no setjmp for a program that
is not built with it)."""
import os, sys

LIBRARY = 'libtsan.so.2'
if 'OCL_ICD_VENDORS' in os.environ and os.path.dirname(os.path.realpath(sys.executable)) == '/usr/bin':
    if os.environ.get('LD_PRELOAD') == LIBRARY:
        del os.environ['LD_PRELOAD']
    else:
        os.execve(sys.executable, sys.orig_argv, {**os.environ, 'LD_PRELOAD': LIBRARY})
