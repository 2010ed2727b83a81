import type { FormFields } from '#app/admin/editor/model/form-fields.ts';
import { adminUrl } from '#app/admin/frame/admin-url.ts';
import { SCHEDULED_TEXT } from '#app/posts/fields/states.ts';

/** A text that one tab of this browser stores until the server has the text. */
export interface LocalCopy {
  postId: string;
  /** True when the server does not know the post yet. */
  isNew: boolean;
  fields: FormFields;
  /** The version that the text started from; empty for a new post. */
  version: string;
  autosavedAt: string;
  /** The name of the text that the page showed at first; absent or empty for one without releases. */
  releaseText?: string;
  /** Digests of the texts that were being sent to the server when the copy was stored (`digestOfSent`). */
  sent: string[];
  /** When the copy was stored, in milliseconds since 1970. */
  at: number;
}

const PREFIX = 'dateline:text:';
const TAB = 'dateline:tab';

/**
 * The storage key of one user's text of one post in this tab. A text for a release, and that of the scheduled update, are
 * apart from the live one.
 * @param text as `nameOfText`
 */
export function keyOf(userId: string, postId: string, text: string | null): string {
  return `${PREFIX}${userId}:${postId}:${text ? `${text}:` : ''}${tabId()}`;
}

let isLoggedOut = false;

/** Does something with the browser's storage. @returns `otherwise` without storage, or without room in it */
function attempt<Result>(act: () => Result, otherwise: Result): Result {
  try {
    return act();
  } catch {
    return otherwise;
  }
}

/** Stores a copy. @returns false when the browser has no storage, or no room in it. */
export function keepCopy(key: string, copy: LocalCopy): boolean {
  return !isLoggedOut && attempt(() => (localStorage.setItem(key, JSON.stringify(copy)), true), false);
}

export function readCopy(key: string): LocalCopy | null {
  return attempt(() => JSON.parse(localStorage.getItem(key) ?? 'null') as LocalCopy | null, null);
}

export function dropCopy(key: string): void {
  attempt(() => localStorage.removeItem(key), undefined);
}

/**
 * Copies that the page has not restored, newest first: of a post, or with null of posts that the server never received.
 * @param ownKey the key of the page's own copy
 */
export function otherCopies(
  userId: string,
  postId: string | null,
  ownKey: string,
): { key: string; copy: LocalCopy }[] {
  return keysOf(userId)
    .filter((key) => key !== ownKey || postId === null)
    .flatMap((key) => {
      const copy = readCopy(key);
      return copy ? [{ key, copy }] : [];
    })
    .filter(({ copy }) => (postId === null ? copy.isNew : copy.postId === postId))
    .sort((a, b) => b.copy.at - a.copy.at);
}

/** The page that saves a text to where it was typed for. */
export function pageOf({ postId, fields }: LocalCopy, adminPath: string): string {
  const { releaseId, edit } = fields;
  const url = adminUrl(adminPath, 'posts', postId);
  if (edit === SCHEDULED_TEXT) return `${url}?edit=${SCHEDULED_TEXT}`;
  return url + (releaseId ? `?release=${releaseId}` : '');
}

export function countCopies(): number {
  return keysOf().length;
}

/** Called at logout, so that the next user of this browser finds nothing. */
export function dropAllCopies(): void {
  isLoggedOut = true;
  for (const key of keysOf()) dropCopy(key);
}

function keysOf(userId?: string): string[] {
  const start = userId === undefined ? PREFIX : `${PREFIX}${userId}:`;
  return attempt(() => Object.keys(localStorage).filter((key) => key.startsWith(start)), []);
}

let tab: string | undefined;

/**
 * A name of this tab that outlives a reload. While the page is shown, the name is not in the tab's storage: a browser
 * that duplicates the tab copies its storage. A hidden tab may be ended without `pagehide`.
 */
function tabId(): string {
  if (tab !== undefined) return tab;
  tab = takeStoredTab() ?? Math.random().toString(36).slice(2, 12);
  document.addEventListener('visibilitychange', () =>
    document.visibilityState === 'hidden' ? storeTab(tab!) : void takeStoredTab(),
  );
  window.addEventListener('pagehide', () => storeTab(tab!));
  window.addEventListener('pageshow', () => void takeStoredTab());
  return tab;
}

function takeStoredTab(): string | null {
  return attempt(() => {
    const stored = sessionStorage.getItem(TAB);
    sessionStorage.removeItem(TAB);
    return stored;
  }, 'tab');
}

function storeTab(id: string): void {
  attempt(() => sessionStorage.setItem(TAB, id), undefined);
}

/** A digest of a text (FNV-1a). Ignores the kind of line ends and the space around the text. */
export function hashOf(text: string): string {
  const all = text.replace(/\r\n?/g, '\n').trim();
  let hash = 0x811c9dc5;
  for (let at = 0; at < all.length; at += 1) hash = Math.imul(hash ^ all.charCodeAt(at), 0x01000193);
  return `${all.length}-${(hash >>> 0).toString(36)}`;
}
