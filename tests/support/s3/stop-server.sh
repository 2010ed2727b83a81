#!/bin/sh
# stop-server.sh DIR [SIGNAL] -- ends exactly the processes that start-server.sh DIR started (default KILL:
# they hold nothing that a kill could lose, and SIGTERM waits for open connections).
# Data and logs stay under DIR; remove it yourself.
set -eu
[ $# -ge 1 ] || { echo "usage: $0 DIR [SIGNAL]" >&2; exit 2; }
dir=$(cd "$1" && pwd -P)
[ -f "$dir/pids" ] || exit 0
ours() { [ -r "/proc/$1/cmdline" ] && tr '\0' '\n' <"/proc/$1/cmdline" 2>/dev/null | grep -qxF "$dir/run.py"; }
while read -r _ pid; do
  # A pid may have been given to somebody else since: only kill what still runs our own run.py.
  if ours "$pid"; then kill -s "${2:-KILL}" "$pid" || :; fi
done <"$dir/pids"
i=0
while read -r name pid; do
  while ours "$pid"; do
    i=$((i + 1)); [ $i -lt 100 ] || { echo "$0: $name ($pid) still runs" >&2; exit 1; }
    sleep 0.1
  done
done <"$dir/pids"
rm -f "$dir/pids"
