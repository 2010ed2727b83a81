import { inSteps } from '#app/platform/event-loop.server.ts';

/**
 * Posts whose state one statement changes. On SQLite the statement, with the triggers that keep counts and lists, blocks
 * the event loop: 200 took 54 ms of processor time.
 */
const POSTS_PER_STATEMENT = 20;

/**
 * Changes the state of many posts in one transaction, in the order given, and lets others run between the statements.
 * @param claim changes and returns those posts of the given ones that are still to be changed
 */
export function claimInSteps<Post, Claimed>(
  posts: readonly Post[],
  claim: (some: Post[]) => Promise<Claimed[]>,
): Promise<Claimed[]> {
  return inSteps(posts, POSTS_PER_STATEMENT, claim);
}
