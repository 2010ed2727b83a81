import { adminUrl } from '#app/admin/frame/admin-url.ts';
import { Notices } from '#app/admin/frame/notices.tsx';
import type { ViewProps } from '#app/admin/frame/screen.ts';
import { distance } from '#app/admin/times/local.ts';
import type { Message } from '#app/platform/message.ts';
import { Time } from '#app/ui/time.tsx';
import { useWords } from '#app/ui/words.ts';
import type { releasesScreen } from './releases.server.ts';

type Props = Pick<ViewProps<typeof releasesScreen.load>, 'data' | 'adminContext'>;

/** All releases: unpublished ones with their times, then published ones. */
export default function Releases({ data, adminContext }: Props) {
  const t = useWords();
  const open = data.releases.filter(({ status }) => status !== 'published');
  const published = data.releases.filter(({ status }) => status === 'published');
  const base = adminUrl(adminContext.adminPath, 'releases');
  return (
    <>
      <div className="page-head">
        <h1>{t('Releases')}</h1>
        <a className="button primary" href={`${base}/new`}>
          {t('New release')}
        </a>
      </div>
      <Notices saved={data.deleted ? 'Release deleted. Its posts are unchanged.' : null} result={undefined} />
      <p className="hint releases-hint">
        {t.rich(
          'A release publishes many changes at one time, all of them or none. You can preview the site {link}.',
          { link: <a href={adminUrl(adminContext.adminPath, 'time')}>{t('as it will be')}</a> },
        )}
      </p>
      {open.length === 0 ? <p className="empty">{t('No release is in preparation.')}</p> : null}
      <ReleaseList releases={open} data={data} adminContext={adminContext} />
      {published.length > 0 ? <h2 className="list-heading">{t('Published')}</h2> : null}
      <ReleaseList releases={published} data={data} adminContext={adminContext} />
    </>
  );
}

function ReleaseList({ releases, data, adminContext }: Props & { releases: Props['data']['releases'] }) {
  const t = useWords();
  if (releases.length === 0) return null;
  return (
    <ul className="post-list">
      {releases.map((release) => {
        const time = release.publishedAt ?? release.publishAt;
        return (
          <li key={release.id} className="release-row">
            <div>
              <a className="post-row-title" href={adminUrl(adminContext.adminPath, 'releases', release.id)}>
                {release.name}
              </a>
              <p className="hint">
                {release.itemCount} {release.itemCount === 1 ? t('change') : t('changes')}
                {release.problem ? (
                  <span className="field-error"> · {t.message(release.problem)}</span>
                ) : null}
              </p>
            </div>
            <ReleaseState release={release} isRolledBack={release.isRolledBack} now={data.now} />
            <p className="hint release-row-time">
              {time ? (
                <>
                  <Time instant={time} {...adminContext} /> ·{' '}
                  {distance(time, data.now, adminContext.language)}
                </>
              ) : (
                t('No time set')
              )}
            </p>
          </li>
        );
      })}
    </ul>
  );
}

interface Stated {
  status: string;
  publishAt: Date | null;
  problem: Message;
}

/** The colours of states that posts do not have. */
const colours: Record<string, string> = { blocked: 'overdue', 'rolled back': 'archived' };

/** The state of a release in a word or two. `isBlocked`: a problem prevents its publication now. */
export function ReleaseState({
  release,
  isBlocked = release.problem !== '',
  isRolledBack,
  now,
}: {
  release: Stated;
  isBlocked?: boolean;
  isRolledBack: boolean;
  now: Date;
}) {
  const t = useWords();
  const word = isRolledBack ? 'rolled back' : stateOf({ ...release, isBlocked }, now);
  return <span className={`state state-${colours[word] ?? word}`}>{t(word)}</span>;
}

function stateOf({ status, publishAt, isBlocked }: Stated & { isBlocked: boolean }, now: Date): string {
  if (status !== 'scheduled') return status;
  if (isBlocked) return 'blocked';
  return publishAt && publishAt <= now ? 'overdue' : status;
}
