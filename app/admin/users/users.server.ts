import { adminUrl } from '#app/admin/frame/admin-url.ts';
import {
  type ScreenArguments,
  type ScreenModule,
  unknownIntent,
  type ActionArguments,
  type ActionResult,
  type Done,
} from '#app/admin/frame/screen.ts';
import { readFormReleases, saveToRelease, wantedAuthor } from '#app/admin/releases/saving.server.ts';
import {
  newPasswordSchema,
  newUserSchema,
  profileSchema,
  userChangeSchema,
} from '#app/people/accounts/schema.ts';
import { createUser, inviteUser, disableUser, enableUser } from '#app/people/accounts/users.server.ts';
import { byUser } from '#app/people/audit/audit.server.ts';
import { isMailConfigured } from '#app/people/mail.server.ts';
import { endTwoFactorOf } from '#app/people/second-factor.server.ts';
import { AppError } from '#app/platform/errors.ts';
import { parseForm } from '#app/platform/http/parse-form.ts';
import type { Message } from '#app/platform/message.ts';
import { countPosts } from '#app/posts/lists/counts.server.ts';
import { deleteUser, saveAccount } from '#app/publishing/accounts/change.server.ts';
import { notReleasable } from '#app/publishing/releases/texts.server.ts';
import { accountState } from './state-names.ts';

export const usersScreen = {
  async load({ app, request }: ScreenArguments) {
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
  },
} satisfies ScreenModule;

export const newUserScreen = {
  async load({ app }: ScreenArguments) {
    return { sendsMail: await isMailConfigured(app) };
  },

  /** Creates an account. `invite` lets its owner choose a password, `create` sets one. By default the fields decide. */
  async act({
    app,
    form: { values },
    user,
    adminContext,
    address,
  }: ActionArguments): Promise<ActionResult<{ invitation: UnsentInvitation }> | Done> {
    const by = byUser(user, address);
    const page = (id: string) => adminUrl(adminContext.adminPath, 'users', id);
    // A blank username becomes the slug of the display name.
    const input = { ...values, username: values.username?.trim() || (values.displayName ?? '') };
    switch (values.intent ?? (values.password ? 'create' : 'invite')) {
      case 'create': {
        const { password, ...fields } = parseForm(newUserSchema.extend(newPasswordSchema.shape), input);
        const { id } = await createUser(app, by, fields, password);
        return { location: `${page(id)}?saved`, id };
      }
      case 'invite': {
        const { id } = await createUser(app, by, parseForm(newUserSchema, input), null);
        const { link, problem } = await inviteUser(app, by, id);
        if (problem === null) return { location: `${page(id)}?invited`, id };
        return { invitation: { link, problem, userId: id } };
      }
      default:
        throw unknownIntent();
    }
  },
} satisfies ScreenModule;

/** An invitation whose message could not be sent. */
export interface UnsentInvitation {
  link: string;
  problem: Message;
  userId: string;
}

export const userScreen = {
  async load(args: ScreenArguments) {
    const { app, params, request } = args;
    const user = await findUser(app, params.id);
    const others = await app.db.user.findMany({
      where: { id: { not: user.id }, disabledAt: null },
      select: { id: true, displayName: true },
    });
    const query = new URL(request.url).searchParams;
    const { releases, change } = await readFormReleases(args, 'author', [user.id]);
    return {
      user: {
        id: user.id,
        email: user.email,
        username: user.username,
        displayName: user.displayName,
        bio: user.bio,
        ...change.get(user.id),
        role: user.role,
        state: accountState(user),
        hasSecondFactor: user.totpConfirmedAt !== null,
        createdAt: user.createdAt,
        posts: await countPosts(app, { authorId: user.id }, 'any'),
      },
      releases,
      others: others.sort((a, b) => a.displayName.localeCompare(b.displayName)),
      notice: query.has('invited') ? 'Invitation sent.' : query.has('saved') ? 'Saved.' : releases.notice,
    };
  },

  async act(args: ActionArguments): Promise<ActionResult<{ invitation: UnsentInvitation }> | Done> {
    const { app, params, user: actor, adminContext, address } = args;
    const { values } = args.form;
    const account = await findUser(app, params.id);
    const { id, email, role, displayName } = account;
    const by = byUser(actor, address);
    const page = adminUrl(adminContext.adminPath, 'users', id);
    const saved: Done = { location: `${page}?saved`, id };
    switch (values.intent ?? 'save') {
      case 'save': {
        const schema = userChangeSchema.extend(profileSchema.shape);
        // An absent field is not changed.
        const fields = parseForm(schema, { email, role, displayName, ...values });
        const savedToRelease = await saveToRelease(args, page, () => {
          if (fields.email !== email) throw notReleasable('email');
          if (fields.role !== role) throw notReleasable('role');
          return [wantedAuthor(id, fields)];
        });
        if (savedToRelease) return { ...savedToRelease, id };
        await saveAccount(app, by, id, fields);
        return saved;
      }
      case 'disable':
        await disableUser(app, by, id);
        return saved;
      case 'enable':
        await enableUser(app, by, id);
        return saved;
      case 'end-second-factor':
        if (id === actor.id) throw unknownIntent();
        await endTwoFactorOf(app, by, account);
        return saved;
      case 'invite': {
        const { link, problem } = await inviteUser(app, by, id);
        if (problem !== null) return { invitation: { link, problem, userId: id } };
        return { location: `${page}?invited`, id };
      }
      case 'delete':
        if (id === actor.id)
          throw new AppError('conflict', 'You can’t delete your own account. Ask another administrator.');
        await deleteUser(app, by, { userId: id, heirId: values.heirId || null });
        return { location: `${adminUrl(adminContext.adminPath, 'users')}?deleted`, id };
      default:
        throw unknownIntent();
    }
  },
} satisfies ScreenModule;

async function findUser(app: ScreenArguments['app'], id = '') {
  const user = await app.db.user.findUnique({ where: { id } });
  if (!user) throw new AppError('not_found', 'This account does not exist.');
  return user;
}
