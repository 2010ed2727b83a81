import { adminUrl } from '#app/admin/frame/admin-url.ts';
import { Crumbs } from '#app/admin/frame/page-links.tsx';
import { Notices, UndoNotice, type UndoOffer } from '#app/admin/frame/notices.tsx';
import { PageUserField } from '#app/admin/frame/page-user-field.tsx';
import type { ActionResult, AdminContext } from '#app/admin/frame/screen.ts';
import type { ChangePostsResult } from '#app/publishing/posts/change-many.server.ts';
import { Choice, fieldOf, NamedOptions, TextField } from '#app/ui/field.tsx';
import { Time } from '#app/ui/time.tsx';
import { useWords } from '#app/ui/words.ts';
import {
  bulkActions,
  consequences,
  type BulkPlan,
  type BulkResult,
  type UnsavedPost,
} from './bulk-actions.ts';

interface BulkProps {
  result: ActionResult<BulkResult> | undefined;
  adminContext: AdminContext;
}

/** Shows what will happen to several posts, asks for confirmation, and shows which posts could not be changed. */
export default function Bulk({ result, adminContext }: BulkProps) {
  const t = useWords();
  const plan = result?.plan;
  const outcome = result?.outcome;
  return (
    <>
      <Crumbs
        adminContext={adminContext}
        trail={[{ label: 'Posts', segments: ['posts'] }]}
        current={t('Several posts')}
      />
      {outcome ? <Outcome outcome={outcome} undo={result?.undo ?? null} adminContext={adminContext} /> : null}
      {plan ? <Plan plan={plan} result={result} adminContext={adminContext} /> : null}
      {plan || outcome ? null : (
        <>
          <div className="page-head">
            <h1>{t('Change several posts')}</h1>
          </div>
          <p
            className={result?.message ? 'notice notice-error' : undefined}
            role={result ? 'alert' : undefined}
          >
            {result?.message
              ? t.message(result.message)
              : t('Select posts in the list, then choose an action.')}
          </p>
          <p>
            <a href={adminUrl(adminContext.adminPath, 'posts')}>{t('Back to the list')}</a>
          </p>
        </>
      )}
    </>
  );
}

function Plan({ plan, result, adminContext }: BulkProps & { plan: BulkPlan }) {
  const t = useWords();
  const { button } = bulkActions[plan.action];
  const outcome = plan.action === 'shift' ? null : bulkActions[plan.action].outcome;
  const unsaved = result?.unsaved;
  const posts = t.count('{count} post', '{count} posts', plan.posts.length);
  const action = t(button, { posts });
  const isEmpty = plan.posts.length === 0;
  return (
    <form method="post" className="plan">
      <PageUserField />
      <h1>{isEmpty ? t('Nothing to change') : t('{action}?', { action })}</h1>
      {isEmpty ? null : <p>{t(consequences[plan.action])}</p>}
      <Notices result={result} />
      {plan.already > 0 ? (
        <p className="hint">
          {t.count('{count} post needs no change.', '{count} posts need no change.', plan.already)}
        </p>
      ) : null}
      {plan.missing > 0 ? (
        <p className="notice notice-wait">
          {t.count(
            '{count} selected post no longer exists, or you can’t change it.',
            '{count} selected posts no longer exist, or you can’t change them.',
            plan.missing,
          )}
        </p>
      ) : null}
      {plan.blocks.length > 0 ? (
        <p className="notice notice-wait">
          <strong>
            {t('{of} can’t be published without these posts.', {
              of: plan.blocks.map((name) => `“${name}”`).join(', '),
            })}
          </strong>
        </p>
      ) : null}
      {isEmpty ? null : <Details plan={plan} result={result} adminContext={adminContext} />}
      <ul className="plan-list">
        {plan.posts.map((post) => (
          <li key={post.id}>
            <input type="hidden" name="ids" value={post.id} />
            <input type="hidden" name={`version-${post.id}`} value={post.version} />
            <span>{post.title}</span>
            <span className="hint">
              {post.publishedAt && post.status !== 'draft' ? (
                <>
                  <Time instant={post.publishedAt} {...adminContext} />{' '}
                </>
              ) : null}
              <span className={`state state-${post.status}`}>{t(post.status)}</span>
              {outcome && outcome !== post.status ? (
                <>
                  {' '}
                  <span className="arrow">→</span>{' '}
                  <span className={`state state-${outcome}`}>{t(outcome)}</span>
                </>
              ) : null}
            </span>
          </li>
        ))}
      </ul>
      <input type="hidden" name="action" value={plan.action} />
      {unsaved ? <UnsavedChoice unsaved={unsaved} adminContext={adminContext} /> : null}
      <div className="row">
        {isEmpty ? null : (
          <button className={plan.action === 'delete' ? 'danger' : 'primary'} name="confirmed" value="yes">
            {action}
          </button>
        )}
        <a className="button quiet" href={adminUrl(adminContext.adminPath, 'posts')}>
          {isEmpty ? t('Back to the list') : t('Cancel')}
        </a>
      </div>
    </form>
  );
}

