import * as z from 'zod';
import { parseJson } from '#app/platform/json.ts';
import { postStatuses } from '#app/posts/fields/states.ts';
import type { TermKind } from '#app/posts/terms/find.server.ts';

/** Days after which the trigger deletes what is in the trash. */
export const TRASH_DAYS = 30;

/** What can be in the trash, under the names that rows use. */
export type TrashKind = 'post' | 'media' | TermKind;

const text = z.string();

const postDetails = z.object({ status: z.enum(postStatuses) });

export const termDetails = z.object({
  slug: text,
  name: text,
  description: text,
  /** Rows of an earlier version lack this field. */
  picture: text.default(''),
  createdAt: z.iso.datetime(),
  /** Its former addresses. */
  redirects: z.array(text),
  /** The posts that had it, each with its position among their tags. */
  posts: z.array(z.tuple([text, z.number().int()])),
  /** The term that got the posts. */
  heirId: text.nullable(),
});

export type TermDetails = z.output<typeof termDetails>;

/** The state that a post had before; `draft` when that is unknown. */
export function statusBefore(details: string) {
  return postDetails.safeParse(parseJson(details)).data?.status ?? 'draft';
}

/** The stored details for restoring a term; null when they cannot be read. */
export function readTermDetails(details: string): TermDetails | null {
  return termDetails.safeParse(parseJson(details)).data ?? null;
}
