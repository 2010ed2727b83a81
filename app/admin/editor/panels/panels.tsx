import type { ReactNode } from 'react';
import { adminUrl } from '#app/admin/frame/admin-url.ts';
import type { FieldErrors } from '#app/platform/errors.ts';
import { SCHEDULED_TEXT } from '#app/posts/fields/states.ts';
import { encodePath, postPath } from '#app/posts/paths.ts';
import { Choice, NamedOptions, TextArea, TextField } from '#app/ui/field.tsx';
import { Time } from '#app/ui/time.tsx';
import { useWords } from '#app/ui/words.ts';
import { CoverPicker } from './cover-picker.tsx';
import type { PanelProps } from './props.ts';
import { PublicationPanel } from './publication.tsx';
import { SeoPanel } from './seo.tsx';
import { AuthorshipFields, PageFields } from './site-fields.tsx';

/** The panels beside the text, with all other fields of a post. */
export function SidePanels(props: PanelProps) {
  const t = useWords();
  const { data, edit, errors, field, adminContext } = props;
  const wasPublic = data.post?.status === 'published' || data.post?.status === 'archived';
  return (
    <div className="editor-side">
      <PublicationPanel {...props} />
      <Panel
        title={t('Address and terms')}
        names={['slug', 'type', 'parentId', 'categoryId', 'tags']}
        errors={errors}
        open
      >
        <TextField
          {...field('slug')}
          label="Slug"
          autoComplete="off"
          readOnly={edit === SCHEDULED_TEXT}
          help={wasPublic ? 'A changed slug leaves a redirect behind' : 'Leave blank to use the title'}
        />
        <PageFields {...props} />
        {errors.takeOverSlug ? (
          <label className="check">
            <input type="checkbox" id="field-takeOverSlug" name="takeOverSlug" value="yes" />{' '}
            {t('Take over the old address')}
          </label>
        ) : null}
        <Choice {...field('categoryId')} label="Category">
          <option value="">{t('None')}</option>
          <NamedOptions of={data.choices.categories} />
        </Choice>
        <TextField
          {...field('tags')}
          label="Tags"
          list="known-tags"
          autoComplete="off"
          help="Separated by commas; new ones are created"
        />
        <datalist id="known-tags">
          {data.choices.tags.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
      </Panel>
      <Panel
        title={t('Authors and language')}
        names={['authors', 'language', 'translationOf']}
        errors={errors}
        open={['authors', 'language', 'translationOf'].some((name) => props.values[name])}
      >
        <AuthorshipFields {...props} />
      </Panel>
      <Panel title={t('Excerpt')} names={['excerpt']} errors={errors} open={props.values.excerpt !== ''}>
        <TextArea
          {...field('excerpt')}
          label="Excerpt"
          rows={4}
          help="Shown in lists and feeds. Leave blank to use the beginning of the text"
        />
      </Panel>
      <Panel
        title={t('Cover')}
        names={['coverMediaId', 'coverAlt', 'coverFocus', 'coverCrop', 'coverDecorative']}
        errors={errors}
        open={props.values.coverMediaId !== ''}
      >
        <CoverPicker {...props} />
      </Panel>
      <Panel
        title={t('Search and social')}
        names={['seoTitle', 'seoDescription', 'canonicalUrl']}
        errors={errors}
        open={false}
      >
        <SeoPanel {...props} />
      </Panel>
      {data.post ? <AboutPanel {...{ data, edit, adminContext, field }} /> : null}
    </div>
  );
}

/** A panel that opens and closes without scripts. A panel with an error is open. */
function Panel({
  title,
  names,
  errors,
  open,
  children,
}: {
  title: string;
  names: string[];
  errors: FieldErrors;
  open: boolean;
  children: ReactNode;
}) {
  const t = useWords();
  return (
    <details className="side-panel" open={open || names.some((name) => errors[name])}>
      <summary>
        <h2>{t(title)}</h2>
      </summary>
      <div className="side-panel-body">{children}</div>
    </details>
  );
}

function AboutPanel({
  data,
  edit,
  adminContext,
  field,
}: Pick<PanelProps, 'data' | 'edit' | 'adminContext' | 'field'>) {
  const t = useWords();
  const post = data.post!;
  // A rollback does not count: it skips deleted posts.
  const blocked = data.releases.of.filter(({ action }) => action !== 'restore');
  return (
    <section className="side-panel side-panel-open" aria-labelledby="about-post">
      <h2 id="about-post">{t('About this post')}</h2>
      <dl className="facts facts-small">
        <dt>{t('Author')}</dt>
        <dd>{post.author ?? t('nobody')}</dd>
        <dt>{t('Created')}</dt>
        <dd>
          <Time instant={post.createdAt} {...adminContext} />
        </dd>
      </dl>
      <ul className="links">
        <li>
          <a href={adminUrl(adminContext.adminPath, 'posts', post.id, 'revisions')}>{t('Revisions')}</a>
        </li>
        <li>
          <a href={adminUrl(adminContext.adminPath, 'posts', post.id, 'previews')}>{t('Preview links')}</a>
        </li>
        {data.may.publish ? (
          <li>
            <a href={adminUrl(adminContext.adminPath, 'posts', post.id, 'publish')}>
              {t('Check before publishing')}
            </a>
          </li>
        ) : null}
        {post.status === 'published' ? (
          <li>
            <a href={encodePath(postPath(post.slug))}>{t('View on the site')}</a>
          </li>
        ) : null}
      </ul>
      <Choice {...field('template')} label="Template" help="New posts can begin as a copy of it">
        <option value="">{t('No')}</option>
        <option value="yes">{t('Yes, offer it for new posts')}</option>
      </Choice>
      <button formAction={adminUrl(adminContext.adminPath, 'posts', post.id, 'duplicate')} formNoValidate>
        {t('Duplicate')}
      </button>
      {data.may.delete && edit !== SCHEDULED_TEXT ? (
        <details className="delete">
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
      ) : null}
    </section>
  );
}
