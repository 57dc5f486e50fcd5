# SPDX-License-Identifier: MIT
"""A plug-in of pytest: `pytest --cldbg` checks the OpenCL kernels of each test with cldbg.

A test fails if cldbg finds errors while it runs. The report is the failure's message. A finding that several tests
have fails each of them. `--cldbg-options` gives options of cldbg, for example '--schedules=16 --strict'.
"""
import ctypes
import os
import shlex
import sys

import pytest

STARTED = "PYTEST_CLDBG_STARTED"


def pytest_addoption(parser):
    group = parser.getgroup("cldbg", "OpenCL kernels checked by cldbg")
    group.addoption("--cldbg", action="store_true", help="run the tests under cldbg; a test with findings fails")
    group.addoption("--cldbg-options", metavar="OPTIONS", default="", help="options of cldbg, as in a shell")


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config, args):
    """Starts pytest again, under cldbg, before it has loaded any test."""
    options = early_config.known_args_namespace
    if not (options.cldbg or options.cldbg_options) or find("cldbgBeginScope"):
        return
    if os.environ.get(STARTED):
        raise pytest.UsageError("--cldbg: cldbg does not serve OpenCL to this process; cldbg doctor says why")
    capture = early_config.pluginmanager.getplugin("capturemanager")
    if capture:
        capture.suspend_global_capture(in_=True)
    sys.stdout.flush()
    # The exit status is pytest's: cldbg's errors are failures of tests.
    command = ["cldbg", "--error-exitcode=0", *shlex.split(options.cldbg_options), "--", sys.executable, "-m", "pytest", *args]
    try:
        os.execvpe("cldbg", command, {**os.environ, STARTED: "1"})
    except OSError as error:
        raise pytest.UsageError(f"--cldbg: cldbg cannot be started: {error.strerror}") from error


def pytest_configure(config):
    if config.option.cldbg or config.option.cldbg_options:
        config.pluginmanager.register(Scopes(), "cldbg-scopes")


def find(name):
    """An extension function of cldbg, or None if another OpenCL implementation is loaded, or none."""
    try:
        address_of = ctypes.CDLL(None).clGetExtensionFunctionAddress
    except AttributeError:
        return None
    address_of.restype = ctypes.c_void_p
    address_of.argtypes = [ctypes.c_char_p]
    return address_of(name.encode())


class Scopes:
    """Each phase of a test (set-up, call, tear-down) is a scope."""

    def __init__(self):
        self.begin = ctypes.CFUNCTYPE(None)(find("cldbgBeginScope"))
        counter = ctypes.POINTER(ctypes.c_uint)
        self.end = ctypes.CFUNCTYPE(ctypes.c_void_p, counter, counter)(find("cldbgEndScope"))

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self):
        self.begin()

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(self, item):
        text = self.text(item.config)
        self.begin()
        report = (yield).get_result()
        if not text:
            return
        # The same was printed where it was found, and pytest captured it.
        report.sections = [(title, rest) for title, content in report.sections if (rest := content.replace(text, "").strip())]
        if report.failed:
            report.sections.append(("cldbg", text))
        else:
            report.outcome = "failed"
            report.longrepr = text

    def text(self, config):
        """The reports of the scope; None if it has no errors (with --strict: no findings)."""
        errors, warnings = ctypes.c_uint(), ctypes.c_uint()
        address = self.end(ctypes.byref(errors), ctypes.byref(warnings))
        if not address:
            return None
        text = ctypes.string_at(address).decode(errors="replace")
        libc = ctypes.CDLL(None)
        libc.free.argtypes = [ctypes.c_void_p]
        libc.free(address)
        strict = "--strict" in shlex.split(config.option.cldbg_options)
        return text if errors.value or strict else None
