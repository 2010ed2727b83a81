import { useEffect, useRef, useState, type RefObject } from 'react';
import { useCovers } from '#app/admin/editor/model/use-covers.ts';
import { useFormValues } from '#app/admin/editor/model/use-form-values.ts';
import { FormPreview } from '#app/admin/editor/preview/form.tsx';
import { usePublication } from '#app/admin/editor/preview/use-publication.ts';
import { TextArea, TextField } from '#app/ui/field.tsx';
import { useWords } from '#app/ui/words.ts';
import type { PanelProps } from './props.ts';

const shown = [
  ...(['title', 'slug', 'type', 'parentId', 'excerpt', 'authors'] as const),
  ...(['coverMediaId', 'seoTitle', 'seoDescription'] as const),
] as const;
// The number of characters that search engines usually show.
const TITLE_SHOWN = 60;
const DESCRIPTION_SHOWN = 160;

/** How search results and shared links show the post, and the fields that decide about that. */
export function SeoPanel({ data, form, values, field, adminContext }: PanelProps) {
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
