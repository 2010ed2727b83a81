import { encode } from 'uqr';
import { adminUrl } from '#app/admin/frame/admin-url.ts';
import {
  unknownIntent,
  type ActionArguments,
  type Done,
  type ScreenArguments,
  type ScreenModule,
  type ActionResult,
} from '#app/admin/frame/screen.ts';
import { wordsFor } from '#app/admin/languages/words-for.server.ts';
import { readFormReleases, saveToRelease, wantedAuthor } from '#app/admin/releases/saving.server.ts';
import { accountFormSchema, passwordSchema } from '#app/people/accounts/schema.ts';
import { byUser } from '#app/people/audit/audit.server.ts';
import { changePassword } from '#app/people/passwords/change.server.ts';
import {
  totpAddress,
  beginTwoFactor,
  confirmTwoFactor,
  endTwoFactor,
  readTwoFactor,
  renewRecoveryCodes,
} from '#app/people/second-factor.server.ts';
import { endOwnSessions, listSessions } from '#app/people/sessions/sessions.server.ts';
import { AppError } from '#app/platform/errors.ts';
import { parseForm } from '#app/platform/http/parse-form.ts';
import { messageOfIssue } from '#app/platform/message.ts';
import { saveProfile } from '#app/publishing/accounts/change.server.ts';
import { notReleasable } from '#app/publishing/releases/texts.server.ts';
import type { Words } from '#app/ui/words.ts';

const notices: Record<string, string> = {
  saved: 'Saved.',
  password: 'Password changed. All other sessions have ended.',
  ended: 'Sessions ended.',
};

export const accountScreen = {
  async load(args: ScreenArguments) {
    const { app, user, request } = args;
    const t = wordsFor(args.adminContext);
    const row = await app.db.user.findUniqueOrThrow({ where: { id: user.id } });
    const sessions = await listSessions(app, user.id);
    const query = new URL(request.url).searchParams;
    const { releases, change } = await readFormReleases(args, 'author', [user.id]);
    return {
      email: row.email,
      username: row.username,
      role: row.role,
      profile: {
        displayName: row.displayName,
        bio: row.bio,
        picture: row.picture,
        links: row.links,
        language: row.language,
        ...change.get(user.id),
      },
      releases,
      hasSecondFactor: row.totpConfirmedAt !== null,
      sessions: sessions.map(({ userAgent, ...session }) => ({
        ...session,
        device: deviceOf(userAgent, t),
        isThis: session.id === user.sessionId,
      })),
      notice: Object.entries(notices).find(([name]) => query.has(name))?.[1] ?? releases.notice,
    };
  },

  async act(args: ActionArguments): Promise<Done> {
    const { app, user, adminContext, address } = args;
    const { values } = args.form;
    const by = byUser(user, address);
    const page = adminUrl(adminContext.adminPath, 'account');
    switch (values.intent ?? 'save') {
      case 'save': {
        const profile = parseForm(accountFormSchema, { displayName: user.displayName, ...values });
        const { language = user.language } = profile;
        const savedToRelease = await saveToRelease(args, page, () => {
          if (language !== user.language) throw notReleasable('language');
          return [wantedAuthor(user.id, profile)];
        });
        if (savedToRelease) return { ...savedToRelease, id: user.id };
        await saveProfile(app, by, user.id, profile);
        return { location: `${page}?saved`, id: user.id };
      }
      case 'password': {
        const password = readNewPassword(values);
        const currentPassword = values.currentPassword ?? '';
        await changePassword(app, by, { currentPassword, password, sessionId: user.sessionId });
        return { location: `${page}?password`, id: user.id };
      }
      case 'end-session':
        await endOwnSessions(app, by, { only: values.sessionId ?? '' });
        return { location: `${page}?ended`, id: user.id };
      case 'end-other-sessions':
        await endOwnSessions(app, by, { allBut: user.sessionId });
        return { location: `${page}?ended`, id: user.id };
      default:
        throw unknownIntent();
    }
  },
} satisfies ScreenModule;

function readNewPassword({ password = '' }: Readonly<Record<string, string>>): string {
  const parsed = passwordSchema.safeParse(password);
  if (parsed.success) return parsed.data;
  const messages = parsed.error.issues.map(messageOfIssue);
  throw new AppError('invalid_input', messages[0]!, { fields: { password: messages } });
}

// The first match counts. Nearly every browser also names another one, so the other one must be later in the list.
const browsers: [string, RegExp][] = [
  ['Edge', /Edg(e|A|iOS)?\//],
  ['Opera', /OPR\//],
  ['Samsung Internet', /SamsungBrowser\//],
  ['Firefox', /(Firefox|FxiOS)\//],
  ['Chrome', /(Chrome|CriOS|Chromium)\//],
  ['Safari', /Safari\//],
  ['curl', /^curl\//],
];

const systems: [string, RegExp][] = [
  ['iPhone', /iPhone/],
  ['iPad', /iPad/],
  ['Android', /Android/],
  ['Windows', /Windows/],
  ['macOS', /Mac OS X|Macintosh/],
  ['ChromeOS', /CrOS/],
  ['Linux', /Linux/],
];

/** The browser and system of a `User-Agent` header in words, such as "Firefox on Linux". */
function deviceOf(userAgent: string, t: Words): string {
  const named = (list: [string, RegExp][]) => list.find(([, mark]) => mark.test(userAgent))?.[0];
  const browser = named(browsers) ?? t('An unknown browser');
  const system = named(systems);
  return system ? t('{browser} on {system}', { browser, system }) : browser;
}

export const secondFactorScreen = {
  async load({ app, user, adminContext }: ScreenArguments) {
    const { confirmed, secret, recoveryCodesLeft } = await readTwoFactor(app, user.id);
    const address = secret && totpAddress(secret, { site: adminContext.siteTitle, email: user.email });
    return {
      confirmed,
      recoveryCodesLeft,
      setup: secret && address ? { secret, address, qr: qrPath(address) } : null,
    };
  },

  /** Runs `begin`, `confirm`, `renew` or `end`. New recovery codes are shown once: on the page that answers the form. */
  async act({
    app,
    form: { values },
    user,
    adminContext,
    address,
  }: ActionArguments): Promise<ActionResult<{ codes: string[] }> | Done> {
    const by = byUser(user, address);
    const account = adminUrl(adminContext.adminPath, 'account');
    switch (values.intent) {
      case 'begin':
        await beginTwoFactor(app, user.id);
        return { location: `${account}/second-factor`, id: user.id };
      case 'confirm':
        return { codes: await confirmTwoFactor(app, by, values.code ?? '') };
      case 'renew':
        return { codes: await renewRecoveryCodes(app, by, values.code ?? '') };
      case 'end':
        await endTwoFactor(app, by, values.password ?? '');
        return { location: `${account}?saved`, id: user.id };
      default:
        throw unknownIntent();
    }
  },
} satisfies ScreenModule;

/** A QR code as one SVG path: a square for each dark module. */
function qrPath(text: string): { size: number; path: string } {
  const { data, size } = encode(text, { border: 0 });
  const squares = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return { size, path: squares.join('') };
}
