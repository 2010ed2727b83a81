/**
 * Posts whose state one statement changes. On SQLite the statement blocks the event loop, with the triggers that update
 * counts and lists: 200 posts took 54 ms of processor time.
 */
export const POSTS_PER_STATEMENT = 20;
