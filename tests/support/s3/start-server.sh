#!/bin/sh
# start-server.sh DIR PORT -- a throw-away, real S3 server on 127.0.0.1:PORT, all its files under DIR.
# It is OpenStack Swift with its own s3api and tempauth: four servers, one replica, no other daemon.
#   apt-get install --no-install-recommends swift-proxy swift-account swift-container swift-object
# Prints the endpoint once all four answer. The same DIR again: the same data (for crash tests).
# DIR must lie where user xattrs work (ext4, xfs; tmpfs from Linux 6.6). Logs: DIR/log/NAME.
set -eu; [ $# -eq 2 ] || { echo "usage: $0 DIR PORT" >&2; exit 2; }
mkdir -p "$1"; dir=$(cd "$1" && pwd -P); port=$2
key=${S3_ACCESS_KEY:-test:tester}     # tempauth wants ACCOUNT:USER: one colon, no underscore
secret=${S3_SECRET_KEY:-testing-secret} region=${S3_REGION:-us-east-1}
[ ! -f "$dir/pids" ] || { echo "$0: $dir has a pids file: run stop-server.sh first" >&2; exit 1; }
mkdir -p "$dir/etc" "$dir/log" "$dir/data/d1"
printf '[swift-hash]\nswift_hash_path_suffix = throwaway\n' >"$dir/etc/swift.conf"

# conf NAME IP PIPELINE: what the four have in common. workers = 0 means one process, no pre-fork.
# The back ends take the same port on 127.0.0.2 to .4, so PORT is the only one that a test picks.
conf() {
  cat <<END
[DEFAULT]
bind_ip = $2
bind_port = $port
bind_timeout = 2
workers = 0
user = $(id -un)
swift_dir = $dir/etc
devices = $dir/data
mount_check = false
fallocate_reserve = 0
[filter:healthcheck]
use = egg:swift#healthcheck
[pipeline:main]
pipeline = healthcheck $3 $1-server
[app:$1-server]
use = egg:swift#$1
END
}
conf account 127.0.0.2 '' >"$dir/etc/account.conf"
conf container 127.0.0.3 '' >"$dir/etc/container.conf"
# No updater daemon runs, so a PUT has to wait for its listing entry instead of queueing it after 1 s.
{ conf object 127.0.0.4 ''; echo 'container_update_timeout = 60'; } >"$dir/etc/object.conf"
# tempauth insists on a cache; none listens on port 1, so nothing is stale (a memcached: twice the speed).
{ conf proxy 127.0.0.1 'proxy_logging memcache s3api tempauth slo'; echo 'account_autocreate = true'
  # A proxy that comes back before the other three would turn away from its only object server for a minute.
  echo 'error_suppression_interval = 0'
  for f in proxy_logging slo memcache s3api tempauth; do printf '[filter:%s]\nuse = egg:swift#%s\n' $f $f
    case $f in
      memcache) printf 'memcache_servers = %s\nlog_level = CRITICAL\n' "${S3_MEMCACHED:-127.0.0.1:1}" ;;
      s3api) echo "location = $region" ;;
      tempauth) echo "user_$(echo "$key" | tr : _) = $secret .admin" ;;
    esac
  done; } >"$dir/etc/proxy.conf"

# One launcher imports Swift once and forks the four: a quarter of the CPU time of four starts.
cat >"$dir/run.py" <<'END'
import os, socket, sys, time, urllib.request
from array import array
here, port = sys.argv[1:]
os.chdir(here + '/etc')                    # RingData.save puts its temporary file into "."
import swift.common.utils
swift.common.utils.set_swift_dir(here + '/etc')         # else it reads /etc/swift/swift.conf
from swift.common.ring import RingData
from swift.common.wsgi import run_wsgi
import swift.account.server, swift.container.server, swift.obj.server, swift.proxy.server
ips = dict(account='127.0.0.2', container='127.0.0.3', object='127.0.0.4', proxy='127.0.0.1')
for ip in ips.values():                    # a taken port must fail here: its owner would answer below
    socket.create_server((ip, int(port))).close()
for n in list(ips)[:3]:                    # a ring is a table: two partitions, both on device 0
    dev = dict(id=0, region=1, zone=1, weight=1.0, device='d1', meta='', ip=ips[n], port=int(port))
    dev.update(replication_ip=ips[n], replication_port=int(port))
    RingData([array('H', [0, 0])], [dev], 31).save(n + '.ring.gz')
pids = open(here + '/pids', 'w')
for n in ips:
    pid = os.fork()
    if not pid:
        os.dup2(os.open('%s/log/%s' % (here, n), os.O_WRONLY | os.O_CREAT | os.O_APPEND), 1)
        os.dup2(1, 2)
        os._exit(run_wsgi('%s/etc/%s.conf' % (here, n), n + '-server', verbose=True) or 0)
    print(n, pid, file=pids, flush=True)
end, up = time.time() + 60, 0
while up < 4 and time.time() < end and not os.waitpid(-1, os.WNOHANG)[0]:
    try:
        up = sum(urllib.request.urlopen('http://%s:%s/healthcheck' % (ip, port), timeout=5).status == 200
                 for ip in ips.values())
    except OSError:
        time.sleep(0.05)
sys.exit(0 if up == 4 else 'a server did not come up, see %s/log' % here)
END
# The python that Debian's Swift is for, which need not be the first one in PATH.
python=$(sed -n '1s/^#! *//p' "$(command -v swift-proxy-server)")
"$python" "$dir/run.py" "$dir" "$port" </dev/null || { "$(dirname "$0")/stop-server.sh" "$dir"; exit 1; }
echo "endpoint=http://127.0.0.1:$port region=$region key=$key secret=$secret"
