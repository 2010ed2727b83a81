import { TextArea, TextField } from '#app/ui/field.tsx';
import { useWords } from '#app/ui/words.ts';
import type { PanelProps } from './side-panels.tsx';
import { useFormValues } from './use-form-values.ts';

const shown = ['title', 'slug', 'excerpt', 'seoTitle', 'seoDescription'] as const;
// Characters that search engines usually show.
const TITLE_SHOWN = 60;
const DESCRIPTION_SHOWN = 160;

/** How the post looks where people find it. */
export function SeoPanel({ data, form, values, field, adminContext }: PanelProps) {
  const t = useWords();
  const now = useFormValues(form, shown, values);
  const title = now.seoTitle || now.title || 'Title';
  const written = now.seoDescription || now.excerpt;
  const description = written || 'The beginning of the text is shown here.';
  const path = now.slug || data.post?.slug || 'made-from-the-title';
  const cover = data.choices.images.find(({ id }) => id === values.coverMediaId);
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
          count: [...written].length,
          SHOWN: DESCRIPTION_SHOWN,
        })}
      />
      <figure className="result-preview">
        <figcaption>{t('In search results')}</figcaption>
        <p className="result-path">{t('/posts/{path}', { path })}</p>
        <p className="result-title">{cut(title, TITLE_SHOWN)}</p>
        <p className="result-text">{cut(description, DESCRIPTION_SHOWN)}</p>
      </figure>
      <figure className="card-preview">
        <figcaption>{t('When shared')}</figcaption>
        {cover ? <img src={cover.src} alt="" loading="lazy" width={320} height={168} /> : null}
        <p className="result-path">{adminContext.siteTitle}</p>
        <p className="result-title">{cut(title, TITLE_SHOWN)}</p>
        <p className="result-text">{cut(description, 110)}</p>
      </figure>
      <TextField
        {...field('canonicalUrl')}
        label="Canonical address"
        type="url"
        help="Only if the original is on another site"
      />
    </>
  );
}

function cut(text: string, max: number): string {
  const characters = [...text];
  return characters.length > max ? `${characters.slice(0, max - 1).join('')}…` : text;
}
