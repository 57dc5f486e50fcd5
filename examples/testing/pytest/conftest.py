# SPDX-License-Identifier: MIT
"""Fails a pytest run in which PyOpenCL did not get cldbg's device: the tests would check nothing."""
import os

import pyopencl as cl
import pytest


@pytest.fixture(scope="session")
def queue():
    device = cl.get_platforms()[0].get_devices()[0]
    if os.environ.get("REQUIRE_CLDBG") and "cldbg" not in device.platform.name.lower():
        pytest.fail(f"the tests run on {device.platform.name}, not on cldbg")
    return cl.CommandQueue(cl.Context([device]))
