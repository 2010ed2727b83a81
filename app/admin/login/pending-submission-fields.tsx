import { PENDING_SUBMISSION_FIELD } from '#app/admin/pending-submission.ts';
import type { AdminContext } from '#app/admin/screen.ts';

/** Inside every form of the login: carries along what was typed when the session had ended. */
export function PendingSubmissionFields({ adminContext }: { adminContext: AdminContext }) {
  if (!adminContext.held) return null;
  return (
    <>
      <p className="notice" role="status">
        Your session had ended. What you had typed is kept: log in, and you can send it again.
      </p>
      <input type="hidden" name={PENDING_SUBMISSION_FIELD} value={adminContext.held} />
    </>
  );
}
