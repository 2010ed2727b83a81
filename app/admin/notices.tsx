import type { ActionResult } from './screen.ts';

/** What the last action came to, at the top of a screen. */
export function Notices({
  saved,
  result,
}: {
  /** What to say after a redirect; true says "Saved." */
  saved?: boolean | string | null;
  result: ActionResult | undefined;
}) {
  if (result?.message)
    return (
      <p className="notice notice-error" role="alert">
        {result.message}
      </p>
    );
  if (!saved || result) return null;
  return (
    <p className="notice" role="status">
      {saved === true ? 'Saved.' : saved}
    </p>
  );
}
