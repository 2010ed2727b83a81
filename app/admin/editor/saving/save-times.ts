/** A pause in typing after which the text is saved. */
export const PAUSE_MS = 1_500;
/** Text typed without a pause is saved after this time. */
export const AT_LEAST_EVERY_MS = 8_000;
/** Time to the next try after a failure. */
export const RETRY_MS = 5_000;
/** The same button pressed twice within this time, without a change between, counts once. */
export const DOUBLE_PRESS_MS = 800;
