import { changeHidden, type PublishingContext } from '#app/publishing/change/public-change.server.ts';
import { secretSettingKeys } from '#app/settings/catalogue.ts';

/** Removes passwords, sessions, tokens and secret settings from a copy of the database that only shows the site. */
export async function forgetSecrets(scratch: PublishingContext): Promise<void> {
  await changeHidden(scratch, async ({ tx }) => {
    await tx.session.deleteMany();
    await tx.userToken.deleteMany();
    // Nobody logs in to the copy.
    await tx.lease.deleteMany();
    await tx.setting.deleteMany({ where: { key: { in: secretSettingKeys } } });
    await tx.user.updateMany({
      data: { passwordHash: null, totpSecret: null, totpConfirmedAt: null, recoveryCodes: null },
    });
  });
}
