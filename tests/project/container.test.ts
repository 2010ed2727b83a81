import { execFile, spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { environmentSchema, parseEnv } from '#app/platform/env.server.ts';
import { projectRoot } from '#app/platform/project.server.ts';
import { startArguments } from '#tests/support/package-scripts.ts';
import { startTypesenseStandIn } from '#tests/support/typesense-stand-in.ts';

interface Service {
  image?: string;
  build?: string;
  ports?: string[];
  volumes?: string[];
  environment: Record<string, string>;
  healthcheck: { test: string[]; interval: string; start_period: string };
  depends_on?: Record<string, { condition: string }>;
  mem_limit?: string;
  read_only?: boolean;
  logging?: object;
}

const textOf = (file: string) => readFileSync(path.join(projectRoot, file), 'utf8');
const compose = parse(textOf('compose.yaml')) as {
  services: Record<'app' | 'postgres' | 'typesense', Service>;
  volumes: Record<string, null>;
};
const { app, postgres, typesense } = compose.services;

describe('compose.yaml', () => {
  test('is what docker compose reads, and not without its secrets', () => {
    const docker = (variables: Record<string, string>, ...args: string[]) =>
      spawnSync('docker', ['compose', ...args], {
        cwd: projectRoot,
        env: { NODE_ENV: 'test', PATH: process.env.PATH, HOME: process.env.HOME, ...variables },
        encoding: 'utf8',
      });
    // Not on every system; GitHub's and GitLab's runners have it.
    if (docker({}, 'version').status !== 0) return;
    const names = [...textOf('compose.yaml').matchAll(/\$\{(\w+):\?\}/g)].map(([, name]) => name!);
    const secrets = Object.fromEntries(names.map((name) => [name, 'a-value']));
    const read = docker(secrets, '--env-file', '/dev/null', 'config', '--quiet');
    expect(read.status, read.stderr).toBe(0);
    expect(docker({}, '--env-file', '/dev/null', 'config', '--quiet').status).not.toBe(0);
  });

  test('has the app, PostgreSQL and Typesense, and nothing else', () => {
    expect(Object.keys(compose.services)).toEqual(['app', 'postgres', 'typesense']);
    expect(app.build).toBe('.');
    expect(app.ports).toEqual(['127.0.0.1:3000:3000']);
    expect(postgres.image).toMatch(/^postgres:\d+/);
    expect(typesense.image).toBe('typesense/typesense:30.2');
  });

  test('keeps database, index and uploads on named volumes', () => {
    const mounts = Object.values(compose.services).map(({ volumes }) => volumes);
    expect(mounts).toEqual([
      ['uploads:/app/public/uploads'],
      ['database:/var/lib/postgresql/data'],
      ['search:/data'],
    ]);
    expect(Object.keys(compose.volumes).sort()).toEqual(['database', 'search', 'uploads']);
    expect(app.environment.UPLOADS_DIR).toBe('/app/public/uploads');
    expect(typesense.environment.TYPESENSE_DATA_DIR).toBe('/data');
  });

  test('checks the health of all three and starts the app last', () => {
    for (const { healthcheck, mem_limit } of Object.values(compose.services)) {
      expect(healthcheck.test[0]).toBe('CMD');
      expect(healthcheck.interval).toMatch(/^\d+s$/);
      expect(mem_limit).toMatch(/^\d+m$/);
    }
    expect(app.healthcheck.test.join(' ')).toContain('/api/health');
    expect(postgres.healthcheck.test).toContain('pg_isready');
    expect(typesense.healthcheck.start_period).toBe('30s');
    expect(app.depends_on).toEqual({
      postgres: { condition: 'service_healthy' },
      typesense: { condition: 'service_healthy' },
    });
    expect(app.read_only).toBe(true);
  });

  test('names only variables that the app reads, and the same secrets on both sides', () => {
    const known = Object.keys(environmentSchema.shape);
    expect(Object.keys(app.environment).filter((name) => !known.includes(name))).toEqual([]);
    const url = app.environment.DATABASE_URL!.replace('${POSTGRES_PASSWORD:?}', 'secret');
    expect(postgres.environment.POSTGRES_PASSWORD).toBe('${POSTGRES_PASSWORD:?}');
    const { username, hostname, pathname } = new URL(url);
    expect(hostname).toBe('postgres');
    expect(username).toBe(postgres.environment.POSTGRES_USER);
    expect(pathname).toBe(`/${postgres.environment.POSTGRES_DB}`);
    expect(app.environment.SEARCH_API_KEY).toBe(typesense.environment.TYPESENSE_API_KEY);
    expect(app.environment.SEARCH_HOST).toBe('http://typesense:8108');
  });

  test('holds no secret, wants each from .env, and the page tells how to make them', () => {
    const wanted = [...textOf('compose.yaml').matchAll(/\$\{(\w+):\?\}/g)].map(([, name]) => name!);
    const page = textOf('docs/operations/container.md');
    const told = [...page.matchAll(/^ {7}([A-Z_]+)=/gm)].map(([, name]) => name!);
    expect([...new Set(wanted)].sort()).toEqual(told.toSorted());
    for (const { environment } of Object.values(compose.services))
      for (const [name, value] of Object.entries(environment))
        if (/SECRET|KEY|PASSWORD/.test(name)) expect(value).toMatch(/^\$\{\w+:\?\}$/);
    expect(textOf('.gitignore').split('\n')).toContain('.env');
    const filled = JSON.parse(
      JSON.stringify(app.environment)
        .replaceAll('${AUTH_URL:?}', 'https://a.example')
        .replace(/\$\{\w+:\?\}/g, 'x'.repeat(40)),
    ) as Record<string, string>;
    expect(() => parseEnv({ ...filled, NODE_ENV: 'production' }, 'server')).not.toThrow();
  });

  test('limits the logs of every service', () => {
    for (const { logging } of Object.values(compose.services))
      expect(logging).toEqual({ driver: 'json-file', options: { 'max-size': '10m', 'max-file': '5' } });
  });

  test('asks Typesense in a way that bash understands', async () => {
    const engine = await startTypesenseStandIn();
    const [, command, ...args] = typesense.healthcheck.test;
    const port = new URL(engine.url).port;
    const ask = () =>
      promisify(execFile)(
        command!,
        args.map((arg) => arg.replace('localhost/8108', `127.0.0.1/${port}`)),
      );
    await expect(ask()).resolves.toBeDefined();
    engine.faults.notReady = true;
    await expect(ask()).rejects.toThrow();
    await engine.stop();
    await expect(ask()).rejects.toThrow();
  });
});

describe('Dockerfile', () => {
  const stages = textOf('Dockerfile')
    .split(/^FROM /m)
    .slice(1);
  const last = stages.at(-1)!;

  test('builds inside, and ships only what runs', () => {
    const [build] = stages;
    expect(build).toContain('npm run build');
    expect(last).not.toMatch(/npm |apt-get/);
    // What `npm run build` writes runs by itself (tests/http/container-start.test.ts).
    expect(last.match(/^COPY .*$/gm)).toEqual(['COPY --from=build /app/build ./']);
  });

  test('runs as somebody who may write to uploads only, and hands signals to node', () => {
    expect(last).toMatch(/^USER node$/m);
    expect(last).toMatch(/^EXPOSE 3000$/m);
    const command = ['node', ...startArguments.slice(0, -1), 'bin/container-start.mjs'].map((part) =>
      JSON.stringify(part),
    );
    expect(last).toMatch(new RegExp(`^CMD \\[${command.join(', ')}\\]$`, 'm'));
  });

  test('copies only what exists', () => {
    const sources = [...textOf('Dockerfile').matchAll(/^COPY (?!--from)(.+)$/gm)].flatMap(([, line]) =>
      line!.split(' ').slice(0, -1),
    );
    expect(sources.length).toBeGreaterThan(3);
    for (const source of sources)
      expect(() => readFileSync(path.join(projectRoot, source))).not.toThrow(/ENOENT/);
  });

  test('ships every package that the bundles import, and no other', () => {
    const built = readdirSync(path.join(projectRoot, 'build'), { recursive: true, encoding: 'utf8' });
    const imported = built
      .filter((file) => file.endsWith('.js') && !/^(client|node_modules)\b/.test(file))
      .flatMap((file) => importsOf(textOf(path.join('build', file))))
      .filter((name) => !isBuiltin(name));
    const { dependencies } = JSON.parse(textOf('build/package.json')) as { dependencies: object };
    expect([...new Set(imported)].sort()).toEqual(Object.keys(dependencies).sort());
  });

  test('leaves secrets and what was built on the host outside', () => {
    const ignored = textOf('.dockerignore').split('\n');
    for (const name of ['.env*', 'node_modules', 'build', '.git', 'data']) expect(ignored).toContain(name);
  });
});

/** The packages and modules of Node that a bundle names in its import statements. */
function importsOf(code: string): string[] {
  const statements = code.matchAll(
    /(?<=^|;)(?:import|export)\b[^;'"]*?["']([^"'.#][^"']*)["'](?=;|$)|\bimport\(["']([^"'.#]+)["']\)/gm,
  );
  return [...statements].map(([, first, second]) => (first ?? second)!);
}
