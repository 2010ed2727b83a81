/**
 * Posts whose state one statement changes. On SQLite the statement, with the triggers that keep counts and lists, blocks
 * the event loop: 200 took 54 ms of processor time.
 */
export const POSTS_PER_STATEMENT = 20;
