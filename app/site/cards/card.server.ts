import { createHash } from 'node:crypto';
import type { App } from '#app/app.ts';
import { readShared } from '#app/platform/http/shared-reads.ts';
import { PAGES_LIST } from '#app/posts/lists/lists.ts';
import type { PostArticle } from '#app/posts/lists/public-post.ts';
import { resolveAppearance } from '#app/settings/appearance/appearance.ts';
import { fonts } from '#app/settings/appearance/fonts.ts';
import { palettes } from '#app/settings/appearance/palettes.ts';
import { readSettings } from '#app/settings/queries.server.ts';
import { legibleOn } from '#app/site/appearance/accent.ts';
import type { SharedImage } from '#app/site/shell/head.ts';
import { themeNamed } from '../appearance/themes.server.ts';
import { cardText } from './text.ts';

/** Raised when cards are drawn differently, so that they get new addresses. */
const DRAWING = 1;

/** 1.91 to 1, what Facebook, X, LinkedIn and Mastodon show without cutting. */
export const cardSize = { width: 1200, height: 630 };

/** All that a social card shows. */
export interface Card {
  title: string;
  site: string;
  /** Names, or blank. */
  authors: string;
  serif: boolean;
  /** `#rrggbb`. */
  colors: { paper: string; ink: string; soft: string; accent: string };
}

type CardApp = Pick<App, 'db' | 'recordKeys' | 'sharedReads'>;
type CardPost = Pick<PostArticle, 'id' | 'listedIn' | 'title' | 'cover' | 'authors'>;

/** The picture that other sites show beside a link to a post without a cover; null if no card can be drawn. */
export async function cardImage(app: CardApp, post: CardPost): Promise<SharedImage | null> {
  const card = await cardOf(app, post);
  return card && { src: cardPath(post.id, card), ...cardSize, alt: post.title };
}

/** The card of a post; null for one with a cover, and for a text that the fonts cannot show. */
export async function cardOf(app: CardApp, post: Omit<CardPost, 'id'>): Promise<Card | null> {
  if (post.cover !== null) return null;
  const look = await readShared(app, 'look of cards', readLook);
  const title = cardText(post.title, 180);
  if (!title || look.site === null) return null;
  const names =
    post.listedIn === PAGES_LIST ? '' : post.authors.map(({ displayName }) => displayName).join(', ');
  return { title, ...look, site: look.site, authors: cardText(names, 60) ?? '' };
}

/** The path of a card. It contains the hash of what the card shows, so it can be cached forever. */
export function cardPath(postId: string, card: Card): string {
  return `/theme/cards/${postId}-${cardHash(card)}.png`;
}

/** A short hash of what a card shows. */
export function cardHash(card: Card): string {
  return createHash('sha256')
    .update(JSON.stringify([DRAWING, card]))
    .digest('hex')
    .slice(0, 12);
}

async function readLook(app: CardApp) {
  const settings = await readSettings(app);
  const look = resolveAppearance(settings, themeNamed(settings.preset));
  const { paper, ink, inkSoft } = palettes[look.palette].light;
  return {
    site: cardText(settings.site_title, 50),
    serif: fonts[look.font_heading].kind === 'serif',
    colors: { paper, ink, soft: inkSoft, accent: legibleOn(paper, look.accent_color) },
  };
}
