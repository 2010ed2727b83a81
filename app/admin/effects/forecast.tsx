import { adminUrl } from '#app/admin/frame/admin-url.ts';
import type { AdminContext } from '#app/admin/frame/screen.ts';
import type { Forecast } from '#app/effects/forecast.server.ts';
import { useWords } from '#app/ui/words.ts';

/** What will leave the site with a publication. Shows nothing where nothing would. */
export function WillGoOut({
  forecast,
  adminContext,
}: {
  forecast: Forecast | null;
  adminContext: AdminContext;
}) {
  const t = useWords();
  if (!forecast) return null;
  const { issues, more, webhooks, others } = forecast;
  if (issues.length + webhooks.length + others.length === 0) return null;
  return (
    <section className="panel" aria-labelledby="will-go-out">
      <h2 id="will-go-out">{t('What will go out')}</h2>
      <ul className="brief">
        {issues.map(({ id, title, recipients }) => (
          <li key={id}>
            <a href={adminUrl(adminContext.adminPath, 'posts', id, 'mail')}>{title}</a>
            <span className="hint">
              {t.count('Email to {count} subscriber', 'Email to {count} subscribers', recipients)}
            </span>
          </li>
        ))}
        {more > 0 ? (
          <li>{t.count('{count} more post by email', '{count} more posts by email', more)}</li>
        ) : null}
        {webhooks.length > 0 ? (
          <li>
            {t('Webhooks')}: {webhooks.join(', ')}
          </li>
        ) : null}
        {others.map((name) => (
          <li key={name}>{t(name)}</li>
        ))}
      </ul>
    </section>
  );
}
