import { useRef } from 'react';
import { adminUrl } from '#app/admin/admin-url.ts';
import { TextField } from '#app/ui/field.tsx';
import type { PanelProps } from './side-panels.tsx';

/** The newest images to choose from, as radio buttons that need no script. */
export function CoverPicker({ data, values, errors, field, form, adminContext }: PanelProps) {
  const { images } = data.choices;
  const filled = useRef(values.coverAlt ?? '');
  // The description of the cover before it does not describe the new one; words typed meanwhile stay.
  const describe = (alt: string) => {
    const control = form.current?.elements.namedItem('coverAlt');
    if (!(control instanceof HTMLInputElement) || control.value !== filled.current) return;
    control.value = filled.current = alt;
  };
  const error = errors.coverMediaId?.join(' ');
  const option = (id: string) => ({
    type: 'radio',
    name: 'coverMediaId',
    value: id,
    defaultChecked: (values.coverMediaId ?? '') === id,
    'aria-invalid': error ? true : undefined,
    'aria-describedby': error ? 'field-coverMediaId-error' : undefined,
  });
  return (
    <>
      <fieldset className="covers">
        <legend className="sr-only">Cover image</legend>
        <label className="cover cover-none">
          <input {...option('')} onChange={() => describe('')} /> <span>None</span>
        </label>
        {images.map((image) => (
          <label key={image.id} className="cover">
            <input {...option(image.id)} onChange={() => describe(image.alt)} />
            <img src={image.src} alt={image.alt || image.name} loading="lazy" width={120} height={90} />
          </label>
        ))}
      </fieldset>
      {error ? (
        <p className="field-error" id="field-coverMediaId-error">
          {error}
        </p>
      ) : null}
      <p className="hint">
        <a href={adminUrl(adminContext.adminPath, 'media')} target="_blank" rel="noreferrer">
          Upload another
        </a>{' '}
        in the media library, then save to see it here.
      </p>
      <TextField
        {...field('coverAlt')}
        label="Description of the cover"
        help="For people who can’t see it. Leave blank with a new cover to use the library’s."
      />
    </>
  );
}
