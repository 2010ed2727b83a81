import { adminUrl } from '#app/admin/frame/admin-url.ts';
import type { AdminContext } from '#app/admin/frame/screen.ts';
import { useWords } from '#app/ui/words.ts';

/** The next steps on a new site. A step is shown only to users who may open its `screen`. */
const steps = [
  {
    screen: 'editor',
    segments: ['posts', 'new'],
    label: 'Write your first post',
    hint: 'It is a draft until you publish it.',
  },
  {
    screen: 'settings',
    segments: ['settings', 'site'],
    label: 'Name the site',
    hint: 'Title, description, language and time zone',
  },
  {
    screen: 'appearance',
    segments: ['appearance'],
    label: 'Choose how it looks',
    hint: 'Presets, typefaces and colours, shown on your own pages',
  },
  {
    screen: 'settings',
    segments: ['settings', 'navigation'],
    label: 'Arrange the menus',
    hint: 'Header, footer and social links',
  },
  {
    screen: 'new-user',
    segments: ['users', 'new'],
    label: 'Invite a person',
    hint: 'Writers and editors, each with their own account',
  },
];

/** What to do next. Shown while nothing is published. */
export function FirstSteps({ adminContext }: { adminContext: AdminContext }) {
  const t = useWords();
  return (
    <section className="panel dashboard-chart" aria-labelledby="first-steps">
      <h2 id="first-steps">{t('First steps')}</h2>
      <ol className="brief">
        {steps
          .filter(({ screen }) => adminContext.screens.includes(screen))
          .map(({ segments, label, hint }) => (
            <li key={label}>
              <a href={adminUrl(adminContext.adminPath, ...segments)}>{t(label)}</a>
              <span className="hint">{t(hint)}</span>
            </li>
          ))}
      </ol>
      {adminContext.screens.includes('system') ? (
        <p className="hint">
          {t.rich('To bring posts from WordPress, Ghost or a folder of Markdown, run {command}.', {
            command: <code>npm run content:import</code>,
          })}
        </p>
      ) : null}
    </section>
  );
}
