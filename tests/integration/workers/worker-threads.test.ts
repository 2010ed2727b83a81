import { execFileSync } from 'node:child_process';
import { afterEach, expect, it } from 'vitest';
import { projectRoot } from '#app/platform/project.server.ts';
import {
  createInlineWorkers,
  createPatientWorkers,
  createWorkers,
  type Workers,
} from '#app/workers/workers.server.ts';
import { hostileMarkdown } from '#tests/support/hostile-markdown.ts';
import { said } from '#tests/support/texts/said.ts';

let workers: Workers | undefined;
afterEach(async () => {
  await workers?.close();
  workers = undefined;
});

const endless = hostileMarkdown['equal headings']!(400_000);
const options = {
  siteUrl: 'https://blog.example.org',
  ownImages: new Map([['/uploads/a.png', { width: 8, height: 6, srcSet: '' }]]),
};

it('renders in a thread what a command renders in its own', async () => {
  workers = createWorkers();
  const text = '# One\n\n![x](/uploads/a.png) [y](https://other.example/)\n\n```js\nlet a = 1;\n```\n';
  const rendered = await workers.renderMarkdown(text, options);
  expect(rendered).toEqual(await createInlineWorkers().renderMarkdown(text, options));
  expect(rendered.html).toContain('width="8"');
  expect(rendered.html).toContain('class="hl-');
});

it('ends a thread at its deadline, blames the field, and renders the next text', async () => {
  workers = createWorkers({ deadlineMs: 500, workers: 1 });
  const slow = workers.renderMarkdown(endless, options);
  const next = workers.renderMarkdown('*a*', options);
  await expect(slow).rejects.toMatchObject({
    code: 'invalid_input',
    fields: { body: [said(/^The text takes more than 0.5 seconds to render\./)] },
  });
  expect((await next).html).toBe('<p><em>a</em></p>');
});

it('ends a thread that needs too much memory, and renders the next text', async () => {
  workers = createWorkers({ limits: { maxOldGenerationSizeMb: 48 }, workers: 1, deadlineMs: 60_000 });
  await expect(workers.renderMarkdown(endless, options)).rejects.toMatchObject({ code: 'invalid_input' });
  expect((await workers.renderMarkdown('*a*', options)).html).toBe('<p><em>a</em></p>');
});

it('refuses more texts than may wait, and one that waited too long', async () => {
  workers = createWorkers({ workers: 1, queue: 1, waitMs: 300, deadlineMs: 20_000 });
  const outcomes = [endless, '*waits*', '*one too many*'].map((text) =>
    workers!.renderMarkdown(text, options).then(
      () => 'rendered',
      (error: unknown) => (error as { code: string }).code,
    ),
  );
  expect(await Promise.race([outcomes[2], outcomes[0]])).toBe('unavailable');
  expect(await Promise.race([outcomes[1], outcomes[0]])).toBe('unavailable');
  await workers.close();
  expect(await outcomes[0]).toBe('unavailable');
});

it('lets any number of texts of a command wait', async () => {
  workers = createPatientWorkers();
  const texts = Array.from({ length: 60 }, (_, number) => `*${number}*`);
  const rendered = await Promise.all(texts.map((text) => workers!.renderMarkdown(text, options)));
  expect(rendered.map(({ html }) => html)).toEqual(texts.map((_, number) => `<p><em>${number}</em></p>`));
});

it.runIf(process.platform === 'linux')('is nicer than the server, also than one that is nice itself', () => {
  const script = ['--import', 'tsx', 'tests/support/processes/print-niceness.ts'];
  const printed = execFileSync('nice', ['-n', '10', process.execPath, ...script], {
    cwd: projectRoot,
    encoding: 'utf8',
  });
  expect(printed.trim().split(' ')).toContain('15');
});
