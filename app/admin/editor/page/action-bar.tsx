import { type MouseEvent, type ReactNode, useEffect, useState, type RefObject } from 'react';
import { pageKeys, tools, type PageAction } from '#app/admin/editor/live/base/tools.ts';
import type { EditorData } from '#app/admin/editor/model/data.server.ts';
import { useFormValues } from '#app/admin/editor/model/form-fields.ts';
import type { ViewSettings } from '#app/admin/editor/model/view-settings.ts';
import type { PublishIntent } from '#app/admin/editor/publish-panel/fields.tsx';
import { SaveStatus } from '#app/admin/editor/saving/save-status.tsx';
import type { Saving } from '#app/admin/editor/saving/use-session.ts';
import { keysButton } from '#app/admin/editor/text/keys.tsx';
import { adminUrl } from '#app/admin/frame/admin-url.ts';
import type { AdminContext } from '#app/admin/frame/screen.ts';
import { roughInstant, clockOf, shortTime } from '#app/admin/times/local.ts';
import { SCHEDULED_TEXT, type EditedText } from '#app/posts/fields/states.ts';
import { encodePath, postPath } from '#app/posts/paths.ts';
import { Icon } from '#app/ui/icon.tsx';
import { useWords } from '#app/ui/words.ts';

/** Leads between the live text of a post and that of its scheduled update, and says which of them the page has. */
function TextSwitch({
  data: { post, now },
  edit,
  adminContext,
}: {
  data: EditorData;
  edit: EditedText;
  adminContext: AdminContext;
}) {
  const t = useWords();
  if (!post?.change?.fields) return null;
  const url = adminUrl(adminContext.adminPath, 'posts', post.id);
  const shortTime = timeFrom(post.change.at, now, adminContext);
  const texts = [
    { name: 'live', href: url, label: t('Live') },
    {
      name: SCHEDULED_TEXT,
      href: `${url}?edit=${SCHEDULED_TEXT}`,
      label: t('Scheduled for {shortTime}', { shortTime }),
    },
  ] as const;
  return (
    <nav className="text-switch" aria-label={t('Text to edit')}>
      {texts.map(({ name, href, label }) => (
        <a
          key={name}
          href={href}
          className={`text-${name}`}
          aria-current={name === edit ? 'page' : undefined}
        >
          {label}
        </a>
      ))}
    </nav>
  );
}

/** The time alone if it is on the day of `now`, else with its day. */
function timeFrom(at: Date, now: Date, { language, timeZone }: AdminContext): string {
  const day = new Intl.DateTimeFormat('en', { timeZone, dateStyle: 'short' });
  const isToday = day.format(at) === day.format(now);
  return new Intl.DateTimeFormat(language, {
    timeZone,
    ...(!isToday && { weekday: 'short', day: 'numeric', month: 'short' }),
    ...clockOf(language),
  }).format(at);
}

// React 18's types do not know the popover attributes yet. A popover needs no script.
const menu = { id: 'post-menu', popover: 'auto' } as const;
const menuButton = { popovertarget: 'post-menu' } as const;

