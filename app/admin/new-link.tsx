import { Time } from '#app/ui/time.tsx';
import type { AdminContext } from './screen.ts';

/** A secret link right after it was made, the only time that it is shown: to be copied or opened. */
export function NewLink({
  link,
  adminContext,
}: {
  link: { address: string; expiresAt: Date };
  adminContext: AdminContext;
}) {
  return (
    <section className="panel new-link" aria-labelledby="new-link">
      <h2 id="new-link">The new link</h2>
      <p className="hint" id="new-link-hint">
        Copy it now: it is not shown again. It works until <Time instant={link.expiresAt} {...adminContext} />
        .
      </p>
      <input
        readOnly
        value={link.address}
        aria-labelledby="new-link"
        aria-describedby="new-link-hint"
        autoFocus
      />
      <p>
        <a href={link.address}>Open it</a>
      </p>
    </section>
  );
}
