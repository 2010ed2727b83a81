/** A form that came after its session had ended: carried through the login, then sent again. */
export interface PendingSubmission {
  /** Path of the screen that it was sent to. */
  action: string;
  /** In order; a name may repeat. */
  fields: [name: string, value: string][];
  /** Files cannot be carried; true when there were any. */
  hadFiles: boolean;
}

/** The name of the hidden field that carries it. */
export const PENDING_SUBMISSION_FIELD = 'held';
