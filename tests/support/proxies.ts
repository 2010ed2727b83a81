import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { projectRoot } from '#app/platform/project.server.ts';
import { makeCertificate } from './certificate.ts';
import { atFileEnd } from './file-end.ts';

/** The values in which a test differs from an operator's machine, for an example of docs/operations/examples. */
export interface ProxyPlace {
  folder: string;
  /** `host:port` of Dateline. */
  backend: string;
  port: number;
  plainPort: number;
}

/** A proxy that may not answer yet. */
export interface RunningProxy {
  /** Ends all its processes at once, and waits for their end. */
  kill(): Promise<void>;
  /** Starts it again at the same address. */
  startAgain(): void;
}

/** Starts a proxy with the example of docs/operations/examples for `blog.example.org`. */
export type StartProxy = (place: ProxyPlace) => Promise<RunningProxy>;

/** Debian's nginx; listens on 127.0.0.1 and 127.0.0.2. */
export const startNginx: StartProxy = async (place) =>
  runNginx(place, 'nginx.conf', [['127.0.0.1:3000', place.backend]]);

/** Debian's nginx in front of three hosts, each `host:port`. */
export const startNginxBeforeHosts = async (
  place: Pick<ProxyPlace, 'folder' | 'port' | 'plainPort'>,
  hosts: [string, string, string],
): Promise<RunningProxy> =>
  runNginx(place, 'nginx-several-hosts.conf', [
    ...hosts.map((host, index): [string, string] => [`10.0.0.${index + 1}:3000`, host]),
    ['/var/cache/nginx/dateline', `${place.folder}/cache`],
  ]);

async function runNginx(
  { folder, port, plainPort }: Pick<ProxyPlace, 'folder' | 'port' | 'plainPort'>,
  example: string,
  changes: [theirs: string, ours: string][],
): Promise<RunningProxy> {
  const { certificate, key } = makeCertificate(folder, 'blog.example.org');
  const site = await exampleWith(example, [
    ['listen 80;', `listen 127.0.0.1:${plainPort};`],
    ['listen 443 ssl http2;', `listen 127.0.0.1:${port} ssl http2; listen 127.0.0.2:${port} ssl http2;`],
    ['/etc/letsencrypt/live/blog.example.org/fullchain.pem', certificate],
    ['/etc/letsencrypt/live/blog.example.org/privkey.pem', key],
    ...changes,
  ]);
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${folder}/${kind};`,
  );
  const file = path.join(folder, 'nginx.conf');
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  await writeFile(
    file,
    `${user} daemon off; pid ${folder}/pid; error_log stderr; events {}
     http { include /etc/nginx/mime.types; access_log off; ${paths.join(' ')} ${site} }`,
  );
  await chmod(folder, 0o755);
  execFileSync('/usr/sbin/nginx', ['-t', '-c', file, '-p', folder], { stdio: 'ignore' });
  return runProxy('/usr/sbin/nginx', ['-c', file, '-p', folder]);
}

/** Debian's Caddy, with a certificate of its own making. */
export const startCaddy: StartProxy = async ({ folder, backend, port, plainPort }) => {
  const site = await exampleWith('Caddyfile', [['127.0.0.1:3000', backend]]);
  const file = path.join(folder, 'Caddyfile');
  const ours = `admin off\nhttp_port ${plainPort}\nhttps_port ${port}\nlocal_certs\nskip_install_trust`;
  await writeFile(file, `{\n${ours}\n}\n${site}`);
  const env = { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  return runProxy('/usr/bin/caddy', ['run', '--config', file, '--adapter', 'caddyfile'], env);
};

function runProxy(command: string, options: string[], env = process.env): RunningProxy {
  // A process group of its own: the workers of an nginx whose master is killed keep running.
  const start = () => spawn(command, options, { stdio: 'ignore', env, detached: true });
  let child = start();
  const proxy: RunningProxy = {
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      process.kill(-child.pid!, 'SIGKILL');
      await ended;
    },
    startAgain: () => void (child = start()),
  };
  atFileEnd(() => proxy.kill());
  return proxy;
}

async function exampleWith(name: string, changes: [theirs: string, ours: string][]): Promise<string> {
  const example = await readFile(path.join(projectRoot, 'docs/operations/examples', name), 'utf8');
  return changes.reduce((text, [theirs, ours]) => {
    if (!text.includes(theirs)) throw new Error(`${name} does not say ${theirs}`);
    return text.replace(theirs, ours);
  }, example);
}
