/** Begins the names of the scheduled fields in the form that follows a conflict with the live text. */
export const SCHEDULED_FIELD = 'scheduled.';
