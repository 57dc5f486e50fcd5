#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs the packages of a folder in an empty Debian 12 and runs their tests (debian/tests) there as a user.
# It needs root, debootstrap and the network:  packaging/try-deb.sh FOLDER [ROOT]
set -eu
[ $# -ge 1 ] || { sed -n 's/^# //p' "$0" >&2; exit 2; }
command -v debootstrap >/dev/null || { echo "debootstrap is missing: apt-get install debootstrap" >&2; exit 77; }
[ "$(id -u)" = 0 ] || { echo "this needs root" >&2; exit 77; }
packages=$(cd "$1" && pwd)
top=$(cd "$(dirname "$0")/.." && pwd)
root=${2:-$(mktemp -d)}
chmod 755 "$root" # the tests run as a user
mirror=$(apt-get indextargets --format '$(REPO_URI) $(RELEASE)' 2>/dev/null | awk '$2 == "bookworm" { print $1; exit }')
proxy=$(apt-config dump --format '%v%n' Acquire::http::Proxy | head -n 1)
[ -z "$proxy" ] || export http_proxy="$proxy" https_proxy="$proxy"
clean_up() {
    for m in dev proc sys; do umount -l "$root/$m" 2>/dev/null || true; done
    [ $# = 0 ] || grep -q " $root/" /proc/mounts || rm -rf --one-file-system "$root"
}
if [ $# = 1 ]; then trap 'clean_up remove' EXIT; else trap clean_up EXIT; fi

[ -x "$root/bin/sh" ] || debootstrap --variant=minbase bookworm "$root" "${mirror:-http://deb.debian.org/debian}" >"$root.log" 2>&1 ||
    { tail -n 20 "$root.log"; exit 1; }
cp /etc/resolv.conf "$root/etc/resolv.conf"
cp -r /etc/apt/apt.conf.d/. "$root/etc/apt/apt.conf.d/"
[ ! -f /etc/apt/sources.list.d/debian.sources ] ||
    { cp /etc/apt/sources.list.d/debian.sources "$root/etc/apt/sources.list.d/"; : >"$root/etc/apt/sources.list"; }
mount -t proc proc "$root/proc"
mount --bind /dev "$root/dev"
mount --bind /sys "$root/sys" # Open MPI reads the topology of the machine there
mkdir -p "$root/packages" "$root/tests"
cp "$packages"/*.deb "$root/packages"
cp "$top"/packaging/debian/tests/* "$root/tests"

inside() {
    chroot "$root" env -i HOME="${home:-/root}" PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 \
        DEBIAN_FRONTEND=noninteractive ${proxy:+http_proxy="$proxy"} ${proxy:+https_proxy="$proxy"} "$@"
}
needs=$(sed -n 's/^Depends: //p' "$top/packaging/debian/tests/control" | tr -d , | tr ' ' '\n' | grep -v cldbg | sort -u)
# The documentation is part of the test, so it is installed although a minimal Debian leaves it out.
rm -f "$root/etc/dpkg/dpkg.cfg.d/docker"
inside sh -c 'apt-get update -q && apt-get install -y -q --no-install-recommends man-db /packages/*.deb '"$(echo $needs)" >"$root.install.log" 2>&1 ||
    { tail -n 30 "$root.install.log"; exit 1; }
inside sh -c 'id tester >/dev/null 2>&1 || useradd -m tester'
status=0
for t in demo pytest mpi; do
    folder=/home/tester/$t
    inside sh -c "rm -rf $folder; mkdir $folder; chown tester $folder"
    if inside setpriv --reuid=tester --regid=tester --clear-groups env HOME=/home/tester AUTOPKGTEST_TMP="$folder" sh "/tests/$t" >"$root.$t.log" 2>&1
    then echo "ok: $t"
    else status=1; echo "FAILED: $t"; tail -n 20 "$root.$t.log"
    fi
done
exit "$status"
