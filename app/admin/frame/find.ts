/** A result of the command palette, of the link menu or of the library. */
export interface Suggestion {
  kind: 'post' | 'screen' | 'action' | 'picture' | 'embed';
  title: string;
  /** Path on this site. For `embed`: the path of its picture, or `''`. */
  address: string;
  detail: string;
}

export interface FindQuery {
  q: string;
  /**
   * `jump`: posts, screens and settings in the backend. `link`: public addresses of posts. `picture`: files of the
   * library. `image`: pictures of the library. `at`: the target of the address `q`. `embed`: the stored title and
   * picture of the film or post at the address `q` on another site.
   */
  kind: 'jump' | 'link' | 'picture' | 'image' | 'at' | 'embed';
}

/** Asks the server. Never throws: returns null when the server cannot be reached or answers with an error. */
export async function fetchSuggestions(
  url: string,
  query: FindQuery,
  signal?: AbortSignal,
): Promise<Suggestion[] | null> {
  try {
    const response = await fetch(`${url}?${new URLSearchParams({ ...query })}`, {
      headers: { Accept: 'application/json' },
      signal,
    });
    return response.ok ? ((await response.json()) as { found: Suggestion[] }).found : null;
  } catch {
    return null;
  }
}
