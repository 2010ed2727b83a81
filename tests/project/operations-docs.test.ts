import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { createMetrics } from '#app/operations/metrics.server.ts';
import { environmentSchema } from '#app/platform/env.server.ts';
import { publicAddresses } from '#app/platform/http/public-addresses.ts';
import { projectRoot } from '#app/platform/project.server.ts';
import { createTestApp } from '#tests/support/app.ts';
import { scripts } from '#tests/support/package-scripts.ts';

const textOf = (file: string) => readFileSync(path.join(projectRoot, file), 'utf8');
const examples = readdirSync(path.join(projectRoot, 'docs/operations/examples'));
const documents = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(path.join(projectRoot, 'docs/operations'))
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/operations/${file}`),
];
const all = documents.map((file) => ({ file, text: textOf(file) }));

/** The metrics of a server that has answered, searched and refused a login. */
async function metricsOfUse(): Promise<string> {
  const app = await createTestApp();
  const metrics = createMetrics(app, () => ({ pages: 0, bytes: 0 }));
  metrics.countRequest('/', 200, 0.1, 'miss');
  metrics.countSearch({ operation: 'search', seconds: 0.1, failed: true });
  metrics.countLogin('failed');
  const text = await metrics.text();
  await app.close();
  return text;
}

function dashboardTargets() {
  const { panels } = JSON.parse(textOf('docs/operations/examples/grafana-dashboard.json')) as {
    panels: { targets: { expr: string; legendFormat: string }[] }[];
  };
  return panels.flatMap((panel) => panel.targets);
}

function alertRules() {
  const { groups } = parse(textOf('docs/operations/examples/alerts.yml')) as {
    groups: { rules: { alert: string; expr: string; for: string; annotations: { summary: string } }[] }[];
  };
  return groups.flatMap((group) => group.rules);
}

describe('the documents of operators', () => {
  test('name only npm scripts that exist, with options that they take', () => {
    const wrong = all.flatMap(({ file, text }) =>
      [...text.matchAll(/(?:npm run (?:-s )?|run\.mjs )([a-z][\w:-]*)((?: -- )?[^`\n|]*)/g)].flatMap(
        ([, name = '', rest = '']) => {
          if (!(name in scripts)) return [`${file}: ${name}`];
          const command = path.join('bin/commands', `${name.replace(':', '-')}.ts`);
          if (!existsSync(path.join(projectRoot, command))) return [];
          // Some commands share their options.
          const definitions = textOf(command) + textOf('bin/arguments.ts');
          const options = [...rest.split(/[;&>]/)[0]!.matchAll(/--([a-z][a-z-]+)/g)].map(
            ([, option]) => option!,
          );
          return options
            .filter((option) => !definitions.includes(`'${option}'`) && !definitions.includes(`${option}:`))
            .map((option) => `${file}: ${name} --${option}`);
        },
      ),
    );
    expect(wrong).toEqual([]);
  });

  test('name every npm script for operators somewhere', () => {
    const joined = all.map(({ text }) => text).join('\n');
    const forOperators = Object.entries(scripts).filter(([, script]) => script.includes('bin/run.mjs '));
    expect(forOperators.filter(([name]) => !joined.includes(name))).toEqual([]);
  });

  test('name only environment variables that are read', () => {
    const known = new Set([
      ...Object.keys(environmentSchema.shape),
      'NODE_OPTIONS',
      'NODE_EXTRA_CA_CERTS',
      'MALLOC_ARENA_MAX',
      // Of compose.yaml.
      'POSTGRES_PASSWORD',
      'SQLITE_FULL',
      'NIGHTLY',
    ]);
    const wrong = all.flatMap(({ file, text }) =>
      [...text.matchAll(/(?<![<\w])([A-Z]{2,}_[A-Z_]+|PORT|HOST)(?=[=`\s])/g)]
        .map(([, name]) => name!)
        .filter((name) => !known.has(name))
        .map((name) => `${file}: ${name}`),
    );
    expect(wrong).toEqual([]);
  });

  test('name only routes of the API that there are, and all of them', () => {
    const routes = new Set(
      publicAddresses.flatMap(({ pattern }) => (/^api\/[a-z/-]+$/.test(pattern) ? [`/${pattern}`] : [])),
    );
    const named = new Set(all.flatMap(({ text }) => text.match(/\/api\/[a-z][a-z/-]*[a-z]/g) ?? []));
    const group = '/api/internal';
    expect([...named].filter((route) => route !== group && !routes.has(route))).toEqual([]);
    expect([...routes].filter((route) => !named.has(route))).toEqual([]);
  });

  test('name every metric, and none that there is not', async () => {
    const app = await createTestApp();
    const text = await createMetrics(app, () => ({ pages: 0, bytes: 0 })).text();
    await app.close();
    const metrics = [...text.matchAll(/^# TYPE (dateline_\w+)/gm)].map(([, name]) => name!);
    const page = textOf('docs/operations/monitoring.md');
    const listed = [...page.matchAll(/^\| `(dateline_\w+)` \|/gm)].map(([, name]) => name!);
    expect(listed.toSorted()).toEqual(metrics.toSorted());
    const used = new Set(page.match(/dateline_\w+/g)?.map((name) => name.replace(/_bucket$/, '')));
    expect([...used].filter((name) => !metrics.includes(name))).toEqual([]);
  });

  test('have a dashboard and alert rules that use only metrics and labels that there are', async () => {
    const text = await metricsOfUse();
    const known = new Set([...text.matchAll(/^([a-z_]+)(?:\{|\s)/gm)].map(([, name]) => name!));
    // `job` and `instance` come from Prometheus.
    const labels = new Set([
      'job',
      'instance',
      ...[...text.matchAll(/[{,](\w+)="/g)].map(([, name]) => name!),
    ]);
    for (const { expr } of [...dashboardTargets(), ...alertRules()]) {
      // Prometheus writes `up` itself.
      const named = expr.match(/\b(?:dateline|process|nodejs)_\w+|^up\b/g) ?? [];
      expect(named.length, expr).toBeGreaterThan(0);
      const unknown = named.filter((name) => name !== 'up' && !known.has(name));
      expect(unknown, expr).toEqual([]);
      const used = [...expr.matchAll(/[{,](\w+)(?:=|!)/g)].map(([, name]) => name!);
      const without = used.filter((name) => !labels.has(name));
      expect(without, expr).toEqual([]);
    }
  });

  test('have a page that lists the alert rules', () => {
    const page = textOf('docs/operations/monitoring.md');
    const listed = [...page.matchAll(/^\| `([^`]+ [<>=]=? \S+)` \| (\d+) (min|h) \| (.+) \|$/gm)];
    expect(listed.map(([, expr, count, unit, summary]) => [expr, `${count}${unit![0]}`, summary])).toEqual(
      alertRules().map(({ expr, for: wait, annotations }) => [expr, wait, annotations.summary]),
    );
  });

  test('let no proxy serve the folder of the uploads, where files of the trash are', () => {
    for (const file of ['nginx.conf', 'nginx-several-hosts.conf', 'Caddyfile'])
      expect(textOf(`docs/operations/examples/${file}`)).not.toMatch(/^\s*(alias|root|file_server)\b/m);
  });

  test('lead to every example, and the units start what there is', () => {
    const joined = all.map(({ text }) => text).join('\n');
    expect(examples.filter((file) => !joined.includes(`examples/${file}`))).toEqual([]);
    const started = examples
      .filter((file) => file.endsWith('.service'))
      .flatMap((file) => textOf(`docs/operations/examples/${file}`).match(/^ExecStart=.*$/gm) ?? []);
    expect(started).toHaveLength(3);
    for (const line of started) {
      const [, script, command] =
        /^ExecStart=\/usr\/bin\/node (?:--\S+ )*(\S+)(?: (\S+)(?: --\S+(?: \S+)?)*)?$/.exec(line)!;
      expect(existsSync(path.join(projectRoot, script!))).toBe(true);
      if (script === 'bin/start.mjs') expect(line).toBe(`ExecStart=/usr/bin/${scripts.start}`);
      if (command) expect(scripts).toHaveProperty([command]);
    }
  });

  test('have a case for each alert rule in which it fires, and one in which it does not', () => {
    const folder = path.join(projectRoot, 'docs/operations/examples');
    const { tests } = parse(textOf('docs/operations/examples/alerts-test.yml')) as {
      tests: { alert_rule_test: { alertname: string; exp_alerts: unknown[] }[] }[];
    };
    const cases = tests.flatMap((one) => one.alert_rule_test);
    for (const { alert } of alertRules())
      expect(
        cases.filter(({ alertname }) => alertname === alert).map(({ exp_alerts: fired }) => fired.length),
        alert,
      ).toEqual([1, 0]);
    const promtool = spawnSync('promtool', ['test', 'rules', 'alerts-test.yml'], {
      cwd: folder,
      encoding: 'utf8',
    });
    // Not on every system; .ci/run installs it.
    if (promtool.error && !process.env.CI) return;
    expect(promtool.status, promtool.stdout + promtool.stderr).toBe(0);
  });

  test('have units that systemd reads and calls well protected', () => {
    const folder = path.join(projectRoot, 'docs/operations/examples');
    const units = examples.filter((file) => file.endsWith('.service'));
    const systemd = spawnSync('systemd-analyze', ['security', '--help']);
    // Not on every system; Debian's CI has it.
    if (systemd.error || !systemd.stdout.includes('--offline')) return;
    for (const unit of units) {
      const args = ['security', '--offline=true', '--threshold=35', path.join(folder, unit)];
      const { status, stdout } = spawnSync('systemd-analyze', args, { encoding: 'utf8' });
      expect(status, stdout.trimEnd().split('\n').at(-1)).toBe(0);
    }
  });
});
