import { adminUrl } from '#app/admin/frame/admin-url.ts';
import {
  type ScreenArguments,
  type ScreenModule,
  unknownIntent,
  type ActionArguments,
  type Done,
} from '#app/admin/frame/screen.ts';
import { byUser } from '#app/people/audit/audit.server.ts';
import { parseForm } from '#app/platform/http/parse-form.ts';
import { createRelease, deleteRelease } from '#app/publishing/releases/edit.server.ts';
import { addPostsToRelease } from '#app/publishing/releases/items.server.ts';
import { publishRelease } from '#app/publishing/releases/publish.server.ts';
import { listReleases, readRelease } from '#app/releases/queries.server.ts';
import { newReleaseSchema, readPostIds } from '#app/releases/release.ts';
import { listScheduledReleases } from '#app/releases/status.server.ts';
import { requireAddable } from './saving.server.ts';

export const releasesScreen = {
  /** All releases: unpublished ones, then published ones. */
  async load({ app, request }: ScreenArguments) {
    const [releases, scheduled] = await Promise.all([listReleases(app), listScheduledReleases(app)]);
    const problems = new Map(scheduled.map(({ id, problem }) => [id, problem]));
    return {
      releases: releases.map(({ problem, ...release }) => ({
        ...release,
        problem: problems.get(release.id) ?? problem,
      })),
      now: app.clock.now(),
      deleted: new URL(request.url).searchParams.has('deleted'),
    };
  },
} satisfies ScreenModule;

export const newReleaseScreen = {
  load(): Promise<object> {
    return Promise.resolve({});
  },

  /** Creates a release, and schedules or publishes it at once if the form asks for that. */
  async act(args: ActionArguments): Promise<Done> {
    const { app, form, user, adminContext, address } = args;
    const { name, publishAt, intent } = parseForm(newReleaseSchema(adminContext.timeZone), form.values);
    if (intent !== 'save' && intent !== 'schedule' && intent !== 'publish') throw unknownIntent();
    const postIds = readPostIds(form.all('add'));
    await requireAddable(app, user, postIds, 'add');
    const by = byUser(user, address);
    const step = intent === 'publish' ? 'save' : intent;
    const { id } = await createRelease(app, { name, publishAt, step, by });
    try {
      if (postIds.length > 0) await addPostsToRelease(app, { releaseId: id, postIds, editorId: user.id });
      if (intent === 'publish') await publishRelease(app, { id, by });
    } catch (error) {
      await deleteRelease(app, { id, by });
      throw error;
    }
    const { version, status } = await readRelease(app, id);
    return { location: adminUrl(adminContext.adminPath, 'releases', id), id, version, status };
  },
} satisfies ScreenModule;
