/** A form that was sent after its session had ended: the login carries it along, then it can be sent again. */
export interface PendingSubmission {
  /** Path of the screen that it was sent to. */
  action: string;
  /** In order; a name may repeat. */
  fields: readonly (readonly [name: string, value: string])[];
  /** Files cannot be kept; true when there were any. */
  hadFiles: boolean;
}

/** The name of the hidden field that carries it. */
export const PENDING_SUBMISSION_FIELD = 'held';
