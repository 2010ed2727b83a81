import { type Message } from '#app/platform/message.ts';
import { useWords } from '#app/ui/words.ts';
import type { ActionResult } from './screen.ts';

/** The result of the last action, at the top of a screen. */
export function Notices({
  saved,
  result,
}: {
  /** What to say after a redirect; true says "Saved." */
  saved?: boolean | Message | null;
  result: ActionResult | undefined;
}) {
  const t = useWords();
  if (result?.message)
    return (
      <p className="notice notice-error" role="alert">
        {t.message(result.message)}
      </p>
    );
  if (!saved || result) return null;
  return (
    <p className="notice" role="status">
      {t.message(saved === true ? 'Saved.' : saved)}
    </p>
  );
}
