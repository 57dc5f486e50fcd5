#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds the Debian packages of the committed tree:  packaging/build-deb.sh [--install-dependencies] FOLDER
# FOLDER gets cldbg_*.deb, cldbg-doc_*.deb, cldbg-mpi_*.deb and python3-pytest-cldbg_*.deb. Without git, the tree is taken as it is.
# If lintian is installed, its errors and warnings make the build fail.
set -eu
install=
[ "${1-}" = --install-dependencies ] && { install=yes; shift; }
[ $# = 1 ] || { sed -n 's/^# //p' "$0" >&2; exit 2; }
mkdir -p "$1"
to=$(cd "$1" && pwd)
top=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/cldbg"
if git -C "$top" rev-parse HEAD >/dev/null 2>&1; then git -C "$top" archive HEAD | tar -x -C "$work/cldbg"; else cp -r "$top/." "$work/cldbg"; fi
cd "$work/cldbg"
cp -r packaging/debian debian
version=$(sed -n 's/^AC_INIT(\[cldbg\], \[\([^]]*\)\].*/\1/p' configure.ac)
[ "$(dpkg-parsechangelog -S Version)" = "$version-1" ] || { echo "packaging/debian/changelog is not of version $version" >&2; exit 1; }
if [ -n "$install" ]; then
    apt-get update
    apt-get install -y --no-install-recommends build-essential devscripts equivs
    mk-build-deps --install --remove --tool 'apt-get -y --no-install-recommends' debian/control
fi
tar -C "$work" --anchored --exclude=cldbg/debian -cJf "$work/cldbg_$version.orig.tar.xz" cldbg
dpkg-buildpackage -us -uc
! command -v lintian >/dev/null || lintian --allow-root --info --fail-on error,warning "$work"/*.changes
cp "$work"/*.deb "$work"/*.dsc "$work"/*.buildinfo "$work"/*.tar.xz "$work"/*.changes "$to"
