/** The pause in typing after which the text is saved. */
export const PAUSE_MS = 1_500;
/** The time after which text is saved even without a pause in typing. */
export const AT_LEAST_EVERY_MS = 8_000;
/** The time until the next try after a failure. */
export const RETRY_MS = 5_000;
/** The same button pressed twice within this time, without a change between, counts once. */
export const DOUBLE_PRESS_MS = 800;
