import { data } from '@remix-run/node';
import * as z from 'zod';
import type { Db } from '#app/platform/services.ts';
import type { App } from '#app/app.ts';
import { AppError } from '#app/platform/errors.ts';
import { readSetting } from '#app/settings/queries.server.ts';
import { notFound } from '#app/site/shell/not-found.server.ts';

const FORM_BYTES = 20_000;
const CATEGORIES_MAX = 100;

/**
 * The address of such a page is a secret or the answer is a person's: no cache keeps it. The referrer policy of all pages
 * (`security-headers.ts`) tells it to no linked site; a stricter one would make the `Origin` of these forms `null`.
 */
const privatePage = {
  'Cache-Control': 'no-store',
  'X-Robots-Tag': 'noindex, nofollow',
};

/** An answer that belongs to one person. */
export const privately = <Data>(value: Data, status = 200) => data(value, { status, headers: privatePage });

/** @throws the 404 page where the newsletter is switched off */
export async function requireNewsletter(app: App): Promise<void> {
  if (!(await readSetting(app, 'newsletter_enabled'))) throw await notFound(app);
}

/** The fields of a small form. @throws AppError `invalid_input` for a large one or files */
export async function readSmallForm(request: Request): Promise<URLSearchParams> {
  const type = request.headers.get('Content-Type') ?? '';
  const length = Number(request.headers.get('Content-Length') ?? 0);
  if (length > FORM_BYTES) throw new Response('The form is too large.\n', { status: 413 });
  if (type.startsWith('multipart/form-data')) {
    const form = await request.formData();
    return new URLSearchParams(
      [...form].map(([name, value]) => [name, typeof value === 'string' ? value : '']),
    );
  }
  const body = await request.text();
  if (body.length > FORM_BYTES) throw new AppError('invalid_input', 'The form is too large.');
  return new URLSearchParams(body);
}

const slugs = z.array(z.string().max(300)).max(CATEGORIES_MAX).catch([]);

/** The ids of the categories that a form names by their slugs. */
export async function readCategoryIds({ db }: Db, form: URLSearchParams): Promise<string[]> {
  const named = slugs.parse(form.getAll('categories').flatMap((value) => value.split(',')));
  if (named.length === 0) return [];
  const found = await db.category.findMany({
    where: { slug: { in: named } },
    select: { id: true },
    orderBy: { id: 'asc' },
  });
  return found.map(({ id }) => id);
}

/** The categories among which people choose. */
export function listChoices({ db }: Db) {
  return db.category.findMany({
    select: { id: true, slug: true, name: true },
    orderBy: { name: 'asc' },
    take: CATEGORIES_MAX,
  });
}
