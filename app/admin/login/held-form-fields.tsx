import { HELD_FIELD } from '#app/admin/held-form.ts';
import type { Frame } from '#app/admin/screen.ts';

/** Inside every form of the login: carries along what was typed when the session had ended. */
export function HeldFormFields({ frame }: { frame: Frame }) {
  if (!frame.held) return null;
  return (
    <>
      <p className="notice" role="status">
        Your session had ended. What you had typed is kept: log in, and you can send it again.
      </p>
      <input type="hidden" name={HELD_FIELD} value={frame.held} />
    </>
  );
}
