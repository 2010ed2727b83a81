import type { ScreenArguments } from '#app/admin/frame/screen.ts';
import { listReleases } from '#app/releases/queries.server.ts';
import { listScheduledReleases } from '#app/releases/status.server.ts';

/** All releases: unpublished ones, then published ones. */
export async function load({ app, request }: ScreenArguments) {
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
}
