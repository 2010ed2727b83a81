import { Differences } from '#app/admin/differences/differences.tsx';
import { adminUrl } from '#app/admin/frame/admin-url.ts';
import { Crumbs } from '#app/admin/frame/page-links.tsx';
import { Notices } from '#app/admin/frame/notices.tsx';
import { PageUserField } from '#app/admin/frame/page-user-field.tsx';
import type { ViewProps } from '#app/admin/frame/screen.ts';
import { Table } from '#app/admin/frame/table.tsx';
import { directionOf } from '#app/platform/text/languages.ts';
import { SCHEDULED_TEXT } from '#app/posts/fields/states.ts';
import type { RevisionSummary } from '#app/posts/history/revisions.server.ts';
import { PastTime, Time } from '#app/ui/time.tsx';
import { useWords, type Words } from '#app/ui/words.ts';
import type { load } from './revisions.server.ts';

type Data = ViewProps<typeof load>['data'];
type AdminContext = ViewProps<typeof load>['adminContext'];

const kindNames: Record<string, string> = {
  save: 'saved',
  draft: 'saved automatically',
  restore: 'restored',
  import: 'imported',
  prepare: 'scheduled update',
  autosave: 'unsaved changes',
  conflict: 'kept, not saved',
};

/** A post's revisions, the differences between any two, and how to restore one. */
export default function Revisions({ data, result, adminContext }: ViewProps<typeof load>) {
  const t = useWords();
  const { post } = data;
  return (
    <>
      <Crumbs
        adminContext={adminContext}
        trail={[
          { label: 'Posts', segments: ['posts'] },
          { label: post.title, segments: ['posts', post.id] },
        ]}
        current={t('Revisions')}
      />
      <div className="page-head">
        <h1>{t('Revisions')}</h1>
      </div>
      <Notices
        saved={data.restored ? 'Restored. The text before it is a revision too.' : null}
        result={result}
      />
      <div className="revisions">
        <RevisionList data={data} adminContext={adminContext} />
        <section aria-labelledby="differences" className="stack">
          <div className="row compare">
            <h2 id="differences">{t('Differences')}</h2>
            {data.diff?.some(({ field }) => field === 'body') ? <ViewChoice data={data} /> : null}
          </div>
          {data.diff === null ? (
            <p className="empty">{t('There is nothing to compare yet.')}</p>
          ) : (
            <Differences differences={data.diff} body={data.page && <Page page={data.page} />} />
          )}
        </section>
      </div>
    </>
  );
}

/** Links to the two ways to show what changed in the text. */
function ViewChoice({ data: { from, to, view } }: { data: Data }) {
  const t = useWords();
  const link = (shown: Data['view'], label: string) => (
    <a
      href={`?${new URLSearchParams({ from: from ?? '', to, view: shown })}#differences`}
      aria-current={shown === view ? 'true' : undefined}
    >
      {label}
    </a>
  );
  return (
    <nav className="tabs" aria-label={t('How changes are shown')}>
      {link('page', t('Page'))}
      {link('source', t('Markdown'))}
    </nav>
  );
}

/** The page with what was added and removed. Unchanged parts are folded. */
function Page({ page: { blocks, language } }: { page: NonNullable<Data['page']> }) {
  const t = useWords();
  const ofText = { lang: language, dir: directionOf(language) ?? 'ltr' };
  return (
    <div className="page-changes">
      {blocks.map(({ html, folded }, index) =>
        folded ? (
          <details key={index}>
            <summary className="diff-fold">
              {t.count('{count} unchanged block', '{count} unchanged blocks', folded)}
            </summary>
            <div className="prose" {...ofText} dangerouslySetInnerHTML={{ __html: html }} />
          </details>
        ) : (
          <div key={index} className="prose" {...ofText} dangerouslySetInnerHTML={{ __html: html }} />
        ),
      )}
    </div>
  );
}

function RevisionList({ data, adminContext }: { data: Data; adminContext: AdminContext }) {
  const t = useWords();
  const { post, revisions } = data;
  return (
    <section aria-label={t('All revisions')}>
      <form method="get" action="#differences" id="compare" className="row compare">
        {data.view === 'source' ? <input type="hidden" name="view" value="source" /> : null}
        <button className="small">{t('Compare selected')}</button>
      </form>
      <Table
        columns={[<abbr title={t('Older revision')}>{t('From')}</abbr>, t('To'), t('Revision')]}
        className="table revision-table"
      >
        <tr>
          <td></td>
          <td>
            <Pick name="to" value="current" chosen={data.to} label={t('to the current version')} />
          </td>
          <td>
            <strong>{t('Current version')}</strong>{' '}
            <span className={`state state-${post.status}`}>{t(post.status)}</span>
          </td>
        </tr>
        {revisions.map((revision) => (
          <Row key={revision.id} revision={revision} data={data} adminContext={adminContext} />
        ))}
      </Table>
    </section>
  );
}

