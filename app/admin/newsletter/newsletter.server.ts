import * as z from 'zod';
import type { ScreenArguments } from '#app/admin/frame/screen.ts';
import { countActive, listIssues } from '#app/newsletter/issues.server.ts';
import { readSetting } from '#app/settings/queries.server.ts';

const PER_PAGE = 50;
const querySchema = z.object({ before: z.uuid().optional().catch(undefined) });

/** A page of issues, newest first. */
export async function load({ app, request }: ScreenArguments) {
  const { before } = querySchema.parse(Object.fromEntries(new URL(request.url).searchParams));
  const [issues, subscribers, isEnabled] = await Promise.all([
    listIssues(app, { before, take: PER_PAGE + 1 }),
    countActive(app),
    readSetting(app, 'newsletter_enabled'),
  ]);
  const shown = issues.slice(0, PER_PAGE);
  return {
    ...{ issues: shown, subscribers, isEnabled },
    isFirstPage: before === undefined,
    next: issues.length > PER_PAGE ? shown.at(-1)!.id : null,
  };
}
