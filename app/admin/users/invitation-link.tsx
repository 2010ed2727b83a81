import type { ActionResult } from '#app/admin/screen.ts';
import type { UnsentInvitation } from './new-user.server.ts';

/** The link of an invitation that could not be sent by email. */
export function InvitationLink({
  result,
}: {
  result: ActionResult<{ invitation: UnsentInvitation }> | undefined;
}) {
  const invitation = result?.invitation;
  if (!invitation) return null;
  return (
    <div className="notice notice-wait" role="status">
      <p>The account exists, but the invitation could not be sent. {invitation.problem}</p>
      <p>
        Send this link yourself. It expires after seven days and is shown only once:{' '}
        <code>{invitation.link}</code>
      </p>
    </div>
  );
}
