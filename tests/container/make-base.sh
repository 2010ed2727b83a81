#!/usr/bin/env bash
# tests/container/make-base.sh NAME [VERSION]: makes an image of Debian with Node, where none can be pulled: Debian from
# the host's own sources, Node and npm from the npm registry. Then NODE_IMAGE=localhost/NAME tests/container/run.sh
#   apt-get install buildah debootstrap
set -euo pipefail
name=${1:?a name for the image}
version=${2:-22.23.3}
work=$(mktemp -d)
container=$(buildah from scratch)
trap 'buildah rm "$container" >/dev/null; rm -rf "$work"' EXIT
root=$(buildah mount "$container")

# Of the indexes that the host has, the one of Debian itself.
debian=$(apt-get indextargets --format '$(SITE) $(RELEASE)' | awk '$2 == "bookworm" {print $1; exit}')
debootstrap --variant=minbase --include=ca-certificates bookworm "$root" "$debian" >"$work/log" || {
  tail -5 "$work/log" >&2
  exit 1
}
cp -r /etc/apt/apt.conf.d/. "$root/etc/apt/apt.conf.d/"

unpack() {
  mkdir -p "$2"
  tar xzf "$work/$(cd "$work" && npm pack --silent "$1")" -C "$2" --strip-components 1
}
unpack "node-linux-$(node -p process.arch)@$version" "$work/node"
cp -r "$work/node/bin" "$work/node/include" "$root/usr/local/"
unpack npm@10 "$root/usr/local/lib/node_modules/npm"
for command in npm npx; do
  chmod +x "$root/usr/local/lib/node_modules/npm/bin/$command-cli.js"
  ln -s "../lib/node_modules/npm/bin/$command-cli.js" "$root/usr/local/bin/$command"
done
# As in the official image.
chroot "$root" groupadd --gid 1000 node
chroot "$root" useradd --uid 1000 --gid node --shell /bin/bash --create-home node
rm -rf "$root"/var/lib/apt/lists/* "$root"/var/cache/apt/archives/*.deb
buildah config --env PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$container"
buildah commit --quiet "$container" "$name" >/dev/null
