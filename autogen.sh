#!/bin/sh
# SPDX-License-Identifier: MIT
# Makes ./configure from configure.ac.
set -e
cd "$(dirname "$0")"
for tool in autoreconf libtoolize pkg-config; do
    command -v "$tool" >/dev/null 2>&1 || {
        echo "autogen.sh: $tool is missing; on Debian: apt-get install autoconf automake libtool pkg-config" >&2
        exit 1
    }
done
exec autoreconf --install --force "$@"
