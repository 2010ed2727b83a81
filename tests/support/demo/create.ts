import sharp from 'sharp';
import { storeMedia, type MediaApp } from '#app/media/library/store-media.server.ts';
import { parseForm } from '#app/platform/http/parse-form.ts';
import { termSchema } from '#app/posts/terms/form.ts';
import type { PublishingContext } from '#app/publishing/change/public-change.server.ts';
import { createPost } from '#app/publishing/posts/save.server.ts';
import { createTerm } from '#app/publishing/terms/save.server.ts';
import { drawings } from './drawings.ts';
import { demoPosts } from './posts.ts';

const DAY_MS = 24 * 3_600_000;

/** Publishes the magazine of the gallery: posts with drawn pictures, four days apart, the first one now. */
export async function createDemoPosts(
  app: PublishingContext & MediaApp,
  editorId: string,
): Promise<void> {
  const pictures = new Map<string, { id: string; address: string }>();
  for (const { name, alt, svg } of drawings) {
    const bytes = await sharp(Buffer.from(svg)).webp({ quality: 88 }).toBuffer();
    const originalName = `${name}.webp`;
    const { id, path } = await storeMedia(app, { bytes, originalName, alt, uploadedById: editorId });
    pictures.set(name, { id, address: `/uploads/${path}` });
  }
  const categories = new Map<string, string>();
  for (const name of new Set(demoPosts.map(({ category }) => category)))
    categories.set(name, (await createTerm(app, 'category', parseForm(termSchema, { name }))).id);
  const now = app.clock.now().getTime();
  for (const [index, { cover = '', category, body, ...post }] of demoPosts.entries()) {
    const fields = {
      ...post,
      categoryId: categories.get(category),
      coverMediaId: pictures.get(cover)?.id ?? null,
      body: body.replace(/\{picture:(\w+)\}/g, (_, name: string) => pictures.get(name)!.address),
      publishedAt: new Date(now - index * 4 * DAY_MS),
    };
    await createPost(app, { intent: 'publish', fields, editorId });
  }
}
