import type { AdminContext } from '#app/admin/frame/screen.ts';
import { useWords } from '#app/ui/words.ts';

/**
 * A form that was sent after its session had ended. The login form contains it; after the login it can be sent again.
 */
export interface PendingSubmission {
  /** Path of the screen that it was sent to. */
  action: string;
  /** The fields in their order. A name may repeat. */
  fields: readonly (readonly [name: string, value: string])[];
  /** True if the form had files, which cannot be kept. */
  hadFiles: boolean;
}

/** A pending submission as its page shows it. */
export interface ShownSubmission extends PendingSubmission {
  /** Where discarding it leads: to the page of its address, or to the dashboard if the account may not see that page. */
  next: string;
}

/** The name of the hidden field with the packed form. */
export const PENDING_SUBMISSION_FIELD = 'held';

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
