import type { App } from '#app/app.ts';
import type { Transaction } from '#app/platform/database.server.ts';
import type { ImageFacts, OwnImages, RenderedMarkdown } from '#app/posts/markdown.server.ts';
import { publicImage } from '#app/posts/public-image.ts';

interface RenderContext extends Pick<App, 'env' | 'workers'> {
  db: Pick<Transaction, 'media'>;
}

/** A text that names more uploads has no sizes for the rest. */
const MOST_IMAGES = 2_000;

/** Renders a post's body for this site: its own images get their sizes and copies, links elsewhere are marked. */
export async function renderBody(app: RenderContext, markdown: string): Promise<RenderedMarkdown> {
  const ownImages = await readOwnImages(app, markdown);
  return app.workers.renderMarkdown(markdown, { siteUrl: app.env.siteUrl, ownImages });
}

async function readOwnImages({ db }: RenderContext, markdown: string): Promise<OwnImages> {
  const paths = new Set<string>();
  for (const [, path] of markdown.matchAll(/\/uploads\/([\w./-]{1,200})/g)) {
    paths.add(path!);
    if (paths.size === MOST_IMAGES) break;
  }
  const images = new Map<string, ImageFacts>();
  if (paths.size === 0) return images;
  const rows = await db.media.findMany({ where: { path: { in: [...paths] } } });
  for (const row of rows) {
    const { width, height, path } = row;
    if (width && height) images.set(`/uploads/${path}`, { width, height, srcSet: publicImage(row).srcSet });
  }
  return images;
}
