import { useWords } from '#app/ui/words.ts';
import { adminUrl } from './admin-url.ts';
import type { AdminContext } from './screen.ts';

/** The breadcrumb navigation of a nested page. */
export function Crumbs({
  adminContext,
  trail,
  current,
}: {
  adminContext: Pick<AdminContext, 'adminPath'>;
  trail: { label: string; segments: string[] }[];
  current: string;
}) {
  const t = useWords();
  return (
    <nav className="crumbs" aria-label={t('Breadcrumb')}>
      <ol>
        {trail.map(({ label, segments }) => (
          <li key={segments.join('/')}>
            <a href={adminUrl(adminContext.adminPath, ...segments)}>{t(label)}</a>
          </li>
        ))}
        <li aria-current="page">{current}</li>
      </ol>
    </nav>
  );
}

/** Addresses of other pages of a list; none where there is no such page. */
interface PageLinksProps {
  /** For a list that leads back to its beginning alone. */
  first?: string | false;
  previous?: string | false;
  next?: string | false;
}

/** The links between the pages of a list; nothing for a list of one page. */
export function PageLinks({ first, previous, next }: PageLinksProps) {
  const t = useWords();
  if (!first && !previous && !next) return null;
  return (
    <nav aria-label={t('Pages')} className="pages">
      {first ? <a href={first}>{t('First page')}</a> : null}
      {previous ? (
        <a href={previous} rel="prev">
          {t('Previous page')}
        </a>
      ) : null}
      {next ? (
        <a href={next} rel="next">
          {t('Next page')}
        </a>
      ) : null}
    </nav>
  );
}
