import { useEffect, useRef, useState, type RefObject } from 'react';
import { useFormValues } from '#app/admin/editor/model/form-fields.ts';
import { smallWidthOf, type Thumbnail, useCovers } from '#app/admin/editor/model/thumbnails.ts';
import { adminUrl } from '#app/admin/frame/admin-url.ts';
import { isPicture, MEDIA_STORED, upload, type StoredFile } from '#app/admin/media/upload.ts';
import { TextField, Choice } from '#app/ui/field.tsx';
import { Icon } from '#app/ui/icon.tsx';
import { useScripted } from '#app/ui/scripts.ts';
import { useWords } from '#app/ui/words.ts';
import type { PanelProps } from './props.ts';

/** The newest pictures as radio buttons, which need no scripts. With scripts also a field for uploads. */
export function CoverPicker({ data, values, errors, field, form, adminContext }: PanelProps) {
  const t = useWords();
  const { newImages, send, problem } = useNewImages(adminUrl(adminContext.adminPath, 'media'));
  const images = [
    ...newImages,
    ...data.choices.images.filter(({ id }) => !newImages.some((image) => image.id === id)),
  ];
  const filled = useRef(values.coverAlt ?? '');
  // The old cover's description does not fit the new cover. A description that somebody has typed is kept.
  const describe = (alt: string) => {
    const control = form.current?.elements.namedItem('coverAlt');
    if (!(control instanceof HTMLInputElement) || control.value !== filled.current) return;
    control.value = filled.current = alt;
  };
  const list = useRef<HTMLFieldSetElement>(null);
  useDroppedCover(list, send);
  const error = errors.coverMediaId?.map((message) => t.message(message)).join(' ');
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
      <fieldset className="covers" ref={list}>
        <legend className="sr-only">{t('Cover image')}</legend>
        <label className="cover cover-none">
          <input {...option('')} onChange={() => describe('')} /> <span>{t('None')}</span>
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
      {send ? (
        <label className="cover-upload">
          {t('Upload a cover, or drop one here')}
          <input
            type="file"
            accept="image/*"
            onChange={({ target }) => {
              const [file] = target.files ?? [];
              if (file) void send(file);
              target.value = '';
            }}
          />
        </label>
      ) : null}
      {problem ? (
        <p className="field-error" role="alert">
          {t.message(problem)}
        </p>
      ) : null}
      <p className="hint">
        {t.rich('{link} in the media library.', {
          link: (
            <a href={adminUrl(adminContext.adminPath, 'media')} target="_blank" rel="noreferrer">
              {t('Upload another')}
            </a>
          ),
        })}
      </p>
      <TextField
        {...field('coverAlt')}
        label="Description of the cover"
        help="For people who can’t see it. Leave blank with a new cover to use the library’s."
      />
      <CoverFraming {...{ images, form, values, field }} />
    </>
  );
}

/** The cover above the title, and the button that uploads one. */
export function CoverAboveTitle({
  form,
  values,
  images,
}: Pick<PanelProps, 'form' | 'values'> & { images: Thumbnail[] }) {
  const t = useWords();
  const { coverMediaId } = useFormValues(form, coverField, values);
  const uploaded = useCovers(form).find(({ id }) => id === coverMediaId);
  // Also in the server's answer, so that nothing moves when the page has loaded.
  const offered = images.find(({ id }) => id === coverMediaId);
  const cover = uploaded ?? offered;
  const [isWriting, setWriting] = useState(false);
  useEffect(() => {
    const ended = new AbortController();
    const onFocus = ({ type, target, relatedTarget }: FocusEvent) => {
      const focused = type === 'focusin' ? target : relatedTarget;
      setWriting(focused instanceof Element && focused.closest('.writing') !== null);
    };
    for (const event of ['focusin', 'focusout'] as const)
      form.current!.addEventListener(event, onFocus, { signal: ended.signal });
    return () => ended.abort();
  }, [form]);
  return (
    <div className="page-cover" data-writing={isWriting || undefined}>
      {cover ? (
        <img
          src={cover.src}
          srcSet={offered?.srcSet}
          sizes="(max-width: 48rem) 100vw, 42rem"
          alt={cover.alt}
        />
      ) : null}
      <button
        type="button"
        className="quiet small"
        onClick={() => form.current!.querySelector<HTMLInputElement>('.cover-upload input')?.click()}
      >
        <Icon name="image" /> {cover ? t('Change the cover') : t('Add a cover')}
      </button>
    </div>
  );
}

