import type { RefObject } from 'react';
import type { EditorData } from '#app/admin/editor/model/data.server.ts';
import { useCovers, type Cover } from '#app/admin/editor/model/thumbnails.ts';
import type { Publication } from '#app/admin/editor/preview/check.server.ts';
import { FormPreview } from '#app/admin/editor/preview/publication.tsx';
import { SearchResult } from '#app/admin/editor/preview/share.tsx';
import type { Saving } from '#app/admin/editor/saving/use-session.ts';
import type { AdminContext } from '#app/admin/frame/screen.ts';
import { distance, roughInstant, shortHour, shortTime } from '#app/admin/times/local.ts';
import type { PublicationTimes } from '#app/admin/times/publication-times.ts';
import { OccurrenceChoice } from '#app/admin/times/occurrence-choice.tsx';
import type { Message } from '#app/platform/message.ts';
import { TextArea, TextField } from '#app/ui/field.tsx';
import { useWords } from '#app/ui/words.ts';
import { CategoryChoice, TagChips } from './terms.tsx';

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

export type PublishIntent = 'publish' | 'schedule';

export interface PublishPanelProps {
  form: RefObject<HTMLFormElement | null>;
  formId: string;
  saving: Saving;
  adminContext: AdminContext;
  intent: PublishIntent;
  /** Called after a category was created here and chosen. */
  onCategory: (category: Category) => void;
  /** Called with all current categories: another tab may have created one. */
  onCategories: (categories: Category[]) => void;
  onClose: () => void;
}

type Category = EditorData['choices']['categories'][number];

interface PartProps extends PublishPanelProps {
  now: Record<PanelField, string>;
  set: (name: PanelField) => (value: string) => void;
}

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

interface CoverChoiceProps {
  form: RefObject<HTMLFormElement | null>;
  covers: Cover[];
  /** The id of the chosen picture; blank for none. */
  chosen: string;
  alt: string;
  onAlt: (alt: string) => void;
  /** `yes`, or blank. */
  decorative: string;
  onDecorative: (decorative: string) => void;
}

/** A choice of the cover among the newest pictures. It clicks the radio button in the form, which has the value. */
function CoverChoice({ form, covers, chosen, alt, onAlt, decorative, onDecorative }: CoverChoiceProps) {
  const t = useWords();
  const press = (selector: string) => form.current?.querySelector<HTMLElement>(selector)?.click();
  const choose = (id: string) => press(`[name=coverMediaId][value="${id}"]`);
  return (
    <div className="field">
      <span className="field-title" id="publish-cover">
        {t('Cover')}
      </span>
      <div className="cover-strip" role="group" aria-labelledby="publish-cover">
        <button type="button" aria-pressed={chosen === ''} onClick={() => choose('')}>
          {t('None')}
        </button>
        {covers.map(({ id, src, alt }, index) => (
          <button
            key={id}
            type="button"
            aria-label={alt || t('Picture {number}', { number: index + 1 })}
            aria-pressed={chosen === id}
            onClick={() => choose(id)}
          >
            <img src={src} alt="" loading="lazy" width={96} height={72} />
          </button>
        ))}
        <button type="button" onClick={() => press('.cover-upload input')}>
          {t('Upload…')}
        </button>
      </div>
      {chosen === '' ? null : (
        <>
          <TextField
            id="publish-cover-alt"
            name="coverAlt"
            label="Description of the cover"
            value={alt}
            disabled={decorative === 'yes'}
            onChange={({ target }) => onAlt(target.value)}
            help="For people who can’t see it"
          />
          <label className="check">
            <input
              type="checkbox"
              checked={decorative === 'yes'}
              onChange={({ target }) => onDecorative(target.checked ? 'yes' : '')}
            />{' '}
            {t('Decorative: it needs no description')}
          </label>
        </>
      )}
    </div>
  );
}

/** When to publish a post: `now`, a suggested local time, or `own` with a typed time. */
export interface When {
  kind: 'now' | 'suggested' | 'own';
  /** Local time; empty for `now`. */
  time: string;
  /** Which of two equal local times: `first` or `second`. */
  occurrence: string;
}

/** Radio buttons for now, the suggested times and a typed time, with the zone in words. */
export function WhenChoice({
  when,
  onChange,
  times: { suggestions, now, zone },
  errors,
  adminContext,
}: {
  when: When;
  onChange: (when: When) => void;
  times: PublicationTimes;
  errors: Message[] | undefined;
  adminContext: AdminContext;
}) {
  const t = useWords();
  const { timeZone, language } = adminContext;
  const option = (kind: When['kind'], time: string) => ({
    type: 'radio',
    name: 'when',
    checked: when.kind === kind && (kind !== 'suggested' || when.time === time),
    onChange: () => onChange({ ...when, kind, time }),
  });
  const chosen = roughInstant(when.time, timeZone);
  const present = roughInstant(now, timeZone);
  const distanceText = chosen && present && distance(chosen, present, language);
  return (
    <fieldset className="when">
      <legend>{t('When')}</legend>
      <label className="check">
        <input {...option('now', '')} /> {t('Now')}
      </label>
      {suggestions.map(({ label, value }) => (
        <label key={value} className="check">
          <input {...option('suggested', value)} /> {t(label)}{' '}
          <span className="hint">{shortTime(value, adminContext)}</span>
        </label>
      ))}
      <label className="check">
        <input {...option('own', when.time)} /> {t('Custom time')}
      </label>
      {when.kind === 'own' ? (
        <>
          <TextField
            id="publish-time"
            name="time"
            type="datetime-local"
            label="Publication time"
            value={when.time}
            onChange={({ target }) => onChange({ ...when, kind: 'own', time: target.value })}
            errors={errors}
            help={distanceText ?? undefined}
          />
          <OccurrenceChoice
            id="publish-occurrence"
            name="occurrence"
            value={when.occurrence}
            onChange={({ target }) => onChange({ ...when, occurrence: target.value })}
            local={when.time}
            adminContext={adminContext}
          />
        </>
      ) : null}
      <p className="hint">
        {t('Times are {zone} ({timeZone})', { zone, timeZone })}
        {t(', where it is {slice} now.', { slice: shortHour(now, adminContext) })}
      </p>
    </fieldset>
  );
}
