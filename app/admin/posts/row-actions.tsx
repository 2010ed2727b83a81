import { adminUrl } from '#app/admin/frame/admin-url.ts';
import type { ListKey } from '#app/admin/frame/live-list.tsx';
import { PageUserField } from '#app/admin/frame/page-user-field.tsx';
import type { AdminContext } from '#app/admin/frame/screen.ts';
import { encodePath, postPath } from '#app/posts/paths.ts';
import { Icon, type IconName } from '#app/ui/icon.tsx';
import { useWords } from '#app/ui/words.ts';
import type { ListedPost } from './queries.server.ts';

/** What a row offers, in this order, with its key. The bulk page asks for confirmation of `archive` and `delete`. */
const actions = {
  edit: { label: 'Edit', icon: 'edit', key: 'e' },
  view: { label: 'View', icon: 'preview', key: 'v' },
  publish: { label: 'Publish…', icon: 'send', key: 'p' },
  archive: { label: 'Archive', icon: 'archive', key: 'a' },
  duplicate: { label: 'Duplicate', icon: 'copy', key: 'd' },
  delete: { label: 'Move to trash…', icon: 'trash', key: 'delete' },
} as const satisfies Record<string, { label: string; icon: IconName; key: string }>;

export type RowAction = keyof typeof actions;

/** The keys of the list's rows. */
export const rowKeys: ListKey[] = Object.values(actions).map(({ key, label }) => [
  key === 'delete' ? 'Del' : key.toUpperCase(),
  label,
]);

// React 18's types do not know the popover attributes yet.
const popover = { popover: 'auto' } as const;

/** The forms that the buttons of all rows send. */
export function RowForms({ adminPath }: Pick<AdminContext, 'adminPath'>) {
  return (
    <>
      {(['archive', 'delete'] as const).map((action) => (
        <form
          key={action}
          id={`row-${action}`}
          method="post"
          action={adminUrl(adminPath, 'posts', 'bulk')}
          hidden
        >
          <PageUserField />
          <input type="hidden" name="action" value={action} />
        </form>
      ))}
      <form id="row-duplicate" method="post" hidden>
        <PageUserField />
      </form>
    </>
  );
}

/** What one does with a post: icons beside a pointer or the focus, on a phone a menu. */
export function RowActions({
  post,
  adminPath,
}: { post: ListedPost & { actions: RowAction[] } } & Pick<AdminContext, 'adminPath'>) {
  const t = useWords();
  const url = (...segments: string[]) => adminUrl(adminPath, 'posts', post.id, ...segments);
  const links: Partial<Record<RowAction, string>> = {
    edit: url(),
    view: encodePath(postPath(post.slug)),
    publish: url('publish'),
  };
  const id = `actions-${post.id}`;
  return (
    <>
      <button
        type="button"
        className="row-more quiet"
        aria-label={t('Actions for “{title}”', { title: post.title })}
        {...{ popovertarget: id }}
      >
        <Icon name="more" />
      </button>
      <div id={id} className="row-actions" {...popover}>
        {post.actions.map((name) => {
          const { label, icon, key } = actions[name];
          const shared = {
            className: 'button quiet small',
            title: t(label),
            'data-key': key,
            'aria-describedby': `title-${post.id}`,
          };
          const content = (
            <>
              <Icon name={icon} /> <span>{t(label)}</span>
            </>
          );
          return name in links ? (
            <a key={name} href={links[name]} {...shared}>
              {content}
            </a>
          ) : (
            <button
              key={name}
              form={`row-${name}`}
              formAction={name === 'duplicate' ? url('duplicate') : undefined}
              name="ids"
              value={post.id}
              {...shared}
            >
              {content}
            </button>
          );
        })}
      </div>
    </>
  );
}
