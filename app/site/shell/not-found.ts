import { isRouteErrorResponse, type ErrorResponse } from '@remix-run/react';
import type { PostLink } from '#app/posts/lists/public-post.ts';

/** What a loader throws for an unknown address. */
export interface NotFound extends ErrorResponse {
  data: { recent: PostLink[] };
}

/** True for what `notFound` threw: its page is the same at every address. */
export function isNotFoundError(error: unknown): error is NotFound {
  if (!isRouteErrorResponse(error) || error.status !== 404) return false;
  const thrown: unknown = error.data;
  return typeof thrown === 'object' && thrown !== null && 'recent' in thrown;
}

/** The id of the paragraph that names a post. */
export const NOT_FOUND_TEXT_ID = 'not-found-text';
