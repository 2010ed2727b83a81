import { adminUrl } from '#app/admin/admin-url.ts';
import type { AdminContext } from '#app/admin/screen.ts';
import type { PublicThing } from '#app/posts/find-by-path.server.ts';
import { Time } from '#app/ui/time.tsx';

/** The bar over a public page in the site view: what it is, who sees it, and where it is edited. */
export function SiteBar({
  thing,
  editor,
  publicAddress,
  adminContext,
}: {
  thing: PublicThing | null;
  /** Where it is edited; null for what this person may not edit. */
  editor: string | null;
  /** Where readers find the page. */
  publicAddress: string;
  adminContext: Pick<AdminContext, 'adminPath' | 'timeZone' | 'language'>;
}) {
  const { adminPath } = adminContext;
  return (
    <aside id="site-bar" className="site-bar" aria-label="Backend">
      <p className="site-bar-state">
        {thing?.kind === 'post' ? (
          <>
            <strong className={`site-bar-${thing.status}`}>{thing.status}</strong>{' '}
            <Audience thing={thing} {...adminContext} />
          </>
        ) : (
          'Everybody sees this page.'
        )}
      </p>
      <nav aria-label="Backend" className="site-bar-links">
        {editor ? (
          <a className="site-bar-edit" href={editor}>
            Edit this
          </a>
        ) : null}
        <a href={adminUrl(adminPath, 'posts', 'new')}>New post</a>
        <a href={publicAddress}>As readers see it</a>
        <a href={adminUrl(adminPath)}>Backend</a>
      </nav>
    </aside>
  );
}

function Audience({
  thing,
  ...zone
}: {
  thing: Extract<PublicThing, { kind: 'post' }>;
  timeZone: string;
  language: string;
}) {
  if (thing.status === 'published') return <>Everybody sees this page.</>;
  if (thing.status === 'scheduled' && thing.publishedAt)
    return (
      <>
        Readers see it from <Time instant={thing.publishedAt} {...zone} />.
      </>
    );
  return <>Readers do not see “{thing.title}”.</>;
}
