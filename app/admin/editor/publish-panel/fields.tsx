import type { RefObject } from 'react';
import type { EditorData } from '#app/admin/editor/model/data.server.ts';
import { useCovers } from '#app/admin/editor/model/use-covers.ts';
import type { Publication } from '#app/admin/editor/preview/describe.server.ts';
import { FormPreview } from '#app/admin/editor/preview/form.tsx';
import { SearchResult } from '#app/admin/editor/preview/share.tsx';
import type { Saving } from '#app/admin/editor/saving/use-session.ts';
import type { AdminContext } from '#app/admin/frame/screen.ts';
import { TextArea, TextField } from '#app/ui/field.tsx';
import { CategoryChoice } from './category-choice.tsx';
import { CoverChoice } from './cover-choice.tsx';
import { TagChips } from './tag-chips.tsx';

/** The form's fields that the panel shows too. */
export const panelFields = [
  'title',
  'slug',
  'categoryId',
  'tags',
  'excerpt',
  'coverMediaId',
  'coverAlt',
  'coverDecorative',
  'seoTitle',
  'seoDescription',
  'publishedAt',
  'sendByEmail',
  'emailSubject',
  'emailPreview',
] as const;
export type PanelField = (typeof panelFields)[number];

/** The two ways in which a post is published. */
export type PublishIntent = 'publish' | 'schedule';

export interface PublishPanelProps {
  form: RefObject<HTMLFormElement | null>;
  formId: string;
  saving: Saving;
  adminContext: AdminContext;
  /** The button that opened the panel. */
  intent: PublishIntent;
  /** Called after a category was created here and chosen. */
  onCategory: (category: Category) => void;
  /** Called with all current categories: another tab may have created one. */
  onCategories: (categories: Category[]) => void;
  onClose: () => void;
}

type Category = EditorData['choices']['categories'][number];

interface PartProps extends PublishPanelProps {
  /** The current values of the form. */
  now: Record<PanelField, string>;
  set: (name: PanelField) => (value: string) => void;
}

/** Address, terms and excerpt. */
export function Details({ now, set, saving, form, adminContext, onCategory }: PartProps) {
  const { data, errors } = saving;
  const body = form.current?.elements.namedItem('body');
  const text = `${now.title}\n${now.excerpt}\n${body instanceof HTMLTextAreaElement ? body.value : ''}`;
  return (
    <>
      <TextField
        id="publish-slug"
        name="slug"
        label="Slug"
        autoComplete="off"
        value={now.slug}
        onChange={({ target }) => set('slug')(target.value)}
        errors={errors.slug}
        help="Leave blank to use the title"
      />
      <CategoryChoice
        value={now.categoryId}
        onChange={set('categoryId')}
        categories={data.choices.categories}
        onCreated={onCategory}
        errors={errors.categoryId}
        adminContext={adminContext}
      />
      <TagChips
        value={now.tags}
        onChange={set('tags')}
        existing={data.choices.tags}
        text={text}
        errors={errors.tags}
      />
      <TextArea
        id="publish-excerpt"
        name="excerpt"
        label="Excerpt"
        rows={3}
        value={now.excerpt}
        onChange={({ target }) => set('excerpt')(target.value)}
        errors={errors.excerpt}
        help="Lists, feeds and search show it"
      />
    </>
  );
}

/** The cover, how search results show the post, and the fields that decide about that. */
export function Elsewhere({
  form,
  now,
  set,
  saving,
  publication,
}: PartProps & { publication: Publication | null }) {
  const covers = useCovers(form);
  const { errors } = saving;
  return (
    <>
      <CoverChoice
        form={form}
        covers={covers}
        chosen={now.coverMediaId}
        alt={now.coverAlt}
        onAlt={set('coverAlt')}
        decorative={now.coverDecorative}
        onDecorative={set('coverDecorative')}
      />
      <FormPreview now={now} covers={covers} publication={publication} As={SearchResult} />
      <TextField
        id="publish-seo-title"
        name="seoTitle"
        label="Search title"
        value={now.seoTitle}
        onChange={({ target }) => set('seoTitle')(target.value)}
        errors={errors.seoTitle}
        help="Leave blank to use the title"
      />
      <TextArea
        id="publish-seo-description"
        name="seoDescription"
        label="Search description"
        rows={2}
        value={now.seoDescription}
        onChange={({ target }) => set('seoDescription')(target.value)}
        errors={errors.seoDescription}
        help="Leave blank to use the excerpt"
      />
    </>
  );
}
