import { apiError } from '#app/platform/responses.ts';
import type { ScreenArguments } from './screen.ts';

/** True for a request of a script: it prefers JSON to a page. */
export function wantsJson(request: Request): boolean {
  return request.headers.get('Accept')?.startsWith('application/json') ?? false;
}

/** For an address that only scripts post to and that has no page: its failures are JSON too, whoever asks. */
export function inJson(act: (args: ScreenArguments) => Promise<Response>) {
  return async (args: ScreenArguments): Promise<Response> => {
    try {
      return await act(args);
    } catch (error) {
      return apiError(error);
    }
  };
}
