import { isAppError } from '#app/platform/errors.ts';
import { asUnavailable } from '#app/platform/failure.server.ts';
import type { ActionResult } from './screen.ts';

/**
 * Runs an action; an expected failure shows the same page with its errors and what was typed.
 * @param values the form's texts; passwords and codes are never sent back
 */
export async function withValues(
  values: Record<string, string>,
  act: () => Promise<ActionResult | Response>,
): Promise<ActionResult | Response> {
  try {
    return await act();
  } catch (failure) {
    const error = asUnavailable(failure);
    // Those have pages of their own, and a wait has its header.
    if (!isAppError(error) || ['not_found', 'too_many_requests'].includes(error.code)) throw error;
    const shown = Object.entries(values).filter(([name]) => !/password|code$/i.test(name));
    return {
      status: error.status,
      message: error.message,
      errors: error.fields,
      values: Object.fromEntries(shown),
    };
  }
}
