import { PENDING_SUBMISSION_FIELD } from '#app/admin/frame/pending-submission.ts';
import type { AdminContext } from '#app/admin/frame/screen.ts';
import { useWords } from '#app/ui/words.ts';

/** The hidden field with the pending submission. Every form of the login contains it. */
export function PendingSubmissionFields({ adminContext }: { adminContext: AdminContext }) {
  const t = useWords();
  const { pending, user } = adminContext;
  if (!pending) return null;
  if (pending === 'lost')
    return (
      <p className="notice notice-wait" role="status">
        {t(
          user
            ? 'This browser is now logged in with another account. The form that you sent is too large to keep. To copy your text, go back in your browser.'
            : 'Your session has ended, and the form that you sent is too large to keep. To copy your text, go back in your browser.',
        )}
      </p>
    );
  return (
    <>
      <p className="notice" role="status">
        {t(
          user
            ? 'This browser is now logged in with another account. Your text is kept: log in to send it again.'
            : 'Your session has ended. Your text is kept: log in to send it again.',
        )}
      </p>
      <input type="hidden" name={PENDING_SUBMISSION_FIELD} value={pending.packed} />
    </>
  );
}
