import { adminUrl } from '#app/admin/frame/admin-url.ts';
import type { AdminContext } from '#app/admin/frame/screen.ts';
import { type Message } from '#app/platform/message.ts';
import { Choice, NamedOptions } from '#app/ui/field.tsx';
import { Time } from '#app/ui/time.tsx';
import { useWords } from '#app/ui/words.ts';
import type { FormReleases } from './saving.server.ts';

interface ReleaseSelectProps {
  releases: FormReleases;
  values: Readonly<Record<string, string | undefined>> | undefined;
  errors: Message[] | undefined;
  adminContext: AdminContext;
}

/**
 * Names the releases that change the same things as a form, and offers one to save to, but no rollback of these. Shows
 * nothing without an open release.
 */
export function ReleaseSelect({ releases, values, errors, adminContext }: ReleaseSelectProps) {
  const t = useWords();
  const { open, of, chosenId } = releases;
  if (open.length === 0) return null;
  const chosen = values?.releaseId ?? chosenId;
  // A form that comes back shows what was typed before later changes. A conflict names those of the chosen release.
  const shown = of.filter(({ id }) => values?.releaseSeen === undefined || (errors && id === chosen));
  const seen = [values?.releaseSeen ?? '', ...shown.flatMap(({ changes }) => changes)].join(' ');
  const goBack = new Set(of.filter(({ goesBack }) => goesBack).map(({ id }) => id));
  // Without its choice, a form that comes back would be saved now.
  const offered = open.filter(({ id }) => id === chosen || !goBack.has(id));
  return (
    <details className="more" open={of.length > 0 || chosen !== '' || Boolean(errors)}>
      <summary>{t('Release')}</summary>
      <input type="hidden" name="releaseSeen" value={seen.trim()} />
      {of.map(({ id, name, publishAt, goesBack }) => (
        <p key={id} className="notice notice-wait">
          {t(goesBack ? 'Goes back with' : 'Changed by')}{' '}
          <a href={adminUrl(adminContext.adminPath, 'releases', id)}>{name}</a>
          {publishAt ? (
            <> {t.rich('at {time}', { time: <Time instant={publishAt} {...adminContext} /> })}</>
          ) : null}
          {goesBack ? null : (
            <>
              . <a href={`?release=${id}`}>{t('Edit that change')}</a>
            </>
          )}
        </p>
      ))}
      <Choice
        name="releaseId"
        label="Publish with"
        help="Saving then changes the release, not what readers see"
        defaultValue={chosen}
        errors={errors}
      >
        <option value="">{t('Now, without a release')}</option>
        <NamedOptions of={offered} />
      </Choice>
    </details>
  );
}
