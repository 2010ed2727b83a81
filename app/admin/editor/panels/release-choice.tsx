import { adminUrl } from '#app/admin/frame/admin-url.ts';
import { Choice, NamedOptions } from '#app/ui/field.tsx';
import { Time } from '#app/ui/time.tsx';
import { useWords } from '#app/ui/words.ts';
import type { PanelProps } from './props.ts';

const actionWords: Record<string, string> = {
  publish: 'Published with',
  update: 'Changed by',
  archive: 'Archived by',
  restore: 'Goes back with',
};

/** The releases that contain the post, and the choice of the release to which the form is saved. */
export function ReleaseChoice({
  data,
  adminContext,
  field,
}: Pick<PanelProps, 'data' | 'adminContext' | 'field'>) {
  const t = useWords();
  const { open, of } = data.releases;
  if (open.length === 0) return null;
  const status = data.post?.status ?? 'draft';
  const isLive = status === 'published';
  // The form's first choice, and that of the last save, which the form still has.
  const chosen = [field('releaseId').defaultValue, data.values.releaseId];
  // A save of this text would replace the text that such a release already has; “Edit that text” leads to it. Of a
  // rollback it would replace that the post goes back.
  const changing = new Set(
    of.flatMap(({ release, action }) => (action === 'update' || action === 'restore' ? [release.id] : [])),
  );
  const offered = isLive ? open.filter(({ id }) => chosen.includes(id) || !changing.has(id)) : open;
  return (
    <details className="more" open={of.length > 0 || chosen.some(Boolean)}>
      <summary>{t('Release')}</summary>
      {of.map(({ release, action }) => (
        <p key={release.id} className="notice notice-wait">
          {t(actionWords[action] ?? 'In')}{' '}
          <a href={adminUrl(adminContext.adminPath, 'releases', release.id)}>{release.name}</a>
          {release.publishAt ? (
            <> {t.rich('at {time}', { time: <Time instant={release.publishAt} {...adminContext} /> })}</>
          ) : null}
          {isLive && action === 'update' ? (
            <>
              . <a href={`?release=${release.id}`}>{t('Edit that text')}</a>
            </>
          ) : null}
        </p>
      ))}
      <Choice
        {...field('releaseId')}
        label={isLive ? 'Save or archive with' : 'Publish with'}
        help={
          isLive
            ? '“Update” and “Archive” then change the release, not what readers see'
            : '“Save” then adds the post to the release'
        }
      >
        <option value="">{isLive ? t('Now, without a release') : t('No release')}</option>
        <NamedOptions of={offered} />
      </Choice>
    </details>
  );
}
