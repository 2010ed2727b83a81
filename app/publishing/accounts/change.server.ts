import type { AccountForm, Profile, UserChange, NewAccount } from '#app/people/accounts/schema.ts';
import { keepingAnAdministrator } from '#app/people/accounts/users.server.ts';
import { writeAudit, type By, byCommand } from '#app/people/audit/audit.server.ts';
import { hashPassword } from '#app/people/passwords/hash.server.ts';
import type { Hashing } from '#app/people/passwords/queue.server.ts';
import { endLoginWaits } from '#app/people/passwords/throttle.server.ts';
import { roles } from '#app/people/roles.ts';
import { endTokens, revokePreviewsBeyond, revokePreviews } from '#app/people/tokens.server.ts';
import { newId } from '#app/platform/clock.ts';
import type { Prisma } from '#app/platform/database/client.server.ts';
import { AppError, fieldError } from '#app/platform/errors.ts';
import { oneOf } from '#app/platform/narrow.ts';
import {
  changePublicContent,
  type PublicChange,
  type PublishingContext,
} from '#app/publishing/change/public-change.server.ts';
import { postsWithAuthor } from '#app/publishing/post-row/tags-and-authors.server.ts';

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

/**
 * Creates an administrator, or updates the account with that email. It becomes an enabled administrator with this
 * password. Its sessions, links, second factor and the waits after wrong passwords end, so that nobody stays locked out.
 * @throws AppError `conflict` when another account has the username.
 */
export async function createAdministrator(
  app: PublishingContext & Hashing,
  account: NewAccount,
): Promise<{ id: string }> {
  const { email, username, displayName, password } = account;
  const passwordHash = await hashPassword(app, 'command', password);
  return changePublicContent(app, async (change) => {
    const { tx, now } = change;
    const holder = await tx.user.findUnique({ where: { username }, select: { email: true } });
    if (holder && holder.email !== email)
      throw new AppError('conflict', `The username “${username}” belongs to another account.`);
    const access = {
      username,
      displayName,
      passwordHash,
      ...{ role: 'administrator', disabledAt: null, totpSecret: null, totpConfirmedAt: null },
      ...{ totpLastStep: null, recoveryCodes: null, updatedAt: now },
    };
    const before = await tx.user.findUnique({ where: { email } });
    const subject = `${displayName} <${email}>`;
    if (!before) {
      change.affects();
      const details = 'administrator';
      await writeAudit(tx, app.clock, { action: 'user.created', by: byCommand, subject, details });
      return tx.user.create({ data: { id: newId(app.clock), email, createdAt: now, ...access } });
    }
    const after = await tx.user.update({ where: { email }, data: access });
    await tx.session.deleteMany({ where: { userId: after.id } });
    await endTokens(tx, after.id);
    await endLoginWaits(tx, email);
    await updatePostsOfAuthor(change, before, after);
    const roleChange = before.role === 'administrator' ? [] : [`${before.role} to administrator`];
    const details = [...roleChange, 'new password'].join(', ');
    await writeAudit(tx, app.clock, { action: 'user.changed', by: byCommand, subject, details });
    return after;
  });
}

/**
 * Deletes an account. Its posts get another author, or none (`heirId` null).
 * @throws AppError `not_found`; `conflict` for the last administrator; `invalid_input` on `heirId`.
 */
export async function deleteUser(
  app: PublishingContext,
  by: By,
  input: { userId: string; heirId: string | null },
): Promise<void> {
  const { userId, heirId } = input;
  await changePublicContent(app, async ({ tx, now, affects, affectsEveryPage, recordTexts }) => {
    const user = await findUser(tx, userId);
    const newAuthor = heirId === null ? null : await tx.user.findUnique({ where: { id: heirId } });
    if (heirId !== null && (!newAuthor || heirId === userId)) {
      throw fieldError('heirId', 'Choose an author for the posts.');
    }
    const posts = await tx.post.findMany({ where: postsWithAuthor(userId), select: { id: true } });
    // Posts that name the account as an author keep its name, as the name of a guest.
    await tx.postAuthor.updateMany({ where: { userId }, data: { userId: null, name: user.displayName } });
    await tx.post.updateMany({ where: { authorId: userId }, data: { authorId: heirId, updatedAt: now } });
    affects(...posts.map(({ id }) => id));
    affectsEveryPage();
    // Changes that wait and earlier revisions name the account too.
    const { username, displayName } = user;
    recordTexts('author', userId, { username, displayName }, { username: null, displayName: null });
    await revokePreviews(tx, app.clock, userId);
    await keepingAnAdministrator(tx, () => tx.user.delete({ where: { id: userId } }));
    const subject = `${user.displayName} <${user.email}>`;
    const details =
      posts.length === 0 ? '' : `${posts.length} posts to ${newAuthor?.displayName ?? 'no author'}`;
    await writeAudit(tx, app.clock, { action: 'user.deleted', by, subject, details });
  });
}
