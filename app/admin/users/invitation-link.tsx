import type { ActionResult } from '#app/admin/screen.ts';
import type { UnsentInvitation } from './new-user.server.ts';

/** Shown when an invitation could not be sent: the link, to be passed on by hand. */
export function InvitationLink({
  result,
}: {
  result: ActionResult<{ invitation: UnsentInvitation }> | undefined;
}) {
  const invitation = result?.invitation;
  if (!invitation) return null;
  return (
    <div className="notice notice-wait" role="status">
      <p>The account is there, but no message could be sent. {invitation.problem}</p>
      <p>
        Pass this link on yourself; it is valid for seven days and shown only now:{' '}
        <code>{invitation.link}</code>
      </p>
    </div>
  );
}
