import type { AccountForm, Profile, UserChange } from '#app/people/accounts/form.ts';
import { keepingAnAdministrator } from '#app/people/accounts/last-administrator.server.ts';
import { writeAudit, type By } from '#app/people/audit/audit.server.ts';
import { roles } from '#app/people/roles.ts';
import { endTokens, revokePreviewsBeyond } from '#app/people/tokens.server.ts';
import type { Prisma } from '#app/platform/database/client.server.ts';
import { AppError, fieldError } from '#app/platform/errors.ts';
import { oneOf } from '#app/platform/narrow.ts';
import {
  changePublicContent,
  type PublicChange,
  type PublishingContext,
} from '#app/publishing/change/public-change.server.ts';
import { postsWithAuthor } from '#app/publishing/post-row/authors.server.ts';

type UserRow = Prisma.UserGetPayload<object>;

/**
 * Changes what readers see of an author (the name at every post, the texts on the author's page), and the language of
 * the backend for this person.
 * @throws AppError `not_found`.
 */
export async function saveProfile(
  app: PublishingContext,
  by: By,
  userId: string,
  profile: AccountForm,
): Promise<void> {
  await changePublicContent(app, async (change) => {
    const { tx, now } = change;
    const before = await findUser(tx, userId);
    const after = await tx.user.update({ where: { id: userId }, data: { ...profile, updatedAt: now } });
    await updatePostsOfAuthor(change, before, after);
    const subject = `${after.displayName} <${after.email}>`;
    await writeAudit(tx, app.clock, { action: 'account.profile-changed', by, subject });
  });
}

/**
 * Changes an account as an administrator: the profile, the email address and the role. A changed address or role takes
 * effect at the account's next request and ends its links, and the previews that the new role could not make.
 * @throws AppError `not_found`; `conflict` for the last administrator; `invalid_input` on `email`.
 */
export async function saveAccount(
  app: PublishingContext,
  by: By,
  userId: string,
  fields: UserChange & Profile,
): Promise<void> {
  await changePublicContent(app, async (change) => {
    const { tx, now } = change;
    const before = await findUser(tx, userId);
    const holder = await tx.user.findUnique({ where: { email: fields.email }, select: { id: true } });
    if (holder && holder.id !== userId) throw fieldError('email', 'Another account has this email address.');
    const after = await keepingAnAdministrator(tx, () =>
      tx.user.update({ where: { id: userId }, data: { ...fields, updatedAt: now } }),
    );
    const details = [
      before.role === after.role ? '' : `${before.role} to ${after.role}`,
      before.email === after.email ? '' : `email ${before.email} to ${after.email}`,
    ].filter(Boolean);
    if (details.length > 0) await endTokens(tx, userId);
    if (before.role !== after.role)
      await revokePreviewsBeyond(tx, app.clock, { id: userId, role: oneOf(roles, after.role) });
    await updatePostsOfAuthor(change, before, after);
    const subject = `${after.displayName} <${before.email}>`;
    await writeAudit(tx, app.clock, { action: 'user.changed', by, subject, details: details.join(', ') });
  });
}

/**
 * Reports and records the public effects of a changed account. Posts and the search index contain its name, its page
 * the rest.
 */
export async function updatePostsOfAuthor(
  { tx, affects, affectsEveryPage, recordTexts }: PublicChange,
  before: UserRow,
  after: UserRow,
): Promise<void> {
  const sameName = before.displayName === after.displayName && before.username === after.username;
  const same = (['bio', 'picture', 'links'] as const).every((name) => before[name] === after[name]);
  if (sameName && same) return affects();
  affectsEveryPage();
  recordTexts('author', after.id, shownOf(before), shownOf(after));
  if (sameName) return;
  const posts = await tx.post.findMany({
    where: { status: 'published', ...postsWithAuthor(after.id) },
    select: { id: true },
  });
  affects(...posts.map(({ id }) => id));
}

function shownOf({ username, displayName, bio, picture, links }: UserRow) {
  return { username, displayName, bio, picture, links };
}

async function findUser(tx: PublicChange['tx'], id: string): Promise<UserRow> {
  const user = await tx.user.findUnique({ where: { id } });
  if (!user) throw new AppError('not_found', 'This account no longer exists.');
  return user;
}