const coverField = ['coverMediaId'] as const;

/** Pictures that were uploaded after the page was loaded, here or in the text. `send` is null without scripts. */
function useNewImages(url: string) {
  const scripted = useScripted();
  const [newImages, setNewImages] = useState<Thumbnail[]>([]);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    const onStored = ({ detail: { id, path, alt, width } }: CustomEvent<StoredFile>) => {
      if (/\.(avif|gif|jpe?g|png|svg|webp)$/i.test(path))
        setNewImages((before) => [
          {
            id,
            src: path,
            alt,
            name: path.split('/').pop()!,
            srcSet: undefined,
            smallWidth: smallWidthOf({ width, mimeType: path.endsWith('.svg') ? 'image/svg+xml' : '' }),
          },
          ...before,
        ]);
    };
    document.addEventListener(MEDIA_STORED, onStored as EventListener);
    return () => document.removeEventListener(MEDIA_STORED, onStored as EventListener);
  }, []);
  const send = async (file: File) => {
    setProblem(null);
    try {
      const { id } = await upload(file, url);
      // React renders the new picture first.
      setTimeout(() =>
        document.querySelector<HTMLInputElement>(`[name=coverMediaId][value="${id}"]`)?.click(),
      );
    } catch (error) {
      setProblem(error instanceof Error ? error.message : 'The upload failed.');
      // The button above the title uploads too, while the panel is closed.
      let panel = document.querySelector('.covers')?.closest('details');
      for (; panel; panel = panel.parentElement?.closest('details')) panel.open = true;
    }
  };
  return { newImages, send: scripted ? send : null, problem };
}

/**
 * Makes a picture that is dropped on the panel around `inside` the cover. A file that is dropped outside the text and
 * the file fields is ignored, since the browser would leave the page to show it.
 * @param send stores a picture and chooses it; null until scripts run
 */
function useDroppedCover(
  inside: RefObject<HTMLElement | null>,
  send: ((file: File) => Promise<void>) | null,
): void {
  const latest = useRef(send);
  useEffect(() => {
    latest.current = send;
  });
  useEffect(() => {
    const panel = inside.current!.closest('details')!;
    const isOverPanel = ({ target }: Event) => target instanceof Node && panel.contains(target);
    const onDrag = (event: DragEvent) => {
      if (!isUnclaimed(event)) return;
      event.preventDefault();
      event.dataTransfer!.dropEffect = isOverPanel(event) ? 'copy' : 'none';
    };
    const onDrop = (event: DragEvent) => {
      if (!isUnclaimed(event)) return;
      event.preventDefault();
      const picture = [...event.dataTransfer!.files].find(isPicture);
      if (!picture || !isOverPanel(event)) return;
      panel.open = true;
      void latest.current?.(picture);
    };
    document.addEventListener('dragover', onDrag);
    document.addEventListener('drop', onDrop);
    return () => {
      document.removeEventListener('dragover', onDrag);
      document.removeEventListener('drop', onDrop);
    };
  }, [inside]);
}

/** True for dragged files over an element that does not take files itself. */
function isUnclaimed({ dataTransfer, target, defaultPrevented }: DragEvent): boolean {
  if (defaultPrevented || !dataTransfer?.types.includes('Files')) return false;
  return !(target instanceof HTMLInputElement && target.type === 'file');
}

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
function CoverFraming({
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