/** Asks which text to use for posts of which the user has unsaved changes. */
function UnsavedChoice({ unsaved, adminContext }: { unsaved: UnsavedPost[]; adminContext: AdminContext }) {
  const t = useWords();
  return (
    <fieldset className="plan-choice">
      <legend>{t('Your unsaved changes')}</legend>
      <ul>
        {unsaved.map(({ postId, title, at }) => (
          <li key={postId}>
            {t.rich('{link}, edited {time}', {
              link: <a href={adminUrl(adminContext.adminPath, 'posts', postId)}>{title}</a>,
              time: <Time instant={at} {...adminContext} />,
            })}
          </li>
        ))}
      </ul>
      <label className="check">
        <input type="radio" name="copy" value="use" required /> {t('Use my unsaved changes')}
      </label>
      <label className="check">
        <input type="radio" name="copy" value="drop" required /> {t('Use the saved version')}
      </label>
    </fieldset>
  );
}

function Details({ plan, result, adminContext }: Parameters<typeof Plan>[0]) {
  const t = useWords();
  const field = fieldOf(result);
  switch (plan.action) {
    case 'release':
      return plan.releases.length === 0 ? (
        <p className="notice notice-wait">
          {t.rich('There are no open releases. {link}', {
            link: <a href={adminUrl(adminContext.adminPath, 'releases', 'new')}>{t('New release')}</a>,
          })}
        </p>
      ) : (
        <Choice {...field('releaseId', '')} label="Release" required>
          <option value="">{t('Choose…')}</option>
          <NamedOptions of={plan.releases} />
        </Choice>
      );
    case 'tag':
      return <TextField {...field('tags', '')} label="Tags to add" help="Separated by commas" required />;
    case 'shift':
      return (
        <div className="sides">
          <TextField
            {...field('days', '1')}
            label="Days"
            inputMode="numeric"
            help="Enter a negative number to move posts earlier"
          />
          <TextField {...field('hours', '0')} label="Hours" inputMode="numeric" />
        </div>
      );
    case 'schedule':
      return (
        <div className="sides">
          <TextField
            {...field('publishedAt', '')}
            label="Time of the first post"
            type="datetime-local"
            help={t('{timeZone} time', { timeZone: adminContext.timeZone })}
            required
          />
          <TextField
            {...field('everyDays', '1')}
            label="Days between posts"
            inputMode="numeric"
            help="Enter 0 to publish all posts at the same time"
          />
        </div>
      );
    default:
      return null;
  }
}

interface OutcomeProps {
  outcome: ChangePostsResult;
  undo: UndoOffer | null;
  adminContext: AdminContext;
}

function Outcome({ outcome, undo, adminContext }: OutcomeProps) {
  const t = useWords();
  const { changedIds, refused } = outcome;
  return (
    <div className="plan">
      <h1>
        {t('{changedIds} changed, {refused} not changed', {
          changedIds: changedIds.length,
          refused: refused.length,
        })}
      </h1>
      <ul className="plan-list">
        {refused.map(({ id, title, reason }) => (
          <li key={id}>
            <a href={adminUrl(adminContext.adminPath, 'posts', id)}>{title || t('A deleted post')}</a>
            <span className="field-error">{t.message(reason)}</span>
          </li>
        ))}
      </ul>
      <UndoNotice offer={undo} adminPath={adminContext.adminPath} />
      <p>
        <a href={adminUrl(adminContext.adminPath, 'posts')}>{t('Back to the list')}</a>
      </p>
    </div>
  );
}
