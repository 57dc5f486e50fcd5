#!/bin/sh
# SPDX-License-Identifier: MIT
# Proves README's two commands on a fresh Debian 12: a new root by debootstrap, a clone of this repository's HEAD in
# it, ./quickstart and ./quickstart check inside. Not part of make check: it needs root, the network and some minutes.
#   sudo apt-get install debootstrap
#   sudo tests/fresh-debian.sh [FOLDER]      FOLDER: where the root goes; default a temporary one, removed afterwards
# Takes the Debian mirror, keys and proxy from this machine's apt.
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
command -v debootstrap >/dev/null || { echo "debootstrap is missing: apt-get install debootstrap" >&2; exit 77; }
[ "$(id -u)" = 0 ] || { echo "this needs root" >&2; exit 77; }
if [ $# -gt 0 ]; then
    root=$1
    mkdir -p "$root"
else
    root=$(mktemp -d)
fi

# The first mirror of apt's own sources that has bookworm.
mirror=$(apt-get indextargets --format '$(REPO_URI) $(RELEASE)' 2>/dev/null | awk '$2 == "bookworm" { print $1; exit }')
mirror=${mirror:-http://deb.debian.org/debian}
proxy=$(apt-config dump --format '%v%n' Acquire::http::Proxy | head -n 1)
if [ -n "$proxy" ]; then
    export http_proxy="$proxy" https_proxy="$proxy"
fi

clean_up() {
    for m in proc dev/shm dev/pts dev; do umount "$root/$m" 2>/dev/null || true; done
    if [ $# -gt 0 ] && ! grep -q " $root" /proc/mounts; then rm -rf --one-file-system "$root"; fi
}
if [ $# -gt 0 ]; then trap clean_up EXIT; else trap 'clean_up remove' EXIT; fi

echo "A fresh Debian 12 from $mirror in $root ..."
[ -x "$root/bin/sh" ] || debootstrap --variant=minbase bookworm "$root" "$mirror" >"$root.log" 2>&1 || {
    tail -n 20 "$root.log"
    exit 1
}
# The same ways to the archive as this machine has; third parties' sources stay out.
cp /etc/resolv.conf "$root/etc/resolv.conf"
cp -r /etc/apt/apt.conf.d/. "$root/etc/apt/apt.conf.d/" 2>/dev/null || true
for s in /etc/apt/sources.list.d/debian.sources; do
    [ -f "$s" ] && { cp "$s" "$root/etc/apt/sources.list.d/"; : >"$root/etc/apt/sources.list"; }
done
mount -t proc proc "$root/proc" 2>/dev/null || mount --bind /proc "$root/proc" || echo "(no /proc inside)"
mount --bind /dev "$root/dev" 2>/dev/null || echo "(no /dev of the machine inside)"
mount --bind /dev/pts "$root/dev/pts" 2>/dev/null || echo "(no terminals inside)"

rm -rf "$root/root/cldbg"
mkdir -p "$root/root/cldbg"
git -C "$top" archive HEAD | tar -x -C "$root/root/cldbg"

inside() {
    chroot "$root" env -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 \
        ${proxy:+http_proxy="$proxy"} ${proxy:+https_proxy="$proxy"} /bin/sh -c "cd /root/cldbg && $1"
}
status=0
for command in ./quickstart "./quickstart check"; do
    echo
    echo "\$ $command"
    inside "$command" </dev/null || { status=$?; echo "FAILED with exit status $status: $command"; break; }
done
[ "$status" = 0 ] && echo "Both commands work on a fresh Debian 12."
exit "$status"
