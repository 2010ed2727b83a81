// `npm run gallery`: six presets × (home, post, page) × (phone, desktop) × (light, dark), as contact sheets in
// docs/gallery/. Needs a build. `npm run gallery -- ar` takes the pages of an Arabic site into the ignored folder
// screenshots/ instead.
import { readdirSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import sharp, { type OverlayOptions } from 'sharp';
import type { App } from '#app/app.ts';
import { createAdministrator } from '#app/publishing/accounts/change.server.ts';
import { createPost, editPost } from '#app/publishing/posts/save.server.ts';
import { changeSettings } from '#app/publishing/settings/change.server.ts';
import { createDemoContent, editorLogin } from '#tests/support/demo-content.ts';
import { openDemoSite } from '#tests/support/demo-site.ts';
import { createDemoPosts } from '#app/publishing/demo/demo-posts.server.ts';

const language = process.argv[2] ?? 'en';
const devices = [
  { name: 'desktop', width: 1280, height: 1600, shown: 320 },
  { name: 'phone', width: 390, height: 1600, shown: 98 },
] as const;
const schemes = ['light', 'dark'] as const;
const GAP = 10;
const presets = readdirSync('app/settings/appearance/themes');

const { app, url, browser, content: paths, close } = await openDemoSite(createContent);
try {
  if (language === 'en') for (const preset of presets) await writeSheet(preset);
  else await takeSingly();
} finally {
  await close();
}

/** The content that the gallery shows; the addresses of home, post and page. */
async function createContent(app: App): Promise<string[]> {
  return language === 'ar' ? createArabicContent(app) : createMagazine(app);
}

async function createMagazine(app: App): Promise<string[]> {
  const { id: editorId } = await createAdministrator(app, {
    ...editorLogin,
    username: 'mara',
    displayName: 'Mara Lindgren',
  });
  await createDemoPosts(app, { userId: editorId, actor: 'Mara Lindgren', address: '' });
  await changeSettings(app, {
    site_title: 'Saltmarsh',
    site_description: 'Stories about boats, bread and other slow things, from one small harbour.',
    navigation:
      'Coast | /categories/coast\nCraft | /categories/craft\nNotes | /categories/notes\nAbout | /about',
  });
  const page = {
    title: 'About',
    slug: 'about',
    type: 'page' as const,
    body: 'Saltmarsh is two people, a kettle and a view of the slip.\n\n## How it works\n\nOne of us goes out and the other one asks what it was like. What survives the second question is printed here.',
  };
  await createPost(app, { intent: 'publish', fields: page, editorId });
  return ['/', '/posts/how-to-read-a-tide-table', '/about'];
}

async function createArabicContent(app: App): Promise<string[]> {
  const { ada, media } = await createDemoContent(app);
  await changeSettings(app, {
    site_title: 'رسائل من المرفأ',
    site_description: 'ملاحظات من مدينة على البحر',
    site_language: language,
    navigation:
      'عن الموقع | /about\n  المرفأ | /categories/harbour\n  المدينة | /categories/city\nالأرشيف | /archive',
  });
  const words =
    'يصل القارب الأول قبل الضوء. تسمعه قبل أن تراه: همهمة منخفضة، ثم ارتطام المطاط بالرصيف، ثم أصوات مستيقظة منذ ساعات.';
  const heading = '## ما الذي تغيّر';
  const body = [
    words,
    '> [!NOTE]\n> المد يعلو عند السادسة.',
    heading,
    words,
    '> لم نقسه قط. عرفنا فقط متى رحل.',
    '```js title="tide.js" {2}\nconst high = 6;\nlog(high);\n```',
    words,
  ];
  const fields = {
    title: 'أضواء المرفأ تعود',
    excerpt: 'ما يحدث على الرصيف قبل أن تستيقظ المدينة.',
    slug: 'lights',
    body: body.join('\n\n'),
    coverMediaId: media[3]!.id,
  };
  await createPost(app, { intent: 'publish', fields, editorId: ada.id });
  const page = {
    title: 'عن الموقع',
    slug: 'about',
    type: 'page' as const,
    body: `${words}\n\n${heading}\n\n${words}`,
  };
  await createPost(app, { intent: 'publish', fields: page, editorId: ada.id });
  for (const { id } of await app.db.post.findMany({
    where: { status: 'published', type: 'post' },
    take: 12,
    orderBy: { publishedAt: 'desc' },
  }))
    await editPost(app, {
      postId: id,
      intent: 'save',
      fields: { title: fields.title, excerpt: fields.excerpt },
      editorId: ada.id,
    });
  return ['/', '/posts/lights', '/about'];
}

async function shoot(
  address: string,
  device: (typeof devices)[number],
  colorScheme: 'light' | 'dark',
): Promise<Buffer> {
  const { width, height } = device;
  const page = await browser.newPage({ viewport: { width, height }, colorScheme });
  await page.goto(url + address, { waitUntil: 'networkidle' });
  const picture = await page.screenshot();
  await page.close();
  return picture;
}

/** One preset: a row for each scheme, with home, post and page on both devices. */
async function writeSheet(preset: string): Promise<void> {
  await changeSettings(app, { preset });
  const parts: OverlayOptions[] = [];
  const heightOf = (shown: number, { width, height }: { width: number; height: number }) =>
    Math.round((height * shown) / width);
  const rowHeight = Math.max(...devices.map((device) => heightOf(device.shown, device)));
  let right = GAP;
  for (const [row, scheme] of schemes.entries()) {
    right = GAP;
    for (const address of paths)
      for (const device of devices) {
        const input = await sharp(await shoot(address, device, scheme))
          .resize({ width: device.shown })
          .toBuffer();
        parts.push({ input, left: right, top: GAP + row * (rowHeight + GAP) });
        right += device.shown + GAP;
      }
  }
  await mkdir('docs/gallery', { recursive: true });
  const height = GAP + schemes.length * (rowHeight + GAP);
  await sharp({ create: { width: right, height, channels: 3, background: '#8a8f98' } })
    .composite(parts)
    .webp({ quality: 62, effort: 6 })
    .toFile(`docs/gallery/${preset}.webp`);
}

async function takeSingly(): Promise<void> {
  await mkdir('screenshots', { recursive: true });
  for (const preset of presets) {
    await changeSettings(app, { preset });
    for (const [index, address] of paths.entries())
      for (const device of devices)
        await sharp(await shoot(address, device, 'light')).toFile(
          path.join('screenshots', `${language}-${preset}-${index}-${device.name}.png`),
        );
  }
}
