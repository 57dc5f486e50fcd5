#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs Debian packages of cldbg:  packaging/install-deb.sh WHERE [PACKAGE…]
# WHERE is a .deb file, a folder or a URL. A folder has the packages as build-deb.sh makes them; a URL of a folder has
# cldbg_amd64.deb and python3-pytest-cldbg_all.deb. PACKAGE: cldbg (default), cldbg-doc, python3-pytest-cldbg.
set -eu
[ $# -ge 1 ] || { sed -n 's/^# //p' "$0" >&2; exit 2; }
where=$1
shift
[ $# -gt 0 ] || set -- cldbg
sudo() { if [ "$(id -u)" = 0 ]; then "$@"; else command sudo "$@"; fi; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"
for package in "$@"; do
    case $package in cldbg) arch=$(dpkg --print-architecture) ;; *) arch=all ;; esac
    case $where in
    *://*.deb) curl -fsSL --retry 3 -o "$work/$package.deb" "$where" ;;
    *://*) curl -fsSL --retry 3 -o "$work/$package.deb" "${where%/}/${package}_$arch.deb" ;;
    *) if [ -d "$where" ]; then cp "$where/$package"_*.deb "$work/$package.deb"; else cp "$where" "$work/$package.deb"; fi ;;
    esac
done
sudo apt-get update -q
sudo apt-get install -y -q --no-install-recommends "$work"/*.deb
cldbg --version