/** Everything that one rarely needs while writing. `children`: the buttons that save or publish. */
function MoreMenu({
  saving: { data },
  edit,
  adminContext,
  view,
  onView,
  children,
}: {
  saving: Saving;
  edit: EditedText;
  adminContext: AdminContext;
  view: ViewSettings;
  onView: (part: Partial<ViewSettings>) => void;
  children: ReactNode;
}) {
  const t = useWords();
  const { post, may } = data;
  const postUrl = (...rest: string[]) => adminUrl(adminContext.adminPath, 'posts', post!.id, ...rest);
  const toggle = (label: string, part: Partial<ViewSettings>, isOn: boolean, action?: PageAction) => (
    <button type="button" aria-pressed={isOn} onClick={() => onView(part)}>
      {t(label)} {action ? <kbd>{keyOf(action)}</kbd> : null}
    </button>
  );
  return (
    <>
      <button
        type="button"
        className="quiet icon-button"
        title={t('More')}
        aria-haspopup="true"
        {...menuButton}
      >
        <Icon name="more" />
      </button>
      <div className="bar-menu" onClick={closeAfterChoice} {...menu}>
        <div className="bar-menu-group">
          <button name="intent" value="preview" className="when-narrow">
            {t('Preview')}
          </button>
          {children}
        </div>
        <div className="bar-menu-group with-scripts">
          <button type="button" data-tool="find">
            {t('Find and replace')} <kbd>{keyOf('find')}</kbd>
          </button>
          <button type="button" data-tool="snippet">
            {t('Snippets')}
          </button>
          {toggle('Live preview', { previewing: !view.previewing }, view.previewing, 'preview')}
          {toggle('Focus mode', { focusing: !view.focusing }, view.focusing, 'focus')}
          {toggle('Formatting bar', { tools: !view.tools }, view.tools)}
          {toggle(
            'Markdown source',
            { mode: view.mode === 'source' ? 'live' : 'source' },
            view.mode === 'source',
            'source',
          )}
          <button type="button" {...keysButton}>
            {t('Keyboard map')} <kbd>?</kbd>
          </button>
        </div>
        <div className="bar-menu-group without-scripts">
          <a href={adminUrl(adminContext.adminPath, 'snippets')}>{t('Snippets')}</a>
        </div>
        {post ? (
          <div className="bar-menu-group">
            <a href={postUrl('revisions')}>{t('Revisions')}</a>
            <a href={postUrl('previews')}>{t('Preview links')}</a>
            {may.publish ? <a href={postUrl('publish')}>{t('Check before publishing')}</a> : null}
            {post.status === 'published' ? (
              <a href={encodePath(postPath(post.slug))}>{t('View on the site')}</a>
            ) : null}
            <button formAction={postUrl('duplicate')} formNoValidate>
              {t('Duplicate')}
            </button>
          </div>
        ) : null}
        {post && may.delete && edit !== SCHEDULED_TEXT ? <MoveToTrash data={data} /> : null}
      </div>
    </>
  );
}

function MoveToTrash({ data }: Pick<Saving, 'data'>) {
  const t = useWords();
  // A rollback does not count: it skips deleted posts.
  const blocked = data.releases.of.filter(({ action }) => action !== 'restore');
  return (
    <details className="bar-menu-group delete">
      <summary>{t('Move to trash…')}</summary>
      <p className="hint">
        {blocked.length > 0 ? (
          <strong>
            {t('{of} cannot be published without this post.', {
              of: blocked.map(({ release }) => `“${release.name}”`).join(', '),
            })}{' '}
          </strong>
        ) : null}
        {t(
          'Readers no longer see the post. It stays in the trash for 30 days and can be restored from there.',
        )}
      </p>
      <button className="danger" name="intent" value="delete">
        {t('Move to trash')}
      </button>
    </details>
  );
}

/** The keys of an action of the page, or of the panel that finds words. */
function keyOf(action: PageAction | 'find'): string {
  const found =
    action === 'find'
      ? tools.find(({ name }) => name === action)!
      : pageKeys.find((one) => one.action === action)!;
  return ['Ctrl', 'shift' in found && 'Shift', found.key!.toUpperCase()].filter(Boolean).join(' ');
}

/** What was chosen may show something that the menu would cover. */
function closeAfterChoice({ target, currentTarget }: MouseEvent<HTMLElement>): void {
  if (target instanceof Element && target.closest('button, a')) currentTarget.hidePopover?.();
}

/**
 * The bar that is always visible: where one is, the post's state, that of saving, one button with the next step, and
 * everything else behind "…". With scripts, the button opens the publish panel, which publishes or schedules.
 */
