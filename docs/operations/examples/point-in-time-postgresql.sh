#!/bin/sh
# Point-in-time recovery with PostgreSQL's own tools, from end to end, on a scratch cluster in a temporary folder. It
# reads and writes no other instance. Run it in Dateline's folder, as any user; as root the cluster runs as `nobody`.
#   sh docs/operations/examples/point-in-time-postgresql.sh [folder of PostgreSQL's programs]
set -eu

bin=${1:-$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -n 1)}
for program in initdb pg_ctl pg_basebackup psql; do
  [ -x "$bin/$program" ] || { echo "$program is not installed ($bin). Install PostgreSQL's server and client." >&2; exit 3; }
done

work=$(mktemp -d)
chmod 755 "$work"
mkdir "$work/archive" "$work/posts"
if [ "$(id -u)" = 0 ]; then
  owner=$(id -u nobody)
  group=$(id -g nobody)
  mkdir "$work/data"
  chown "$owner:$group" "$work/data" "$work/archive"
  server() { (cd / && setpriv --reuid "$owner" --regid "$group" --clear-groups "$@"); }
else
  mkdir "$work/data"
  server() { "$@"; }
fi
cleanup() {
  for cluster in primary restored; do
    server "$bin/pg_ctl" -D "$work/data/$cluster" -m immediate stop >/dev/null 2>&1 || true
  done
  rm -rf "$work"
}
trap cleanup EXIT

port=$(node -e 's = require("net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })')
start() {
  server "$bin/pg_ctl" -D "$work/data/$1" -w -t 60 -l "$work/data/$1.log" \
    -o "-p $port -k $work/data -c listen_addresses=127.0.0.1" start >/dev/null || { cat "$work/data/$1.log" >&2; exit 1; }
}
sql() { PGOPTIONS="-c client_min_messages=warning" "$bin/psql" -h 127.0.0.1 -p "$port" -U postgres -d "${2:-dateline}" -v ON_ERROR_STOP=1 -Atqc "$1"; }
dateline() {
  DATABASE_URL="postgresql://postgres@127.0.0.1:$port/dateline" SEARCH_HOST="file:$work/search.db" \
    MEDIA_STORE="file:$work/uploads" AUTH_SECRET=point-in-time-drill-point-in-time-drill \
    AUTH_URL=http://localhost:9 node bin/run.mjs "$@"
}
publish() {
  rm -f "$work"/posts/*
  printf -- '---\ntitle: %s\nstatus: published\ndate: 2026-01-01T00:00:00Z\n---\n\nText.\n' "$1" >"$work/posts/$1.md"
  dateline content:import --from markdown --input "$work/posts" >/dev/null 2>&1
}

echo 'A cluster that archives its write-ahead log'
server "$bin/initdb" -D "$work/data/primary" -U postgres --auth=trust --encoding=UTF8 --locale=C.UTF-8 -N >/dev/null
server tee -a "$work/data/primary/postgresql.conf" >/dev/null <<END
wal_level = replica
archive_mode = on
archive_command = 'test ! -f $work/archive/%f && cp %p $work/archive/%f.part && mv $work/archive/%f.part $work/archive/%f'
END
start primary
sql 'CREATE DATABASE dateline' postgres
mkdir -p "$work/uploads"
dateline db:migrate >/dev/null
publish before

echo 'The base backup, and a post after it'
server "$bin/pg_basebackup" -h 127.0.0.1 -p "$port" -U postgres -D "$work/data/restored" -c fast
publish after
moment=$(sql 'SELECT clock_timestamp()')

echo 'The accident'
sql 'TRUNCATE posts CASCADE'
segment=$(sql 'SELECT pg_walfile_name(pg_switch_wal())')
until [ -f "$work/archive/$segment" ]; do sleep 0.2; done
server "$bin/pg_ctl" -D "$work/data/primary" -m immediate stop >/dev/null

echo "Recovery to $moment"
server touch "$work/data/restored/recovery.signal"
server tee -a "$work/data/restored/postgresql.auto.conf" >/dev/null <<END
archive_mode = off
restore_command = 'cp $work/archive/%f %p'
recovery_target_time = '$moment'
recovery_target_action = 'promote'
END
start restored
until [ "$(sql 'SELECT pg_is_in_recovery()')" = f ]; do sleep 0.2; done

echo 'Is the site whole?'
posts=$(sql 'SELECT slug FROM posts ORDER BY slug' | tr '\n' ' ')
[ "$posts" = 'after before ' ] || { echo "Recovered posts: $posts" >&2; exit 1; }
. "$(dirname "$0")/check-recovered.sh"
echo "Recovered to $moment: both posts are there, counts and search index are right."
