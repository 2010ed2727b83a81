import { encode } from 'uqr';
import { adminUrl } from '#app/admin/frame/admin-url.ts';
import {
  unknownIntent,
  type ActionArguments,
  type ActionResult,
  type Done,
  type ScreenArguments,
} from '#app/admin/frame/screen.ts';
import { byUser } from '#app/people/audit/audit.server.ts';
import {
  totpAddress,
  beginTwoFactor,
  confirmTwoFactor,
  endTwoFactor,
  readTwoFactor,
  renewRecoveryCodes,
} from '#app/people/second-factor.server.ts';

export async function load({ app, user, adminContext }: ScreenArguments) {
  const { confirmed, secret, recoveryCodesLeft } = await readTwoFactor(app, user.id);
  const address = secret && totpAddress(secret, { site: adminContext.siteTitle, email: user.email });
  return {
    confirmed,
    recoveryCodesLeft,
    setup: secret && address ? { secret, address, qr: qrPath(address) } : null,
  };
}

/** Runs `begin`, `confirm`, `renew` or `end`. New recovery codes are shown once: on the page that answers the form. */
export async function act({
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
}

/** A QR code as one SVG path: a square for each dark module. */
function qrPath(text: string): { size: number; path: string } {
  const { data, size } = encode(text, { border: 0 });
  const squares = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return { size, path: squares.join('') };
}
