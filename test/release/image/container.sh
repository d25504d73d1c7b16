#!/bin/sh
# Runs a command as a container runtime does: PID 1 in its own process tree, uid 65532, a root that can't be written.
# Usage: container.sh <root> <folder of the volume> <command> ...
set -eu
exec unshare --mount --pid --fork --kill-child sh -euc '
root=$1
volume=$2
shift 2
mount --bind "$root" "$root"
mount --bind "$volume" "$root/data"
for file in hosts resolv.conf; do
  touch "$root/etc/$file"
  mount --bind "/etc/$file" "$root/etc/$file"
done
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount -o remount,bind,ro "$root"
exec unshare --root="$root" --wd=/data --setuid 65532 --setgid 65532 "$@"
' container "$@"
