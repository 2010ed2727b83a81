import { adminUrl } from '#app/admin/frame/admin-url.ts';
import type { AdminContext } from '#app/admin/frame/screen.ts';
import { directionOf } from '#app/platform/text/languages.ts';
import type { AddressTarget } from '#app/posts/addresses/find-address.server.ts';
import { Time } from '#app/ui/time.tsx';
import { useWords } from '#app/ui/words.ts';

interface SiteBarProps {
  target: AddressTarget | null;
  /** The address of the page's editor; null if the user may not edit the page. */
  editor: string | null;
  /** True if readers get a page at this address. */
  isFound: boolean;
  /** The address of the page for readers. */
  publicAddress: string;
  adminContext: Pick<AdminContext, 'adminPath' | 'timeZone' | 'language'>;
  /** The language of the bar's texts, which may differ from the page's. */
  language: string;
}

/** The bar above a public page in the site view: what the page is, who sees it, and a link to its editor. */
export function SiteBar({ target, editor, isFound, publicAddress, adminContext, language }: SiteBarProps) {
  const t = useWords();
  const { adminPath } = adminContext;
  return (
    <aside
      id="site-bar"
      className="site-bar"
      aria-label={t('Backend')}
      lang={language}
      dir={directionOf(language)}
    >
      <p className="site-bar-state">
        {target?.kind === 'post' ? (
          <>
            <strong className={`site-bar-${target.status}`}>{t(target.status)}</strong>{' '}
            <Audience target={target} {...adminContext} />
          </>
        ) : (
          t(isFound ? 'Everyone can see this page.' : 'This address has no public page.')
        )}
      </p>
      <nav aria-label={t('Backend')} className="site-bar-links">
        {editor ? (
          <a className="site-bar-edit" href={editor}>
            {t('Edit this')}
          </a>
        ) : null}
        <a href={adminUrl(adminPath, 'posts', 'new')}>{t('New post')}</a>
        <a href={publicAddress}>{t('As readers see it')}</a>
        <a href={adminUrl(adminPath)}>{t('Backend')}</a>
      </nav>
    </aside>
  );
}

function Audience({
  target,
  ...zone
}: {
  target: Extract<AddressTarget, { kind: 'post' }>;
  timeZone: string;
  language: string;
}) {
  const t = useWords();
  if (target.status === 'published') return <>{t('Everyone can see this page.')}</>;
  if (target.status === 'scheduled' && target.publishedAt)
    return (
      <>{t.rich('Readers see it from {time}.', { time: <Time instant={target.publishedAt} {...zone} /> })}</>
    );
  return <>{t('Readers can’t see “{title}”.', { title: target.title })}</>;
}