interface RowProps {
  revision: RevisionSummary;
  data: Data;
  adminContext: AdminContext;
}

function Row({ revision, data, adminContext }: RowProps) {
  const t = useWords();
  const { post } = data;
  const label = t('{kind}, version {version}', {
    kind: t(kindNames[revision.kind] ?? ''),
    version: revision.postVersion,
  });
  return (
    <tr>
      <td>
        <Pick name="from" value={revision.id} chosen={data.from} label={t('from {label}', { label })} />
      </td>
      <td>
        <Pick name="to" value={revision.id} chosen={data.to} label={t('to {label}', { label })} />
      </td>
      <td>
        <PastTime instant={revision.createdAt} withTime {...adminContext} />{' '}
        <span className="hint">{t(kindNames[revision.kind] ?? '')}</span>
        <br />
        {revision.author ?? t('The service')}{' '}
        <span className="hint">
          <WithTimes text={inWords(revision, t)} adminContext={adminContext} />
        </span>
        <div className="row">
          <form method="post">
            <PageUserField />
            <input type="hidden" name="revisionId" value={revision.id} />
            <input type="hidden" name="version" value={post.version} />
            <RestoreButton isPublic={post.status === 'published'} label={label} />
          </form>
          <a
            className="hint"
            href={`${adminUrl(adminContext.adminPath, 'posts', post.id)}?${isScheduledText(revision) ? 'edit=scheduled&' : ''}with=${revision.id}`}
            aria-label={t('Open in the editor: {label}', { label })}
          >
            {t('Open in the editor')}
          </a>
        </div>
      </td>
    </tr>
  );
}

/** Restores a revision. Asks for confirmation for a public post, since readers see the restored text at once. */
function RestoreButton({ isPublic, label }: { isPublic: boolean; label: string }) {
  const t = useWords();
  const button = (
    <button className="small" name="intent" value="restore" aria-label={t('Restore {label}', { label })}>
      {isPublic ? t('Restore and publish') : t('Restore')}
    </button>
  );
  if (!isPublic) return button;
  return (
    <details>
      <summary aria-label={t('Restore {label}…', { label })}>{t('Restore…')}</summary>
      <p className="hint">
        {t(
          'Readers see this text at once. To look at it first, open it in the editor: nothing changes until you update.',
        )}
      </p>
      {button}
    </details>
  );
}

/** Whether it has the text of a scheduled update, which opens in the editor of that. */
function isScheduledText({ kind, releaseId }: RevisionSummary): boolean {
  return releaseId === SCHEDULED_TEXT || (kind === 'prepare' && releaseId === null);
}

/** What a revision changed, in the user's language. */
function inWords({ kind, summary, outcome, releaseId }: RevisionSummary, t: Words): string {
  // The label of the kind says enough about a text that was saved automatically.
  if (kind === 'draft' || kind === 'autosave') {
    if (releaseId === SCHEDULED_TEXT) return t('scheduled update');
    return releaseId ? t('Kept for a release') : '';
  }
  const notes = [summary && t.message(summary)];
  if (outcome) {
    const { changed, from, to, hasDroppedUpdate } = outcome;
    if (changed.length > 0)
      notes.push(t('Changed {fields}', { fields: changed.map((label) => t(label)).join(', ') }));
    if (from !== to) notes.push(t('{from} → {to}', { from: t(from), to: t(to) }));
    if (hasDroppedUpdate) notes.push(t('scheduled update dropped'));
  }
  return notes.filter(Boolean).join('; ') || t('Saved without changes');
}

/** Replaces the UTC times in a summary by times in the site's zone. */
function WithTimes({ text, adminContext }: { text: string; adminContext: AdminContext }) {
  const parts = text.split(/(\d{4}-\d\d-\d\dT[\d:.]+Z)/);
  return (
    <>
      {parts.map((part, index) =>
        index % 2 === 1 ? <Time key={index} instant={part} {...adminContext} /> : part,
      )}
    </>
  );
}

interface PickProps {
  name: string;
  value: string;
  chosen: string | null;
  label: string;
}

function Pick({ name, value, chosen, label }: PickProps) {
  return (
    <label className="pick">
      <input type="radio" form="compare" name={name} value={value} defaultChecked={value === chosen} />
      <span className="sr-only">{label}</span>
    </label>
  );
}
