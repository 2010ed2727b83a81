/** How long after its last sign of life a page counts as open: editors ask for the post's state each 4.5 seconds. */
const OPEN_FOR_MS = 20_000;
/** Posts whose pages are remembered; the one that was opened first is forgotten. */
const POSTS_MAX = 1_000;
const NAMES_MAX = 5;

/**
 * Who has which post open in the editor. Each server remembers those who asked it lately, and nothing is written: with
 * several servers behind a proxy each hears of everybody within a few polls.
 */
export class OpenPosts {
  readonly #posts = new Map<string, Map<string, { name: string; at: number }>>();

  /** Notes that a person has a post open. @returns the names of the others who have */
  note(postId: string, { id, displayName }: { id: string; displayName: string }, now: Date): string[] {
    const people = this.#posts.get(postId) ?? new Map<string, { name: string; at: number }>();
    people.set(id, { name: displayName, at: now.getTime() });
    for (const [personId, { at }] of people) if (now.getTime() - at > OPEN_FOR_MS) people.delete(personId);
    this.#posts.delete(postId);
    this.#posts.set(postId, people);
    if (this.#posts.size > POSTS_MAX) this.#posts.delete(this.#posts.keys().next().value!);
    return [...people]
      .filter(([personId]) => personId !== id)
      .map(([, { name }]) => name)
      .slice(0, NAMES_MAX);
  }
}
