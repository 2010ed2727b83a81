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
