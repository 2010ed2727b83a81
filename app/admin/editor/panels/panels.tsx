import { useEffect, useRef, type ReactNode } from 'react';
import type { FieldErrors } from '#app/platform/errors.ts';
import { SCHEDULED_TEXT } from '#app/posts/fields/states.ts';
import { Choice, NamedOptions, TextArea, TextField } from '#app/ui/field.tsx';
import { Icon } from '#app/ui/icon.tsx';
import { Time } from '#app/ui/time.tsx';
import { useWords } from '#app/ui/words.ts';
import { CoverPicker } from './cover-picker.tsx';
import type { PanelProps } from './props.ts';
import { PublicationPanel } from './publication.tsx';
import { SeoPanel } from './seo.tsx';
import { AuthorshipFields, PageFields } from './site-fields.tsx';

/**
 * The settings of a post: all fields but title and text, in a panel that opens and closes without scripts, and opens
 * when one of its fields has an error.
 */
export function SidePanels({
  isOpen,
  onOpen,
  ...props
}: PanelProps & { isOpen: boolean; onOpen: (isOpen: boolean) => void }) {
  const t = useWords();
  const panel = useRef<HTMLDetailsElement>(null);
  const hasError = Object.keys(props.errors).some((name) => !besidesPanel.has(name));
  useEffect(() => {
    // It may have been opened before the scripts ran.
    if (panel.current!.open !== isOpen) onOpen(panel.current!.open);
    // oxlint-disable-next-line react/exhaustive-deps
  }, [hasError]);
  return (
    <details
      className="editor-settings"
      ref={panel}
      open={isOpen || hasError}
      onToggle={({ currentTarget: { open } }) => {
        if (open !== isOpen) onOpen(open);
      }}
    >
      <summary className="button quiet icon-button" title={t('Settings')}>
        <Icon name="panel" />
      </summary>
      <Panels {...props} />
    </details>
  );
}

const besidesPanel: ReadonlySet<string> = new Set(['', 'title', 'body', 'version', 'intent', 'id', 'copy']);

function Panels(props: PanelProps) {
  const t = useWords();
  const { data, errors, edit, field, adminContext } = props;
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
            {t('Reuse the old address')}
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
      {data.post ? <AboutPanel {...{ data, adminContext, field }} /> : null}
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

function AboutPanel({ data, adminContext, field }: Pick<PanelProps, 'data' | 'adminContext' | 'field'>) {
  const t = useWords();
  const post = data.post!;
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
      <Choice {...field('template')} label="Template" help="New posts can begin as a copy of it">
        <option value="">{t('No')}</option>
        <option value="yes">{t('Yes, offer it for new posts')}</option>
      </Choice>
    </section>
  );
}
