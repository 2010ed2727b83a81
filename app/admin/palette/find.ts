/** Something to go to, or to link to. */
export interface Found {
  kind: 'post' | 'screen' | 'action' | 'picture' | 'embed';
  title: string;
  /** Path on this site; of an embed, its picture's, or `''`. */
  address: string;
  detail: string;
}

export interface FindQuery {
  q: string;
  /** `jump`: places in the backend; `link`: addresses that readers open; `picture`: files of the library; `image`: its pictures alone; `at`: what is at an address; `embed`: what is stored of one on another site. */
  kind: 'jump' | 'link' | 'picture' | 'image' | 'at' | 'embed';
}

/** Asks the server; an empty list when it cannot be reached. */
export async function fetchFound(url: string, query: FindQuery, signal?: AbortSignal): Promise<Found[]> {
  try {
    const response = await fetch(`${url}?${new URLSearchParams({ ...query })}`, {
      headers: { Accept: 'application/json' },
      signal,
    });
    return response.ok ? ((await response.json()) as { found: Found[] }).found : [];
  } catch {
    return [];
  }
}
