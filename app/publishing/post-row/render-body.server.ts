import type { Transaction } from '#app/platform/database/client.server.ts';
import type { Configured } from '#app/platform/services.ts';
import type { PostFields } from '#app/posts/fields/fields.ts';
import type { OwnImages, RenderedMarkdown, Rendering } from '#app/posts/markdown/render.server.ts';
import { offerAvif } from '#app/posts/pictures/offer-avif.ts';
import { publicImage, type PublicImage } from '#app/posts/pictures/public-image.ts';
import type { Settings } from '#app/settings/catalogue.ts';
import { readSettings } from '#app/settings/queries.server.ts';
import { readEmbeds } from './remember-embeds.server.ts';

interface RenderContext extends Configured, Rendering {
  db: Pick<Transaction, 'media' | 'setting' | 'embed'>;
  /** Absent: they are read. */
  settings?: Settings;
}

/** A body as a post has it, and its language. */
type BodySource = Pick<PostFields, 'body' | 'language'>;

/** A rendered body, and what it was rendered from. */
export interface RenderedBody extends RenderedMarkdown, BodySource {}

/** If a text names more uploads, the others get no sizes. */
const IMAGES_MAX = 2_000;

/**
 * Renders a post's body for this site: the site's images get their sizes and copies, links to other sites are marked.
 * @param language the post's own, BCP 47; `''` for the site's
 */
export async function renderBody(app: RenderContext, body: string, language = ''): Promise<RenderedBody> {
  const pictures = await readOwnPictures(app, body);
  const settings = app.settings ?? (await readSettings(app));
  const { site_language: siteLanguage, smart_typography: smartTypography } = settings;
  const rendered = await app.workers.renderMarkdown(body, {
    siteUrl: app.env.siteUrl,
    ownImages: factsOf(pictures),
    embeds: await readEmbeds(app, body, settings),
    language: language || siteLanguage,
    smartTypography,
  });
  return { ...rendered, html: offerAvif(rendered.html, pictures), body, language };
}

/**
 * Renders the body of an existing post for a change, before its transaction. Undefined if the change leaves it as it is.
 */
export async function renderChangedBody(
  app: RenderContext & { db: Pick<Transaction, 'post'> },
  postId: string,
  { body, language }: Partial<BodySource>,
): Promise<RenderedBody | undefined> {
  if (body === undefined && language === undefined) return undefined;
  const settings = app.settings ?? (await readSettings(app));
  const context = { ...app, settings };
  if (body !== undefined && (language !== undefined || !followsLanguage(body, settings)))
    return renderBody(context, body, language);
  const where = { id: postId };
  const live = await app.db.post.findUnique({ where, select: { body: true, language: true } });
  if (!live) return undefined;
  const source = { body: body ?? live.body, language: language ?? live.language };
  if (body === undefined && !looksDifferent(live, source, settings)) return undefined;
  return renderBody(context, source.body, source.language);
}

/**
 * The rendered body for a write of a post. Undefined if it stays as it is. Renders it within the transaction if
 * `rendered` is absent, or is of another text or language because somebody saved the post meanwhile.
 */
export async function renderRequestedBody(
  app: RenderContext & { settings: Settings },
  { before, requested, rendered }: { before: BodySource; requested: BodySource; rendered?: RenderedBody },
): Promise<RenderedBody | undefined> {
  if (rendered && !looksDifferent(rendered, requested, app.settings)) return rendered;
  if (!looksDifferent(before, requested, app.settings)) return undefined;
  return renderBody(app, requested.body, requested.language);
}

function looksDifferent(a: BodySource, b: BodySource, settings: Settings): boolean {
  return a.body !== b.body || (a.language !== b.language && followsLanguage(a.body, settings));
}

/** Most texts are rendered in the same way in every language: only call-outs and typography follow it. */
function followsLanguage(body: string, settings: Settings): boolean {
  return settings.smart_typography || body.includes('[!');
}

async function readOwnPictures({ db }: RenderContext, markdown: string): Promise<PublicImage[]> {
  const paths = new Set<string>();
  for (const [, path] of markdown.matchAll(/\/uploads\/([\w./-]{1,200})/g)) {
    paths.add(path!);
    if (paths.size === IMAGES_MAX) break;
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
