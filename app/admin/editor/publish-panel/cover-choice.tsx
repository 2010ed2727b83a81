import type { RefObject } from 'react';
import type { Cover } from '#app/admin/editor/model/use-covers.ts';
import { TextField } from '#app/ui/field.tsx';
import { useWords } from '#app/ui/words.ts';

/** A choice of the cover among the newest pictures. It clicks the radio button in the form, which has the value. */
export function CoverChoice({
  form,
  covers,
  chosen,
  alt,
  onAlt,
  decorative,
  onDecorative,
}: {
  form: RefObject<HTMLFormElement | null>;
  covers: Cover[];
  /** The id of the chosen picture; blank for none. */
  chosen: string;
  alt: string;
  onAlt: (alt: string) => void;
  /** `yes`, or blank. */
  decorative: string;
  onDecorative: (decorative: string) => void;
}) {
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
