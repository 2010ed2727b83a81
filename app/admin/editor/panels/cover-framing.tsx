import type { RefObject } from 'react';
import type { Thumbnail } from '#app/admin/editor/model/thumbnails.ts';
import { useFormValues } from '#app/admin/editor/model/use-form-values.ts';
import { Choice } from '#app/ui/field.tsx';
import { useWords } from '#app/ui/words.ts';
import type { PanelProps } from './props.ts';

const names = ['coverMediaId', 'coverFocus', 'coverCrop'] as const;
const columns = [
  [0, 'far left'],
  [25, 'left'],
  [50, 'centre'],
  [75, 'right'],
  [100, 'far right'],
] as const;
const rows = [
  [0, 'top'],
  [25, 'upper part'],
  [50, 'middle'],
  [75, 'lower part'],
  [100, 'bottom'],
] as const;

/** How the chosen cover is cropped, and which point of the picture stays visible: radio buttons over the picture. */
export function CoverFraming({
  images,
  form,
  values,
  field,
}: Pick<PanelProps, 'values' | 'field'> & {
  images: readonly Thumbnail[];
  form: RefObject<HTMLFormElement | null>;
}) {
  const t = useWords();
  const { coverMediaId, coverFocus, coverCrop } = useFormValues(form, names, values);
  const image = images.find(({ id }) => id === coverMediaId);
  if (!image) return null;
  const [x = '50', y = '50'] = coverFocus.split(' ').filter(Boolean);
  return (
    <>
      {image.smallWidth === null ? null : (
        <p className="notice notice-wait" role="status">
          {t('This picture is only {width} pixels wide. It won’t be enlarged.', {
            width: image.smallWidth,
          })}
        </p>
      )}
      <Choice {...field('coverCrop')} label="Shape on the post’s page">
        <option value="">{t('As the picture is')}</option>
        <option value="16x9">{t('Wide, 16:9')}</option>
        <option value="3x2">{t('Photo, 3:2')}</option>
        <option value="1x1">{t('Square')}</option>
      </Choice>
      <fieldset className="framing">
        <legend>{t('Focal point')}</legend>
        <div className="framing-picture">
          <img src={image.src} alt="" />
          <div className="framing-points">
            {rows.map(([top, row]) =>
              columns.map(([left, column]) => {
                const value = left === 50 && top === 50 ? '' : `${left} ${top}`;
                return (
                  <input
                    key={value}
                    type="radio"
                    name="coverFocus"
                    value={value}
                    defaultChecked={(values.coverFocus ?? '') === value}
                    aria-label={`${t(row)}, ${t(column)}`}
                  />
                );
              }),
            )}
          </div>
        </div>
        <div className="framing-result">
          <img
            src={image.src}
            alt={t('Cover in lists')}
            className={`framing-list focus-x-${x} focus-y-${y}`}
          />
          {coverCrop === '' ? null : (
            <img
              src={image.src}
              alt={t('Cover on the post’s page')}
              className={`cover crop-${coverCrop} focus-x-${x} focus-y-${y}`}
            />
          )}
        </div>
        <p className="hint">
          {t('The part that stays visible where the cover is cropped. The file does not change.')}
        </p>
      </fieldset>
      <Choice {...field('coverDecorative')} label="Screen readers">
        <option value="">{t('Read the description')}</option>
        <option value="yes">{t('The cover is decorative: screen readers skip it')}</option>
      </Choice>
    </>
  );
}
