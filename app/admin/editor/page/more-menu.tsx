import type { MouseEvent, ReactNode } from 'react';
import { pageKeys, tools, type PageAction } from '#app/admin/editor/live/base/tools.ts';
import type { ViewSettings } from '#app/admin/editor/model/view-settings.ts';
import type { Saving } from '#app/admin/editor/saving/use-session.ts';
import { keysButton } from '#app/admin/editor/text/keyboard-map.tsx';
import { adminUrl } from '#app/admin/frame/admin-url.ts';
import type { AdminContext } from '#app/admin/frame/screen.ts';
import { SCHEDULED_TEXT, type EditedText } from '#app/posts/fields/states.ts';
import { encodePath, postPath } from '#app/posts/paths.ts';
import { Icon } from '#app/ui/icon.tsx';
import { useWords } from '#app/ui/words.ts';

// React 18's types do not know the popover attributes yet. A popover needs no script.
const menu = { id: 'post-menu', popover: 'auto' } as const;
const menuButton = { popovertarget: 'post-menu' } as const;

/** Everything that one rarely needs while writing. `children`: the buttons that save or publish. */
export function MoreMenu({
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
export function keyOf(action: PageAction | 'find'): string {
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
