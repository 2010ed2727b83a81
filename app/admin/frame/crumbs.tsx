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