export function ActionBar({
  saving,
  edit,
  adminContext,
  form,
  values,
  view,
  onView,
  onPublish,
}: {
  saving: Saving;
  edit: EditedText;
  adminContext: AdminContext;
  form: RefObject<HTMLFormElement | null>;
  values: Record<string, string>;
  view: ViewSettings;
  onView: (part: Partial<ViewSettings>) => void;
  onPublish: (intent: PublishIntent) => void;
}) {
  const t = useWords();
  const { post, may, now } = saving.data;
  const status = post?.status ?? 'draft';
  const { publishedAt, publishedAtOccurrence } = useFormValues(form, timeNames, values);
  const time = roughInstant(publishedAt, adminContext.timeZone);
  const isLater = time !== null && time > now;
  const isWaiting = may.publish && status !== 'published' && status !== 'scheduled';
  const open = (intent: PublishIntent) => ({
    name: 'intent',
    value: intent,
    onClick: (event: { preventDefault: () => void }) => {
      event.preventDefault();
      onPublish(intent);
    },
  });
  const scheduleLabel = isLater
    ? t('Schedule for {shortTime}', {
        shortTime: shortTime(publishedAt, adminContext, publishedAtOccurrence),
      })
    : t('Schedule');
  const saveLabel =
    edit === SCHEDULED_TEXT || status === 'scheduled'
      ? t('Save scheduled version')
      : status === 'published'
        ? t('Update')
        : t('Save');
  // The next step of the post.
  const primary = isWaiting ? (
    isLater ? (
      <button {...open('schedule')} className="primary">
        {scheduleLabel}
      </button>
    ) : (
      <button {...open('publish')} className="primary">
        {t('Publish…')}
      </button>
    )
  ) : may.save ? (
    <button name="intent" value="save" className="primary">
      {saveLabel}
    </button>
  ) : null;
  return (
    <div className="editor-bar">
      <div className="editor-bar-state">
        <nav className="editor-back" aria-label={t('Breadcrumb')}>
          <a href={adminUrl(adminContext.adminPath, 'posts')}>
            <Icon name="back" /> {t('Posts')}
          </a>
        </nav>
        {post?.change?.fields ? null : <span className={`state state-${status}`}>{t(status)}</span>}
        <TextSwitch data={saving.data} edit={edit} adminContext={adminContext} />
        <Present names={saving.present} postId={saving.data.postId} />
        <SaveStatus {...saving} edit={edit} adminContext={adminContext} />
      </div>
      <div className="editor-bar-buttons">
        <button name="intent" value="preview" className="quiet editor-preview">
          {t('Preview')}
        </button>
        {primary}
        <MoreMenu {...{ saving, edit, adminContext, view, onView }}>
          {isWaiting && may.save ? (
            <button name="intent" value="save">
              {saveLabel} <kbd>{keyOf('save')}</kbd>
            </button>
          ) : null}
          {isWaiting ? (
            <button {...open(isLater ? 'publish' : 'schedule')}>
              {isLater ? t('Publish now') : scheduleLabel}
            </button>
          ) : null}
          {may.publish && status === 'scheduled' ? (
            <button {...open('publish')}>{t('Publish now')}</button>
          ) : null}
        </MoreMenu>
      </div>
    </div>
  );
}

/** Who else has the post open, and whether another tab has: one knows before one types. */
function Present({ names, postId }: { names: string[]; postId: string }) {
  const t = useWords();
  const isInOtherTab = useOtherTab(postId);
  return (
    <span className="present" role="status">
      {names.length > 0 ? (
        <>
          <Icon name="people" /> <span>{t('Also here: {people}', { people: names.join(', ') })}</span>
        </>
      ) : isInOtherTab ? (
        <span>{t('You have this post open in another tab')}</span>
      ) : null}
    </span>
  );
}

/** How often a page looks for another tab with its post. */
const LOOK_EVERY_MS = 2_000;

/** True while another tab of this browser has the post open. Each holds a lock, which ends with it, frozen or not. */
function useOtherTab(postId: string): boolean {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    // Browsers have locks on HTTPS and on the own computer only.
    const { locks } = navigator as { locks?: LockManager };
    if (!locks) return;
    const name = `post ${postId}`;
    const ended = new AbortController();
    const look = async () => {
      const { held = [] } = await locks.query();
      setOpen(held.filter((lock) => lock.name === name).length > 1);
    };
    void locks.request(name, { mode: 'shared' }, () => {
      void look();
      return new Promise((leave) => ended.signal.addEventListener('abort', leave));
    });
    const timer = setInterval(() => void look(), LOOK_EVERY_MS);
    return () => {
      clearInterval(timer);
      ended.abort();
    };
  }, [postId]);
  return isOpen;
}

const timeNames = ['publishedAt', 'publishedAtOccurrence'] as const;
