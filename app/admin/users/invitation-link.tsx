import type { ActionResult } from '#app/admin/frame/screen.ts';
import { useWords } from '#app/ui/words.ts';
import type { UnsentInvitation } from './users.server.ts';

/** The link of an invitation that could not be sent by email. */
export function InvitationLink({
  result,
}: {
  result: ActionResult<{ invitation: UnsentInvitation }> | undefined;
}) {
  const t = useWords();
  const invitation = result?.invitation;
  if (!invitation) return null;
  return (
    <div className="notice notice-wait" role="status">
      <p>
        {t('The account exists, but the invitation could not be sent. {problem}', {
          problem: t.message(invitation.problem),
        })}
      </p>
      <p>
        {t.rich('Send this link yourself. It expires after seven days and is shown only once: {code}', {
          code: <code>{invitation.link}</code>,
        })}
      </p>
    </div>
  );
}
