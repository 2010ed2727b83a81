#!/usr/bin/env bash
# tests/container/run.sh: builds the image with buildah and runs it as compose.yaml does (read-only root, no
# capabilities), where no container engine can (no cgroups, as root).
#   apt-get install buildah
# NODE_IMAGE names a base with Node (make-base.sh makes one); the host's npm settings and certificates are passed in.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
base=${NODE_IMAGE:-docker.io/library/node:24.18-bookworm-slim}
port=${PORT:-3777}
work=$(mktemp -d)
container=''
# The build runs as root.
home_inside=/root
pid=''

finish() {
  [ -z "$pid" ] || kill -KILL "$(last_below "$pid")" 2>/dev/null || true
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
volumes=(-v "$work/data:/app/data" -v "$work/uploads:/app/public/uploads" --mount type=tmpfs,destination=/tmp)
# The program itself: the last process below buildah.
last_below() {
  local process=$1 child
  while child=$(pgrep -P "$process" | head -1) && [ -n "$child" ]; do process=$child; done
  echo "$process"
}
# buildah has no option for a read-only root. So what is to run waits in the container until its root is read-only,
# which happens from outside.
launch() {
  buildah run --isolation chroot --network host --cap-drop all "${volumes[@]}" "${variables[@]}" "$container" -- \
    sh -c 'until grep -q " / [^ ]* ro," /proc/mounts; do sleep 0.1; done; exec "$@"' command "$@" &
  launched=$!
  local waiting
  # A `sleep` may have ended before it is entered: then the next one is.
  until waiting=$(last_below "$launched") && grep -qE '^(sh|sleep|grep)$' "/proc/$waiting/comm" 2>/dev/null &&
    nsenter --target "$waiting" --mount --root mount -o remount,bind,ro / 2>/dev/null; do
    kill -0 "$launched" 2>/dev/null || fail 'the container did not start'
    sleep 0.1
  done
}
inside() { launch "$@" && wait "$launched"; }
address=http://127.0.0.1:$port
start() {
  launch env NODE_OPTIONS="--max-semi-space-size=8 --v8-pool-size=1" node bin/container-start.mjs >>"$work/log" 2>&1
  pid=$launched
  for _ in $(seq 120); do
    curl -fs "$address/api/health" >/dev/null && return
    kill -0 "$pid" 2>/dev/null || fail 'the server ended while it started'
    sleep 0.5
  done
  fail 'the server did not start'
}
stop() {
  local status=0
  kill -"$1" "$(last_below "$pid")"
  wait "$pid" || status=$?
  pid=''
  [ "$1" = KILL ] || [ "$status" = 0 ] || fail "SIG$1: exit code $status"
}

start
ok 'it starts, migrates, and is healthy'
running=$(last_below "$pid")
user=$(awk '/^Uid:/ {print $2}' "/proc/$running/status")
[ "$user" = 1000 ] || fail "it runs as user $user"
[ "$(awk '/^CapEff:/ {print $2}' "/proc/$running/status")" = 0000000000000000 ] || fail 'it has capabilities'
ok 'it runs as the user node, without capabilities'
# Of all file systems of the container, those that may be written to, without the four files of root that buildah puts there.
of_buildah='^/(etc/hostname|etc/hosts|etc/resolv.conf|run/.containerenv)$'
writable=$(awk '$4 ~ /^rw/ && $2 !~ "^/(proc|sys|dev)(/|$)" {print $2}' "/proc/$running/mounts" | grep -vE "$of_buildah" | sort | tr '\n' ' ')
[ "$writable" = '/app/data /app/public/uploads /tmp ' ] || fail "writable: $writable"
grep -q '^[^ ]* / [^ ]* ro,' "/proc/$running/mounts" || fail 'the root is not read-only'
ok 'its root is read-only; it writes to its volumes and /tmp'
inside node bin/run.mjs admin:create ada@example.org ada Ada a-long-password-for-ada >/dev/null || fail 'admin:create'
login() { curl -fs -c "$work/cookies" -o /dev/null -H 'X-Forwarded-Proto: https' --data-urlencode email=ada@example.org \
  --data-urlencode password=a-long-password-for-ada "$address/admin/login"; sed -i 's/TRUE/FALSE/2' "$work/cookies"; }
login
location=$(curl -s -b "$work/cookies" -H 'X-Forwarded-Proto: https' -o "$work/answer" -w '%{redirect_url}' --data-urlencode 'title=From a container' \
  --data-urlencode slug=from-a-container --data-urlencode body=Text --data intent=publish "$address/admin/posts/new")
[ -n "$location" ] || fail "the post was not published: $(head -c 300 "$work/answer")"
curl -fs "$address/posts/from-a-container" | grep -q 'From a container' || fail 'the post cannot be read'
ok 'a post is published'
media=$(curl -s -b "$work/cookies" -H 'X-Forwarded-Proto: https' -H 'Accept: application/json' -F file=@docs/images/home.webp \
  "$address/admin/media")
picture=$(grep -o '/uploads/[^"]*' <<<"$media" | head -1) || fail "the picture was not stored: ${media:0:300}"
curl -fs -o "$work/picture" "$address$picture" || fail 'the picture cannot be read'
ok 'a picture is stored'
limit=$(awk '/mem_limit:/ {print int($2); exit}' compose.yaml)
memory=$(awk '/^VmHWM:/ {print int($2 / 1024)}' "/proc/$running/status")
[ "$memory" -lt "$limit" ] || fail "$memory MB in memory at most, compose.yaml allows $limit"
ok "$memory MB in memory at most, of $limit"
kept() {
  start
  curl -fs "$address/posts/from-a-container" >/dev/null || fail "the post is gone after $1"
  curl -fs "$address$picture" | cmp -s - "$work/picture" || fail "the picture is another one after $1"
}
began=$SECONDS
stop TERM
[ $((SECONDS - began)) -lt 30 ] || fail 'SIGTERM took longer than the grace period'
kept SIGTERM
stop KILL
kept SIGKILL
stop INT
ok 'it stops on SIGTERM and SIGINT with exit code 0 and keeps its content in the volumes, after SIGKILL too'
