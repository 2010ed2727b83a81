import { useWords } from '#app/ui/words.ts';
import { adminUrl } from './admin-url.ts';
import type { AdminContext } from './screen.ts';

interface CrumbsProps {
  adminContext: Pick<AdminContext, 'adminPath'>;
  trail: { label: string; segments: string[] }[];
  current: string;
}

/** The breadcrumb navigation of a nested page. */
export function Crumbs({ adminContext, trail, current }: CrumbsProps) {
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

/** The address of a list with some parameters changed, at its first page; blank ones are left out. */
export function listAddress<Query extends object>(
  base: string,
  query: Query,
  changes: Partial<Query> & { after?: string; before?: string } = {},
): string {
  const parameters = Object.entries({ ...query, after: '', before: '', ...changes });
  const shown = parameters.filter((entry): entry is [string, string] => Boolean(entry[1]));
  return shown.length === 0 ? base : `${base}?${new URLSearchParams(shown)}`;
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
