// `npm run screenshots`: every screen of the backend and the site, on a desktop, on a phone, in the dark and on
// a wide screen, into the ignored folder screenshots/. Needs a build. `npm run screenshots -- editor phone`
// takes those whose name has "editor", on the phone.
import { mkdir } from 'node:fs/promises';
import { createDemoContent, editorLogin } from '#tests/support/demo-content.ts';
import { openDemoSite } from '#tests/support/demo-site.ts';
import { everyScreen } from '#tests/support/every-screen.ts';

const [wanted = '', wantedView = ''] = process.argv.slice(2);
const views = [
  { name: 'desktop', width: 1280, height: 900, colorScheme: 'light' },
  { name: 'dark', width: 1280, height: 900, colorScheme: 'dark' },
  { name: 'phone', width: 360, height: 780, colorScheme: 'light' },
  { name: 'wide', width: 3840, height: 2160, colorScheme: 'light' },
] as const;

const { url, browser, content, close } = await openDemoSite(async (app) =>
  everyScreen(app, await createDemoContent(app)),
);
const screens = content.filter(({ name }) => name.includes(wanted));
try {
  await mkdir('screenshots', { recursive: true });
  for (const view of views) if (view.name.includes(wantedView)) await takeAll(view);
} finally {
  await close();
}

async function takeAll({ name, width, height, colorScheme }: (typeof views)[number]) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme });
  const page = await context.newPage();
  page.on('console', (message) => {
    if (message.type() === 'error') process.stderr.write(`${page.url()}: ${message.text()}\n`);
  });
  page.on('pageerror', (error) => void process.stderr.write(`${page.url()}: ${error.message}\n`));
  const outside = await browser.newPage({ viewport: { width, height }, colorScheme });
  await page.goto(`${url}/admin/login`);
  await page.fill('[name=email]', editorLogin.email);
  await page.fill('[name=password]', editorLogin.password);
  await page.click('main button');
  await page.waitForURL('**/admin');
  for (const screen of screens) {
    const on = screen.loggedOut ? outside : page;
    await on.goto(url + screen.path, { waitUntil: 'networkidle' });
    await screen.act?.(on);
    await on.waitForLoadState('networkidle');
    await on.waitForTimeout(300);
    await on.screenshot({ path: `screenshots/${screen.name}-${name}.png`, fullPage: name !== 'wide' });
  }
  await outside.close();
  await context.close();
}
