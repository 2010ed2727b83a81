import type { App } from '#app/app.ts';
import type { Transaction } from '#app/platform/database.server.ts';
import { renderMarkdown, type ImageFacts, type RenderedMarkdown } from '#app/posts/markdown.server.ts';
import { publicImage } from '#app/posts/public-image.ts';

interface RenderContext extends Pick<App, 'env'> {
  db: Pick<Transaction, 'media'>;
}

/** Renders a post's body for this site: its own images get their sizes and copies, links elsewhere are marked. */
export function renderBody(app: RenderContext, markdown: string): Promise<RenderedMarkdown> {
  return renderMarkdown(markdown, {
    siteUrl: app.env.siteUrl,
    imageSize: (address) => imageFacts(app, address),
  });
}

async function imageFacts({ db }: RenderContext, address: string): Promise<ImageFacts | undefined> {
  const path = address.slice('/uploads/'.length);
  // Paths of the library are plain ASCII; anything else is no file of ours.
  if (!/^[\w./-]{1,200}$/.test(path)) return undefined;
  const row = await db.media.findUnique({ where: { path } });
  if (!row?.width || !row.height) return undefined;
  return { width: row.width, height: row.height, srcSet: publicImage(row).srcSet };
}
