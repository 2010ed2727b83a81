import { systemClock } from '#app/platform/clock.ts';
import { apiData, apiMethodNotAllowed } from '#app/platform/http/responses.ts';

/** Proves only that the process answers. Opens nothing, not even the composed app. */
export function loader() {
  return apiData({ status: 'ok', timestamp: systemClock.now().toISOString() });
}

export const action = () => apiMethodNotAllowed('GET, HEAD');
