import { redirect } from '@remix-run/node';
import { encode } from 'uqr';
import { adminUrl } from '#app/admin/admin-url.ts';
import { readForm } from '#app/admin/read-form.server.ts';
import type { ActionResult, ScreenArguments } from '#app/admin/screen.ts';
import { withValues } from '#app/admin/with-values.server.ts';
import { unknownIntent } from '#app/admin/unknown-intent.ts';
import { byUser } from '#app/auth/audit.server.ts';
import { totpAddress } from '#app/auth/totp.server.ts';
import {
  beginTwoFactor,
  confirmTwoFactor,
  endTwoFactor,
  readTwoFactor,
  renewRecoveryCodes,
} from '#app/auth/two-factor.server.ts';

export async function load({ app, user, adminContext }: ScreenArguments) {
  const { confirmed, secret, recoveryCodesLeft } = await readTwoFactor(app, user.id);
  const address = secret && totpAddress(secret, { site: adminContext.siteTitle, email: user.email });
  return {
    confirmed,
    recoveryCodesLeft,
    setup: secret && address ? { secret, address, qr: qrPath(address) } : null,
  };
}

/** `begin`, `confirm`, `renew` and `end`; recovery codes are shown once, in the answer itself. */
export async function act({
  app,
  request,
  user,
  adminContext,
  address,
}: ScreenArguments): Promise<ActionResult | Response> {
  const values = await readForm(request);
  const by = byUser(user, address);
  return withValues(values, async () => {
    switch (values.intent) {
      case 'begin':
        await beginTwoFactor(app, user.id);
        return redirect(adminUrl(adminContext.adminPath, 'account', 'second-factor'));
      case 'confirm':
        return { codes: await confirmTwoFactor(app, by, values.code ?? '') };
      case 'renew':
        return { codes: await renewRecoveryCodes(app, by, values.code ?? '') };
      case 'end':
        await endTwoFactor(app, by, values.password ?? '');
        return redirect(`${adminUrl(adminContext.adminPath, 'account')}?saved`);
      default:
        throw unknownIntent();
    }
  });
}

/** A QR code as one SVG path: a square for each dark module. */
function qrPath(text: string): { size: number; path: string } {
  const { data, size } = encode(text, { border: 0 });
  const squares = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return { size, path: squares.join('') };
}
