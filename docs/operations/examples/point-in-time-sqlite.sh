#!/bin/sh
# Point-in-time recovery with Litestream, from end to end, on a scratch database in a temporary folder. It reads and
# writes no other instance. Run it in Dateline's folder, as any user.
#   sh docs/operations/examples/point-in-time-sqlite.sh [litestream]
set -eu

litestream=${1:-litestream}
command -v "$litestream" >/dev/null || { echo "$litestream is not installed: https://litestream.io/install/" >&2; exit 3; }

work=$(mktemp -d)
mkdir "$work/posts" "$work/uploads"
replicating=
cleanup() {
  [ -z "$replicating" ] || kill "$replicating" 2>/dev/null || true
  rm -rf "$work"
}
trap cleanup EXIT
database=$work/dateline.db
dateline() {
  DATABASE_URL="file:$database" SEARCH_HOST="file:$work/search.db" MEDIA_STORE="file:$work/uploads" \
    AUTH_SECRET=point-in-time-drill-point-in-time-drill AUTH_URL=http://localhost:9 node bin/run.mjs "$@"
}
publish() {
  rm -f "$work"/posts/*
  printf -- '---\ntitle: %s\nstatus: published\ndate: 2026-01-01T00:00:00Z\n---\n\nText.\n' "$1" >"$work/posts/$1.md"
  dateline content:import --from markdown --input "$work/posts" >/dev/null 2>&1
}
slugs() {
  dateline content:export --to markdown --output "$work/$1" >/dev/null 2>&1
  (cd "$work/$1" && find . -name '*.md' | sed 's|.*/||' | sort | tr '\n' ' ')
}

echo 'A database that Litestream replicates'
dateline db:migrate >/dev/null
sed -e "s|/srv/dateline/data/dateline.db|$database|" -e "s|/mnt/elsewhere/dateline|$work/replica|" \
  "$(dirname "$0")/litestream.yml" >"$work/litestream.yml"
"$litestream" replicate -config "$work/litestream.yml" >"$work/replicate.log" 2>&1 &
replicating=$!
publish before
publish after
# A replica is exact to its sync interval.
sleep 3
moment=$(date -u +%Y-%m-%dT%H:%M:%SZ)
sleep 3

echo 'The accident'
node -e '
  const Database = require("better-sqlite3");
  const db = new Database(process.argv[1]);
  db.pragma("foreign_keys = ON");
  db.exec("DELETE FROM posts");' "$database"
sleep 3
kill "$replicating"
wait "$replicating" || true
replicating=
[ "$(slugs lost)" = '' ] || { echo 'The accident left posts.' >&2; exit 1; }

echo "Recovery to $moment"
mkdir "$work/accident"
mv "$database"* "$work/accident/"
"$litestream" restore -config "$work/litestream.yml" -timestamp "$moment" "$database"

echo 'Is the site whole?'
posts=$(slugs found)
[ "$posts" = 'after.md before.md ' ] || { echo "Recovered posts: $posts" >&2; exit 1; }
. "$(dirname "$0")/check-recovered.sh"
echo "Recovered to $moment: both posts are there, counts and search index are right."
