import type { Reading } from '#app/platform/services.ts';
import { sha256Of } from '#app/platform/files/sha256.server.ts';
import { readShared } from '#app/platform/http/shared-reads.ts';
import { PAGES_LIST } from '#app/posts/lists/scope.ts';
import type { PostArticle } from '#app/posts/lists/public-post.ts';
import { fonts } from '#app/settings/appearance/fonts.ts';
import { palettes, legibleOn } from '#app/settings/appearance/palettes.ts';
import { readSettings } from '#app/settings/queries.server.ts';
import type { SharedImage } from '#app/site/shell/head.ts';
import { lookOf } from '#app/settings/appearance/themes.server.ts';

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

type CardApp = Reading;
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
  return sha256Of(JSON.stringify([DRAWING, card])).slice(0, 12);
}

async function readLook(app: CardApp) {
  const settings = await readSettings(app);
  const look = lookOf(settings);
  const { paper, ink, inkSoft } = palettes[look.palette].light;
  return {
    site: cardText(settings.site_title, 50),
    serif: fonts[look.font_heading].kind === 'serif',
    colors: { paper, ink, soft: inkSoft, accent: legibleOn(paper, look.accent_color) },
  };
}

/**
 * The characters of the fonts in `cards/fonts`: Latin with its usual additions, Greek, Cyrillic, punctuation and
 * currencies.
 */
const drawable =
  /^[ -~\u00a0-\u00ac\u00ae-\u012b\u012e-\u0131\u0134-\u0148\u014a-\u0165\u0168-\u017f\u018f\u0192\u01a0\u01a1\u01af\u01b0\u01cd-\u01dc\u0218-\u021b\u0259\u02bb\u02bc\u02c6-\u02cc\u0384-\u038a\u038c\u038e-\u03a1\u03a3-\u03ce\u0400-\u045f\u0490-\u0493\u0496-\u049b\u04a0-\u04a3\u04ae-\u04b3\u04b6\u04b7\u04ba\u04bb\u04d8\u04d9\u04e8\u04e9\u1e0c-\u1e0f\u1e24\u1e25\u1e36-\u1e3b\u1e42-\u1e49\u1e5a-\u1e63\u1e6c-\u1e6f\u1e80-\u1e85\u1e9e\u1ea0-\u1ef9\u2002-\u2007\u2009\u200b\u2010\u2012-\u2015\u2018-\u201a\u201c-\u201e\u2020-\u2022\u2026\u202f\u2030\u2032\u2033\u2039\u203a\u2044\u20a9\u20ab\u20ac\u20b4\u20b9\u20ba\u20bd\u2116\u2122\u2190-\u2193\u2212\u2248\u2260\u2264\u2265]*$/u;

const emoji = /\p{Emoji_Presentation}|\p{Extended_Pictographic}\ufe0f|[\u200d\ufe0f]|\p{Emoji_Modifier}/gu;

/**
 * A text as a card shows it, cut after `length` characters: on one line, without emoji.
 * @returns null if the fonts lack one of its characters: a card with boxes in it is worse than no card
 */
function cardText(text: string, length: number): string | null {
  const plain = text
    .normalize('NFC')
    .replace(emoji, '')
    .replaceAll('\u00ad', '')
    .replaceAll('\u2011', '\u2010')
    .replace(/\s+/g, ' ')
    .trim();
  if (!drawable.test(plain)) return null;
  if (plain.length <= length) return plain;
  return `${plain.slice(0, length - 1).replace(/\s+\S*$/, '')}…`;
}
