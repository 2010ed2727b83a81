import type { ScreenArguments } from '#app/admin/frame/screen.ts';
import { accountState } from './state-names.ts';

export async function load({ app, request }: ScreenArguments) {
  const users = await app.db.user.findMany({
    select: {
      id: true,
      email: true,
      username: true,
      displayName: true,
      role: true,
      disabledAt: true,
      passwordHash: true,
      totpConfirmedAt: true,
      _count: { select: { posts: true } },
      sessions: { select: { lastSeenAt: true }, orderBy: { lastSeenAt: 'desc' }, take: 1 },
    },
  });
  const rows = users
    .map(({ passwordHash, totpConfirmedAt, disabledAt, _count, sessions, ...user }) => ({
      ...user,
      state: accountState({ disabledAt, passwordHash }),
      hasSecondFactor: totpConfirmedAt !== null,
      posts: _count.posts,
      lastSeenAt: sessions[0]?.lastSeenAt ?? null,
    }))
    .sort((a, b) => a.displayName.localeCompare(b.displayName));
  return { users: rows, deleted: new URL(request.url).searchParams.has('deleted') };
}
