import { useRef, useState, type ComponentProps } from 'react';
import { adminUrl } from '#app/admin/frame/admin-url.ts';
import { TextField } from '#app/ui/field.tsx';
import { Loaded } from '#app/ui/deferred.tsx';
import { useScripted } from '#app/ui/scripts.ts';
import { useWords } from '#app/ui/words.ts';
import type { Picture } from './library-dialog.tsx';

const loadLibrary = () => import('./library-dialog.tsx').then(({ LibraryDialog }) => LibraryDialog);

/** The address of a picture. People type it or, with scripts, choose it from the media library. */
export function PictureField({
  adminPath,
  ...field
}: { adminPath: string } & Omit<ComponentProps<typeof TextField>, 'id'>) {
  const t = useWords();
  const scripted = useScripted();
  const container = useRef<HTMLDivElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const close = () => setIsOpen(false);
  const fill = (address: string) => {
    const control = container.current?.querySelector<HTMLInputElement>(`[name="${field.name}"]`);
    if (!control) return;
    control.value = address;
    control.focus();
  };
  return (
    <div className="picture-field" ref={container}>
      <TextField {...field} />
      <button
        type="button"
        className={scripted ? undefined : 'waits-for-script'}
        onClick={() => setIsOpen(true)}
      >
        {t('Choose a picture')}
      </button>
      <Loaded
        load={loadLibrary}
        onFailed={close}
        shown={
          isOpen && {
            findUrl: adminUrl(adminPath, 'find'),
            mediaUrl: adminUrl(adminPath, 'media'),
            several: false,
            kind: 'image',
            onChoose: ([picture]: Picture[]) => picture && fill(picture.src),
            onClose: close,
          }
        }
      />
    </div>
  );
}
