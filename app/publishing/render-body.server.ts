import type { App } from '#app/app.ts';
import type { Transaction } from '#app/platform/database.server.ts';
import type { PostFields } from '#app/posts/fields.ts';
import type { OwnImages, RenderedMarkdown } from '#app/posts/markdown.server.ts';
import { offerAvif } from '#app/posts/offer-avif.ts';
import { publicImage, type PublicImage } from '#app/posts/public-image.ts';
import type { Settings } from '#app/settings/catalogue.ts';
import { readSettings } from '#app/settings/queries.server.ts';

import { readEmbeds } from './remember-embeds.server.ts';

interface RenderContext extends Pick<App, 'env'> {
  workers: Pick<App['workers'], 'renderMarkdown'>;
  db: Pick<Transaction, 'media' | 'setting' | 'embed'>;
  /** Absent: they are read. */
  settings?: Settings;
}

/** If a text names more uploads, the others get no sizes. */
const MOST_IMAGES = 2_000;

/**
 * Renders a post's body for this site: the site's images get their sizes and copies, links to other sites are marked.
 * @param language the post's own, BCP 47; `''` for the site's
 */
export async function renderBody(
  app: RenderContext,
  markdown: string,
  language = '',
): Promise<RenderedMarkdown> {
  const pictures = await readOwnPictures(app, markdown);
  const settings = app.settings ?? (await readSettings(app));
  const { site_language: siteLanguage, smart_typography: smartTypography } = settings;
  const rendered = await app.workers.renderMarkdown(markdown, {
    siteUrl: app.env.siteUrl,
    ownImages: factsOf(pictures),
    embeds: await readEmbeds(app, markdown, settings),
    language: language || siteLanguage,
    smartTypography,
  });
  return { ...rendered, html: offerAvif(rendered.html, pictures) };
}

/**
 * Renders the new body of an existing post, in the post's new language if it changes. Undefined if `body` is absent.
 */
export async function renderChangedBody(
  app: RenderContext & { db: Pick<Transaction, 'post'> },
  postId: string,
  { body, language }: Partial<Pick<PostFields, 'body' | 'language'>>,
): Promise<RenderedMarkdown | undefined> {
  if (body === undefined) return undefined;
  const settings = app.settings ?? (await readSettings(app));
  const where = { id: postId };
  // Most texts are rendered in the same way in every language.
  const isNeeded = settings.smart_typography || body.includes('[!');
  const own =
    language ??
    (isNeeded ? (await app.db.post.findUnique({ where, select: { language: true } }))?.language : undefined);
  return renderBody({ ...app, settings }, body, own);
}

async function readOwnPictures({ db }: RenderContext, markdown: string): Promise<PublicImage[]> {
  const paths = new Set<string>();
  for (const [, path] of markdown.matchAll(/\/uploads\/([\w./-]{1,200})/g)) {
    paths.add(path!);
    if (paths.size === MOST_IMAGES) break;
  }
  if (paths.size === 0) return [];
  const rows = await db.media.findMany({ where: { path: { in: [...paths] } } });
  return rows.map((row) => publicImage(row));
}

function factsOf(pictures: PublicImage[]): OwnImages {
  return new Map(
    pictures.flatMap(({ src, width, height, srcSet, color }) =>
      width && height ? [[src, { width, height, srcSet, color }] as const] : [],
    ),
  );
}
