import { useEffect, useRef, type ReactNode, useState, type RefObject } from 'react';
import { useFormValues } from '#app/admin/editor/model/form-fields.ts';
import { useCovers } from '#app/admin/editor/model/thumbnails.ts';
import { FormPreview, usePublication } from '#app/admin/editor/preview/publication.tsx';
import type { FieldErrors } from '#app/platform/errors.ts';
import { SCHEDULED_TEXT } from '#app/posts/fields/states.ts';
import { Choice, NamedOptions, Options, TextArea, TextField } from '#app/ui/field.tsx';
import { Icon } from '#app/ui/icon.tsx';
import { Time } from '#app/ui/time.tsx';
import { useWords } from '#app/ui/words.ts';
import { CoverPicker } from './cover-picker.tsx';
import type { PanelProps } from './props.ts';
import { PublicationPanel } from './publication.tsx';

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

function PageFields({ data, field }: PanelProps) {
  const t = useWords();
  const { pages } = data.choices;
  return (
    <>
      <Choice {...field('type')} label="Type">
        <option value="post">{t('Post')}</option>
        <option value="page">{t('Page: at its own address, in no list')}</option>
      </Choice>
      <Choice {...field('parentId')} label="Parent page" help="For pages only">
        <option value="">{t('None')}</option>
        <Options
          of={pages
            .filter(({ id }) => id !== data.post?.id)
            .map(({ id, title, slug }) => [id, `${'\u2003'.repeat(slug.split('/').length - 2)}${title}`])}
        />
      </Choice>
    </>
  );
}

function AuthorshipFields({ data, field }: PanelProps) {
  const t = useWords();
  const { accounts, languages } = data.choices;
  return (
    <>
      <TextArea
        {...field('authors')}
        label="Authors"
        rows={3}
        help={t('One per line, in order: a username or a guest’s name. Leave blank for {value}', {
          value: data.post?.author ?? t('yourself'),
        })}
      />
      {accounts.length > 1 ? (
        <p className="hint">
          {t('Usernames: {accounts}', { accounts: accounts.map(({ username }) => username).join(', ') })}
        </p>
      ) : null}
      <TextField
        {...field('language')}
        label="Language"
        list="known-languages"
        autoComplete="off"
        help="A tag such as de. Leave blank for the site’s language"
      />
      <datalist id="known-languages">
        {languages.map((tag) => (
          <option key={tag} value={tag} />
        ))}
      </datalist>
      <TextField
        {...field('translationOf')}
        label="Translation of"
        autoComplete="off"
        help="Address or id of the post that this one translates"
      />
    </>
  );
}

const shown = [
  ...(['title', 'slug', 'type', 'parentId', 'excerpt', 'authors'] as const),
  ...(['coverMediaId', 'seoTitle', 'seoDescription'] as const),
] as const;
// The number of characters that search engines usually show.
const TITLE_SHOWN = 60;
const DESCRIPTION_SHOWN = 160;

/** How search results and shared links show the post, and the fields that decide about that. */
function SeoPanel({ data, form, values, field, adminContext }: PanelProps) {
  const t = useWords();
  const now = useFormValues(form, shown, values);
  const covers = useCovers(form);
  const container = useRef<HTMLDivElement>(null);
  const isOpen = useIsOpen(container);
  const changed = isOpen ? shown.map((name) => now[name]).join('\n') : null;
  const { publication } = usePublication(form, { ...adminContext, post: data.post }, changed);
  return (
    <>
      <TextField
        {...field('seoTitle')}
        label="Search title"
        help={t('{count} of about {SHOWN} characters. Leave blank to use the title', {
          count: [...(now.seoTitle || now.title)].length,
          SHOWN: TITLE_SHOWN,
        })}
      />
      <TextArea
        {...field('seoDescription')}
        label="Search description"
        rows={3}
        help={t('{count} of about {SHOWN} characters. Leave blank to use the excerpt', {
          count: [...(now.seoDescription || now.excerpt)].length,
          SHOWN: DESCRIPTION_SHOWN,
        })}
      />
      <div className="look" ref={container}>
        {publication ? <FormPreview now={now} covers={covers} publication={publication} /> : null}
      </div>
      <TextField
        {...field('canonicalUrl')}
        label="Canonical address"
        type="url"
        help="Only if the original is on another site"
      />
    </>
  );
}

/** Whether the `details` around an element is open. */
function useIsOpen(inside: RefObject<HTMLElement | null>): boolean {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const details = inside.current!.closest('details')!;
    const read = () => setOpen(details.open);
    details.addEventListener('toggle', read);
    read();
    return () => details.removeEventListener('toggle', read);
  }, [inside]);
  return isOpen;
}
