#!/usr/bin/env bash
# tests/container/run.sh: builds the image with buildah and runs it, where no container engine can (no cgroups, as root).
#   apt-get install buildah
# NODE_IMAGE names a base with Node (make-base.sh makes one); the host's npm settings and certificates are passed in.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
base=${NODE_IMAGE:-docker.io/library/node:22-bookworm-slim}
port=${PORT:-3777}
work=$(mktemp -d)
container=''
# The build runs as root.
home_inside=/root
pid=''

finish() {
  [ -z "$pid" ] || kill -KILL "$(server)" 2>/dev/null || true
  [ -z "$container" ] || buildah rm "$container" >/dev/null
  rm -rf "$work"
}
trap finish EXIT
fail() { echo "FAILED: $*" >&2; [ ! -f "$work/log" ] || tail -20 "$work/log" >&2; exit 1; }
ok() { echo "ok: $*"; }

# IMAGE=… tries an image that is there already.
if [ -z "${IMAGE:-}" ]; then
  mkdir "$work/context"
  git archive HEAD | tar -x -C "$work/context"
  settings=(-v /etc/ssl/certs:/etc/ssl/certs:ro)
  [ ! -f "$HOME/.npmrc" ] || settings+=(-v "$HOME/.npmrc:$home_inside/.npmrc:ro")
  of_all_users=$(npm config get globalconfig)
  [ ! -f "$of_all_users" ] || settings+=(-v "$of_all_users:/usr/local/etc/npmrc:ro")
  buildah bud --isolation chroot --network host --build-arg "NODE_IMAGE=$base" "${settings[@]}" -t dateline-test "$work/context"
  ok 'the image builds'
fi

size() { buildah images --format '{{.Size}}' --filter "reference=$1" | head -1; }
echo "base $(size "$base"), image $(size dateline-test)"
container=$(buildah from dateline-test)
root=$(buildah mount "$container")
base_container=$(buildah from "$base")
base_bytes=$(du -sxb "$(buildah mount "$base_container")" | cut -f1)
buildah rm "$base_container" >/dev/null
on_top=$((($(du -sxb "$root" | cut -f1) - base_bytes) / 1000000))
[ "$on_top" -lt 150 ] || fail "the image has $on_top MB on top of its base"
ok "$on_top MB on top of the base"

mkdir -p "$work/data" "$work/uploads"
chown 1000:1000 "$work/data" "$work/uploads"
variables=(
  -e DATABASE_URL=file:/app/data/dateline.db -e UPLOADS_DIR=/app/public/uploads
  -e AUTH_SECRET=container-test-secret-0123456789-abcdef -e AUTH_URL=https://blog.example.org
  -e INTERNAL_CRON_SECRET=container-test-cron-secret -e PORT="$port" -e HOST=127.0.0.1 -e LOG_LEVEL=info
)
volumes=(-v "$work/data:/app/data" -v "$work/uploads:/app/public/uploads")
inside() { buildah run --isolation chroot --network host "${volumes[@]}" "${variables[@]}" "$container" -- "$@"; }
address=http://127.0.0.1:$port
start() {
  inside node --max-semi-space-size=4 --v8-pool-size=1 bin/container-start.mjs >>"$work/log" 2>&1 &
  pid=$!
  for _ in $(seq 120); do
    curl -fs "$address/api/health" >/dev/null && return
    kill -0 "$pid" 2>/dev/null || fail 'the server ended while it started'
    sleep 0.5
  done
  fail 'the server did not start'
}
# The server itself: the last process below buildah.
server() {
  local process=$pid child
  while child=$(pgrep -P "$process" | head -1) && [ -n "$child" ]; do process=$child; done
  echo "$process"
}
stop() { kill -TERM "$(server)"; wait "$pid" || true; pid=''; }

start
ok 'it starts, migrates, and is healthy'
running=$(server)
user=$(awk '/^Uid:/ {print $2}' "/proc/$running/status")
[ "$user" = 1000 ] || fail "it runs as user $user"
ok 'it runs as the user node'
inside node bin/run.mjs admin:create ada@example.org ada Ada a-long-password-for-ada >/dev/null || fail 'admin:create'
login() { curl -fs -c "$work/cookies" -o /dev/null -H 'X-Forwarded-Proto: https' --data-urlencode email=ada@example.org \
  --data-urlencode password=a-long-password-for-ada "$address/admin/login"; sed -i 's/TRUE/FALSE/2' "$work/cookies"; }
login
location=$(curl -s -b "$work/cookies" -H 'X-Forwarded-Proto: https' -o "$work/answer" -w '%{redirect_url}' --data-urlencode 'title=From a container' \
  --data-urlencode slug=from-a-container --data-urlencode body=Text --data intent=publish "$address/admin/posts/new")
[ -n "$location" ] || fail "the post was not published: $(head -c 300 "$work/answer")"
curl -fs "$address/posts/from-a-container" | grep -q 'From a container' || fail 'the post cannot be read'
ok 'a post is published'
memory=$(awk '/^VmRSS:/ {print int($2 / 1024)}' "/proc/$running/status")
[ "$memory" -lt 768 ] || fail "$memory MB in memory, compose.yaml allows 768"
ok "$memory MB in memory"
began=$SECONDS
stop
[ $((SECONDS - began)) -lt 30 ] || fail 'SIGTERM took longer than the grace period'
start
curl -fs "$address/posts/from-a-container" >/dev/null || fail 'the post is gone after a restart'
ok 'it stops on SIGTERM and keeps its content in the volumes'
stop
