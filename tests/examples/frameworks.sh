#!/bin/sh
# SPDX-License-Identifier: MIT
# The plug-in of pytest and the listeners of GoogleTest and Catch2, in the projects of examples/testing: the finding is the failure of the
# test that launched the kernel, of each test that has it, and of no other.
. "${srcdir:-.}/tests/cli/lib.sh"
need_driver
top=$(cd "$srcdir" && pwd)
mkdir "$tmp/bin" "$tmp/pytest"
printf '#!/bin/sh\nexec "%s" "$@"\n' "$cldbg" >"$tmp/bin/cldbg"
chmod +x "$tmp/bin/cldbg"
PATH=$tmp/bin:$PATH
cp "$top"/examples/testing/pytest/* "$tmp/pytest"

if /usr/bin/python3 -c 'import pytest, pyopencl' 2>/dev/null; then
    cd "$tmp/pytest" || exit 99
    export PYTHONPATH="$top/integrations/pytest" PYTHONDONTWRITEBYTECODE=1
    tests() { run /usr/bin/python3 -m pytest -p pytest_cldbg -p no:cacheprovider -q "$@"; }
    tests --cldbg
    check 'pytest: the wrong test fails' has "$out" 'FAILED test_scale.py::test_scale_of_an_odd_size'
    check 'pytest: the other one passes' has "$out" '1 failed, 1 passed'
    check 'pytest: the report is the message' has "$out" "error: read of 4 bytes outside global memory 'x' [out-of-bounds]"
    check 'pytest: once' [ "$(echo "$out" | grep -c "outside global memory 'x'")" = 1 ]
    check 'pytest: its exit status' [ "$status" = 1 ]
    tests --cldbg --cldbg-options=--check=data-race
    check 'pytest: options of cldbg' [ "$status" = 0 ]
    tests --cldbg --cldbg-options=--no-such-option
    check 'pytest: a wrong option is an error' [ "$status" != 0 ]
    PATH=/usr/bin:/bin tests --cldbg
    check 'pytest: no cldbg is an error' has "$err" 'cldbg cannot be started'
    # Tests that repeat a finding, in fixtures too.
    cat >test_more.py <<'END'
import numpy as np
import pytest
from test_scale import scale


@pytest.fixture
def wrong(queue):
    scale(queue, np.ones(3, np.float32), 3)


def test_again(queue):
    scale(queue, np.ones(99, np.float32), 3)


def test_fixture(wrong):
    pass


def test_wrong_and_failed(queue):
    scale(queue, np.ones(5, np.float32), 3)
    assert 1 == 2


def test_clean(queue):
    scale(queue, np.ones(64, np.float32), 3)
END
    tests --cldbg
    check 'pytest: a repeated finding fails each test' has "$out" 'FAILED test_more.py::test_again'
    check 'pytest: of a fixture, it is an error' has "$out" 'ERROR test_more.py::test_fixture'
    check 'pytest: a failed assertion stays' has "$out" 'assert 1 == 2'
    check 'pytest: counts' has "$out" '3 failed, 2 passed, 1 error'
fi

if command -v cmake >/dev/null && [ -f /usr/include/gtest/gtest.h ] && [ -f /usr/include/CL/opencl.hpp ]; then
    cp -r "$top/examples/testing/googletest" "$tmp/googletest"
    cd "$tmp/googletest" || exit 99
    run cmake -S . -B build -DCLDBG="$tmp/bin/cldbg" -DCLDBG_GTEST_INCLUDE="$top/integrations/cpp" -DCMAKE_CXX_FLAGS=-O0
    run cmake --build build
    check 'GoogleTest: the project builds' [ "$status" = 0 ]
    run "$cldbg" --error-exitcode=0 build/scale_test
    check 'GoogleTest: the wrong test fails' has "$out" 'FAILED  ] Scale.OddSize'
    check 'GoogleTest: the other one passes' has "$out" 'OK ] Scale.MultipleOfTheGroup'
    check 'GoogleTest: the report is the message' has "$out" "error: read of 4 bytes outside global memory 'x'"
    check 'GoogleTest: its exit status' [ "$status" = 1 ]
    run ctest --test-dir build
    check 'CTest: the wrong test fails' has "$out" '50% tests passed, 1 tests failed out of 2'
fi

if command -v cmake >/dev/null && [ -f /usr/include/catch2/catch.hpp ] && [ -f /usr/include/CL/opencl.hpp ]; then
    cp -r "$top/examples/testing/catch2" "$tmp/catch2"
    cd "$tmp/catch2" || exit 99
    run cmake -S . -B build -DCLDBG="$tmp/bin/cldbg" -DCLDBG_CATCH2_INCLUDE="$top/integrations/cpp" -DCMAKE_CXX_FLAGS=-O0
    run cmake --build build
    check 'Catch2: the project builds' [ "$status" = 0 ]
    run "$cldbg" --error-exitcode=0 build/scale_test
    check 'Catch2: the wrong test cases fail' has "$out" 'test cases: 3 | 1 passed | 2 failed'
    check 'Catch2: each with a failure more' has "$out" 'assertions: 6 | 4 passed | 2 failed'
    check 'Catch2: the report is the message' has "$out" "error: read of 4 bytes outside global memory 'x'"
    check 'Catch2: its exit status' [ "$status" = 2 ]
    run "$cldbg" --error-exitcode=0 build/scale_test 'multiple of the group'
    check 'Catch2: the other one passes' [ "$status" = 0 ]
    run "$cldbg" --error-exitcode=0 build/scale_test sections -c 'of the group'
    check 'Catch2: a section that is right passes' [ "$status" = 0 ]
    run "$cldbg" --error-exitcode=0 build/scale_test -r junit
    check 'Catch2: in its JUnit report' has "$out" 'failures="2"'
    run ctest --test-dir build
    check 'CTest: the wrong test cases of Catch2 fail' has "$out" '33% tests passed, 2 tests failed out of 3'
else
    echo 'Catch2: skipped: cmake, catch2 or opencl-clhpp-headers is missing'
fi
finish
