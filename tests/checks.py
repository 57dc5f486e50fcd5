# SPDX-License-Identifier: MIT
"""Counts the checks of a test script and prints those that fail."""
checks = failures = 0


def check(what, ok, more=""):
    global checks, failures
    checks += 1
    if not ok:
        failures += 1
        print("FAILED:", what, more)


def result():
    """Prints the numbers; the exit status of the test."""
    print(f"{checks} checks, {failures} failed")
    return 1 if failures or not checks else 0
