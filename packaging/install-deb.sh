#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs cldbg from its Debian package, a file, a folder or a URL:  packaging/install-deb.sh WHERE
set -eu
[ $# = 1 ] || { sed -n 's/^# //p' "$0" >&2; exit 2; }
sudo() { if [ "$(id -u)" = 0 ]; then "$@"; else command sudo "$@"; fi; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"
case $1 in
*://*) curl -fsSL --retry 3 -o "$work/cldbg.deb" "$1" ;;
*) if [ -d "$1" ]; then cp "$1"/cldbg_*.deb "$work/cldbg.deb"; else cp "$1" "$work/cldbg.deb"; fi ;;
esac
sudo apt-get update -q
sudo apt-get install -y -q --no-install-recommends "$work/cldbg.deb"
cldbg --version
